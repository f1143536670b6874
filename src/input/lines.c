/* Lines are cut from the slab `here`.  When all whole lines of it are given out, and done with, a plain file's next stretch
 * takes their place, behind the rest, in pieces.  Other sources are read by a thread (ahead.h), or when more is
 * needed. */
#include "esxlat/input/lines.h"

#include <string.h>

#include "ahead.h"
#include "esxlat/base/mem.h"
#include "pieces.h"

#define CHUNK ((size_t)256 * 1024)
/* Read at a stretch: by all threads, enough rows for them and little memory; by a thread of its own, several of which lie
 * ready; alone, what the cache holds. */
#define SLAB           ((size_t)4096 * 1024)
#define SLAB_READY     ((size_t)2048 * 1024)
#define SLAB_ALONE     ((size_t)512 * 1024)
#define CR_ONLY_WINDOW ((size_t)64 * 1024 * 1024)

struct el_lines {
    struct el_slab here;
    struct el_filler filler;
    size_t stretch; /* bytes that a slab is filled with */
    char end;       /* '\n' or '\r'; 0: not decided */
    uint64_t number;
    struct el_lines_traits traits;
    bool alone;              /* nothing is read ahead */
    struct el_ahead *thread; /* NULL: not started; else `filler` is its own */
    struct el_pieces pieces;
    bool given;   /* the next stretch is cut into pieces */
    bool at_tail; /* a piece met the end: the rest is read in the ordinary way */
};

struct el_lines *el_lines_new(struct el_source *source, size_t chunk, bool ahead,
                              el_line_scan *scan, void *ctx) {
    struct el_lines *l = el_calloc(1, sizeof *l);
    l->filler.source = source;
    l->filler.chunk = chunk ? chunk : CHUNK;
    l->stretch = chunk                        ? chunk
                 : !ahead                     ? SLAB_ALONE
                 : el_source_is_plain(source) ? SLAB
                                              : SLAB_READY;
    l->alone = !ahead;
    el_pieces_init(&l->pieces, source, scan, ctx);
    return l;
}

void el_lines_free(struct el_lines *l) {
    if (!l)
        return;
    el_ahead_stop(l->thread);
    el_pieces_release(&l->pieces);
    el_free(l->here.text);
    el_free(l->filler.raw);
    el_free(l);
}

struct el_lines_traits el_lines_traits(const struct el_lines *l) {
    struct el_lines_traits t = l->traits;
    t.utf8_mark = l->filler.utf8_mark;
    t.utf16 = l->filler.encoding == EL_UTF16_LITTLE || l->filler.encoding == EL_UTF16_BIG;
    return t;
}

void el_lines_run_errand(struct el_lines *l, size_t piece) {
    el_pieces_read(&l->pieces, piece);
}

/* Pieces that nobody has read yet are read now, and all of them put together. */
static bool fetch_pieces(struct el_lines *l, struct el_error *err) {
    struct el_pieces *p = &l->pieces;
    int error;
    for (size_t i = 0; i < p->count; i++)
        if (!p->piece[i].read)
            el_pieces_read(p, i);
    size_t gained = el_pieces_join(p, &error);
    el_source_jump(l->filler.source, p->place + (int64_t)gained);
    l->at_tail = gained < l->stretch; /* whether that is the end, ordinary reading finds out */
    l->given = false;
    return !error || el_source_failed(l->filler.source, error, err);
}

/* Is it time for others to read on: of a plain file or of another source?  All whole lines of `here` are given out. */
static bool may_read_on(const struct el_lines *l, bool plain) {
    const struct el_slab *s = &l->here;
    return !l->alone && !l->thread && el_source_is_plain(l->filler.source) == plain &&
           !l->filler.at_end && l->end && s->next == s->ends && s->searched == s->used;
}

/* The next stretch in pieces, unless the place in the file cannot be told, or only a little is left. */
static void cut_pieces(struct el_lines *l) {
    int64_t place =
        l->at_tail || l->filler.encoding != EL_BYTES ? -1 : el_source_place(l->filler.source);
    if (place < 0)
        return;
    el_slab_compact(&l->here);
    el_slab_reserve(&l->here, l->stretch);
    el_pieces_cut(&l->pieces, &l->here, l->stretch, place, l->end);
    l->given = true;
}

size_t el_lines_errands(struct el_lines *l) {
    if (!l->given && may_read_on(l, true))
        cut_pieces(l);
    return l->given && !l->pieces.piece[0].read ? l->pieces.count : 0;
}

