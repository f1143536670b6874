#include "aggregate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* As in eval.c: the loops over columns are to become vector instructions at any level of optimisation. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "no-trapping-math", "no-math-errno")
#endif

unsigned el_aggregate_needs(enum el_aggregate aggregate) {
    static const unsigned char needs[EL_AGGREGATES] = {
        [EL_A_MEAN] = EL_NEED_MEAN,   [EL_A_P10] = EL_NEED_SKETCH,   [EL_A_P50] = EL_NEED_SKETCH,
        [EL_A_P95] = EL_NEED_SKETCH,  [EL_A_P99] = EL_NEED_SKETCH,   [EL_A_MAX] = EL_NEED_RANGE,
        [EL_A_MIN] = EL_NEED_RANGE,   [EL_A_SUM] = EL_NEED_RANGE,    [EL_A_SHARE] = EL_NEED_TRUTH,
        [EL_A_COUNT] = EL_NEED_TRUTH, [EL_A_STDEV] = EL_NEED_SPREAD, [EL_A_CV] = EL_NEED_SPREAD,
        [EL_A_SLOPE] = EL_NEED_SLOPE,
    };
    assert(aggregate < EL_AGGREGATES);
    return needs[aggregate];
}

/* ---- chunks ---- */

void el_chunk_init(struct el_chunk *chunk, struct el_arena *memory) {
    chunk->memory = memory;
    el_frame_init(&chunk->frame);
    chunk->waiting.commands[0] = chunk->waiting.device[0] = chunk->waiting.vmkernel[0] = 0;
    for (size_t i = 0; i < EL_CHUNK; i++) {
        chunk->missing[i] = (double)NAN;
        chunk->all[i] = 1;
        chunk->hit[i] = 0;
    }
}

void el_chunk_set(struct el_chunk *chunk, const struct el_samples *samples, size_t first,
                  size_t rows) {
    const double **input = chunk->frame.cell + EL_REGISTERS;
    assert(rows <= EL_CHUNK && first + rows <= samples->rows);
    chunk->samples = samples;
    chunk->first = first;
    chunk->rows = rows;
    chunk->have = 0;
    chunk->waiting.ready = false;
    for (size_t m = 0; m < EL_METRICS; m++)
        input[m] = samples->column[m] ? samples->column[m] + first : chunk->missing;
    input[EL_INPUT_HIT] = chunk->hit;
}

/* Seconds of each sample: as measured, else from its times. */
static void weigh_time(const struct el_chunk *chunk, double *out) {
    const struct el_samples *s = chunk->samples;
    for (size_t i = 0; i < chunk->rows; i++) {
        size_t row = chunk->first + i;
        double seconds = s->column[EL_M_seconds] ? s->column[EL_M_seconds][row] : (double)NAN;
        out[i] = seconds > 0 ? seconds : ((double)s->to[row] - (double)s->from[row]) / 1000;
    }
}

static const double *weights(struct el_chunk *chunk, enum el_weight weight);

/* Commands; seconds for an entity whose commands are not counted. */
static void weigh_commands(struct el_chunk *chunk, double *out) {
    const double *commands = chunk->samples->column[EL_M_commands];
    const double *from = commands ? commands + chunk->first : weights(chunk, EL_WEIGHT_TIME);
    memcpy(out, from, chunk->rows * sizeof *out);
}

/* rate x seconds of reads, writes or both; all commands where they are not told apart. */
static void weigh_rate(struct el_chunk *chunk, enum el_weight weight, double *out) {
    const double *reads = chunk->samples->column[EL_M_reads];
    const double *writes = chunk->samples->column[EL_M_writes];
    bool lacks = (weight != EL_WEIGHT_WRITES && !reads) || (weight != EL_WEIGHT_READS && !writes);
    if (lacks) {
        memcpy(out, weights(chunk, EL_WEIGHT_CMDS), chunk->rows * sizeof *out);
        return;
    }
    const double *seconds = weights(chunk, EL_WEIGHT_TIME);
    for (size_t i = 0; i < chunk->rows; i++) {
        size_t row = chunk->first + i;
        double rate = weight != EL_WEIGHT_WRITES && reads ? reads[row] : 0;
        rate += weight != EL_WEIGHT_READS && writes ? writes[row] : 0;
        out[i] = rate * seconds[i];
    }
}

