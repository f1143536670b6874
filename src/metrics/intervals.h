/* intervals.h - inside metrics/: lengths of samples, for their median and for gaps. */
#ifndef EL_METRICS_INTERVALS_H
#define EL_METRICS_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

#define EL_INTERVALS 512 /* distinct lengths that are told apart; beyond, lengths are rounded */

struct el_interval {
    int64_t ms;
    uint64_t count, first_line;
};
struct el_intervals { /* zero-initialised is empty */
    struct el_interval item[EL_INTERVALS];
    size_t count;
    uint64_t total;
    int64_t quantum; /* ms that lengths are rounded to; 0: exact */
};

void el_intervals_note(struct el_intervals *l, int64_t ms, uint64_t line);
/* In seconds, between the two middle ones when their number is even; NaN when empty.  Sorts the list. */
double el_intervals_median(struct el_intervals *l);

#endif
