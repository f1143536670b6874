#include "show.h"

#include <inttypes.h>
#include <string.h>

static bool on_one_line(const struct el_node *node, const struct el_line *line) {
    if (!node)
        return true;
    return node->span.line->number == line->number && on_one_line(node->left, line) &&
           on_one_line(node->right, line);
}

void el_show_node(const struct el_node *node, struct el_buf *out) {
    if (!on_one_line(node, node->span.line)) {
        el_node_print(node, out);
        return;
    }
    (void)el_buf_visible(out, el_span_text(node->span));
}

void el_show_for(const struct el_rule *rule, struct el_buf *out) {
    if (rule->for_ms)
        el_buf_print(out, "%g s", (double)rule->for_ms / 1000);
    else
        el_buf_print(out, "%" PRIu64 " sample%s", rule->for_samples,
                     rule->for_samples == 1 ? "" : "s");
}

void el_show_kinds(unsigned kinds, struct el_buf *out) {
    const char *separator = "";
    for (unsigned k = 0; k < EL_KINDS; k++) {
        if (!(kinds & EL_KIND_BIT(k)))
            continue;
        el_buf_print(out, "%s%s", separator, el_kind_name((enum el_kind)k));
        separator = ", ";
    }
}

void el_show_wrapped(struct el_str text, size_t column, size_t indent, struct el_buf *out) {
    bool first = true;
    for (text = el_str_trim(text); text.len; text = el_str_trim(text)) {
        size_t length = 0;
        while (length < text.len && text.ptr[length] != ' ' && text.ptr[length] != '\t')
            length++;
        struct el_buf word = { 0 };
        size_t width = el_buf_visible(&word, (struct el_str){ text.ptr, length });
        if (!first && column + 1 + width > 80) {
            el_buf_print(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            el_buf_char(out, ' ');
            column++;
        }
        el_buf_add(out, word.ptr, word.len);
        el_buf_release(&word);
        column += width;
        first = false;
        text = el_str_from(text, length);
    }
}