/* The column of a weight, computed when first asked for. */
static const double *weights(struct el_chunk *chunk, enum el_weight weight) {
    double *out = chunk->weight[weight];
    if (chunk->have & 1u << weight)
        return out;
    chunk->have |= 1u << weight;
    switch (weight) {
    case EL_WEIGHT_TIME: weigh_time(chunk, out); break;
    case EL_WEIGHT_CMDS: weigh_commands(chunk, out); break;
    case EL_WEIGHT_READS:
    case EL_WEIGHT_WRITES:
    case EL_WEIGHT_IOS: weigh_rate(chunk, weight, out); break;
    case EL_WEIGHT_SUM:
        for (size_t i = 0; i < chunk->rows; i++)
            out[i] = 1; /* every sample counts the same */
        break;
    }
    return out;
}

/* ---- collecting ---- */

/* The samples that take part, close together. */
struct batch {
    struct el_arena *memory;
    size_t rows;
    double value[EL_CHUNK], weight[EL_CHUNK];
    int64_t time[EL_CHUNK];
};

/* Sum of weight x value over weight. */
static void add_mean(struct el_tally *t, const struct batch *b) {
    double weight = t->weight, sum = t->sum_weighted;
    for (size_t i = 0; i < b->rows; i++) {
        if (!(b->weight[i] > 0))
            continue;
        weight += b->weight[i];
        sum += b->weight[i] * b->value[i];
    }
    t->weight = weight;
    t->sum_weighted = sum;
}

static void add_spread(struct el_tally *t, const struct batch *b) {
    for (size_t i = 0; i < b->rows; i++) {
        double w = b->weight[i];
        if (!(w > 0))
            continue;
        double distance = b->value[i] - t->centre;
        t->spread_weight += w;
        t->centre += distance * (w / t->spread_weight);
        t->m2 += w * distance * (b->value[i] - t->centre);
    }
}

static void add_range(struct el_tally *t, const struct batch *b) {
    bool none = t->count < 1;
    double sum = t->sum, least = none ? (double)INFINITY : t->least,
           most = none ? -(double)INFINITY : t->most;
    for (size_t i = 0; i < b->rows; i++) {
        double v = b->value[i];
        sum += v;
        least = v < least ? v : least;
        most = v > most ? v : most;
    }
    t->sum = sum;
    t->least = least;
    t->most = most;
}

static void add_sketch(struct el_tally *t, const struct batch *b) {
    el_sketch_add(&t->sketch, b->memory, b->value, b->weight, b->rows);
}

/* Least squares over (minute, value); every sample counts the same. */
static void add_slope(struct el_tally *t, const struct batch *b) {
    for (size_t i = 0; i < b->rows; i++) {
        if (t->times < 1)
            t->time_zero = b->time[i];
        double minute = ((double)b->time[i] - (double)t->time_zero) / 60000;
        double away = minute - t->time_mean;
        t->times++;
        t->time_mean += away / t->times;
        t->value_mean += (b->value[i] - t->value_mean) / t->times;
        t->time_m2 += away * (minute - t->time_mean);
        t->covariance += away * (b->value[i] - t->value_mean);
    }
}

static void add_truth(struct el_tally *t, const struct batch *b) {
    size_t held = 0;
    for (size_t i = 0; i < b->rows; i++)
        held += b->value[i] >= 1;
    t->held += (double)held;
}

/* Four rows at a time: any machine adds up in the same order. */
struct el_mean_of_four {
    el_four count, weight, sum;
};

/* `bytes` of four rows; those behind the last one are 0 and take no part. */
static inline void add_four(struct el_mean_of_four *m, const double *value, const double *filter,
                            const double *weight, size_t bytes) {
    const el_four ones = { 1, 1, 1, 1 };
    el_four v = { 0 }, f = { 0 }, w = { 0 };
    memcpy(&v, value, bytes);
    memcpy(&f, filter, bytes);
    memcpy(&w, weight, bytes);
    el_four_bits takes_part = (v == v) & (f >= ones), weighs = takes_part & (w > 0);
    el_four product = w * v;
    m->count += EL_CHOSEN(takes_part, ones);
    m->weight += EL_CHOSEN(weighs, w);
    m->sum += EL_CHOSEN(weighs, product);
}

/* add_mean straight from the columns, without a branch: for measures of which nothing but the mean is wanted, and
 * most are such. */
