/* guest.h - what a guest measured of its own disks, read from a file.
 *
 *   perfmon   Windows performance monitor, PDH-CSV: \\HOST\PhysicalDisk(0 C:)\Avg. Disk sec/Transfer, ...
 *             https://learn.microsoft.com/en-us/windows-server/administration/performance-tuning/
 *   iostat    Linux, sysstat 11.7 and later: iostat -x -t -o JSON INTERVAL
 *
 * The latency of a guest counts from its block layer on: it holds the wait in the guest's own queue, the virtual
 * adapter, and all that the host sees.  The first sample is a baseline (perfmon) or an average since boot (iostat) and is
 * not used.  Memory: EL_GUEST_DISKS traces of EL_GUEST_ITEMS; files are streamed. */
#ifndef ESXLAT_GUEST_GUEST_H
#define ESXLAT_GUEST_GUEST_H

#include "esxlat/base/error.h"
#include "esxlat/base/str.h"
#include "esxlat/guest/trace.h"
#include "esxlat/input/source.h"

#define EL_GUEST_ITEMS 32768 /* of a disk: 1.8 MiB, 45 hours of 5 s */
#define EL_GUEST_DISKS 64    /* of a file; more are not looked at, and that is noted */

struct el_guest_disk {
    struct el_str name; /* "0 C:", "sda" */
    struct el_trace trace;
};

struct el_guest { /* zero-initialised is empty */
    struct el_arena arena;
    const char *file, *kind; /* "perfmon" or "iostat" */
    struct el_str host;      /* as the guest calls itself; may be empty */
    struct el_guest_disk *disk;
    size_t disks, room;
    bool has_zone; /* times are told in UTC or with their zone; else they were read as if in UTC */
    uint64_t samples; /* without the first */
    uint64_t unused;  /* samples whose time or figures could not be read, or that go back in time */
    uint64_t hidden;  /* disks beyond EL_GUEST_DISKS */
    bool cut;         /* the file stops in the middle of a sample */
};

/* Read a file.  EL_SYSTEM: it cannot be read; EL_CAPTURE: it is none of the above or holds no sample, and the text says what
 * was expected.  Release in either case. */
bool el_guest_read(const char *file, struct el_guest *out, struct el_error *err);
/* The same from an open source. */
bool el_guest_take(struct el_source *source, const char *file, struct el_guest *out,
                   struct el_error *err);
void el_guest_release(struct el_guest *g);

/* A moment as iostat prints it, in whatever locale: "11/30/2026 08:00:00 PM", "11/30/26 20:00:00", "30.11.2026 20:00:00",
 * "2026-11-30T20:00:00+0100"; with slashes the month comes first unless it cannot.  EL_NO_TIME if it is none. */
int64_t el_stamp_parse(struct el_str text, bool *has_zone);

#endif
