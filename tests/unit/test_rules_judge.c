/* Judging: runs, windows, lanes of profiles, groups, folding. */
#include "test_rules_made.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "esxlat/base/num.h"

/* ---- `for`: the same samples, cut into blocks of every size ---- */

/* when = davg >= 5; 9 hits, 1 does not, - is unknown.  Samples are 5 s long. */
static const struct {
    const char *duration, *davg;
    unsigned samples;
    const char *windows;
} runs[] = {
    { "1 sample", "191", 1, "5-10/1" },
    { "1 sample", "111", 0, "" },
    { "2 samples", "19191", 0, "" },
    { "2 samples", "1991991", 4, "5-15/2 20-30/2" },
    { "3 samples", "99199199919", 3, "30-45/3" },
    { "3 samples", "999", 3, "0-15/3" },
    { "3 samples", "99-99", 0, "" },
    { "2 samples", "9-99-999", 5, "10-20/2 25-40/3" },
    { "15 s", "99199911", 3, "15-30/3" },
    { "14 s", "991999", 3, "15-30/3" },
    { "16 s", "991999", 0, "" },
    { "0.25 min", "999", 3, "0-15/3" },
    { "1 sample", "9191919191919191919191919191919", 16,
      "0-5/1 10-15/1 20-25/1 30-35/1 40-45/1 50-55/1 60-65/1 70-75/1 80-85/1 90-95/1 100-105/1 "
      "110-115/1 120-125/1 "
      "130-135/1 140-145/1 150-155/1" },
    /* the 17th: the two with the least time between them become one, of several those that make the shortest */
    { "1 sample", "911919191919191919191919191919191919", 17 + 1,
      "0-5/1 15-30/2 35-50/2 55-60/1 65-70/1 75-80/1 85-90/1 95-100/1 105-110/1 115-120/1 "
      "125-130/1 135-140/1 "
      "145-150/1 155-160/1 165-170/1 175-180/1" },
};

static void print_windows(const struct el_hit *hit, struct el_buf *out) {
    for (size_t i = 0; hit && i < hit->windows; i++)
        el_buf_print(out, "%s%d-%d/%d", i ? " " : "", (int)(hit->window[i].from / 1000),
                     (int)(hit->window[i].to / 1000), (int)hit->window[i].samples);
}

START_TEST(a_condition_has_to_hold_for_long) {
    char text[256];
    size_t rows = strlen(runs[_i].davg);
    (void)snprintf(text, sizeof text, RULE("a") "when = davg >= 5\nfor = %s\n", runs[_i].duration);
    for (size_t block = 1; block <= rows; block++) {
        struct made_world w;
        struct el_buf windows = { 0 };
        made_world(&w, text);
        uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
        made_letters(&w, lun, block, "davg", runs[_i].davg);
        made_finish(&w);
        const struct el_hit *hit = made_hit(&w, "a", lun);
        print_windows(hit, &windows);
        ck_assert_str_eq(windows.ptr ? windows.ptr : "", runs[_i].windows);
        ck_assert_uint_eq(hit ? hit->samples : 0, runs[_i].samples);
        el_buf_release(&windows);
        made_release(&w);
    }
}
END_TEST

/* More rows than a chunk has, in blocks around its size. */
START_TEST(blocks_do_not_matter) {
    double davg[500], commands[500];
    char first[256] = "";
    for (size_t i = 0; i < 500; i++) {
        davg[i] = (double)((i * 7919 + i / 13) % 11);
        commands[i] = (double)(i % 5) * 20;
    }
    for (size_t block = 1; block <= 500; block += block < 140 ? 1 : 60) {
        struct made_world w;
        char now[256];
        made_world(&w, RULE("a") "when = davg >= 5\nfor = 2 samples\n"
                                 "because = {davg} {p95(davg)} {stdev(davg)} {slope(davg)} "
                                 "{share(davg > 6)} {sum(commands)}\n");
        uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
        made_feed(&w, lun, 500, block, "davg", davg, "commands", commands, NULL);
        made_finish(&w);
        const struct el_hit *hit = made_hit(&w, "a", lun);
        ck_assert(hit && hit->windows == EL_WINDOWS);
        (void)snprintf(now, sizeof now, "%s %d %g %d %d", hit->because, (int)hit->samples,
                       hit->commands, (int)hit->window[0].to,
                       (int)hit->window[EL_WINDOWS - 1].from);
        if (block == 1)
            memcpy(first, now, sizeof first);
        ck_assert_str_eq(now, first);
        made_release(&w);
    }
}
END_TEST

