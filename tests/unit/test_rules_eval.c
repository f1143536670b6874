/* Evaluation: three-valued logic, arithmetic, and every aggregate against values worked out by
 * hand. */
#include "test_rules_made.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "esxlat/base/num.h"

/* ---- three-valued logic, through share() and count(), which see what is unknown ---- */

/* davg is x, kavg is y; "-" is missing.  Expected: '1' true, '0' false, '-' unknown. */
static const struct {
    const char *condition;
    const char *x, *y, *expected;
} logic[] = {
    { "davg = 1 and kavg = 1", "111000---", "10-10-10-", "10-000-0-" },
    { "davg = 1 or kavg = 1", "111000---", "10-10-10-", "11110-1--" },
    { "not davg = 1", "10-", "000", "01-" },
    { "not (davg = 1 and kavg = 1)", "111000---", "10-10-10-", "01-111-1-" },
    { "davg < kavg", "123-1", "2221-", "100--" },
    { "davg <= kavg", "123-1", "2221-", "110--" },
    { "davg > kavg", "123-1", "2221-", "001--" },
    { "davg >= kavg", "123-1", "2221-", "011--" },
    { "davg = kavg", "123-1", "2221-", "010--" },
    { "davg != kavg", "123-1", "2221-", "101--" },
    { "2 < davg", "123-", "0000", "001-" },
    { "2 >= davg", "123-", "0000", "110-" },
    { "davg + kavg = 3", "12-1", "115-", "01--" },
    { "3 - davg = 2", "12-", "000", "10-" },
    { "davg / kavg > 0", "1101-", "1-001", "1----" }, /* nothing can be said of a division by 0 */
    { "2 / davg = 1", "120", "000", "01-" },
    { "min(davg, kavg) = 1", "12-1", "215-", "11--" },
    { "max(davg, kavg) = 2", "12-1", "215-", "11--" },
    { "min(davg, 2) = 2", "123-", "0000", "011-" },
    { "abs(0 - davg) = 2", "12-", "000", "01-" },
    { "abs(-davg) = 2", "12-", "000", "01-" },
    { "round(davg / 2) = 1", "123-", "0000", "110-" },
    { "ceil(davg / 2) = 2", "1234-", "00000", "0011-" },
    { "known(davg)", "12-", "000", "110" },
    { "known(davg / kavg)", "11-", "101", "100" },
    { "not known(davg) or kavg = 1", "1-1", "000", "010" },
    { "known(aqlen)", "1", "0", "0" },
    { "aqlen > 0 or davg = 1", "10-", "000",
      "1--" }, /* a metric that the entity lacks is unknown */
    { "1 > 2 or davg = 1", "10-", "000", "10-" },
    { "1 < 2", "1-", "00", "11" },
    { "davg = 1 and (kavg = 1 or (kavg = 0 and davg = 1))", "1100", "1010", "1100" },
};

static double letter(char c) {
    return c == '-' ? EL_NAN : c - '0';
}

START_TEST(logic_has_three_values) {
    struct made_world w;
    char text[512];
    double x[16], y[16];
    size_t rows = strlen(logic[_i].x), known = 0, held = 0;
    (void)snprintf(
        text, sizeof text,
        "[a]\non = lun adapter\nlayer = none\nseverity = info\ntitle = t\nif = 1 > 0\n"
        "because = {share(%s)}\n[b]\non = lun adapter\nlayer = none\nseverity = info\ntitle = t\n"
        "if = 1 > 0\nbecause = {count(%s)}\n[c]\non = lun adapter\nlayer = none\nseverity = info\n"
        "title = t\nwhen = %s\n",
        logic[_i].condition, logic[_i].condition, logic[_i].condition);
    for (size_t i = 0; i < rows; i++) {
        x[i] = letter(logic[_i].x[i]);
        y[i] = letter(logic[_i].y[i]);
        known += logic[_i].expected[i] != '-';
        held += logic[_i].expected[i] == '1';
    }
    made_world(&w, text);
    uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
    made_feed(&w, lun, rows, rows, "davg", x, "kavg", y, NULL);
    for (size_t i = 0; i < rows; i++) { /* each row alone, which also takes every short cut */
        uint32_t one = made_entity(&w, EL_LUN, "l", EL_HDD);
        made_feed(&w, one, 1, 1, "davg", &x[i], "kavg", &y[i], NULL);
        double share = made_value(&w, "a", one);
        ck_assert_msg(logic[_i].expected[i] == '-' ? isnan(share)
                                                   : share == letter(logic[_i].expected[i]),
                      "%s: row %zu gives %g", logic[_i].condition, i, share);
    }
    made_finish(&w);
    ck_assert_double_eq(made_value(&w, "b", lun), (double)held);
    ck_assert_double_eq_tol(made_value(&w, "a", lun), (double)held / (double)known, 1e-12);
    const struct el_hit *hit = made_hit(&w, "c", lun);
    ck_assert_uint_eq(hit ? hit->samples : 0, held);
    made_release(&w);
}
END_TEST

