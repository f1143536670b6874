/* Compiling a set: everything is resolved here, in an order in which each step finds what it needs.
 */
#include "ruleset.h"

#include <assert.h>
#include <string.h>

/* ---- lanes: profiles that judge alike ---- */

/* Numbers the profiles so that two have the same number exactly when `same` says so. */
static unsigned number_lanes(unsigned char lane_of[EL_PROFILES],
                             bool (*same)(const void *ctx, enum el_profile a, enum el_profile b),
                             const void *ctx) {
    unsigned lanes = 0;
    for (unsigned p = 0; p < EL_PROFILES; p++) {
        unsigned q = 0;
        while (q < p && !same(ctx, (enum el_profile)q, (enum el_profile)p))
            q++;
        lane_of[p] = q < p ? lane_of[q] : (unsigned char)lanes++;
    }
    return lanes;
}

static bool same_for_measure(const void *ctx, enum el_profile a, enum el_profile b) {
    const struct el_measure *m = ctx;
    return el_program_same(&m->value, a, b) &&
           (!m->has_filter || el_program_same(&m->filter, a, b));
}

static bool same_for_rule(const void *ctx, enum el_profile a, enum el_profile b) {
    const struct el_rule *rule = ctx;
    bool same = !rule->when || el_program_same(&rule->when_program, a, b);
    for (size_t i = 0; same && i < rule->measures; i++)
        same = same_for_measure(rule->measure[i], a, b);
    return same;
}

static void set_rule_lanes(struct el_rule *rule) {
    rule->lanes = number_lanes(rule->lane_of, same_for_rule, rule);
    for (unsigned p = EL_PROFILES; p-- > 0;)
        rule->lane_profile[rule->lane_of[p]] = (enum el_profile)p;
    for (unsigned set = 0; set < 1u << EL_PROFILES; set++) {
        rule->lanes_of_set[set] = 0;
        for (unsigned p = 0; p < EL_PROFILES; p++)
            if (set & 1u << p)
                rule->lanes_of_set[set] |= (unsigned char)(1u << rule->lane_of[p]);
    }
}

/* ---- plans by kind ---- */

static void plan_kind(struct el_ruleset *rs, enum el_kind kind) {
    struct el_plan *plan = &rs->plan[kind];
    size_t room = 0;
    for (uint32_t i = 0; i < rs->rules; i++) {
        if (!(rs->rule[i]->kinds & EL_KIND_BIT(kind)))
            continue;
        *EL_PUSH(plan->rule, plan->rules, room) = (struct el_plan_rule){ i, plan->tracks };
        plan->tracks += rs->rule[i]->lanes;
        plan->needs[EL_M_commands] = plan->needs[EL_M_seconds] = true;
    }
    room = 0;
    plan->tally_of = el_calloc(rs->measures + 1, sizeof *plan->tally_of);
    for (uint32_t i = 0; i < rs->measures; i++) {
        if (!(rs->measure[i]->kinds & EL_KIND_BIT(kind)))
            continue;
        *EL_PUSH(plan->measure, plan->measures, room) =
            (struct el_plan_measure){ i, plan->tallies };
        plan->tally_of[i] = plan->tallies;
        plan->tallies += rs->measure[i]->lanes;
    }
}

void el_plan_release(struct el_ruleset *rs) {
    for (int k = 0; k < EL_KINDS; k++) {
        el_free(rs->plan[k].rule);
        el_free(rs->plan[k].measure);
        el_free(rs->plan[k].tally_of);
    }
}

/* ---- order of rules ---- */

enum { UNSEEN, ENTERED, LEFT };

struct walk {
    struct el_ruleset *rs;
    bool overrides; /* follow `overrides`, not hits() */
    unsigned char *state;
    struct walk_step {
        uint32_t rule;
        size_t next;
    } * stack; /* as many as rules */
    uint32_t *order;
    size_t ordered;
    struct el_error *err;
};

static bool edge(const struct walk *w, uint32_t rule, size_t n, uint32_t *to) {
    const struct el_rule *r = w->rs->rule[rule];
    if (n >= (w->overrides ? r->overrides : r->depend_count))
        return false;
    *to = w->overrides ? r->override[n] : r->depends[n];
    return true;
}

static bool fail_cycle(const struct walk *w, uint32_t rule, uint32_t to) {
    const struct el_section *from = &w->rs->rule[rule]->section;
    const char *what = w->overrides ? "overrides" : "counts the hits of";
    if (rule == to)
        return el_fail_at(w->err, el_span_value(from->head), NULL, "rule '%s' %s itself",
                          from->name, what);
    return el_fail_at(w->err, el_span_value(from->head), NULL,
                      "rule '%s' %s '%s', which leads back to it", from->name, what,
                      w->rs->rule[to]->section.name);
}

