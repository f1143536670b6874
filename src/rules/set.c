/* The set itself: life cycle, look-ups, --set. */
#include "ruleset.h"

#include <assert.h>
#include <string.h>

#include "esxlat/base/num.h"

uint32_t el_ruleset_rule_index(const struct el_ruleset *rs, struct el_str id) {
    for (size_t i = 0; i < rs->rules; i++)
        if (el_str_is(id, rs->rule[i]->section.name))
            return (uint32_t)i;
    return UINT32_MAX;
}

uint32_t el_ruleset_threshold_index(const struct el_ruleset *rs, struct el_str name) {
    for (size_t i = 0; i < rs->thresholds; i++)
        if (el_str_is(name, rs->threshold[i]->section.name))
            return (uint32_t)i;
    return UINT32_MAX;
}

uint32_t el_ruleset_vendor_index(const struct el_ruleset *rs, struct el_str prefix) {
    for (size_t i = 0; i < rs->vendors; i++)
        if (el_str_is(prefix, rs->vendor[i]->section.name))
            return (uint32_t)i;
    return UINT32_MAX;
}

const char *el_ruleset_rule_id(const void *rs, size_t i) {
    return ((const struct el_ruleset *)rs)->rule[i]->section.name;
}

const char *el_ruleset_threshold_name(const void *rs, size_t i) {
    return ((const struct el_ruleset *)rs)->threshold[i]->section.name;
}

/* ---- life cycle ---- */

struct el_ruleset *el_ruleset_new(void) {
    return el_calloc(1, sizeof(struct el_ruleset));
}

void el_section_release(struct el_section *section) {
    for (int k = 0; k < EL_KEYS; k++)
        el_free(section->key[k].item);
    memset(section->key, 0, sizeof section->key);
}

static void free_rule(struct el_rule *rule) {
    el_section_release(&rule->section);
    el_pattern_free(rule->match);
    el_free(rule->measure);
    el_free(rule->depends);
    el_free(rule);
}

void el_ruleset_free(struct el_ruleset *rs) {
    if (!rs)
        return;
    for (size_t i = 0; i < rs->rules; i++)
        free_rule(rs->rule[i]);
    for (size_t i = 0; i < rs->thresholds; i++) {
        el_section_release(&rs->threshold[i]->section);
        el_free(rs->threshold[i]);
    }
    for (size_t i = 0; i < rs->vendors; i++) {
        el_section_release(&rs->vendor[i]->section);
        el_free(rs->vendor[i]);
    }
    el_free(rs->rule);
    el_free(rs->threshold);
    el_free(rs->vendor);
    el_free(rs->measure);
    el_plan_release(rs);
    el_arena_release(&rs->arena);
    el_free(rs);
}

/* ---- rules ---- */

size_t el_ruleset_count(const struct el_ruleset *rs) {
    return rs->rules;
}

const struct el_rule *el_ruleset_rule(const struct el_ruleset *rs, size_t i) {
    assert(i < rs->rules);
    return rs->rule[i];
}

const struct el_rule *el_ruleset_find(const struct el_ruleset *rs, struct el_str id) {
    uint32_t at = el_ruleset_rule_index(rs, id);
    return at == UINT32_MAX ? NULL : rs->rule[at];
}

const char *el_rule_id(const struct el_rule *r) {
    return r->section.name;
}

enum el_layer el_rule_layer(const struct el_rule *r) {
    return r->layer;
}

enum el_severity el_rule_severity(const struct el_rule *r) {
    return r->severity;
}

unsigned el_rule_kinds(const struct el_rule *r) {
    return r->kinds;
}

bool el_ruleset_needs(const struct el_ruleset *rs, enum el_kind kind, enum el_metric metric) {
    assert(rs->compiled && kind < EL_KINDS && metric < EL_METRICS);
    return rs->plan[kind].needs[metric];
}

/* ---- thresholds and vendors ---- */

double el_ruleset_threshold(const struct el_ruleset *rs, const char *name, enum el_profile p) {
    uint32_t at = el_ruleset_threshold_index(rs, el_str(name));
    return at == UINT32_MAX || p >= EL_PROFILES ? EL_NAN : rs->threshold[at]->value[p];
}

uint32_t el_ruleset_vendor_of(const struct el_ruleset *rs, struct el_str device) {
    uint32_t best = UINT32_MAX;
    size_t longest = 0;
    for (size_t i = 0; i < rs->vendors; i++) {
        const char *prefix = rs->vendor[i]->section.name;
        size_t length = strlen(prefix);
        if (length <= longest || !el_str_starts(device, prefix))
            continue;
        best = (uint32_t)i;
        longest = length;
    }
    return best;
}

const struct el_vendor *el_ruleset_vendor(const struct el_ruleset *rs, struct el_str device) {
    uint32_t at = el_ruleset_vendor_of(rs, device);
    return at == UINT32_MAX ? NULL : &rs->vendor[at]->vendor;
}

bool el_ruleset_set(struct el_ruleset *rs, const char *assignment, struct el_error *err) {
    struct el_str name = el_str(assignment), value = { NULL, 0 };
    const char *sign = strchr(assignment, '=');
    char shown[EL_WORD_ROOM];
    assert(!rs->compiled);
    if (!sign)
        return el_fail(err, EL_USAGE, "expected NAME=VALUE instead of '%s'",
                       el_word_text(name, shown));
    name = el_str_trim((struct el_str){ assignment, (size_t)(sign - assignment) });
    value = el_str_trim(el_str(sign + 1));
    uint32_t at = el_ruleset_threshold_index(rs, name);
    (void)el_word_text(name, shown);
    if (at == UINT32_MAX) {
        const char *near = name.len <= EL_NAME_BYTES
                               ? el_nearest(shown, rs->thresholds, el_ruleset_threshold_name, rs)
                               : NULL;
        if (near)
            return el_fail(err, EL_USAGE, "unknown threshold '%s', did you mean '%s'?", shown,
                           near);
        return el_fail(err, EL_USAGE, "unknown threshold '%s'", shown);
    }
    double number = el_num_parse(value);
    if (el_missing(number))
        return el_fail(err, EL_USAGE, "threshold '%s' needs a number", shown);
    rs->threshold[at]->set = true;
    rs->threshold[at]->set_value = number;
    return true;
}

/* ---- sources ---- */

static bool has_source(const struct el_section *section, struct el_error *err) {
    if (section->key[EL_K_SOURCE].count)
        return true;
    return el_fail_at(err, el_span_value(section->head),
                      "who published it, or why it is so: source = NAME, ADDRESS",
                      "'%s' has no source", section->name);
}

bool el_ruleset_sourced(const struct el_ruleset *rs, struct el_error *err) {
    for (size_t i = 0; i < rs->rules; i++)
        if (!has_source(&rs->rule[i]->section, err))
            return false;
    for (size_t i = 0; i < rs->thresholds; i++)
        if (!has_source(&rs->threshold[i]->section, err))
            return false;
    return true;
}
