/* watch.h - what the host saw of virtual disks that a guest may have measured: their traces.
 *
 * Kept for the VMs that guests name; while there is one that no VM of the capture fits by name, for all VMs.
 * Memory: EL_WATCH_ITEMS items in all, shared out evenly, but at least EL_WATCH_LEAST a disk. */
#ifndef ESXLAT_GUEST_WATCH_H
#define ESXLAT_GUEST_WATCH_H

#include "esxlat/capture/catalog.h"
#include "esxlat/guest/trace.h"
#include "esxlat/metrics/block.h"

#define EL_WATCH_ITEMS ((size_t)2 * 1024 * 1024) /* 112 MiB */
#define EL_WATCH_LEAST ((size_t)1024)

/* How a guest is tied to a VM before rates are compared. */
struct el_guest_wish {
    struct el_str vm;   /* the name that was given; {NULL, 0}: none */
    struct el_str host; /* what the guest calls itself, may be empty */
};
/* Does the VM of that name fit?  As given, byte by byte; else letters and digits of the guest's own name up to its first dot, in
 * either case; a name of 15 bytes, as long as Windows allows, may be the begin of a longer one. */
bool el_guest_fits(const struct el_guest_wish *w, struct el_str vm);
/* Is there any such VM? */
bool el_guest_is_named(const struct el_guest_wish *w, const struct el_catalog *c);

struct el_watch;
/* `wish` is borrowed. */
struct el_watch *el_watch_new(const struct el_guest_wish *wish, size_t wishes);
void el_watch_free(struct el_watch *w);
/* After each header. */
void el_watch_open(struct el_watch *w, const struct el_catalog *c);
/* Each block. */
void el_watch_take(struct el_watch *w, const struct el_block *b, const struct el_run *run);
/* After the last block. */
void el_watch_finish(struct el_watch *w);
/* The trace of an entity; NULL when it was not watched or had no rows. */
const struct el_trace *el_watch_trace(const struct el_watch *w, uint32_t entity);

#endif
