/* Rows into samples: what counts, what is left out, what is noted. */
#include "test_reader_made.h"

#include <stdio.h>
#include <string.h>

#include "esxlat/base/clock.h"
#include "esxlat/base/num.h"

#define LUN "Physical Disk SCSI Device(naa.1)"

static void begin(struct cap *c) {
    cap_begin(c, "esx1", NULL);
    cap_object(c, LUN, "cmds davg");
}

/* Samples as "second:cmds,davg(seconds)" of one LUN, and the totals. */
static void read_samples(struct cap_reading *r, struct el_buf *out, struct el_totals *totals) {
    for (const struct el_block *b; (b = cap_next(r)) != NULL;)
        for (size_t i = 0; i < b->rows; i++) {
            uint32_t lun = cap_id(r, EL_LUN, "naa.1");
            ck_assert_int_eq(b->to[i] - b->from[i], (int64_t)(b->seconds[i] * 1000));
            el_buf_print(out, "%g:%g,%g(%g) ", (double)(b->to[i] - CAP_START) / 1000,
                         cap_value(r, b, lun, EL_C_cmds, i), cap_value(r, b, lun, EL_C_davg, i),
                         b->seconds[i]);
        }
    el_reader_totals(r->reader, totals);
}

/* Rows behind the header and the baseline (lines 1 and 2, second 0). */
static const struct {
    const char *rows, *samples;
    enum el_quality_code code; /* EL_QUALITY_CODES: nothing odd */
    unsigned count, first_line, rows_counted;
} tables[] = {
#define ROW(time, rest) "\"11/30/2026 09:00:" time "\"," rest "\n"
    { "", "", EL_QUALITY_CODES, 0, 0, 1 },
    { ROW("05", "\"1\",\"2\""), "5:1,2(5) ", EL_QUALITY_CODES, 0, 0, 2 },
    { ROW("05", "\"1\",\"2\"") ROW("11", "\"3\",\"4\""), "5:1,2(5) 11:3,4(6) ", EL_QUALITY_CODES, 0,
      0, 3 },
    { ROW("05", "\"1\",\"2\"") "\"11/30/2026 09:00:10\",\"3\",\"4\"", "5:1,2(5) 10:3,4(5) ",
      EL_QUALITY_CODES, 0, 0, 3 },
    { ROW("05", "\"1\"") ROW("10", "\"3\",\"4\""), "10:3,4(5) ", EL_Q_SHORT_ROW, 1, 3, 3 },
    { ROW("05", "\"1\",\"2\"") ROW("10", "\"1\"") ROW("15", "\"1\"") ROW("20", "\"5\",\"6\""),
      "5:1,2(5) 20:5,6(5) ", EL_Q_SHORT_ROW, 2, 4, 5 },
    { ROW("05", "\"1\",\"2\",\"3\"") ROW("10", "\"3\",\"4\""), "10:3,4(5) ", EL_Q_LONG_ROW, 1, 3,
      3 },
    { ROW("05", "\"1\",\"2\",\"\",\"\"") ROW("10", "\"3\",\"4\""), "10:3,4(5) ", EL_Q_LONG_ROW, 1,
      3, 3 },
    { ROW("05", "\"1\",\"2\",") ROW("10", "\"3\",\"4\","), "5:1,2(5) 10:3,4(5) ", EL_QUALITY_CODES,
      0, 0, 3 },
    { ROW("05", "\"1\",\"2\"") "\"11/30/2026 09:00:10\",\"3", "5:1,2(5) ", EL_Q_CUT_ROW, 1, 4, 3 },
    { ROW("05", "\"1\",\"2\"") "Broken pipe\n" ROW("10", "\"3\",\"4\""), "5:1,2(5) 10:3,4(5) ",
      EL_Q_JUNK_LINE, 1, 4, 3 },
    { ROW("05", "\"1\",\"2\"") ROW("05", "\"7\",\"7\"") ROW("10", "\"3\",\"4\""),
      "5:1,2(5) 10:3,4(5) ", EL_Q_NO_INTERVAL, 1, 4, 4 },
    { ROW("15", "\"1\",\"2\"") ROW("05", "\"7\",\"7\"") ROW("12", "\"3\",\"4\""),
      "15:1,2(15) 12:3,4(7) ", EL_Q_NO_INTERVAL, 1, 4, 4 },
    { ROW("05", "\"1\",\"\"") ROW("10", "\" \",\"4\"") ROW("15", "\"\",\"\""),
      "5:1,nan(5) 10:nan,4(5) 15:nan,nan(5) ", EL_Q_MISSING_VALUE, 4, 3, 4 },
    { ROW("05", "\"1\",\"2\"") ROW("10", "\"nan\",\"0/1\"") ROW("15", "\"3\",\"-inf\""),
      "5:1,2(5) 10:nan,nan(5) 15:3,nan(5) ", EL_Q_TEXT_VALUE, 3, 4, 4 },
    { ROW("05", "\"1") ROW("10", "\"3\",\"4\""), "10:3,4(5) ", EL_Q_OPEN_QUOTE, 1, 3, 3 },
    { ROW("05", "\"18446744073709551615\",\"-0.5\""), "5:1.84467e+19,-0.5(5) ", EL_QUALITY_CODES, 0,
      0, 2 },
    { ROW("05", "1,2") ROW("10.500", "3,4"), "5:1,2(5) 10.5:3,4(5.5) ", EL_QUALITY_CODES, 0, 0, 3 },
    { ROW("05", "\"1\",\"2\"") "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\esx1\\" LUN
                               "\\Commands/sec\",\"\\\\esx1\\" LUN
                               "\\Average Driver MilliSec/Command\"\n" ROW("10", "\"9\",\"9\"")
                                   ROW("15", "\"3\",\"4\""),
      "5:1,2(5) 15:3,4(5) ", EL_Q_REPEATED_HEADER, 1, 4, 4 },
#undef ROW
};

