/* rules/README.md against rules/: every known cause has a row, every id it names exists, every rule is named.
 * Run from the project's root. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "esxlat/rules/rules.h"

#define TABLE  "rules/README.md"
#define CAUSES 66

struct table {
    struct el_buf text;
    struct el_ruleset *rules;
    bool *named; /* [rule] */
    unsigned rows[CAUSES + 1];
};

static void open_table(struct table *t) {
    struct el_error err = { 0 };
    char piece[4096];
    size_t n;
    FILE *file = fopen(TABLE, "rb");
    *t = (struct table){ .rules = el_ruleset_new() };
    ck_assert_msg(file != NULL, "no %s", TABLE);
    while ((n = fread(piece, 1, sizeof piece, file)) > 0)
        el_buf_add(&t->text, piece, n);
    (void)fclose(file);
    ck_assert_msg(el_ruleset_load(t->rules, "rules", &err) && el_ruleset_compile(t->rules, &err),
                  "%s", err.text);
    t->named = el_calloc(el_ruleset_count(t->rules), sizeof *t->named);
}

static void close_table(struct table *t) {
    el_free(t->named);
    el_ruleset_free(t->rules);
    el_buf_release(&t->text);
}

/* `word` between back-ticks: an id, unless it is the name of a file or a key. */
static void take_word(struct table *t, unsigned line, struct el_str word) {
    bool other = memchr(word.ptr, '.', word.len) || memchr(word.ptr, ' ', word.len) ||
                 memchr(word.ptr, '(', word.len);
    if (other)
        return;
    ck_assert_msg(el_ruleset_find(t->rules, word) != NULL, "%s:%u: no rule '%.*s'", TABLE, line,
                  (int)word.len, word.ptr);
    for (size_t r = 0; r < el_ruleset_count(t->rules); r++)
        t->named[r] |= el_str_is(word, el_rule_id(el_ruleset_rule(t->rules, r)));
}

static size_t take_words(struct table *t, unsigned line, struct el_str text) {
    size_t words = 0;
    while (text.len) {
        const char *open = memchr(text.ptr, '`', text.len);
        if (!open)
            break;
        text = el_str_from(text, (size_t)(open - text.ptr) + 1);
        const char *close = text.len ? memchr(text.ptr, '`', text.len) : NULL;
        ck_assert_msg(close != NULL, "%s:%u: an open back-tick", TABLE, line);
        struct el_str word = { text.ptr, (size_t)(close - text.ptr) };
        take_word(t, line, word);
        text = el_str_from(text, word.len + 1);
        words++;
    }
    return words;
}

/* "| R01 | ..." */
static void take_line(struct table *t, unsigned number, struct el_str line) {
    size_t words = take_words(t, number, line);
    if (!el_str_starts(line, "| R") || line.len < 6)
        return;
    unsigned cause = (unsigned)(line.ptr[3] - '0') * 10 + (unsigned)(line.ptr[4] - '0');
    ck_assert_msg(cause >= 1 && cause <= CAUSES, "%s:%u: no cause", TABLE, number);
    ck_assert_msg(words > 0, "%s:%u: a cause without a rule", TABLE, number);
    t->rows[cause]++;
}

START_TEST(every_cause_has_its_rule_and_every_rule_its_place) {
    struct table t;
    open_table(&t);
    struct el_str rest = { t.text.ptr, t.text.len };
    for (unsigned number = 1; rest.len; number++) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t length = end ? (size_t)(end - rest.ptr) : rest.len;
        take_line(&t, number, (struct el_str){ rest.ptr, length });
        rest = el_str_from(rest, length + 1);
    }
    for (unsigned c = 1; c <= CAUSES; c++)
        ck_assert_msg(t.rows[c] == 1, "%s: R%02u has %u rows", TABLE, c, t.rows[c]);
    for (size_t r = 0; r < el_ruleset_count(t.rules); r++)
        ck_assert_msg(t.named[r], "%s does not name %s", TABLE,
                      el_rule_id(el_ruleset_rule(t.rules, r)));
    close_table(&t);
}
END_TEST

START_TEST(every_rule_and_threshold_has_a_source) {
    struct table t;
    struct el_error err = { 0 };
    open_table(&t);
    ck_assert_msg(el_ruleset_sourced(t.rules, &err), "%s", err.text);
    close_table(&t);
}
END_TEST

Suite *suite_rule_table(void) {
    Suite *s = suite_create("rule_table");
    TCase *tc = tcase_create("table");
    tcase_add_test(tc, every_cause_has_its_rule_and_every_rule_its_place);
    tcase_add_test(tc, every_rule_and_threshold_has_a_source);
    suite_add_tcase(s, tc);
    return s;
}
