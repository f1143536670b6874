#include "slab.h"

#include <string.h>

#include "esxlat/base/mem.h"
#include "esxlat/input/lines.h"

static void reserve(char **bytes, size_t *room, size_t need) {
    void *p = *bytes;
    el_grow(&p, room, need, 1);
    *bytes = p;
}

void el_slab_compact(struct el_slab *s) {
    s->next = s->ends = 0;
    if (s->start == 0)
        return;
    memmove(s->text, s->text + s->start, s->used - s->start);
    s->used -= s->start;
    s->searched -= s->start;
    s->start = 0;
}

void el_slab_carry(struct el_slab *to, const struct el_slab *from) {
    size_t n = from->used - from->start;
    reserve(&to->text, &to->room, n + 1);
    if (n)
        memcpy(to->text, from->text + from->start, n);
    to->start = 0;
    to->used = n;
    to->searched = from->searched - from->start;
    to->next = to->ends = 0;
}

void el_slab_find_ends(struct el_slab *s, char end) {
    s->next = s->ends = 0;
    while (s->ends < EL_SLAB_ENDS && s->searched < s->used) {
        const char *found = memchr(s->text + s->searched, end, s->used - s->searched);
        s->searched = found ? (size_t)(found - s->text) + 1 : s->used;
        if (!found)
            break;
        s->scan[s->ends] = EL_NOT_SCANNED;
        s->end[s->ends++] = s->searched - 1;
    }
}

/* ---- UTF-16 ---- */

static void put_utf8(struct el_slab *s, uint32_t c) {
    char *p = s->text + s->used;
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
    s->used = (size_t)(p - s->text);
}

/* One UTF-16 unit; a surrogate without its partner becomes U+FFFD. */
static void put_unit(struct el_slab *s, struct el_filler *f, uint32_t unit) {
    bool low = unit >= 0xdc00 && unit <= 0xdfff;
    if (f->high && low) {
        put_utf8(s, 0x10000 + ((f->high - 0xd800) << 10) + (unit - 0xdc00));
        f->high = 0;
        return;
    }
    if (f->high)
        put_utf8(s, 0xfffd);
    f->high = unit >= 0xd800 && unit <= 0xdbff ? unit : 0;
    if (!f->high)
        put_utf8(s, low ? 0xfffd : unit);
}

static void decode(struct el_slab *s, struct el_filler *f) {
    size_t pairs = f->raw_used / 2;
    reserve(&s->text, &s->room, s->used + 3 * pairs + 8);
    for (size_t i = 0; i < pairs; i++) {
        uint32_t a = (unsigned char)f->raw[2 * i], b = (unsigned char)f->raw[2 * i + 1];
        put_unit(s, f, f->encoding == EL_UTF16_LITTLE ? a | b << 8 : a << 8 | b);
    }
    if (f->raw_used % 2)
        f->raw[0] = f->raw[f->raw_used - 1];
    f->raw_used %= 2;
    if (f->at_end && (f->high || f->raw_used)) { /* half a character at the end */
        put_utf8(s, 0xfffd);
        f->high = 0;
        f->raw_used = 0;
    }
}

/* The first bytes tell the encoding; marks are dropped.  Waits for three bytes or the end. */
static void look_at_mark(struct el_slab *s, struct el_filler *f) {
    const char *p = s->text + s->start;
    size_t n = s->used - s->start;
    if (n < 3 && !f->at_end)
        return;
    f->encoding = EL_BYTES;
    if (n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
        s->start += 3;
        s->searched = s->start;
        f->utf8_mark = true;
    } else if (n >= 2 && (memcmp(p, "\xff\xfe", 2) == 0 || memcmp(p, "\xfe\xff", 2) == 0)) {
        f->encoding = *p == '\xff' ? EL_UTF16_LITTLE : EL_UTF16_BIG;
        reserve(&f->raw, &f->raw_room, n);
        memcpy(f->raw, p + 2, n - 2);
        f->raw_used = n - 2;
        s->used = s->start;
        decode(s, f);
    }
}

void el_slab_reserve(struct el_slab *s, size_t more) {
    reserve(&s->text, &s->room, s->used + more + EL_SLAB_PADDING);
}

/* ---- filling ---- */

static bool read_chunk(struct el_slab *s, struct el_filler *f, struct el_error *err) {
    size_t got;
    bool wide = f->encoding == EL_UTF16_LITTLE || f->encoding == EL_UTF16_BIG;
    char **to = wide ? &f->raw : &s->text;
    size_t *used = wide ? &f->raw_used : &s->used;
    reserve(to, wide ? &f->raw_room : &s->room, *used + f->chunk + EL_SLAB_PADDING);
    if (!el_source_read(f->source, *to + *used, f->chunk, &got, err))
        return false;
    *used += got;
    memset(*to + *used, 0, EL_SLAB_PADDING);
    f->at_end = got == 0;
    if (wide)
        decode(s, f);
    else if (f->encoding == EL_NOT_KNOWN)
        look_at_mark(s, f);
    return true;
}

bool el_slab_fill(struct el_slab *s, struct el_filler *f, size_t more, struct el_error *err) {
    size_t before = s->used - s->start;
    while (!f->at_end && s->used - s->start < before + more)
        if (!read_chunk(s, f, err))
            return false;
    return true;
}
