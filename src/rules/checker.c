#include "lang.h"

#include <assert.h>
#include <stdio.h>

struct checker {
    const struct el_scope *scope;
    struct el_error *err;
    bool inside; /* of an aggregate: names mean columns */
};

static bool check(struct checker *c, struct el_node *node);

/* ---- units ---- */

/* Counts and ratios are both numbers without dimension; percentages are not: 0.5 is not 50 %. */
static bool units_fit(enum el_unit a, enum el_unit b) {
    bool bare =
        (a == EL_UNIT_COUNT || a == EL_UNIT_RATIO) && (b == EL_UNIT_COUNT || b == EL_UNIT_RATIO);
    return a == b || a == EL_UNIT_NONE || b == EL_UNIT_NONE || bare;
}

static const char *unit_text(enum el_unit unit) {
    if (unit == EL_UNIT_COUNT)
        return "a count";
    return unit == EL_UNIT_RATIO ? "a ratio" : el_unit_name(unit);
}

static bool is_scale(enum el_unit unit) {
    return unit == EL_UNIT_NONE || unit == EL_UNIT_RATIO || unit == EL_UNIT_COUNT;
}

/* Products and quotients whose unit has no name fit everything, like plain numbers. */
static enum el_unit product_unit(enum el_unit a, enum el_unit b) {
    if ((a == EL_UNIT_RATE && b == EL_UNIT_SECONDS) || (a == EL_UNIT_SECONDS && b == EL_UNIT_RATE))
        return EL_UNIT_COUNT;
    if (a == EL_UNIT_NONE || a == EL_UNIT_RATIO || (a == EL_UNIT_COUNT && !is_scale(b)))
        return b;
    return is_scale(b) ? a : EL_UNIT_NONE;
}

static enum el_unit quotient_unit(enum el_unit a, enum el_unit b) {
    if (a == EL_UNIT_COUNT && b == EL_UNIT_SECONDS)
        return EL_UNIT_RATE;
    if (a == EL_UNIT_COUNT && b == EL_UNIT_RATE)
        return EL_UNIT_SECONDS;
    if (b == EL_UNIT_NONE || (is_scale(b) && !is_scale(a)))
        return a;
    return units_fit(a, b) && a != EL_UNIT_NONE ? EL_UNIT_RATIO : EL_UNIT_NONE;
}

static enum el_unit wider_unit(enum el_unit a, enum el_unit b) {
    return a == EL_UNIT_NONE || a == EL_UNIT_RATIO ? (b == EL_UNIT_NONE ? a : b) : a;
}

/* ---- types ---- */

static bool want(struct checker *c, const struct el_node *node, enum el_type type) {
    char shown[EL_WORD_ROOM];
    if (node->type == type)
        return true;
    (void)el_word_text(el_span_text(node->span), shown);
    if (type == EL_TYPE_NUMBER)
        return el_fail_at(c->err, node->span, NULL, "expected a number, but '%s' is a condition",
                          shown);
    return el_fail_at(c->err, node->span, "compare it with something, such as '> 0'",
                      "expected a condition, but '%s' is a number", shown);
}

static bool check_operand(struct checker *c, struct el_node *node, enum el_type type) {
    return check(c, node) && want(c, node, type);
}

static bool check_units(struct checker *c, const struct el_node *node) {
    static const char *const verb[EL_OPS] = { [EL_OP_ADD] = "add", [EL_OP_SUB] = "subtract" };
    enum el_unit a = node->left->unit, b = node->right->unit;
    if (units_fit(a, b))
        return true;
    if (verb[node->op])
        return el_fail_at(c->err, node->span, NULL, "cannot %s %s and %s", verb[node->op],
                          unit_text(a), unit_text(b));
    return el_fail_at(c->err, node->span, NULL, "cannot compare %s with %s", unit_text(a),
                      unit_text(b));
}

