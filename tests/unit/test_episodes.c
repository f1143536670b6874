/* Bad minutes in a healthy day: when, how bad, whose. */
#include "test_reader_made.h"

#include <math.h>
#include <stdio.h>

#include "esxlat/app/analyse.h"
#include "esxlat/base/num.h"

static const char rules_text[] =
    "[slow]\non = lun\nwhen = davg > 20\nfor = 2 samples\nlayer = device\nseverity = warning\n"
    "title = slow\n"
    "[kernel]\non = lun\nwhen = kavg > 5\nlayer = vmkernel\nseverity = warning\ntitle = kernel\n"
    "[hint]\non = lun\nwhen = davg > 1\nlayer = device\nseverity = info\ntitle = hint\n";

#define ROWS 60
/* One LUN, a row each 5 s; which rows are bad, and how.  The same capture `times`, of it the time from..to (0: all). */
static struct el_report analyse_part(const char *row_of(int row), size_t times, int64_t from,
                                     int64_t to) {
    static const char *const name[] = { "made.csv", "made.csv" };
    struct cap c = { 0 };
    struct el_error err;
    struct el_report report;
    struct el_ruleset *rules = el_ruleset_new();
    ck_assert(el_ruleset_parse(rules, "t.ini", el_str(rules_text), &err) &&
              el_ruleset_compile(rules, &err));
    cap_begin(&c, "esx1", NULL);
    cap_object(&c, "Physical Disk SCSI Device(naa.1)", "cmds davg kavg gavg");
    cap_object(&c, "Physical Disk Per-Device-Per-World(naa.1-100)", "cmds davg kavg gavg");
    cap_object(&c, "Physical Disk Per-Device-Per-World(naa.1-200)", "cmds davg kavg gavg");
    cap_cell(&c, "Network Port(v:3:100:noisy)\\Port");
    cap_cell(&c, "Network Port(v:4:200:quiet)\\Port");
    cap_row(&c, 0, "0 0 0 0  0 0 0 0  0 0 0 0  0 0");
    for (int i = 1; i <= ROWS; i++)
        cap_row(&c, 5 * i, row_of(i));
    struct el_str bytes = cap_bytes(&c);
    const struct el_options o = { .file = name,
                                  .files = times,
                                  .from = from,
                                  .to = to,
                                  .rules = rules,
                                  .profile = EL_AUTO,
                                  .data = bytes.ptr,
                                  .data_length = bytes.len };
    ck_assert(el_analyse(&o, NULL, &report, &err));
    el_ruleset_free(rules);
    cap_release(&c);
    return report;
}

static struct el_report analyse(const char *row_of(int row)) {
    return analyse_part(row_of, 1, 0, 0);
}

static int64_t at(int second) {
    return CAP_START + second * INT64_C(1000);
}

#define CALM "20 2 0 2  10 2 0 2  10 2 0 2  0 0"

/* Rows 11 to 20: noisy sends nine times as much, and the device takes 40 ms, once 60. */
static const char *twice_bad(int row) {
    if (row == 15)
        return "100 60 0 60  90 60 0 60  10 60 0 60  0 0";
    if (row >= 11 && row <= 20)
        return "100 40 0 40  90 40 0 40  10 40 0 40  0 0";
    if (row >= 41 && row <= 44)
        return "20 2 8 10  10 2 8 10  10 2 8 10  0 0";
    return CALM;
}

START_TEST(dates_what_was_bad) {
    struct el_report r = analyse(twice_bad);
    ck_assert_uint_eq(r.episodes, 2);
    const struct el_episode *e = r.episode;
    ck_assert_int_eq(e[0].from, at(50));
    ck_assert_int_eq(e[0].to, at(100));
    ck_assert_uint_eq(e[0].samples, 10);
    ck_assert_int_eq((int)e[0].layer, (int)EL_DEVICE);
    ck_assert_str_eq(r.finding[e[0].finding].rule, "slow");
    ck_near(e[0].peak, 60);
    ck_assert_int_eq(e[0].peak_at, at(75));
    ck_near(e[0].wait_device, 9 * 500 * 0.040 + 500 * 0.060);
    ck_near(e[0].wait_vmkernel, 0);
    ck_assert_uint_eq(e[0].others, 0);
    ck_assert_uint_eq(e[0].who_count, 2);
    ck_assert(el_str_is(e[0].who[0].vm, "noisy"));
    ck_assert_double_eq_tol(e[0].who[0].share, 0.9, 1e-3);
    ck_assert_double_eq_tol(e[0].who[0].load, 0.9, 1e-3);
    ck_assert_double_eq_tol(e[0].who[0].rise, 9, 1e-2);
    ck_assert_double_eq_tol(e[0].who[1].rise, 1, 1e-2);
    ck_assert_int_eq(e[1].from, at(200));
    ck_assert_int_eq(e[1].to, at(220));
    ck_assert_int_eq((int)e[1].layer, (int)EL_VMKERNEL);
    ck_near(e[1].wait_vmkernel, 4 * 100 * 0.008);
    ck_near(r.time_s, 300);
    ck_near(r.troubled_s, 70);
    /* The rest: 46 samples of 100 commands at 2 ms; those of the kernel's trouble waited 2 ms for the device, too. */
    ck_near(r.rest_device, 2);
    ck_near(r.rest_vmkernel, 0);
    /* 21 s of device in its own trouble, 3.2 s of VMkernel in its own; the healthy rest does not count. */
    ck_near(r.verdict.share_vmkernel, 3.2 / (3.2 + 210));
    el_report_release(&r);
}
END_TEST

