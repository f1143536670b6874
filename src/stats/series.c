#include "esxlat/stats/series.h"

#include <string.h>

#include "esxlat/base/mem.h"
#include "esxlat/base/num.h"

bool el_series_kept(enum el_kind kind) {
    return kind == EL_ADAPTER || kind == EL_LUN || kind == EL_NFS || kind == EL_VM ||
           kind == EL_VDISK;
}

/* The metric of a track; EL_METRICS: the kind has none. */
static enum el_metric metric_of(enum el_kind kind, enum el_series_track track) {
    static const enum el_metric physical[EL_A_TRACKS] = { EL_M_davg, EL_M_kavg, EL_M_qavg,
                                                          EL_M_gavg, EL_M_cmds, EL_M_inflight,
                                                          EL_M_actv, EL_M_qued, EL_M_dqlen,
                                                          EL_METRICS };
    static const enum el_metric virtual[EL_A_TRACKS] = {
        EL_M_lun_davg, EL_M_lun_kavg, EL_M_lun_qavg, EL_M_lat,   EL_M_cmds,
        EL_M_inflight, EL_METRICS,    EL_METRICS,    EL_METRICS, EL_M_lun_gavg
    };
    return el_kind_is_virtual(kind) ? virtual[track] : physical[track];
}

void el_series_needs(enum el_kind kind, bool wanted[EL_METRICS]) {
    for (int t = 0; el_series_kept(kind) && t < EL_A_TRACKS; t++) {
        enum el_metric m = metric_of(kind, (enum el_series_track)t);
        if (m != EL_METRICS)
            wanted[m] = true;
    }
}

unsigned el_axis_reach(struct el_axis *a, int64_t from, int64_t to) {
    unsigned merges = 0;
    if (a->width == 0) {
        a->start = from;
        a->width = to > from ? to - from : 1000;
    }
    while (to > a->start && (to - 1 - a->start) / a->width >= EL_SERIES_BUCKETS) {
        a->width *= 2;
        a->used = (a->used + 1) / 2;
        merges++;
    }
    size_t reached = to > a->start ? (size_t)((to - 1 - a->start) / a->width) + 1 : 1;
    if (reached > a->used)
        a->used = reached;
    return merges;
}

static struct el_bucket merged(const struct el_bucket *x, const struct el_bucket *y) {
    if (x->weight <= 0 || y->weight <= 0)
        return x->weight > 0 ? *x : *y;
    return (struct el_bucket){ .sum = x->sum + y->sum,
                               .weight = x->weight + y->weight,
                               .least = x->least < y->least ? x->least : y->least,
                               .most = x->most > y->most ? x->most : y->most };
}

static void merge_pairs(struct el_bucket *b) {
    for (size_t i = 0; i < EL_SERIES_BUCKETS / 2; i++) {
        b[i] = merged(&b[2 * i], &b[2 * i + 1]);
    }
    memset(b + EL_SERIES_BUCKETS / 2, 0, EL_SERIES_BUCKETS / 2 * sizeof *b);
}

void el_series_follow(struct el_track_series *s, unsigned merges) {
    for (; s->merged < merges; s->merged++)
        for (size_t t = 0; s->bucket && t < EL_A_TRACKS; t++)
            merge_pairs(s->bucket + t * EL_SERIES_BUCKETS);
}

void el_series_release(struct el_track_series *s) {
    el_free(s->bucket);
    s->bucket = NULL;
}

static double weight_of(const struct el_samples *s, enum el_metric m, size_t row) {
    enum el_weight w = el_metric_info(m)->weight;
    const double *commands = s->column[EL_M_commands];
    bool by_commands = (w == EL_WEIGHT_CMDS || w == EL_WEIGHT_IOS) && commands;
    return by_commands ? commands[row] : s->column[EL_M_seconds][row];
}

static void add(struct el_bucket *b, double value, double weight) {
    if (el_missing(value) || !(weight > 0))
        return;
    if (b->weight <= 0 || (float)value < b->least)
        b->least = (float)value;
    if (b->weight <= 0 || (float)value > b->most)
        b->most = (float)value;
    b->sum += (float)(value * weight);
    b->weight += (float)weight;
}

void el_series_take(struct el_track_series *s, const struct el_axis *a, unsigned merges,
                    enum el_kind kind, const struct el_samples *samples) {
    el_series_follow(s, merges);
    if (!s->bucket)
        s->bucket = el_calloc(EL_A_TRACKS * EL_SERIES_BUCKETS, sizeof *s->bucket);
    for (int t = 0; t < EL_A_TRACKS; t++) {
        enum el_metric m = metric_of(kind, (enum el_series_track)t);
        if (m == EL_METRICS || !samples->column[m])
            continue;
        for (size_t i = 0; i < samples->rows; i++) {
            int64_t at = (samples->to[i] - 1 - a->start) / a->width;
            if (samples->to[i] > a->start && at < EL_SERIES_BUCKETS)
                add(&s->bucket[t * EL_SERIES_BUCKETS + at], samples->column[m][i],
                    weight_of(samples, m, i));
        }
    }
}