static bool is_odd(const struct el_quality *q, unsigned code) {
    return q->count[code] > 0 && code != EL_Q_NO_QUOTES && code != EL_Q_TRAILING_COMMA;
}

/* Both readers, every way of scanning, several chunks. */
static struct el_reader_options way(size_t k) {
    static const size_t chunks[] = { 0, 1, 2, 7, 31, 4096 };
    struct el_reader_options options = { .chunk = chunks[k % 6], .libcsv_only = k < 6 };
    options.level = k >= 12 ? el_skim_best() : EL_SKIM_SCALAR;
    return options;
}

START_TEST(takes_rows) {
    for (size_t k = 0; k < 18; k++) {
        struct el_reader_options options = way(k);
        struct cap c = { 0 };
        struct cap_reading r;
        struct el_buf out = { 0 };
        struct el_totals totals;
        begin(&c);
        cap_row(&c, 0, "0 0");
        cap_text(&c, tables[_i].rows);
        cap_open(&r, cap_bytes(&c), &options);
        read_samples(&r, &out, &totals);
        ck_assert_str_eq(out.ptr ? out.ptr : "", tables[_i].samples);
        ck_assert_uint_eq(totals.rows, tables[_i].rows_counted);
        for (unsigned q = 0; q < EL_QUALITY_CODES; q++)
            ck_assert_msg(is_odd(&r.quality, q) == (q == tables[_i].code), "%s: %u",
                          el_quality_info(q)->code, (unsigned)r.quality.count[q]);
        if (tables[_i].code < EL_QUALITY_CODES) {
            ck_assert_uint_eq(r.quality.count[tables[_i].code], tables[_i].count);
            ck_assert_uint_eq(r.quality.first_line[tables[_i].code], tables[_i].first_line);
        }
        cap_close(&r);
        cap_release(&c);
        el_buf_release(&out);
    }
}
END_TEST

/* Rows whose last value is cut off: whether it is used or not, it is told. */
static const struct {
    const char *rows;
    enum el_quality_code code;
    uint64_t line;
} cuts[] = {
    { "\"11/30/2026 09:00:05\",\"1\",\"2\"\n\"11/30/2026 09:00:10\",\"3\",\"4", EL_Q_CUT_ROW, 4 },
    { "\"11/30/2026 09:00:05\",\"1\",\"2\n\"11/30/2026 09:00:10\",\"3\",\"4\"\n", EL_Q_OPEN_QUOTE,
      3 },
};

