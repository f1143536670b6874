/* What people read and write: texts of findings, --why, lists, files of rules. */
#include "test_rules_made.h"

#include <stdio.h>
#include <string.h>

#include "esxlat/base/num.h"

#define LIMITS "[threshold lim]\nhdd = 8\nflash = 4\nvsan = 4\nunit = ms\n"

/* ---- texts ---- */

static const struct {
    const char *text, *expanded;
} texts[] = {
    { "plain; # with signs", "plain; # with signs" },
    { "{name} {kind} {lun} {adapter} {vendor} {profile}", "vm\x1b 1 lun naa.5aa1 - ACME hdd" },
    { "{{print $1}", "{print $1}" },
    { "awk '{{print}' {davg}", "awk '{print}' 8" },
    { "{davg} ms", "8 ms" },
    { "{ mean( davg ) }", "8" },
    { "{pct(kavg/davg)} of it", "25.4 % of it" },
    { "{pct(share(davg > 8))}", "50 %" },
    { "{pct(kavg) } {kavg / davg}", "200 % 0.25" },
    { "{pct(0.5)}", "50 %" },
    { "{qavg} {pct(qavg)}", "- -" },
    { "{max(davg, kavg)} {max(davg)}", "8 9" },
    { "{mean(davg, not hit)} {mean(davg, known(davg))} {count(hit)}", "1 4.50 2" },
    { "{profile}: {why}", "hdd: -" },
    { "} {davg}}", "} 8}" },
    { "\xc3\xa4 {davg}\xff", "\xc3\xa4 8\xff" },
};

START_TEST(texts_are_filled_in) {
    struct made_world w;
    char text[512];
    /* the last two samples do not hit */
    const double davg[] = { 9, 7, 1, 1 }, kavg[] = { 2, 2, 2, 2 };
    (void)snprintf(text, sizeof text,
                   "[vendor naa.5aa]\nname = ACME\n" RULE("a") "when = davg >= 5\nbecause = %s\n",
                   texts[_i].text);
    made_world(&w, text);
    uint32_t lun = made_entity(&w, EL_LUN, "vm\x1b 1", EL_HDD);
    w.entity[lun].lun = "naa.5aa1";
    made_feed(&w, lun, 4, 4, "davg", davg, "kavg", kavg, NULL);
    made_finish(&w);
    ck_assert_str_eq(made_hit(&w, "a", lun)->because, texts[_i].expanded);
    made_release(&w);
}
END_TEST

START_TEST(keys_repeat_and_go_on) {
    struct made_world w;
    made_world(
        &w,
        "[vendor naa.5]\nname = Five\nprofile = nvme\ndo.a = no\n[vendor naa.5aa]\nname = ACME\n"
        "do.a = call {vendor}\n  and wait\ndo.b = never\n" RULE("b") "when = davg > 100\n" RULE(
            "a") "when = davg\n  >= 5\nbecause = one\n  two\ncheck = c1 ; c2 # c3\n# a "
                 "comment\ncheck=c4\n"
                 "do = d1\n   d2\nalso =\n  x\n  y\nsee = https://a?b=c;d\n");
    uint32_t lun = made_entity(&w, EL_LUN, "naa.5aa77", EL_HDD);
    made_letters(&w, lun, 1, "davg", "9");
    made_finish(&w);
    const struct el_hit *hit = made_hit(&w, "a", lun);
    ck_assert(hit);
    ck_assert_str_eq(hit->because, "one; two");
    ck_assert_uint_eq(hit->check.count, 2);
    ck_assert_str_eq(hit->check.item[0], "c1 ; c2 # c3");
    ck_assert_str_eq(hit->check.item[1], "c4");
    ck_assert_uint_eq(hit->act.count, 4);
    ck_assert_str_eq(hit->act.item[1], "d2");
    ck_assert_str_eq(hit->act.item[2], "call ACME");
    ck_assert_str_eq(hit->act.item[3], "and wait");
    ck_assert_uint_eq(hit->also.count, 2);
    ck_assert_str_eq(hit->see.item[0], "https://a?b=c;d");
    ck_assert_str_eq(el_ruleset_vendor(w.rules, el_str("naa.5bb"))->name, "Five");
    ck_assert_int_eq((int)el_ruleset_vendor(w.rules, el_str("naa.5bb"))->profile, EL_NVME);
    ck_assert_int_eq((int)el_ruleset_vendor(w.rules, el_str("naa.5aa77"))->profile, EL_AUTO);
    ck_assert_ptr_null(el_ruleset_vendor(w.rules, el_str("naa.6")));
    made_release(&w);
}
END_TEST