/* Where reading takes time of its own, a thread reads on while the lines that were given out are worked on. */
static void start_thread(struct el_lines *l) {
    if (!may_read_on(l, false))
        return;
    l->thread = el_ahead_start(&l->filler, l->stretch, l->end, &l->here);
    l->alone = !l->thread;
}

/* A CR behind which a quoted or bare timestamp begins: lines that end in CR. */
static bool has_cr_lines(const char *text, size_t length) {
    const char *end = text + length, *cr = text;
    while ((cr = memchr(cr, '\r', (size_t)(end - cr))) != NULL) {
        const char *next = ++cr < end && *cr == '"' ? cr + 1 : cr;
        if (next < end && *next >= '0' && *next <= '9')
            return true;
    }
    return false;
}

/* LF wherever one occurs; CR only when none does within the window, or a single one ends the file. */
static void choose_end(struct el_lines *l) {
    struct el_slab *s = &l->here;
    const char *text = s->text + s->start, *found = NULL;
    size_t length = s->used - s->start;
    if (s->used > s->searched)
        found = memchr(s->text + s->searched, '\n', s->used - s->searched);
    bool is_last = found && l->filler.at_end && found == text + length - 1;
    if (found && !(is_last && has_cr_lines(text, length))) {
        l->end = '\n';
        return;
    }
    s->searched = s->used;
    if (!l->filler.at_end && length < CR_ONLY_WINDOW)
        return;
    l->traits.cr_only = length && memchr(text, '\r', length);
    l->end = l->traits.cr_only ? '\r' : '\n';
    s->searched = s->start;
}

static void cut_line(struct el_lines *l, size_t length, bool ended, unsigned scan,
                     struct el_line *out) {
    struct el_slab *s = &l->here;
    const char *text = s->text + s->start;
    s->start += length + ended;
    if (l->end == '\n' && length && text[length - 1] == '\r') {
        length--;
        if (ended && !l->traits.crlf)
            l->traits.crlf = l->number + 1;
    }
    *out = (struct el_line){ { text, length }, ++l->number, ended, scan };
}

/* Whole lines of the slab, at most `most`. */
static size_t cut_lines(struct el_lines *l, struct el_line *out, size_t most) {
    struct el_slab *s = &l->here;
    size_t count = 0;
    if (!l->end && l->filler.encoding != EL_NOT_KNOWN)
        choose_end(l);
    while (l->end && count < most) {
        if (s->next == s->ends)
            el_slab_find_ends(s, l->end);
        if (s->next == s->ends)
            break;
        cut_line(l, s->end[s->next] - s->start, true, s->scan[s->next], &out[count++]);
        s->next++;
    }
    return count;
}

static enum el_line_result too_long(const struct el_lines *l, struct el_error *err) {
    (void)el_fail(err, EL_CAPTURE,
                  "line %llu is longer than 256 MiB: this is not a capture that esxtop wrote",
                  (unsigned long long)l->number + 1);
    return EL_LINE_FAILED;
}

/* More text for `here`, from wherever it comes; at the end *over is set. */
static bool fetch(struct el_lines *l, bool *over, struct el_error *err) {
    struct el_slab *s = &l->here;
    if (l->thread) {
        enum el_ahead_result result = el_ahead_next(l->thread, s, err);
        *over = result == EL_AHEAD_END;
        return result != EL_AHEAD_FAILED;
    }
    if (l->given)
        return fetch_pieces(l, err);
    *over = l->filler.at_end && (l->end || s->used == s->start);
    if (*over)
        return true;
    el_slab_compact(s);
    /* Of the first line, a header, only as much as it is long: all threads wait for it. */
    return el_slab_fill(s, &l->filler, l->end ? l->stretch : l->filler.chunk, err);
}

enum el_line_result el_lines_next(struct el_lines *l, struct el_line *out, size_t most,
                                  size_t *count, struct el_error *err) {
    struct el_slab *s = &l->here;
    bool over = false;
    while ((*count = cut_lines(l, out, most)) == 0 && !over) {
        if (s->used - s->start > EL_LINE_LIMIT)
            return too_long(l, err);
        if (!fetch(l, &over, err))
            return EL_LINE_FAILED;
    }
    if (*count == 0 && s->used > s->start)
        cut_line(l, s->used - s->start, false, EL_NOT_SCANNED, &out[(*count)++]);
    else if (*count)
        start_thread(l);
    return *count ? EL_LINE_READ : EL_LINE_END;
}
