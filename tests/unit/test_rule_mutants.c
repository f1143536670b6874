/* Is every part of every shipped rule needed?  A rule that never fires, and a rule without one of its `if` and
 * `unless` conditions or without its `for`, must make a case of tests/rules/ come out otherwise.  Run from the
 * project's root. */
#include "test_rule_examples.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rule files, one after the other. */
static struct el_buf files;

static int only_rules(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".ini") == 0;
}

static void add_file(const char *name) {
    char path[300], piece[4096];
    size_t n;
    (void)snprintf(path, sizeof path, "rules/%.200s", name);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "no %s", path);
    while ((n = fread(piece, 1, sizeof piece, file)) > 0)
        el_buf_add(&files, piece, n);
    (void)fclose(file);
    el_buf_char(&files, '\n');
}

static void read_files(void) {
    struct dirent **entry = NULL;
    int count = scandir("rules", &entry, only_rules, alphasort);
    ck_assert_int_gt(count, 0);
    for (int i = 0; i < count; i++) {
        add_file(entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
}

/* The next line of a text, with its line end. */
static struct el_str next_line(struct el_str *rest) {
    const char *end = memchr(rest->ptr, '\n', rest->len);
    struct el_str line = { rest->ptr, end ? (size_t)(end - rest->ptr) + 1 : rest->len };
    *rest = el_str_from(*rest, line.len);
    return line;
}

/* The section of a rule, from its [line] to the next one. */
static struct el_str section_of(const char *id) {
    struct el_str rest = { files.ptr, files.len }, found = { NULL, 0 };
    char head[64];
    (void)snprintf(head, sizeof head, "[%s]", id);
    while (rest.len) {
        struct el_str line = next_line(&rest);
        if (found.ptr && line.ptr[0] == '[')
            break;
        if (!found.ptr && el_str_starts(line, head))
            found.ptr = line.ptr;
        if (found.ptr)
            found.len = (size_t)(line.ptr + line.len - found.ptr);
    }
    ck_assert_msg(found.ptr != NULL, "no section [%s]", id);
    return found;
}

static bool is_condition(struct el_str line) {
    return el_str_starts(line, "if ") || el_str_starts(line, "unless ") ||
           el_str_starts(line, "for ");
}

/* The section without its condition number `which`, and what goes on from it; false: it has not so many. */
static bool without(struct el_str section, size_t which, struct el_buf *out, struct el_str *gone) {
    size_t seen = 0;
    bool dropping = false;
    el_buf_clear(out);
    while (section.len) {
        struct el_str line = next_line(&section);
        bool goes_on = line.ptr[0] == ' ' || line.ptr[0] == '\t';
        if (is_condition(line)) {
            dropping = seen++ == which;
            if (dropping)
                *gone = el_str_trim(line);
        } else if (!goes_on) {
            dropping = false;
        }
        if (!dropping)
            el_buf_add(out, line.ptr, line.len);
    }
    return seen > which;
}

/* Does any case of the rule come out otherwise when `section` takes its place?  A set that cannot be compiled
 * tells, too. */
static bool is_noticed(const char *id, struct el_str section) {
    const struct examples *all = examples();
    struct el_ruleset *rules = el_ruleset_new();
    struct el_error err = { 0 };
    bool noticed = false;
    ck_assert_msg(el_ruleset_load(rules, "rules", &err), "%s", err.text);
    if (!el_ruleset_parse(rules, "mutant", section, &err) || !el_ruleset_compile(rules, &err)) {
        el_ruleset_free(rules);
        return true;
    }
    for (size_t i = 0; !noticed && i < all->count; i++)
        if (el_str_is(all->item[i]->rule, id))
            noticed = example_run(rules, all->item[i], NULL) != NULL;
    el_ruleset_free(rules);
    return noticed;
}

START_TEST(no_rule_can_be_left_out) {
    const struct examples *all = examples();
    const struct el_rule *rule = el_ruleset_rule(all->rules, (size_t)_i);
    struct el_buf b = { 0 };
    el_buf_print(&b, "[%s]\nlayer = none\nseverity = info\ntitle = t\nif = 1 > 2\n",
                 el_rule_id(rule));
    for (unsigned k = 0; k < EL_KINDS; k++)
        if (el_rule_kinds(rule) & EL_KIND_BIT(k))
            el_buf_print(&b, "on = %s\n", el_kind_name((enum el_kind)k));
    ck_assert_msg(is_noticed(el_rule_id(rule), (struct el_str){ b.ptr, b.len }),
                  "no case misses %s", el_rule_id(rule));
    el_buf_release(&b);
}
END_TEST

START_TEST(no_condition_can_be_left_out) {
    const char *id = el_rule_id(el_ruleset_rule(examples()->rules, (size_t)_i));
    struct el_str gone = { NULL, 0 };
    struct el_buf b = { 0 }, unheld = { 0 };
    read_files();
    for (size_t which = 0; without(section_of(id), which, &b, &gone); which++)
        if (!is_noticed(id, (struct el_str){ b.ptr, b.len }))
            el_buf_print(&unheld, "\n%s: no case misses '%.*s'", id, (int)gone.len, gone.ptr);
    ck_assert_msg(unheld.len == 0, "%s", unheld.ptr);
    el_buf_release(&b);
    el_buf_release(&unheld);
    el_buf_release(&files);
}
END_TEST

Suite *suite_rule_mutants(void) {
    Suite *s = suite_create("rule_mutants");
    TCase *tc = tcase_create("mutants");
    if (examples()->trouble.status == EL_OK) {
        int rules = (int)el_ruleset_count(examples()->rules);
        tcase_add_loop_test(tc, no_rule_can_be_left_out, 0, rules);
        tcase_add_loop_test(tc, no_condition_can_be_left_out, 0, rules);
    }
    suite_add_tcase(s, tc);
    return s;
}
