/* Traces: merging, parts of intervals, sums. */
#include "unit.h"

#include "esxlat/base/num.h"
#include "esxlat/guest/trace.h"

#define ck_near(value, want) ck_assert_double_eq_tol(value, want, 1e-9)

static void add(struct el_trace *t, int64_t from, int64_t to, double ios, double latency) {
    const struct el_flow f = { from, to, ios, ios / 2, ios / 2, ios, ios * latency };
    el_trace_add(t, &f);
}

/* 100 flows of 1 s in at most 8 items: 100 commands, 10 ms each, stay what they were. */
START_TEST(merges_when_full) {
    struct el_trace t = { .most = 8 };
    double ios = 0, wait = 0;
    for (int i = 0; i < 100; i++)
        add(&t, i * 1000, i * 1000 + 1000, 100, 10);
    ck_assert_uint_le(t.count, 8);
    for (size_t i = 0; i < t.count; i++) {
        ios += t.item[i].ios;
        wait += t.item[i].wait;
        ck_near(t.item[i].ios, 0.1 * (double)(t.item[i].to - t.item[i].from));
    }
    ck_near(ios, 10000);
    ck_near(wait, 100000);
    ck_assert_int_eq(t.item[0].from, 0);
    ck_assert_int_eq(t.item[t.count - 1].to, 100000);
    ck_near(el_trace_interval(&t), 16000); /* 100 / 8, up to a power of two */
    ck_near(el_trace_rate(&t), 100);
    el_trace_release(&t);
}
END_TEST

/* 40 commands in 0..4 s, a gap, 30 in 6..9 s. */
static const struct {
    double from, to, covered, ios;
} parts[] = {
    { 0, 4000, 4000, 40 },      { 1000, 3000, 2000, 20 }, { 3000, 7000, 2000, 20 },
    { 4000, 6000, 0, 0 },       { -5000, 0, 0, 0 },       { 8500, 20000, 500, 5 },
    { -1000, 10000, 7000, 70 },
};

START_TEST(takes_parts) {
    struct el_trace t = { 0 };
    struct el_flow sum;
    size_t at = 0;
    add(&t, 0, 4000, 40, 2);
    add(&t, 6000, 9000, 30, 2);
    ck_near(el_trace_between(&t, parts[_i].from, parts[_i].to, &at, &sum), parts[_i].covered);
    ck_near(sum.ios, parts[_i].ios);
    ck_near(sum.wait, 2 * parts[_i].ios);
    el_trace_release(&t);
}
END_TEST

/* Files in any order; what overlaps an earlier flow is dropped. */
START_TEST(settles) {
    struct el_trace t = { 0 };
    add(&t, 5000, 6000, 3, 1);
    add(&t, 1000, 2000, 1, 1);
    add(&t, 1500, 2500, 9, 1);
    add(&t, 2000, 3000, 2, 1);
    add(&t, 7000, 7000, 8, 1); /* no time at all */
    el_trace_settle(&t);
    ck_assert_uint_eq(t.count, 3);
    for (size_t i = 0; i < 3; i++)
        ck_near(t.item[i].ios, (double)i + 1);
    el_trace_release(&t);
}
END_TEST

/* Two disks sampled together, the second not in the last interval. */
START_TEST(sums) {
    struct el_trace a = { 0 }, b = { 0 };
    for (int i = 0; i < 3; i++)
        add(&a, i * 1000, i * 1000 + 1000, 10 + i, 1);
    for (int i = 0; i < 2; i++)
        add(&b, i * 1000, i * 1000 + 1000, 100, 3);
    struct el_trace sum = el_trace_sum((const struct el_trace *[]){ &a, &b }, 2);
    ck_assert_uint_eq(sum.count, 2);
    ck_near(sum.item[0].ios, 110);
    ck_near(sum.item[0].wait, 310);
    ck_near(sum.item[1].ios, 111);
    el_trace_release(&a);
    el_trace_release(&b);
    el_trace_release(&sum);
}
END_TEST

START_TEST(coarser) {
    struct el_trace t = { 0 };
    for (int i = 0; i < 10; i++)
        add(&t, i * 1000, i * 1000 + 1000, 1, 1);
    struct el_trace c = el_trace_coarser(&t, 4);
    ck_assert_uint_eq(c.count, 4); /* 3 3 3 1 */
    ck_near(c.item[0].ios, 3);
    ck_near(c.item[3].ios, 1);
    el_trace_release(&c);
    el_trace_release(&t);
}
END_TEST

Suite *guest_trace_suite(void) {
    Suite *s = suite_create("guest_trace");
    TCase *t = tcase_create("trace");
    tcase_add_test(t, merges_when_full);
    tcase_add_loop_test(t, takes_parts, 0, sizeof parts / sizeof *parts);
    tcase_add_test(t, settles);
    tcase_add_test(t, sums);
    tcase_add_test(t, coarser);
    suite_add_tcase(s, t);
    return s;
}