/* A check is pasted into a shell: a name from a capture stays one word there. */
static const struct {
    const char *name, *shown;
} pasted[] = {
    { "naa.600a", "look -d naa.600a" },
    { "mpx.vmhba0:C0:T0:L0", "look -d mpx.vmhba0:C0:T0:L0" },
    { "a b", "look -d 'a b'" },
    { "$(reboot)", "look -d '$(reboot)'" },
    { "x'; reboot; '", "look -d 'x'\\''; reboot; '\\'''" },
    { "-rf", "look -d '-rf'" },
};

START_TEST(names_in_checks_are_one_word) {
    struct made_world w;
    made_world(&w, RULE("a") "when = davg >= 5\nbecause = {lun}\ncheck = look -d {lun}\n");
    uint32_t lun = made_entity(&w, EL_LUN, pasted[_i].name, EL_HDD);
    w.entity[lun].lun = pasted[_i].name;
    const double davg[] = { 9 };
    made_feed(&w, lun, 1, 1, "davg", davg, NULL);
    made_finish(&w);
    const struct el_hit *hit = made_hit(&w, "a", lun);
    ck_assert(hit && hit->check.count == 1);
    ck_assert_str_eq(hit->check.item[0], pasted[_i].shown);
    ck_assert_str_eq(hit->because, pasted[_i].name); /* no command, no quotes */
    made_release(&w);
}
END_TEST

/* ---- why ---- */

/* A ruleset that explains keeps what the metrics in `when` were over the capture. */
START_TEST(why_tells_what_was_measured) {
    struct made_world w = { .step_ms = 5000 };
    struct el_error err;
    struct el_ruleset *rules = el_ruleset_new();
    el_ruleset_explain(rules);
    ck_assert(el_ruleset_parse(rules, "r.ini", el_str(RULE("a") "when = davg > 9 and qavg > 1\n"),
                               &err) &&
              el_ruleset_compile(rules, &err));
    w.rules = rules;
    w.judge = el_judge_new(rules);
    uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
    const double davg[] = { 9, 9, 1, 9 };
    made_feed(&w, lun, 4, 4, "davg", davg, NULL);
    made_finish(&w);
    ck_assert_str_eq(made_why(&w, lun),
                     "a: silent, 'when' never held\n"
                     "    when    davg > 9 and qavg > 1\n"
                     "            held in 0 of 4 samples, at most 0 in a row; needs 1 sample\n"
                     "            davg mean 7.00, max 9.00; qavg not known\n");
    made_release(&w);
}
END_TEST

START_TEST(why_tells_where_a_rule_stopped) {
    struct made_world w;
    made_world(
        &w,
        LIMITS RULE(
            "fires") "when = davg >= lim\nif = mean(kavg) > 1\n"
                     "unless = mean(qavg) > lim\n" RULE(
                         "short") "when = davg >= 5\nfor = 60 "
                                  "s\n" RULE(
                                      "never") "when = davg "
                                               "> 9\n" RULE(
                                                   "if") "if "
                                                         "= "
                                                         "hit"
                                                         "s("
                                                         "\"f"
                                                         "ire"
                                                         "s\""
                                                         ") "
                                                         "> "
                                                         "0"
                                                         "\n" RULE(
                                                             "unless") "when = davg > 1\nunless = "
                                                                       "max(davg) =\n  9\n");
    uint32_t lun = made_entity(&w, EL_LUN, "l", EL_HDD);
    const double davg[] = { 9, 9, 1, 9 }, kavg[] = { 2, 2, 2, 2 };
    made_feed(&w, lun, 4, 4, "davg", davg, "kavg", kavg, NULL);
    made_finish(&w);
    ck_assert_str_eq(
        made_why(&w, lun),
        "fires: fired\n"
        "    when    davg >= lim\n"
        "            held in 3 of 4 samples, at most 2 in a row; needs 1 sample; lim = 8.00\n"
        "    confidence medium of its own: 3 samples, no second sign to confirm it, worst sample "
        "1.12 "
        "times "
        "the rule's limit\n"
        "    if      mean(kavg) > 1\n"
        "            holds: mean(kavg) = 2.00\n"
        "    unless  mean(qavg) > lim\n"
        "            unknown: mean(qavg) = -; lim = 8.00\n"
        "short: silent, 'when' did not hold long enough\n"
        "    when    davg >= 5\n"
        "            held in 3 of 4 samples, at most 2 in a row; needs 60 s\n"
        "never: silent, 'when' never held\n"
        "    when    davg > 9\n"
        "            held in 0 of 4 samples, at most 0 in a row; needs 1 sample\n"
        "if: silent, an 'if' does not hold\n"
        "    if      hits(\"fires\") > 0\n"
        "            does not hold: hits(\"fires\") = 0.00\n"
        "unless: silent, an 'unless' holds\n"
        "    when    davg > 1\n"
        "            held in 3 of 4 samples, at most 2 in a row; needs 1 sample\n"
        "    unless  (max(davg) = 9)\n"
        "            holds: max(davg) = 9.00\n");
    made_release(&w);
}
END_TEST

