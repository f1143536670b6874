/* One answer, whatever the way: the JSON is the same bytes for every reader, number of threads and chunk size, from
 * memory and from a file (which several threads read in pieces).
 *
 * SAME_ROUNDS=1000 takes as many mutated captures (default 40); SAME_FILES="a.csv b.csv.gz" takes files as well. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "esxlat/app/analyse.h"
#include "esxlat/report/report.h"

/* xorshift64*: the same captures in every run. */
static uint64_t state;
static unsigned below(unsigned n) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (unsigned)((state * UINT64_C(2685821657736338717)) >> 33) % n;
}

static void put_header(struct el_buf *b, unsigned luns) {
    static const char *const counters[] = { "Device Q Depth",
                                            "Active Commands",
                                            "Queued Commands",
                                            "Commands/sec",
                                            "Reads/sec",
                                            "Writes/sec",
                                            "MBytes Read/sec",
                                            "MBytes Written/sec",
                                            "Average Driver MilliSec/Command",
                                            "Average Kernel MilliSec/Command",
                                            "Average Guest MilliSec/Command",
                                            "Average Queue MilliSec/Command" };
    el_buf_text(b, "\"(PDH-CSV 4.0) (UTC)(0)\"");
    for (unsigned l = 0; l < luns; l++)
        for (size_t k = 0; k < sizeof counters / sizeof *counters; k++)
            el_buf_print(b, ",\"\\\\esx1\\Physical Disk SCSI Device(naa.6%03u)\\%s\"", l,
                         counters[k]);
    for (unsigned l = 0; l < luns; l++)
        el_buf_print(
            b, ",\"\\\\esx1\\Physical Disk Per-Device-Per-World(naa.6%03u-%u)\\Commands/sec\"", l,
            100 + l);
    el_buf_text(b, "\n");
}

static void put_row(struct el_buf *b, unsigned luns, unsigned second, double slow) {
    el_buf_print(b, "\"11/30/2026 %02u:%02u:%02u\"", 9 + second / 3600, second / 60 % 60,
                 second % 60);
    for (unsigned l = 0; l < luns; l++) {
        double d = l == 1 ? slow : 1 + below(300) / 100.0, k = below(20) / 100.0;
        el_buf_print(b,
                     ",\"64\",\"%u\",\"0\",\"%.2f\",\"%.2f\",\"%.2f\",\"0.40\",\"0.40\",\"%.2f\","
                     "\"%.2f\",\"%.2f\",\"0.00\"",
                     below(9), 100.0, 60.0, 40.0, d, k, d + k);
    }
    for (unsigned l = 0; l < luns; l++)
        el_buf_text(b, ",\"100.00\"");
    el_buf_text(b, "\n");
}

static void put_run(struct el_buf *b) {
    unsigned luns = 1 + below(4), rows = 2 + below(90);
    put_header(b, luns);
    for (unsigned i = 0; i < rows; i++)
        put_row(b, luns, 5 * i, i > rows / 2 ? 60 : 4);
}

/* One run or more, of different columns. */
static void put_capture(struct el_buf *b) {
    do
        put_run(b);
    while (below(3) == 0);
}

/* Damage that the wild knows: bytes changed, lost, doubled; lines lost, doubled, cut; odd pieces put in. */
static void mutate(struct el_buf *b) {
    static const char *const pieces[] = { "\"",
                                          "\n",
                                          "\r\n",
                                          ",",
                                          "\"\"",
                                          "nan",
                                          " ",
                                          "\"a\nb\"",
                                          "junk\n",
                                          ",\"",
                                          "\",",
                                          "\"11/30/2026 09:00:00\",\"1\"\n",
                                          "\"(PDH-CSV 4.0) (UTC)(0)\",\"x\"\n",
                                          "\r",
                                          "-",
                                          "1e9",
                                          "\t\"",
                                          "\xff",
                                          "",
                                          ",    73.1\"8.93\"" };
    for (unsigned n = below(6); n > 0 && b->len > 10; n--) {
        size_t at = below((unsigned)b->len), length = below(3) ? below(4) : below(400);
        const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
        struct el_buf out = { 0 };
        el_buf_add(&out, b->ptr, at);
        el_buf_text(&out, piece);
        size_t from =
            below(4) ? at + length : at - (at < length ? at : length); /* cut out, or repeat */
        if (from < b->len)
            el_buf_add(&out, b->ptr + from, b->len - from);
        el_buf_release(b);
        *b = out;
    }
}

/* The report as JSON, or the failure as text; from the file `name` if no bytes are given. */
static void answer(struct el_str bytes, const char *name, const struct el_ruleset *rules,
                   const struct el_options *way, struct el_buf *out) {
    struct el_options o = *way;
    struct el_report report;
    struct el_error err = { .status = EL_OK };
    o.file = &name;
    o.files = 1;
    o.rules = rules;
    o.profile = EL_AUTO;
    o.data = bytes.ptr;
    o.data_length = bytes.len;
    if (el_analyse(&o, NULL, &report, &err))
        el_report_json(&report, out);
    else
        el_buf_print(out, "%d %s", (int)err.status, err.text);
    el_report_release(&report);
}