static bool check_binary(struct checker *c, struct el_node *node) {
    bool joins = node->op == EL_OP_OR || node->op == EL_OP_AND;
    enum el_type type = joins ? EL_TYPE_TRUTH : EL_TYPE_NUMBER;
    if (!check_operand(c, node->left, type) || !check_operand(c, node->right, type))
        return false;
    node->type = node->op <= EL_OP_NE ? EL_TYPE_TRUTH : EL_TYPE_NUMBER;
    node->unit = EL_UNIT_NONE;
    if (joins)
        return true;
    if (node->op == EL_OP_MUL)
        node->unit = product_unit(node->left->unit, node->right->unit);
    else if (node->op == EL_OP_DIV)
        node->unit = quotient_unit(node->left->unit, node->right->unit);
    else if (!check_units(c, node))
        return false;
    else if (node->type == EL_TYPE_NUMBER)
        node->unit = wider_unit(node->left->unit, node->right->unit);
    return true;
}

static bool check_unary(struct checker *c, struct el_node *node) {
    bool of_truth = node->op == EL_OP_NOT;
    if (!check_operand(c, node->left, of_truth ? EL_TYPE_TRUTH : EL_TYPE_NUMBER))
        return false;
    node->type = of_truth || node->op == EL_OP_KNOWN ? EL_TYPE_TRUTH : EL_TYPE_NUMBER;
    node->unit = node->op == EL_OP_KNOWN ? EL_UNIT_NONE : node->left->unit;
    return true;
}

/* ---- names ---- */

/* Everything a bare name can be: metrics, then thresholds, then `hit`. */
static const char *known_name(const void *ctx, size_t i) {
    const struct el_scope *scope = ctx;
    if (i < EL_METRICS)
        return el_metric_info((enum el_metric)i)->name;
    i -= EL_METRICS;
    return i < scope->threshold_count(scope->ctx) ? scope->threshold_name(scope->ctx, i) : "hit";
}

/* "adapter, path" */
static char *kinds_text(unsigned kinds, char *out, size_t room) {
    size_t used = 0;
    out[0] = '\0';
    for (unsigned k = 0; k < EL_KINDS && used < room; k++)
        if (kinds & EL_KIND_BIT(k))
            used += (size_t)snprintf(out + used, room - used, "%s%s", used ? ", " : "",
                                     el_kind_name((enum el_kind)k));
    return out;
}

static bool fail_kind(struct checker *c, const struct el_node *node,
                      const struct el_metric_info *info) {
    char ours[128], theirs[128], hint[160];
    (void)kinds_text(c->scope->kinds, ours, sizeof ours);
    (void)snprintf(hint, sizeof hint, "it is for %s",
                   kinds_text(info->kinds, theirs, sizeof theirs));
    return el_fail_at(c->err, node->span, hint, "metric '%s' is not measured for %s", info->name,
                      ours);
}

/* A metric in a text stands for its mean: the node becomes mean(metric). */
static void wrap_in_mean(struct checker *c, struct el_node *node) {
    struct el_node *metric = el_arena_alloc(c->scope->arena, sizeof *metric);
    *metric = *node;
    node->kind = EL_N_AGGREGATE;
    node->word = EL_STR("mean");
    node->index = (unsigned)el_function_find(node->word, EL_F_AGGREGATE);
    node->left = metric;
    node->arguments = 1;
}

static bool check_metric(struct checker *c, struct el_node *node, enum el_metric metric) {
    const struct el_metric_info *info = el_metric_info(metric);
    char hint[96];
    if (!(info->kinds & c->scope->kinds))
        return fail_kind(c, node, info);
    node->kind = EL_N_METRIC;
    node->index = (unsigned)metric;
    node->unit = info->unit;
    if (c->inside || c->scope->place == EL_IN_WHEN)
        return true;
    if (c->scope->place == EL_IN_TEXT) {
        wrap_in_mean(c, node);
        return true;
    }
    (void)snprintf(hint, sizeof hint, "say which value is meant, such as mean(%s) or p95(%s)",
                   info->name, info->name);
    return el_fail_at(c->err, node->span, hint,
                      "'%s' has a value for each sample, this condition is judged once",
                      info->name);
}