EL_WIDE static void add_mean_of_columns(struct el_tally *t, const double *value,
                                        const double *filter, const double *weight, size_t rows) {
    struct el_mean_of_four m = { { 0 }, { 0 }, { 0 } };
    size_t i = 0;
    for (; i + 4 <= rows; i += 4)
        add_four(&m, value + i, filter + i, weight + i, sizeof(el_four));
    if (i < rows)
        add_four(&m, value + i, filter + i, weight + i, (rows - i) * sizeof(double));
    t->count += EL_SUM(m.count);
    t->weight += EL_SUM(m.weight);
    t->sum_weighted += EL_SUM(m.sum);
}

/* add_truth likewise. */
EL_WIDE static void add_truth_of_columns(struct el_tally *t, const double *value,
                                         const double *filter, size_t rows) {
    int64_t known = 0, held = 0;
    for (size_t i = 0; i < rows; i++) {
        bool takes_part = (value[i] == value[i]) & (filter[i] >= 1);
        known += takes_part;
        held += takes_part & (value[i] >= 1);
    }
    t->count += (double)known;
    t->held += (double)held;
}

static void gather(struct batch *b, const struct el_chunk *chunk, const double *value,
                   const double *filter, const double *weight) {
    b->memory = chunk->memory;
    b->rows = 0;
    for (size_t i = 0; i < chunk->rows; i++) {
        if (isnan(value[i]) || !(filter[i] >= 1))
            continue;
        b->value[b->rows] = value[i];
        b->weight[b->rows] = weight[i];
        b->time[b->rows++] = chunk->samples->to[chunk->first + i];
    }
}

void el_tally_add(struct el_tally *tally, const struct el_measure *measure, enum el_profile profile,
                  struct el_chunk *chunk) {
    static void (*const add[])(struct el_tally *, const struct batch *) = { add_mean,  add_spread,
                                                                            add_range, add_sketch,
                                                                            add_slope, add_truth };
    double copy[EL_CHUNK];
    const double *filter = chunk->all;
    struct batch b;
    if (measure->has_filter) {
        filter = el_program_run(&measure->filter, &chunk->frame, profile, chunk->rows);
        if (measure->filter.steps && measure->value.steps) /* both use the same registers */
            filter = memcpy(copy, filter, chunk->rows * sizeof *copy);
    }
    const double *value = el_program_run(&measure->value, &chunk->frame, profile, chunk->rows);
    if (measure->needs == EL_NEED_TRUTH) {
        add_truth_of_columns(tally, value, filter, chunk->rows);
        return;
    }
    const double *weight = weights(chunk, measure->weight);
    if (measure->needs == EL_NEED_MEAN) {
        add_mean_of_columns(tally, value, filter, weight, chunk->rows);
        return;
    }
    gather(&b, chunk, value, filter, weight);
    for (size_t i = 0; i < sizeof add / sizeof *add; i++)
        if (measure->needs & 1u << i)
            add[i](tally, &b);
    tally->count += (double)b.rows;
}

/* ---- figures ---- */

static double quotient(double a, double b) {
    return b > 0 ? a / b : (double)NAN;
}

static double stdev(const struct el_tally *t) {
    return sqrt(quotient(t->m2 > 0 ? t->m2 : 0, t->spread_weight));
}

double el_tally_figure(const struct el_tally *t, enum el_aggregate aggregate) {
    bool none = t->count < 1;
    switch (aggregate) {
    case EL_A_MEAN: return quotient(t->sum_weighted, t->weight);
    case EL_A_P10: return el_sketch_quantile(&t->sketch, 0.10);
    case EL_A_P50: return el_sketch_quantile(&t->sketch, 0.50);
    case EL_A_P95: return el_sketch_quantile(&t->sketch, 0.95);
    case EL_A_P99: return el_sketch_quantile(&t->sketch, 0.99);
    case EL_A_MAX: return none ? (double)NAN : t->most;
    case EL_A_MIN: return none ? (double)NAN : t->least;
    case EL_A_SUM: return none ? (double)NAN : t->sum;
    case EL_A_SHARE: return quotient(t->held, t->count);
    case EL_A_COUNT: return t->held;
    case EL_A_STDEV: return stdev(t);
    case EL_A_CV: return quotient(stdev(t), fabs(t->centre));
    case EL_A_SLOPE: return quotient(t->covariance, t->time_m2);
    case EL_AGGREGATES: break;
    }
    assert(false);
    return (double)NAN;
}
