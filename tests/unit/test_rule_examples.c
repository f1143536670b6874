#include "test_rule_examples.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "esxlat/base/num.h"

#define FOLDER "tests/rules"

static const char *const label_names[EXAMPLE_LABELS] = { "lun", "adapter", "vm", "vendor", "host" };

static struct examples all;
static struct el_arena texts;

/* ---- reading ---- */

static struct el_str next_word(struct el_str *rest) {
    *rest = el_str_trim(*rest);
    size_t n = 0;
    bool quoted = rest->len && rest->ptr[0] == '"';
    for (; n < rest->len && (quoted || (rest->ptr[n] != ' ' && rest->ptr[n] != '\t')); n++)
        if (n && rest->ptr[n] == '"' && quoted) {
            struct el_str word = { rest->ptr + 1, n - 1 };
            *rest = el_str_from(*rest, n + 1);
            return word;
        }
    struct el_str word = { rest->ptr, n };
    *rest = el_str_from(*rest, n);
    return word;
}

static bool bad(const struct example *at, unsigned line, const char *what, struct el_str word) {
    return el_fail(&all.trouble, EL_RULES, "%s:%u: %s '%.*s'", at->file, line, what, (int)word.len,
                   word.ptr ? word.ptr : "");
}

/* [RULE-ID] fires [low|medium|high] [: WHY], silent, folded RULE-ID */
static bool read_head(struct example *x, struct el_str line) {
    const char *end = memchr(line.ptr, ']', line.len);
    if (!end)
        return bad(x, x->line, "no ']' in", line);
    x->rule = (struct el_str){ line.ptr + 1, (size_t)(end - line.ptr) - 1 };
    struct el_str rest = el_str_from(line, (size_t)(end - line.ptr) + 1);
    const char *colon = rest.len ? memchr(rest.ptr, ':', rest.len) : NULL;
    if (colon) {
        x->why = el_str_trim(el_str_from(rest, (size_t)(colon - rest.ptr) + 1));
        rest.len = (size_t)(colon - rest.ptr);
    }
    struct el_str word = next_word(&rest), more = next_word(&rest);
    x->confidence = -1;
    x->verdict = el_str_is(word, "fires") ? FIRES : el_str_is(word, "folded") ? FOLDED : SILENT;
    if (x->verdict == SILENT && !el_str_is(word, "silent"))
        return bad(x, x->line, "expected fires, silent or folded instead of", word);
    if (x->verdict == FOLDED)
        x->folded_into = more;
    for (int c = EL_LOW; more.len && x->verdict == FIRES && c <= EL_HIGH; c++)
        if (el_str_is(more, el_confidence_name((enum el_confidence)c)))
            x->confidence = c;
    if (more.len && x->verdict == FIRES && x->confidence < 0)
        return bad(x, x->line, "no confidence", more);
    return true;
}

static bool read_label(struct example_entity *e, struct el_str word) {
    const char *sign = memchr(word.ptr, '=', word.len);
    if (!sign)
        return false;
    struct el_str key = { word.ptr, (size_t)(sign - word.ptr) };
    struct el_str value = el_str_from(word, key.len + 1);
    if (el_str_is(key, "profile"))
        return el_profile_find(value, &e->profile) && e->profile != EL_AUTO;
    for (int i = 0; i < EXAMPLE_LABELS; i++)
        if (el_str_is(key, label_names[i])) {
            e->label[i] = value;
            return true;
        }
    return false;
}

/* KIND NAME [key=value ...] */
static bool read_entity(struct example *x, unsigned number, enum el_kind kind, struct el_str rest) {
    if (x->entities == EXAMPLE_ENTITIES)
        return bad(x, number, "too many entities before", rest);
    struct example_entity *e = &x->entity[x->entities++];
    e->kind = kind;
    e->name = next_word(&rest);
    e->now = 1767225600000; /* 2026-01-01 */
    if (!e->name.len)
        return bad(x, number, "an entity needs a name", rest);
    for (struct el_str word; (word = next_word(&rest)).len;)
        if (!read_label(e, word))
            return bad(x, number, "no key of an entity, or no such value:", word);
    return true;
}

/* ---- derived metrics (the table of the README) ---- */

struct row {
    double value[EL_METRICS];
    bool given[EL_METRICS];
};

static void derive(struct row *r, enum el_metric metric, double value) {
    if (!r->given[metric] && el_missing(r->value[metric]))
        r->value[metric] = value;
}

