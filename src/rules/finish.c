/* From the state to hits: which rules fired, with their texts, and which finding another one
 * explains. */
#include "state.h"

#include <assert.h>
#include <string.h>

#include "esxlat/base/clock.h"

struct finish {
    struct el_judge *judge;
    const struct el_judge_facts *facts;
    struct el_arena *arena;
    struct el_buf text; /* scratch */
};

static void close_runs(struct el_judge *j) {
    for (size_t i = 0; i < j->entities; i++) {
        const struct el_entity_state *e = &j->entity[i];
        const struct el_plan *plan = &j->rs->plan[e->kind];
        for (size_t k = 0; e->seen && k < plan->rules; k++) {
            const struct el_rule *rule = j->rs->rule[plan->rule[k].rule];
            for (size_t lane = 0; lane < rule->lanes; lane++)
                if (e->track[plan->rule[k].track + lane])
                    el_track_close(e->track[plan->rule[k].track + lane], rule);
        }
    }
}

/* ---- texts ---- */

static double ask_value(const void *ctx, const struct el_formula *formula) {
    return el_ask_value(ctx, formula);
}

static struct el_str ask_label(const void *ctx, const char *what) {
    return el_ask_label(ctx, what);
}

/* The lines of a key as one text. */
static const char *one_text(struct finish *f, const struct el_question *q,
                            const struct el_templates *t, const char *between, bool for_shell) {
    struct el_expansion x = { ask_value, ask_label, q, for_shell };
    el_buf_clear(&f->text);
    for (size_t i = 0; i < t->count; i++) {
        if (i)
            el_buf_text(&f->text, between);
        el_template_expand(&t->item[i], &x, &f->text);
    }
    return el_arena_text(f->arena, f->text.ptr ? f->text.ptr : "", f->text.len);
}

static void add_texts(struct finish *f, const struct el_question *q, const struct el_templates *t,
                      const char **out, size_t *count) {
    for (size_t i = 0; i < t->count; i++) {
        struct el_templates line = { &t->item[i], 1 };
        out[(*count)++] = one_text(f, q, &line, "", true);
    }
}

/* The lines of a key, and of the vendor's advice. */
static struct el_texts many_texts(struct finish *f, const struct el_question *q,
                                  const struct el_templates *t, const struct el_advice *advice) {
    uint32_t vendor = advice ? el_ask_vendor(q) : UINT32_MAX;
    size_t room = t->count, count = 0;
    for (const struct el_advice *a = advice; a; a = a->next)
        room += a->texts.count;
    const char **item = el_arena_alloc(f->arena, (room + 1) * sizeof *item);
    add_texts(f, q, t, item, &count);
    for (const struct el_advice *a = advice; a; a = a->next)
        if (a->vendor == vendor)
            add_texts(f, q, &a->texts, item, &count);
    assert(count <= room);
    return (struct el_texts){ item, count };
}

static void fill_texts(struct finish *f, const struct el_question *q, const struct el_rule *rule,
                       struct el_hit *hit) {
    hit->title = one_text(f, q, &rule->text[EL_K_TITLE], " ", false);
    hit->because = one_text(f, q, &rule->text[EL_K_BECAUSE], "; ", false);
    hit->check = many_texts(f, q, &rule->text[EL_K_CHECK], NULL);
    hit->act = many_texts(f, q, &rule->text[EL_K_DO], rule->advice);
    hit->also = many_texts(f, q, &rule->text[EL_K_ALSO], NULL);
    hit->see = many_texts(f, q, &rule->text[EL_K_SEE], NULL);
}

/* ---- hits ---- */

