/* Clocks from rates. */
#include "unit.h"

#include <math.h>

#include "esxlat/guest/align.h"

#define HOUR 3600000.0

/* Noise that is the same on every machine: -1 to 1. */
static double noise(unsigned track, long i) {
    uint64_t x = ((uint64_t)i + 1000003u * (track + 1)) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 32;
    return (double)(x % 2000001u) / 1e6 - 1;
}

enum load { RANDOM, STEADY, PERIODIC, OTHER };

/* Commands of second i: bursts of a few seconds; the same always; the same every minute; another machine's. */
static double load_of(enum load load, long i) {
    switch (load) {
    case RANDOM: return 300 + 250 * noise(1, i / 7) + 20 * noise(2, i);
    case STEADY: return 500;
    case PERIODIC: return 300 + 200 * sin((double)i * 3.14159265358979 / 30);
    case OTHER: break;
    }
    return 300 + 250 * noise(8, i / 7) + 20 * noise(9, i);
}

/* Intervals of `step` ms from `first` (ms) on for `seconds`, on a clock that is `ahead` ms ahead; 2 % noise of its own. */
static struct el_trace measure(enum load load, double first, int step, int seconds, double ahead,
                               unsigned track) {
    struct el_trace t = { 0 };
    for (double at = first; at + step <= first + seconds * 1000.0; at += step) {
        double reads = 0;
        for (double ms = at; ms < at + step; ms += 100) /* tenths of seconds */
            reads += load_of(load, (long)(ms / 1000)) / 10;
        long i = (long)t.count;
        struct el_flow f = { .from = (int64_t)(at + ahead), .to = (int64_t)(at + step + ahead) };
        f.reads = reads * (1 + 0.02 * noise(track, i));
        f.writes = reads / 3 * (1 + 0.02 * noise(track + 1, i));
        f.ios = f.reads + f.writes;
        el_trace_add(&t, &f);
    }
    return t;
}

static struct el_alignment align(enum load guest_load, enum load host_load, double offset,
                                 int step) {
    struct el_trace host = measure(host_load, 5000000, 5000, 1800, 0, 20),
                    guest = measure(guest_load, 5001700, step, 1700, offset, 30);
    struct el_alignment a = el_align(&guest, &host, -HOUR - 60000, HOUR + 60000);
    el_trace_release(&guest);
    el_trace_release(&host);
    return a;
}

static const struct {
    double offset;
    int step;
} rows[] = {
    { 0, 5000 },        { 0, 1000 },        { 2500, 5000 },    { -7300, 2000 },
    { 1234500, 5000 },  { -1234500, 5000 }, { 3600000, 5000 }, { -3600000, 5000 },
    { 3599000, 15000 }, { -599900, 30000 }, { 60000, 10000 },  { -3600000, 15000 },
    { 3600000, 1000 },
};

START_TEST(finds_offset) {
    struct el_alignment a = align(RANDOM, RANDOM, rows[_i].offset, rows[_i].step);
    double within = rows[_i].step > 5000 ? rows[_i].step : 5000;
    ck_assert_int_ne(a.sure, EL_SURE_NOT);
    ck_assert_msg(fabs(a.offset - rows[_i].offset) <= within / 5, "%g instead of %g", a.offset,
                  rows[_i].offset);
    ck_assert_uint_ge(a.samples, 50);
}
END_TEST

static const struct {
    enum load guest, host;
} unclear[] = { { STEADY, STEADY }, { PERIODIC, PERIODIC }, { OTHER, RANDOM } };

START_TEST(says_that_nothing_is_clear) {
    struct el_alignment a = align(unclear[_i].guest, unclear[_i].host, 100000, 5000);
    ck_assert_msg(a.sure == EL_SURE_NOT, "offset %g, score %g, gap %g", a.offset, a.score, a.gap);
}
END_TEST

/* Too little in common, or nothing at all. */
START_TEST(needs_common_time) {
    struct el_trace host = measure(RANDOM, 5000000, 5000, 600, 0, 20),
                    guest = measure(RANDOM, 5000000 + 7200000, 5000, 600, 0, 30), none = { 0 };
    ck_assert_int_eq(el_align(&guest, &host, -HOUR, HOUR).sure, EL_SURE_NOT);
    ck_assert_int_eq(el_align(&none, &host, -HOUR, HOUR).sure, EL_SURE_NOT);
    ck_assert_int_eq(el_align(&none, &none, -HOUR, HOUR).sure, EL_SURE_NOT);
    el_trace_release(&guest);
    el_trace_release(&host);
}
END_TEST

Suite *guest_align_suite(void) {
    Suite *s = suite_create("guest_align");
    TCase *t = tcase_create("align");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, finds_offset, 0, sizeof rows / sizeof *rows);
    tcase_add_loop_test(t, says_that_nothing_is_clear, 0, sizeof unclear / sizeof *unclear);
    tcase_add_test(t, needs_common_time);
    suite_add_tcase(s, t);
    return s;
}
