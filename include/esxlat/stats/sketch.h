/* sketch.h - weighted quantiles in bounded memory.
 *
 * Values fall into buckets at most 1/128 wide relative to their value (the idea of DDSketch: Masson, Rim, Lee,
 * "DDSketch: a fast and fully-mergeable quantile sketch with relative-error guarantees", VLDB 2019; the buckets
 * are the leading bits of the floating-point number), so that any quantile is within 0.5 % of the true one.
 * Magnitudes below 2^-11 (0.0005) count as 0 (esxtop prints 0.01); those above 2^84 are told apart only by the largest.
 * Memory: 1 KiB for each doubling in which values fell. */
#ifndef ESXLAT_STATS_SKETCH_H
#define ESXLAT_STATS_SKETCH_H

#include <stddef.h>
#include <stdint.h>

#include "esxlat/base/mem.h"

#define EL_SKETCH_OCTAVES 96 /* doublings from 2^-11 on; beyond the last everything is one bucket */
#define EL_SKETCH_STEPS   128 /* buckets of a doubling */

struct el_sketch_side {                /* buckets of one sign */
    double *octave[EL_SKETCH_OCTAVES]; /* [EL_SKETCH_STEPS] weights, NULL while nothing fell in */
};
/* Zero-initialised is empty.  Its buckets lie in the arena that is given with each call, which outlives it. */
struct el_sketch {
    struct el_sketch_side *above,
        *below;         /* positive and negative values, NULL while there are none */
    double zero, total; /* weights */
    double least, most; /* smallest and largest value seen */
};

/* Values and their weights.  Values that are not finite and weights that are not above 0 are ignored. */
void el_sketch_add(struct el_sketch *s, struct el_arena *memory, const double *value,
                   const double *weight, size_t count);
/* Add all that another sketch holds. */
void el_sketch_join(struct el_sketch *s, struct el_arena *memory, const struct el_sketch *other);
/* The smallest value v such that the values <= v carry at least q of the weight, within 0.5 %,
 * q in 0..1; NaN when empty. */
double el_sketch_quantile(const struct el_sketch *s, double q);

#endif
