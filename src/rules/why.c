/* `report --why`: every rule that was considered for an entity, and where it stopped. */
#include "state.h"

#include <inttypes.h>

#include "esxlat/base/num.h"

#include "show.h"

/* The figures a condition was computed from, and the thresholds in it. */
static void tell_figures(const struct el_question *q, const struct el_node *node,
                         const struct el_formula *formula, const char **separator,
                         struct el_buf *out) {
    char text[EL_NUM_ROOM];
    double value;
    if (!node || node->kind == EL_N_NUMBER)
        return;
    if (node->kind == EL_N_UNARY || node->kind == EL_N_BINARY) {
        tell_figures(q, node->left, formula, separator, out);
        tell_figures(q, node->right, formula, separator, out);
        return;
    }
    if (node->kind == EL_N_THRESHOLD)
        value = q->judge->rs->threshold[node->index]->value[q->profile];
    else
        value = el_ask_leaf(q, &formula->leaf[node->leaf]);
    el_buf_text(out, *separator);
    el_show_node(node, out);
    el_buf_print(out, " = %s", el_num_short(value, text));
    *separator = "; ";
}

static void tell_condition(const struct el_question *q, const char *key,
                           const struct el_formula *formula, struct el_buf *out) {
    const char *separator = ": ";
    double value = el_ask_value(q, formula);
    el_buf_print(out, "    %-8s", key);
    el_show_node(formula->root, out);
    el_buf_print(out, "\n            %s",
                 el_missing(value) ? "unknown"
                 : value >= 1      ? "holds"
                                   : "does not hold");
    tell_figures(q, formula->root, formula, &separator, out);
    el_buf_char(out, '\n');
}

/* The thresholds of a `when`, which have no formula around them. */
static void tell_thresholds(const struct el_question *q, const struct el_node *node,
                            struct el_buf *out) {
    char text[EL_NUM_ROOM];
    if (!node)
        return;
    if (node->kind == EL_N_THRESHOLD) {
        double value = q->judge->rs->threshold[node->index]->value[q->profile];
        el_buf_text(out, "; ");
        el_show_node(node, out);
        el_buf_print(out, " = %s", el_num_short(value, text));
    }
    tell_thresholds(q, node->left, out);
    tell_thresholds(q, node->right, out);
}

/* What the metrics in `when` were over the whole capture. */
static void tell_measured(const struct el_question *q, const struct el_rule *rule,
                          struct el_buf *out) {
    const char *separator = "            ";
    char mean[EL_NUM_ROOM], most[EL_NUM_ROOM];
    for (const struct el_told *t = rule->told; t; t = t->next) {
        double average = el_ask_value(q, &t->mean), largest = el_ask_value(q, &t->most);
        el_buf_print(out, "%s%s", separator, el_metric_info(t->metric)->name);
        if (el_missing(average))
            el_buf_text(out, " not known");
        else
            el_buf_print(out, " mean %s, max %s", el_num_short(average, mean),
                         el_num_short(largest, most));
        separator = "; ";
    }
    if (rule->told)
        el_buf_char(out, '\n');
}

static void tell_when(const struct el_question *q, const struct el_rule *rule, struct el_buf *out) {
    uint64_t samples = q->state ? q->state->samples : 0;
    uint64_t held = q->track ? q->track->held : 0, longest = q->track ? q->track->longest : 0;
    for (size_t i = 0; i < rule->section.key[EL_K_WHEN].count; i++) { /* as it stands in the file */
        el_buf_text(out, i ? "            " : "    when    ");
        (void)el_buf_visible(out, rule->section.key[EL_K_WHEN].item[i].value);
        el_buf_char(out, '\n');
    }
    el_buf_print(out,
                 "            held in %" PRIu64 " of %" PRIu64 " samples, at most %" PRIu64
                 " in a row; needs ",
                 held, samples, longest);
    el_show_for(rule, out);
    tell_thresholds(q, rule->when, out);
    el_buf_char(out, '\n');
    tell_measured(q, rule, out);
}

/* The first thing that kept the rule from firing. */
static const char *reason(const struct el_question *q, const struct el_rule *rule) {
    if (el_ask_fires(q))
        return "fired";
    if (rule->when && !(q->track && q->track->held))
        return "silent, 'when' never held";
    if (rule->when && !q->track->samples)
        return "silent, 'when' did not hold long enough";
    if (rule->judged[EL_JUDGE_IF] && !el_ask_all(q, rule->judged[EL_JUDGE_IF]))
        return "silent, an 'if' does not hold";
    return "silent, an 'unless' holds";
}

static void tell_confidence(const struct el_question *q, const struct el_rule *rule,
                            struct el_buf *out) {
    struct el_basis basis;
    enum el_confidence sure = el_confidence_of(q, rule, &basis);
    el_buf_print(out, "    confidence %s of its own", el_confidence_name(sure));
    if (rule->when) {
        el_buf_text(out, ": ");
        el_confidence_text(&basis, out);
    }
    el_buf_char(out, '\n');
}

static void tell_rule(const struct el_question *q, struct el_buf *out) {
    static const char *const keys[EL_JUDGES] = { "if", "unless", "confirm" };
    const struct el_rule *rule = q->judge->rs->rule[q->rule];
    el_buf_print(out, "%s: %s\n", rule->section.name, reason(q, rule));
    if (rule->when)
        tell_when(q, rule, out);
    if (el_ask_fires(q))
        tell_confidence(q, rule, out);
    bool asked =
        !rule->when || (q->track && q->track->held); /* else nothing was gathered for them */
    for (int k = 0; asked && k < EL_JUDGES; k++)
        for (const struct el_condition *c = rule->judged[k]; c; c = c->next)
            tell_condition(q, keys[k], &c->formula, out);
}

void el_judge_why(const struct el_judge *j, const struct el_judge_facts *facts, uint32_t entity,
                  struct el_buf *out) {
    struct el_question q;
    for (int fired = 1; fired >= 0; fired--) /* those that fired first */
        for (uint32_t rule = 0; rule < j->rs->rules; rule++)
            if (el_ask(&q, j, facts, entity, rule) && el_ask_fires(&q) == (fired == 1))
                tell_rule(&q, out);
}
