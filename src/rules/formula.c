/* Conditions and formulas of a rule: parse, check, find the measures they ask for, compile. */
#include "ruleset.h"

#include <assert.h>
#include <string.h>

/* ---- scope ---- */

static uint32_t find_threshold(const void *ctx, struct el_str name, enum el_unit *unit) {
    const struct el_ruleset *rs = ctx;
    uint32_t at = el_ruleset_threshold_index(rs, name);
    if (at != UINT32_MAX)
        *unit = rs->threshold[at]->unit;
    return at;
}

static uint32_t find_rule(const void *ctx, struct el_str id) {
    return el_ruleset_rule_index(ctx, id);
}

static size_t threshold_count(const void *ctx) {
    return ((const struct el_ruleset *)ctx)->thresholds;
}

static size_t rule_count(const void *ctx) {
    return ((const struct el_ruleset *)ctx)->rules;
}

static double threshold_value(const void *ctx, unsigned threshold, enum el_profile profile) {
    return ((const struct el_ruleset *)ctx)->threshold[threshold]->value[profile];
}

static struct el_scope scope_of(struct el_ruleset *rs, const struct el_rule *rule,
                                enum el_place place) {
    return (struct el_scope){
        .place = place,
        .kinds = rule->kinds,
        .has_when = rule->section.key[EL_K_WHEN].count > 0,
        .arena = &rs->arena,
        .threshold = find_threshold,
        .rule = find_rule,
        .threshold_count = threshold_count,
        .threshold_name = el_ruleset_threshold_name,
        .rule_count = rule_count,
        .rule_id = el_ruleset_rule_id,
        .ctx = rs,
    };
}

/* ---- measures ---- */

static void note_metric(struct el_ruleset *rs, const struct el_rule *rule, enum el_metric metric) {
    for (unsigned k = 0; k < EL_KINDS; k++)
        if (rule->kinds & EL_KIND_BIT(k))
            rs->plan[k].needs[metric] = true;
}

/* What a weight is computed from has to be there as well. */
static void note_weight(struct el_ruleset *rs, const struct el_rule *rule, enum el_weight weight) {
    if (weight == EL_WEIGHT_READS || weight == EL_WEIGHT_IOS)
        note_metric(rs, rule, EL_M_reads);
    if (weight == EL_WEIGHT_WRITES || weight == EL_WEIGHT_IOS)
        note_metric(rs, rule, EL_M_writes);
}

static void note_metrics(struct el_ruleset *rs, const struct el_rule *rule,
                         const struct el_node *node) {
    if (!node)
        return;
    if (node->kind == EL_N_METRIC)
        note_metric(rs, rule, (enum el_metric)node->index);
    note_metrics(rs, rule, node->left);
    note_metrics(rs, rule, node->right);
}

static bool is_late(const struct el_node *node) {
    if (!node)
        return false;
    return (node->kind == EL_N_METRIC && el_metric_is_late((enum el_metric)node->index)) ||
           is_late(node->left) || is_late(node->right);
}

static bool looks_at_hit(const struct el_node *node) {
    return node &&
           (node->kind == EL_N_HIT || looks_at_hit(node->left) || looks_at_hit(node->right));
}

/* Does `hit` have to hold for the condition to hold? */
static bool requires_hit(const struct el_node *node) {
    if (!node || node->kind == EL_N_HIT)
        return node != NULL;
    return node->kind == EL_N_BINARY && node->op == EL_OP_AND &&
           (requires_hit(node->left) || requires_hit(node->right));
}

static bool is_per_command(enum el_weight weight) {
    return weight != EL_WEIGHT_TIME && weight != EL_WEIGHT_SUM;
}

/* The first metric, in the order of the text, whose weight counts; per-command ones win over the
 * others. */
static void find_weight(const struct el_node *node, bool per_command, enum el_weight *out,
                        bool *found) {
    if (!node || *found)
        return;
    if (node->kind == EL_N_METRIC) {
        enum el_weight weight = el_metric_info((enum el_metric)node->index)->weight;
        if (per_command && !is_per_command(weight))
            return;
        *out = weight;
        *found = true;
        return;
    }
    find_weight(node->left, per_command, out, found);
    find_weight(node->right, per_command, out, found);
}

static enum el_weight weight_of(const struct el_node *value) {
    enum el_weight weight = EL_WEIGHT_TIME;
    bool found = false;
    find_weight(value, true, &weight, &found);
    find_weight(value, false, &weight, &found);
    return weight;
}

static char *measure_text(struct el_arena *arena, const struct el_node *value,
                          const struct el_node *filter) {
    struct el_buf text = { 0 };
    el_node_print(value, &text);
    if (filter) {
        el_buf_text(&text, " | ");
        el_node_print(filter, &text);
    }
    char *out = el_arena_text(arena, text.ptr, text.len);
    el_buf_release(&text);
    return out;
}