/* A gap longer than the sample, and time that goes back, break a run. */
static const struct {
    int64_t from2;
    bool fires;
} gaps[] = {
    { 5000, true },  { 9000, true },    { 10000, true },      { 10001, false },
    { 4000, false }, { -60000, false }, { INT64_MIN, false },
};

START_TEST(a_gap_breaks_a_run) {
    struct made_world w;
    const double davg[] = { 9, 9 };
    int64_t from[] = { 0, gaps[_i].from2 }, to[] = { 5000, 0 };
    to[1] = from[1] == INT64_MIN ? INT64_MIN : from[1] + 5000;
    struct el_samples s = { .rows = 2, .from = from, .to = to };
    s.column[EL_M_davg] = davg;
    made_world(&w, RULE("a") "when = davg >= 5\nfor = 2 samples\n");
    uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
    el_judge_samples(w.judge, &w.arena, lun, EL_LUN, el_str("l"), 1u << EL_HDD, &s);
    made_finish(&w);
    ck_assert((made_hit(&w, "a", lun) != NULL) == gaps[_i].fires);
    made_release(&w);
}
END_TEST

/* Samples of 5 s that begin at these seconds, each a window of its own: in order of time and apart whatever the clock did. */
static const struct {
    int begin[4];
    const char *windows;
    double held_s;
} clocks[] = {
    { { 0, 100, 200, 300 }, "0-5/1 100-105/1 200-205/1 300-305/1", 5 },
    { { 200, 300, 0, 100 }, "0-5/1 100-105/1 200-205/1 300-305/1", 5 },
    { { 300, 200, 100, 0 }, "0-5/1 100-105/1 200-205/1 300-305/1", 5 },
    { { 100, 200, 100, 0 }, "0-5/1 100-105/2 200-205/1", 5 },
    { { 100, 200, 102, 98 }, "98-107/3 200-205/1", 9 },
};

START_TEST(windows_are_in_order_of_time) {
    struct made_world w;
    struct el_buf windows = { 0 };
    const double davg[] = { 9, 9, 9, 9 };
    int64_t from[4], to[4];
    for (int i = 0; i < 4; i++) {
        from[i] = clocks[_i].begin[i] * INT64_C(1000);
        to[i] = from[i] + 5000;
    }
    struct el_samples s = { .rows = 4, .from = from, .to = to };
    s.column[EL_M_davg] = davg;
    made_world(&w, RULE("a") "when = davg >= 5\n");
    uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
    el_judge_samples(w.judge, &w.arena, lun, EL_LUN, el_str("l"), 1u << EL_HDD, &s);
    made_finish(&w);
    const struct el_hit *hit = made_hit(&w, "a", lun);
    print_windows(hit, &windows);
    ck_assert_str_eq(windows.ptr ? windows.ptr : "", clocks[_i].windows);
    ck_assert(hit && !(hit->window[0].held_ms < 1000 * clocks[_i].held_s) &&
              !(hit->window[0].held_ms > 1000 * clocks[_i].held_s));
    el_buf_release(&windows);
    made_release(&w);
}
END_TEST

/* Trouble that comes each minute for an hour: 16 windows of about the same length, no long one. */
START_TEST(recurring_trouble_stays_apart) {
    struct made_world w;
    double davg[720], held = 0;
    for (size_t i = 0; i < 720; i++)
        davg[i] = i % 12 < 2 ? 9 : 1;
    made_world(&w, RULE("a") "when = davg >= 5\n");
    uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
    made_feed(&w, lun, 720, 100, "davg", davg, NULL);
    made_finish(&w);
    const struct el_hit *hit = made_hit(&w, "a", lun);
    ck_assert(hit && hit->windows == EL_WINDOWS);
    for (size_t i = 0; hit && i < hit->windows; i++) {
        ck_assert_int_le(hit->window[i].to - hit->window[i].from, 2 * 3600000 / EL_WINDOWS);
        held += hit->window[i].held_ms;
    }
    ck_assert_double_eq_tol(held, 60 * 10 * 1000, 1e-6);
    made_release(&w);
}
END_TEST

/* ---- confidence ---- */

#define near(value, want) ck_assert_double_eq_tol(value, want, 1e-9)

