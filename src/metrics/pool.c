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

/* The metrics that an entity has, with the sort of their weight. */
struct metrics {
    enum el_metric metric[EL_METRICS];
    enum el_weight weight[EL_METRICS];
    size_t count;
};

static void list_metrics(const struct el_samples *s, struct metrics *out) {
    out->count = 0;
    for (int m = 0; m < EL_METRICS; m++) {
        if (!s->column[m])
            continue;
        out->metric[out->count] = (enum el_metric)m;
        out->weight[out->count++] = el_metric_info((enum el_metric)m)->weight;
    }
}

static double at(const struct el_samples *s, enum el_metric m, size_t row) {
    return s->column[m] ? s->column[m][row] : EL_NAN;
}

/* What a row counts for in an average, by sort of weight. */
static void weights_of(const struct el_samples *s, size_t row, double weight[EL_WEIGHT_SUM + 1]) {
    double seconds = at(s, EL_M_seconds, row), reads = at(s, EL_M_reads, row) * seconds,
           writes = at(s, EL_M_writes, row) * seconds;
    weight[EL_WEIGHT_TIME] = seconds;
    weight[EL_WEIGHT_CMDS] = at(s, EL_M_cmds, row) * seconds;
    weight[EL_WEIGHT_READS] = reads;
    weight[EL_WEIGHT_WRITES] = writes;
    bool apart = s->column[EL_M_reads] && s->column[EL_M_writes];
    weight[EL_WEIGHT_IOS] = apart ? reads + writes : weight[EL_WEIGHT_CMDS];
    weight[EL_WEIGHT_SUM] = 1;
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

static void add_row(struct el_pool *p, const struct el_samples *s, const struct metrics *list,
                    size_t row) {
    double weight[EL_WEIGHT_SUM + 1];
    if (p->rows == 0)
        begin(p, s->from[row]);
    weights_of(s, row, weight);
    for (size_t i = 0; i < list->count; i++) {
        enum el_metric m = list->metric[i];
        double value = s->column[m][row], w = weight[list->weight[i]];
        if (el_missing(value) || !(w > 0))
            continue;
        p->sum[m] += w * value;
        p->weight[m] += w;
    }
    p->rows++;
    p->to = s->to[row];
    double commands = at(s, EL_M_commands, row);
    p->commands += commands > 0 ? commands : 0;
}

/* The pooled sample becomes row `n` of the scratch. */
static void emit(struct el_pool *p, const struct metrics *list, struct el_pooled *scratch,
                 size_t n) {
    for (size_t i = 0; i < list->count; i++) {
        enum el_metric m = list->metric[i];
        double value = EL_NAN;
        if (p->weight[m] > 0)
            value = list->weight[i] == EL_WEIGHT_SUM ? p->sum[m] : p->sum[m] / p->weight[m];
        scratch->value[(size_t)m * EL_BLOCK_ROWS + n] = value;
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

/* How many samples from `row` on say enough by themselves; all where commands are not counted. */
static size_t saying_enough(const struct el_samples *in, size_t row) {
    const double *commands = in->column[EL_M_commands];
    size_t end = commands ? row : in->rows;
    while (end < in->rows && commands[end] >= EL_POOL_COMMANDS)
        end++;
    return end - row;
}

static void pass_on(const struct el_samples *in, size_t row, size_t count,
                    const struct metrics *list, struct el_pooled *scratch, size_t n) {
    for (size_t i = 0; i < list->count; i++) {
        enum el_metric m = list->metric[i];
        memcpy(scratch->value + (size_t)m * EL_BLOCK_ROWS + n, in->column[m] + row,
               count * sizeof *in->column[m]);
    }
    memcpy(scratch->from + n, in->from + row, count * sizeof *in->from);
    memcpy(scratch->to + n, in->to + row, count * sizeof *in->to);
}

void el_pool_feed(struct el_pool *p, const struct el_samples *in, struct el_pooled *scratch,
                  struct el_samples *out) {
    if (p->rows == 0 && saying_enough(in, 0) == in->rows) {
        *out = *in;
        return;
    }
    struct metrics list;
    list_metrics(in, &list);
    prepare(scratch, in, out);
    for (size_t i = 0; i < in->rows; i++) {
        size_t enough = p->rows == 0 ? saying_enough(in, i) : 0;
        if (enough) {
            pass_on(in, i, enough, &list, scratch, out->rows);
            out->rows += enough;
            i += enough - 1;
            continue;
        }
        bool idle = !(at(in, EL_M_commands, i) > 0);
        if (p->rows == 0 && idle && !(at(in, EL_M_actv, i) > 0))
            continue;
        add_row(p, in, &list, i);
        bool stalled = idle && p->rows == 1;
        if (stalled || p->commands >= EL_POOL_COMMANDS || p->rows >= EL_POOL_ROWS)
            emit(p, &list, scratch, out->rows++);
    }
}

void el_pool_finish(struct el_pool *p, struct el_pooled *scratch, struct el_samples *out) {
    struct metrics list;
    prepare(scratch, NULL, out);
    list_metrics(out, &list);
    if (p->rows)
        emit(p, &list, scratch, out->rows++);
}
