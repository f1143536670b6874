/* The scanner against record.h, and its levels against each other, on generated rows. */
#include "esxlat/input/skim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "esxlat/base/num.h"
#include "esxlat/input/record.h"
#include "unit.h"

#define ROUNDS      20000
#define MOST_FIELDS 400 /* more than the scanner converts in one go */

/* xorshift64*: the same rows in every run. */
static uint64_t state;
static unsigned below(unsigned n) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (unsigned)((state * UINT64_C(2685821657736338717)) >> 33) % n;
}

static const char *const plain[] = {
    "0.00",     "1",        "12.34", "99999.99", "123456789.01",
    "0",        "7.5",      ".5",    "5.",       "-3",
    "1e3",      "",         " ",     "nan",      "0/1",
    "1234567",  "12345678", "0.001", "x",        "18446744073709551615",
    "00012.30", "4.2 ",     " 4.2",  "+1.00",    "1.234567",
    "1,5" /* not regular */
};
static const char *const odd[] = { "\"a\"b\"",  "\"a\"\"b\"", "   -\"x\"", "  73.1\"8.93\"",
                                   " \"2.00\"", "bare",       "\"",        "\"open",
                                   "a\"b",      "\"1.00\" ",  "",          "\"\"",
                                   "\"a, b\"",  "b\"c,d\"",   "\",\"",     "\"\"\"\"",
                                   "\",\",\"",  ",\"" };

/* A row of fields; `strange` of a hundred are odd ones. Returns its number of fields as meant. */
static unsigned make_row(struct el_buf *row, unsigned strange) {
    unsigned fields = 1 + below(below(8) ? 60 : MOST_FIELDS),
             plains = sizeof plain / sizeof *plain - (fields > 60);
    el_buf_clear(row);
    for (unsigned i = 0; i < fields; i++) {
        if (i)
            el_buf_char(row, ',');
        if (below(100) < strange)
            el_buf_text(row, odd[below(sizeof odd / sizeof *odd)]);
        else
            el_buf_print(row, "\"%s\"", plain[below(plains)]);
    }
    if (below(8) == 0)
        el_buf_char(row, ',');
    return fields;
}

static void choose_columns(struct el_skim_plan *plan, uint32_t *column, unsigned fields) {
    *plan = (struct el_skim_plan){ .column = column,
                                   .width = fields - (below(10) == 0) + (below(10) == 0) };
    unsigned sort = below(4); /* here and there, nearly all, stretches of them, all */
    bool inside = false;
    for (uint32_t i = 1; i < plan->width; i++) {
        inside ^= below(20) == 0;
        if ((bool[]){ below(4) == 0, below(30) > 0, inside, true }[sort])
            column[plan->columns++] = i;
    }
}

/* What record.h makes of the row: is it of the plan's width, and the wanted values. */
static bool by_record(const struct el_skim_plan *plan, struct el_str row, double *out,
                      struct el_skim_tally *tally) {
    struct el_error err;
    struct el_record record;
    struct el_records *r = el_records_new(true);
    struct el_line line = { row, 1, true, EL_NOT_SCANNED };
    bool fits = el_records_feed(r, &line, &record, &err) == EL_FED_RECORD;
    if (fits) {
        size_t fields = record.fields;
        fields -= fields == plan->width + 1 && record.field[fields - 1].len == 0;
        fits = fields == plan->width;
        for (size_t i = 0; fits && i < plan->columns; i++)
            out[i] = el_skim_value(record.field[plan->column[i]], tally);
    }
    el_records_free(r);
    return fits;
}

static bool same(double a, double b) {
    return (isnan(a) && isnan(b)) || (a <= b && a >= b);
}

static void compare_levels(const struct el_skim_plan *plan, struct el_str row, unsigned round) {
    double want[MOST_FIELDS + 2], got[MOST_FIELDS + 2] = { 0 };
    struct el_skim_tally wanted = { 0, 0 };
    bool fits = by_record(plan, row, want, &wanted), first = false;
    for (int level = 0; level < EL_SKIM_LEVELS; level++) {
        struct el_skim_plan p = *plan;
        struct el_skim_tally tally = { 0, 0 };
        p.level = (enum el_skim_level)level;
        if (!el_skim_can(p.level))
            continue;
        bool taken = el_skim_row(&p, row, got, &tally);
        if (level == EL_SKIM_SCALAR)
            first = taken;
        ck_assert_msg(taken == first, "round %u, %s: %.*s", round, el_skim_name(p.level),
                      (int)row.len, row.ptr);
        ck_assert_msg(!taken || fits, "round %u, %s takes: %.*s", round, el_skim_name(p.level),
                      (int)row.len, row.ptr);
        for (size_t i = 0; taken && i < p.columns; i++)
            ck_assert_msg(same(got[i], want[i]), "round %u, %s, column %u: %g, not %g", round,
                          el_skim_name(p.level), p.column[i], got[i], want[i]);
        ck_assert(!taken || (tally.empty == wanted.empty && tally.text == wanted.text));
    }
}

