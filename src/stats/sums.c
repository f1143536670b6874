#include "sums.h"

#include <math.h>
#include <string.h>

#include "esxlat/base/wide.h"

#define FOUR(x)                                                                                    \
    { x, x, x, x }

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
    s->weight += (el_four)((el_four_bits)w & takes_part);
    s->sum += (el_four)((el_four_bits)product & takes_part);
    s->least = (el_four)(((el_four_bits)v & less) | ((el_four_bits)s->least & ~less));
    s->most = (el_four)(((el_four_bits)v & more) | ((el_four_bits)s->most & ~more));
}

EL_WIDE struct el_sums el_sum_rows(const double *value, const double *weight, size_t rows) {
    const double far = (double)INFINITY;
    struct sums_of_four s = { FOUR(0), FOUR(0), FOUR(far), FOUR(-far) };
    size_t i = 0;
    for (; i + 4 <= rows; i += 4)
        add_four(&s, value + i, weight + i, sizeof(el_four));
    if (i < rows)
        add_four(&s, value + i, weight + i, (rows - i) * sizeof(double));
    return (struct el_sums){
        .weight = (s.weight[0] + s.weight[1]) + (s.weight[2] + s.weight[3]),
        .sum = (s.sum[0] + s.sum[1]) + (s.sum[2] + s.sum[3]),
        .least = fmin(fmin(s.least[0], s.least[1]), fmin(s.least[2], s.least[3])),
        .most = fmax(fmax(s.most[0], s.most[1]), fmax(s.most[2], s.most[3])),
    };
}
