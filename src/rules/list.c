/* Texts of `esxlat rules list`, `explain` and `metrics`. */
#include "show.h"

#include <stdio.h>
#include <string.h>

#include "esxlat/base/num.h"

/* ---- list ---- */

static int longest_id(const struct el_ruleset *rs) {
    size_t longest = 4;
    for (size_t i = 0; i < rs->rules; i++)
        if (strlen(rs->rule[i]->section.name) > longest)
            longest = strlen(rs->rule[i]->section.name);
    return (int)longest;
}

/* The title as it is written: there is nothing yet to put between its braces. */
static void show_title(const struct el_rule *rule, size_t column, size_t indent,
                       struct el_buf *out) {
    struct el_buf title = { 0 };
    const struct el_value_lines *lines = &rule->section.key[EL_K_TITLE];
    for (size_t i = 0; i < lines->count; i++) {
        el_buf_add(&title, lines->item[i].value.ptr, lines->item[i].value.len);
        el_buf_char(&title, ' ');
    }
    el_show_wrapped((struct el_str){ title.ptr, title.len }, column, indent, out);
    el_buf_release(&title);
}

void el_rules_list(const struct el_ruleset *rs, struct el_buf *out) {
    int width = longest_id(rs);
    el_buf_print(out, "%-*s  %-8s  %-8s  ON\n", width, "RULE", "SEVERITY", "LAYER");
    for (size_t i = 0; i < rs->rules; i++) {
        const struct el_rule *rule = rs->rule[i];
        el_buf_print(out, "%-*s  %-8s  %-8s  ", width, rule->section.name,
                     el_severity_name(rule->severity), el_layer_name(rule->layer));
        el_show_kinds(rule->kinds, out);
        el_buf_text(out, "\n    ");
        show_title(rule, 4, 4, out);
        el_buf_char(out, '\n');
    }
}

/* ---- explain ---- */

#define LABEL 12 /* columns of the keys */

static void show_lines(const struct el_value_lines *lines, const char *label, struct el_buf *out) {
    for (size_t i = 0; i < lines->count; i++) {
        el_buf_print(out, "%-*s", LABEL, i ? "" : label);
        el_show_wrapped(lines->item[i].value, LABEL, LABEL, out);
        el_buf_char(out, '\n');
    }
}

/* "NAME: hdd 15 flash 2 ms" */
static void show_threshold(const struct el_threshold *t, struct el_buf *out) {
    const char *unit = el_unit_name(t->unit);
    el_buf_print(out, "%s:", t->section.name);
    for (int p = 0; p < EL_PROFILES; p++)
        if (!el_missing(t->value[p]))
            el_buf_print(out, " %s %g", el_profile_name((enum el_profile)p), t->value[p]);
    el_buf_print(out, "%s%s\n", *unit ? " " : "", unit);
}

static bool names_threshold(const struct el_node *node, unsigned threshold) {
    if (!node)
        return false;
    if (node->kind == EL_N_THRESHOLD && node->index == threshold)
        return true;
    return names_threshold(node->left, threshold) || names_threshold(node->right, threshold);
}

static bool uses_threshold(const struct el_rule *rule, unsigned threshold) {
    bool uses = names_threshold(rule->when, threshold);
    for (int k = 0; k < EL_JUDGES; k++)
        for (const struct el_condition *c = rule->judged[k]; c; c = c->next)
            uses = uses || names_threshold(c->formula.root, threshold);
    return uses;
}

/* A line for each threshold that any of the rule's conditions names. */
static void show_thresholds(const struct el_ruleset *rs, const struct el_rule *rule,
                            struct el_buf *out) {
    const char *label = "thresholds";
    for (unsigned i = 0; i < rs->thresholds; i++) {
        if (!uses_threshold(rule, i))
            continue;
        el_buf_print(out, "%-*s", LABEL, label);
        show_threshold(rs->threshold[i], out);
        label = "";
    }
}

