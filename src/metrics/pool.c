#include "esxlat/metrics/pool.h"

#include <string.h>

#include "esxlat/base/num.h"

#define WEIGHTS (EL_WEIGHT_SUM + 1)

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

/* What each row counts for in an average, by sort of weight. */
static void weigh_rows(const struct el_samples *s, double weight[WEIGHTS][EL_BLOCK_ROWS]) {
    bool apart = s->column[EL_M_reads] && s->column[EL_M_writes];
    for (size_t i = 0; i < s->rows; i++) {
        double seconds = at(s, EL_M_seconds, i), commands = at(s, EL_M_cmds, i) * seconds,
               reads = at(s, EL_M_reads, i) * seconds, writes = at(s, EL_M_writes, i) * seconds;
        weight[EL_WEIGHT_TIME][i] = seconds;
        weight[EL_WEIGHT_CMDS][i] = commands;
        weight[EL_WEIGHT_READS][i] = reads;
        weight[EL_WEIGHT_WRITES][i] = writes;
        weight[EL_WEIGHT_IOS][i] = apart ? reads + writes : commands;
        weight[EL_WEIGHT_SUM][i] = 1;
    }
}

/* ---- which rows go together ---- */

/* Rows [first, end), which are passed on as they are or added to the pool. */
struct span {
    size_t first, end;
    bool passes;
    bool begins, ends; /* a pooled sample */
};

struct plan {
    struct span span[EL_BLOCK_ROWS];
    size_t spans;
};

/* How many samples from `row` on say enough by themselves; all where commands are not counted. */
static size_t saying_enough(const struct el_samples *in, size_t row) {
    const double *commands = in->column[EL_M_commands];
    size_t end = commands ? row : in->rows;
    while (end < in->rows && commands[end] >= EL_POOL_COMMANDS)
        end++;
    return end - row;
}

/* The row is added to the pool; is the sample finished by it? */
static bool note_row(struct el_pool *p, const struct el_samples *in, size_t row) {
    double commands = at(in, EL_M_commands, row);
    p->rows++;
    p->to = in->to[row];
    p->commands += commands > 0 ? commands : 0;
    bool stalled = p->rows == 1 && !(commands > 0);
    return stalled || p->commands >= EL_POOL_COMMANDS || p->rows >= EL_POOL_ROWS;
}

static bool is_quiet(const struct el_samples *in, size_t row) {
    return !(at(in, EL_M_commands, row) > 0) && !(at(in, EL_M_actv, row) > 0);
}

/* The rows of a sample that begins with `row`, or goes on there; the row behind them. */
static size_t plan_pooled(struct el_pool *p, const struct el_samples *in, size_t row,
                          struct el_pooled *scratch, size_t *samples, struct span *out) {
    *out = (struct span){ .first = row, .begins = p->rows == 0 };
    if (out->begins) {
        p->from = in->from[row];
        p->commands = 0;
    }
    while (row < in->rows && !out->ends)
        out->ends = note_row(p, in, row++);
    out->end = row;
    if (out->ends) {
        scratch->from[*samples] = p->from;
        scratch->to[(*samples)++] = p->to;
        p->rows = 0;
    }
    return row;
}

/* Also tells the number of samples, and their times. */
static size_t plan_rows(struct el_pool *p, const struct el_samples *in, struct el_pooled *scratch,
                        struct plan *plan) {
    size_t samples = 0, row = 0;
    plan->spans = 0;
    while (row < in->rows) {
        size_t enough = p->rows == 0 ? saying_enough(in, row) : 0;
        if (enough) {
            plan->span[plan->spans++] =
                (struct span){ .first = row, .end = row + enough, .passes = true };
            memcpy(scratch->from + samples, in->from + row, enough * sizeof *in->from);
            memcpy(scratch->to + samples, in->to + row, enough * sizeof *in->to);
            samples += enough;
            row += enough;
        } else if (p->rows == 0 && is_quiet(in, row)) {
            row++;
        } else {
            row = plan_pooled(p, in, row, scratch, &samples, &plan->span[plan->spans++]);
        }
    }
    return samples;
}

/* ---- metric by metric ---- */

static double pooled(double sum, double weight, enum el_weight sort) {
    if (!(weight > 0))
        return EL_NAN;
    return sort == EL_WEIGHT_SUM ? sum : sum / weight;
}

/* One metric of all samples. */
static void pool_metric(struct el_pool *p, const struct plan *plan, enum el_metric m,
                        enum el_weight sort, const double *value, const double *weight,
                        double *out) {
    double sum = p->sum[m], of_weight = p->weight[m];
    for (const struct span *s = plan->span; s < plan->span + plan->spans; s++) {
        if (s->passes) {
            memcpy(out, value + s->first, (s->end - s->first) * sizeof *out);
            out += s->end - s->first;
            continue;
        }
        if (s->begins)
            sum = of_weight = 0;
        for (size_t i = s->first; i < s->end; i++) {
            if (el_missing(value[i]) || !(weight[i] > 0))
                continue;
            sum += weight[i] * value[i];
            of_weight += weight[i];
        }
        if (s->ends)
            *out++ = pooled(sum, of_weight, sort);
    }
    p->sum[m] = sum;
    p->weight[m] = of_weight;
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

void el_pool_feed(struct el_pool *p, const struct el_samples *in, struct el_pooled *scratch,
                  struct el_samples *out) {
    if (p->rows == 0 && saying_enough(in, 0) == in->rows) {
        *out = *in;
        return;
    }
    struct metrics list;
    struct plan plan;
    double weight[WEIGHTS][EL_BLOCK_ROWS];
    prepare(scratch, in, out);
    out->rows = plan_rows(p, in, scratch, &plan);
    if (plan.spans == 0)
        return;
    if (!p->sum) {
        p->sum = el_calloc(2 * EL_METRICS, sizeof *p->sum);
        p->weight = p->sum + EL_METRICS;
    }
    list_metrics(in, &list);
    weigh_rows(in, weight);
    for (size_t i = 0; i < list.count; i++) {
        enum el_metric m = list.metric[i];
        pool_metric(p, &plan, m, list.weight[i], in->column[m], weight[list.weight[i]],
                    scratch->value + (size_t)m * EL_BLOCK_ROWS);
    }
}

void el_pool_finish(struct el_pool *p, struct el_pooled *scratch, struct el_samples *out) {
    struct metrics list;
    prepare(scratch, NULL, out);
    list_metrics(out, &list);
    if (!p->rows)
        return;
    for (size_t i = 0; i < list.count; i++) {
        enum el_metric m = list.metric[i];
        scratch->value[(size_t)m * EL_BLOCK_ROWS] = pooled(p->sum[m], p->weight[m], list.weight[i]);
    }
    scratch->from[0] = p->from;
    scratch->to[0] = p->to;
    p->rows = 0;
    out->rows = 1;
}
