#include "sums.h"

#include <math.h>
#include <string.h>

#include "esxlat/base/wide.h"

struct sums_of_four {
    el_four weight, sum, least, most;
};

/* `bytes` of four rows; those behind the last one weigh nothing. */
static inline void add_four(struct sums_of_four *s, const double *value, const double *weight,
                            size_t bytes) {
    el_four v = { 0 }, w = { 0 };
    memcpy(&v, value, bytes);
    memcpy(&w, weight, bytes);
    el_four product = w * v;
    el_four_bits takes_part = (v == v) & (w > 0), less = takes_part & (v < s->least),
                 more = takes_part & (v > s->most);
    s->weight += EL_CHOSEN(takes_part, w);
    s->sum += EL_CHOSEN(takes_part, product);
    s->least = EL_CHOSEN(less, v) + EL_CHOSEN(~less, s->least);
    s->most = EL_CHOSEN(more, v) + EL_CHOSEN(~more, s->most);
}

EL_WIDE struct el_sums el_sum_rows(const double *value, const double *weight, size_t rows) {
    static const double ones[4] = { 1, 1, 1, 1 };
    const el_four none = { 0 };
    struct sums_of_four s = { none, none, none + (double)INFINITY, none - (double)INFINITY };
    size_t i = 0;
    for (; i + 4 <= rows; i += 4)
        add_four(&s, value + i, weight ? weight + i : ones, sizeof(el_four));
    if (i < rows)
        add_four(&s, value + i, weight ? weight + i : ones, (rows - i) * sizeof(double));
    return (struct el_sums){
        .weight = EL_SUM(s.weight),
        .sum = EL_SUM(s.sum),
        .least = fmin(fmin(s.least[0], s.least[1]), fmin(s.least[2], s.least[3])),
        .most = fmax(fmax(s.most[0], s.most[1]), fmax(s.most[2], s.most[3])),
    };
}