static const struct {
    double commands;
    const char *more;
    enum el_confidence confidence;
} sure[] = {
    { 24, "", EL_LOW }, /* 4 x 24 = 96 */
    { 25, "", EL_MEDIUM },
    { 25, "confirm = max(kavg) > 5\n", EL_HIGH },
    { 25, "confirm = max(kavg) > 7\n", EL_MEDIUM },
    { 25, "confirm = max(kavg) > 5\nconfirm = max(kavg) > 7\n", EL_MEDIUM },
    { 25, "confirm = mean(qavg) > 5\n", EL_MEDIUM }, /* unknown */
    { 24, "confirm = max(kavg) > 5\n", EL_LOW },
    { -1, "", EL_MEDIUM }, /* no count of commands at all */
};

START_TEST(confidence_follows_commands_and_confirm) {
    struct made_world w;
    char text[256];
    const double davg[] = { 9, 9, 9, 9 }, kavg[] = { 1, 6, 1, 1 };
    double commands[4] = { sure[_i].commands, sure[_i].commands, sure[_i].commands,
                           sure[_i].commands };
    (void)snprintf(text, sizeof text, RULE("a") "when = davg >= 5\n%s", sure[_i].more);
    made_world(&w, text);
    uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
    made_feed(&w, lun, 4, 2, "davg", davg, "kavg", kavg, commands[0] < 0 ? "ats" : "commands",
              commands, NULL);
    made_finish(&w);
    const struct el_hit *hit = made_hit(&w, "a", lun);
    ck_assert(hit);
    ck_assert_int_eq((int)hit->confidence, (int)sure[_i].confidence);
    made_release(&w);
}
END_TEST

/* Four samples of 50 commands are half a point each; what confirms is a whole one; so the margin decides. */
static const struct {
    const char *when;
    double margin; /* of the worst sample, davg = 9 and kavg = 6; -1: none */
    enum el_confidence confidence;
} margins[] = {
    { "davg >= 9", 1, EL_MEDIUM },
    { "davg >= 4.5", 2, EL_HIGH },
    { "davg > 3 and kavg >= 5", 1.2, EL_MEDIUM }, /* the nearer side of an `and` */
    { "davg > 3 or kavg >= 5", 3, EL_HIGH },      /* the farther one of an `or` */
    { "davg > 3 or kavg >= 50", 3, EL_HIGH },     /* which does not count where it does not hold */
    { "davg - kavg / 2 >= 2", 3, EL_HIGH },       /* arithmetic */
    { "kavg <= 12 and davg >= 1", 2, EL_HIGH },   /* below a limit */
    { "davg >= 0.5 * kavg", -1, EL_HIGH },        /* no fixed limit: half a point */
    { "davg >= 3 and cmds >= 10", 3, EL_HIGH },   /* how much I/O there was is weighed by itself */
    { "not (davg < 3)", -1, EL_HIGH },
};

START_TEST(confidence_follows_the_margin) {
    struct made_world w;
    char text[256];
    const double davg[] = { 9, 9, 9, 9 }, kavg[] = { 6, 6, 6, 6 }, cmds[] = { 10, 10, 10, 10 };
    const double commands[] = { 50, 50, 50, 50 }, wait[] = { 1, 2, 3, 1 };
    (void)snprintf(text, sizeof text, RULE("a") "when = %s\nconfirm = max(kavg) > 5\n",
                   margins[_i].when);
    made_world(&w, text);
    uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
    made_feed(&w, lun, 4, 2, "davg", davg, "kavg", kavg, "cmds", cmds, "commands", commands,
              "wait_device", wait, NULL);
    made_finish(&w);
    const struct el_hit *hit = made_hit(&w, "a", lun);
    ck_assert(hit);
    if (margins[_i].margin < 0)
        ck_assert(isnan(hit->basis.margin));
    else
        near(hit->basis.margin, margins[_i].margin);
    ck_assert_msg(hit->confidence == margins[_i].confidence, "%s: %s", margins[_i].when,
                  el_confidence_name(hit->confidence));
    ck_assert_uint_eq(hit->window[0].samples, 4);
    near(hit->window[0].wait_device, 7);
    near(hit->window[0].peak, 60); /* 3 s over 50 commands */
    ck_assert_int_eq(hit->window[0].peak_at, hit->window[0].from + 15000);
    made_release(&w);
}
END_TEST

/* ---- profiles ---- */

#define LIMITS "[threshold lim]\nhdd = 8\nflash = 4\nvsan = 4\nunit = ms\n"

