/*
 * books.h: what an interval adds up to. Each completed command is booked on every entity it passed
 * (LUN, world, path, adapter, partition; virtual disk, VM); at a sample the sums become the cells
 * of the entity's row. Nothing in a storage column has any other origin.
 */
#ifndef SIM_BOOKS_H
#define SIM_BOOKS_H

#include <stdint.h>

#include "model.h"

/* One storage cell of an entity; latencies in three groups of driver, kernel, guest, queue. */
enum key {
    KEY_NOTHING, /* a counter that stays 0 */
    KEY_SHARES,
    KEY_DQLEN,
    KEY_ACTV,
    KEY_QUED,
    KEY_USED,
    KEY_LOAD,
    KEY_AQLEN,
    KEY_CMDS,
    KEY_READS,
    KEY_WRITES,
    KEY_MBRD,
    KEY_MBWR,
    KEY_CONS,
    KEY_DAVG,
    KEY_KAVG,
    KEY_GAVG,
    KEY_QAVG,
    KEY_DAVG_RD,
    KEY_KAVG_RD,
    KEY_GAVG_RD,
    KEY_QAVG_RD,
    KEY_DAVG_WR,
    KEY_KAVG_WR,
    KEY_GAVG_WR,
    KEY_QAVG_WR,
    KEY_FCMDS,
    KEY_FREADS,
    KEY_FWRITES,
    KEY_FMBRD,
    KEY_FMBWR,
    KEY_ABRTS,
    KEY_RESETS,
    KEY_CLONE_RD,
    KEY_CLONE_WR,
    KEY_MBC_RD,
    KEY_MBC_WR,
    KEY_ATS,
    KEY_ZEROS,
    KEY_MBZERO,
    KEY_CLONE_MS,
    KEY_ATS_MS,
    KEY_ZERO_MS,
    KEY_UNMAPS,
    KEY_MBUNMAP,
    KEY_LAT_RD,
    KEY_LAT_WR,
    KEY_COUNT
};

enum op { OP_READ, OP_WRITE, OP_OTHER };
enum { OP_COUNT = 3 };

/* Sums of one interval by kind of command; latencies in seconds. */
struct tally {
    double commands[OP_COUNT], mb[OP_COUNT], failed[OP_COUNT], failed_mb[OP_COUNT];
    double driver_s[OP_COUNT], kernel_s[OP_COUNT], queue_s[OP_COUNT], vscsi_s[OP_COUNT];
    double conflicts, aborts, resets;
};

/* Offloaded commands: counts since the start, as esxtop shows them, and sums of one interval. */
struct offload {
    double clones, ats, zeros, unmaps;
    double clones_now, ats_now, zeros_now, clone_s, ats_s, zero_s, clone_mb, zero_mb, unmap_mb;
};

struct cells {
    double v[KEY_COUNT];
};

struct lun_books {
    struct tally all, paths[MAX_PATHS], worlds[MAX_WORLDS], partition;
    struct offload offload;
    struct cells cells, path_cells[MAX_PATHS], world_cells[MAX_WORLDS], partition_cells, no_cells;
};

/* Who waited where over the whole run, for the truth; guest: above the vSCSI layer. */
struct waits {
    double guest_s, kernel_s, device_s, commands;
};

/* What a guest counts itself since it was started; guest: above the vSCSI layer. */
struct guest_counts {
    double commands[OP_COUNT], guest_s[OP_COUNT], vscsi_s[OP_COUNT], mb[OP_COUNT];
    double busy_s; /* with anything under way */
    int open;      /* requests under way now */
};

struct books {
    struct lun_books luns[MAX_LUNS];
    struct tally adapters[MAX_ADAPTERS], disks[MAX_DISKS], vms[MAX_VMS];
    struct cells adapter_cells[MAX_ADAPTERS], disk_cells[MAX_DISKS], vm_cells[MAX_VMS];
    struct waits disk_waits[MAX_DISKS], lun_waits[MAX_LUNS];
    struct guest_counts guests[MAX_DISKS];
};

/* A completed command, as the engine hands it over. */
struct completion {
    int lun, world, path, disk; /* disk -1: not a guest's */
    enum op op;
    enum vaai vaai;
    bool aborted, reset, counts; /* counts: goes into the waits */
    double mb, guest_s, vscsi_s, driver_s, kernel_s, queue_s;
};

/* The instants of a LUN or of one of its worlds. */
struct gauges {
    int depth, active, queued;
};

void books_complete(struct books *b, const struct host *h, const struct completion *c);
/* A command lost with its path: seen by the device's rows, not by guests. */
void books_failed(struct books *b, const struct host *h, const struct completion *c);
void books_conflict(struct books *b, const struct host *h, int lun, int world, int path);

/* Turns the sums of "seconds" into cells and starts the next interval. */
void books_close(struct books *b, const struct host *h, double seconds);
void books_gauges(struct cells *cells, struct gauges g);

/* Forget what the warming up has left. */
void books_clear(struct books *b);

#endif
