/* pool.h - samples with few commands, pooled until they say something.
 *
 * An average of four commands is noise (diagnosis.md 2.3; Broadcom KB 309140: one command of 500 ms among
 * four of 1 ms prints 100.8 ms).  So rows of an entity are pooled until EL_POOL_COMMANDS commands were seen
 * or EL_POOL_ROWS rows went by.  Rows before the first command are passed on as they are only when commands are
 * at the device (a stall), else dropped: an idle stretch says nothing.  A row with enough commands stays alone. */
#ifndef ESXLAT_METRICS_POOL_H
#define ESXLAT_METRICS_POOL_H

#include "esxlat/metrics/block.h"
#include "esxlat/metrics/samples.h"

#define EL_POOL_COMMANDS 20
#define EL_POOL_ROWS     12

/* An entity's unfinished sample.  Zero-initialised is empty. */
struct el_pool {
    double *sum, *weight; /* [metric]; NULL before the first one */
    int64_t from, to;
    size_t rows;
    double commands;
};
void el_pool_release(struct el_pool *p);

/* Scratch for one thread; zero-initialised is empty. */
struct el_pooled {
    double *value;
    int64_t from[EL_BLOCK_ROWS], to[EL_BLOCK_ROWS];
};
void el_pooled_release(struct el_pooled *p);

/* Rows in, samples out (in the scratch, or `in` itself when every row has enough commands).  Metrics to be kept
 * are those with a column in `in`, which must hold commands, seconds and what weights need (cmds, reads, writes). */
void el_pool_feed(struct el_pool *p, const struct el_samples *in, struct el_pooled *scratch,
                  struct el_samples *out);
/* After the last row: what is left as one sample; out->rows is 0 if nothing is. */
void el_pool_finish(struct el_pool *p, struct el_pooled *scratch, struct el_samples *out);

#endif
