/* Slices, the text buffer, visible names, UTF-8, the map, the nearest name. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "esxlat/base/str.h"

#define BYTES(literal)                                                                             \
    { literal, sizeof(literal) - 1 }

START_TEST(slices) {
    ck_assert(el_str_is(el_str(NULL), ""));
    ck_assert(el_str_equal(EL_STR("a\0b"), (struct el_str){ "a\0bc", 3 }));
    ck_assert(!el_str_equal(EL_STR("a\0b"), EL_STR("a\0c")));
    ck_assert(!el_str_equal(EL_STR("ab"), EL_STR("abc")));
    ck_assert(el_str_is(EL_STR("ab"), "ab") && !el_str_is(EL_STR("ab"), "abc"));
    ck_assert(!el_str_is(EL_STR("abc"), "ab") && !el_str_is(EL_STR("a\0b"), "a"));
    ck_assert(el_str_starts(EL_STR("naa.5"), "naa.") && el_str_starts(EL_STR("naa."), "naa."));
    ck_assert(!el_str_starts(EL_STR("naa"), "naa.") && el_str_starts(EL_STR("x"), ""));
    ck_assert(el_str_is(el_str_from(EL_STR("abcd"), 1), "bcd"));
    ck_assert(el_str_is(el_str_from(EL_STR("abcd"), 4), ""));
    ck_assert_uint_eq(el_str_hash(EL_STR("abc")), el_str_hash((struct el_str){ "abcd", 3 }));
    ck_assert_uint_ne(el_str_hash(EL_STR("abc")), el_str_hash(EL_STR("abd")));
}
END_TEST

static const struct {
    const char *text, *trimmed;
} trims[] = {
    { "", "" },           { " ", "" },      { " \t\r\n", "" },    { "a", "a" },
    { "  a b  ", "a b" }, { "\ta\n", "a" }, { "\r\na\r\n", "a" }, { "a\r", "a" },
};

START_TEST(trims_blanks) {
    ck_assert(el_str_is(el_str_trim(el_str(trims[_i].text)), trims[_i].trimmed));
}
END_TEST

/* Each is smaller than the one behind it. */
static const struct el_str ordered[] = {
    BYTES(""),   BYTES("\0"), BYTES("A"), BYTES("a"),    BYTES("a\0"),
    BYTES("aa"), BYTES("ab"), BYTES("b"), BYTES("\x80"), BYTES("\xff"),
};

START_TEST(compares) {
    size_t count = sizeof ordered / sizeof *ordered;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            int c = el_str_compare(ordered[i], ordered[k]);
            ck_assert_msg((c > 0) - (c < 0) == (i > k) - (i < k), "%zu %zu: %d", i, k, c);
        }
}
END_TEST

START_TEST(buffer_grows) {
    struct el_buf b = { 0 };
    for (int i = 0; i < 10000; i++)
        el_buf_print(&b, "%d,", i % 10);
    ck_assert_uint_eq(b.len, 20000);
    ck_assert_uint_eq(strlen(b.ptr), 20000);
    ck_assert_str_eq(b.ptr + 19996, "8,9,");
    el_buf_clear(&b);
    el_buf_char(&b, 'x');
    el_buf_text(&b, "yz");
    el_buf_add(&b, "\0w", 2);
    ck_assert_uint_eq(b.len, 5);
    ck_assert_mem_eq(b.ptr, "xyz\0w\0", 6);
    el_buf_print(&b, "%*d", 100000, 7);
    ck_assert_uint_eq(b.len, 100005);
    ck_assert(!b.full);
    el_buf_release(&b);
}
END_TEST

START_TEST(buffer_stops_at_its_limit) {
    struct el_buf b = { .limit = 5 };
    el_buf_add(&b, "abcde", 5);
    ck_assert(!b.full);
    ck_assert_str_eq(b.ptr, "abcde");
    el_buf_char(&b, 'f');
    ck_assert(b.full);
    ck_assert_str_eq(b.ptr, "abcde");
    el_buf_clear(&b);
    ck_assert_uint_eq(b.len, 0);
    ck_assert(!b.full);
    el_buf_text(&b, "ab");
    el_buf_print(&b, "%s", "cdefgh");
    ck_assert(b.full);
    ck_assert_str_eq(b.ptr, "abcde");
    ck_assert_uint_eq(b.len, 5);
    el_buf_release(&b);
}
END_TEST

START_TEST(buffer_is_limited_by_default) {
    struct el_buf b = { 0 };
    size_t mib = 1024 * 1024;
    char *block = calloc(1, mib);
    for (size_t i = 0; i < 64; i++)
        el_buf_add(&b, block, mib);
    ck_assert(!b.full);
    el_buf_char(&b, 'x');
    ck_assert(b.full);
    ck_assert_uint_eq(b.len, 64 * mib);
    free(block);
    el_buf_release(&b);
}
END_TEST

static const struct {
    struct el_str name;
    const char *shown; /* hex digits may be of either case */
    size_t columns;
} names[] = {
    { BYTES(""), "", 0 },
    { BYTES("naa.5 (x)"), "naa.5 (x)", 9 },
    { BYTES("back\\slash"), "back\\slash", 10 },
    { BYTES("\033[31mred"), "\\x1b[31mred", 11 },
    { BYTES("a\0b"), "a\\x00b", 6 },
    { BYTES("a\nb\tc\r"), "a\\x0ab\\x09c\\x0d", 15 },
    { BYTES("\x7f"), "\\x7f", 4 },
    { BYTES("\xff"), "\\xff", 4 },
    { BYTES("\xc3("), "\\xc3(", 5 },
    { BYTES("\xe2\x82"), "\\xe2\\x82", 8 },
    { BYTES("\xed\xa0\x80"), "\\xed\\xa0\\x80", 12 },
    { BYTES("\xc3\xa9t\xc3\xa9"), "\xc3\xa9t\xc3\xa9", 3 },
    { BYTES("\xe4\xbb\xae\xf0\x9f\x98\x80"), "\xe4\xbb\xae\xf0\x9f\x98\x80", 2 },
};

