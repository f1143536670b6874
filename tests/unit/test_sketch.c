/* Quantiles against exact ones, computed here from all values. */
#include "unit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "esxlat/stats/sketch.h"

enum { MANY = 5000 };

struct point {
    double value, weight;
};

static struct el_arena memory; /* of all sketches */

static void add(struct el_sketch *s, double value, double weight) {
    el_sketch_add(s, &memory, &value, &weight, 1);
}

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Value i of a distribution. */
static double draw(int distribution, uint64_t *state) {
    double u = uniform(state);
    switch (distribution) {
    case 0: return 100 * u;
    case 1: return -log(1 - u) * 3;
    case 2: return exp(8 * (u + uniform(state) + uniform(state) - 1.5)); /* wide, log-normal like */
    case 3: return u < 0.9 ? 0.5 + u / 10 : 200 + 100 * u;               /* two humps */
    case 4: return round(u * 40) / 100;   /* few values, 0 among them */
    case 5: return 50 * u - 25;           /* both signs */
    case 6: return -exp(10 * u);          /* negative */
    case 7: return 1e15 * pow(10, 4 * u); /* huge */
    default: return 1 / (1.0001 - u);     /* heavy tail */
    }
}
enum { DISTRIBUTIONS = 9 };

static int by_value(const void *a, const void *b) {
    double x = ((const struct point *)a)->value, y = ((const struct point *)b)->value;
    return (x > y) - (x < y);
}

static double exact(const struct point *sorted, double q) {
    double total = 0, run = 0;
    for (size_t i = 0; i < MANY; i++)
        total += sorted[i].weight;
    for (size_t i = 0; i < MANY; i++)
        if ((run += sorted[i].weight) >= q * total)
            return sorted[i].value;
    return sorted[MANY - 1].value;
}

static const double asked[] = { 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999 };

START_TEST(is_within_half_a_percent) {
    struct el_sketch s = { 0 };
    struct point *p = calloc(MANY, sizeof *p);
    uint64_t state = 17;
    for (size_t i = 0; i < MANY; i++) {
        /* weights of 1 to 8, whole, so that sums are exact in any order */
        p[i] = (struct point){ draw(_i / 2, &state), _i % 2 ? floor(1 + 8 * uniform(&state)) : 1 };
        add(&s, p[i].value, p[i].weight);
    }
    qsort(p, MANY, sizeof *p, by_value);
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        double got = el_sketch_quantile(&s, asked[k]), want = exact(p, asked[k]);
        double error = fabs(got - want), allowed = fmax(0.005 * fabs(want), 0.0005);
        ck_assert_msg(error <= allowed, "q %g: %g, not %g", asked[k], got, want);
    }
    ck_assert_double_eq(s.least, p[0].value);
    ck_assert_double_eq(s.most, p[MANY - 1].value);
    free(p);
}
END_TEST

/* Values around 0.001 to 1e9, one at a time: the only value is every quantile. */
START_TEST(knows_a_single_value) {
    for (double v = 0.001; v < 1e9; v *= 1.37) {
        struct el_sketch s = { 0 };
        add(&s, v, 3);
        ck_assert_double_eq_tol(el_sketch_quantile(&s, 0.5), v, 0.005 * v);
        ck_assert_double_eq_tol(el_sketch_quantile(&s, 0), v, 0.005 * v);
        ck_assert_double_eq_tol(el_sketch_quantile(&s, 1), v, 0.005 * v);
    }
}
END_TEST

START_TEST(ignores_what_has_no_weight) {
    struct el_sketch s = { 0 };
    ck_assert(isnan(el_sketch_quantile(&s, 0.5)));
    add(&s, (double)NAN, 1);
    add(&s, 5, 0);
    add(&s, 5, -1);
    add(&s, 5, (double)NAN);
    ck_assert(isnan(el_sketch_quantile(&s, 0.5)));
    add(&s, 2, 1);
    ck_assert_double_eq_tol(el_sketch_quantile(&s, 0.99), 2, 0.01);
    ck_assert_double_eq(s.total, 1);
}
END_TEST

/* Exactly q of the weight is enough: 95 of 100 commands at 1 ms. */
START_TEST(takes_the_smallest_value_that_is_enough) {
    struct el_sketch s = { 0 };
    add(&s, 1, 95);
    add(&s, 50, 5);
    ck_assert_double_eq_tol(el_sketch_quantile(&s, 0.95), 1, 0.005);
    ck_assert_double_eq_tol(el_sketch_quantile(&s, 0.951), 50, 0.25);
    ck_assert_double_eq_tol(el_sketch_quantile(&s, 0.5), 1, 0.005);
    s = (struct el_sketch){ 0 };
    add(&s, 0, 50);
    add(&s, 10, 50);
    ck_assert_double_eq(el_sketch_quantile(&s, 0.5), 0);
    ck_assert_double_eq_tol(el_sketch_quantile(&s, 0.501), 10, 0.05);
}
END_TEST

/* Far apart, in falling order: the window of buckets grows to both sides. */
START_TEST(spans_all_magnitudes) {
    struct el_sketch s = { 0 };
    for (int e = 19; e >= -3; e--)
        add(&s, pow(10, e), 1);
    for (int e = -3; e <= 19; e++)
        ck_assert_double_eq_tol(el_sketch_quantile(&s, (e + 3.5) / 23), pow(10, e),
                                0.005 * pow(10, e));
}
END_TEST

/* Two halves joined are the whole. */
START_TEST(joins_halves) {
    struct el_sketch whole = { 0 }, half[2] = { { 0 }, { 0 } };
    uint64_t state = (uint64_t)_i + 1;
    for (int i = 0; i < MANY; i++) {
        double value = draw(_i, &state), weight = 1 + i % 7;
        add(&whole, value, weight);
        add(&half[i % 3 == 0], value, weight);
    }
    el_sketch_join(&half[0], &memory, &half[1]);
    el_sketch_join(&half[0], &memory, &(struct el_sketch){ 0 });
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        ck_assert_double_eq(el_sketch_quantile(&half[0], asked[i]),
                            el_sketch_quantile(&whole, asked[i]));
    ck_assert_double_eq(half[0].total, whole.total);
}
END_TEST

Suite *sketch(void) {
    Suite *s = suite_create("sketch");
    TCase *t = tcase_create("sketch");
    tcase_add_loop_test(t, is_within_half_a_percent, 0, 2 * DISTRIBUTIONS);
    tcase_add_test(t, knows_a_single_value);
    tcase_add_test(t, ignores_what_has_no_weight);
    tcase_add_test(t, takes_the_smallest_value_that_is_enough);
    tcase_add_test(t, spans_all_magnitudes);
    tcase_add_loop_test(t, joins_halves, 0, DISTRIBUTIONS);
    suite_add_tcase(s, t);
    return s;
}
