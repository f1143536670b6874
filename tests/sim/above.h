/*
 * above.h: what a command has to wait for between the virtual disk and the device layer: redo logs
 * of snapshots that have to be looked up, blocks that have to be zeroed before their first write.
 * Each of these is a command of its own at the device, one after the other; the virtual disk's LAT
 * holds them all, the device's latencies hold each alone.
 */
#ifndef SIM_ABOVE_H
#define SIM_ABOVE_H

#include "state.h"

/* A command of a guest leaves the vSCSI layer: it enters the VMkernel now or after others. */
void above_enter(struct engine *e, struct request *r);

/* One of those others is done. Frees it. */
void above_done(struct engine *e, struct request *r);

#endif