static double over(double a, double b) {
    return b > 0 ? a / b : EL_NAN;
}

static double or_zero(double value) {
    return el_missing(value) ? 0 : value;
}

#define V(name)             r->value[EL_M_##name]
#define DERIVE(name, value) derive(r, EL_M_##name, value)

static void derive_rates(struct row *r) {
    DERIVE(seconds, 5);
    if (el_missing(V(cmds)) && (r->given[EL_M_reads] || r->given[EL_M_writes]))
        DERIVE(cmds, or_zero(V(reads)) + or_zero(V(writes)));
    if (!r->given[EL_M_reads] && !r->given[EL_M_writes]) {
        DERIVE(reads, V(cmds) / 2);
        DERIVE(writes, V(cmds) / 2);
    }
    DERIVE(reads, V(cmds) - V(writes));
    DERIVE(writes, V(cmds) - V(reads));
    DERIVE(commands, V(cmds) * V(seconds));
    DERIVE(other, V(cmds) - V(reads) - V(writes));
    DERIVE(mb, or_zero(V(mb_rd)) + or_zero(V(mb_wr)));
    if (!r->given[EL_M_mb] && el_missing(V(mb_rd)) && el_missing(V(mb_wr)))
        V(mb) = EL_NAN;
    DERIVE(io_kb, over(1024 * V(mb), V(reads) + V(writes)));
    DERIVE(size_kb, or_zero(V(io_kb)));
    DERIVE(ios, V(reads) + V(writes));
    DERIVE(vaai,
           or_zero(V(clone_rd)) + or_zero(V(clone_wr)) + or_zero(V(zero)) + or_zero(V(delete)));
    if (!r->given[EL_M_vaai] && !r->given[EL_M_clone_rd] && !r->given[EL_M_clone_wr] &&
        !r->given[EL_M_zero] && !r->given[EL_M_delete])
        V(vaai) = EL_NAN;
}

static void derive_latencies(struct row *r, enum el_kind kind) {
    bool is_virtual = kind == EL_VM || kind == EL_VDISK;
    DERIVE(gavg, V(davg) + V(kavg));
    DERIVE(gavg_rd, V(davg_rd) + V(kavg_rd));
    DERIVE(gavg_wr, V(davg_wr) + V(kavg_wr));
    DERIVE(davg_rw, V(davg));
    DERIVE(kavg_rw, V(kavg));
    DERIVE(gavg_rw, V(gavg));
    DERIVE(kshare, over(V(kavg), V(gavg)));
    DERIVE(lat,
           over(or_zero(V(reads)) * or_zero(V(lat_rd)) + or_zero(V(writes)) * or_zero(V(lat_wr)),
                or_zero(V(reads)) + or_zero(V(writes))));
    if (!r->given[EL_M_lat] && el_missing(V(lat_rd)) && el_missing(V(lat_wr)))
        V(lat) = EL_NAN;
    DERIVE(lat_rd, V(lat));
    DERIVE(lat_wr, V(lat));
    DERIVE(inflight, V(cmds) * (is_virtual ? V(lat) : V(davg)) / 1000);
    DERIVE(inkernel, V(cmds) * V(kavg) / 1000);
    DERIVE(load, over(V(actv) + V(qued), V(dqlen)));
    DERIVE(usd, over(100 * V(actv), V(dqlen)));
    DERIVE(lun_gavg, V(lun_davg) + V(lun_kavg));
    DERIVE(above, V(lat) - V(lun_gavg));
}

/* ---- samples ---- */

static void add_row(struct example_entity *e, const struct row *r) {
    size_t rows = e->rows;
    memcpy(EL_PUSH(e->value, rows, e->value_room), r->value, sizeof r->value);
    rows = e->rows;
    *EL_PUSH(e->from, rows, e->from_room) = e->now;
    e->now += (int64_t)(r->value[EL_M_seconds] * 1000);
    *EL_PUSH(e->to, e->rows, e->to_room) = e->now;
}

static bool read_metric(struct row *r, struct el_str word) {
    const char *sign = memchr(word.ptr, '=', word.len);
    if (!sign)
        return false;
    size_t length = (size_t)(sign - word.ptr);
    enum el_metric metric = el_metric_find((struct el_str){ word.ptr, length });
    struct el_str value = el_str_from(word, length + 1);
    if (metric == EL_METRICS)
        return false;
    r->given[metric] = true;
    r->value[metric] = el_num_parse(value);
    return el_str_is(value, "-") || !el_missing(r->value[metric]);
}

