#include "esxlat/stats/sketch.h"

#include <float.h>
#include <string.h>

#include "esxlat/base/mem.h"
#include "esxlat/base/num.h"

/* A bucket is what the exponent and the first 7 bits of the fraction of a double have in common: at most
 * 1/128 wide, so its middle is within 0.4 % of all in it, and finding it costs a shift. */
#define KEPT_BITS 7
#define SHIFT     (52 - KEPT_BITS)
#define SMALLEST  0.0005

static int32_t bucket_of(double size) {
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    return (int32_t)(bits >> SHIFT);
}

static double middle_of(int32_t bucket) {
    uint64_t bits = ((uint64_t)bucket << SHIFT) | (uint64_t)1 << (SHIFT - 1);
    double middle;
    memcpy(&middle, &bits, sizeof middle);
    return middle;
}

/* Widen the window so that it holds `bucket`, with a little slack on the side that grew. */
static void reach(struct el_sketch_side *side, int32_t bucket) {
    const int32_t slack = 8;
    int32_t first = side->first, end = first + (int32_t)side->count;
    if (side->count == 0)
        first = end = bucket;
    int32_t new_first = bucket < first ? bucket - slack : first;
    int32_t new_end = bucket >= end ? bucket + 1 + slack : end;
    double *wider = el_calloc((size_t)(new_end - new_first), sizeof *wider);
    if (side->count)
        memcpy(wider + (side->first - new_first), side->weight, side->count * sizeof *wider);
    el_free(side->weight);
    side->weight = wider;
    side->first = new_first;
    side->count = (uint32_t)(new_end - new_first);
}

void el_sketch_add(struct el_sketch *s, double value, double weight) {
    double size = value < 0 ? -value : value;
    if (!(weight > 0) || !(size <= DBL_MAX)) /* NaN as well */
        return;
    if (s->total == 0)
        s->least = s->most = value;
    s->least = value < s->least ? value : s->least;
    s->most = value > s->most ? value : s->most;
    s->total += weight;
    if (size < SMALLEST) {
        s->zero += weight;
        return;
    }
    struct el_sketch_side *side = value > 0 ? &s->above : &s->below;
    int32_t bucket = bucket_of(size);
    if ((uint32_t)(bucket - side->first) >= side->count)
        reach(side, bucket);
    side->weight[bucket - side->first] += weight;
}

static double within(const struct el_sketch *s, double value) {
    return value < s->least ? s->least : value > s->most ? s->most : value;
}

double el_sketch_quantile(const struct el_sketch *s, double q) {
    if (!(s->total > 0))
        return EL_NAN;
    double target = q * s->total * (1 - 1e-12), run = 0;
    for (uint32_t i = s->below.count; i-- > 0;) { /* most negative first */
        run += s->below.weight[i];
        if (run >= target && run > 0)
            return within(s, -middle_of(s->below.first + (int32_t)i));
    }
    run += s->zero;
    if (run >= target && run > 0)
        return within(s, 0);
    for (uint32_t i = 0; i < s->above.count; i++) {
        run += s->above.weight[i];
        if (run >= target && run > 0)
            return within(s, middle_of(s->above.first + (int32_t)i));
    }
    return s->most;
}

void el_sketch_release(struct el_sketch *s) {
    el_free(s->above.weight);
    el_free(s->below.weight);
    *s = (struct el_sketch){ 0 };
}
