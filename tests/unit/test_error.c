/* The one shape of a failure. */
#include "unit.h"

#include <string.h>

#include "esxlat/base/error.h"

START_TEST(fills_status_and_text) {
    struct el_error err = { EL_OK, "old" };
    ck_assert(!el_fail(&err, EL_CAPTURE, "'%s' has %d rows", "a.csv", 3));
    ck_assert_int_eq(err.status, EL_CAPTURE);
    ck_assert_str_eq(err.text, "'a.csv' has 3 rows");
}
END_TEST

START_TEST(cuts_a_long_text) {
    struct el_error err;
    char text[3 * sizeof err.text];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    ck_assert(!el_fail(&err, EL_SYSTEM, "%s", text));
    ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
    ck_assert_int_eq(err.text[0], 'x');
}
END_TEST

/* The man page and scripts rely on these numbers. */
START_TEST(statuses_are_exit_codes) {
    ck_assert_int_eq(EL_OK, 0);
    ck_assert_int_eq(EL_FINDINGS, 1);
    ck_assert_int_eq(EL_USAGE, 2);
    ck_assert_int_eq(EL_RULES, 3);
    ck_assert_int_eq(EL_CAPTURE, 4);
    ck_assert_int_eq(EL_SYSTEM, 5);
}
END_TEST

Suite *base_error(void) {
    Suite *s = suite_create("error");
    TCase *t = tcase_create("errors");
    tcase_add_test(t, fills_status_and_text);
    tcase_add_test(t, cuts_a_long_text);
    tcase_add_test(t, statuses_are_exit_codes);
    suite_add_tcase(s, t);
    return s;
}
