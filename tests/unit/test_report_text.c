#include <stdio.h>
#include <string.h>

#include "../../src/report/page.h"
#include "esxlat/base/num.h"
#include "test_report_made.h"
#include "unit.h"

static const struct el_text_style plain = { false, false }, verbose = { false, true },
                                  colour = { true, false };

/* Columns of a line, counted apart from the renderer: code points, those from U+2E80 on twice. */
static size_t columns_of(struct el_str line) {
    size_t sum = 0;
    while (line.len) {
        size_t n = el_utf8_length(line);
        ck_assert_msg(n > 0, "not UTF-8 in: %.*s", (int)line.len, line.ptr);
        sum += n > 3 || (n == 3 && (unsigned char)line.ptr[0] >= 0xe3) ? 2 : 1;
        line = el_str_from(line, n);
    }
    return sum;
}

static bool may_be_long(struct el_str line) {
    struct el_str command = el_str_trim(line);
    if (el_str_starts(command, "Check "))
        command = el_str_trim(el_str_from(command, 6));
    if (el_str_starts(command, "Source "))
        command = el_str_trim(el_str_from(command, 7));
    return el_str_starts(command, "esxcli ") || el_str_starts(command, "grep ") ||
           el_str_starts(command, "https://");
}

/* Every line fits, holds no control character and no blank at its end. */
static void check_lines(const struct el_buf *out) {
    struct el_str rest = { out->ptr, out->len };
    while (rest.len) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        ck_assert_msg(end != NULL, "the last line does not end");
        struct el_str line = { rest.ptr, (size_t)(end - rest.ptr) };
        rest = el_str_from(rest, line.len + 1);
        for (size_t i = 0; i < line.len; i++)
            ck_assert_msg((unsigned char)line.ptr[i] >= 0x20 && line.ptr[i] != 0x7f,
                          "control character in: %.*s", (int)line.len, line.ptr);
        ck_assert_msg(columns_of(line) <= 80 || may_be_long(line), "too long: %.*s", (int)line.len,
                      line.ptr);
    }
}

static void render(size_t luns, size_t findings, bool nasty, const struct el_text_style *style,
                   struct el_buf *out) {
    struct el_report r;
    if (luns)
        make_report(&r, luns, findings, nasty);
    else
        make_empty(&r);
    el_report_text(&r, style, out);
    el_report_release(&r);
}

static const struct {
    size_t luns, findings;
    bool nasty, verbose;
} sizes[] = {
    { 0, 0, false, false },  { 0, 0, false, true },   { 1, 1, false, false },
    { 3, 1, false, true },   { 30, 20, true, false }, { 30, 20, true, true },
    { 130, 2, false, true }, { 11, 11, true, true },
};

START_TEST(fits_80_columns) {
    struct el_buf out = { 0 };
    render(sizes[_i].luns, sizes[_i].findings, sizes[_i].nasty,
           sizes[_i].verbose ? &verbose : &plain, &out);
    check_lines(&out);
    el_buf_release(&out);
}
END_TEST

START_TEST(listing_fits_80_columns) {
    struct el_buf out = { 0 };
    struct el_report r;
    if (sizes[_i].luns)
        make_report(&r, sizes[_i].luns, sizes[_i].findings, sizes[_i].nasty);
    else
        make_empty(&r);
    el_report_listing(&r, sizes[_i].verbose ? &verbose : &plain, &out);
    check_lines(&out);
    el_report_release(&r);
    el_buf_release(&out);
}
END_TEST

/* What a name of one LUN becomes in the text. */
static const struct {
    struct el_str name;
    const char *shown;
} escapes[] = {
    { { "a`b", 3 }, "behind a`b answers" },
    { { "a'b", 3 }, "behind a'b answers" },
    { { "a\"b", 3 }, "behind a\"b answers" },
    { { "a\\b", 3 }, "behind a\\b answers" },
    { { "a<b", 3 }, "behind a<b answers" },
    { { "a&b", 3 }, "behind a&b answers" },
    { { "a%b%s", 5 }, "behind a%b%s answers" },
    { { "a\nb", 3 }, "behind a\\x0ab answers" },
    { { "a\033[2Jb", 6 }, "behind a\\x1b[2Jb answers" },
    { { "a\xff"
        "b",
        3 },
      "behind a\\xffb answers" },
    { { "a\xc2\x9b"
        "b",
        4 },
      "behind a\\xc2\\x9bb answers" },
};