/* Depth first from one rule: it is left, and put in order, after all that it leads to. */
static bool visit(struct walk *w, uint32_t root) {
    size_t depth = 0;
    w->stack[depth++] = (struct walk_step){ root, 0 };
    w->state[root] = ENTERED;
    while (depth) {
        struct walk_step *top = &w->stack[depth - 1];
        uint32_t to;
        if (!edge(w, top->rule, top->next++, &to)) {
            w->state[top->rule] = LEFT;
            w->order[w->ordered++] = top->rule;
            depth--;
            continue;
        }
        if (w->state[to] == ENTERED)
            return fail_cycle(w, top->rule, to);
        if (w->state[to] == LEFT)
            continue;
        assert(depth < w->rs->rules);
        w->state[to] = ENTERED;
        w->stack[depth++] = (struct walk_step){ to, 0 };
    }
    return true;
}

/* Rules in an order in which each comes after those it leads to; NULL and an error for a cycle. */
static uint32_t *order_rules(struct el_ruleset *rs, bool overrides, struct el_error *err) {
    struct walk w = { .rs = rs, .overrides = overrides, .err = err };
    w.state = el_calloc(rs->rules + 1, 1);
    w.stack = el_calloc(rs->rules + 1, sizeof *w.stack);
    w.order = el_arena_alloc(&rs->arena, (rs->rules + 1) * sizeof *w.order);
    bool done = true;
    for (uint32_t i = 0; done && i < rs->rules; i++)
        if (w.state[i] == UNSEEN)
            done = visit(&w, i);
    el_free(w.state);
    el_free(w.stack);
    return done ? w.order : NULL;
}

bool el_plan_build(struct el_ruleset *rs, struct el_error *err) {
    rs->order = order_rules(rs, false, err);
    if (!rs->order || !order_rules(rs, true, err))
        return false;
    for (size_t i = 0; i < rs->measures; i++)
        rs->measure[i]->lanes =
            number_lanes(rs->measure[i]->lane_of, same_for_measure, rs->measure[i]);
    for (size_t i = 0; i < rs->rules; i++)
        set_rule_lanes(rs->rule[i]);
    for (int k = 0; k < EL_KINDS; k++)
        plan_kind(rs, (enum el_kind)k);
    return true;
}

/* ---- compiling ---- */

static bool build_texts(struct el_ruleset *rs, struct el_rule *rule, struct el_error *err) {
    for (int k = EL_K_TITLE; k <= EL_K_SEE; k++) {
        const struct el_value_lines *lines = &rule->section.key[k];
        if (!el_templates_build(rs, rule, lines->item, lines->count, &rule->text[k], err))
            return false;
    }
    return true;
}

/* One line of a vendor's do.RULE-ID. */
static bool build_advice(struct el_ruleset *rs, uint32_t vendor, const struct el_line *line,
                         struct el_error *err) {
    struct el_str id = el_str_from(line->key, 3);
    uint32_t at = el_ruleset_rule_index(rs, id);
    if (at == UINT32_MAX) {
        bool here =
            line->key.ptr >= line->whole.ptr && line->key.ptr <= line->whole.ptr + line->whole.len;
        struct el_span span = here && id.ptr ? el_span_of(line, id) : el_span_value(line);
        return el_fail_unknown(err, span, "rule", id, rs->rules, el_ruleset_rule_id, rs);
    }
    struct el_advice **tail = &rs->rule[at]->advice;
    while (*tail)
        tail = &(*tail)->next;
    *tail = el_arena_alloc(&rs->arena, sizeof **tail);
    (*tail)->vendor = vendor;
    return el_templates_build(rs, rs->rule[at], line, 1, &(*tail)->texts, err);
}

static bool build_vendor(struct el_ruleset *rs, uint32_t vendor, struct el_error *err) {
    struct el_vendor_section *v = rs->vendor[vendor];
    if (!el_declare_vendor(v, &rs->arena, err))
        return false;
    for (size_t i = 0; i < v->section.key[EL_K_DO].count; i++)
        if (!build_advice(rs, vendor, &v->section.key[EL_K_DO].item[i], err))
            return false;
    return true;
}

static bool build_all(struct el_ruleset *rs, struct el_error *err) {
    for (size_t i = 0; i < rs->thresholds; i++)
        if (!el_declare_threshold(rs->threshold[i], err))
            return false;
    for (size_t i = 0; i < rs->rules; i++)
        if (!el_declare_rule(rs, rs->rule[i], &rs->arena, err))
            return false;
    for (size_t i = 0; i < rs->rules; i++)
        if (!el_conditions_build(rs, rs->rule[i], err) || !build_texts(rs, rs->rule[i], err))
            return false;
    for (uint32_t i = 0; i < rs->vendors; i++)
        if (!build_vendor(rs, i, err))
            return false;
    return el_plan_build(rs, err);
}

void el_ruleset_explain(struct el_ruleset *rs) {
    assert(!rs->compiled);
    rs->explains = true;
}

bool el_ruleset_compile(struct el_ruleset *rs, struct el_error *err) {
    assert(!rs->compiled);
    rs->compiled = build_all(rs, err);
    return rs->compiled;
}
