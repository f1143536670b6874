/* waits.h - who waited and who worked, over time: commands of an entity and how long they waited, in the buckets of
 * the analysis' time axis (series.h).
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
struct el_waits {                  /* zero-initialised is empty */
    struct el_wait_bucket *bucket; /* [EL_SERIES_BUCKETS], NULL before the first command */
    unsigned merged;               /* merges of the axis that were followed */
};

bool el_waits_kept(enum el_kind kind);
/* Add the rows of a block.  One thread an entity; in order of time; the axis reaches the block's end. */
void el_waits_take(struct el_waits *w, const struct el_axis *a, unsigned merges, enum el_kind kind,
                   uint32_t entity, const struct el_block *b, const struct el_run *run);
/* Follow the merges of the axis; before sums are asked for. */
void el_waits_follow(struct el_waits *w, unsigned merges);
/* Seconds waited and commands between two times (ms): buckets that lie there in part count in part. */
struct el_wait_sum {
    double seconds, commands;
};
struct el_wait_sum el_waits_between(const struct el_waits *w, const struct el_axis *a, int64_t from,
                                    int64_t to);
void el_waits_release(struct el_waits *w);

#endif
