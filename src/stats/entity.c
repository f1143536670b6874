#include "esxlat/stats/entity.h"

#include <math.h>

#include "esxlat/base/num.h"
#include "sums.h"

/* GAVG = DAVG + KAVG holds within 0.01 in every capture seen (rounding); diagnosis.md 1 allows 0.02. */
#define SUM_TOLERANCE 0.0201

struct rows { /* an entity's columns in one block */
    const struct el_entity *entity;
    const double *column[EL_COUNTERS];
    const double *seconds;
    const int64_t *to;
    size_t count;
    struct el_stats_kept kept;
    struct el_arena *memory;
};

static double positive(const double *column, size_t i) {
    return column && column[i] > 0 ? column[i] : 0;
}

/* ---- latencies ---- */

static void weigh(struct el_weighted *w, const double *value, const double *weight,
                  const struct rows *r, bool sketch) {
    struct el_sums s = el_sum_rows(value, weight, r->count);
    if (!(s.weight > 0))
        return;
    if (w->weight == 0 || s.most > w->max) {
        size_t first = 0;
        while (!(value[first] >= s.most && weight[first] > 0))
            first++;
        w->max = s.most;
        w->max_at = r->to[first];
    }
    w->weight += s.weight;
    w->sum += s.sum;
    if (sketch)
        el_sketch_add(&w->sketch, r->memory, value, weight, r->count);
}

static void take_latency(struct el_entity_stats *s, enum el_stat_latency l, const struct rows *r,
                         enum el_counter value, enum el_counter rate) {
    double weight[EL_BLOCK_ROWS];
    const double *n = r->column[rate];
    if (!r->column[value] || !n || !(r->kept.figures & EL_S_BIT(l)))
        return;
    for (size_t i = 0; i < r->count; i++)
        weight[i] = n[i] * r->seconds[i];
    weigh(&s->latency[l], r->column[value], weight, r, r->kept.quantiles & EL_S_BIT(l));
}

/* LAT of a sample from its two sides; a side with commands and no value makes it missing. */
static double lat_of(const struct rows *r, size_t i, double *ios) {
    double rd = positive(r->column[EL_C_reads], i), wr = positive(r->column[EL_C_writes], i),
           sum = 0;
    *ios = rd + wr;
    if (rd > 0)
        sum += r->column[EL_C_lat_rd] ? rd * r->column[EL_C_lat_rd][i] : EL_NAN;
    if (wr > 0)
        sum += r->column[EL_C_lat_wr] ? wr * r->column[EL_C_lat_wr][i] : EL_NAN;
    return *ios > 0 ? sum / *ios : EL_NAN;
}

static void take_lat(struct el_entity_stats *s, const struct rows *r) {
    double value[EL_BLOCK_ROWS], weight[EL_BLOCK_ROWS];
    for (size_t i = 0; i < r->count; i++) {
        double ios;
        value[i] = lat_of(r, i, &ios);
        weight[i] = ios * r->seconds[i];
    }
    weigh(&s->latency[EL_S_LAT], value, weight, r, r->kept.quantiles & EL_S_BIT(EL_S_LAT));
}

static void take_latencies(struct el_entity_stats *s, const struct rows *r) {
    static const struct {
        enum el_stat_latency at;
        enum el_counter value, rate;
    } physical[] = {
        { EL_S_DAVG, EL_C_davg, EL_C_cmds },         { EL_S_DAVG_RD, EL_C_davg_rd, EL_C_reads },
        { EL_S_DAVG_WR, EL_C_davg_wr, EL_C_writes }, { EL_S_KAVG, EL_C_kavg, EL_C_cmds },
        { EL_S_KAVG_RD, EL_C_kavg_rd, EL_C_reads },  { EL_S_KAVG_WR, EL_C_kavg_wr, EL_C_writes },
        { EL_S_QAVG, EL_C_qavg, EL_C_cmds },         { EL_S_QAVG_RD, EL_C_qavg_rd, EL_C_reads },
        { EL_S_QAVG_WR, EL_C_qavg_wr, EL_C_writes }, { EL_S_GAVG, EL_C_gavg, EL_C_cmds },
        { EL_S_GAVG_RD, EL_C_gavg_rd, EL_C_reads },  { EL_S_GAVG_WR, EL_C_gavg_wr, EL_C_writes },
    };
    if (!s->latency)
        s->latency = el_arena_alloc(r->memory, EL_S_LATENCIES * sizeof *s->latency);
    if (el_kind_is_virtual(r->entity->kind)) {
        take_lat(s, r);
        take_latency(s, EL_S_LAT_RD, r, EL_C_lat_rd, EL_C_reads);
        take_latency(s, EL_S_LAT_WR, r, EL_C_lat_wr, EL_C_writes);
        return;
    }
    for (size_t i = 0; i < sizeof physical / sizeof *physical; i++)
        take_latency(s, physical[i].at, r, physical[i].value, physical[i].rate);
}

/* ---- counts and gauges ---- */

/* Returns the sum of these rows: a count, where `value` is a rate and `weight` seconds. */
static double gauge(struct el_gauge *g, const double *value, const double *weight, size_t rows) {
    struct el_sums s = el_sum_rows(value, weight, rows);
    if (!(s.weight > 0))
        return 0;
    g->min = g->weight > 0 && g->min < s.least ? g->min : s.least;
    g->max = g->weight > 0 && g->max > s.most ? g->max : s.most;
    g->weight += s.weight;
    g->sum += s.sum;
    return s.sum;
}

static void take_gauge(struct el_gauge *g, const struct rows *r, enum el_counter counter) {
    if (r->column[counter])
        (void)gauge(g, r->column[counter], NULL, r->count);
}

