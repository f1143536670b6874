/* The shipped rules against the cases of tests/rules/ (its README.md is the format).  Run from the
 * project's root. */
#include "test_rule_examples.h"

#include <string.h>

/* The part of the explanation that is about the rule: from "RULE-ID: " to the next line without
 * indent. */
static struct el_str about(struct el_buf *why, struct el_str rule) {
    struct el_str rest = { why->ptr, why->len };
    while (rest.len) {
        size_t n = 1;
        while (n < rest.len && (rest.ptr[n - 1] != '\n' || rest.ptr[n] == ' '))
            n++;
        struct el_str part = { rest.ptr, n };
        if (n > rule.len && memcmp(rest.ptr, rule.ptr, rule.len) == 0 && rest.ptr[rule.len] == ':')
            return part;
        rest = el_str_from(rest, n);
    }
    return EL_STR("it is not for this entity\n");
}

START_TEST(a_case_comes_out_as_it_says) {
    static const char *const words[] = { "silent", "fires", "folded" };
    const struct example *x = examples()->item[_i];
    struct el_buf why = { 0 };
    if (!el_ruleset_find(examples()->rules, x->rule))
        ck_abort_msg("%s:%u: unknown rule '%.*s'", x->file, x->line, (int)x->rule.len, x->rule.ptr);
    if (!x->entities)
        ck_abort_msg("%s:%u: a case without entities", x->file, x->line);
    const char *wrong = example_run(examples()->rules, x, &why);
    struct el_str told = about(&why, x->rule);
    if (wrong)
        ck_abort_msg("%s:%u: [%.*s] %s: %.*s: but %s\n%.*s", x->file, x->line, (int)x->rule.len,
                     x->rule.ptr, words[x->verdict], (int)x->why.len, x->why.ptr ? x->why.ptr : "",
                     wrong, (int)told.len, told.ptr);
    el_buf_release(&why);
}
END_TEST

START_TEST(rules_and_cases_can_be_read) {
    ck_assert_msg(examples()->trouble.status == EL_OK, "%s", examples()->trouble.text);
    ck_assert_uint_gt(examples()->count, 0);
}
END_TEST

START_TEST(every_rule_has_cases) {
    struct el_buf lacking = { 0 };
    const struct examples *all = examples();
    for (size_t r = 0; r < el_ruleset_count(all->rules); r++) {
        const char *id = el_rule_id(el_ruleset_rule(all->rules, r));
        bool fires = false, silent = false;
        for (size_t i = 0; i < all->count; i++)
            if (el_str_is(all->item[i]->rule, id)) {
                fires = fires || all->item[i]->verdict != SILENT;
                silent = silent || all->item[i]->verdict == SILENT;
            }
        if (!fires || !silent)
            el_buf_print(&lacking, "\n%s has no %s case", id,
                         fires    ? "silent"
                         : silent ? "firing"
                                  : "firing or silent");
    }
    ck_assert_msg(lacking.len == 0, "%s", lacking.ptr);
}
END_TEST

Suite *suite_rule_cases(void) {
    Suite *suite = suite_create("rule_cases");
    TCase *tc = tcase_create("cases");
    tcase_add_test(tc, rules_and_cases_can_be_read);
    if (examples()->trouble.status == EL_OK) {
        tcase_add_test(tc, every_rule_has_cases);
        tcase_add_loop_test(tc, a_case_comes_out_as_it_says, 0, (int)examples()->count);
    }
    suite_add_tcase(suite, tc);
    return suite;
}