/* ---- files ---- */

START_TEST(a_later_file_replaces) {
    struct el_ruleset *rs = el_ruleset_new();
    struct el_error err = { 0 };
    ck_assert(el_ruleset_parse(
        rs, "one", el_str(LIMITS RULE("a") "when = davg > 1\n" RULE("b") "when = davg > 1\n"),
        &err));
    ck_assert(
        el_ruleset_parse(rs, "two",
                         el_str("[threshold lim]\nnvme = 3\n[a]\r\non = vm\r\nlayer = guest\r\n"
                                "severity = critical\r\ntitle = u\r\nwhen = lat > 1"),
                         &err));
    ck_assert_msg(el_ruleset_compile(rs, &err), "%s", err.text);
    ck_assert_uint_eq(el_ruleset_count(rs), 2);
    const struct el_rule *a = el_ruleset_find(rs, el_str("a"));
    ck_assert_ptr_eq(a, el_ruleset_rule(rs, 0));
    ck_assert(el_rule_kinds(a) == EL_KIND_BIT(EL_VM) && el_rule_layer(a) == EL_GUEST &&
              el_rule_severity(a) == EL_CRITICAL);
    ck_assert(el_missing(el_ruleset_threshold(rs, "lim", EL_HDD)));
    ck_assert_double_eq(el_ruleset_threshold(rs, "lim", EL_NVME), 3);
    el_ruleset_free(rs);
}
END_TEST

static const struct {
    const char *path;
    enum el_status status;
    const char *error;
} paths[] = {
    { "no/such/file.ini", EL_SYSTEM, "cannot read 'no/such/file.ini': No such file or directory" },
    { "/dev/null", EL_OK, "" },
    { "/dev", EL_RULES, "no rule files (*.ini) in '/dev'" },
};

START_TEST(paths_are_read) {
    struct el_ruleset *rs = el_ruleset_new();
    struct el_error err = { 0 };
    ck_assert(el_ruleset_load(rs, paths[_i].path, &err) == (paths[_i].status == EL_OK));
    ck_assert_int_eq((int)err.status, (int)paths[_i].status);
    ck_assert_str_eq(err.text, paths[_i].error);
    el_ruleset_free(rs);
}
END_TEST

/* ---- lists for people ---- */

/* Longest line, in code points. */
static size_t widest(const char *text) {
    size_t best = 0, width = 0;
    for (; *text; text++) {
        width = *text == '\n' ? 0 : width + (((unsigned char)*text & 0xc0) != 0x80);
        best = width > best ? width : best;
    }
    return best;
}

START_TEST(lists_fit_80_columns) {
    struct el_ruleset *rs = made_rules(
        LIMITS RULE("a") "when = davg >= lim\nfor = 60 s\ncheck = some words that go on and on, "
                         "far beyond the right margin of a terminal with eighty columns\n");
    struct el_buf out = { 0 };
    struct el_error err = { 0 };
    el_rules_list(rs, &out);
    el_rules_metrics(rs, &out);
    ck_assert(el_rules_explain(rs, "a", &out, &err));
    ck_assert_uint_le(widest(out.ptr), 80);
    ck_assert(strstr(out.ptr, "for         60 s\n") &&
              strstr(out.ptr, "thresholds  lim: hdd 8 flash 4 vsan 4 ms\n"));
    ck_assert(!el_rules_explain(rs, "aa", &out, &err));
    ck_assert_str_eq(err.text, "unknown rule 'aa', did you mean 'a'?");
    el_buf_release(&out);
    el_ruleset_free(rs);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

Suite *suite_rules_texts(void) {
    Suite *suite = suite_create("rules_texts");
    TCase *tc = tcase_create("texts");
    tcase_add_loop_test(tc, texts_are_filled_in, 0, ROWS(texts));
    tcase_add_test(tc, keys_repeat_and_go_on);
    tcase_add_loop_test(tc, names_in_checks_are_one_word, 0, (int)(sizeof pasted / sizeof *pasted));
    tcase_add_test(tc, why_tells_where_a_rule_stopped);
    tcase_add_test(tc, why_tells_what_was_measured);
    tcase_add_test(tc, a_later_file_replaces);
    tcase_add_loop_test(tc, paths_are_read, 0, ROWS(paths));
    tcase_add_test(tc, lists_fit_80_columns);
    suite_add_tcase(suite, tc);
    return suite;
}
