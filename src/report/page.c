#include "page.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

struct span {
    uint32_t from, to;
};

/* Unicode TR 11, W and F, generously joined: to count a narrow character as wide only shortens a line. */
static const struct span wide[] = {
    { 0x1100, 0x115f },   { 0x231a, 0x2329 },   { 0x232a, 0x23ff },   { 0x25fd, 0x27bf },
    { 0x2b1b, 0x2b55 },   { 0x2e80, 0xa4cf },   { 0xa960, 0xa97f },   { 0xac00, 0xd7a3 },
    { 0xf900, 0xfaff },   { 0xfe10, 0xfe6f },   { 0xff00, 0xff60 },   { 0xffe0, 0xffe6 },
    { 0x16fe0, 0x1b2ff }, { 0x1f000, 0x1faff }, { 0x20000, 0x3fffd },
};

static const char *const ink_codes[] = { "1", "1;31", "1;33", "1;32", "1;34" };

static uint32_t code_point(const char *bytes, size_t length) {
    const unsigned char *p = (const unsigned char *)bytes;
    uint32_t c = length == 1 ? p[0] : p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        c = c << 6 | (p[i] & 0x3fu);
    return c;
}

/* Length of the character at the begin of `s`, and its columns. */
static size_t next_char(struct el_str s, size_t *columns) {
    size_t n = el_utf8_length(s);
    *columns = 1;
    if (n < 2)
        return 1;
    uint32_t c = code_point(s.ptr, n);
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (c >= wide[i].from && c <= wide[i].to)
            *columns = 2;
    return n;
}

size_t el_page_columns(struct el_str visible) {
    size_t sum = 0;
    for (size_t i = 0, columns; i < visible.len; sum += columns)
        i += next_char(el_str_from(visible, i), &columns);
    return sum;
}

/* Bytes of the longest begin of `s` that fits `room` columns. */
static size_t fitting(struct el_str s, size_t room) {
    size_t used = 0, i = 0, columns;
    while (i < s.len) {
        size_t n = next_char(el_str_from(s, i), &columns);
        if (used + columns > room)
            break;
        used += columns;
        i += n;
    }
    return i;
}

/* Where the longest end of `s` that fits `room` columns begins. */
static size_t fitting_end(struct el_str s, size_t room) {
    size_t left = el_page_columns(s), i = 0, columns;
    while (i < s.len && left > room) {
        i += next_char(el_str_from(s, i), &columns);
        left -= columns;
    }
    return i;
}

static struct el_str visible(struct el_buf *scratch, struct el_str text) {
    el_buf_visible(scratch, text);
    return (struct el_str){ scratch->ptr, scratch->len };
}

void el_page_short(struct el_buf *out, struct el_str name, size_t room) {
    assert(room >= 8);
    struct el_buf scratch = { 0 };
    struct el_str s = visible(&scratch, name);
    if (el_page_columns(s) <= room) {
        if (s.len)
            el_buf_add(out, s.ptr, s.len);
    } else {
        size_t tail = (room - 3) / 2;
        struct el_str end = el_str_from(s, fitting_end(s, tail));
        el_buf_add(out, s.ptr, fitting(s, room - 3 - tail));
        el_buf_text(out, "...");
        el_buf_add(out, end.ptr, end.len);
    }
    el_buf_release(&scratch);
}

void el_page_ink(struct el_page *p, enum el_ink ink, const char *words) {
    if (p->colour)
        el_buf_print(p->out, "\033[%sm%s\033[0m", ink_codes[ink], words);
    else
        el_buf_text(p->out, words);
}

void el_page_heading(struct el_page *p, const char *words) {
    el_buf_char(p->out, '\n');
    el_page_ink(p, EL_INK_BOLD, words);
    el_buf_char(p->out, '\n');
}

static void blanks(struct el_buf *out, size_t count) {
    el_buf_print(out, "%*s", (int)count, "");
}

static void put_lead(struct el_page *p, const char *lead, size_t indent) {
    size_t used = strlen(lead);
    assert(used <= indent);
    el_buf_text(p->out, lead);
    blanks(p->out, indent - used);
}

/* May a line end at the blank in front of `at`?  Not between a number and its unit. */
static bool breaks(struct el_str s, size_t at) {
    if (at == 0 || s.ptr[at - 1] != ' ')
        return false;
    struct el_str rest = el_str_from(s, at);
    bool number = at > 1 && s.ptr[at - 2] >= '0' && s.ptr[at - 2] <= '9';
    return !(number && (el_str_starts(rest, "%") || el_str_starts(rest, "ms")));
}

/* Bytes of the next line of `s`: up to the last blank that fits, else as much as fits, at least one character. */
static size_t line_length(struct el_str s, size_t room) {
    size_t most = fitting(s, room), columns;
    if (most == s.len || breaks(s, most + 1))
        return most;
    for (size_t i = most; i > 0; i--)
        if (breaks(s, i))
            return i;
    return most ? most : next_char(s, &columns);
}

void el_page_wrap(struct el_page *p, const char *lead, size_t indent, struct el_str text) {
    struct el_buf scratch = { 0 };
    struct el_str rest = el_str_trim(visible(&scratch, text));
    put_lead(p, lead, indent);
    for (bool first = true; rest.len; first = false) {
        struct el_str line = { rest.ptr, line_length(rest, EL_PAGE_COLUMNS - indent) };
        rest = el_str_trim(el_str_from(rest, line.len));
        line = el_str_trim(line);
        if (!first)
            blanks(p->out, indent);
        el_buf_add(p->out, line.ptr, line.len);
        if (rest.len)
            el_buf_char(p->out, '\n');
    }
    el_buf_char(p->out, '\n');
    el_buf_release(&scratch);
}

void el_page_whole(struct el_page *p, const char *lead, size_t indent, struct el_str text) {
    put_lead(p, lead, indent);
    el_buf_visible(p->out, text);
    el_buf_char(p->out, '\n');
}

void el_page_line(struct el_page *p, const char *lead, struct el_str text) {
    size_t used = el_page_columns(el_str(lead));
    assert(used + 8 <= EL_PAGE_COLUMNS);
    el_buf_text(p->out, lead);
    el_page_short(p->out, text, EL_PAGE_COLUMNS - used);
    el_buf_char(p->out, '\n');
}
