/* join.h - a guest's measurements laid over the host's: what its commands waited above the vSCSI layer.
 *
 *   queue = latency in the guest - LAT, both weighted by commands over the time that both cover
 *
 * First the clocks (align.h), over all disks together or, where that shows nothing, disk by disk; then each disk of the
 * guest goes to the virtual disk with the same rates: the sum of squared differences of the counts of
 * reads and writes, as a part of the sum of squares, is at most FIT plus what commands at the edges of intervals explain.
 * Disks that several fit about as well stay unlinked and do not count.
 *
 * Under a steady load nothing tells the clocks apart, and nothing depends on them: where the VM is known, disks whose rate
 * and latency hardly change (steady.h) are compared by the means of everything. */
#ifndef ESXLAT_GUEST_JOIN_H
#define ESXLAT_GUEST_JOIN_H

#include "esxlat/guest/align.h"
#include "esxlat/guest/guest.h"
#include "esxlat/guest/watch.h"
#include "esxlat/metrics/samples.h"

struct el_joined_disk {
    const struct el_guest_disk *guest;
    const struct el_trace *host; /* of the vdisk */
    uint32_t vdisk;              /* EL_NOTHING: none fits */
    enum el_certainty
        link;            /* BY_NAME: the one disk of both; BY_RATE; UNLINKED: others fit as well */
    double latency, lat; /* ms; NaN without commands in the common time */
    double queue;        /* ms: latency - lat */
    double commands;     /* the host's, in the common time */
    double seconds;      /* of common time */
};

enum el_vm_by { EL_VM_GIVEN, EL_VM_BY_HOST_NAME, EL_VM_BY_RATES };

struct el_join {
    const struct el_guest *guest;
    uint32_t vm; /* EL_NOTHING: no VM */
    enum el_vm_by vm_by;
    struct el_alignment clock;
    bool steady;                 /* joined by means, without clocks */
    struct el_joined_disk *disk; /* all disks of the guest that carried I/O, in its order */
    size_t disks;
    size_t joined; /* disks that count */
    double
        misfit; /* of the worst of them: how far its counts differ, as a part of what is allowed */
    char reason[400]; /* why none is joined; empty if one is */
};

/* Everything is borrowed.  Release with el_join_release. */
void el_join(const struct el_guest *g, const struct el_guest_wish *wish, const struct el_catalog *c,
             const struct el_watch *w, struct el_join *out);
void el_join_release(struct el_join *j);

/* Does a joined disk count, i.e. is its link sure? */
bool el_joined(const struct el_joined_disk *d);
/* Has one of these guests measured the virtual disk?  Of several the first one counts. */
bool el_join_measured(const struct el_join *join, size_t joins, uint32_t vdisk);
/* Seconds that the commands of a joined disk waited in the guest from `from` to `to`, ms since 1970 of the host. */
double el_join_wait(const struct el_join *j, const struct el_joined_disk *d, double from,
                    double to);
/* The samples of a joined disk in the host's time: guest_lat, guest_queue, lat, cmds, reads, writes, ios, commands,
 * seconds, and wait_device and wait_vmkernel, of which the first is `device_part` of LAT; over the longer of the two
 * intervals.  `take` is called with some at a time, in order of time. */
void el_join_samples(const struct el_join *j, const struct el_joined_disk *d, double device_part,
                     void (*take)(void *ctx, const struct el_samples *s), void *ctx);

#endif