/* ---- aggregates ---- */

/* Five samples of 5, 5, 10, 5, 5 seconds; the last DAVG is missing.
 *   cmds 10 20 5 40 10 -> commands 50 100 50 200 50;  reads half of them;  davg 1 2 4 3 -;  ats 1 2
 * 3 4 5 */
static const struct {
    const char *expression;
    double value;
} figures[] = {
    { "mean(davg)", (50 * 1 + 100 * 2 + 50 * 4 + 200 * 3) / 400.0 },
    { "davg", (50 * 1 + 100 * 2 + 50 * 4 + 200 * 3) / 400.0 },
    { "mean(davg_rd)", (25 * 1 + 50 * 2 + 50 * 4 + 100 * 3) / 225.0 }, /* reads: rate x seconds */
    { "mean(cmds)", (10 * 5 + 20 * 5 + 5 * 10 + 40 * 5 + 10 * 5) / 30.0 },
    { "mean(cmds * davg)",
      (50 * 10 + 100 * 40 + 50 * 20 + 200 * 120) / 400.0 }, /* DAVG is per command: its weight */
    { "mean(ats)", 3 },                                     /* counts: every sample the same */
    { "mean(davg, cmds >= 20)", (100 * 2 + 200 * 3) / 300.0 },
    { "p50(davg)", 3 }, /* weights 50 100 200 50 of 1 2 3 4: half of 400 lies at 3 */
    { "p95(davg)", 4 },
    { "p99(davg)", 4 },
    { "p50(cmds)", 10 }, /* by time: 5 at 10 s, 10 at 10 s, 20, 40 */
    { "max(davg)", 4 },
    { "min(davg)", 1 },
    { "max(davg, cmds > 5)", 3 },
    { "min(davg, cmds > 10)", 2 },
    { "sum(commands)", 450 },
    { "sum(ats)", 15 },
    { "sum(ats, davg > 1)", 9 },
    { "share(davg > 1)", 0.75 },
    { "share(davg > 1, cmds < 40)", 2 / 3.0 },
    { "count(davg > 1)", 3 },
    { "count(davg > 1, cmds < 40)", 2 },
    { "stdev(ats)", 1.4142135623730951 },
    { "cv(ats)", 0.47140452079103168 },
    { "stdev(davg)", 0.856957 }, /* mean 2.625; (50 x 1.625^2 + 100 x .625^2 + 50 x 1.375^2 + 200 x
                                    .375^2) / 400 */
    { "slope(steady)", 12 },
    { "mean(3)", 3 },
    { "mean(davg) / 2 + max(1, 2)", 1.3125 + 2 },
    { "mean(aqlen)", -1 }, /* -1: nothing */
    { "max(aqlen)", -1 },
    { "share(aqlen > 1)", -1 },
    { "count(aqlen > 1)", 0 },
    { "p50(aqlen)", -1 },
    { "mean(davg, davg > 100)", -1 },
    { "lim", 7 },
};