START_TEST(escapes_names) {
    struct el_report r;
    struct el_buf out = { 0 };
    make_report(&r, 1, 1, false);
    r.finding[0].name = escapes[_i].name;
    r.finding[0].title =
        el_arena_print(&r.arena, "The device behind %s answers slowly", escapes[_i].name.ptr);
    el_report_text(&r, &plain, &out);
    ck_assert_msg(strstr(out.ptr, escapes[_i].shown) != NULL, "%s is not in %s", escapes[_i].shown,
                  out.ptr);
    check_lines(&out);
    el_buf_release(&out);
    el_report_release(&r);
}
END_TEST

/* The parts in the order a tired reader needs them. */
START_TEST(keeps_the_order) {
    static const char *const parts[] = {
        "DEVICE | lun ",
        "The storage array answers too slowly",
        "Where commands waited",
        "device     96.8 %",
        "Worst entities",
        "Findings",
        "[CRITICAL] device-slow",
        "Because",
        "Who",
        "When",
        "Check",
        "Do",
        "Could be",
        "Source",
        "and 1 more consequence, see",
        "What was healthy",
        "Quality of the capture",
        "short-row: 2 x, first in line 817",
        "1 harmless note, see",
        "Missing counters",
        "What this capture cannot show",
        "Capture\n",
        "esx01.csv.gz",
    };
    struct el_buf out = { 0 };
    render(3, 1, false, &plain, &out);
    const char *at = out.ptr;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *found = strstr(at, parts[i]);
        ck_assert_msg(found != NULL, "'%s' is missing or too early", parts[i]);
        at = found;
    }
    el_buf_release(&out);
}
END_TEST

/* What a finding says of its own entity and layer is not said again; of another layer it is. */
START_TEST(consequences_add_something) {
    for (int other = 0; other < 2; other++) {
        struct el_report r;
        struct el_buf out = { 0 };
        make_report(&r, 3, 1, false);
        r.finding[r.findings - 1].layer = other ? EL_VMKERNEL : EL_DEVICE;
        el_report_text(&r, &plain, &out);
        ck_assert_int_eq(strstr(out.ptr, "\nConsequences") != NULL, other);
        ck_assert_int_eq(strstr(out.ptr, "and 1 more consequence, see") != NULL, !other);
        el_buf_release(&out);
        el_report_release(&r);
    }
}
END_TEST

/* Remarks are told where nothing else is: they say where to look. */
START_TEST(remarks_of_a_calm_capture) {
    for (int calm = 0; calm < 2; calm++) {
        struct el_report r;
        struct el_buf out = { 0 };
        make_report(&r, 3, 1, false);
        for (size_t i = 0; i < r.findings; i++)
            r.finding[i].severity = EL_INFO;
        r.verdict.layer = calm ? EL_NONE : EL_DEVICE;
        el_report_text(&r, &plain, &out);
        ck_assert_int_eq(strstr(out.ptr, "\n  info     ") != NULL, calm);
        ck_assert_int_eq(strstr(out.ptr, "and 3 more remarks, see") != NULL, !calm);
        el_buf_release(&out);
        el_report_release(&r);
    }
}
END_TEST

static void strip_colour(struct el_buf *b) {
    size_t kept = 0;
    for (size_t i = 0; i < b->len; i++) {
        if (b->ptr[i] == '\033')
            i += strcspn(b->ptr + i, "m");
        else
            b->ptr[kept++] = b->ptr[i];
    }
    b->ptr[b->len = kept] = '\0';
}

