/* Waiting and commands over time, in the buckets of the axis. */
#include "test_reader_made.h"

#include "esxlat/stats/waits.h"

#define LUN "Physical Disk SCSI Device(naa.1)"

struct kept {
    struct cap c;
    struct cap_reading r;
    struct el_arena memory; /* of the waits */
};

/* `rows` samples of 5 s: 10 commands a second of 2 ms, 30 of 40 ms from the row `bad` on, none in every row that
 * divides by 7. */
static struct el_waits keep(struct kept *k, size_t rows, size_t bad) {
    struct el_waits w = { 0 };
    const struct el_block *b;
    *k = (struct kept){ 0 };
    cap_begin(&k->c, "esx1", NULL);
    cap_object(&k->c, LUN, "cmds gavg");
    cap_row(&k->c, 0, "0 0");
    for (size_t i = 1; i <= rows; i++)
        cap_row(&k->c, (int)(5 * i), i % 7 == 0 ? "0 0" : i > bad ? "30 40" : "10 2");
    cap_open(&k->r, cap_bytes(&k->c), NULL);
    while ((b = cap_next(&k->r)) != NULL)
        el_waits_take(&w, EL_LUN, cap_id(&k->r, EL_LUN, "naa.1"), b, &k->r.catalog->run,
                      &k->memory);
    return w;
}

static void release(struct kept *k) {
    el_arena_release(&k->memory);
    cap_close(&k->r);
    cap_release(&k->c);
}

static void check(const struct el_waits *w, unsigned from, unsigned to, double seconds,
                  double commands) {
    struct el_wait_sum sum =
        el_waits_between(w, CAP_START + from * INT64_C(1000), CAP_START + to * INT64_C(1000));
    ck_assert_double_eq_tol(sum.seconds, seconds, 1e-4 * (1 + seconds));
    ck_assert_double_eq_tol(sum.commands, commands, 1e-4 * (1 + commands));
}

START_TEST(sums_between_two_times) {
    struct kept k;
    struct el_waits w = keep(&k, 12, 6);
    check(&w, 0, 60, 6 * 0.1 + 5 * 6, 6 * 50 + 5 * 150); /* the 7th row is idle */
    check(&w, 0, 30, 0.6, 300);
    check(&w, 30, 35, 0, 0);
    check(&w, 35, 45, 12, 300);
    check(&w, 37, 40, 6 * 0.6, 150 * 0.6); /* a part of a bucket counts in part */
    check(&w, 100, 200, 0, 0);
    release(&k);
}
END_TEST

/* Far more rows than buckets: neighbours merge, sums stay. */
START_TEST(merges_with_the_axis) {
    struct kept k;
    struct el_waits w = keep(&k, 1400, 700);
    ck_assert_int_eq(w.axis.width, 20000);
    check(&w, 0, 7000, 600 * 0.1 + 600 * 6, 600 * 50 + 600 * 150);
    check(&w, 0, 3500, 60, 30000);
    release(&k);
}
END_TEST

Suite *waits(void) {
    Suite *s = suite_create("waits");
    TCase *t = tcase_create("waits");
    tcase_add_test(t, sums_between_two_times);
    tcase_add_test(t, merges_with_the_axis);
    suite_add_tcase(s, t);
    return s;
}
