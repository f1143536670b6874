/* lanes.h - inside app/: virtual disks judged for every LUN that they may lie on, side by side.
 *
 * Which of its VM's LUNs a disk lies on is known only at the end (match.h), and rules judge sample by
 * sample.  So each LUN in question is a lane: samples of the disk whose lun_* metrics come from the VM's worlds on that
 * LUN alone, pooled and judged on their own.  At the end the lane of the LUN that was found takes the place of
 * the disk's own state, whose lun_* are averages over all LUNs of the VM; without a match that stays.
 *
 * So every sample of the capture counts, also those before the disk did enough to be matched; nothing depends on
 * where blocks end; a pipe needs no second pass; memory is bounded by disks x LUNs of VMs with several LUNs, EL_LANES at
 * most.  (Holding samples back until the link is known would cost the same memory and miss a disk that begins to
 * work late.)  VMs with one LUN, the usual case, have no lanes.
 *
 * As soon as a link is beyond doubt only its lane goes on: so the price is paid for the first samples, and for disks that
 * stay in doubt.
 *
 * A disk gets its lanes before its first sample; LUNs that its VM uses only from a later header on get none. */
#ifndef EL_APP_LANES_H
#define EL_APP_LANES_H

#include "esxlat/capture/links.h"
#include "esxlat/metrics/pool.h"
#include "esxlat/rules/judge.h"
#include "esxlat/stats/entity.h"
#include "esxlat/stats/series.h"

#define EL_LANES 1024 /* of a host with 256 disks of VMs with 4 LUNs each; disks beyond have none */

struct el_lane {
    uint32_t lun;
    struct el_pool pool;
    struct el_track_series series;
    double time_device, time_vmkernel; /* s, as of el_entity_stats */
};

struct el_lanes { /* zero-initialised is empty */
    struct el_lane *lane;
    size_t count, room;
    struct el_lanes_of {
        uint32_t first, count;
        uint32_t settled; /* 1 + the only lane that still gets samples, 0: all do */
    } * of;               /* [entity] */
    size_t entities, of_room;
    uint32_t *disk; /* those with lanes that are not settled */
    size_t disks, disk_room;
    struct el_judge *judge; /* its entities are the lanes */
};

/* `rules` is borrowed. */
void el_lanes_init(struct el_lanes *l, const struct el_ruleset *rules);
void el_lanes_release(struct el_lanes *l);
/* After each header. */
void el_lanes_open(struct el_lanes *l, const struct el_catalog *c, const struct el_links *links,
                   const struct el_entity_stats *stats);
/* Between blocks: of disks whose LUN is known by now only that lane goes on. */
void el_lanes_settle(struct el_lanes *l, const struct el_catalog *c);
/* The lane of a disk for a LUN, EL_NOTHING if there is none. */
uint32_t el_lanes_find(const struct el_lanes *l, uint32_t disk, uint32_t lun);

#endif
