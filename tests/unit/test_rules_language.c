/* The expression language: precedence, units, and the complete text of every error. */
#include "test_rules_made.h"

#include <stdio.h>
#include <string.h>

/* ---- precedence: what a text means, fully bracketed ---- */

static const struct {
    const char *text, *tree;
} trees[] = {
    { "1", "1" },
    { "0.9", "0.9" },
    { ".5e1", "5" },
    { "davg > 1 or kavg > 2 and qavg > 3", "((davg > 1) or ((kavg > 2) and (qavg > 3)))" },
    { "not davg > 1 and kavg > 2", "(not((davg > 1)) and (kavg > 2))" },
    { "not not davg > 1", "not(not((davg > 1)))" },
    { "a - b - c", "((a - b) - c)" },
    { "a / b / c * d", "(((a / b) / c) * d)" },
    { "a + b * c", "(a + (b * c))" },
    { "(a + b) * c", "((a + b) * c)" },
    { "-a * b", "(-(a) * b)" },
    { "a - -b", "(a - -(b))" },
    { "a + 1 <= b * 2", "((a + 1) <= (b * 2))" },
    { "a<b", "(a < b)" },
    { "a >=b or c!=d or e= f", "(((a >= b) or (c != d)) or (e = f))" },
    { "min(a, max(b, 2))", "min(a, max(b, 2))" },
    { "share(davg > 1, hit) >= 0.5", "(share((davg > 1), hit) >= 0.5)" },
    { "hits(\"a-b\") > 1", "(hits(\"a-b\") > 1)" },
    { "a\t+\tb", "(a + b)" },
};

static struct el_line line_of(const char *text) {
    struct el_str s = el_str(text);
    return (struct el_line){ .file = "made", .number = 1, .whole = s, .value = s };
}

START_TEST(a_text_means_its_tree) {
    struct el_arena arena = { 0 };
    struct el_error err = { 0 };
    struct el_buf out = { 0 };
    struct el_node *root = NULL;
    struct el_line line = line_of(trees[_i].text);
    ck_assert_msg(el_parse_one(&arena, &line, 1, &root, &err), "%s", err.text);
    el_node_print(root, &out);
    ck_assert_str_eq(out.ptr, trees[_i].tree);
    el_buf_release(&out);
    el_arena_release(&arena);
}
END_TEST

/* Lines: an expression goes on in the next line, or the next line is one of its own. */
static const struct {
    const char *line[3];
    int conditions;
} lists[] = {
    { { "a > 1" }, 1 },
    { { "a > 1", "and b > 2" }, 1 },
    { { "a > 1 and", "b > 2" }, 1 },
    { { "mean(a,", "b > 1) > 2" }, 1 },
    { { "a > 1", "b > 2", "c > 3" }, 3 },
    { { "a > 1", "(b > 2)" }, 2 },
    { { "a > 1", "not b > 2", "or c > 1" }, 2 },
};

START_TEST(lines_go_on_or_stand_alone) {
    struct el_arena arena = { 0 };
    struct el_error err = { 0 };
    struct el_node *list = NULL;
    struct el_line line[3];
    size_t lines = 0;
    for (; lines < 3 && lists[_i].line[lines]; lines++)
        line[lines] = line_of(lists[_i].line[lines]);
    ck_assert_msg(el_parse(&arena, line, lines, &list, &err), "%s", err.text);
    int count = 0;
    for (; list; list = list->next)
        count++;
    ck_assert_int_eq(count, lists[_i].conditions);
    el_arena_release(&arena);
}
END_TEST

/* ---- units ---- */

static const struct {
    const char *when;
    const char *error; /* "": fits */
} units[] = {
    { "davg > kavg", "" },
    { "davg > 3", "" },
    { "davg > cmds", "cannot compare ms with 1/s" },
    { "davg + cmds > 1", "cannot add ms and 1/s" },
    { "davg - io_kb > 1", "cannot subtract ms and KB" },
    { "cmds * davg / 1000 > dqlen", "" },
    { "inflight >= 0.9 * dqlen", "" },
    { "actv / dqlen > load", "" },
    { "actv / dqlen > usd", "cannot compare a ratio with %" },
    { "qued > usd", "cannot compare a count with %" },
    { "cmds * seconds > commands", "" },
    { "commands / seconds > cmds", "" },
    { "commands / seconds > davg", "cannot compare 1/s with ms" },
    { "davg / kavg > 2", "" },
    { "davg / kavg > davg", "cannot compare a ratio with ms" },
    { "min(davg, cmds) > 1", "cannot compare ms with 1/s" },
    { "max(davg, kavg) > qavg", "" },
    { "abs(davg - kavg) > cmds", "cannot compare ms with 1/s" },
    { "davg > lim", "" },
    { "cmds > lim", "cannot compare 1/s with ms" },
    { "2 * lim > davg", "" },
    { "kshare * davg > kavg", "" },
    { "qued * davg > kavg", "" },
    { "davg * davg > cmds", "" }, /* a unit without a name fits everything */
};

