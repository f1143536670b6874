#include "esxlat/metrics/pool.h"

#include <string.h>

#include "esxlat/base/num.h"

void el_pool_release(struct el_pool *p) {
    el_free(p->sum);
    *p = (struct el_pool){ 0 };
}

void el_pooled_release(struct el_pooled *p) {
    el_free(p->value);
    p->value = NULL;
}

static double at(const struct el_samples *s, enum el_metric m, size_t row) {
    return s->column[m] ? s->column[m][row] : EL_NAN;
}

/* What a row's value of a metric counts for in an average. */
static double weight_of(const struct el_samples *s, enum el_metric m, size_t row) {
    double seconds = at(s, EL_M_seconds, row);
    switch (el_metric_info(m)->weight) {
    case EL_WEIGHT_TIME: return seconds;
    case EL_WEIGHT_CMDS: return at(s, EL_M_cmds, row) * seconds;
    case EL_WEIGHT_READS: return at(s, EL_M_reads, row) * seconds;
    case EL_WEIGHT_WRITES: return at(s, EL_M_writes, row) * seconds;
    case EL_WEIGHT_IOS: return (at(s, EL_M_reads, row) + at(s, EL_M_writes, row)) * seconds;
    case EL_WEIGHT_SUM: break;
    }
    return 1;
}

static void begin(struct el_pool *p, int64_t from) {
    if (!p->sum) {
        p->sum = el_alloc(2 * EL_METRICS * sizeof *p->sum);
        p->weight = p->sum + EL_METRICS;
    }
    memset(p->sum, 0, 2 * EL_METRICS * sizeof *p->sum);
    p->from = from;
    p->rows = 0;
    p->commands = 0;
}

static void add_row(struct el_pool *p, const struct el_samples *s, size_t row) {
    if (p->rows == 0)
        begin(p, s->from[row]);
    for (int m = 0; m < EL_METRICS; m++) {
        if (!s->column[m] || el_missing(s->column[m][row]))
            continue;
        double weight = weight_of(s, (enum el_metric)m, row);
        if (!(weight > 0))
            continue;
        p->sum[m] += weight * s->column[m][row];
        p->weight[m] += weight;
    }
    p->rows++;
    p->to = s->to[row];
    double commands = at(s, EL_M_commands, row);
    p->commands += commands > 0 ? commands : 0;
}

/* The pooled sample becomes row `n` of the scratch. */
static void emit(struct el_pool *p, struct el_pooled *scratch, size_t n) {
    for (int m = 0; m < EL_METRICS; m++) {
        double value = EL_NAN;
        if (p->weight[m] > 0)
            value = el_metric_info((enum el_metric)m)->weight == EL_WEIGHT_SUM
                        ? p->sum[m]
                        : p->sum[m] / p->weight[m];
        scratch->value[m * EL_BLOCK_ROWS + (int)n] = value;
    }
    scratch->from[n] = p->from;
    scratch->to[n] = p->to;
    p->rows = 0;
}

static void prepare(struct el_pooled *scratch, const struct el_samples *in,
                    struct el_samples *out) {
    if (!scratch->value)
        scratch->value = el_alloc(EL_METRICS * EL_BLOCK_ROWS * sizeof *scratch->value);
    *out = (struct el_samples){ .from = scratch->from, .to = scratch->to };
    for (int m = 0; m < EL_METRICS; m++)
        if (!in || in->column[m])
            out->column[m] = scratch->value + (size_t)m * EL_BLOCK_ROWS;
}

static bool all_say_enough(const struct el_samples *in) {
    const double *commands = in->column[EL_M_commands];
    for (size_t i = 0; commands && i < in->rows; i++)
        if (!(commands[i] >= EL_POOL_COMMANDS))
            return false;
    return true;
}

void el_pool_feed(struct el_pool *p, const struct el_samples *in, struct el_pooled *scratch,
                  struct el_samples *out) {
    if (p->rows == 0 && all_say_enough(in)) {
        *out = *in;
        return;
    }
    prepare(scratch, in, out);
    for (size_t i = 0; i < in->rows; i++) {
        bool idle = !(at(in, EL_M_commands, i) > 0);
        if (p->rows == 0 && idle && !(at(in, EL_M_actv, i) > 0))
            continue;
        add_row(p, in, i);
        bool stalled = idle && p->rows == 1;
        if (stalled || p->commands >= EL_POOL_COMMANDS || p->rows >= EL_POOL_ROWS)
            emit(p, scratch, out->rows++);
    }
}

void el_pool_finish(struct el_pool *p, struct el_pooled *scratch, struct el_samples *out) {
    prepare(scratch, NULL, out);
    if (p->rows)
        emit(p, scratch, out->rows++);
}
