/* assign.h - inside stats/: on which of its VM's LUNs a virtual disk lies, and how sure that is.
 *
 * Model.  In each sample and for each sort of traffic (reads, writes, MB read, MB written) what the VM did on a LUN is
 * the sum over its disks there plus a rest: commands that were under way when the interval ended, rounding,
 * and I/O of no disk (snapshot data, swap).  The rest of LUN l and sort s has a variance of its own that nobody
 * knows.  A normal likelihood with each variance at its best estimate (profile likelihood) is, for an assignment a
 * of disks to LUNs or to none of them (NFS, vSAN, a LUN without a column),
 *
 *     log L(a) = - sum over l, s of  w(s) x n(s) / 2 x log(R(l, s, a) + floor)
 *
 * with R the sum of squares of the rest over n(s) samples.  Count and megabytes of one direction are two views of
 * the same commands: w = 1/2 each where both are there.  The floor is what cannot be known better: one command in the
 * whole capture and the rounding of printed rates to 0.01 (variance of a uniform error, 0.01^2 / 12, a column).
 *
 * Certainty, by Bayes' rule with equal odds for all assignments beforehand:
 *
 *     sum over the assignments b that leave the disk where the best one, a, has it, of (L(b) / L(a))^t
 *     / the same sum over all assignments,     t = 1/2 x (samples in which the disk was active) / n
 *
 * t < 1 because loads are correlated from sample to sample, so samples are worth less than independent ones, and
 * where a disk rests they tell nothing of it.  Disks that do the same, idle disks, and disks drowned in other I/O
 * get a low certainty.  Up to 1024 assignments are all looked at (4 disks on 4 LUNs are 625); beyond, the best is
 * sought by moves of single disks, exchanges of two, and exchanges of all disks of two LUNs, and the sums run over the
 * best and what single moves and exchanges of this disk make of it. */
#ifndef EL_STATS_ASSIGN_H
#define EL_STATS_ASSIGN_H

#include <stdbool.h>
#include <stddef.h>

enum el_sort { EL_SORT_READS, EL_SORT_WRITES, EL_SORT_MB_RD, EL_SORT_MB_WR, EL_SORTS };

/* Of one VM: all that is kept of its samples. */
struct el_traffic {
    size_t disks, luns;
    struct el_traffic_sort {
        double rows;     /* samples with all values; 0: the capture lacks the sort */
        double total;    /* moved on the LUNs: commands or MB */
        double rounding; /* sum of squared rounding errors of a column */
        double *product; /* sums over samples: [disk][disk, then lun], then [lun] with itself */
    } sort[EL_SORTS];
    double *active; /* [disk] samples in which it did something */
};

struct el_assigned {
    size_t lun;       /* index, or `luns`: on none of them */
    double certainty; /* 0-1 */
};

/* The best assignment; `out` has an element for each disk. */
void el_assign_disks(const struct el_traffic *t, struct el_assigned *out);

#endif
