/* series.h - what pictures need of an entity: bounded buckets over time that merge when full.
 *
 * All series of an analysis share one time axis, so an entity's bucket i covers the same time everywhere: the width
 * doubles for all when the axis is full.  Memory: EL_SERIES_BUCKETS x tracks, whatever the number of rows. */
#ifndef ESXLAT_STATS_SERIES_H
#define ESXLAT_STATS_SERIES_H

#include "esxlat/metrics/samples.h"

#define EL_SERIES_BUCKETS 360

/* In the order of el_track of the report. */
enum el_series_track {
    EL_A_DAVG,
    EL_A_KAVG,
    EL_A_QAVG,
    EL_A_GAVG,
    EL_A_IOPS,
    EL_A_INFLIGHT,
    EL_A_ACTV,
    EL_A_QUED,
    EL_A_DQLEN,
    EL_A_LUN_GAVG,
    EL_A_TRACKS
};

struct el_axis {          /* zero-initialised: no sample yet */
    int64_t start, width; /* ms */
    size_t used;          /* buckets */
};
/* Make the axis reach `to`; returns how often its buckets must be merged by two (all series follow). */
unsigned el_axis_reach(struct el_axis *a, int64_t from, int64_t to);

struct el_bucket {
    float sum, weight, least, most;
};
struct el_track_series {      /* zero-initialised is empty */
    struct el_bucket *bucket; /* [track][EL_SERIES_BUCKETS], NULL before the first command */
    unsigned merged;          /* merges of the axis that this series has followed */
};

/* Add samples.  `merges` is the number of merges of the axis so far. */
void el_series_take(struct el_track_series *s, const struct el_axis *a, unsigned merges,
                    enum el_kind kind, const struct el_samples *samples);
void el_series_follow(struct el_track_series *s, unsigned merges);
void el_series_release(struct el_track_series *s);
/* Metrics that series of a kind need. */
void el_series_needs(enum el_kind kind, bool wanted[EL_METRICS]);
bool el_series_kept(enum el_kind kind);

#endif
