/* block.h - samples as a matrix: some rows x the wanted columns of a run.
 *
 * Column-major, so that consuming an entity walks memory straight: the value of slot s in row r is
 * value[s * stride + r]; NaN is missing. */
#ifndef ESXLAT_METRICS_BLOCK_H
#define ESXLAT_METRICS_BLOCK_H

#include "esxlat/capture/catalog.h"

#define EL_BLOCK_ROWS 64 /* most rows of a block */

struct el_block {             /* zero-initialised is empty */
    size_t rows, most, slots; /* rows in it; as many as it takes; columns */
    size_t
        stride; /* doubles from column to column: not a power of two, lest columns share cache sets */
    double *value;
    double *seconds;    /* [row] since the row before */
    int64_t *from, *to; /* [row] ms since 1970 */
    size_t value_room, row_room;
};

/* Empty it for a run with `slots` columns; `most` becomes 8 to 64, about 4 MiB in all. */
void el_block_reset(struct el_block *b, size_t slots);
void el_block_release(struct el_block *b);

/* Values of a counter of an entity, `rows` of them; NULL when the run has no such column. */
const double *el_block_column(const struct el_block *b, const struct el_run *run, uint32_t entity,
                              enum el_counter counter);

#endif