static const unsigned strangeness[] = { 0, 2, 10, 40 };

START_TEST(levels_agree_with_the_reference) {
    struct el_buf row = { 0 };
    uint32_t column[MOST_FIELDS + 2];
    state = 88172645463325252u + (unsigned)_i;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct el_skim_plan plan;
        choose_columns(&plan, column, make_row(&row, strangeness[_i]));
        compare_levels(&plan, (struct el_str){ row.ptr, row.len }, round);
    }
    el_buf_release(&row);
}
END_TEST

/* Rows that the scanner must take itself, and such that it must leave to record.h. */
static const struct {
    const char *row;
    unsigned width;
    bool regular;
} shapes[] = {
    { "\"t\",\"1.00\"", 2, true },
    { "\"t\",\"1.00\",", 2, true },
    { "\"t\",\"1.00\",\"\"", 3, true },
    { "\"t\",\"1.00\",    73.1\"8.93\",    73.3", 4, true }, /* the A/MPERF fields of esxtop -a */
    { "\"t\",\"1.00\"", 3, false },
    { "\"t\",\"1.00\",\"2.00\"", 2, false },
    { "\"t\",\"1.00\",,", 2, false },
    { "\"t\",1.00", 2, false },        /* a wanted field without quotes */
    { "\"t\",\"1.00", 2, false },      /* open */
    { "\"t\",\"1.00\"x", 2, false },   /* text behind a closing quote */
    { "\"t\",\"1\"\"0\"", 2, false },  /* a doubled quote */
    { "\"t, u\",\"1.00\"", 2, false }, /* a comma inside */
};

START_TEST(knows_regular_rows) {
    static const uint32_t column[] = { 1 };
    for (int level = 0; level < EL_SKIM_LEVELS; level++) {
        struct el_skim_plan plan = { column, 1, shapes[_i].width, (enum el_skim_level)level };
        struct el_skim_tally tally = { 0, 0 };
        double value = 0;
        if (!el_skim_can(plan.level))
            continue;
        ck_assert_int_eq(el_skim_row(&plan, el_str(shapes[_i].row), &value, &tally),
                         shapes[_i].regular);
        ck_assert(!shapes[_i].regular || same(value, 1));
    }
}
END_TEST

/* Bare fields between quoted ones, wherever they lie in the walk's blocks of 64 bytes. */
START_TEST(takes_bare_fields_anywhere) {
    static const uint32_t column[] = { 3, 6 };
    for (int level = 0; level < EL_SKIM_LEVELS; level++) {
        struct el_skim_plan plan = { column, 2, 8, (enum el_skim_level)level };
        for (int before = 1; el_skim_can(plan.level) && before < 140; before++) {
            char row[512];
            struct el_skim_tally tally = { 0, 0 };
            double value[2];
            int n = snprintf(row, sizeof row,
                             "\"%0*d\",    73.1\"25.00\",\"0.00\",\"7.25\",    73.1,%0*d,"
                             "\"1234.50\",    73.1",
                             before, 0, _i + 1, 0);
            ck_assert_msg(el_skim_row(&plan, (struct el_str){ row, (size_t)n }, value, &tally),
                          "%s, %d before", el_skim_name(plan.level), before);
            ck_assert(same(value[0], 7.25) && same(value[1], 1234.5));
        }
    }
}
END_TEST

/* Every number of up to five digits before the point, as esxtop prints it, is strtod's. */
START_TEST(converts_as_strtod_does) {
    static const uint32_t column[] = { 1 };
    struct el_skim_plan plan = { column, 1, 3, el_skim_best() };
    for (unsigned i = 0; i < 10000000; i += 1 + i / 4000) {
        char row[64];
        double value;
        struct el_skim_tally tally = { 0, 0 };
        int n = snprintf(row, sizeof row, "\"t\",\"%u.%02u\",\"padding\"", i / 100, i % 100);
        ck_assert(el_skim_row(&plan, (struct el_str){ row, (size_t)n }, &value, &tally));
        ck_assert(same(value, strtod(row + 5, NULL)));
    }
}
END_TEST

Suite *suite_skim(void) {
    Suite *s = suite_create("skim");
    TCase *t = tcase_create("rows");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, levels_agree_with_the_reference, 0,
                        sizeof strangeness / sizeof *strangeness);
    tcase_add_loop_test(t, knows_regular_rows, 0, sizeof shapes / sizeof *shapes);
    tcase_add_loop_test(t, takes_bare_fields_anywhere, 0, 64);
    tcase_add_test(t, converts_as_strtod_does);
    suite_add_tcase(s, t);
    return s;
}
