/* The definition of a record, row by row, cut at every size.  Records are written as the number of the first
 * line, q (the first field is quoted), c (cut off), a colon, the fields with ^ between, and | behind. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "esxlat/input/record.h"

#define BYTES(literal)                                                                             \
    { literal, sizeof(literal) - 1 }
#define T1 "11/30/2026 09:00:00"
#define T2 "11/30/2026 09:00:05"

static const struct {
    struct el_str input, records;
} rows[] = {
    { BYTES(""), BYTES("") },
    { BYTES("\n\r\n\n"), BYTES("") },
    { BYTES("a,b\n"), BYTES("1:a^b|") },
    { BYTES("a,b"), BYTES("1c:a^b|") },
    { BYTES("\"a\",\"b\"\n"), BYTES("1q:a^b|") },
    { BYTES("\"a\",\"b\""), BYTES("1qc:a^b|") },
    { BYTES("\"a\",\"b\"\r\n\"c\"\r\n"), BYTES("1q:a^b|2q:c|") },
    { BYTES("\n\n\"a\"\n\n\"b\"\n"), BYTES("3q:a|5q:b|") },
    { BYTES("a,\"b\"\n\"c\",d\n"), BYTES("1:a^b|2q:c^d|") },
    /* blanks */
    { BYTES("  \"a\",\t\"b,c\"\n"), BYTES("1q:a^b,c|") },
    { BYTES(" a, b c \n"), BYTES("1: a^ b c |") },
    { BYTES("   \n"), BYTES("1:   |") },
    { BYTES("\"a\",   \n"), BYTES("1q:a^   |") },
    { BYTES("\"a\",\" \"\n"), BYTES("1q:a^ |") },
    /* empty fields */
    { BYTES(",,\n"), BYTES("1:^^|") },
    { BYTES("\"\"\n"), BYTES("1q:|") },
    { BYTES("\"\",\"\"\n"), BYTES("1q:^|") },
    { BYTES("\"a\",\n"), BYTES("1q:a^|") },
    { BYTES("\"a\","), BYTES("1qc:a^|") },
    { BYTES("\"a\",,\"b\",\n"), BYTES("1q:a^^b^|") },
    /* quotes inside */
    { BYTES("\"VM \"old\" copy\",\"x\"\n"), BYTES("1q:VM \"old\" copy^x|") },
    { BYTES("\"a \"\"b\"\" c\",\"x\"\n"), BYTES("1q:a \"b\" c^x|") },
    { BYTES("\"a\"b\",\"c\"\n"), BYTES("1q:a\"b^c|") },
    { BYTES("\"a\"\"\",\"b\"\n"), BYTES("1q:a\"^b|") },
    { BYTES("\"\"\"a\",\"b\"\n"), BYTES("1q:\"a^b|") },
    { BYTES("\"\"a\",\"b\"\n"), BYTES("1q:\"a^b|") },
    { BYTES("\"\"\"\"\n"), BYTES("1q:\"|") },
    { BYTES("\"a\"\",b\"\n"), BYTES("1q:a\",b|") },
    { BYTES("\"a\" ,\"b\"\n"), BYTES("1q:a\" ,\"b|") },
    { BYTES("\"a\"\rb\"\n"), BYTES("1q:a\"\rb|") },
    { BYTES("\"a,b\",\"c\\d\"\n"), BYTES("1q:a,b^c\\d|") },
    { BYTES("\"a\0b\",\0\n"), BYTES("1q:a\0b^\0|") },
    /* bare fields with quotes, as `esxtop -a` prints them */
    { BYTES("\"1\",    73.1\"8.93\",\"x\"\n"), BYTES("1q:1^    73.1\"8.93\"^x|") },
    { BYTES("\"1\",   -\"\\\\h\\P(1)\\%C\",   -\n"), BYTES("1q:1^   -\"\\\\h\\P(1)\\%C\"^   -|") },
    { BYTES("a\"b,c\"\"d,e\"\n"), BYTES("1:a\"b^c\"\"d^e\"|") },
    { BYTES("\xff,\"\xfe\"\n"), BYTES("1:\xff^\xfe|") },
    /* a line end inside */
    { BYTES("\"a\nb\",\"c\"\n\"d\"\n"), BYTES("1q:a\nb^c|3q:d|") },
    { BYTES("\"a\r\nb\"\r\n"), BYTES("1q:a\nb|") },
    { BYTES("\"a\n\nb\"\n"), BYTES("1q:a\n\nb|") },
    { BYTES("\"x\",\"a\n\",\"b\"\n"), BYTES("1q:x^a\n^b|") },
    { BYTES("\"a\nb\nc,d\",e\nf\n"), BYTES("1q:a\nb\nc,d^e|4:f|") },
    { BYTES("\"a\nb\"c\",d\n"), BYTES("1q:a\nb\"c^d|") },
    { BYTES("\"a\n \"b\"\n"), BYTES("1q:a\n \"b|") },
    /* an open quote costs one record */
    { BYTES("\"" T1 "\",\"5\n\"" T2 "\",\"6\"\n"), BYTES("1qc:" T1 "^5|2q:" T2 "^6|") },
    { BYTES("\"" T1 "\",\"5,6\r\n\"" T2 "\",\"6\"\r\n"), BYTES("1qc:" T1 "^5,6|2q:" T2 "^6|") },
    { BYTES("\"" T1 "\",\"\n\"" T2 "\",\"6\"\n"), BYTES("1qc:" T1 "^|2q:" T2 "^6|") },
    { BYTES("\"x\nmore\n\"(PDH-CSV 4.0) (UTC)(0)\",\"y\"\n"),
      BYTES("1qc:x\nmore|3q:(PDH-CSV 4.0) (UTC)(0)^y|") },
    { BYTES("\"a\n\"2026-11-30T09:00:05Z\",\"6\"\n"), BYTES("1qc:a|2q:2026-11-30T09:00:05Z^6|") },
    { BYTES("\"a\n\"2026-11-30 09:00\",\"6\"\n"), BYTES("1qc:a|2q:2026-11-30 09:00^6|") },
    { BYTES("\"a\n\"3/26/2015 22:42\",\"6\"\n"), BYTES("1qc:a|2q:3/26/2015 22:42^6|") },
    { BYTES("\"" T1 "\",\"5\n\"" T2 "\",\"6\n\"" T1 "\",\"7\"\n"),
      BYTES("1qc:" T1 "^5|2qc:" T2 "^6|3q:" T1 "^7|") },
    { BYTES("\"a\n\"\\\\host\\x\",\"b\"\n"), BYTES("1q:a\n\"\\\\host\\x^b|") },
    /* a file that stops */
    { BYTES("\"a\",\"b"), BYTES("1qc:a^b|") },
    { BYTES("\"a\",\"b\"\n\"c"), BYTES("1q:a^b|2qc:c|") },
    { BYTES("\""), BYTES("1qc:|") },
    { BYTES("a\rb\r"), BYTES("1:a|2:b|") },
    { BYTES("\"a\rb\"\r\"c\"\r"), BYTES("1q:a\nb|3q:c|") },
};