static void show_head(const struct el_rule *rule, struct el_buf *out) {
    el_buf_print(out, "%s\n    ", rule->section.name);
    show_title(rule, 4, 4, out);
    el_buf_print(out, "\n\n%-*s", LABEL, "on");
    el_show_kinds(rule->kinds, out);
    el_buf_print(out, "\n%-*s%s\n%-*s%s\n", LABEL, "layer", el_layer_name(rule->layer), LABEL,
                 "severity", el_severity_name(rule->severity));
    if (!rule->when)
        return;
    el_buf_print(out, "%-*s", LABEL, "for");
    el_show_for(rule, out);
    el_buf_char(out, '\n');
}

bool el_rules_explain(const struct el_ruleset *rs, const char *id, struct el_buf *out,
                      struct el_error *err) {
    static const struct {
        enum el_key key;
        const char *label;
    } shown[] = {
        { EL_K_MATCH, "match" },     { EL_K_WHEN, "when" },       { EL_K_IF, "if" },
        { EL_K_UNLESS, "unless" },   { EL_K_CONFIRM, "confirm" }, { EL_K_OVERRIDES, "overrides" },
        { EL_K_BECAUSE, "because" }, { EL_K_CHECK, "check" },     { EL_K_DO, "do" },
        { EL_K_ALSO, "also" },       { EL_K_SEE, "see" },         { EL_K_SOURCE, "source" },
    };
    const struct el_rule *rule = el_ruleset_find(rs, el_str(id));
    if (!rule) {
        char word[EL_WORD_ROOM];
        (void)el_word_text(el_str(id), word);
        const char *near =
            strlen(id) <= EL_NAME_BYTES ? el_nearest(id, rs->rules, el_ruleset_rule_id, rs) : NULL;
        if (near)
            return el_fail(err, EL_USAGE, "unknown rule '%s', did you mean '%s'?", word, near);
        return el_fail(err, EL_USAGE, "unknown rule '%s'; 'esxlat rules' lists them", word);
    }
    show_head(rule, out);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        show_lines(&rule->section.key[shown[i].key], shown[i].label, out);
    if (rs->compiled)
        show_thresholds(rs, rule, out);
    el_buf_print(out, "%-*s%s:%u\n", LABEL, "file", rule->section.head->file,
                 rule->section.head->number);
    return true;
}

/* ---- metrics ---- */

#define NAME 18 /* columns of names */

static void show_metric(const struct el_metric_info *info, struct el_buf *out) {
    char name[32];
    const char *unit = el_unit_name(info->unit);
    (void)snprintf(name, sizeof name, "%s%s%s%s", info->name, *unit ? " (" : "", unit,
                   *unit ? ")" : "");
    el_buf_print(out, "%-*s", NAME, name);
    struct el_buf text = { 0 };
    el_buf_print(&text, "%s [", info->help);
    el_show_kinds(info->kinds, &text);
    el_buf_char(&text, ']');
    el_show_wrapped((struct el_str){ text.ptr, text.len }, NAME, NAME, out);
    el_buf_release(&text);
    el_buf_char(out, '\n');
}

static void show_functions(struct el_buf *out) {
    for (size_t i = 0; i < el_function_count(); i++) {
        el_buf_print(out, "%-*s", NAME, el_function(i)->usage);
        el_show_wrapped(el_str(el_function(i)->help), NAME, NAME, out);
        el_buf_char(out, '\n');
    }
}

static void show_help(const struct el_threshold *t, struct el_buf *out) {
    show_threshold(t, out);
    for (size_t i = 0; i < t->section.key[EL_K_HELP].count; i++) {
        el_buf_print(out, "%-*s", 4, "");
        el_show_wrapped(t->section.key[EL_K_HELP].item[i].value, 4, 4, out);
        el_buf_char(out, '\n');
    }
}

void el_rules_metrics(const struct el_ruleset *rs, struct el_buf *out) {
    el_buf_text(out, "Metrics (unit) and the kinds that have them\n\n");
    for (int m = 0; m < EL_METRICS; m++)
        show_metric(el_metric_info((enum el_metric)m), out);
    el_buf_text(out, "\nFunctions: X, A, B are numbers, C is a condition\n\n");
    show_functions(out);
    if (rs->thresholds)
        el_buf_text(out, "\nThresholds by profile\n\n");
    for (size_t i = 0; i < rs->thresholds; i++)
        show_help(rs->threshold[i], out);
}
