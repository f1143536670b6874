/* Hits become findings: in the order in which people should read them, with those who own the waiting. */
#include <stdlib.h>

#include "verdict.h"

static const struct el_entity *entity(const struct el_work *w, uint32_t id) {
    return &w->e->catalog->entity[id];
}

static double wait_in(const struct el_work *w, enum el_layer layer, uint32_t id) {
    return layer == EL_VMKERNEL                        ? w->bad_vmkernel[id]
           : layer == EL_GUEST && w->bad_guest[id] > 0 ? w->bad_guest[id]
                                                       : w->bad_device[id];
}

uint32_t el_root_of(const struct el_work *w, uint32_t hit) {
    while (w->hits.item[hit].folded_into != UINT32_MAX)
        hit = w->hits.item[hit].folded_into;
    return hit;
}

/* Seconds of waiting in the hit's layer, in trouble, on its entity and on the members of a group. */
static double weight_of(const struct el_work *w, const struct el_hit *h) {
    enum el_layer layer = el_rule_layer(h->rule);
    double sum = wait_in(w, layer, h->entity);
    size_t count = 0;
    const uint32_t *lun = NULL;
    if (el_is_group(entity(w, h->entity)->kind))
        lun = el_index_luns(&w->index, h->entity, &count);
    for (size_t i = 0; i < count; i++)
        sum += wait_in(w, layer, lun[i]);
    return sum;
}

/* ---- findings ---- */

struct ordered {
    size_t hit;
    bool root;
    enum el_severity severity;
    enum el_confidence confidence;
    double weight;
};

static int by_importance(const void *a, const void *b) {
    const struct ordered *x = a, *y = b;
    if (x->root != y->root)
        return x->root ? -1 : 1;
    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    if (x->weight > y->weight || x->weight < y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->hit > y->hit) - (x->hit < y->hit);
}

/* A rule on a group has no samples of its own: it is as sure as the surest of those folded into it. */
static enum el_confidence *sureness(const struct el_work *w) {
    const struct el_hit *hit = w->hits.item;
    enum el_confidence *sure = el_calloc(w->hits.count, sizeof *sure);
    for (size_t i = 0; i < w->hits.count; i++) {
        uint32_t into = hit[i].folded_into;
        if (hit[i].confidence > sure[i])
            sure[i] = hit[i].confidence;
        if (into != UINT32_MAX && hit[i].confidence > sure[into])
            sure[into] = hit[i].confidence;
    }
    return sure;
}

static void fill(struct el_work *w, const struct ordered *o, struct el_finding *f) {
    const struct el_hit *h = &w->hits.item[o->hit];
    const struct el_entity *e = entity(w, h->entity);
    *f = (struct el_finding){ .rule = el_rule_id(h->rule),
                              .layer = el_rule_layer(h->rule),
                              .severity = o->severity,
                              .confidence = o->confidence,
                              .basis = h->basis,
                              .entity = w->row[h->entity],
                              .kind = e->kind,
                              .name = e->name,
                              .host = e->host,
                              .from = h->windows ? h->window[0].from : EL_NO_TIME,
                              .to = h->windows ? h->window[h->windows - 1].to : EL_NO_TIME,
                              .samples = h->samples,
                              .window = h->window,
                              .windows = h->windows,
                              .title = h->title,
                              .because = h->because,
                              .check = h->check,
                              .act = h->act,
                              .also = h->also,
                              .see = h->see,
                              .root = o->root };
    f->who = el_who_of(w, h->entity, h->window, h->windows, &f->who_count);
}

static bool may_be_cause(const struct el_finding *f, enum el_layer layer) {
    bool fits =
        f->layer == layer || (layer == EL_MIXED && f->layer != EL_GUEST && f->layer != EL_NONE);
    return fits && f->severity >= EL_WARNING;
}

/* The first finding of the verdict's layer is its cause; one that is no root only where there is no other. */
static void name_cause(struct el_report *out) {
    for (size_t i = 0; i < out->findings; i++)
        if (may_be_cause(&out->finding[i], out->verdict.layer)) {
            out->verdict.cause = out->finding[i].rule;
            out->verdict.confidence = out->finding[i].confidence;
            return;
        }
}

void el_fill_findings(struct el_work *w) {
    struct ordered *order = el_calloc(w->hits.count, sizeof *order);
    enum el_confidence *sure = sureness(w);
    size_t count = 0;
    for (size_t i = 0; i < w->hits.count; i++) {
        const struct el_hit *h = &w->hits.item[i];
        if (w->dropped[i])
            continue;
        bool root = h->folded_into == UINT32_MAX && !w->consequence[i];
        order[count++] =
            (struct ordered){ i, root, el_rule_severity(h->rule), sure[i], weight_of(w, h) };
    }
    if (count > 1)
        qsort(order, count, sizeof *order, by_importance);
    w->out->finding = el_arena_alloc(&w->out->arena, (count + 1) * sizeof *w->out->finding);
    w->out->findings = count;
    for (size_t i = 0; i < count; i++) {
        w->finding_of[order[i].hit] = i;
        fill(w, &order[i], &w->out->finding[i]);
    }
    el_free(order);
    el_free(sure);
    name_cause(w->out);
}
