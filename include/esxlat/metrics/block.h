/* block.h - samples as a matrix: some rows x the wanted columns of a run.
 *
 * Rows come in one by one, from several threads, each as a line of its own: filling one walks memory straight and touches
 * no cache line of another.  Then they are turned into columns, so that consuming an entity walks memory
 * straight as well.  NaN is missing. */
#ifndef ESXLAT_METRICS_BLOCK_H
#define ESXLAT_METRICS_BLOCK_H

#include "esxlat/capture/catalog.h"

#define EL_BLOCK_ROWS 256 /* most rows of a block */

struct el_block {             /* zero-initialised is empty */
    size_t rows, most, slots; /* rows in it; as many as it takes; columns */
    size_t width, stride;     /* doubles of a row with its padding; from column to column */
    const double
        *row[EL_BLOCK_ROWS]; /* values of row r by slot: el_block_room(r), or the caller's */
    size_t turned;           /* rows that are columns already: */
    double *column;          /* slot s of row r at column[s * stride + r] */
    double *room;            /* for `most` rows, and the columns */
    double *seconds;         /* [row] since the row before */
    int64_t *from, *to;      /* [row] ms since 1970 */
    size_t value_room, time_room;
};

/* Empty it for a run with `slots` columns; `most` becomes 8 to EL_BLOCK_ROWS, about 4 MiB of rows in all. */
void el_block_reset(struct el_block *b, size_t slots);
void el_block_release(struct el_block *b);

/* Room for the values of a row. */
double *el_block_room(const struct el_block *b, size_t row);
/* A row more.  Its values must stand where they are until they are turned. */
void el_block_add(struct el_block *b, const double *values);
/* Turn the rows that are not columns yet: each part of el_block_parts() once, several at the same time if you like; then
 * tell that it is done.  No parts: all rows are turned. */
size_t el_block_parts(const struct el_block *b);
void el_block_turn(struct el_block *b, size_t part);
void el_block_turned(struct el_block *b);

/* Values of a counter of an entity, `rows` of them; NULL when the run has no such column. */
const double *el_block_column(const struct el_block *b, const struct el_run *run, uint32_t entity,
                              enum el_counter counter);

#endif