static const struct {
    unsigned profiles;
    enum el_profile fits;
    const char *davg;
    bool fires;
} lanes[] = {
    { 0, EL_HDD, "9", true },
    { 0, EL_HDD, "5", false },
    { 0, EL_FLASH, "5", true },
    { 0, EL_FLASH, "3", false },
    { 0, EL_NVME, "9", false }, /* no value: never reached */
    { 1u << EL_HDD | 1u << EL_FLASH, EL_FLASH, "5", true },
    { 1u << EL_HDD | 1u << EL_FLASH, EL_HDD, "5", false },
    { 1u << EL_HDD | 1u << EL_FLASH, EL_VSAN_PROFILE, "5", true }, /* alike: the lane of flash */
    { 1u << EL_HDD, EL_FLASH, "5", false },                        /* was not judged */
    { 31, EL_HDD, "9", true },
    { 31, EL_NFS_PROFILE, "9", false },
};

START_TEST(profiles_are_judged_side_by_side) {
    struct made_world w;
    made_world(
        &w,
        LIMITS RULE(
            "a") "when = davg >= lim\nif = share(davg >= lim) > 0.5\nbecause = {lim} {profile}\n");
    uint32_t lun = made_entity(&w, EL_LUN, "l", lanes[_i].fits);
    w.entity[lun].profiles = lanes[_i].profiles;
    made_letters(&w, lun, 1, "davg", lanes[_i].davg);
    made_finish(&w);
    const struct el_hit *hit = made_hit(&w, "a", lun);
    ck_assert((hit != NULL) == lanes[_i].fires);
    ck_assert_uint_eq(w.rules->rule[0]->lanes, 3); /* hdd; flash and vsan; nvme and nfs */
    if (hit)
        ck_assert_str_eq(hit->because, lanes[_i].fits == EL_HDD     ? "8 hdd"
                                       : lanes[_i].fits == EL_FLASH ? "4 flash"
                                                                    : "4 vsan");
    made_release(&w);
}
END_TEST

START_TEST(a_threshold_can_be_set_for_all) {
    struct el_ruleset *rs = el_ruleset_new();
    struct el_error err = { 0 };
    ck_assert(el_ruleset_parse(rs, "x", el_str(LIMITS RULE("a") "when = davg >= lim\n"), &err));
    ck_assert(el_ruleset_set(rs, "lim=2", &err));
    ck_assert(el_ruleset_compile(rs, &err));
    ck_assert_double_eq(el_ruleset_threshold(rs, "lim", EL_NVME), 2);
    ck_assert_uint_eq(rs->rule[0]->lanes, 1);
    ck_assert(el_missing(el_ruleset_threshold(rs, "none", EL_HDD)));
    el_ruleset_free(rs);
}
END_TEST

/* ---- match ---- */

START_TEST(a_rule_can_be_for_some_names) {
    struct made_world w;
    made_world(&w, RULE("a") "match = ^naa\\.6\nwhen = davg > 5\n" RULE(
                       "b") "match = ^naa\\.6\nif = members(lun) = 0\n");
    uint32_t fits = made_entity(&w, EL_LUN, "naa.61", EL_HDD),
             other = made_entity(&w, EL_LUN, "naa.51", EL_HDD);
    uint32_t silent = made_entity(&w, EL_LUN, "naa.62", EL_HDD);
    made_letters(&w, fits, 1, "davg", "9");
    made_letters(&w, other, 1, "davg", "9");
    made_finish(&w);
    ck_assert(made_hit(&w, "a", fits) && !made_hit(&w, "a", other) && !made_hit(&w, "a", silent));
    ck_assert(made_hit(&w, "b", fits) && !made_hit(&w, "b", other) && made_hit(&w, "b", silent));
    made_release(&w);
}
END_TEST

/* ---- groups ---- */

#define SLOW RULE("slow") "when = davg >= 5\n"
#define GROUP                                                                                      \
    "[group]\non = array host\nlayer = device\nseverity = critical\ntitle = {hits(\"slow\")} of "  \
    "{members(lun)}: {name}\n"                                                                     \
    "if = hits(\"slow\") >= 2 and hits(\"slow\") / members(lun) >= 0.5\noverrides = slow\n"

/* Members of the array: '9' slow, '1' not; lower case letters carry too little: 'i' slow, 'a' not.
 */
