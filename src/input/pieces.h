/* pieces.h - inside input/: the next stretch of a plain file, read in pieces by several threads.
 *
 * Whoever reads a piece also looks at the lines that became whole by it, while its cache still holds them: to fetch
 * them again later, perhaps from the cache of another processor, costs as much as the work on them. */
#ifndef EL_INPUT_PIECES_H
#define EL_INPUT_PIECES_H

#include <pthread.h>

#include "esxlat/input/lines.h"
#include "slab.h"

#define EL_PIECES     16
#define EL_PIECE_ENDS 64

struct el_piece {
    size_t at, size; /* place in the slab's text, and how many bytes belong there */
    bool read;
    size_t got;
    int error;                       /* errno */
    size_t end[EL_PIECE_ENDS], ends; /* line ends */
    unsigned scan[EL_PIECE_ENDS];    /* of the lines that end there */
    size_t searched;                 /* line ends before this place in the text are listed */
};

struct el_pieces {
    struct el_source *source;
    el_line_scan *scan; /* may be NULL */
    void *ctx;
    struct el_slab *slab; /* that the bytes go to; the pieces begin at its `used` */
    char line_end;
    int64_t place; /* in the file, of the first piece */
    struct el_piece piece[EL_PIECES];
    size_t count;
    pthread_mutex_t lock;  /* for what follows, and what pieces say of each other */
    unsigned first, scans; /* numbers first .. first + scans - 1 were given to lines */
};

void el_pieces_init(struct el_pieces *p, struct el_source *source, el_line_scan *scan, void *ctx);
void el_pieces_release(struct el_pieces *p);
/* Cut the stretch of the file that begins at `place` and belongs behind the slab's text, in which no line ends. */
void el_pieces_cut(struct el_pieces *p, struct el_slab *slab, size_t stretch, int64_t place,
                   char line_end);
/* Read piece i, once; several threads may read different ones. */
void el_pieces_read(struct el_pieces *p, size_t i);
/* All are read: they become part of the slab, in order, as far as they follow each other without a hole; *error: errno of
 * the first that failed among those.  Returns the bytes gained. */
size_t el_pieces_join(struct el_pieces *p, int *error);

#endif
