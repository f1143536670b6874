/* spans.h - how much time stretches cover that may overlap: of captures, of trouble. */
#ifndef EL_VERDICT_SPANS_H
#define EL_VERDICT_SPANS_H

#include <stddef.h>
#include <stdint.h>

struct el_span {
    int64_t from, to; /* ms */
    double part;      /* 0..1 of it counts: the rest are holes whose places are not kept */
};
/* Seconds that count, in any order of the spans; where several overlap, the one with the greatest part does. */
double el_spans_seconds(const struct el_span *s, size_t count);

#endif