static struct el_measure *new_measure(struct el_ruleset *rs, const struct el_node *value,
                                      const struct el_node *filter, const char *text) {
    struct el_measure *m = el_arena_alloc(&rs->arena, sizeof *m);
    m->text = text;
    m->weight = value->type == EL_TYPE_TRUTH ? EL_WEIGHT_SUM : weight_of(value);
    m->has_filter = filter != NULL;
    m->only_hit = filter && requires_hit(filter);
    m->late = is_late(value) || is_late(filter);
    el_program_build(&m->value, value, false, &rs->arena, threshold_value, rs);
    if (filter)
        el_program_build(&m->filter, filter, false, &rs->arena, threshold_value, rs);
    return m;
}

/* The measure of that text in a list; a new one if there is none. */
static size_t place_measure(struct el_ruleset *rs, struct el_rule *rule, bool shared,
                            const struct el_node *value, const struct el_node *filter) {
    struct el_measure ***list = shared ? &rs->measure : &rule->measure;
    size_t *count = shared ? &rs->measures : &rule->measures;
    size_t *room = shared ? &rs->measure_room : &rule->measure_room;
    char *text = measure_text(&rs->arena, value, filter);
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i]->text, text) == 0)
            return i;
    *EL_PUSH(*list, *count, *room) = new_measure(rs, value, filter, text);
    return *count - 1;
}

static struct el_node *only_hit(struct el_arena *arena, const struct el_node *at) {
    struct el_node *hit = el_arena_alloc(arena, sizeof *hit);
    *hit = (struct el_node){
        .kind = EL_N_HIT, .type = EL_TYPE_TRUTH, .span = at->span, .word = EL_STR("hit")
    };
    return hit;
}

/* ---- formulas ---- */

struct collector {
    struct el_ruleset *rs;
    struct el_rule *rule;
    struct el_formula *formula;
    bool in_text;
    struct el_error *err;
};

static bool collect_aggregate(struct collector *c, struct el_node *node, struct el_leaf *leaf) {
    struct el_node *value = node->left, *filter = node->right;
    bool has_when = c->rule->section.key[EL_K_WHEN].count > 0;
    if (c->in_text && has_when && !filter)
        filter = only_hit(&c->rs->arena, node);
    leaf->aggregate = el_function(node->index)->aggregate;
    leaf->shared = !looks_at_hit(value) && !looks_at_hit(filter);
    if (!leaf->shared && c->rule->measures >= EL_MEASURES)
        return el_fail_at(c->err, node->span, NULL,
                          "the rule has more than %u aggregates on its hits", EL_MEASURES);
    leaf->index = (unsigned)place_measure(c->rs, c->rule, leaf->shared, value, filter);
    struct el_measure *m =
        leaf->shared ? c->rs->measure[leaf->index] : c->rule->measure[leaf->index];
    m->needs |= el_aggregate_needs(leaf->aggregate);
    m->kinds |= c->rule->kinds;
    c->rule->eager = c->rule->eager || (!leaf->shared && !m->only_hit);
    note_metrics(c->rs, c->rule, value);
    note_metrics(c->rs, c->rule, filter);
    note_weight(c->rs, c->rule, m->weight);
    return true;
}

static void depend_on(struct el_rule *rule, uint32_t other) {
    for (size_t i = 0; i < rule->depend_count; i++)
        if (rule->depends[i] == other)
            return;
    *EL_PUSH(rule->depends, rule->depend_count, rule->depend_room) = other;
}

/* Numbers the aggregates, hits and members below `node` as inputs of the formula. */
static bool collect(struct collector *c, struct el_node *node) {
    if (!node)
        return true;
    if (node->kind != EL_N_AGGREGATE && node->kind != EL_N_HITS && node->kind != EL_N_MEMBERS)
        return collect(c, node->left) && collect(c, node->right);
    if (c->formula->leaves == EL_LEAVES)
        return el_fail_at(c->err, node->span, NULL, "more than %u aggregates in one expression",
                          EL_LEAVES);
    node->leaf = (unsigned)c->formula->leaves++;
    struct el_leaf *leaf = &c->formula->leaf[node->leaf];
    *leaf = (struct el_leaf){ .kind = node->kind, .index = node->index, .node = node };
    if (node->kind == EL_N_AGGREGATE)
        return collect_aggregate(c, node, leaf);
    if (node->kind == EL_N_HITS)
        depend_on(c->rule, node->index);
    return true;
}

static size_t count_leaves(const struct el_node *node) {
    if (!node)
        return 0;
    bool leaf =
        node->kind == EL_N_AGGREGATE || node->kind == EL_N_HITS || node->kind == EL_N_MEMBERS;
    return leaf ? 1 : count_leaves(node->left) + count_leaves(node->right);
}

