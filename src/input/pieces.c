#include "pieces.h"

#include <string.h>

void el_pieces_init(struct el_pieces *p, struct el_source *source, el_line_scan *scan, void *ctx) {
    *p = (struct el_pieces){ .source = source, .scan = scan, .ctx = ctx };
    (void)pthread_mutex_init(&p->lock, NULL);
}

void el_pieces_release(struct el_pieces *p) {
    (void)pthread_mutex_destroy(&p->lock);
}

void el_pieces_cut(struct el_pieces *p, struct el_slab *slab, size_t stretch, int64_t place,
                   char line_end) {
    size_t count = stretch >= EL_PIECES * (size_t)256 ? EL_PIECES : 1, size = stretch / count;
    p->slab = slab;
    p->line_end = line_end;
    p->place = place;
    p->count = count;
    p->first = p->first ? 0 : EL_SCANS / 2; /* lines of the stretch before are still in use */
    p->scans = 0;
    for (size_t i = 0; i < count; i++)
        p->piece[i] = (struct el_piece){ .at = slab->used + i * size,
                                         .size = i + 1 < count ? size : stretch - i * size };
}

/* ---- lines that are whole ---- */

struct whole {
    size_t from, to; /* in the text */
    unsigned scan;
};

/* Is a piece read, and are all its line ends listed?  If not its lines are short, and el_slab_find_ends finds them. */
static bool is_listed(const struct el_piece *p) {
    return p->read && p->searched == p->at + p->got;
}

/* Also: did it end where the next one begins? */
static bool goes_on(const struct el_piece *p) {
    return is_listed(p) && p->got == p->size;
}

/* Where the first line that ends in piece i begins; false: not all of it is read. */
static bool find_begin(const struct el_pieces *p, size_t i, size_t *from) {
    *from = 0;
    while (i-- > 0) {
        const struct el_piece *before = &p->piece[i];
        if (!goes_on(before))
            return false;
        if (before->ends) {
            *from = before->end[before->ends - 1] + 1;
            return true;
        }
    }
    return true;
}

/* A number for the line that ends at `end[k]` of a piece, if there is one left. */
static void claim(struct el_pieces *p, struct el_piece *piece, size_t k, size_t from,
                  struct whole *list, size_t *count) {
    if (p->scans == EL_SCANS / 2)
        return;
    piece->scan[k] = p->first + p->scans++;
    list[(*count)++] = (struct whole){ from, piece->end[k], piece->scan[k] };
}

/* The lines that became whole by piece i: those within it, the one that ends in it, the one that begins in it. */
static size_t claim_lines(struct el_pieces *p, size_t i, struct whole *list) {
    struct el_piece *piece = &p->piece[i];
    size_t from, count = 0, next = i + 1;
    if (!is_listed(piece))
        return 0;
    if (piece->ends && find_begin(p, i, &from))
        claim(p, piece, 0, from, list, &count);
    for (size_t k = 1; k < piece->ends; k++)
        claim(p, piece, k, piece->end[k - 1] + 1, list, &count);
    while (next < p->count && goes_on(&p->piece[next]) && p->piece[next].ends == 0)
        next++;
    if (next < p->count && is_listed(&p->piece[next]) && p->piece[next].ends &&
        find_begin(p, next, &from))
        claim(p, &p->piece[next], 0, from, list, &count);
    return count;
}

/* ---- reading ---- */

static void read_bytes(const struct el_pieces *p, struct el_piece *piece) {
    const char *text = p->slab->text;
    piece->got = el_source_read_at(p->source, p->slab->text + piece->at, piece->size,
                                   p->place + (int64_t)(piece->at - p->piece[0].at), &piece->error);
    piece->searched = piece->at;
    while (piece->ends < EL_PIECE_ENDS && piece->searched < piece->at + piece->got) {
        const char *found =
            memchr(text + piece->searched, p->line_end, piece->at + piece->got - piece->searched);
        piece->searched = found ? (size_t)(found - text) + 1 : piece->at + piece->got;
        if (!found)
            break;
        piece->scan[piece->ends] = EL_NOT_SCANNED;
        piece->end[piece->ends++] = piece->searched - 1;
    }
}

void el_pieces_read(struct el_pieces *p, size_t i) {
    struct whole list[EL_PIECE_ENDS + 1];
    read_bytes(p, &p->piece[i]);
    (void)pthread_mutex_lock(&p->lock);
    p->piece[i].read = true;
    size_t count = p->scan ? claim_lines(p, i, list) : 0;
    (void)pthread_mutex_unlock(&p->lock);
    for (size_t k = 0; k < count; k++) {
        const char *text = p->slab->text + list[k].from;
        size_t length = list[k].to - list[k].from;
        length -= p->line_end == '\n' && length && text[length - 1] == '\r';
        p->scan(p->ctx, (struct el_str){ text, length }, list[k].scan);
    }
}

/* Line ends of a piece are taken over if all before it are listed. */
static void take_ends(struct el_slab *s, const struct el_piece *p) {
    if (s->searched != p->at || s->ends + p->ends > EL_SLAB_ENDS)
        return;
    if (p->ends) {
        memcpy(s->end + s->ends, p->end, p->ends * sizeof *p->end);
        memcpy(s->scan + s->ends, p->scan, p->ends * sizeof *p->scan);
    }
    s->ends += p->ends;
    s->searched = p->searched;
}

size_t el_pieces_join(struct el_pieces *p, int *error) {
    struct el_slab *s = p->slab;
    size_t before = s->used;
    *error = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct el_piece *piece = &p->piece[i];
        take_ends(s, piece);
        s->used += piece->got;
        *error = piece->error;
        if (piece->got < piece->size)
            break;
    }
    memset(s->text + s->used, 0, EL_SLAB_PADDING);
    return s->used - before;
}