/* METRIC=VALUE ... [xN] | gap=SECONDS */
static bool read_sample(struct example *x, unsigned number, struct el_str rest) {
    struct example_entity *e = &x->entity[x->entities - 1];
    struct row r;
    double times = 1;
    for (size_t m = 0; m < EL_METRICS; m++) {
        r.given[m] = false;
        r.value[m] = EL_NAN;
    }
    if (el_str_starts(rest, "gap=")) {
        double seconds = el_num_parse(el_str_from(rest, 4));
        e->now += seconds > 0 ? (int64_t)(seconds * 1000) : 0;
        return seconds > 0 || bad(x, number, "no gap", rest);
    }
    for (struct el_str word; (word = next_word(&rest)).len;) {
        bool repeat =
            word.ptr[0] == 'x' && word.len > 1 && word.ptr[1] >= '1' && word.ptr[1] <= '9';
        if (repeat)
            times = el_num_parse(el_str_from(word, 1));
        if (repeat ? !(times >= 1 && times <= 1e5) : !read_metric(&r, word))
            return bad(x, number, "no METRIC=NUMBER or xN:", word);
    }
    derive_rates(&r);
    derive_latencies(&r, e->kind);
    for (size_t i = 0; i < (size_t)times; i++)
        add_row(e, &r);
    return true;
}

static bool read_line(const char *file, unsigned number, struct el_str line) {
    struct example *x = all.count ? all.item[all.count - 1] : NULL;
    if (line.ptr[0] == '[') {
        x = el_calloc(1, sizeof *x);
        *EL_PUSH(all.item, all.count, all.room) = x;
        x->file = file;
        x->line = number;
        return read_head(x, line);
    }
    if (!x || x->file != file)
        return el_fail(&all.trouble, EL_RULES, "%s:%u: expected [RULE-ID]", file, number);
    struct el_str rest = line;
    enum el_kind kind = el_kind_find(next_word(&rest));
    if (kind != EL_KINDS)
        return read_entity(x, number, kind, rest);
    return x->entities ? read_sample(x, number, line)
                       : bad(x, number, "expected KIND NAME instead of", line);
}

static bool read_text(const char *file, struct el_str text) {
    for (unsigned number = 1; text.len; number++) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t length = end ? (size_t)(end - text.ptr) : text.len;
        struct el_str line = el_str_trim((struct el_str){ text.ptr, length });
        text = el_str_from(text, length + 1);
        if (line.len && line.ptr[0] != '#' && !read_line(file, number, line))
            return false;
    }
    return true;
}

static bool read_file(const char *name) {
    const char *path = el_arena_print(&texts, "%s/%s", FOLDER, name);
    struct el_buf text = { 0 };
    char piece[4096];
    size_t n;
    FILE *file = fopen(path, "rb");
    if (!file)
        return el_fail(&all.trouble, EL_SYSTEM, "cannot open '%s'", path);
    while ((n = fread(piece, 1, sizeof piece, file)) > 0)
        el_buf_add(&text, piece, n);
    (void)fclose(file);
    struct el_str kept = { el_arena_text(&texts, text.ptr ? text.ptr : "", text.len), text.len };
    el_buf_release(&text);
    return read_text(path, kept);
}

