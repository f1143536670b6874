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

static void tell_when(const struct el_question *q, const struct el_rule *rule, struct el_buf *out) {
    uint64_t samples = q->state ? q->state->samples : 0;
    uint64_t held = q->track ? q->track->held : 0, longest = q->track ? q->track->longest : 0;
    el_buf_text(out, "    when    ");
    el_show_node(rule->when, out);
    el_buf_print(out,
                 "\n            held in %" PRIu64 " of %" PRIu64 " samples, at most %" PRIu64
                 " in a row; needs ",
                 held, samples, longest);
    el_show_for(rule, out);
    tell_thresholds(q, rule->when, out);
    el_buf_char(out, '\n');
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

static void tell_rule(const struct el_question *q, struct el_buf *out) {
    static const char *const keys[EL_JUDGES] = { "if", "unless", "confirm" };
    const struct el_rule *rule = q->judge->rs->rule[q->rule];
    el_buf_print(out, "%s: %s\n", rule->section.name, reason(q, rule));
    if (rule->when)
        tell_when(q, rule, out);
    for (int k = 0; k < EL_JUDGES; k++)
        for (const struct el_condition *c = rule->judged[k]; c; c = c->next)
            tell_condition(q, keys[k], &c->formula, out);
}

void el_judge_why(const struct el_judge *j, const struct el_judge_facts *facts, uint32_t entity,
                  struct el_buf *out) {
    struct el_question q;
    for (uint32_t rule = 0; rule < j->rs->rules; rule++)
        if (el_ask(&q, j, facts, entity, rule))
            tell_rule(&q, out);
}
