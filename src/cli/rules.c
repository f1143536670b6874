/* The command `rules`: list, explain, metrics, check. */
#include "esxlat/cli/command.h"
#include "esxlat/cli/output.h"

#include <string.h>

struct verb {
    const char *name;
    size_t least, most; /* operands */
    bool loads_operands;
    bool (*run)(const struct el_ruleset *rs, const char *const *operand, size_t count,
                struct el_buf *out, struct el_error *err);
};

static bool list(const struct el_ruleset *rs, const char *const *operand, size_t count,
                 struct el_buf *out, struct el_error *err) {
    (void)operand, (void)count, (void)err;
    el_rules_list(rs, out);
    return true;
}

static bool metrics(const struct el_ruleset *rs, const char *const *operand, size_t count,
                    struct el_buf *out, struct el_error *err) {
    (void)operand, (void)count, (void)err;
    el_rules_metrics(rs, out);
    return true;
}

static bool explain(const struct el_ruleset *rs, const char *const *operand, size_t count,
                    struct el_buf *out, struct el_error *err) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            el_buf_char(out, '\n');
        if (!el_rules_explain(rs, operand[i], out, err))
            return false;
    }
    return true;
}

static bool check(const struct el_ruleset *rs, const char *const *operand, size_t count,
                  struct el_buf *out, struct el_error *err) {
    (void)operand, (void)count;
    if (!el_ruleset_sourced(rs, err))
        return false;
    el_buf_print(out, "%zu rules, no mistakes\n", el_ruleset_count(rs));
    return true;
}

static const struct verb verbs[] = {
    { "list", 0, 0, false, list },
    { "explain", 1, SIZE_MAX, false, explain },
    { "metrics", 0, 0, false, metrics },
    { "check", 0, SIZE_MAX, true, check },
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static const char *verb_name(const void *ctx, size_t i) {
    (void)ctx;
    return verbs[i].name;
}

static const struct verb *find(const char *word, struct el_error *err) {
    for (size_t i = 0; i < VERBS; i++)
        if (strcmp(word, verbs[i].name) == 0)
            return &verbs[i];
    const char *near = el_nearest(word, VERBS, verb_name, NULL);
    struct el_buf shown = { 0 };
    el_buf_visible(&shown, el_str(word));
    (void)el_fail(err, EL_USAGE, "unknown word '%s' after 'rules'; %s%s%s",
                  shown.ptr ? shown.ptr : "", near ? "did you mean '" : "it takes ",
                  near ? near : "list, explain, metrics or check", near ? "'?" : "");
    el_buf_release(&shown);
    return NULL;
}

static bool run(const struct el_cli *c, struct el_ruleset *rs, struct el_buf *out,
                struct el_error *err) {
    const char *const *operand = c->operand;
    const struct verb *v = c->operands > 0 ? find(operand[0], err) : &verbs[0];
    size_t count = c->operands > 0 ? c->operands - 1 : 0;
    if (!v)
        return false;
    if (count < v->least)
        return el_fail(err, EL_USAGE, "'rules %s' needs the name of a rule", v->name);
    if (count > v->most)
        return el_fail(err, EL_USAGE, "'rules %s' takes nothing more", v->name);
    const char *const *rest = count > 0 ? operand + 1 : NULL;
    if (!el_rules_find(c, rest, v->loads_operands ? count : 0, rs, err))
        return false;
    return v->run(rs, rest, count, out, err);
}

enum el_status el_command_rules(struct el_cli *c) {
    struct el_error err = { .status = EL_OK };
    struct el_buf out = { 0 };
    struct el_ruleset *rs = el_ruleset_new();
    if (run(c, rs, &out, &err))
        el_out_answer(&out);
    else
        el_out_error(&err);
    el_ruleset_free(rs);
    el_buf_release(&out);
    return err.status;
}