bool el_formula_build(struct el_ruleset *rs, struct el_rule *rule, enum el_place place,
                      enum el_type type, struct el_node *root, struct el_formula *out,
                      struct el_error *err) {
    struct el_scope scope = scope_of(rs, rule, place);
    struct collector c = { rs, rule, out, place == EL_IN_TEXT, err };
    assert(place != EL_IN_WHEN);
    if (!el_check(root, &scope, type, err))
        return false;
    *out = (struct el_formula){ .root = root };
    out->leaf = el_arena_alloc(&rs->arena, (count_leaves(root) + 1) * sizeof *out->leaf);
    if (!collect(&c, root))
        return false;
    el_program_build(&out->program, root, false, &rs->arena, threshold_value, rs);
    return true;
}

/* ---- conditions ---- */

/* `when`: lines that are conditions of their own must all hold. */
static bool build_when(struct el_ruleset *rs, struct el_rule *rule, struct el_error *err) {
    const struct el_value_lines *lines = &rule->section.key[EL_K_WHEN];
    struct el_scope scope = scope_of(rs, rule, EL_IN_WHEN);
    struct el_node *list = NULL;
    if (!lines->count)
        return true;
    if (!el_parse(&rs->arena, lines->item, lines->count, &list, err))
        return false;
    for (struct el_node *node = list; node; node = node->next) {
        if (!el_check(node, &scope, EL_TYPE_TRUTH, err))
            return false;
        note_metrics(rs, rule, node);
        struct el_node *both = node;
        if (rule->when) {
            both = el_arena_alloc(&rs->arena, sizeof *both);
            *both = (struct el_node){ .kind = EL_N_BINARY,
                                      .op = EL_OP_AND,
                                      .type = EL_TYPE_TRUTH,
                                      .span = node->span,
                                      .left = rule->when,
                                      .right = node };
        }
        rule->when = both;
    }
    rule->late = is_late(rule->when);
    el_program_build(&rule->when_program, rule->when, true, &rs->arena, threshold_value, rs);
    return true;
}

/* A call of one name, "mean(davg)", as the parser would make it. */
static struct el_node *call_of(struct el_arena *arena, const char *function,
                               const struct el_node *metric) {
    struct el_node *name = el_arena_alloc(arena, sizeof *name),
                   *call = el_arena_alloc(arena, sizeof *call);
    const char *word = el_metric_info((enum el_metric)metric->index)->name;
    *name = (struct el_node){ .kind = EL_N_NAME, .word = el_str(word), .span = metric->span };
    *call = (struct el_node){ .kind = EL_N_CALL,
                              .word = el_str(function),
                              .span = metric->span,
                              .left = name,
                              .arguments = 1 };
    return call;
}

/* What `--why` tells of each metric in `when`: its mean and its largest value over the capture. */
static bool build_told(struct el_ruleset *rs, struct el_rule *rule, const struct el_node *node,
                       struct el_error *err) {
    if (!node)
        return true;
    if (node->kind != EL_N_METRIC)
        return build_told(rs, rule, node->left, err) && build_told(rs, rule, node->right, err);
    struct el_told **tail = &rule->told;
    for (; *tail; tail = &(*tail)->next)
        if ((*tail)->metric == (enum el_metric)node->index)
            return true;
    struct el_told *told = el_arena_alloc(&rs->arena, sizeof *told);
    *told = (struct el_told){ .metric = (enum el_metric)node->index };
    *tail = told;
    return el_formula_build(rs, rule, EL_IN_JUDGED, EL_TYPE_NUMBER,
                            call_of(&rs->arena, "mean", node), &told->mean, err) &&
           el_formula_build(rs, rule, EL_IN_JUDGED, EL_TYPE_NUMBER,
                            call_of(&rs->arena, "max", node), &told->most, err);
}

static bool build_judged(struct el_ruleset *rs, struct el_rule *rule, enum el_key key,
                         struct el_condition **tail, struct el_error *err) {
    const struct el_value_lines *lines = &rule->section.key[key];
    struct el_node *list = NULL;
    if (!lines->count)
        return true;
    if (!el_parse(&rs->arena, lines->item, lines->count, &list, err))
        return false;
    for (struct el_node *node = list; node; node = node->next) {
        struct el_condition *condition = el_arena_alloc(&rs->arena, sizeof *condition);
        if (!el_formula_build(rs, rule, EL_IN_JUDGED, EL_TYPE_TRUTH, node, &condition->formula,
                              err))
            return false;
        *tail = condition;
        tail = &condition->next;
    }
    return true;
}

bool el_conditions_build(struct el_ruleset *rs, struct el_rule *rule, struct el_error *err) {
    return build_when(rs, rule, err) && (!rs->explains || build_told(rs, rule, rule->when, err)) &&
           build_judged(rs, rule, EL_K_IF, &rule->judged[EL_JUDGE_IF], err) &&
           build_judged(rs, rule, EL_K_UNLESS, &rule->judged[EL_JUDGE_UNLESS], err) &&
           build_judged(rs, rule, EL_K_CONFIRM, &rule->judged[EL_JUDGE_CONFIRM], err);
}
