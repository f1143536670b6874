/* Buckets over time that merge when the axis is full. */
#include "unit.h"

#include <math.h>

#include "esxlat/base/num.h"
#include "esxlat/stats/series.h"

#define START INT64_C(1796029200000)

static bool covers(const struct el_axis *a, int64_t to) {
    return a->used <= EL_SERIES_BUCKETS && a->start + (int64_t)a->used * a->width >= to;
}

/* An axis over ten hours of 5 s samples starts at the first, keeps it, and doubles its width. */
START_TEST(axis_reaches) {
    struct el_axis a = { 0 };
    unsigned merges = 0;
    int64_t first_width = 0;
    for (int64_t i = 0; i < 7200; i++) {
        int64_t from = START + i * 5000;
        merges += el_axis_reach(&a, from, from + 5000);
        if (i == 0)
            first_width = a.width;
        ck_assert_int_gt(first_width, 0);
        ck_assert_int_eq(a.start, START);
        ck_assert_int_eq(a.width, first_width << merges);
        ck_assert(covers(&a, from + 5000));
    }
    ck_assert_uint_gt(merges, 0);
    ck_assert_uint_ge(a.used, EL_SERIES_BUCKETS / 2 - 1); /* no coarser than must be */
    ck_assert_uint_eq(el_axis_reach(&a, START, START + 5000), 0);
}
END_TEST

START_TEST(axis_leaps) {
    struct el_axis a = { 0 };
    (void)el_axis_reach(&a, START, START + 5000);
    int64_t width = a.width;
    unsigned merges = el_axis_reach(&a, START + 86400000, START + 86405000);
    ck_assert_int_eq(a.width, width << merges);
    ck_assert(covers(&a, START + 86405000));
    ck_assert_int_eq(a.start, START);
}
END_TEST

/* A second capture may begin before the first. */
START_TEST(axis_goes_back) {
    struct el_axis a = { 0 };
    (void)el_axis_reach(&a, START, START + 5000);
    (void)el_axis_reach(&a, START - 3600000, START - 3595000);
    ck_assert(a.used <= EL_SERIES_BUCKETS && a.width > 0);
}
END_TEST

struct fed {
    struct el_axis axis;
    unsigned merges;
    struct el_track_series series;
};

/* One sample of 5 s of a LUN: 500 commands of 10 ms in odd rows, 100 of 4 ms in even ones. */
static void feed(struct fed *f, int64_t i) {
    double cmds = i % 2 ? 100 : 20, davg = i % 2 ? 10 : 4, seconds = 5, commands = cmds * 5,
           actv = i == 1 ? 9 : (double)(i % 2 ? 7 : 1);
    int64_t from = START + i * 5000, to = from + 5000;
    struct el_samples s = { .rows = 1, .from = &from, .to = &to };
    s.column[EL_M_cmds] = &cmds;
    s.column[EL_M_davg] = &davg;
    s.column[EL_M_seconds] = &seconds;
    s.column[EL_M_commands] = &commands;
    s.column[EL_M_actv] = &actv;
    f->merges += el_axis_reach(&f->axis, from, to);
    el_series_take(&f->series, &f->axis, f->merges, EL_LUN, &s);
}

static const struct el_bucket *track(const struct fed *f, enum el_series_track t) {
    return f->series.bucket + (size_t)t * EL_SERIES_BUCKETS;
}

/* After merges the whole holds the same weights, means and peaks. */
START_TEST(series_keeps_sums) {
    static const int64_t lengths[] = { 10, 300, 1000, 5000 };
    struct fed f = { 0 };
    double weight = 0, sum = 0, iops = 0, iops_weight = 0, most = 0, least = 9;
    for (int64_t i = 0; i < lengths[_i]; i++)
        feed(&f, i);
    el_series_follow(&f.series, f.merges);
    for (size_t b = 0; b < f.axis.used; b++) {
        weight += (double)track(&f, EL_A_DAVG)[b].weight;
        sum += (double)track(&f, EL_A_DAVG)[b].sum;
        iops += (double)track(&f, EL_A_IOPS)[b].sum;
        iops_weight += (double)track(&f, EL_A_IOPS)[b].weight;
        most = fmax(most, (double)track(&f, EL_A_ACTV)[b].most);
        if (track(&f, EL_A_ACTV)[b].weight > 0)
            least = fmin(least, (double)track(&f, EL_A_ACTV)[b].least);
    }
    ck_assert_double_eq_tol(sum / weight, 9, 1e-3); /* (500 x 10 + 100 x 4) / 600 */
    ck_assert_double_eq_tol(iops / iops_weight, 60, 1e-2);
    ck_assert_double_eq(most, 9); /* of one early sample */
    ck_assert_double_eq(least, 1);
    el_series_release(&f.series);
}
END_TEST

START_TEST(series_are_of_devices_and_disks) {
    bool wanted[EL_METRICS] = { false };
    ck_assert(el_series_kept(EL_LUN) && el_series_kept(EL_VDISK) && el_series_kept(EL_VM));
    el_series_needs(EL_LUN, wanted);
    ck_assert(wanted[EL_M_davg] && wanted[EL_M_kavg] && wanted[EL_M_gavg] && wanted[EL_M_cmds]);
    ck_assert(!wanted[EL_M_lat_rd]);
}
END_TEST

Suite *series(void) {
    Suite *s = suite_create("series");
    TCase *t = tcase_create("series");
    tcase_add_test(t, axis_reaches);
    tcase_add_test(t, axis_leaps);
    tcase_add_test(t, axis_goes_back);
    tcase_add_loop_test(t, series_keeps_sums, 0, 4);
    tcase_add_test(t, series_are_of_devices_and_disks);
    suite_add_tcase(s, t);
    return s;
}