static const struct {
    const char *members;
    const char *title;
} groups[] = {
    { "99", "2 of 2: arr" },
    { "91", NULL },
    { "9911", "2 of 4: arr" },
    { "99111", NULL },
    { "99111aa", NULL },
    { "991a", "2 of 3: arr" },
    { "", NULL },
};

START_TEST(a_group_counts_its_members) {
    struct made_world w;
    made_world(
        &w,
        GROUP SLOW); /* the group's rule comes first in the file and still sees the other's hits */
    uint32_t array = made_entity(&w, EL_ARRAY, "arr", EL_HDD);
    uint32_t outside = made_entity(&w, EL_LUN, "outside", EL_HDD);
    made_letters(&w, outside, 1, "davg", "99");
    for (const char *m = groups[_i].members; *m; m++) {
        uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
        w.entity[lun].group = array;
        w.entity[lun].commands = *m >= 'a' ? 19 : 20;
        made_letters(&w, lun, 1, "davg", *m == '9' ? "199" : "111");
    }
    made_finish(&w);
    const struct el_hit *hit = made_hit(&w, "group", array);
    ck_assert((hit != NULL) == (groups[_i].title != NULL));
    ck_assert(made_hit(&w, "slow", outside)->folded_into == UINT32_MAX);
    if (hit) {
        ck_assert_int_eq(strncmp(hit->title, groups[_i].title, 1), 0);
        ck_assert(hit->windows == 1 && hit->window[0].from == 5000 && hit->window[0].to == 15000);
        ck_assert(hit->samples == 0 && hit->commands <= 0);
        ck_assert_ptr_eq(&w.hits.item[made_hit(&w, "slow", 2)->folded_into], hit);
    }
    made_release(&w);
}
END_TEST

START_TEST(the_other_rule_is_folded) {
    struct made_world w;
    made_world(
        &w,
        RULE("cause") "when = davg >= 5\noverrides = effect other\n" RULE(
            "effect") "when = kavg >= 5\noverrides = other\n" RULE("other") "when = kavg >= 1\n");
    uint32_t both = made_entity(&w, EL_LUN, "l", EL_HDD),
             one = made_entity(&w, EL_LUN, "m", EL_HDD);
    const double slow[] = { 9 }, fast[] = { 1 };
    made_feed(&w, both, 1, 1, "davg", slow, "kavg", slow, NULL);
    made_feed(&w, one, 1, 1, "davg", fast, "kavg", slow, NULL);
    w.entity[one].group = both; /* a lun's finding does not explain those of its members */
    made_finish(&w);
    ck_assert_uint_eq(w.hits.count, 5);
    ck_assert_uint_eq(made_hit(&w, "cause", both)->folded_into, UINT32_MAX);
    ck_assert_ptr_eq(&w.hits.item[made_hit(&w, "effect", both)->folded_into],
                     made_hit(&w, "cause", both));
    ck_assert_ptr_eq(&w.hits.item[made_hit(&w, "other", both)->folded_into],
                     made_hit(&w, "cause", both));
    ck_assert_uint_eq(made_hit(&w, "effect", one)->folded_into, UINT32_MAX);
    ck_assert_ptr_eq(&w.hits.item[made_hit(&w, "other", one)->folded_into],
                     made_hit(&w, "effect", one));
    made_release(&w);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

Suite *suite_rules_judge(void) {
    Suite *suite = suite_create("rules_judge");
    TCase *tc = tcase_create("judge");
    tcase_add_loop_test(tc, a_condition_has_to_hold_for_long, 0, ROWS(runs));
    tcase_add_test(tc, blocks_do_not_matter);
    tcase_add_loop_test(tc, a_gap_breaks_a_run, 0, ROWS(gaps));
    tcase_add_loop_test(tc, windows_are_in_order_of_time, 0, sizeof clocks / sizeof *clocks);
    tcase_add_test(tc, recurring_trouble_stays_apart);
    tcase_add_loop_test(tc, confidence_follows_commands_and_confirm, 0, ROWS(sure));
    tcase_add_loop_test(tc, confidence_follows_the_margin, 0, ROWS(margins));
    tcase_add_loop_test(tc, profiles_are_judged_side_by_side, 0, ROWS(lanes));
    tcase_add_test(tc, a_threshold_can_be_set_for_all);
    tcase_add_test(tc, a_rule_can_be_for_some_names);
    tcase_add_loop_test(tc, a_group_counts_its_members, 0, ROWS(groups));
    tcase_add_test(tc, the_other_rule_is_folded);
    suite_add_tcase(suite, tc);
    return suite;
}
