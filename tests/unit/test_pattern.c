/* Regular expressions under limits. */
#include "unit.h"

#include <string.h>

#include "esxlat/base/pattern.h"

#define BYTES(literal)                                                                             \
    { literal, sizeof(literal) - 1 }

static struct el_pattern *compile(const char *text) {
    struct el_error err;
    struct el_pattern *p = el_pattern_new(text, &err);
    ck_assert_msg(p != NULL, "%s", p ? "" : err.text);
    return p;
}

static const struct {
    const char *pattern;
    struct el_str subject;
    int matches;
} rows[] = {
    { "^naa\\.", BYTES("naa.5"), 1 }, { "^naa\\.", BYTES("xnaa.5"), 0 },
    { "^naa\\.", BYTES("naax5"), 0 }, { "", BYTES(""), 1 },
    { "a", BYTES("A"), 0 },           { "(?i)a", BYTES("A"), 1 },
    { "^.$", BYTES("\xff"), 1 },      { "^..$", BYTES("\xc3\xa9"), 1 }, /* bytes, not letters */
    { "a.b", BYTES("a\0b"), 1 },      { "b$", BYTES("a\0b"), 1 },
    { "5$", { "naa.56", 5 }, 1 },
};

START_TEST(matches) {
    struct el_pattern *p = compile(rows[_i].pattern);
    ck_assert_int_eq(el_pattern_match(p, rows[_i].subject, NULL), rows[_i].matches);
    el_pattern_free(p);
}
END_TEST

START_TEST(gives_groups) {
    struct el_str group[EL_PATTERN_GROUPS];
    struct el_pattern *p = compile("(a+)(x)?(b*)(y)?");
    ck_assert_int_eq(el_pattern_match(p, EL_STR("--aac"), group), 1);
    ck_assert(el_str_is(group[0], "aa"));
    ck_assert(el_str_is(group[1], "aa"));
    ck_assert_ptr_null(group[2].ptr);
    ck_assert_uint_eq(group[2].len, 0);
    ck_assert_ptr_nonnull(group[3].ptr); /* took part, empty */
    ck_assert_uint_eq(group[3].len, 0);
    for (size_t i = 4; i < EL_PATTERN_GROUPS; i++)
        ck_assert(group[i].ptr == NULL && group[i].len == 0);
    el_pattern_free(p);
}
END_TEST

START_TEST(gives_the_first_groups_of_many) {
    struct el_str group[EL_PATTERN_GROUPS];
    struct el_pattern *p = compile("(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)");
    ck_assert_int_eq(el_pattern_match(p, EL_STR("abcdefghij"), group), 1);
    ck_assert(el_str_is(group[0], "abcdefghij"));
    ck_assert(el_str_is(group[7], "g"));
    el_pattern_free(p);
    p = compile("(a)(?:\\1)(b)?$");
    ck_assert_int_eq(el_pattern_match(p, EL_STR("aa"), group), 1);
    ck_assert(el_str_is(group[1], "a"));
    ck_assert_ptr_null(group[2].ptr);
    el_pattern_free(p);
}
END_TEST

static const char *const endless[] = { "^(a+)+$", "^(a|aa)+$", "^(a*)*$", "^(x+x+)+$" };

START_TEST(stops_endless_search) {
    char subject[5000];
    memset(subject, _i == 3 ? 'x' : 'a', sizeof subject);
    subject[sizeof subject - 1] = '!';
    struct el_pattern *p = compile(endless[_i]);
    ck_assert_int_eq(el_pattern_match(p, (struct el_str){ subject, sizeof subject }, NULL), -1);
    ck_assert_int_le(el_pattern_match(p, EL_STR("b!"), NULL), 0); /* and works on */
    el_pattern_free(p);
}
END_TEST

static const struct {
    const char *pattern, *offset;
} wrong[] = { { "(", "1" }, { "ab(c", "4" }, { "a[b", "3" }, { "*a", "0" }, { "abc\\", "4" } };

START_TEST(says_what_is_wrong) {
    struct el_error err = { EL_OK, "" };
    ck_assert_ptr_null(el_pattern_new(wrong[_i].pattern, &err));
    ck_assert_int_eq(err.status, EL_RULES);
    ck_assert_msg(strstr(err.text, wrong[_i].offset) != NULL, "%s", err.text);
    ck_assert_msg(strlen(err.text) > 10, "%s", err.text);
}
END_TEST

START_TEST(frees_nothing) {
    el_pattern_free(NULL);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

Suite *base_pattern(void) {
    Suite *s = suite_create("pattern");
    TCase *t = tcase_create("pattern");
    tcase_add_loop_test(t, matches, 0, ROWS(rows));
    tcase_add_test(t, gives_groups);
    tcase_add_test(t, gives_the_first_groups_of_many);
    tcase_add_loop_test(t, stops_endless_search, 0, ROWS(endless));
    tcase_add_loop_test(t, says_what_is_wrong, 0, ROWS(wrong));
    tcase_add_test(t, frees_nothing);
    suite_add_tcase(s, t);
    return s;
}