START_TEST(units_are_checked) {
    char text[512];
    (void)snprintf(text, sizeof text, "[threshold lim]\nhdd = 1\nunit = ms\n%swhen = %s\n",
                   RULE("a"), units[_i].when);
    const char *error = made_error(text);
    if (!*units[_i].error)
        ck_assert_str_eq(error, "");
    else
        ck_assert_msg(strstr(error, units[_i].error), "%s", error);
}
END_TEST

/* ---- errors, complete ---- */

#define A RULE("a")

static const struct {
    const char *text, *error;
} errors[] = {
    /* lexer */
    { A "when = davg == 1\n",
      "made.ini:6:13: unexpected '=='\nwhen = davg == 1\n            ^^\nequality is written '='" },
    { A "when = davg > 1 && kavg > 1\n", "made.ini:6:17: unexpected '&&'\nwhen = davg > 1 && kavg "
                                         "> 1\n                ^^\nwrite 'and'" },
    { A "when = davg > 5ms\n",
      "made.ini:6:15: a number cannot carry a unit\nwhen = davg > 5ms\n              ^^^\n"
      "numbers are plain; the unit is that of what they are compared with" },
    { A "when = davg > 1.2.3\n", "made.ini:6:15: '1.2.3' is not a number, or too large\nwhen = "
                                 "davg > 1.2.3\n              ^^^^^" },
    { A "when = davg > 1e999\n", "made.ini:6:15: '1e999' is not a number, or too large\nwhen = "
                                 "davg > 1e999\n              ^^^^^" },
    { A "when = davg > \xc3\xa4\n",
      "made.ini:6:15: unexpected character '\xc3\xa4'\nwhen = davg > \xc3\xa4\n              ^" },
    { A "if = hits(\"b) > 1\n",
      "made.ini:6:11: the text is not closed by '\"'\nif = hits(\"b) > 1\n          ^^^^^^^" },
    /* parser */
    { A "when = davg >\n", "made.ini:6:14: expected a metric, a number or '(' at the end\nwhen = "
                           "davg >\n             ^" },
    { A "when = (davg > 1\n",
      "made.ini:6:17: expected ')' at the end\nwhen = (davg > 1\n                ^" },
    { A "when = davg > 1 kavg\n", "made.ini:6:17: expected an operator before 'kavg'\nwhen = davg "
                                  "> 1 kavg\n                ^^^^" },
    { A "when = 1 < davg < 3\n",
      "made.ini:6:17: comparisons do not chain\nwhen = 1 < davg < 3\n                ^\n"
      "join two comparisons with 'and'" },
    { A "if = mean(davg, hit, 1) > 1\n",
      "made.ini:6:22: no function takes more than 2 arguments\nif = mean(davg, hit, 1) > 1\n       "
      "              ^" },
    /* names */
    { A "when = kavgg >= 1\n", "made.ini:6:8: unknown metric 'kavgg'\nwhen = kavgg >= 1\n       "
                               "^^^^^\ndid you mean 'kavg'?" },
    { A "when   = kavg >= 1 and\n         xyzzy > 1\n",
      "made.ini:7:10: unknown metric 'xyzzy'\n         xyzzy > 1\n         ^^^^^" },
    { "[threshold davg_warn]\nhdd = 1\n" A "when = davg > davg_warm\n",
      "made.ini:8:15: unknown metric 'davg_warm'\nwhen = davg > davg_warm\n              "
      "^^^^^^^^^\ndid you mean 'davg_warn'?" },
    { A "when = aqlen > 1\n", "made.ini:6:8: metric 'aqlen' is not measured for lun\nwhen = aqlen "
                              "> 1\n       ^^^^^\nit is for adapter, path" },
    { A "if = meen(davg) > 1\n", "made.ini:6:6: unknown function 'meen'\nif = meen(davg) > 1\n     "
                                 "^^^^\ndid you mean 'mean'?" },
    { A "if = mean > 1\n", "made.ini:6:6: 'mean' needs parentheses\nif = mean > 1\n     ^^^^" },
    { A "if = hits(\"aa\") > 1\n", "made.ini:6:11: unknown rule 'aa'\nif = hits(\"aa\") > 1\n      "
                                   "    ^^^^\ndid you mean 'a'?" },
    { A "if = members(luns) > 1\n", "made.ini:6:14: unknown kind 'luns'\nif = members(luns) > 1\n  "
                                    "           ^^^^\ndid you mean 'lun'?" },
    /* types and places */
    { A "when = davg\n",
      "made.ini:6:8: expected a condition, but 'davg' is a number\nwhen = davg\n       ^^^^\n"
      "compare it with something, such as '> 0'" },
    { A "when = (davg > 1) + 1 > 2\n", "made.ini:6:8: expected a number, but '(davg > 1)' is a "
                                       "condition\nwhen = (davg > 1) + 1 > 2\n       ^^^^^^^^^^" },
    { A "when = davg > cmds\n",
      "made.ini:6:8: cannot compare ms with 1/s\nwhen = davg > cmds\n       ^^^^^^^^^^^" },
    { A "when = mean(davg) > 1\n",
      "made.ini:6:8: 'mean' cannot be used in 'when'\nwhen = mean(davg) > 1\n       ^^^^^^^^^^\n"
      "'when' is judged sample by sample; use it in 'if' or 'unless'" },
    { A "when = hit\n", "made.ini:6:8: 'hit' is what 'when' decides and cannot be part of it\nwhen "
                        "= hit\n       ^^^" },
    { A "if = davg > 1\n", "made.ini:6:6: 'davg' has a value for each sample, this condition is "
                           "judged once\nif = davg > 1\n     ^^^^\n"
                           "say which value is meant, such as mean(davg) or p95(davg)" },
    { A "if = mean(davg, hit) > 1\n", "made.ini:6:17: 'hit' needs a 'when', and this rule has "
                                      "none\nif = mean(davg, hit) > 1\n                ^^^" },
    { A "when = davg > 1\nif = hit\n", "made.ini:7:6: 'hit' stands only inside aggregates\nif = "
                                       "hit\n     ^^^\nsuch as mean(davg, hit) or share(hit)" },
    { A "if = mean(mean(davg)) > 1\n", "made.ini:6:11: 'mean' cannot stand inside an aggregate\nif "
                                       "= mean(mean(davg)) > 1\n          ^^^^^^^^^^" },
    { A "if = p95(davg, kavg) > 1\n", "made.ini:6:16: expected a condition, but 'kavg' is a "
                                      "number\nif = p95(davg, kavg) > 1\n               ^^^^\n"
                                      "compare it with something, such as '> 0'" },
    { A "if = share(davg) > 1\n", "made.ini:6:12: expected a condition, but 'davg' is a number\nif "
                                  "= share(davg) > 1\n           ^^^^\n"
                                  "compare it with something, such as '> 0'" },
    { A "if = p95() > 1\n",
      "made.ini:6:6: 'p95' is written p95(X [, C])\nif = p95() > 1\n     ^^^^^" },
    { A "if = hits(a) > 1\n",
      "made.ini:6:11: 'hits' is written hits(\"RULE-ID\")\nif = hits(a) > 1\n          ^" },
    { A "if = \"a\" > 1\n",
      "made.ini:6:6: a text stands only in hits(\"RULE-ID\")\nif = \"a\" > 1\n     ^^^" },
    { A "if = pct(davg) > 1\n",
      "made.ini:6:6: 'pct' stands alone in a text: {pct(X)}\nif = pct(davg) > 1\n     ^^^^^^^^^" },
    /* texts */
    { A "when = davg > 1\nbecause = {davgg} ms\n",
      "made.ini:7:12: unknown metric 'davgg'\nbecause = {davgg} ms\n           ^^^^^\ndid you mean "
      "'davg'?" },
    { A "when = davg > 1\nbecause = a {davg ms\n",
      "made.ini:7:13: '{' is not closed by '}'\nbecause = a {davg ms\n            ^\na brace "
      "itself is written {{" },
    { A "when = davg > 1\nbecause = {mean(}\n",
      "made.ini:7:17: expected a metric, a number or '(' at the end\nbecause = {mean(}\n           "
      "     ^" },
    { A "when = davg > 1\nbecause = { }\n", "made.ini:7:12: nothing between the braces\nbecause = "
                                            "{ }\n           ^\na brace is written {{" },
    /* files */
    { "davg = 1\n", "made.ini:1:1: a value outside any [section]\ndavg = 1\n^^^^^^^^" },
    { A "whenn = davg > 1\n",
      "made.ini:6:1: unknown key 'whenn'\nwhenn = davg > 1\n^^^^^\ndid you mean 'when'?" },
    { A "hdd = 1\n", "made.ini:6:1: unknown key 'hdd'\nhdd = 1\n^^^" },
    { A "when\n", "made.ini:6:1: expected 'key = value'\nwhen\n^^^^" },
    { "[a\n", "made.ini:1:1: the section's name is not closed by ']'\n[a\n^^" },
    { "[a] b\n", "made.ini:1:5: unexpected text after the section's name\n[a] b\n    ^" },
    { "[a]\n", "made.ini:1:2: the section is empty\n[a]\n ^" },
    { "[a]\n[b]\non = lun\n", "made.ini:1:2: the section is empty\n[a]\n ^" },
    { "[Ab]\non = lun\n",
      "made.ini:1:2: a rule's id is lower case letters, digits and '-'\n[Ab]\n ^^" },
    { "[rule a]\non = lun\n", "made.ini:1:2: a section is [RULE-ID], [threshold NAME] or [vendor "
                              "PREFIX]\n[rule a]\n ^^^^" },
    { "[threshold davg]\nhdd = 1\n",
      "made.ini:1:12: the name is that of a metric\n[threshold davg]\n           ^^^^" },
    { "[a23456789-123456789-123456789-123456789-1]\non = lun\n",
      "made.ini:1:2: the name is longer than 40 "
      "bytes\n[a23456789-123456789-123456789-123456789-1]\n"
      " ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^" },
    { A "when = davg > 1\n" RULE("a"),
      "made.ini:7:2: 'a' is already in line 1 of this file\n[a]\n ^" },
    { A "when = davg > 1\ndo = \x1b[1m\n",
      "made.ini:7:6: control character \\x1b\ndo = \\x1b[1m\n     ^^^^" },
    /* words */
    { "[a]\non = lunn\n",
      "made.ini:2:6: unknown kind 'lunn'\non = lunn\n     ^^^^\ndid you mean 'lun'?" },
    { "[a]\non = lun\nlayer = kernel\n", "made.ini:3:9: unknown layer 'kernel'\nlayer = kernel\n   "
                                         "     ^^^^^^\ndid you mean 'vmkernel'?" },
    { "[a]\non = lun\nlayer = guest\nseverity = warn\n",
      "made.ini:4:12: unknown severity 'warn'\nseverity = warn\n           ^^^^" },
    { "[a]\non = lun\nlayer = guest\nseverity = info\n",
      "made.ini:1:2: 'a' has no title\n[a]\n ^" },
    { A "source = x\n", "made.ini:1:2: 'a' has no condition ('when' or 'if')\n[a]\n ^" },
    { A "when = davg > 1\nfor = 3 days\n", "made.ini:7:7: expected such as '3 samples', '60 s' or "
                                           "'2 min', up to 1000000\nfor = 3 days\n      ^^^^^^" },
    { A "when = davg > 1\nfor = 1\nfor = 2 samples\n",
      "made.ini:8:7: 'for' takes one line\nfor = 2 samples\n      ^^^^^^^^^" },
    { A "when = davg > 1\nmatch = (\n", "made.ini:7:9: bad pattern '(': missing closing "
                                        "parenthesis at offset 1\nmatch = (\n        ^" },
    { A "when = davg > 1\noverrides = b\n",
      "made.ini:7:13: unknown rule 'b'\noverrides = b\n            ^\ndid you mean 'a'?" },
    { A "when = davg > 1\noverrides = a\n", "made.ini:1:2: rule 'a' overrides itself\n[a]\n ^" },
    { A "if = hits(\"b\") > 0\n" RULE("b") "if = hits(\"a\") > 0\n",
      "made.ini:7:2: rule 'b' counts the hits of 'a', which leads back to it\n[b]\n ^" },
    { "[threshold t]\nunit = ms\n", "made.ini:1:12: 't' has no value for any profile (hdd, flash, "
                                    "nvme, nfs, vsan)\n[threshold t]\n           ^" },
    { "[threshold t]\nhdd = many\n", "made.ini:2:7: expected a number\nhdd = many\n      ^^^^\n"
                                     "a profile that is left out never reaches the threshold" },
    { "[threshold t]\nhdd = 1\nunit = msec\n",
      "made.ini:3:8: unknown unit 'msec'\nunit = msec\n       ^^^^" },
    { "[vendor naa.5]\nprofile = flash\n",
      "made.ini:1:9: 'naa.5' has no name\n[vendor naa.5]\n        ^^^^^" },
    { "[vendor naa.5]\nname = X\nprofile = flsh\n",
      "made.ini:3:11: unknown profile 'flsh'\nprofile = flsh\n          ^^^^\ndid you mean "
      "'flash'?" },
    { "[vendor naa.5]\nname = X\ndo.ab = y\n" A "when = davg > 1\n",
      "made.ini:3:4: unknown rule 'ab'\ndo.ab = y\n   ^^\ndid you mean 'a'?" },
};

