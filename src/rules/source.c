#include "source.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Of a long line the error shows this much around the range. */
#define EXCERPT        96u
#define EXCERPT_BEFORE 40u

struct el_span el_span_of(const struct el_line *line, struct el_str part) {
    if (!part.ptr)
        return (struct el_span){ line, line->whole.len, 0 };
    assert(part.ptr >= line->whole.ptr && part.ptr + part.len <= line->whole.ptr + line->whole.len);
    return (struct el_span){ line, (size_t)(part.ptr - line->whole.ptr), part.len };
}

struct el_span el_span_value(const struct el_line *line) {
    return el_span_of(line, line->value);
}

struct el_str el_span_text(struct el_span span) {
    assert(span.start + span.length <= span.line->whole.len);
    return (struct el_str){ span.line->whole.ptr + span.start, span.length };
}

struct el_span el_span_join(struct el_span first, struct el_span last) {
    size_t end = first.line->whole.len;
    if (last.line == first.line && last.start + last.length >= first.start)
        end = last.start + last.length;
    return (struct el_span){ first.line, first.start, end - first.start };
}

/* Adds `text` with tabs as blanks; returns the columns it takes. */
static size_t add_visible(struct el_buf *out, struct el_str text) {
    size_t columns = 0;
    for (size_t from = 0, at = 0; at <= text.len; at++) {
        if (at < text.len && text.ptr[at] != '\t')
            continue;
        columns += el_buf_visible(out, (struct el_str){ text.ptr + from, at - from });
        from = at + 1;
        if (at < text.len) {
            el_buf_char(out, ' ');
            columns++;
        }
    }
    return columns;
}

/* The source line and a line of carets below the range; a long line is cut around it. */
static void add_excerpt(struct el_buf *out, struct el_span span) {
    struct el_str whole = span.line->whole;
    size_t from =
        whole.len > EXCERPT && span.start > EXCERPT_BEFORE ? span.start - EXCERPT_BEFORE : 0;
    while (from > 0 && from < span.start && ((unsigned char)whole.ptr[from] & 0xc0) == 0x80)
        from++; /* not in the middle of a code point */
    size_t to = whole.len - from > EXCERPT ? from + EXCERPT : whole.len;
    size_t end = span.start + span.length < to ? span.start + span.length : to;
    el_buf_char(out, '\n');
    size_t before = add_visible(out, (struct el_str){ whole.ptr + from, span.start - from });
    size_t below = add_visible(out, (struct el_str){ whole.ptr + span.start, end - span.start });
    (void)add_visible(out, (struct el_str){ whole.ptr + end, to - end });
    el_buf_char(out, '\n');
    for (size_t i = 0; i < before; i++)
        el_buf_char(out, ' ');
    for (size_t i = 0; i < below || i == 0; i++)
        el_buf_char(out, '^');
}

static bool fail_at(struct el_error *err, struct el_span span, const char *hint,
                    const char *message) {
    struct el_buf text = { 0 };
    el_buf_print(&text, "%s:%u:%zu: %s", span.line->file, span.line->number, span.start + 1,
                 message);
    add_excerpt(&text, span);
    if (hint)
        el_buf_print(&text, "\n%s", hint);
    (void)el_fail(err, EL_RULES, "%s", text.ptr);
    el_buf_release(&text);
    return false;
}

bool el_fail_at(struct el_error *err, struct el_span span, const char *hint, const char *format,
                ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return fail_at(err, span, hint, message);
}

char *el_word_text(struct el_str word, char out[EL_WORD_ROOM]) {
    struct el_buf text = { .limit = EL_WORD_ROOM - 1 };
    bool cut = word.len > 40;
    (void)el_buf_visible(&text, (struct el_str){ word.ptr, cut ? 40 : word.len });
    if (cut)
        el_buf_text(&text, "...");
    (void)snprintf(out, EL_WORD_ROOM, "%s", text.ptr ? text.ptr : "");
    el_buf_release(&text);
    return out;
}

bool el_fail_unknown(struct el_error *err, struct el_span span, const char *what,
                     struct el_str word, size_t count,
                     const char *(*name)(const void *ctx, size_t i), const void *ctx) {
    char shown[EL_WORD_ROOM], hint[EL_WORD_ROOM];
    (void)el_word_text(word, shown);
    const char *near = word.len <= 40 ? el_nearest(shown, count, name, ctx) : NULL;
    (void)snprintf(hint, sizeof hint, "did you mean '%s'?", near ? near : "");
    return el_fail_at(err, span, near ? hint : NULL, "unknown %s '%s'", what, shown);
}
