/* sums.h - inside stats/: a column of a block added up. */
#ifndef EL_STATS_SUMS_H
#define EL_STATS_SUMS_H

#include <stddef.h>

/* Over the rows whose value is known and whose weight is above 0; `least` and `most` are infinite if there is none. */
struct el_sums {
    double weight, sum; /* sum of weight x value */
    double least, most;
};

/* `weight` NULL: each row weighs 1.  In an order that is the same on any machine: four running sums, which are added at
 * the end. */
struct el_sums el_sum_rows(const double *value, const double *weight, size_t rows);

#endif
