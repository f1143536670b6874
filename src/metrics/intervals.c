#include "intervals.h"

#include <stdlib.h>

#include "esxlat/base/num.h"

/* Round all lengths more coarsely, so that equal ones merge: room again. */
static void coarsen(struct el_intervals *l) {
    size_t kept = 0;
    l->quantum = 4 * (l->quantum ? l->quantum : 1);
    for (size_t i = 0; i < l->count; i++) {
        struct el_interval x = l->item[i];
        size_t k = 0;
        x.ms = (x.ms + l->quantum / 2) / l->quantum * l->quantum;
        while (k < kept && l->item[k].ms != x.ms)
            k++;
        if (k == kept) {
            l->item[kept++] = x;
            continue;
        }
        l->item[k].count += x.count;
        if (x.first_line < l->item[k].first_line)
            l->item[k].first_line = x.first_line;
    }
    l->count = kept;
}

void el_intervals_note(struct el_intervals *l, int64_t ms, uint64_t line) {
    l->total++;
    for (;;) {
        if (l->quantum)
            ms = (ms + l->quantum / 2) / l->quantum * l->quantum;
        for (size_t i = 0; i < l->count; i++)
            if (l->item[i].ms == ms) {
                l->item[i].count++;
                return;
            }
        if (l->count < EL_INTERVALS)
            break;
        coarsen(l);
    }
    l->item[l->count++] = (struct el_interval){ ms, 1, line };
}

static int by_length(const void *a, const void *b) {
    const struct el_interval *x = a, *y = b;
    return (x->ms > y->ms) - (x->ms < y->ms);
}

double el_intervals_median(struct el_intervals *l) {
    double low = EL_NAN;
    uint64_t run = 0;
    if (l->count > 1)
        qsort(l->item, l->count, sizeof *l->item, by_length);
    for (size_t i = 0; i < l->count; i++) {
        run += l->item[i].count;
        if (el_missing(low) && 2 * run >= l->total)
            low = (double)l->item[i].ms;
        if (2 * run > l->total)
            return (low + (double)l->item[i].ms) / 2000;
    }
    return EL_NAN;
}