static int only_tests(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".test") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_all(void) {
    struct dirent **entry = NULL;
    all.rules = el_ruleset_new();
    if (!el_ruleset_load(all.rules, "rules", &all.trouble) ||
        !el_ruleset_compile(all.rules, &all.trouble))
        return;
    int files = scandir(FOLDER, &entry, only_tests, by_name);
    if (files <= 0)
        (void)el_fail(&all.trouble, EL_SYSTEM, "no *.test in '%s'", FOLDER);
    for (int i = 0; i < files; i++) {
        if (all.trouble.status == EL_OK)
            (void)read_file(entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
}

const struct examples *examples(void) {
    if (!all.rules)
        read_all();
    return &all;
}

/* ---- facts ---- */

static enum el_kind fact_kind(const void *ctx, uint32_t entity) {
    return ((const struct example *)ctx)->entity[entity].kind;
}

static enum el_profile fact_profile(const void *ctx, uint32_t entity) {
    return ((const struct example *)ctx)->entity[entity].profile;
}

static double fact_commands(const void *ctx, uint32_t entity) {
    const struct example_entity *e = &((const struct example *)ctx)->entity[entity];
    double sum = 0;
    for (size_t i = 0; i < e->rows; i++)
        sum += or_zero(e->value[i][EL_M_commands]);
    return sum;
}

static bool fact_related(const void *ctx, uint32_t group, uint32_t member) {
    (void)ctx;
    return group != member;
}

static const uint32_t *fact_among(const void *ctx, uint32_t entity, enum el_kind kind,
                                  size_t *count) {
    static uint32_t every[1000];
    (void)entity, (void)kind;
    *count = ((const struct example *)ctx)->entities;
    ck_assert_uint_le(*count, sizeof every / sizeof *every);
    for (uint32_t i = 0; i < *count; i++)
        every[i] = i;
    return every;
}

static struct el_str fact_label(const void *ctx, uint32_t entity, const char *what) {
    const struct example_entity *e = &((const struct example *)ctx)->entity[entity];
    if (strcmp(what, "name") == 0)
        return e->name;
    for (int i = 0; i < EXAMPLE_LABELS; i++)
        if (strcmp(what, label_names[i]) == 0 && e->label[i].len)
            return e->label[i];
    return strcmp(what, el_kind_name(e->kind)) == 0 ? e->name : (struct el_str){ NULL, 0 };
}

/* ---- judging ---- */

/* Columns from rows; a metric that no row has stays NULL. */
static void give_samples(struct el_judge *judge, struct el_arena *arena, uint32_t number,
                         const struct example_entity *e) {
    struct el_samples s = { .rows = e->rows, .from = e->from, .to = e->to };
    double *cells = el_calloc(e->rows * EL_METRICS, sizeof *cells);
    for (size_t m = 0; m < EL_METRICS; m++) {
        double *column = cells + m * e->rows;
        bool any = false;
        for (size_t i = 0; i < e->rows; i++) {
            column[i] = e->value[i][m];
            any = any || !el_missing(column[i]);
        }
        s.column[m] = any ? column : NULL;
    }
    el_judge_samples(judge, arena, number, e->kind, e->name, 1u << e->profile, &s);
    el_free(cells);
}

static const struct el_hit *find_hit(const struct el_hits *hits, struct el_str rule,
                                     uint32_t entity) {
    for (size_t i = 0; i < hits->count; i++)
        if (hits->item[i].entity == entity && el_str_is(rule, el_rule_id(hits->item[i].rule)))
            return &hits->item[i];
    return NULL;
}

/* NULL: as the case says. */
static const char *judge_hit(const struct example *x, const struct el_hits *hits) {
    const struct el_hit *hit = find_hit(hits, x->rule, 0);
    if (!hit)
        return x->verdict == SILENT ? NULL : "it stays silent";
    if (x->verdict == SILENT)
        return "it fires";
    if (x->confidence >= 0 && x->confidence != (int)hit->confidence)
        return hit->confidence == EL_LOW    ? "its confidence is low"
               : hit->confidence == EL_HIGH ? "its confidence is high"
                                            : "its confidence is medium";
    if (x->verdict == FIRES)
        return NULL;
    if (hit->folded_into == UINT32_MAX)
        return "it is not folded";
    const char *into = el_rule_id(hits->item[hit->folded_into].rule);
    return el_str_is(x->folded_into, into) ? NULL : "it is folded into another rule";
}

const char *example_run(const struct el_ruleset *rules, const struct example *x,
                        struct el_buf *why) {
    struct el_judge_facts facts = { x->entities,  fact_kind,  fact_profile, fact_commands,
                                    fact_related, fact_among, fact_label,   x };
    struct el_judge *judge = el_judge_new(rules);
    struct el_arena arena = { 0 };
    struct el_hits hits;
    el_judge_reserve(judge, x->entities);
    for (uint32_t i = 0; i < x->entities; i++)
        if (x->entity[i].rows)
            give_samples(judge, &arena, i, &x->entity[i]);
    el_judge_finish(judge, &facts, &arena, &hits);
    const char *wrong = judge_hit(x, &hits);
    if (why)
        el_judge_why(judge, &facts, 0, why);
    el_arena_release(&arena);
    el_judge_free(judge);
    return wrong;
}
