/* pipeline.h - blocks of samples through statistics and rules: everything that grows with entities. */
#ifndef EL_APP_PIPELINE_H
#define EL_APP_PIPELINE_H

#include "esxlat/app/analyse.h"
#include "esxlat/base/crew.h"
#include "esxlat/guest/watch.h"
#include "esxlat/metrics/derive.h"
#include "esxlat/metrics/pool.h"
#include "esxlat/stats/match.h"
#include "esxlat/stats/series.h"
#include "esxlat/verdict/verdict.h"
#include "lanes.h"

struct el_pipeline {
    const struct el_options *options;
    struct el_catalog *catalog;
    struct el_links links;
    struct el_entity_stats *stats;  /* [entity] */
    struct el_pool *pool;           /* [entity] */
    struct el_track_series *series; /* [entity] */
    struct el_waits *waits;         /* [entity] */
    unsigned *profiles;             /* [entity] that may fit */
    bool *chosen;                   /* [entity] is asked for by --lun, --vm, --adapter */
    size_t entities, stats_room, pool_room, series_room, waits_room, profiles_room, chosen_room;
    bool wanted[EL_KINDS][EL_METRICS];   /* metrics that rules or pictures use */
    bool columns[EL_KINDS][EL_COUNTERS]; /* counters that are read */
    struct el_axis axis;
    unsigned merges;
    struct el_judge *judge;
    struct el_match *match;
    struct el_lanes lanes;
    struct el_watch *watch; /* borrowed; NULL: no guest was measured */
    struct el_crew *crew;
    struct el_arena *memory;    /* [member of the crew]: what entities remember that it met first */
    struct el_derived *derived; /* scratch of each member */
    struct el_pooled *pooled;   /* likewise */
};

void el_pipeline_init(struct el_pipeline *p, const struct el_options *options);
void el_pipeline_release(struct el_pipeline *p);
/* After each header: make room, link, choose columns and entities.  The first time needs the rules. */
void el_pipeline_open_run(struct el_pipeline *p);
void el_pipeline_take(struct el_pipeline *p, const struct el_block *b);
/* After the last block of the last file. */
void el_pipeline_finish(struct el_pipeline *p);

#endif