START_TEST(tells_of_a_cut_value) {
    for (size_t k = 0; k < 18; k += 6) {
        struct el_reader_options options = way(k);
        struct cap c = { 0 };
        struct cap_reading r;
        begin(&c);
        cap_row(&c, 0, "0 0");
        cap_text(&c, cuts[_i].rows);
        cap_open(&r, cap_bytes(&c), &options);
        (void)cap_read_all(&r);
        ck_assert_uint_eq(r.quality.count[cuts[_i].code], 1);
        ck_assert_uint_eq(r.quality.first_line[cuts[_i].code], cuts[_i].line);
        cap_close(&r);
        cap_release(&c);
    }
}
END_TEST

START_TEST(totals_an_empty_file) {
    struct cap_reading r;
    struct el_totals totals;
    cap_open(&r, (struct el_str){ "", 0 }, NULL);
    ck_assert_uint_eq(cap_read_all(&r), 0);
    el_reader_totals(r.reader, &totals);
    ck_assert_uint_eq(totals.rows + totals.samples + totals.junk, 0);
    ck_assert_int_eq(totals.start, EL_NO_TIME);
    ck_assert_int_eq(totals.end, EL_NO_TIME);
    ck_missing(totals.interval_s);
    ck_assert_uint_eq(r.catalog->runs, 0);
    cap_close(&r);
}
END_TEST

/* Seconds of the rows after the baseline at 0. */
static const struct {
    int second[8];
    double median;
} medians[] = { { { 5 }, 5 },
                { { 5, 10, 20 }, 5 },
                { { 4, 10 }, 5 },
                { { 1, 3, 6, 10 }, 2.5 },
                { { 9, 10, 12, 15, 19 }, 3 } };

START_TEST(takes_the_median_interval) {
    struct cap c = { 0 };
    struct cap_reading r;
    struct el_totals totals;
    size_t n = 0;
    begin(&c);
    cap_row(&c, 0, "0 0");
    for (; n < 8 && medians[_i].second[n]; n++)
        cap_row(&c, medians[_i].second[n], "1 2");
    cap_open(&r, cap_bytes(&c), NULL);
    ck_assert_uint_eq(cap_read_all(&r), n);
    el_reader_totals(r.reader, &totals);
    ck_near(totals.interval_s, medians[_i].median);
    ck_assert_uint_eq(totals.samples, n);
    ck_assert_uint_eq(totals.rows, n + 1);
    ck_assert_int_eq(totals.start, CAP_START);
    ck_assert_int_eq(totals.end, CAP_START + medians[_i].second[n - 1] * 1000);
    cap_close(&r);
    cap_release(&c);
}
END_TEST