static void put_record(struct el_buf *out, const struct el_record *r) {
    el_buf_print(out, "%u%s%s:", (unsigned)r->line, r->quoted ? "q" : "", r->cut ? "c" : "");
    ck_assert_uint_ge(r->fields, 1);
    for (size_t i = 0; i < r->fields; i++) {
        if (i > 0)
            el_buf_char(out, '^');
        el_buf_add(out, r->field[i].ptr, r->field[i].len);
    }
    el_buf_char(out, '|');
}

/* Feed a line as often as is asked for. */
static void feed(struct el_records *records, const struct el_line *line, struct el_buf *out) {
    struct el_error err = { EL_OK, "" };
    struct el_record record;
    enum el_fed fed;
    do {
        fed = el_records_feed(records, line, &record, &err);
        ck_assert_msg(fed != EL_FED_FAILED, "%s", err.text);
        if (fed != EL_FED_MORE)
            put_record(out, &record);
    } while (fed == EL_FED_AGAIN);
    if (fed == EL_FED_RECORD)
        ck_assert(!el_records_open(records));
}

static void read_records(struct el_str bytes, size_t chunk, bool reference, struct el_buf *out) {
    struct el_error err;
    struct el_line line;
    struct el_record record;
    struct el_source *s = el_source_memory("x", bytes.ptr, bytes.len, &err);
    size_t count;
    struct el_lines *l = el_lines_new(s, chunk, false, NULL, NULL);
    struct el_records *r = el_records_new(reference);
    while (el_lines_next(l, &line, 1, &count, &err) == EL_LINE_READ)
        feed(r, &line, out);
    bool open = el_records_open(r);
    enum el_fed fed = el_records_finish(r, &record, &err);
    ck_assert_int_eq(fed, open ? EL_FED_RECORD : EL_FED_MORE);
    if (fed == EL_FED_RECORD)
        put_record(out, &record);
    ck_assert_int_eq(el_records_finish(r, &record, &err), EL_FED_MORE);
    el_records_free(r);
    el_lines_free(l);
    el_source_free(s);
}

START_TEST(reads_records_in_chunks) {
    for (size_t chunk = 0; chunk <= 2 * rows[_i].input.len + 3; chunk++) {
        struct el_buf out = { 0 };
        read_records(rows[_i].input, chunk / 2, chunk % 2 == 0, &out);
        struct el_str got = { out.ptr, out.len };
        ck_assert_msg(el_str_equal(got, rows[_i].records), "chunk %zu: %s", chunk,
                      out.ptr ? out.ptr : "");
        el_buf_release(&out);
    }
}
END_TEST