/* The ways: the reference first; then levels, threads and chunks. False after the last. */
static bool way_of(unsigned i, size_t most_chunk, struct el_options *o) {
    static const size_t chunks[] = { 1, 2, 3, 7, 64, 65, 1000, 4096, 65536, (size_t)4 << 20 };
    *o = (struct el_options){ .threads = 1, .libcsv_only = i == 0 };
    if (i == 0)
        return true;
    if (i <= EL_SKIM_LEVELS) {
        o->has_level = el_skim_can((enum el_skim_level)(i - 1));
        o->level = (enum el_skim_level)(i - 1);
        return true;
    }
    i -= EL_SKIM_LEVELS + 1;
    if (i < 8) {
        o->threads = i + 1;
        o->libcsv_only = i == 7;
        return true;
    }
    i -= 8;
    o->threads = 1 + i % 3;
    o->chunk = i < sizeof chunks / sizeof *chunks ? chunks[i] : 0;
    return o->chunk && o->chunk >= most_chunk;
}

/* What differs is left in a file. */
static void keep_bytes(struct el_str bytes, const char *name) {
    FILE *f = fopen(name, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes.ptr, 1, bytes.len, f), bytes.len);
    ck_assert_int_eq(fclose(f), 0);
}

static void compare_way(struct el_str bytes, const char *name, const struct el_ruleset *rules,
                        const struct el_options *way, const struct el_buf *first) {
    for (int from_file = 0; from_file < 2; from_file++) {
        struct el_buf other = { 0 };
        answer(from_file ? (struct el_str){ NULL, 0 } : bytes, name, rules, way, &other);
        bool same = other.len == first->len && memcmp(other.ptr, first->ptr, first->len) == 0;
        if (!same)
            keep_bytes(bytes, "same-differs.csv");
        ck_assert_msg(same, "%s differs (threads %u, chunk %zu, level %d); see same-differs.csv",
                      from_file ? "file" : "memory", way->threads, way->chunk,
                      way->has_level ? (int)way->level : -1);
        el_buf_release(&other);
    }
}

static void compare_ways(struct el_str bytes, const struct el_ruleset *rules) {
    char name[] = "esxlat-unit-same.csv"; /* in the working folder */
    struct el_buf first = { 0 };
    struct el_options way;
    size_t least = bytes.len > 100000 ? 4096 : 1; /* a byte at a time is for small captures */
    keep_bytes(bytes, name);
    for (unsigned i = 0; i < EL_SKIM_LEVELS + 19u; i++) {
        if (!way_of(i, least, &way))
            continue;
        if (i == 0)
            answer(bytes, name, rules, &way, &first);
        compare_way(bytes, name, rules, &way, &first);
    }
    el_buf_release(&first);
    (void)remove(name);
}

static struct el_ruleset *shipped_rules(void) {
    struct el_error err;
    struct el_ruleset *rules = el_ruleset_new();
    ck_assert_msg(el_ruleset_load(rules, "rules", &err), "%s", err.text);
    ck_assert_msg(el_ruleset_compile(rules, &err), "%s", err.text);
    return rules;
}

START_TEST(every_way_gives_the_same) {
    const char *asked = getenv("SAME_ROUNDS");
    unsigned rounds = asked ? (unsigned)strtoul(asked, NULL, 10) : 40;
    struct el_ruleset *rules = shipped_rules();
    state = 88172645463325252u;
    for (unsigned i = 0; i < rounds; i++) {
        struct el_buf b = { 0 };
        put_capture(&b);
        if (i % 8)
            mutate(&b);
        compare_ways((struct el_str){ b.ptr, b.len }, rules);
        el_buf_release(&b);
    }
    el_ruleset_free(rules);
}
END_TEST

static void read_file(const char *name, struct el_buf *out) {
    char bytes[65536];
    FILE *f = fopen(name, "rb");
    ck_assert_msg(f != NULL, "cannot open %s", name);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
        el_buf_add(out, bytes, n);
    (void)fclose(f);
}

START_TEST(files_give_the_same) {
    const char *asked = getenv("SAME_FILES");
    struct el_ruleset *rules = shipped_rules();
    char *list = strdup(asked ? asked : "samples/slow-window.csv.gz"), *rest = list;
    for (char *name; (name = strtok_r(rest, " ", &rest)) != NULL;) {
        struct el_buf b = { 0 };
        read_file(name, &b);
        compare_ways((struct el_str){ b.ptr, b.len }, rules);
        el_buf_release(&b);
    }
    free(list);
    el_ruleset_free(rules);
}
END_TEST

Suite *suite_same(void) {
    Suite *s = suite_create("same");
    TCase *t = tcase_create("ways");
    tcase_set_timeout(t, 1500);
    tcase_add_test(t, every_way_gives_the_same);
    tcase_add_test(t, files_give_the_same);
    suite_add_tcase(s, t);
    return s;
}
