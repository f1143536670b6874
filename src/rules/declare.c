/* The meaning of keys that hold words, numbers and patterns. */
#include "ruleset.h"

#include <assert.h>
#include <string.h>

#include "esxlat/base/num.h"

/* The lines of a key as one: the first; a second one is an error.  NULL without a value. */
static bool single(const struct el_section *section, enum el_key key, const struct el_line **out,
                   struct el_error *err) {
    const struct el_value_lines *lines = &section->key[key];
    *out = lines->count ? &lines->item[0] : NULL;
    if (lines->count < 2)
        return true;
    return el_fail_at(err, el_span_value(&lines->item[1]), NULL, "'%.*s' takes one line",
                      (int)lines->item[1].key.len, lines->item[1].key.ptr);
}

static bool fail_missing(const struct el_section *section, const char *what, struct el_error *err) {
    return el_fail_at(err, el_span_value(section->head), NULL, "'%s' has no %s", section->name,
                      what);
}

/* ---- thresholds ---- */

/* Units as they are written, in the order of enum el_unit. */
static const char *const units[] = {
    "number", "ms", "1/s", "MB/s", "KB", "count", "%", "ratio", "s"
};

static const char *unit_name(const void *ctx, size_t i) {
    (void)ctx;
    return units[i];
}

static bool read_unit(struct el_threshold *t, struct el_error *err) {
    const struct el_line *line;
    size_t count = sizeof units / sizeof *units;
    t->unit = EL_UNIT_NONE;
    if (!single(&t->section, EL_K_UNIT, &line, err))
        return false;
    if (!line)
        return true;
    for (size_t i = 0; i < count; i++) {
        if (!el_str_is(line->value, units[i]))
            continue;
        t->unit = (enum el_unit)i;
        return true;
    }
    return el_fail_unknown(err, el_span_value(line), "unit", line->value, count, unit_name, NULL);
}

bool el_declare_threshold(struct el_threshold *t, struct el_error *err) {
    bool any = false;
    for (int p = 0; p < EL_PROFILES; p++) {
        const struct el_line *line;
        if (!single(&t->section, (enum el_key)(EL_K_HDD + p), &line, err))
            return false;
        t->value[p] = line ? el_num_parse(line->value) : EL_NAN;
        if (line && el_missing(t->value[p]))
            return el_fail_at(err, el_span_value(line),
                              "a profile that is left out never reaches the threshold",
                              "expected a number");
        any = any || line;
        if (t->set)
            t->value[p] = t->set_value;
    }
    if (!any)
        return fail_missing(&t->section, "value for any profile (hdd, flash, nvme, nfs, vsan)",
                            err);
    return read_unit(t, err);
}

/* ---- vendors ---- */

static const char *profile_name(const void *ctx, size_t i) {
    (void)ctx;
    return el_profile_name((enum el_profile)i);
}

bool el_declare_vendor(struct el_vendor_section *v, struct el_arena *arena, struct el_error *err) {
    const struct el_line *name, *profile;
    v->vendor = (struct el_vendor){ .prefix = v->section.name, .profile = EL_AUTO };
    if (!single(&v->section, EL_K_NAME, &name, err) ||
        !single(&v->section, EL_K_PROFILE, &profile, err))
        return false;
    if (!name)
        return fail_missing(&v->section, "name", err);
    v->vendor.name = el_arena_text(arena, name->value.ptr, name->value.len);
    if (!profile || el_profile_find(profile->value, &v->vendor.profile))
        return true;
    return el_fail_unknown(err, el_span_value(profile), "profile", profile->value, EL_PROFILES,
                           profile_name, NULL);
}

/* ---- rules ---- */

/* The next word of a list separated by blanks and commas; empty at the end. */
static struct el_str next_word(struct el_str *rest) {
    size_t from = 0;
    if (rest->len == 0)
        return *rest;
    while (from < rest->len && strchr(" \t,", rest->ptr[from]))
        from++;
    size_t to = from;
    while (to < rest->len && !strchr(" \t,", rest->ptr[to]))
        to++;
    struct el_str word = { rest->ptr + from, to - from };
    if (from == rest->len)
        word = (struct el_str){ NULL, 0 };
    *rest = el_str_from(*rest, to);
    return word;
}

/* Calls `take` for every word of all lines of a key. */
static bool each_word(const struct el_value_lines *lines,
                      bool (*take)(void *ctx, struct el_span span), void *ctx) {
    for (size_t i = 0; i < lines->count; i++) {
        struct el_str rest = lines->item[i].value;
        for (struct el_str word; (word = next_word(&rest)).len > 0;)
            if (!take(ctx, el_span_of(&lines->item[i], word)))
                return false;
    }
    return true;
}

struct taking {
    const struct el_ruleset *rs;
    struct el_rule *rule;
    struct el_error *err;
};

static const char *kind_name(const void *ctx, size_t i) {
    (void)ctx;
    return el_kind_name((enum el_kind)i);
}