/* A reader of records takes a second file after the first. */
START_TEST(goes_on_after_finish) {
    struct el_error err;
    struct el_record record;
    struct el_records *r = el_records_new(true);
    struct el_line line = { EL_STR("\"a\",\"b"), 1, true, EL_NOT_SCANNED };
    ck_assert_int_eq(el_records_feed(r, &line, &record, &err), EL_FED_MORE);
    ck_assert(el_records_open(r));
    ck_assert_int_eq(el_records_finish(r, &record, &err), EL_FED_RECORD);
    ck_assert(record.cut && record.fields == 2);
    line = (struct el_line){ EL_STR("c"), 1, true, EL_NOT_SCANNED };
    ck_assert_int_eq(el_records_feed(r, &line, &record, &err), EL_FED_RECORD);
    ck_assert(record.fields == 1 && el_str_is(record.field[0], "c") && !record.cut);
    el_records_free(r);
}
END_TEST

/* `before`, `size` times `fill`, `behind` as one line. */
static enum el_fed feed_filled(const char *before, char fill, size_t size, const char *behind,
                               size_t *fields, struct el_error *err) {
    size_t head = strlen(before), tail = strlen(behind);
    char *text = malloc(head + size + tail + 1);
    memcpy(text, before, head);
    memset(text + head, fill, size);
    memcpy(text + head + size, behind, tail);
    struct el_records *r = el_records_new(true);
    struct el_record record = { 0 };
    struct el_line line = { { text, head + size + tail }, 7, true, EL_NOT_SCANNED };
    enum el_fed fed = el_records_feed(r, &line, &record, err);
    *fields = record.fields;
    el_records_free(r);
    free(text);
    return fed;
}

static const struct {
    const char *before, *behind;
} around[] = { { "", "" }, { "\"", "\"" }, { "x,", ",y" }, { "\"x\",\"", "\",\"y\"" } };

START_TEST(limits_a_field) {
    struct el_error err = { EL_OK, "" };
    size_t fields;
    ck_assert_int_eq(
        feed_filled(around[_i].before, 'a', EL_FIELD_LIMIT, around[_i].behind, &fields, &err),
        EL_FED_RECORD);
    ck_assert_uint_eq(fields, _i < 2 ? 1 : 3);
    ck_assert_int_eq(
        feed_filled(around[_i].before, 'a', EL_FIELD_LIMIT + 1, around[_i].behind, &fields, &err),
        EL_FED_FAILED);
    ck_assert_int_eq(err.status, EL_CAPTURE);
    ck_assert_msg(strstr(err.text, "line 7") != NULL, "%s", err.text);
    ck_assert_msg(strstr(err.text, "field") != NULL, "%s", err.text);
}
END_TEST

START_TEST(limits_the_fields) {
    struct el_error err = { EL_OK, "" };
    size_t fields;
    ck_assert_int_eq(feed_filled("", ',', EL_FIELDS_LIMIT - 1, "", &fields, &err), EL_FED_RECORD);
    ck_assert_uint_eq(fields, EL_FIELDS_LIMIT);
    ck_assert_int_eq(feed_filled("", ',', EL_FIELDS_LIMIT, "", &fields, &err), EL_FED_FAILED);
    ck_assert_int_eq(err.status, EL_CAPTURE);
    ck_assert_msg(strstr(err.text, "fields") != NULL, "%s", err.text);
}
END_TEST

/* An open quote cannot swallow memory without end: many lines of one field meet the limit too. */
START_TEST(limits_a_field_over_lines) {
    struct el_error err = { EL_OK, "" };
    struct el_record record;
    struct el_records *r = el_records_new(true);
    struct el_line line = { EL_STR("\"open"), 1, true, EL_NOT_SCANNED };
    enum el_fed fed = el_records_feed(r, &line, &record, &err);
    line.text = EL_STR("0123456789012345678901234567890123456789");
    for (; fed == EL_FED_MORE && line.number < 100000; line.number++)
        fed = el_records_feed(r, &line, &record, &err);
    ck_assert_int_eq(fed, EL_FED_FAILED);
    ck_assert_uint_gt(line.number, EL_FIELD_LIMIT / 42);
    ck_assert_uint_lt(line.number, EL_FIELD_LIMIT / 40);
    el_records_free(r);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

Suite *record(void) {
    Suite *s = suite_create("record");
    TCase *t = tcase_create("record");
    tcase_add_loop_test(t, reads_records_in_chunks, 0, ROWS(rows));
    tcase_add_test(t, goes_on_after_finish);
    tcase_add_loop_test(t, limits_a_field, 0, ROWS(around));
    tcase_add_test(t, limits_the_fields);
    tcase_add_test(t, limits_a_field_over_lines);
    suite_add_tcase(s, t);
    return s;
}