START_TEST(an_error_shows_the_text) {
    ck_assert_str_eq(made_error(errors[_i].text), errors[_i].error);
}
END_TEST

/* ---- limits ---- */

static void repeat(struct el_buf *out, const char *text, size_t times) {
    while (times-- > 0)
        el_buf_text(out, text);
}

static const struct {
    const char *before, *part;
    size_t times;
    const char *after, *error;
} limits[] = {
    { A "when = ", "(", 39, "1", "expected ')' at the end" },
    { A "when = ", "(", 40, "1", "the expression is nested deeper than 40" },
    { A "when = ", "-", 4000, "1", "the expression is nested deeper than 40" },
    { A "when = davg > 0", " + 1", 1000, "\n", "" },
    { A "when = davg > 0", " + 1", 1100, "\n", "the expression is longer than 4096 bytes" },
    { A "if = 0", " + hits(\"b\")", 65, " > 1\n" RULE("b") "when = davg > 1\n",
      "more than 64 aggregates in one expression" },
    { A "when = davg > 1\n", "do = x\n", 101, "", "more than 100 lines of 'do'" },
    { "# ", "0123456789abcdef", 65536, "", "made.ini: the file is larger than 1048576 bytes" },
};

START_TEST(limits_are_named) {
    struct el_buf text = { 0 };
    el_buf_text(&text, limits[_i].before);
    repeat(&text, limits[_i].part, limits[_i].times);
    el_buf_text(&text, limits[_i].after);
    const char *error = made_error(text.ptr);
    if (*limits[_i].error)
        ck_assert_msg(strstr(error, limits[_i].error), "%s", error);
    else
        ck_assert_str_eq(error, "");
    el_buf_release(&text);
}
END_TEST