static bool take_kind(void *ctx, struct el_span span) {
    struct taking *t = ctx;
    enum el_kind kind = el_kind_find(el_span_text(span));
    if (kind == EL_KINDS)
        return el_fail_unknown(t->err, span, "kind", el_span_text(span), EL_KINDS, kind_name, NULL);
    t->rule->kinds |= EL_KIND_BIT(kind);
    return true;
}

static bool take_override(void *ctx, struct el_span span) {
    struct taking *t = ctx;
    uint32_t other = el_ruleset_rule_index(t->rs, el_span_text(span));
    if (other == UINT32_MAX)
        return el_fail_unknown(t->err, span, "rule", el_span_text(span), t->rs->rules,
                               el_ruleset_rule_id, t->rs);
    for (size_t i = 0; i < t->rule->overrides; i++)
        if (t->rule->override[i] == other)
            return true;
    assert(t->rule->overrides < t->rs->rules);
    t->rule->override[t->rule->overrides++] = other;
    return true;
}

static const char *layer_name(const void *ctx, size_t i) {
    (void)ctx;
    return el_layer_name((enum el_layer)i);
}

static const char *severity_name(const void *ctx, size_t i) {
    (void)ctx;
    return el_severity_name((enum el_severity)i);
}

/* One of `count` words. */
static bool choose(const struct el_section *section, enum el_key key, const char *what,
                   size_t count, const char *(*name)(const void *ctx, size_t i), unsigned *out,
                   struct el_error *err) {
    const struct el_line *line;
    if (!single(section, key, &line, err))
        return false;
    if (!line)
        return fail_missing(section, what, err);
    for (unsigned i = 0; i < count; i++) {
        if (!el_str_is(line->value, name(NULL, i)))
            continue;
        *out = i;
        return true;
    }
    return el_fail_unknown(err, el_span_value(line), what, line->value, count, name, NULL);
}

static bool read_match(struct el_rule *rule, struct el_arena *arena, struct el_error *err) {
    const struct el_line *line;
    struct el_error reason = { 0 };
    if (!single(&rule->section, EL_K_MATCH, &line, err))
        return false;
    if (!line)
        return true;
    rule->match = el_pattern_new(el_arena_text(arena, line->value.ptr, line->value.len), &reason);
    return rule->match || el_fail_at(err, el_span_value(line), NULL, "%s", reason.text);
}

/* "3 samples", "60 s", "2 min" */
static bool read_for(struct el_rule *rule, struct el_error *err) {
    static const struct {
        const char *word;
        int64_t ms;
    } words[] = {
        { "sample", 0 },
        { "samples", 0 },
        { "s", 1000 },
        { "min", 60000 },
    };
    const struct el_line *line;
    rule->for_samples = 1;
    rule->for_ms = 0;
    if (!single(&rule->section, EL_K_FOR, &line, err))
        return false;
    if (!line)
        return true;
    struct el_str rest = line->value;
    double number = el_num_parse(next_word(&rest));
    struct el_str word = next_word(&rest);
    for (size_t i = 0; i < sizeof words / sizeof *words && number > 0 && number <= 1e6; i++) {
        if (!el_str_is(word, words[i].word) || next_word(&rest).len)
            continue;
        bool whole = (double)(uint64_t)number >= number;
        if (words[i].ms)
            rule->for_ms = (int64_t)(number * (double)words[i].ms);
        else if (whole)
            rule->for_samples = (uint64_t)number;
        else
            break;
        return true;
    }
    return el_fail_at(err, el_span_value(line), NULL,
                      "expected such as '3 samples', '60 s' or '2 min', up to 1000000");
}

bool el_declare_rule(const struct el_ruleset *rs, struct el_rule *rule, struct el_arena *arena,
                     struct el_error *err) {
    const struct el_section *section = &rule->section;
    struct taking t = { rs, rule, err };
    unsigned layer = 0, severity = 0;
    rule->override = el_arena_alloc(arena, (rs->rules + 1) * sizeof *rule->override);
    if (!each_word(&section->key[EL_K_ON], take_kind, &t) ||
        !each_word(&section->key[EL_K_OVERRIDES], take_override, &t))
        return false;
    if (!rule->kinds)
        return fail_missing(section, "kind ('on = ...')", err);
    if (!choose(section, EL_K_LAYER, "layer", EL_UNKNOWN, layer_name, &layer, err) ||
        !choose(section, EL_K_SEVERITY, "severity", 3, severity_name, &severity, err))
        return false;
    rule->layer = (enum el_layer)layer;
    rule->severity = (enum el_severity)severity;
    if (!section->key[EL_K_TITLE].count)
        return fail_missing(section, "title", err);
    if (!section->key[EL_K_WHEN].count && !section->key[EL_K_IF].count)
        return fail_missing(section, "condition ('when' or 'if')", err);
    return read_match(rule, arena, err) && read_for(rule, err);
}
