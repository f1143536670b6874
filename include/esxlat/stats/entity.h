/* entity.h - the figures of one entity, in bounded memory, sample by sample.
 *
 * Definitions: mean = sum(weight x value) / sum(weight) over samples with weight > 0 and a value, where the weight of
 * a latency is the number of commands (reads, writes) of its sort in the sample; quantiles likewise, within
 * 0.5 %; max is the largest such value, with the end of the first sample that has it.  Gauges (dqlen, aqlen, actv, qued)
 * are unweighted over samples.  inflight is Little's law: rate x latency / 1000, averaged over time. */
#ifndef ESXLAT_STATS_ENTITY_H
#define ESXLAT_STATS_ENTITY_H

#include "esxlat/metrics/block.h"
#include "esxlat/stats/sketch.h"

enum el_stat_latency { /* latencies in the order of el_latency of the report */
                       EL_S_DAVG,
                       EL_S_DAVG_RD,
                       EL_S_DAVG_WR,
                       EL_S_KAVG,
                       EL_S_KAVG_RD,
                       EL_S_KAVG_WR,
                       EL_S_QAVG,
                       EL_S_QAVG_RD,
                       EL_S_QAVG_WR,
                       EL_S_GAVG,
                       EL_S_GAVG_RD,
                       EL_S_GAVG_WR,
                       EL_S_LAT,
                       EL_S_LAT_RD,
                       EL_S_LAT_WR,
                       EL_S_LATENCIES
};

struct el_weighted {
    double weight, sum, max;
    int64_t max_at;
    struct el_sketch sketch;
};

struct el_gauge {                 /* unweighted, or over time where weight is seconds */
    double weight, sum, min, max; /* weight 0: no sample */
};

struct el_entity_stats { /* zero-initialised: no samples */
    uint64_t samples, active;
    double commands, reads, writes; /* counts */
    double megabytes;               /* moved, in samples that have both directions */
    double time_device,
        time_vmkernel; /* s of waiting: sum(commands x DAVG), sum(commands x KAVG); vm, vdisk: sums of the
                          metrics wait_device and wait_vmkernel, which whoever derives them adds */
    double aborts, resets, conflicts, failed;
    struct el_gauge iops, mb_s, inflight; /* over time */
    struct el_gauge actv, qued, dqlen, aqlen;
    uint64_t sum_broken;         /* samples in which GAVG is not DAVG + KAVG */
    struct el_weighted *latency; /* [EL_S_LATENCIES], NULL while there was no command */
};

#define EL_S_BIT(latency) (1u << (latency))
#define EL_S_ALL          (EL_S_BIT(EL_S_LATENCIES) - 1)

struct el_stats_kept { /* latencies, EL_S_BIT each; the others stay without a sample */
    unsigned figures;
    unsigned quantiles; /* of these also a sketch, which costs more than all else */
};

/* Take the rows of a block.  One thread an entity; in order of time.  What it grows by lies in `memory`, which outlives it. */
void el_stats_take(struct el_entity_stats *s, const struct el_entity *e, uint32_t id,
                   struct el_stats_kept kept, const struct el_block *b, const struct el_run *run,
                   struct el_arena *memory);

#endif