START_TEST(a_long_line_is_cut_around_the_caret) {
    struct el_buf text = { 0 };
    el_buf_text(&text, A "when = davg > 0");
    repeat(&text, " and davg > 0", 20);
    el_buf_text(&text, " and foo > 1");
    repeat(&text, " and davg > 0", 20);
    ck_assert_str_eq(made_error(text.ptr), "made.ini:6:281: unknown metric 'foo'\n"
                                           " davg > 0 and davg > 0 and davg > 0 and foo > 1 and "
                                           "davg > 0 and davg > 0 and davg > 0 and davg \n"
                                           "                                        ^^^");
    el_buf_release(&text);
}
END_TEST

/* ---- --set ---- */

static const struct {
    const char *assignment, *error;
} sets[] = {
    { "lim=3", "" },
    { " lim = 3.5 ", "" },
    { "lin=3", "unknown threshold 'lin', did you mean 'lim'?" },
    { "zzzzzz=3", "unknown threshold 'zzzzzz'" },
    { "lim", "expected NAME=VALUE instead of 'lim'" },
    { "lim=x", "threshold 'lim' needs a number" },
};

START_TEST(thresholds_can_be_set) {
    struct el_ruleset *rs = el_ruleset_new();
    struct el_error err = { 0 };
    ck_assert(el_ruleset_parse(rs, "x", el_str("[threshold lim]\nhdd = 1\n"), &err));
    bool done = el_ruleset_set(rs, sets[_i].assignment, &err);
    ck_assert_str_eq(err.text, sets[_i].error);
    ck_assert(done == !*sets[_i].error && (done || err.status == EL_USAGE));
    ck_assert(el_ruleset_compile(rs, &err));
    ck_assert_double_eq(el_ruleset_threshold(rs, "lim", EL_NVME) > 1, done);
    el_ruleset_free(rs);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

Suite *suite_rules_language(void) {
    Suite *suite = suite_create("rules_language");
    TCase *tc = tcase_create("language");
    tcase_add_loop_test(tc, a_text_means_its_tree, 0, ROWS(trees));
    tcase_add_loop_test(tc, lines_go_on_or_stand_alone, 0, ROWS(lists));
    tcase_add_loop_test(tc, units_are_checked, 0, ROWS(units));
    tcase_add_loop_test(tc, an_error_shows_the_text, 0, ROWS(errors));
    tcase_add_loop_test(tc, limits_are_named, 0, ROWS(limits));
    tcase_add_test(tc, a_long_line_is_cut_around_the_caret);
    tcase_add_loop_test(tc, thresholds_can_be_set, 0, ROWS(sets));
    suite_add_tcase(suite, tc);
    return suite;
}