/* A sample or two below the limit is no recovery, a minute is. */
static const char *interrupted(int row) {
    bool bad = (row >= 11 && row <= 14) || (row >= 17 && row <= 20) || (row >= 35 && row <= 37);
    return bad ? "20 40 0 40  10 40 0 40  10 40 0 40  0 0" : CALM;
}

START_TEST(pauses_are_no_end) {
    struct el_report r = analyse(interrupted);
    ck_assert_uint_eq(r.findings > 0 ? r.finding[0].windows : 0, 3);
    ck_assert_uint_eq(r.episodes, 2);
    ck_assert_int_eq(r.episode[0].from, at(50));
    ck_assert_int_eq(r.episode[0].to, at(100));
    ck_assert_int_eq(r.episode[1].from, at(170));
    /* Two windows of one finding in an episode: 8 samples of 100 commands that took 40 ms. */
    ck_near(r.episode[0].wait_device, 8 * 100 * 0.040);
    ck_near(r.episode[0].held_s, 50); /* and the pause */
    el_report_release(&r);
}
END_TEST

/* A sample in six. */
static const char *again(int row) {
    return row % 6 == 1 ? "20 2 8 10  10 2 8 10  10 2 8 10  0 0" : CALM;
}

START_TEST(trouble_that_returns_is_not_all_of_the_time) {
    struct el_report r = analyse(again);
    ck_near(r.troubled_s, 10 * 5);
    ck_near(r.time_s, 300);
    el_report_release(&r);
}
END_TEST

START_TEST(a_capture_that_comes_twice_counts_once) {
    struct el_report r = analyse_part(twice_bad, 2, 0, 0);
    ck_assert_uint_eq(r.episodes, 2);
    ck_near(r.time_s, 300);
    ck_near(r.troubled_s, 70);
    ck_assert(r.finding[0].windows == 1 && r.finding[0].from == at(50));
    ck_assert_double_eq_tol(r.episode[0].who[0].load, 0.9, 1e-3);
    el_report_release(&r);
}
END_TEST

START_TEST(time_that_was_not_asked_for_is_no_health) {
    struct el_report r = analyse_part(twice_bad, 1, at(75), at(150));
    ck_assert_uint_eq(r.episodes, 1);
    ck_assert_int_eq(r.episode[0].from, at(70)); /* the sample that ends at 75 s */
    ck_near(r.time_s, 80);
    ck_near(r.troubled_s, 30);
    el_report_release(&r);
}
END_TEST

static const char *calm(int row) {
    (void)row;
    return CALM;
}

START_TEST(hints_are_no_episode) {
    struct el_report r = analyse(calm);
    ck_assert_uint_eq(r.findings, 1);
    ck_assert_uint_eq(r.episodes, 0);
    ck_near(r.troubled_s, 0);
    el_report_release(&r);
}
END_TEST

Suite *episodes(void) {
    Suite *s = suite_create("episodes");
    TCase *t = tcase_create("episodes");
    tcase_add_test(t, dates_what_was_bad);
    tcase_add_test(t, pauses_are_no_end);
    tcase_add_test(t, trouble_that_returns_is_not_all_of_the_time);
    tcase_add_test(t, a_capture_that_comes_twice_counts_once);
    tcase_add_test(t, time_that_was_not_asked_for_is_no_health);
    tcase_add_test(t, hints_are_no_episode);
    suite_add_tcase(s, t);
    return s;
}
