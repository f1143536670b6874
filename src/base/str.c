#include "esxlat/base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "esxlat/base/mem.h"

#define BUF_LIMIT ((size_t)64 * 1024 * 1024)

struct el_str el_str(const char *text) {
    return (struct el_str){ text, text ? strlen(text) : 0 };
}

bool el_str_equal(struct el_str a, struct el_str b) {
    return a.len == b.len && (a.len == 0 || a.ptr == b.ptr || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* Names are looked for in tables, and nearly all differ in their first byte. */
bool el_str_is(struct el_str a, const char *text) {
    return (a.len == 0 || a.ptr[0] == text[0]) && el_str_equal(a, el_str(text));
}

bool el_str_among(struct el_str a, const char *const *text, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (el_str_is(a, text[i]))
            return true;
    return false;
}

bool el_str_starts(struct el_str a, const char *prefix) {
    size_t n = strlen(prefix);
    return a.len >= n && (n == 0 || memcmp(a.ptr, prefix, n) == 0);
}

struct el_str el_str_from(struct el_str a, size_t start) {
    return start >= a.len ? (struct el_str){ NULL, 0 }
                          : (struct el_str){ a.ptr + start, a.len - start };
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct el_str el_str_trim(struct el_str a) {
    while (a.len && is_blank(a.ptr[0]))
        a = el_str_from(a, 1);
    while (a.len && is_blank(a.ptr[a.len - 1]))
        a.len--;
    return a;
}

int el_str_compare(struct el_str a, struct el_str b) {
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n ? memcmp(a.ptr, b.ptr, n) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

/* Eight bytes at a time: multiply and fold.  For tables in memory only: the value differs between machines. */
uint64_t el_str_hash(struct el_str a) {
    const uint64_t k = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t h = a.len * k;
    for (; a.len >= 8; a.ptr += 8, a.len -= 8) {
        uint64_t word;
        memcpy(&word, a.ptr, 8);
        h = (h ^ word) * k;
        h ^= h >> 29;
    }
    for (size_t i = 0; i < a.len; i++)
        h = (h ^ (unsigned char)a.ptr[i]) * k;
    h ^= h >> 32;
    return h * k;
}

/* Levenshtein distance, given up (limit + 1) for words longer than 63 bytes. */
static size_t edit_distance(const char *a, const char *b, size_t limit) {
    size_t m = strlen(a), n = strlen(b), row[64];
    if (m >= 64 || n >= 64)
        return limit + 1;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[n];
}

const char *el_nearest(const char *word, size_t count,
                       const char *(*name)(const void *ctx, size_t i), const void *ctx) {
    size_t limit = strlen(word) / 3;
    if (limit == 0)
        limit = 1;
    const char *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *candidate = name(ctx, i);
        size_t d = edit_distance(word, candidate, limit);
        if (d <= limit && (!best || d < limit)) {
            best = candidate;
            limit = d;
        }
    }
    return best;
}

/* ---- buffers ---- */

/* How many of `more` bytes still fit; makes room for them. */
static size_t make_room(struct el_buf *b, size_t more) {
    size_t limit = b->limit ? b->limit : BUF_LIMIT;
    if (more > limit - b->len) {
        more = limit - b->len;
        b->full = true;
    }
    void *p = b->ptr;
    el_grow(&p, &b->room, b->len + more + 1, 1);
    b->ptr = p;
    return more;
}

void el_buf_add(struct el_buf *b, const void *bytes, size_t length) {
    length = make_room(b, length);
    if (length)
        memcpy(b->ptr + b->len, bytes, length);
    b->len += length;
    b->ptr[b->len] = '\0';
}

void el_buf_text(struct el_buf *b, const char *text) {
    el_buf_add(b, text, strlen(text));
}

void el_buf_char(struct el_buf *b, char c) {
    el_buf_add(b, &c, 1);
}

void el_buf_print(struct el_buf *b, const char *format, ...) {
    char small[256];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    if (length >= 0 && (size_t)length < sizeof small) {
        el_buf_add(b, small, (size_t)length);
    } else if (length > 0) {
        char *big = el_alloc((size_t)length + 1);
        (void)vsnprintf(big, (size_t)length + 1, format, again);
        el_buf_add(b, big, (size_t)length);
        el_free(big);
    }
    va_end(again);
}

void el_buf_clear(struct el_buf *b) {
    b->len = 0;
    b->full = false;
    if (b->ptr)
        b->ptr[0] = '\0';
}

void el_buf_release(struct el_buf *b) {
    el_free(b->ptr);
    *b = (struct el_buf){ 0 };
}

/* ---- UTF-8 ---- */

static bool is_tail(unsigned char c) {
    return (c & 0xc0) == 0x80;
}

size_t el_utf8_length(struct el_str s) {
    const unsigned char *p = (const unsigned char *)s.ptr;
    if (s.len == 0)
        return 0;
    if (p[0] < 0x80)
        return 1;
    if (p[0] >= 0xc2 && p[0] <= 0xdf)
        return s.len >= 2 && is_tail(p[1]) ? 2 : 0;
    if (p[0] >= 0xe0 && p[0] <= 0xef) {
        if (s.len < 3 || !is_tail(p[1]) || !is_tail(p[2]))
            return 0;
        bool overlong = p[0] == 0xe0 && p[1] < 0xa0, surrogate = p[0] == 0xed && p[1] > 0x9f;
        return overlong || surrogate ? 0 : 3;
    }
    if (p[0] >= 0xf0 && p[0] <= 0xf4) {
        if (s.len < 4 || !is_tail(p[1]) || !is_tail(p[2]) || !is_tail(p[3]))
            return 0;
        bool overlong = p[0] == 0xf0 && p[1] < 0x90, beyond = p[0] == 0xf4 && p[1] > 0x8f;
        return overlong || beyond ? 0 : 4;
    }
    return 0;
}

/* C0, DEL and C1 (U+0080..U+009F, in UTF-8 C2 80..C2 9F) may steer a terminal; so may the marks that turn
 * the writing direction (U+202A..U+202E, U+2066..U+2069). */
static bool is_control(const unsigned char *p, size_t length) {
    if (length == 1)
        return p[0] < 0x20 || p[0] == 0x7f;
    if (length == 2)
        return p[0] == 0xc2 && p[1] < 0xa0;
    return length == 3 && p[0] == 0xe2 &&
           ((p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) ||
            (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
}

size_t el_buf_visible(struct el_buf *b, struct el_str name) {
    size_t columns = 0;
    while (name.len) {
        size_t n = el_utf8_length(name);
        const unsigned char *p = (const unsigned char *)name.ptr;
        if (n && !is_control(p, n)) {
            el_buf_add(b, p, n);
            columns++;
        } else {
            n = n ? n : 1;
            for (size_t i = 0; i < n; i++)
                el_buf_print(b, "\\x%02x", p[i]);
            columns += 4 * n;
        }
        name = el_str_from(name, n);
    }
    return columns;
}
