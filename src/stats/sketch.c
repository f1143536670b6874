#include "esxlat/stats/sketch.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "esxlat/base/num.h"

/* A bucket is what the exponent and the first 7 bits of the fraction of a double have in common: at most 1/128 wide,
 * so its middle is within 0.4 % of all in it, and finding it costs a shift. */
#define STEP_BITS      7
#define SHIFT          (52 - STEP_BITS)
#define FIRST_EXPONENT (1023 - 11)
#define SMALLEST       0.00048828125 /* 2^-11 */
#define LAST           (EL_SKETCH_OCTAVES * EL_SKETCH_STEPS - 1)

_Static_assert(EL_SKETCH_STEPS == 1 << STEP_BITS, "steps and bits agree");

static uint32_t bucket_of(double size) {
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    uint64_t bucket = (bits >> SHIFT) - ((uint64_t)FIRST_EXPONENT << STEP_BITS);
    return bucket > LAST ? LAST : (uint32_t)bucket;
}

static double middle_of(uint32_t bucket) {
    uint64_t bits =
        ((bucket + ((uint64_t)FIRST_EXPONENT << STEP_BITS)) << SHIFT) | (uint64_t)1 << (SHIFT - 1);
    double middle;
    memcpy(&middle, &bits, sizeof middle);
    return bucket == LAST ? DBL_MAX : middle;
}

static inline double *octave_of(struct el_sketch_side **side, struct el_arena *memory,
                                uint32_t octave) {
    if (!*side)
        *side = el_arena_alloc(memory, sizeof **side);
    double **at = &(*side)->octave[octave];
    if (!*at)
        *at = el_arena_alloc(memory, EL_SKETCH_STEPS * sizeof **at);
    return *at;
}

void el_sketch_add(struct el_sketch *s, struct el_arena *memory, const double *value,
                   const double *weight, size_t count) {
    bool empty = !(s->total > 0);
    double total = s->total, zero = s->zero, least = empty ? (double)INFINITY : s->least,
           most = empty ? -(double)INFINITY : s->most;
    for (size_t i = 0; i < count; i++) {
        double v = value[i], w = weight[i], size = v < 0 ? -v : v;
        if (!(w > 0) || !(size <= DBL_MAX)) /* NaN as well */
            continue;
        least = v < least ? v : least;
        most = v > most ? v : most;
        total += w;
        if (size < SMALLEST) {
            zero += w;
            continue;
        }
        uint32_t bucket = bucket_of(size);
        struct el_sketch_side **side = v > 0 ? &s->above : &s->below;
        octave_of(side, memory, bucket / EL_SKETCH_STEPS)[bucket % EL_SKETCH_STEPS] += w;
    }
    if (!(total > 0))
        return;
    s->total = total;
    s->zero = zero;
    s->least = least;
    s->most = most;
}

static void join_side(struct el_sketch_side **side, struct el_arena *memory,
                      const struct el_sketch_side *other) {
    for (uint32_t o = 0; other && o < EL_SKETCH_OCTAVES; o++) {
        if (!other->octave[o])
            continue;
        double *octave = octave_of(side, memory, o);
        for (uint32_t i = 0; i < EL_SKETCH_STEPS; i++)
            octave[i] += other->octave[o][i];
    }
}

void el_sketch_join(struct el_sketch *s, struct el_arena *memory, const struct el_sketch *other) {
    if (!(other->total > 0))
        return;
    bool first = !(s->total > 0);
    s->least = first || other->least < s->least ? other->least : s->least;
    s->most = first || other->most > s->most ? other->most : s->most;
    s->total += other->total;
    s->zero += other->zero;
    join_side(&s->above, memory, other->above);
    join_side(&s->below, memory, other->below);
}

static double within(const struct el_sketch *s, double value) {
    return value < s->least ? s->least : value > s->most ? s->most : value;
}

/* The bucket in which the running weight reaches `target`, walking up; EL_SKETCH_NONE if none does. */
#define EL_SKETCH_NONE UINT32_MAX
static uint32_t walk_up(const struct el_sketch_side *side, double target, double *run) {
    for (uint32_t o = 0; side && o < EL_SKETCH_OCTAVES; o++)
        for (uint32_t i = 0; side->octave[o] && i < EL_SKETCH_STEPS; i++) {
            *run += side->octave[o][i];
            if (*run >= target && *run > 0)
                return o * EL_SKETCH_STEPS + i;
        }
    return EL_SKETCH_NONE;
}

static uint32_t walk_down(const struct el_sketch_side *side, double target, double *run) {
    for (uint32_t o = EL_SKETCH_OCTAVES; side && o-- > 0;)
        for (uint32_t i = EL_SKETCH_STEPS; side->octave[o] && i-- > 0;) {
            *run += side->octave[o][i];
            if (*run >= target && *run > 0)
                return o * EL_SKETCH_STEPS + i;
        }
    return EL_SKETCH_NONE;
}

double el_sketch_quantile(const struct el_sketch *s, double q) {
    if (!(s->total > 0))
        return EL_NAN;
    double target = q * s->total * (1 - 1e-12), run = 0;
    uint32_t bucket = walk_down(s->below, target, &run); /* most negative first */
    if (bucket != EL_SKETCH_NONE)
        return within(s, -middle_of(bucket));
    run += s->zero;
    if (run >= target && run > 0)
        return within(s, 0);
    bucket = walk_up(s->above, target, &run);
    return bucket == EL_SKETCH_NONE ? s->most : within(s, middle_of(bucket));
}
