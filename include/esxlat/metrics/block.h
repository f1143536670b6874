/* block.h - samples as a matrix: some rows x the wanted columns of a run.
 *
 * Rows come in one by one, from several threads, each as a line of its own: filling one walks memory straight and touches
 * no cache line of another.  Then the block is turned: columns, so that consuming an entity walks memory
 * straight as well.  NaN is missing. */
#ifndef ESXLAT_METRICS_BLOCK_H
#define ESXLAT_METRICS_BLOCK_H

#include "esxlat/capture/catalog.h"

#define EL_BLOCK_ROWS 64 /* most rows of a block */

struct el_block {             /* zero-initialised is empty */
    size_t rows, most, slots; /* rows in it; as many as it takes; columns */
    size_t width, stride;     /* doubles from row to row, and from column to column */
    double *row;              /* slot s of row r is row[r * width + s], as it came in */
    double *column;           /* the same at column[s * stride + r], once it is turned */
    double *seconds;          /* [row] since the row before */
    int64_t *from, *to;       /* [row] ms since 1970 */
    size_t value_room, time_room;
};

/* Empty it for a run with `slots` columns; `most` becomes 8 to EL_BLOCK_ROWS, about 4 MiB of rows in all. */
void el_block_reset(struct el_block *b, size_t slots);
void el_block_release(struct el_block *b);

/* The place of a row's values. */
double *el_block_row(const struct el_block *b, size_t row);
/* Part `part` of el_block_parts() of the rows becomes columns; parts may be turned at the same time. */
size_t el_block_parts(const struct el_block *b);
void el_block_turn(struct el_block *b, size_t part);

/* Values of a counter of an entity, `rows` of them; NULL when the run has no such column. */
const double *el_block_column(const struct el_block *b, const struct el_run *run, uint32_t entity,
                              enum el_counter counter);

#endif
