/* waits.h - who waited and who worked, over time: commands of an entity and how long they waited, in buckets of an axis
 * (series.h) of its own, which the captures of other hosts do not stretch.
 *
 * Kept for LUNs, NFS volumes, worlds, virtual machines and virtual disks of every analysis, so that an episode can
 * name its VMs.  Memory: 8 bytes x EL_SERIES_BUCKETS for each that has commands. */
#ifndef ESXLAT_STATS_WAITS_H
#define ESXLAT_STATS_WAITS_H

#include "esxlat/capture/catalog.h"
#include "esxlat/metrics/block.h"
#include "esxlat/stats/series.h"

struct el_wait_bucket {
    float seconds, commands;
};
struct el_waits { /* zero-initialised is empty */
    struct el_axis axis;
    struct el_wait_bucket *bucket; /* [EL_SERIES_BUCKETS], NULL before the first command */
};

bool el_waits_kept(enum el_kind kind);
/* Add the rows of a block.  One thread an entity; in order of time.  Its buckets lie in `memory`, which outlives it. */
void el_waits_take(struct el_waits *w, enum el_kind kind, uint32_t entity, const struct el_block *b,
                   const struct el_run *run, struct el_arena *memory);
/* Seconds waited and commands between two times (ms): buckets that lie there in part count in part. */
struct el_wait_sum {
    double seconds, commands;
};
struct el_wait_sum el_waits_between(const struct el_waits *w, int64_t from, int64_t to);

#endif
