/* Texts with {expressions} in them. */
#include "ruleset.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "esxlat/base/num.h"

static const char *const labels[] = { "name", "kind",   "lun",     "adapter",
                                      "vm",   "vendor", "profile", "why" };

static const char *find_label(struct el_str word) {
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (el_str_is(word, labels[i]))
            return labels[i];
    return NULL;
}

struct builder {
    struct el_ruleset *rs;
    struct el_rule *rule;
    const struct el_line *line;
    struct el_part *part;
    size_t parts, room;
    struct el_error *err;
};

static struct el_part *add_part(struct builder *b) {
    struct el_part *part = EL_PUSH(b->part, b->parts, b->room);
    *part = (struct el_part){ 0 };
    return part;
}

static void add_text(struct builder *b, struct el_str text) {
    if (text.len)
        add_part(b)->text = el_arena_text(&b->rs->arena, text.ptr, text.len);
}

/* Is there a call that looks at many samples or entities? */
static bool has_aggregate(const struct el_node *node) {
    if (!node)
        return false;
    if (node->kind == EL_N_CALL) {
        bool plain = el_function_find(node->word, EL_F_PLAIN) != el_function_count();
        bool aggregate = el_function_find(node->word, EL_F_AGGREGATE) != el_function_count();
        if (!plain || (aggregate && node->arguments == 1))
            return true;
    }
    return has_aggregate(node->left) || has_aggregate(node->right);
}

/* pct(X): X becomes mean(X), unless it says itself how to aggregate. */
static struct el_node *unwrap_percent(struct builder *b, struct el_node *root) {
    struct el_node *inner = root->left;
    if (has_aggregate(inner) || inner->kind == EL_N_NUMBER)
        return inner;
    struct el_node *mean = el_arena_alloc(&b->rs->arena, sizeof *mean);
    *mean = (struct el_node){
        .kind = EL_N_CALL, .word = EL_STR("mean"), .left = inner, .arguments = 1, .span = root->span
    };
    return mean;
}

static bool add_formula(struct builder *b, struct el_str text) {
    struct el_line *line =
        el_arena_alloc(&b->rs->arena, sizeof *line); /* the same line, but this part is the value */
    struct el_node *root = NULL;
    *line = *b->line;
    line->value = text;
    if (!el_parse_one(&b->rs->arena, line, 1, &root, b->err))
        return false;
    struct el_part *part = add_part(b);
    part->percent = root->kind == EL_N_CALL && el_str_is(root->word, "pct") && root->arguments == 1;
    if (part->percent)
        root = unwrap_percent(b, root);
    part->formula = el_arena_alloc(&b->rs->arena, sizeof *part->formula);
    return el_formula_build(b->rs, b->rule, EL_IN_TEXT, EL_TYPE_NUMBER, root, part->formula,
                            b->err);
}

/* What stands between braces. */
static bool add_braces(struct builder *b, struct el_str text) {
    struct el_str word = el_str_trim(text);
    const char *label = find_label(word);
    if (word.len == 0)
        return el_fail_at(b->err, el_span_of(b->line, text), "a brace is written {{",
                          "nothing between the braces");
    if (!label)
        return add_formula(b, word);
    add_part(b)->label = label;
    return true;
}

/* text: { piece | "{{" | "{" label "}" | "{" expression "}" } */
static bool add_line(struct builder *b, const struct el_line *line) {
    struct el_str rest = line->value;
    b->line = line;
    while (rest.len) {
        const char *open = memchr(rest.ptr, '{', rest.len);
        size_t before = open ? (size_t)(open - rest.ptr) : rest.len;
        add_text(b, (struct el_str){ rest.ptr, before });
        rest = el_str_from(rest, before + 1);
        if (!open)
            break;
        if (rest.len && rest.ptr[0] == '{') {
            add_text(b, EL_STR("{"));
            rest = el_str_from(rest, 1);
            continue;
        }
        const char *close = rest.len ? memchr(rest.ptr, '}', rest.len) : NULL;
        if (!close) {
            struct el_span span = el_span_of(line, (struct el_str){ open, 1 });
            return el_fail_at(b->err, span, "a brace itself is written {{",
                              "'{' is not closed by '}'");
        }
        size_t length = (size_t)(close - rest.ptr);
        if (!add_braces(b, (struct el_str){ rest.ptr, length }))
            return false;
        rest = el_str_from(rest, length + 1);
    }
    return true;
}

static void finish(struct builder *b, struct el_template *out) {
    out->parts = b->parts;
    out->part = el_arena_alloc(&b->rs->arena, (b->parts + 1) * sizeof *b->part);
    if (b->parts)
        memcpy(out->part, b->part, b->parts * sizeof *b->part);
    b->parts = 0;
}

bool el_templates_build(struct el_ruleset *rs, struct el_rule *rule, const struct el_line *line,
                        size_t lines, struct el_templates *out, struct el_error *err) {
    struct builder b = { .rs = rs, .rule = rule, .err = err };
    bool done = true;
    out->item = el_arena_alloc(&rs->arena, (lines + 1) * sizeof *out->item);
    out->count = lines;
    for (size_t i = 0; done && i < lines; i++) {
        done = add_line(&b, &line[i]);
        finish(&b, &out->item[i]);
    }
    el_free(b.part);
    return done;
}

/* A whole number stands without decimals: counts, depths, limits. */
static void add_number(double value, struct el_buf *out) {
    char text[EL_NUM_ROOM];
    bool whole = fabs(value) < 1e6 && value == floor(value);
    if (whole)
        el_buf_print(out, "%.0f", value);
    else
        el_buf_text(out, el_num_short(value, text));
}

static void expand_formula(const struct el_part *part, const struct el_expansion *x,
                           struct el_buf *out) {
    double value = x->value(x->ctx, part->formula);
    add_number(part->percent ? 100 * value : value, out);
    if (part->percent && !el_missing(value))
        el_buf_text(out, " %");
}

static bool is_plain_word(struct el_str name) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789._:/@%+,-";
    for (size_t i = 0; i < name.len; i++)
        if (!name.ptr[i] || !strchr(plain, name.ptr[i]))
            return false;
    return name.len > 0 && name.ptr[0] != '-';
}

/* Names in a capture are foreign text: in single quotes a shell takes all as it stands, but the quote itself. */
static void add_quoted(struct el_str name, struct el_buf *out) {
    el_buf_char(out, '\'');
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] == '\'')
            el_buf_text(out, "'\\''");
        else
            el_buf_char(out, name.ptr[i]);
    el_buf_char(out, '\'');
}

static void add_name(struct el_str name, bool for_shell, struct el_buf *out) {
    if (name.len == 0)
        el_buf_char(out, '-');
    else if (for_shell && !is_plain_word(name))
        add_quoted(name, out);
    else
        el_buf_add(out, name.ptr, name.len);
}

void el_template_expand(const struct el_template *t, const struct el_expansion *x,
                        struct el_buf *out) {
    for (size_t i = 0; i < t->parts; i++) {
        const struct el_part *part = &t->part[i];
        assert((part->text != NULL) + (part->label != NULL) + (part->formula != NULL) == 1);
        if (part->text) {
            el_buf_text(out, part->text);
        } else if (part->label) {
            add_name(x->label(x->ctx, part->label), x->for_shell, out);
        } else
            expand_formula(part, x, out);
    }
}