static bool check_hit(struct checker *c, struct el_node *node) {
    node->kind = EL_N_HIT;
    node->type = EL_TYPE_TRUTH;
    if (c->scope->place == EL_IN_WHEN)
        return el_fail_at(c->err, node->span, NULL,
                          "'hit' is what 'when' decides and cannot be part of it");
    if (!c->scope->has_when)
        return el_fail_at(c->err, node->span, NULL, "'hit' needs a 'when', and this rule has none");
    if (!c->inside)
        return el_fail_at(c->err, node->span, "such as mean(davg, hit) or share(hit)",
                          "'hit' stands only inside aggregates");
    return true;
}

static bool check_name(struct checker *c, struct el_node *node) {
    const struct el_scope *scope = c->scope;
    enum el_metric metric = el_metric_find(node->word);
    if (metric != EL_METRICS)
        return check_metric(c, node, metric);
    if (el_str_is(node->word, "hit"))
        return check_hit(c, node);
    node->index = scope->threshold(scope->ctx, node->word, &node->unit);
    if (node->index != UINT32_MAX) {
        node->kind = EL_N_THRESHOLD;
        return true;
    }
    if (el_function_known(node->word))
        return el_fail_at(c->err, node->span, NULL, "'%.*s' needs parentheses", (int)node->word.len,
                          node->word.ptr);
    return el_fail_unknown(c->err, node->span, "metric", node->word,
                           EL_METRICS + scope->threshold_count(scope->ctx) + 1, known_name, scope);
}

/* ---- calls ---- */

static bool check_place(struct checker *c, const struct el_node *node) {
    int length = (int)node->word.len;
    if (c->scope->place == EL_IN_WHEN)
        return el_fail_at(c->err, node->span,
                          "'when' is judged sample by sample; use it in 'if' or 'unless'",
                          "'%.*s' cannot be used in 'when'", length, node->word.ptr);
    if (c->inside)
        return el_fail_at(c->err, node->span, NULL, "'%.*s' cannot stand inside an aggregate",
                          length, node->word.ptr);
    return true;
}

static bool check_arity(struct checker *c, const struct el_node *node,
                        const struct el_function *f) {
    if (node->arguments >= f->least && node->arguments <= f->most)
        return true;
    return el_fail_at(c->err, node->span, NULL, "'%s' is written %s", f->name, f->usage);
}

static enum el_unit aggregate_unit(enum el_aggregate aggregate, enum el_unit unit) {
    switch (aggregate) {
    case EL_A_SHARE:
    case EL_A_CV: return EL_UNIT_RATIO;
    case EL_A_COUNT: return EL_UNIT_COUNT;
    case EL_A_SLOPE: return EL_UNIT_NONE;
    case EL_A_MEAN:
    case EL_A_P10:
    case EL_A_P50:
    case EL_A_P95:
    case EL_A_P99:
    case EL_A_MAX:
    case EL_A_MIN:
    case EL_A_SUM:
    case EL_A_STDEV:
    case EL_AGGREGATES: break;
    }
    return unit;
}

static bool check_aggregate(struct checker *c, struct el_node *node, size_t row) {
    const struct el_function *f = el_function(row);
    bool of_truth = f->aggregate == EL_A_SHARE || f->aggregate == EL_A_COUNT;
    if (!check_place(c, node) || !check_arity(c, node, f))
        return false;
    c->inside = true;
    bool done = check_operand(c, node->left, of_truth ? EL_TYPE_TRUTH : EL_TYPE_NUMBER) &&
                (!node->right || check_operand(c, node->right, EL_TYPE_TRUTH));
    c->inside = false;
    node->kind = EL_N_AGGREGATE;
    node->index = (unsigned)row;
    node->type = EL_TYPE_NUMBER;
    node->unit = aggregate_unit(f->aggregate, node->left->unit);
    return done;
}

static const char *rule_id(const void *ctx, size_t i) {
    const struct el_scope *scope = ctx;
    return scope->rule_id(scope->ctx, i);
}

static bool check_hits(struct checker *c, struct el_node *node, size_t row) {
    if (!check_place(c, node) || !check_arity(c, node, el_function(row)))
        return false;
    const struct el_node *id = node->left;
    if (id->kind != EL_N_STRING)
        return el_fail_at(c->err, id->span, NULL, "'hits' is written %s", el_function(row)->usage);
    node->kind = EL_N_HITS;
    node->unit = EL_UNIT_COUNT;
    node->index = c->scope->rule(c->scope->ctx, id->word);
    if (node->index != UINT32_MAX)
        return true;
    return el_fail_unknown(c->err, id->span, "rule", id->word, c->scope->rule_count(c->scope->ctx),
                           rule_id, c->scope);
}