START_TEST(shows_foreign_names) {
    struct el_buf b = { 0 };
    el_buf_char(&b, '<');
    size_t columns = el_buf_visible(&b, names[_i].name);
    ck_assert_msg(strcasecmp(b.ptr + 1, names[_i].shown) == 0, "%s", b.ptr);
    ck_assert_uint_eq(columns, names[_i].columns);
    el_buf_release(&b);
}
END_TEST

/* What moves the cursor, the colour or the direction of writing does not reach a terminal. */
static const struct el_str unsafe[] = {
    BYTES("\xc2\x9b"
          "31m"),
    BYTES("\xc2\x85"),
    BYTES("\xc2\x80"),
    BYTES("\xc2\x9f"),
    BYTES("\x9b"),
    BYTES("\xe2\x80\xae"),
    BYTES("\xe2\x81\xa6"),
    BYTES("\xe2\x80\xaa"),
};

START_TEST(hides_what_a_terminal_obeys) {
    struct el_buf b = { 0 };
    size_t columns = el_buf_visible(&b, unsafe[_i]);
    ck_assert_int_eq(b.ptr[0], '\\');
    for (size_t i = 0; i < b.len; i++)
        ck_assert_msg(b.ptr[i] >= ' ' && b.ptr[i] <= '~', "%s", b.ptr);
    ck_assert_uint_eq(columns, b.len);
    el_buf_release(&b);
}
END_TEST

static const struct {
    struct el_str text;
    size_t length;
} sequences[] = {
    { BYTES(""), 0 },
    { BYTES("a"), 1 },
    { BYTES("\0"), 1 },
    { BYTES("\x7f"), 1 },
    { BYTES("\x80"), 0 },
    { BYTES("\xc0\xaf"), 0 },
    { BYTES("\xc1\xbf"), 0 },
    { BYTES("\xc2\x80"), 2 },
    { BYTES("\xc2"), 0 },
    { BYTES("\xc2"
            "a"),
      0 },
    { BYTES("\xdf\xbf"
            "a"),
      2 },
    { BYTES("\xe0\x9f\xbf"), 0 },
    { BYTES("\xe0\xa0\x80"), 3 },
    { BYTES("\xe2\x82"), 0 },
    { BYTES("\xe2\x82"
            "a"),
      0 },
    { BYTES("\xed\x9f\xbf"), 3 },
    { BYTES("\xed\xa0\x80"), 0 },
    { BYTES("\xef\xbf\xbf"), 3 },
    { BYTES("\xf0\x8f\xbf\xbf"), 0 },
    { BYTES("\xf0\x90\x80\x80"), 4 },
    { BYTES("\xf0\x9f\x98"), 0 },
    { BYTES("\xf4\x8f\xbf\xbf"), 4 },
    { BYTES("\xf4\x90\x80\x80"), 0 },
    { BYTES("\xf5\x80\x80\x80"), 0 },
    { BYTES("\xff\xff\xff\xff"), 0 },
    { BYTES("\xf8\x88\x80\x80\x80"), 0 },
};

START_TEST(measures_utf8) {
    ck_assert_uint_eq(el_utf8_length(sequences[_i].text), sequences[_i].length);
}
END_TEST

static size_t encode(unsigned long c, char s[4]) {
    if (c < 0x80)
        return s[0] = (char)c, 1;
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        s[i] = (char)(0x80 | (c & 0x3f));
    s[0] = (char)((n == 2 ? 0xc0 : n == 3 ? 0xe0 : 0xf0) | c);
    return n;
}

START_TEST(measures_every_code_point) {
    for (unsigned long c = 0; c < 0x110000; c++) {
        char s[4];
        size_t n = encode(c, s), want = c >= 0xd800 && c < 0xe000 ? 0 : n;
        size_t got = el_utf8_length((struct el_str){ s, n });
        if (got != want)
            ck_abort_msg("U+%04lX has length %zu", c, got);
    }
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

static TCase *text_cases(void) {
    TCase *t = tcase_create("texts");
    tcase_add_test(t, slices);
    tcase_add_loop_test(t, trims_blanks, 0, ROWS(trims));
    tcase_add_test(t, compares);
    tcase_add_test(t, buffer_grows);
    tcase_add_test(t, buffer_stops_at_its_limit);
    tcase_add_test(t, buffer_is_limited_by_default);
    return t;
}

Suite *base_str(void) {
    Suite *s = suite_create("str");
    suite_add_tcase(s, text_cases());
    TCase *t = tcase_create("names");
    tcase_add_loop_test(t, shows_foreign_names, 0, ROWS(names));
    tcase_add_loop_test(t, hides_what_a_terminal_obeys, 0, ROWS(unsafe));
    tcase_add_loop_test(t, measures_utf8, 0, ROWS(sequences));
    tcase_add_test(t, measures_every_code_point);
    suite_add_tcase(s, t);
    return s;
}
