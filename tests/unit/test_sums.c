/* Columns added up four rows at a time against one after the other. */
#include "unit.h"

#include <math.h>

#include "../../src/stats/sums.h"
#include "esxlat/base/num.h"

static const double values[] = { 1, -2.5, 0, EL_NAN, 1e9, 0.01, -1e-3, 7 };
static const double weights[] = { 1, 5, 0, 2.5, -1, EL_NAN, 3 }; /* of another length: all meet */

/* Every second time all rows weigh the same. */
START_TEST(agrees_with_a_plain_loop) {
    double value[60], weight[60], of_weight = 0, sum = 0, least = HUGE_VAL, most = -HUGE_VAL;
    size_t rows = (size_t)_i / 2;
    bool weighs = _i % 2;
    for (size_t i = 0; i < rows; i++) {
        double v = value[i] = values[i % 8], w = weight[i] = weighs ? weights[i % 7] : 1;
        if (isnan(v) || !(w > 0))
            continue;
        of_weight += w;
        sum += w * v;
        least = v < least ? v : least;
        most = v > most ? v : most;
    }
    struct el_sums s = el_sum_rows(value, weighs ? weight : NULL, rows);
    ck_assert_double_eq_tol(s.weight, of_weight, 1e-9);
    ck_assert_double_eq_tol(s.sum, sum, 1e-9 * (1 + fabs(sum)));
    ck_assert(s.least <= least && s.least >= least);
    ck_assert(s.most <= most && s.most >= most);
}
END_TEST

Suite *stat_sums(void) {
    Suite *s = suite_create("sums");
    TCase *t = tcase_create("sums");
    tcase_add_loop_test(t, agrees_with_a_plain_loop, 0, 120);
    suite_add_tcase(s, t);
    return s;
}
