#include "contents.h"

#include <string.h>

#define CAPTURES_NAMED ((size_t)4096)
#define NAME_ROOM      ((size_t)200) /* bytes of a name that a message shows */
#define FEW            (sizeof((struct el_contents *)0)->other / sizeof(const char *))

/* ---- is it a capture? ---- */

static bool is_line_start(struct el_str text, size_t at) {
    if (at && text.ptr[at - 1] == '"')
        at--;
    return at == 0 || text.ptr[at - 1] == '\n' || text.ptr[at - 1] == '\r';
}

static bool has_header(struct el_str text) {
    static const char word[] = "(PDH-CSV";
    size_t at = 0;
    while (at + sizeof word - 1 <= text.len) {
        const char *found = memchr(text.ptr + at, '(', text.len - at);
        if (!found)
            return false;
        at = (size_t)(found - text.ptr);
        if (text.len - at >= sizeof word - 1 && memcmp(found, word, sizeof word - 1) == 0 &&
            is_line_start(text, at))
            return true;
        at++;
    }
    return false;
}

/* The header's word is ASCII: of UTF-16, half of the bytes are enough to find it. */
static bool has_wide_header(struct el_str wide, bool little) {
    size_t pairs = wide.len / 2;
    char *narrow = el_alloc(pairs);
    for (size_t i = 0; i < pairs; i++) {
        char high = wide.ptr[2 * i + little], low = wide.ptr[2 * i + !little];
        narrow[i] = high ? '?' : low;
    }
    bool has = has_header((struct el_str){ narrow, pairs });
    el_free(narrow);
    return has;
}

bool el_begins_capture(struct el_str window) {
    if (el_str_starts(window, "\xff\xfe") || el_str_starts(window, "\xfe\xff"))
        return has_wide_header(el_str_from(window, 2), window.ptr[0] == '\xff');
    return has_header(el_str_starts(window, "\xef\xbb\xbf") ? el_str_from(window, 3) : window);
}

/* ---- names ---- */

static const char *visible(struct el_arena *arena, struct el_str name) {
    struct el_buf b = { 0 };
    bool cut = name.len > NAME_ROOM;
    (void)el_buf_visible(&b, cut ? (struct el_str){ name.ptr, NAME_ROOM } : name);
    if (cut)
        el_buf_text(&b, "...");
    const char *text = el_arena_text(arena, b.ptr, b.len);
    el_buf_release(&b);
    return text;
}

void el_contents_note(struct el_contents *c, struct el_str name, bool capture) {
    size_t others = c->files++ - c->captures;
    if (!capture && others < FEW)
        c->other[others] = visible(&c->arena, name);
    if (!capture)
        return;
    if (c->captures < CAPTURES_NAMED) {
        size_t count = c->captures;
        *EL_PUSH(c->capture, count, c->room) = visible(&c->arena, name);
    }
    c->captures++;
}

void el_contents_release(struct el_contents *c) {
    el_free(c->capture);
    el_arena_release(&c->arena);
}

/* ---- messages ---- */

/* 'a', 'b', 'c' and 12 more */
static void list(struct el_buf *b, const char *const *name, size_t count) {
    size_t shown = count < FEW ? count : FEW;
    for (size_t i = 0; i < shown; i++)
        el_buf_print(b, "%s'%s'", i ? ", " : "", name[i]);
    if (count > shown)
        el_buf_print(b, " and %zu more", count - shown);
}

static void why_not_all(struct el_buf *b, const char *broken) {
    if (broken)
        el_buf_print(b, "; it could not be read to its end: %s", broken);
}

bool el_contents_no_capture(const struct el_contents *c, const char *archive, size_t encrypted,
                            const char *broken, struct el_error *err) {
    struct el_buf b = { 0 };
    el_buf_print(&b, "no capture in the archive '%s': ", archive);
    if (c->files == 0)
        el_buf_text(&b, encrypted ? "its files are encrypted" : "it holds no files");
    else
        el_buf_text(&b, "it holds ");
    list(&b, c->other, c->files);
    if (c->files && encrypted)
        el_buf_print(&b, "; %zu encrypted were not read", encrypted);
    why_not_all(&b, broken);
    el_buf_text(
        &b, "\n(the performance snapshots of a vm-support bundle are replayed: extract it, then "
            "esxtop -R FOLDER -b -a > host.csv)");
    (void)el_fail(err, EL_CAPTURE, "%s", b.ptr);
    el_buf_release(&b);
    return false;
}

static const char *capture_name(const void *ctx, size_t i) {
    const struct el_contents *c = ctx;
    return c->capture[i];
}

bool el_contents_no_member(const struct el_contents *c, const char *archive, const char *member,
                           const char *broken, struct el_error *err) {
    struct el_buf b = { 0 };
    size_t named = c->captures < CAPTURES_NAMED ? c->captures : CAPTURES_NAMED;
    const char *nearest = el_nearest(member, named, capture_name, c);
    el_buf_print(&b, "no '");
    (void)el_buf_visible(&b, el_str(member));
    el_buf_print(&b, "' in the archive '%s'", archive);
    if (nearest) {
        el_buf_print(&b, "; did you mean '%s:%s'?", archive, nearest);
    } else if (c->captures) {
        el_buf_text(&b, "; its captures: ");
        list(&b, c->capture, c->captures);
    } else {
        el_buf_text(&b, ", nor any capture");
    }
    why_not_all(&b, broken);
    (void)el_fail(err, EL_CAPTURE, "%s", b.ptr);
    el_buf_release(&b);
    return false;
}
