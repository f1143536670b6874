/* aggregate.h - what is collected over the samples of an entity.
 *
 * A measure says what: the values of an expression in those samples in which a condition holds, and
 * which figures of them are wanted.  A tally is the running state of one measure for one entity.
 * Rules that ask for the same measure share it. */
#ifndef RULES_AGGREGATE_H
#define RULES_AGGREGATE_H

#include "esxlat/metrics/samples.h"
#include "esxlat/stats/sketch.h"

#include "program.h"

/* Which figures: bits of el_measure.needs. */
enum {
    EL_NEED_MEAN = 1,   /* mean */
    EL_NEED_SPREAD = 2, /* stdev cv */
    EL_NEED_RANGE = 4,  /* min max sum */
    EL_NEED_SKETCH = 8, /* p10 p50 p95 p99 */
    EL_NEED_SLOPE = 16, /* slope */
    EL_NEED_TRUTH = 32  /* share count */
};
unsigned el_aggregate_needs(enum el_aggregate aggregate);

struct el_measure {
    const char *text;         /* canonical: equal texts, equal measures */
    struct el_program value;  /* a number, or a condition for share and count */
    struct el_program filter; /* used if has_filter */
    bool has_filter;
    bool only_hit; /* nothing changes in samples that are not hit */
    bool late;     /* asks for what is known only at the end */
    enum el_weight weight;
    unsigned needs;
    unsigned kinds;                     /* of the rules that ask */
    unsigned lanes;                     /* profiles with equal thresholds share a lane */
    unsigned char lane_of[EL_PROFILES]; /* and the first profile of a lane computes it */
};

struct el_tally {
    double count, held;          /* known values; conditions that held */
    double weight, sum_weighted; /* mean = sum_weighted / weight */
    double spread_weight, centre,
        m2; /* West, "Updating mean and variance estimates", CACM 22(9), 1979 */
    double sum, least, most;
    double times, time_mean, value_mean, time_m2, covariance; /* slope, by co-moments */
    int64_t time_zero;
    struct el_sketch sketch;
};

/* What the commands of a chunk's samples waited. */
struct el_waiting {
    bool ready;
    bool joined[EL_CHUNK]; /* the sample follows the one before it in the chunk without a gap */
    double each[EL_CHUNK]; /* ms a command */
    double commands[EL_CHUNK + 1], device[EL_CHUNK + 1],
        vmkernel[EL_CHUNK + 1]; /* sums of the samples before; seconds */
};

/* The samples of one chunk as tallies see them. */
struct el_chunk {
    struct el_arena *memory; /* for what tallies grow by */
    const struct el_samples *samples;
    size_t first, rows;
    struct el_frame frame; /* inputs: metrics and `hit` */
    double weight[EL_WEIGHT_SUM + 1][EL_CHUNK];
    unsigned have;             /* bits of the weights that are computed */
    struct el_waiting waiting; /* for judge.c, computed when first asked for */
    double missing[EL_CHUNK], all[EL_CHUNK], hit[EL_CHUNK];
};
void el_chunk_init(struct el_chunk *chunk,
                   struct el_arena *memory); /* once, before chunks of samples are set */
void el_chunk_set(struct el_chunk *chunk, const struct el_samples *samples, size_t first,
                  size_t rows);

void el_tally_add(struct el_tally *tally, const struct el_measure *measure, enum el_profile profile,
                  struct el_chunk *chunk);
/* NaN when nothing was collected. */
double el_tally_figure(const struct el_tally *tally, enum el_aggregate aggregate);

#endif
