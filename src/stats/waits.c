#include "esxlat/stats/waits.h"

#include <string.h>

#include "esxlat/base/mem.h"
#include "esxlat/base/num.h"

bool el_waits_kept(enum el_kind kind) {
    return kind == EL_LUN || kind == EL_NFS || kind == EL_WORLD || kind == EL_VM ||
           kind == EL_VDISK;
}

/* Make the axis reach a time; neighbours merge as often as its width doubles. */
static void reach(struct el_waits *w, int64_t from, int64_t to) {
    struct el_wait_bucket *b = w->bucket;
    for (unsigned merges = el_axis_reach(&w->axis, from, to); b && merges > 0; merges--) {
        for (size_t i = 0; i < EL_SERIES_BUCKETS / 2; i++)
            b[i] = (struct el_wait_bucket){ b[2 * i].seconds + b[2 * i + 1].seconds,
                                            b[2 * i].commands + b[2 * i + 1].commands };
        memset(b + EL_SERIES_BUCKETS / 2, 0, EL_SERIES_BUCKETS / 2 * sizeof *b);
    }
}

/* Rate x latency of a row; a missing value is nothing. */
static double waiting(const double *rate, const double *latency, size_t row) {
    return rate && latency && rate[row] > 0 && !el_missing(latency[row]) ? rate[row] * latency[row]
                                                                         : 0;
}

void el_waits_take(struct el_waits *w, enum el_kind kind, uint32_t entity, const struct el_block *b,
                   const struct el_run *run, struct el_arena *memory) {
    bool virtual = el_kind_is_virtual(kind);
    const double *rate = el_block_column(b, run, entity, EL_C_cmds),
                 *davg = el_block_column(b, run, entity, EL_C_davg),
                 *kavg = el_block_column(b, run, entity, EL_C_kavg),
                 *gavg = el_block_column(b, run, entity, EL_C_gavg),
                 *rd = el_block_column(b, run, entity, EL_C_reads),
                 *wr = el_block_column(b, run, entity, EL_C_writes),
                 *lat_rd = el_block_column(b, run, entity, EL_C_lat_rd),
                 *lat_wr = el_block_column(b, run, entity, EL_C_lat_wr);
    const struct el_axis *a = &w->axis;
    reach(w, b->from[0], b->to[0]); /* the first sample sets the width */
    reach(w, b->from[0], b->to[b->rows - 1]);
    for (size_t i = 0; rate && i < b->rows; i++) {
        int64_t at = (b->to[i] - 1 - a->start) / a->width;
        if (!(rate[i] > 0) || b->to[i] <= a->start || at >= EL_SERIES_BUCKETS)
            continue;
        if (!w->bucket)
            w->bucket = el_arena_alloc(memory, EL_SERIES_BUCKETS * sizeof *w->bucket);
        double ms = virtual ? waiting(rd, lat_rd, i) + waiting(wr, lat_wr, i)
                    : gavg  ? waiting(rate, gavg, i)
                            : waiting(rate, davg, i) + waiting(rate, kavg, i);
        w->bucket[at].seconds += (float)(ms * b->seconds[i] / 1000);
        w->bucket[at].commands += (float)(rate[i] * b->seconds[i]);
    }
}

/* The bucket that holds a time, or the nearest end. */
static size_t bucket_at(const struct el_axis *a, int64_t time) {
    double at = ((double)time - (double)a->start) / (double)a->width;
    return at <= 0 ? 0 : at >= (double)a->used ? a->used : (size_t)at;
}

struct el_wait_sum el_waits_between(const struct el_waits *w, int64_t from, int64_t to) {
    const struct el_axis *a = &w->axis;
    struct el_wait_sum sum = { 0, 0 };
    if (!w->bucket || a->used == 0)
        return sum;
    for (size_t i = bucket_at(a, from), end = bucket_at(a, to); i < a->used && i <= end; i++) {
        double begin = (double)a->start + (double)i * (double)a->width,
               after = begin + (double)a->width;
        double left = begin > (double)from ? begin : (double)from,
               right = after < (double)to ? after : (double)to;
        if (right <= left)
            continue;
        double part = (right - left) / (double)a->width;
        sum.seconds += part * (double)w->bucket[i].seconds;
        sum.commands += part * (double)w->bucket[i].commands;
    }
    return sum;
}