static const char *kind_name(const void *ctx, size_t i) {
    (void)ctx;
    return el_kind_name((enum el_kind)i);
}

static bool check_members(struct checker *c, struct el_node *node, size_t row) {
    if (!check_place(c, node) || !check_arity(c, node, el_function(row)))
        return false;
    const struct el_node *kind = node->left;
    if (kind->kind != EL_N_NAME)
        return el_fail_at(c->err, kind->span, NULL, "'members' is written %s",
                          el_function(row)->usage);
    node->kind = EL_N_MEMBERS;
    node->unit = EL_UNIT_COUNT;
    node->index = el_kind_find(kind->word);
    return node->index != EL_KINDS ||
           el_fail_unknown(c->err, kind->span, "kind", kind->word, EL_KINDS, kind_name, NULL);
}

/* A plain function becomes an operator with one or two operands. */
static bool check_plain(struct checker *c, struct el_node *node, size_t row) {
    const struct el_function *f = el_function(row);
    if (!check_arity(c, node, f))
        return false;
    node->op = f->op;
    node->kind = f->most == 1 ? EL_N_UNARY : EL_N_BINARY;
    return f->most == 1 ? check_unary(c, node) : check_binary(c, node);
}

/* min and max are aggregates of one number, or functions of two. */
static bool looks_like_condition(const struct el_node *node) {
    return (node->kind == EL_N_BINARY && node->op <= EL_OP_NE) ||
           (node->kind == EL_N_UNARY && node->op == EL_OP_NOT) ||
           (node->kind == EL_N_CALL && el_str_is(node->word, "known")) ||
           (node->kind == EL_N_NAME && el_str_is(node->word, "hit"));
}

static bool check_call(struct checker *c, struct el_node *node) {
    size_t none = el_function_count();
    size_t plain = el_function_find(node->word, EL_F_PLAIN);
    size_t aggregate = el_function_find(node->word, EL_F_AGGREGATE);
    bool two_numbers = node->arguments == 2 && !looks_like_condition(node->right);
    if (plain != none && (aggregate == none || two_numbers))
        return check_plain(c, node, plain);
    if (aggregate != none)
        return check_aggregate(c, node, aggregate);
    if (el_str_is(node->word, "hits"))
        return check_hits(c, node, el_function_find(node->word, EL_F_HITS));
    if (el_str_is(node->word, "members"))
        return check_members(c, node, el_function_find(node->word, EL_F_MEMBERS));
    if (el_str_is(node->word, "pct"))
        return el_fail_at(c->err, node->span, NULL, "'pct' stands alone in a text: {pct(X)}");
    struct el_span span = el_span_of(node->span.line, node->word);
    return el_fail_unknown(c->err, span, "function", node->word, none, el_function_name, NULL);
}

static bool check(struct checker *c, struct el_node *node) {
    switch (node->kind) {
    case EL_N_NUMBER: return true;
    case EL_N_NAME: return check_name(c, node);
    case EL_N_STRING:
        return el_fail_at(c->err, node->span, NULL, "a text stands only in hits(\"RULE-ID\")");
    case EL_N_CALL: return check_call(c, node);
    case EL_N_UNARY: return check_unary(c, node);
    case EL_N_BINARY: return check_binary(c, node);
    case EL_N_METRIC:
    case EL_N_THRESHOLD:
    case EL_N_HIT:
    case EL_N_AGGREGATE:
    case EL_N_HITS:
    case EL_N_MEMBERS: break; /* what this function makes; a tree is checked once */
    }
    assert(false);
    return false;
}

bool el_check(struct el_node *node, const struct el_scope *scope, enum el_type type,
              struct el_error *err) {
    struct checker c = { .scope = scope, .err = err };
    assert(scope->place != EL_IN_WHEN || type == EL_TYPE_TRUTH);
    return check_operand(&c, node, type);
}
