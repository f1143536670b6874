/* Raw bytes arrive in `raw` only for UTF-16; otherwise they go straight into `text`, from which lines are cut. */
#include "esxlat/input/lines.h"

#include <string.h>

#include "esxlat/base/mem.h"

#define CHUNK          ((size_t)256 * 1024)
#define CR_ONLY_WINDOW ((size_t)64 * 1024 * 1024)

enum encoding { NOT_KNOWN, BYTES, UTF16_LITTLE, UTF16_BIG };

struct el_lines {
    struct el_source *source;
    char *text; /* [start, used) is not given out yet */
    size_t start, used, room;
    size_t searched; /* no line end before this */
    size_t chunk;
    char *raw; /* UTF-16 bytes not decoded yet */
    size_t raw_used, raw_room;
    uint32_t high; /* a high surrogate that waits for its low one, or 0 */
    enum encoding encoding;
    bool at_end; /* the source is */
    char end;    /* '\n' or '\r'; 0: not decided */
    uint64_t number;
    struct el_lines_traits traits;
};

struct el_lines *el_lines_new(struct el_source *source, size_t chunk) {
    struct el_lines *l = el_calloc(1, sizeof *l);
    l->source = source;
    l->chunk = chunk ? chunk : CHUNK;
    return l;
}

void el_lines_free(struct el_lines *l) {
    if (!l)
        return;
    el_free(l->text);
    el_free(l->raw);
    el_free(l);
}

struct el_lines_traits el_lines_traits(const struct el_lines *l) {
    return l->traits;
}

static void reserve(char **bytes, size_t *room, size_t need) {
    void *p = *bytes;
    el_grow(&p, room, need, 1);
    *bytes = p;
}

static void put_utf8(struct el_lines *l, uint32_t c) {
    char *p = l->text + l->used;
    if (c < 0x80) {
        *p++ = (char)c;
    } else if (c < 0x800) {
        *p++ = (char)(0xc0 | c >> 6);
        *p++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *p++ = (char)(0xe0 | c >> 12);
        *p++ = (char)(0x80 | (c >> 6 & 0x3f));
        *p++ = (char)(0x80 | (c & 0x3f));
    } else {
        *p++ = (char)(0xf0 | c >> 18);
        *p++ = (char)(0x80 | (c >> 12 & 0x3f));
        *p++ = (char)(0x80 | (c >> 6 & 0x3f));
        *p++ = (char)(0x80 | (c & 0x3f));
    }
    l->used = (size_t)(p - l->text);
}

/* One UTF-16 unit; a surrogate without its partner becomes U+FFFD. */
static void put_unit(struct el_lines *l, uint32_t unit) {
    bool low = unit >= 0xdc00 && unit <= 0xdfff;
    if (l->high && low) {
        put_utf8(l, 0x10000 + ((l->high - 0xd800) << 10) + (unit - 0xdc00));
        l->high = 0;
        return;
    }
    if (l->high)
        put_utf8(l, 0xfffd);
    l->high = unit >= 0xd800 && unit <= 0xdbff ? unit : 0;
    if (!l->high)
        put_utf8(l, low ? 0xfffd : unit);
}

static void decode(struct el_lines *l) {
    size_t pairs = l->raw_used / 2;
    reserve(&l->text, &l->room, l->used + 3 * pairs + 8);
    for (size_t i = 0; i < pairs; i++) {
        uint32_t a = (unsigned char)l->raw[2 * i], b = (unsigned char)l->raw[2 * i + 1];
        put_unit(l, l->encoding == UTF16_LITTLE ? a | b << 8 : a << 8 | b);
    }
    if (l->raw_used % 2)
        l->raw[0] = l->raw[l->raw_used - 1];
    l->raw_used %= 2;
    if (l->at_end && l->high)
        put_unit(l, 0xfffd);
}

/* The first bytes tell the encoding; marks are dropped.  Waits for three bytes or the end. */
static void look_at_mark(struct el_lines *l) {
    const char *p = l->text + l->start;
    size_t n = l->used - l->start;
    if (n < 3 && !l->at_end)
        return;
    l->encoding = BYTES;
    if (n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
        l->start += 3;
        l->searched = l->start;
        l->traits.utf8_mark = true;
    } else if (n >= 2 && (memcmp(p, "\xff\xfe", 2) == 0 || memcmp(p, "\xfe\xff", 2) == 0)) {
        l->encoding = *p == '\xff' ? UTF16_LITTLE : UTF16_BIG;
        l->traits.utf16 = true;
        reserve(&l->raw, &l->raw_room, n);
        memcpy(l->raw, p + 2, n - 2);
        l->raw_used = n - 2;
        l->used = l->start;
        decode(l);
    }
}

/* One more chunk from the source; at its end `at_end` is set. */
static bool read_more(struct el_lines *l, struct el_error *err) {
    size_t got;
    if (l->start > 0) {
        memmove(l->text, l->text + l->start, l->used - l->start);
        l->used -= l->start;
        l->searched -= l->start;
        l->start = 0;
    }
    bool wide = l->encoding == UTF16_LITTLE || l->encoding == UTF16_BIG;
    char **to = wide ? &l->raw : &l->text;
    size_t *used = wide ? &l->raw_used : &l->used;
    reserve(to, wide ? &l->raw_room : &l->room, *used + l->chunk);
    if (!el_source_read(l->source, *to + *used, l->chunk, &got, err))
        return false;
    *used += got;
    l->at_end = got == 0;
    if (wide)
        decode(l);
    else if (l->encoding == NOT_KNOWN)
        look_at_mark(l);
    return true;
}

/* LF wherever one occurs; CR only when none does within the window. */
static void choose_end(struct el_lines *l) {
    if (l->used > l->searched && memchr(l->text + l->searched, '\n', l->used - l->searched)) {
        l->end = '\n';
        return;
    }
    l->searched = l->used;
    if (!l->at_end && l->used - l->start < CR_ONLY_WINDOW)
        return;
    l->traits.cr_only = l->used > l->start && memchr(l->text + l->start, '\r', l->used - l->start);
    l->end = l->traits.cr_only ? '\r' : '\n';
    l->searched = l->start;
}

static void cut_line(struct el_lines *l, size_t length, bool ended, struct el_line *out) {
    const char *text = l->text + l->start;
    l->start += length + ended;
    l->searched = l->start;
    if (l->end == '\n' && length && text[length - 1] == '\r') {
        length--;
        l->traits.crlf |= ended;
    }
    *out = (struct el_line){ { text, length }, ++l->number, ended };
}

enum el_line_result el_lines_next(struct el_lines *l, struct el_line *out, struct el_error *err) {
    for (;;) {
        if (!l->end && l->encoding != NOT_KNOWN)
            choose_end(l);
        const char *found = NULL;
        if (l->end && l->used > l->searched)
            found = memchr(l->text + l->searched, l->end, l->used - l->searched);
        if (found) {
            cut_line(l, (size_t)(found - (l->text + l->start)), true, out);
            return EL_LINE_READ;
        }
        if (l->end)
            l->searched = l->used;
        if (l->used - l->start > EL_LINE_LIMIT) {
            (void)el_fail(
                err, EL_CAPTURE,
                "line %llu is longer than 256 MiB: this is not a capture that esxtop wrote",
                (unsigned long long)l->number + 1);
            return EL_LINE_FAILED;
        }
        if (l->at_end && l->encoding != NOT_KNOWN)
            break;
        if (!read_more(l, err))
            return EL_LINE_FAILED;
    }
    if (l->used == l->start)
        return EL_LINE_END;
    cut_line(l, l->used - l->start, false, out);
    return EL_LINE_READ;
}