START_TEST(colour_only_adds) {
    struct el_buf with = { 0 }, without = { 0 };
    render(20, 9, true, &colour, &with);
    render(20, 9, true, &plain, &without);
    ck_assert_ptr_nonnull(strstr(with.ptr, "\033[1;31m[CRITICAL]\033[0m"));
    strip_colour(&with);
    ck_assert_str_eq(with.ptr, without.ptr);
    el_buf_release(&with);
    el_buf_release(&without);
}
END_TEST

START_TEST(commands_stay_whole) {
    struct el_buf out = { 0 };
    render(1, 1, false, &plain, &out);
    ck_assert_ptr_nonnull(
        strstr(out.ptr, "    Check    esxcli storage core device stats get -d "
                        "naa.60060e80056f110000006f1100001f00000000000000000000000000000000\n"));
    ck_assert_ptr_nonnull(
        strstr(out.ptr, "\n             grep -i 'latency' /var/log/vmkernel.log\n"));
    el_buf_release(&out);
}
END_TEST

/* A line never ends between a number and its unit, nor does one grow beyond the page for it. */
START_TEST(units_stay_with_their_number) {
    static const char *const text[] = { "that is 77 % of it all", "it took 3.93 ms more" };
    static const char *const expected[] = { "that is\n77 % of it\nall\n",
                                            "it took\n3.93 ms\nmore\n" };
    struct el_buf out = { 0 };
    struct el_page page = { &out, false };
    struct el_buf lined = { 0 };
    el_page_wrap(&page, "", 70 /* of 80 */, el_str(text[_i]));
    for (size_t i = 0; i < out.len; i++)
        if (out.ptr[i] != ' ' || (i && out.ptr[i - 1] != ' ' && out.ptr[i - 1] != '\n'))
            el_buf_char(&lined, out.ptr[i]);
    ck_assert_str_eq(lined.ptr, expected[_i]);
    el_buf_release(&lined);
    el_buf_release(&out);
}
END_TEST

START_TEST(empty_report) {
    struct el_buf out = { 0 };
    render(0, 0, false, &plain, &out);
    ck_assert_str_eq(
        out.ptr, "UNKNOWN | confidence low\n\n"
                 "Where commands waited\n  no waiting was measured\n\n"
                 "Worst entities, by the time their commands waited\n  no entity carried I/O\n\n"
                 "Findings\n  none\n\n"
                 "Captures\n  none\n");
    el_buf_release(&out);
}
END_TEST

/* Numbers without end must not push a table out of its columns. */
START_TEST(huge_numbers_fit) {
    static const double values[] = { 0, -1, 1e-9, 999999.4, 1e9, 1e18, 1e300, -1e300 };
    struct el_report r;
    struct el_buf out = { 0 };
    make_report(&r, 2, 1, false);
    struct el_entity_report *e = &r.entity[0];
    e->commands = e->io_kb = e->aborts = e->iops.mean = values[_i];
    e->latency[EL_L_GAVG].mean = e->latency[EL_L_DAVG].mean = e->latency[EL_L_GAVG].max =
        values[_i];
    e->actv.mean = e->actv.max = e->dqlen.min = e->qued.max = values[_i];
    el_report_text(&r, &verbose, &out);
    check_lines(&out);
    el_buf_release(&out);
    el_report_release(&r);
}
END_TEST

Suite *suite_report_text(void) {
    Suite *s = suite_create("report text");
    TCase *t = tcase_create("text");
    tcase_add_loop_test(t, fits_80_columns, 0, sizeof sizes / sizeof *sizes);
    tcase_add_loop_test(t, listing_fits_80_columns, 0, sizeof sizes / sizeof *sizes);
    tcase_add_loop_test(t, escapes_names, 0, sizeof escapes / sizeof *escapes);
    tcase_add_loop_test(t, huge_numbers_fit, 0, 8);
    tcase_add_test(t, keeps_the_order);
    tcase_add_test(t, colour_only_adds);
    tcase_add_test(t, commands_stay_whole);
    tcase_add_loop_test(t, units_stay_with_their_number, 0, 2);
    tcase_add_test(t, consequences_add_something);
    tcase_add_test(t, remarks_of_a_calm_capture);
    tcase_add_test(t, empty_report);
    suite_add_tcase(s, t);
    return s;
}