START_TEST(a_figure_is_as_by_hand) {
    static const double seconds[] = { 5, 5, 10, 5, 5 }, cmds[] = { 10, 20, 5, 40, 10 },
                        reads[] = { 5, 10, 5, 20, 5 }, commands[] = { 50, 100, 50, 200, 50 },
                        ats[] = { 1, 2, 3, 4, 5 },
                        kavg[] = { 1, 2, 3, 4, 5 }; /* 1 more every 5 s */
    const double davg[] = { 1, 2, 4, 3, EL_NAN };
    struct made_world w;
    char text[512], expression[128];
    const char *steady = strstr(figures[_i].expression, "steady");
    (void)snprintf(expression, sizeof expression, "%s",
                   steady ? "slope(kavg)" : figures[_i].expression);
    (void)snprintf(text, sizeof text,
                   "[threshold lim]\nhdd = 7\n[a]\non = lun adapter\nlayer = none\nseverity = "
                   "info\ntitle = t\n"
                   "if = 1 > 0\nbecause = {%s}\n",
                   expression);
    for (size_t block = 1; block <= 5; block++) {
        made_world(&w, text);
        uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
        made_feed(&w, lun, 5, block, "seconds", seconds, "cmds", cmds, "reads", reads, "commands",
                  commands, "davg", davg, "davg_rd", davg, "ats", ats, "kavg", kavg, NULL);
        double value = made_value(&w, "a", lun);
        if (figures[_i].value < 0)
            ck_assert_msg(isnan(value), "%s is %g", expression, value);
        else
            ck_assert_double_eq_tol(value, figures[_i].value, expression[0] == 'p' ? 0.06 : 1e-6);
        made_release(&w);
    }
}
END_TEST

/* Weights where the capture lacks what they are made of. */
static const struct {
    const char *expression;
    const char *lacks;
    double value;
} fallbacks[] = {
    { "mean(davg_rd)", "reads", (10 * 1 + 30 * 3) / 40.0 }, /* all commands */
    { "mean(davg)", "commands", (1 + 3) / 2.0 },            /* seconds */
    { "mean(davg_rw)", "writes", (10 * 1 + 30 * 3) / 40.0 },
    { "mean(davg_rw)", "", (2 * 1 + 10 * 3) / 12.0 },
};

START_TEST(a_weight_has_a_substitute) {
    static const double commands[] = { 10, 30 }, reads[] = { .1, 1 }, writes[] = { .3, 1 },
                        davg[] = { 1, 3 };
    struct made_world w;
    char text[256];
    (void)snprintf(text, sizeof text, RULE("a") "if = 1 > 0\nbecause = {%s}\n",
                   fallbacks[_i].expression);
    made_world(&w, text);
    uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
    made_feed(&w, lun, 2, 2, "davg", davg, "davg_rd", davg, "davg_rw", davg,
              strcmp(fallbacks[_i].lacks, "commands") ? "commands" : "dqlen", commands,
              strcmp(fallbacks[_i].lacks, "reads") ? "reads" : "dqlen", reads,
              strcmp(fallbacks[_i].lacks, "writes") ? "writes" : "dqlen", writes, NULL);
    ck_assert_double_eq_tol(made_value(&w, "a", lun), fallbacks[_i].value, 1e-12);
    made_release(&w);
}
END_TEST

/* ---- aggregates over hits ---- */

/* when: davg >= 5; davg 1 6 7 2 9, kavg 1 2 3 4 5, 10 commands each. */
static const struct {
    const char *expression;
    double value;
} on_hits[] = {
    { "kavg", (2 + 3 + 5) / 3.0 },
    { "mean(kavg)", (2 + 3 + 5) / 3.0 },
    { "mean(kavg, hit)", (2 + 3 + 5) / 3.0 },
    { "mean(kavg, davg > 6)", 4 },
    { "max(kavg)", 5 },
    { "share(kavg >= 3)", 2 / 3.0 },
    { "count(kavg >= 0)", 3 },
};

