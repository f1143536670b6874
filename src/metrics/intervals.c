#include "intervals.h"

#include <stdlib.h>

#include "esxlat/base/num.h"

void el_intervals_note(struct el_intervals *l, int64_t ms, uint64_t line) {
    size_t nearest = 0;
    l->total++;
    for (size_t i = 0; i < l->count; i++) {
        if (l->item[i].ms == ms) {
            l->item[i].count++;
            return;
        }
        if (llabs(l->item[i].ms - ms) < llabs(l->item[nearest].ms - ms))
            nearest = i;
    }
    if (l->count < EL_INTERVALS)
        l->item[l->count++] = (struct el_interval){ ms, 1, line };
    else
        l->item[nearest].count++;
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
