/* A call beside its caller. */
#include "unit.h"

#include "esxlat/base/task.h"

static bool add(void *ctx, struct el_error *err) {
    int *number = ctx;
    return ++*number < 3 || el_fail(err, EL_RULES, "%d is too many", *number);
}

/* The outcome is told each time, beside and not; 3 is too many. */
START_TEST(tells_its_outcome) {
    int number = _i / 2;
    bool good = number < 2;
    struct el_error err = { EL_OK, "" };
    struct el_task *t = el_task_start(add, &number, _i % 2);
    for (int again = 0; again < 2; again++) {
        ck_assert(el_task_wait(t, &err) == good);
        ck_assert_int_eq(number, _i / 2 + 1);
        ck_assert_int_eq(err.status, good ? EL_OK : EL_RULES);
        ck_assert_str_eq(err.text, good ? "" : "3 is too many");
    }
    el_task_free(t);
}
END_TEST

START_TEST(is_waited_for_when_freed) {
    int number = 0;
    el_task_free(el_task_start(add, &number, true));
    ck_assert_int_eq(number, 1);
}
END_TEST

START_TEST(none_is_fine) {
    struct el_error err = { EL_OK, "" };
    ck_assert(el_task_wait(NULL, &err));
    el_task_free(NULL);
}
END_TEST

Suite *base_task(void) {
    Suite *s = suite_create("task");
    TCase *t = tcase_create("task");
    tcase_add_loop_test(t, tells_its_outcome, 0, 6);
    tcase_add_test(t, is_waited_for_when_freed);
    tcase_add_test(t, none_is_fine);
    suite_add_tcase(s, t);
    return s;
}
