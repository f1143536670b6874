/* Time that stretches cover. */
#include "unit.h"

#include "../../src/verdict/spans.h"

static const struct {
    struct el_span span[4];
    double seconds;
} table[] = {
    { { { 0, 0, 0 } }, 0 },
    { { { 0, 5000, 1 } }, 5 },
    { { { 0, 5000, 1 }, { 9000, 10000, 1 } }, 6 },
    { { { 9000, 10000, 1 }, { 0, 5000, 1 } }, 6 },
    { { { 0, 5000, 1 }, { 3000, 10000, 1 } }, 10 },
    { { { 0, 5000, 1 }, { 5000, 10000, 1 }, { 0, 5000, 1 } }, 10 },
    { { { 0, 10000, 0.5 } }, 5 },
    { { { 0, 10000, 1.5 } }, 10 },
    { { { 0, 10000, 0.25 }, { 4000, 6000, 1 } }, 2 + 2 },
    { { { 0, 10000, 0.25 }, { 0, 4000, 0.5 } }, 2 + 1.5 },
    { { { 5000, 0, 1 } }, 0 }, /* backwards: none */
};

START_TEST(what_several_cover_counts_once) {
    size_t count = sizeof table[_i].span / sizeof *table[_i].span;
    ck_assert_double_eq_tol(el_spans_seconds(table[_i].span, count), table[_i].seconds, 1e-9);
}
END_TEST

Suite *spans(void) {
    Suite *s = suite_create("spans");
    TCase *t = tcase_create("spans");
    tcase_add_loop_test(t, what_several_cover_counts_once, 0, sizeof table / sizeof *table);
    suite_add_tcase(s, t);
    return s;
}