/* 700 lengths from 5.000 to 5.699 s in mixed order: more than are told apart, so the median is rounded. */
START_TEST(takes_the_median_of_many_lengths) {
    struct cap c = { 0 };
    struct cap_reading r;
    struct el_totals totals;
    int ms = 0;
    begin(&c);
    cap_row(&c, 0, "0 0");
    for (int i = 0; i < 700; i++) {
        char row[80];
        ms += 5000 + i * 37 % 700;
        snprintf(row, sizeof row, "\"11/30/2026 %02d:%02d:%02d.%03d\",\"1\",\"2\"\n",
                 9 + ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
        cap_text(&c, row);
    }
    cap_open(&r, cap_bytes(&c), NULL);
    ck_assert_uint_eq(cap_read_all(&r), 700);
    el_reader_totals(r.reader, &totals);
    ck_assert_double_eq_tol(totals.interval_s, 5.3495, 0.02);
    ck_assert_uint_eq(r.quality.count[EL_Q_GAP], 0);
    cap_close(&r);
    cap_release(&c);
}
END_TEST

START_TEST(counts_gaps) {
    struct cap c = { 0 };
    struct cap_reading r;
    struct el_totals totals;
    begin(&c);
    for (int i = 0; i <= 100; i++)
        cap_row(&c, i * 5 + (i > 40 ? 100 : 0) + (i > 70 ? 16 : 0) + (i > 90 ? 9 : 0), "1 2");
    cap_open(&r, cap_bytes(&c), NULL);
    ck_assert_uint_eq(cap_read_all(&r), 100);
    el_reader_totals(r.reader, &totals);
    ck_assert_uint_eq(r.quality.count[EL_Q_GAP], 2); /* 105 s and 21 s, not 14 s */
    ck_assert_uint_eq(r.quality.first_line[EL_Q_GAP], 43);
    cap_close(&r);
    cap_release(&c);
}
END_TEST

static const struct {
    int from, to; /* seconds */
    const char *samples;
} windows[] = {
    { 0, 100, "5:1,1(5) 10:2,2(5) 15:3,3(5) 20:4,4(5) " },
    { 8, 17, "10:2,2(5) 15:3,3(5) " },
    { 10, 15, "10:2,2(5) 15:3,3(5) " },
    { 11, 14, "" },
    { 20, 1000, "20:4,4(5) " },
    { 21, 1000, "" },
};

START_TEST(keeps_to_the_window) {
    struct el_reader_options options = { .from = CAP_START + windows[_i].from * 1000,
                                         .to = CAP_START + windows[_i].to * 1000 };
    struct cap c = { 0 };
    struct cap_reading r;
    struct el_buf out = { 0 };
    struct el_totals totals;
    begin(&c);
    cap_row(&c, 0, "0 0");
    cap_row(&c, 5, "1 1");
    cap_row(&c, 10, "2 2");
    cap_row(&c, 15, "3 3");
    cap_row(&c, 20, "4 4");
    cap_open(&r, cap_bytes(&c), &options);
    read_samples(&r, &out, &totals);
    ck_assert_str_eq(out.ptr ? out.ptr : "", windows[_i].samples);
    cap_close(&r);
    cap_release(&c);
    el_buf_release(&out);
}
END_TEST

START_TEST(skips_junk_before_the_header) {
    struct cap c = { 0 };
    struct cap_reading r;
    struct el_totals totals;
    cap_text(&c, "Login: root\n\"11/30/2026 08:59:00\",\"7\",\"7\"\n");
    begin(&c);
    cap_row(&c, 0, "0 0");
    cap_row(&c, 5, "1 2");
    cap_text(&c, "one\nesxtop: \"two\",2\n");
    cap_open(&r, cap_bytes(&c), NULL);
    ck_assert_uint_eq(cap_read_all(&r), 1);
    el_reader_totals(r.reader, &totals);
    ck_assert_uint_eq(r.quality.count[EL_Q_JUNK_BEFORE], 2);
    ck_assert_uint_eq(r.quality.first_line[EL_Q_JUNK_BEFORE], 1);
    ck_assert_uint_eq(totals.junk, 2);
    ck_assert_str_eq(totals.junk_field, "one");
    ck_assert_uint_eq(totals.rows, 2);
    ck_assert_int_eq(totals.start, CAP_START);
    cap_close(&r);
    cap_release(&c);
}
END_TEST

/* Notes that come from the form of the whole file. */
static const struct {
    const char *file;
    enum el_quality_code code;
} forms[] = {
#define HEAD "(PDH-CSV 4.0) (UTC)(0)\",\"\\\\esx1\\" LUN "\\Commands/sec\""
    { "\xef\xbb\xbf\"" HEAD "\n\"11/30/2026 09:00:00\",\"0\"\n\"11/30/2026 09:00:05\",\"1\"\n",
      EL_Q_UTF8_MARK },
    { "\"" HEAD "\r\n\"11/30/2026 09:00:00\",\"0\"\r\n\"11/30/2026 09:00:05\",\"1\"\r\n",
      EL_Q_CRLF },
    { "\"" HEAD "\r\"11/30/2026 09:00:00\",\"0\"\r\"11/30/2026 09:00:05\",\"1\"\r", EL_Q_CR_ONLY },
    { "\"" HEAD ",\n\"11/30/2026 09:00:00\",\"0\",\n\"11/30/2026 09:00:05\",\"1\",\n",
      EL_Q_TRAILING_COMMA },
    { "\"" HEAD "\n\"11/30/2026 09:00\",\"0\"\n\"11/30/2026 09:01\",\"1\"\n", EL_Q_NO_SECONDS },
    { "\"" HEAD ",   -\"\\\\esx1\\PCPU Power State(PCPU 1)\\%C-State C0\",   -\n\"11/30/2026 "
      "09:00:00\",\"0\",    73.1\"8.93\",    73.3\n"
      "\"11/30/2026 09:00:05\",\"1\",    73.1\"8.93\",    73.3\n",
      EL_Q_BARE_FIELD },
    { "(PDH-CSV 4.0) (UTC)(0),\\\\esx1\\" LUN
      "\\Commands/sec\n11/30/2026 09:00:00,0\n11/30/2026 09:00:05,1\n",
      EL_Q_NO_QUOTES },
#undef HEAD
};

START_TEST(notes_the_form) {
    struct cap_reading r;
    struct el_totals totals;
    cap_open(&r, el_str(forms[_i].file), NULL);
    ck_assert_uint_eq(cap_read_all(&r), 1);
    el_reader_totals(r.reader, &totals);
    for (unsigned q = 0; q < EL_QUALITY_CODES; q++)
        ck_assert_msg((r.quality.count[q] > 0) == (q == forms[_i].code), "%s: %u",
                      el_quality_info(q)->code, (unsigned)r.quality.count[q]);
    cap_close(&r);
}
END_TEST

/* More rows than a block holds, at several widths: every value comes once, in order. */
static const unsigned widths[] = { 1, 2, 100, 2000 };

static void many_rows(struct cap *c, unsigned luns) {
    struct el_buf values = { 0 };
    cap_begin(c, "esx1", NULL);
    for (unsigned l = 0; l < luns; l++) {
        char object[64];
        snprintf(object, sizeof object, "Physical Disk SCSI Device(naa.%u)", l);
        cap_object(c, object, "cmds");
    }
    for (int row = 0; row <= 150; row++) {
        el_buf_clear(&values);
        for (unsigned l = 0; l < luns; l++)
            el_buf_print(&values, "%u ", (unsigned)row * 10000 + l);
        cap_row(c, row * 2, values.ptr);
    }
    el_buf_release(&values);
}

START_TEST(fills_blocks) {
    struct cap c = { 0 };
    struct cap_reading r;
    many_rows(&c, widths[_i / 3]);
    struct el_crew *crew = _i % 3 == 2 ? el_crew_new(3) : NULL;
    struct el_reader_options options = { .libcsv_only = _i % 3 == 0,
                                         .level = el_skim_best(),
                                         .crew = crew };
    cap_open(&r, cap_bytes(&c), &options);
    unsigned row = 1;
    for (const struct el_block *b; (b = cap_next(&r)) != NULL;) {
        ck_assert(b->rows > 0 && b->rows <= EL_BLOCK_ROWS && b->rows <= b->stride);
        ck_assert_uint_eq(b->slots, widths[_i / 3]);
        for (size_t i = 0; i < b->rows; i++, row++) {
            ck_assert_int_eq(b->to[i], CAP_START + row * 2000);
            for (size_t s = 0; s < b->slots; s++)
                if (b->column[s * b->stride + i] != (double)(row * 10000 + s))
                    ck_abort_msg("row %u, slot %zu: %g", row, s, b->column[s * b->stride + i]);
        }
    }
    ck_assert_uint_eq(row, 151);
    cap_close(&r);
    if (crew)
        el_crew_free(crew);
    cap_release(&c);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

Suite *reader(void) {
    Suite *s = suite_create("reader");
    TCase *t = tcase_create("reader");
    tcase_add_loop_test(t, takes_rows, 0, ROWS(tables));
    tcase_add_loop_test(t, tells_of_a_cut_value, 0, ROWS(cuts));
    tcase_add_test(t, totals_an_empty_file);
    tcase_add_loop_test(t, takes_the_median_interval, 0, ROWS(medians));
    tcase_add_test(t, takes_the_median_of_many_lengths);
    tcase_add_test(t, counts_gaps);
    tcase_add_loop_test(t, keeps_to_the_window, 0, ROWS(windows));
    tcase_add_test(t, skips_junk_before_the_header);
    tcase_add_loop_test(t, notes_the_form, 0, ROWS(forms));
    tcase_add_loop_test(t, fills_blocks, 0, 3 * ROWS(widths));
    suite_add_tcase(s, t);
    return s;
}
