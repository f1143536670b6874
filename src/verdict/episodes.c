/* When it was bad: the windows of findings, put together in time, with their worst moment. */
#include <stdlib.h>

#include "esxlat/base/num.h"
#include "spans.h"
#include "verdict.h"

/* Findings with less than this between them are one episode: a sample or two that slipped under a threshold are no
 * recovery.  In samples of the capture. */
#define PAUSE 3

struct stretch { /* a window of a hit */
    const struct el_window *window;
    uint32_t hit, entity;
};

struct stretches {
    struct stretch *item;
    size_t count, room;
};

static int by_time(const void *a, const void *b) {
    const struct stretch *x = a, *y = b;
    if (x->window->from != y->window->from)
        return x->window->from < y->window->from ? -1 : 1;
    return (x->hit > y->hit) - (x->hit < y->hit);
}

/* Windows of what really happened: no hints and no consequences.  A group's finding has no samples of its own, but those
 * of its members, which are folded into it. */
static void gather(const struct el_work *w, struct stretches *out) {
    for (uint32_t i = 0; i < w->hits.count; i++) {
        const struct el_hit *h = &w->hits.item[i];
        if (w->dropped[i] || w->consequence[i] || el_rule_severity(h->rule) < EL_WARNING ||
            el_rule_layer(h->rule) == EL_NONE)
            continue;
        for (size_t k = 0; k < h->windows; k++)
            if (h->window[k].samples)
                *EL_PUSH(out->item, out->count, out->room) =
                    (struct stretch){ &h->window[k], i, h->entity };
    }
    if (out->count > 1)
        qsort(out->item, out->count, sizeof *out->item, by_time);
}

/* Milliseconds that may lie between. */
static double pause_of(const struct el_report *r) {
    double most = 0;
    for (size_t i = 0; i < r->captures; i++)
        if (r->capture[i].interval_s > most)
            most = r->capture[i].interval_s;
    return PAUSE * 1000 * most;
}

static double waiting(const struct el_window *w) {
    return w->wait_device + w->wait_vmkernel;
}

static int by_entity(const void *a, const void *b) {
    const struct stretch *x = a, *y = b;
    if (x->entity != y->entity)
        return x->entity < y->entity ? -1 : 1;
    return (x->hit > y->hit) - (x->hit < y->hit);
}

/* Waiting of an entity in the episode: findings of several rules overlap, so for each layer the one that holds most.
 * Gives the number of its stretches, which begin the list. */
static size_t add_entity(struct el_episode *e, const struct stretch *s, size_t count) {
    double device = 0, vmkernel = 0;
    size_t i = 0;
    while (i < count && s[i].entity == s->entity) {
        double of_hit[2] = { 0, 0 };
        uint32_t hit = s[i].hit;
        for (; i < count && s[i].hit == hit; i++) {
            of_hit[0] += s[i].window->wait_device;
            of_hit[1] += s[i].window->wait_vmkernel;
        }
        device = of_hit[0] > device ? of_hit[0] : device;
        vmkernel = of_hit[1] > vmkernel ? of_hit[1] : vmkernel;
    }
    e->wait_device += device;
    e->wait_vmkernel += vmkernel;
    return i;
}

/* Seconds in trouble: of merged windows only what they held, and the pauses between windows. */
static double held_seconds(const struct stretch *s, size_t count) {
    struct el_span *span = el_calloc(2 * count, sizeof *span);
    int64_t to = s->window->to;
    size_t spans = 0;
    for (size_t i = 0; i < count; i++) {
        const struct el_window *w = s[i].window;
        if (w->from > to)
            span[spans++] = (struct el_span){ to, w->from, 1 };
        span[spans++] =
            (struct el_span){ w->from, w->to, w->held_ms / ((double)w->to - (double)w->from) };
        to = w->to > to ? w->to : to;
    }
    double held = el_spans_seconds(span, spans);
    el_free(span);
    return held;
}

static enum el_layer layer_of(const struct el_episode *e, enum el_layer leading) {
    double all = e->wait_device + e->wait_vmkernel;
    if (leading == EL_GUEST || leading == EL_MIXED || !(all > 0))
        return leading;
    double smaller = e->wait_device < e->wait_vmkernel ? e->wait_device : e->wait_vmkernel;
    return smaller < EL_MIXED_SHARE * all ? leading : EL_MIXED;
}

/* Of stretches in order of time, which are put in another. */
static struct el_episode episode_of(const struct el_work *w, struct stretch *s, size_t count) {
    struct el_episode e = { .from = s->window->from, .to = s->window->to };
    struct stretch lead = *s;
    for (size_t i = 0; i < count; i++) {
        e.to = s[i].window->to > e.to ? s[i].window->to : e.to;
        if (waiting(s[i].window) > waiting(lead.window))
            lead = s[i];
    }
    e.held_s = held_seconds(s, count);
    qsort(s, count, sizeof *s, by_entity);
    for (size_t i = 0; i < count; i += add_entity(&e, s + i, count - i))
        e.others += i > 0;
    uint32_t root = el_root_of(w, lead.hit);
    const struct el_window span = { .from = e.from, .to = e.to };
    e.finding = w->finding_of[root];
    e.samples = lead.window->samples;
    e.peak = lead.window->peak > 0 ? lead.window->peak : EL_NAN;
    e.peak_at = lead.window->peak_at;
    e.layer = layer_of(&e, el_rule_layer(w->hits.item[root].rule));
    e.wait_guest = el_guest_wait(w, e.from, e.to);
    e.who = el_who_of(w, w->hits.item[root].entity, &span, 1, &e.who_count);
    return e;
}

static double captured_seconds(const struct el_report *r) {
    struct el_span *span = el_calloc(r->captures + 1, sizeof *span);
    size_t spans = 0;
    for (size_t i = 0; i < r->captures; i++) {
        const struct el_capture_report *c = &r->capture[i];
        if (c->samples == 0)
            continue;
        span[spans++] =
            (struct el_span){ c->from, c->to,
                              1000 * c->measured_s / ((double)c->to - (double)c->from) };
    }
    double seconds = el_spans_seconds(span, spans);
    el_free(span);
    return seconds;
}

void el_find_episodes(struct el_work *w) {
    struct el_report *r = w->out;
    struct stretches all = { 0 };
    double pause = pause_of(r);
    gather(w, &all);
    r->episode = el_arena_alloc(&r->arena, (all.count + 1) * sizeof *r->episode);
    r->time_s = captured_seconds(r);
    for (size_t i = 0, end; i < all.count; i = end) {
        int64_t to = all.item[i].window->to;
        for (end = i + 1; end < all.count; end++) {
            const struct el_window *next = all.item[end].window;
            if ((double)next->from - (double)to > pause)
                break;
            to = next->to > to ? next->to : to;
        }
        r->episode[r->episodes] = episode_of(w, all.item + i, end - i);
        r->troubled_s += r->episode[r->episodes++].held_s;
    }
    el_free(all.item);
}