/* Number of events: sum of rate x seconds. */
static void add_count(double *total, const struct rows *r, enum el_counter rate) {
    if (r->column[rate])
        *total += el_sum_rows(r->column[rate], r->seconds, r->count).sum;
}

/* The value that makes a sample active: LAT, GAVG, or what the capture has in its place. */
static double main_value(const struct rows *r, size_t i) {
    double ios;
    if (el_kind_is_virtual(r->entity->kind))
        return lat_of(r, i, &ios);
    for (size_t k = 0; k < 3; k++) {
        enum el_counter c = (enum el_counter[]){ EL_C_gavg, EL_C_davg, EL_C_kavg }[k];
        if (el_entity_has(r->entity, c))
            return r->column[c] ? r->column[c][i] : EL_NAN;
    }
    return EL_NAN;
}

static double present(const double *column, size_t i) {
    return column && !el_missing(column[i]) ? column[i] : 0;
}

/* Little's law. */
static double outstanding(const struct rows *r, size_t i) {
    const double *const *c = r->column;
    if (!el_kind_is_virtual(r->entity->kind))
        return c[EL_C_cmds][i] * present(c[EL_C_davg], i) / 1000;
    return (present(c[EL_C_reads], i) * present(c[EL_C_lat_rd], i) +
            present(c[EL_C_writes], i) * present(c[EL_C_lat_wr], i)) /
           1000;
}

static void take_samples(struct el_entity_stats *s, const struct rows *r) {
    const double *rate = r->column[EL_C_cmds];
    double inflight[EL_BLOCK_ROWS];
    if (!rate)
        return;
    for (size_t i = 0; i < r->count; i++) {
        bool known = !el_missing(rate[i]);
        s->samples += known;
        s->active += known && rate[i] > 0 && !el_missing(main_value(r, i));
        inflight[i] = known ? outstanding(r, i) : EL_NAN;
    }
    s->commands += gauge(&s->iops, rate, r->seconds, r->count);
    if (el_kind_is_virtual(r->entity->kind) || el_entity_has(r->entity, EL_C_davg))
        (void)gauge(&s->inflight, inflight, r->seconds, r->count);
}

static void take_megabytes(struct el_entity_stats *s, const struct rows *r) {
    const double *rd = r->column[EL_C_mb_rd], *wr = r->column[EL_C_mb_wr],
                 *rate = r->column[EL_C_cmds];
    double mb_s[EL_BLOCK_ROWS];
    if (!rd || !wr || !rate)
        return;
    for (size_t i = 0; i < r->count; i++)
        mb_s[i] = el_missing(rate[i]) ? EL_NAN : rd[i] + wr[i];
    s->megabytes += gauge(&s->mb_s, mb_s, r->seconds, r->count);
}

/* KAVG as printed, or GAVG - DAVG, which is how esxtop computes it. */
static double kernel_latency(const struct rows *r, size_t i) {
    const double *d = r->column[EL_C_davg], *k = r->column[EL_C_kavg], *g = r->column[EL_C_gavg];
    return k ? k[i] : g && d ? g[i] - d[i] : EL_NAN;
}

static void take_time(struct el_entity_stats *s, const struct rows *r) {
    const double *n = r->column[EL_C_cmds], *d = r->column[EL_C_davg], *k = r->column[EL_C_kavg],
                 *g = r->column[EL_C_gavg];
    double device = s->time_device, vmkernel = s->time_vmkernel;
    for (size_t i = 0; n && i < r->count; i++) {
        if (!(n[i] > 0))
            continue;
        double count = n[i] * r->seconds[i] / 1000, kernel = kernel_latency(r, i);
        device += d && !el_missing(d[i]) ? count * d[i] : 0;
        vmkernel += !el_missing(kernel) ? count * kernel : 0;
        s->sum_broken += d && k && g && fabs(g[i] - d[i] - k[i]) > SUM_TOLERANCE;
    }
    s->time_device = device;
    s->time_vmkernel = vmkernel;
}

static bool any_command(const struct rows *r) {
    for (size_t i = 0; i < r->count; i++)
        if (positive(r->column[EL_C_cmds], i) > 0 || positive(r->column[EL_C_reads], i) > 0 ||
            positive(r->column[EL_C_writes], i) > 0)
            return true;
    return false;
}

void el_stats_take(struct el_entity_stats *s, const struct el_entity *e, uint32_t id,
                   struct el_stats_kept kept, const struct el_block *b, const struct el_run *run,
                   struct el_arena *memory) {
    struct rows r = { .entity = e,
                      .seconds = b->seconds,
                      .to = b->to,
                      .count = b->rows,
                      .kept = kept,
                      .memory = memory };
    for (int c = 0; c < EL_COUNTERS; c++)
        r.column[c] = el_block_column(b, run, id, (enum el_counter)c);
    take_samples(s, &r);
    take_megabytes(s, &r);
    add_count(&s->reads, &r, EL_C_reads);
    add_count(&s->writes, &r, EL_C_writes);
    add_count(&s->aborts, &r, EL_C_abrts);
    add_count(&s->resets, &r, EL_C_resets);
    add_count(&s->conflicts, &r, EL_C_cons);
    add_count(&s->failed, &r, EL_C_fcmds);
    take_gauge(&s->actv, &r, EL_C_actv);
    take_gauge(&s->qued, &r, EL_C_qued);
    take_gauge(&s->dqlen, &r, EL_C_dqlen);
    take_gauge(&s->aqlen, &r, EL_C_aqlen);
    if (!any_command(&r))
        return;
    take_latencies(s, &r);
    take_time(s, &r);
}