START_TEST(texts_look_at_the_hits) {
    const double davg[] = { 1, 6, 7, 2, 9 }, kavg[] = { 1, 2, 3, 4, 5 },
                 commands[] = { 10, 10, 10, 10, 10 };
    struct made_world w;
    char text[256];
    (void)snprintf(text, sizeof text, RULE("a") "when = davg >= 5\nbecause = {%s}\n",
                   on_hits[_i].expression);
    for (size_t block = 1; block <= 5; block++) {
        made_world(&w, text);
        uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
        made_feed(&w, lun, 5, block, "davg", davg, "kavg", kavg, "commands", commands, NULL);
        ck_assert_double_eq_tol(made_value(&w, "a", lun), on_hits[_i].value, 1e-12);
        made_release(&w);
    }
}
END_TEST

/* The same samples; conditions in `if` say what they look at. */
static const struct {
    const char *condition;
    bool fires;
} ifs[] = {
    { "mean(kavg) = 3", true },
    { "mean(kavg, hit) > 3.3 and mean(kavg, hit) < 3.4", true },
    { "mean(kavg, not hit) = 2.5", true },
    { "share(hit) = 0.6", true },
    { "count(hit) = 3", true },
    { "count(hit and kavg > 2) = 2", true },
    { "mean(kavg, hit or kavg > 3) = 3.5", true },
    { "max(davg, not hit) = 2", true },
    { "max(davg) > max(davg, hit)", false },
    { "mean(aqlen) > 1 or mean(kavg) = 3", true },
    { "mean(aqlen) > 1", false },
    { "not mean(aqlen) > 1", false },
};

START_TEST(conditions_say_what_they_look_at) {
    const double davg[] = { 1, 6, 7, 2, 9 }, kavg[] = { 1, 2, 3, 4, 5 },
                 commands[] = { 10, 10, 10, 10, 10 };
    struct made_world w;
    char text[256];
    (void)snprintf(text, sizeof text,
                   "[a]\non = lun adapter\nlayer = none\nseverity = info\ntitle = t\nwhen = davg "
                   ">= 5\nif = %s\n",
                   ifs[_i].condition);
    for (size_t block = 1; block <= 5; block++) {
        made_world(&w, text);
        uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
        made_feed(&w, lun, 5, block, "davg", davg, "kavg", kavg, "commands", commands, NULL);
        made_finish(&w);
        ck_assert((made_hit(&w, "a", lun) != NULL) == ifs[_i].fires);
        made_release(&w);
    }
}
END_TEST

START_TEST(equal_aggregates_are_shared) {
    struct el_ruleset *rs =
        made_rules(RULE("a") "if = mean(davg) > 1 and p95( davg ) > 1\nif = max(davg) > 0\n" RULE(
            "b") "if = (mean((davg)) > 2)\nbecause = {davg} {mean(davg, kavg > "
                 "1)}\n" RULE("c") "when = davg > 1\nif = share(kavg > 1, hit) > 0.5\n"
                                   "because = {share(kavg > 1)} {kavg} {mean(kavg, "
                                   "hit)}\n");
    ck_assert_uint_eq(rs->measures, 2);
    ck_assert_uint_eq(rs->rule[2]->measures, 2);
    ck_assert(el_ruleset_needs(rs, EL_LUN, EL_M_davg) && el_ruleset_needs(rs, EL_LUN, EL_M_kavg));
    ck_assert(el_ruleset_needs(rs, EL_LUN, EL_M_commands) &&
              !el_ruleset_needs(rs, EL_LUN, EL_M_qavg));
    ck_assert(!el_ruleset_needs(rs, EL_VM, EL_M_commands));
    el_ruleset_free(rs);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

Suite *suite_rules_eval(void) {
    Suite *suite = suite_create("rules_eval");
    TCase *tc = tcase_create("eval");
    tcase_add_loop_test(tc, logic_has_three_values, 0, ROWS(logic));
    tcase_add_loop_test(tc, a_figure_is_as_by_hand, 0, ROWS(figures));
    tcase_add_loop_test(tc, a_weight_has_a_substitute, 0, ROWS(fallbacks));
    tcase_add_loop_test(tc, texts_look_at_the_hits, 0, ROWS(on_hits));
    tcase_add_loop_test(tc, conditions_say_what_they_look_at, 0, ROWS(ifs));
    tcase_add_test(tc, equal_aggregates_are_shared);
    suite_add_tcase(suite, tc);
    return suite;
}
