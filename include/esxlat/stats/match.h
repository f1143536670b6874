/* match.h - links that no name tells: found by comparing rates.
 *
 * Virtual disk -> LUN: each world row of a VM carries the I/O of those of the VM's disks that lie on its LUN.  So over
 * the capture the disks' reads, writes and megabytes must add up to the worlds'; the likeliest assignment of disks to
 * LUNs is taken, with a certainty (stats/assign.h: model, formula, limits).  A link that is less sure than 95 %
 * is not told.  A VM with one LUN needs no match; but where the rates say that a disk's I/O is not there (a disk on
 * NFS beside one on a LUN) it is not linked either.  Only sums of products are kept (Gram matrices of each VM), so
 * memory does not grow with the number of samples; VMs with more than 96 disks and LUNs are left out. */
#ifndef ESXLAT_STATS_MATCH_H
#define ESXLAT_STATS_MATCH_H

#include "esxlat/base/crew.h"
#include "esxlat/capture/links.h"
#include "esxlat/metrics/block.h"
#include "esxlat/stats/entity.h"

struct el_match;
/* `crew` is borrowed; it shares out the VMs of a block. */
struct el_match *el_match_new(struct el_crew *crew);
void el_match_free(struct el_match *m);
/* After each header. */
void el_match_open(struct el_match *m, const struct el_catalog *c, const struct el_links *l);
/* Each block, in order of time.  After 32, 64, 128 ... samples the disks whose LUN is beyond doubt are linked in the
 * catalogue; this depends on the samples alone, not on where blocks end. */
void el_match_take(struct el_match *m, struct el_catalog *c, const struct el_block *b);
/* At the end: set `lun`, `lun_by` and `lun_sure` of every virtual disk: EL_BY_NAME when its VM has one LUN, EL_BY_RATE when matched,
 * EL_UNLINKED when that cannot be told. */
void el_match_disks(const struct el_match *m, struct el_catalog *c, const struct el_links *l);
/* Paths without a LUN (columns out of order): the one LUN of the host with the same counts of commands, reads
 * and writes; EL_BY_RATE. */
void el_match_paths(struct el_catalog *c, const struct el_entity_stats *stats);

#endif
