/* Hosts whose trouble lies above the device layer: in the virtual disk's format, in the guest. */
#include <math.h>

#include "scenario.h"

/* A VM with one disk on the first LUN; others elsewhere. */
static int start(struct host *h, struct rng *r, enum scsi scsi) {
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 4));
    h->devices[h->luns[luns.first].device].servers = 256;
    int disk = build_disk(h, build_vm(h, r, scsi), luns.first);
    build_tenants(h, r, (struct span){ luns.first + 1, luns.count - 1 }, MEDIA_HDD,
                  rng_int(r, 2, 4));
    return disk;
}

static void finish(struct host *h, struct rng *r, int disk, enum layer layer, unsigned also,
                   const char *cause) {
    build_housekeeping(h, r);
    build_label_disk(h, disk, layer, also);
    build_answer(h, layer, also, cause, disk);
}

/* A chain of redo logs: to find a block, level after level is looked up. */
void scenario_snapshots(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    int disk = start(h, r, SCSI_PVSCSI);
    build_load(h, build_closed(disk, rng_int(r, 6, 14), rng_between(r, 15, 30), 0.85, 8));
    int levels = build_int_by(h, r, (struct range[]){ { 5, 6 }, { 10, 16 }, { 24, 30 } });
    h->disks[disk].above = (struct above){ .levels = levels,
                                           .miss_share = rng_between(r, 0.7, 0.85),
                                           .when = build_when(h) };
    finish(h, r, disk, LAYER_VMKERNEL, 0, "snapshots");
}

/* Thin or lazily zeroed: blocks are zeroed when they are first written. */
void scenario_first_writes(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    int disk = start(h, r, SCSI_PVSCSI);
    build_load(h, build_closed(disk, rng_int(r, 4, 8), rng_between(r, 30, 60), 0.1, 64));
    double zero_ms = build_by(h, r, (struct range[]){ { 26, 30 }, { 40, 70 }, { 120, 200 } });
    h->disks[disk].above = (struct above){ .zero_share = rng_between(r, 0.75, 0.95),
                                           .zero_ms = zero_ms,
                                           .when = build_when(h) };
    finish(h, r, disk, LAYER_VMKERNEL, 1u << LAYER_MIXED, "first-writes");
}

static void starve(struct host *h, int disk, double ready_pct, double costop_pct, double away_ms) {
    struct vm *vm = &h->vms[h->disks[disk].vm];
    vm->starved_ready_pct = ready_pct;
    vm->starved_costop_pct = costop_pct;
    vm->starved_ms = away_ms;
    vm->starved = build_when(h);
}

/* The VM waits for a CPU; storage is well, but the guest notices each completion late. */
void scenario_vm_ready(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    int disk = start(h, r, SCSI_PVSCSI);
    build_load(h, build_closed(disk, rng_int(r, 4, 10), rng_between(r, 10, 30), 0.7, 8));
    double ready = build_by(h, r, (struct range[]){ { 17, 19 }, { 25, 40 }, { 50, 60 } });
    starve(h, disk, ready, 0, rng_between(r, 25, 45));
    finish(h, r, disk, LAYER_GUEST, 1u << LAYER_NONE, "vm-ready");
}

void scenario_vm_costop(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    int disk = start(h, r, SCSI_PVSCSI);
    struct vm *vm = &h->vms[h->disks[disk].vm];
    vm->vcpus = 8;
    build_load(h, build_closed(disk, rng_int(r, 4, 10), rng_between(r, 10, 30), 0.7, 8));
    double costop = build_by(h, r, (struct range[]){ { 5, 6 }, { 10, 20 }, { 30, 45 } });
    starve(h, disk, vm->ready_pct, costop, rng_between(r, 40, 80));
    finish(h, r, disk, LAYER_GUEST, 1u << LAYER_NONE, "vm-costop");
}

/* Even the deepest virtual adapter is too small for some. */
void scenario_guest_queue_254(struct host *h, struct rng *r, double duration_s) {
    int disk = start(h, r, SCSI_PVSCSI_RAISED), lun = h->disks[disk].lun;
    struct device *d = &h->devices[h->luns[lun].device];
    h->luns[lun].depth = h->luns[lun].competing_depth = 256;
    d->servers = 512;
    d->normal.read_ms = rng_between(r, 12, 13.5);
    d->normal.write_ms = 0.8 * d->normal.read_ms;
    d->normal.spread = 0.4;
    d->trouble = d->normal;
    double times = build_by(h, r, (struct range[]){ { 1.3, 1.5 }, { 1.8, 3 }, { 5, 8 } });
    struct load job = build_closed(disk, (int)(254 * times), 0, 0.7, 8);
    double from_s = floor(rng_between(r, 0.2, 0.5) * duration_s);
    struct window when = { from_s, from_s + floor(rng_between(r, 0.2, 0.3) * duration_s) };
    job.when = build_is_part(h) ? h->part : when;
    build_load(h, (struct load){ .disk = disk, .rate_per_s = 12, .read_share = 0.6, .kb = 8 });
    build_load(h, job);
    finish(h, r, disk, LAYER_GUEST, 0, "virtual-adapter-queue");
    h->answer.window = job.when;
}