/* A rule without `when` has no samples of its own: the span of the hits it counted. */
static void span_members(const struct el_question *q, const struct el_rule *rule,
                         struct el_hit *hit) {
    struct el_window span = { .from = INT64_MAX, .to = INT64_MIN, .peak_at = EL_NO_TIME };
    for (size_t d = 0; d < rule->depend_count; d++) {
        const struct el_fired *fired = &q->judge->fired[rule->depends[d]];
        for (size_t i = 0; i < fired->count; i++) {
            const struct el_hit *member = &fired->hit[i];
            if (!member->windows || !q->facts->related(q->facts->ctx, q->entity, member->entity))
                continue;
            int64_t from = member->window[0].from, to = member->window[member->windows - 1].to;
            span.from = from < span.from ? from : span.from;
            span.to = to > span.to ? to : span.to;
        }
    }
    hit->windows = span.from <= span.to;
    hit->window[0] = span;
}

static void add_hit(struct finish *f, const struct el_question *q) {
    const struct el_rule *rule = f->judge->rs->rule[q->rule];
    struct el_fired *fired = &f->judge->fired[q->rule];
    struct el_hit *hit = EL_PUSH(fired->hit, fired->count, fired->room);
    *hit = (struct el_hit){
        .rule = rule, .entity = q->entity, .profile = q->profile, .folded_into = UINT32_MAX
    };
    if (rule->when) {
        hit->samples = q->track->samples;
        hit->commands = q->track->commands;
        hit->windows = q->track->windows;
        memcpy(hit->window, q->track->window, hit->windows * sizeof *hit->window);
    } else
        span_members(q, rule, hit);
    hit->confidence = el_confidence_of(q, rule, &hit->basis);
    fill_texts(f, q, rule, hit);
}

static void judge_rule(struct finish *f, uint32_t rule) {
    struct el_question q;
    f->judge->fired[rule].count = 0;
    for (uint32_t e = 0; e < f->facts->entities; e++)
        if (el_ask(&q, f->judge, f->facts, e, rule) && el_ask_fires(&q))
            add_hit(f, &q);
}

/* ---- folding ---- */

static void fold_one(struct el_hits *hits, size_t i, uint32_t into) {
    if (hits->item[i].folded_into == UINT32_MAX)
        hits->item[i].folded_into = into;
}

/* Findings on a group explain those on its members; all others only those on the same entity.  `first[rule]` is where
 * the hits of a rule begin. */
static void fold(const struct finish *f, struct el_hits *hits, uint32_t at, const size_t *first) {
    const unsigned groups = EL_KIND_BIT(EL_HOST) | EL_KIND_BIT(EL_ADAPTER) | EL_KIND_BIT(EL_ARRAY);
    const struct el_judge_facts *facts = f->facts;
    const struct el_hit *hit = &hits->item[at];
    bool is_group = EL_KIND_BIT(facts->kind(facts->ctx, hit->entity)) & groups;
    for (size_t o = 0; o < hit->rule->overrides; o++) {
        uint32_t rule = hit->rule->override[o];
        const struct el_fired *fired = &f->judge->fired[rule];
        const struct el_hit *same = el_fired_on(fired, hit->entity);
        if (same)
            fold_one(hits, first[rule] + (size_t)(same - fired->hit), at);
        for (size_t i = first[rule]; is_group && i < first[rule + 1]; i++)
            if (facts->related(facts->ctx, hit->entity, hits->item[i].entity))
                fold_one(hits, i, at);
    }
}

void el_judge_finish(struct el_judge *j, const struct el_judge_facts *facts, struct el_arena *arena,
                     struct el_hits *out) {
    struct finish f = { .judge = j, .facts = facts, .arena = arena };
    size_t rules = j->rs->rules;
    size_t *first = el_calloc(rules + 1, sizeof *first);
    close_runs(j);
    for (size_t i = 0; i < rules; i++)
        judge_rule(&f, j->rs->order[i]);
    for (size_t i = 0; i < rules; i++)
        first[i + 1] = first[i] + j->fired[i].count;
    out->count = first[rules];
    out->item = el_arena_alloc(arena, (out->count + 1) * sizeof *out->item);
    for (size_t i = 0; i < rules; i++)
        if (j->fired[i].count)
            memcpy(out->item + first[i], j->fired[i].hit, j->fired[i].count * sizeof *out->item);
    for (uint32_t i = 0; i < out->count; i++)
        fold(&f, out, i, first);
    el_buf_release(&f.text);
    el_free(first);
}
