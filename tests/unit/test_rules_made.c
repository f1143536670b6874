#include "test_rules_made.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "esxlat/base/num.h"

struct el_ruleset *made_rules(const char *text) {
    struct el_error err = { 0 };
    struct el_ruleset *rs = el_ruleset_new();
    bool done =
        el_ruleset_parse(rs, "made.ini", el_str(text), &err) && el_ruleset_compile(rs, &err);
    ck_assert_msg(done, "%s", err.text);
    return rs;
}

const char *made_error(const char *text) {
    static struct el_error err;
    struct el_ruleset *rs = el_ruleset_new();
    err = (struct el_error){ 0 };
    if (el_ruleset_parse(rs, "made.ini", el_str(text), &err))
        (void)el_ruleset_compile(rs, &err);
    el_ruleset_free(rs);
    return err.text;
}

void made_world(struct made_world *w, const char *rules) {
    *w = (struct made_world){ .rules = made_rules(rules), .step_ms = 5000 };
    w->judge = el_judge_new(w->rules);
}

void made_release(struct made_world *w) {
    el_judge_free(w->judge);
    el_ruleset_free(w->rules);
    el_arena_release(&w->arena);
}

uint32_t made_entity(struct made_world *w, enum el_kind kind, const char *name,
                     enum el_profile profile) {
    ck_assert_uint_lt(w->entities, MADE_ENTITIES);
    w->entity[w->entities] = (struct made_entity){
        .kind = kind, .profile = profile, .name = name, .commands = 1000, .group = UINT32_MAX
    };
    el_judge_reserve(w->judge, w->entities + 1);
    return w->entities++;
}

/* Rows first .. first + rows - 1 of the columns, in an array of exactly that many values. */
static void feed_block(struct made_world *w, uint32_t entity, const struct el_samples *all,
                       size_t first, size_t rows) {
    struct made_entity *e = &w->entity[entity];
    struct el_samples s = { .rows = rows };
    double *copy[EL_METRICS] = { NULL };
    int64_t from[512], to[512];
    ck_assert_uint_le(rows, 512);
    for (size_t m = 0; m < EL_METRICS; m++) {
        if (!all->column[m])
            continue;
        copy[m] = el_alloc(rows * sizeof **copy);
        memcpy(copy[m], all->column[m] + first, rows * sizeof **copy);
        s.column[m] = copy[m];
    }
    for (size_t i = 0; i < rows; i++, e->rows++) {
        from[i] = (int64_t)e->rows * w->step_ms;
        to[i] = from[i] + w->step_ms;
    }
    s.from = from;
    s.to = to;
    unsigned profiles = e->profiles ? e->profiles : 1u << e->profile;
    el_judge_samples(w->judge, &w->arena, entity, e->kind, el_str(e->name), profiles, &s);
    for (size_t m = 0; m < EL_METRICS; m++)
        el_free(copy[m]);
}

void made_feed(struct made_world *w, uint32_t entity, size_t rows, size_t block, ...) {
    struct el_samples all = { .rows = rows };
    va_list args;
    va_start(args, block);
    for (const char *name; (name = va_arg(args, const char *));) {
        enum el_metric metric = el_metric_find(el_str(name));
        ck_assert_msg(metric != EL_METRICS, "no metric '%s'", name);
        all.column[metric] = va_arg(args, const double *);
    }
    va_end(args);
    for (size_t first = 0; first < rows; first += block)
        feed_block(w, entity, &all, first, rows - first < block ? rows - first : block);
}

void made_letters(struct made_world *w, uint32_t entity, size_t block, const char *metric,
                  const char *letters) {
    double value[512];
    size_t rows = strlen(letters);
    ck_assert_uint_le(rows, 512);
    for (size_t i = 0; i < rows; i++)
        value[i] = letters[i] == '-' ? EL_NAN : letters[i] - '0';
    made_feed(w, entity, rows, block, metric, value, NULL);
}

/* ---- facts ---- */

static const struct made_entity *at(const void *ctx, uint32_t entity) {
    return &((const struct made_world *)ctx)->entity[entity];
}

static enum el_kind kind(const void *ctx, uint32_t entity) {
    return at(ctx, entity)->kind;
}

static enum el_profile profile(const void *ctx, uint32_t entity) {
    return at(ctx, entity)->profile;
}

static double commands(const void *ctx, uint32_t entity) {
    return at(ctx, entity)->commands;
}

static bool related(const void *ctx, uint32_t group, uint32_t member) {
    return at(ctx, member)->group == group;
}

static const uint32_t *among(const void *ctx, uint32_t entity, enum el_kind of, size_t *count) {
    static uint32_t every[1000];
    (void)entity, (void)of;
    *count = ((const struct made_world *)ctx)->entities;
    ck_assert_uint_le(*count, sizeof every / sizeof *every);
    for (uint32_t i = 0; i < *count; i++)
        every[i] = i;
    return every;
}

static struct el_str label(const void *ctx, uint32_t entity, const char *what) {
    const struct made_entity *e = at(ctx, entity);
    if (strcmp(what, "name") == 0)
        return el_str(e->name);
    if (strcmp(what, "lun") == 0)
        return el_str(e->lun);
    return strcmp(what, "vendor") == 0 ? el_str(e->vendor) : (struct el_str){ NULL, 0 };
}

static struct el_judge_facts facts_of(const struct made_world *w) {
    return (
        struct el_judge_facts){ w->entities, kind, profile, commands, related, among, label, w };
}

void made_finish(struct made_world *w) {
    struct el_judge_facts facts = facts_of(w);
    el_judge_finish(w->judge, &facts, &w->arena, &w->hits);
}

const struct el_hit *made_hit(const struct made_world *w, const char *rule, uint32_t entity) {
    for (size_t i = 0; i < w->hits.count; i++)
        if (w->hits.item[i].entity == entity && strcmp(el_rule_id(w->hits.item[i].rule), rule) == 0)
            return &w->hits.item[i];
    return NULL;
}

const char *made_why(struct made_world *w, uint32_t entity) {
    struct el_judge_facts facts = facts_of(w);
    struct el_buf why = { 0 };
    el_judge_why(w->judge, &facts, entity, &why);
    const char *text = el_arena_text(&w->arena, why.ptr ? why.ptr : "", why.len);
    el_buf_release(&why);
    return text;
}

double made_value(const struct made_world *w, const char *rule, uint32_t entity) {
    struct el_question q;
    struct el_judge_facts facts = facts_of(w);
    const struct el_rule *r = el_ruleset_find(w->rules, el_str(rule));
    ck_assert(el_ask(&q, w->judge, &facts, entity, el_ruleset_rule_index(w->rules, el_str(rule))));
    ck_assert_uint_gt(r->text[EL_K_BECAUSE].count, 0);
    return el_ask_value(&q, r->text[EL_K_BECAUSE].item[0].part[0].formula);
}
