/* Hosts whose trouble lies in the VMkernel: queues, limits, retries, CPU. */
#include <math.h>

#include "scenario.h"

static const unsigned OR_MIXED = 1u << LAYER_MIXED;

/* A LUN for the trouble, fast under any number of commands, all its depth for every world. */
static void fast_lun(struct host *h, int lun, int depth, double service_ms) {
    struct lun *l = &h->luns[lun];
    struct device *d = &h->devices[l->device];
    l->depth = l->competing_depth = depth;
    d->servers = 256;
    d->normal.read_ms = service_ms;
    d->normal.write_ms = 0.8 * service_ms;
    d->normal.ms_per_mb = 1;
    d->normal.spread = 0.5;
    d->trouble = d->normal;
}

/* Host with an array whose first LUN is left for the trouble; some VMs on the others. */
static int start(struct host *h, struct rng *r, struct span *others) {
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 4));
    *others = (struct span){ luns.first + 1, luns.count - 1 };
    return luns.first;
}

static void finish(struct host *h, struct rng *r, struct span others) {
    build_tenants(h, r, others, MEDIA_HDD, rng_int(r, 2, 4));
    build_housekeeping(h, r);
}

void scenario_queue_full(struct host *h, struct rng *r, double duration_s) {
    static const int DEPTHS[] = { 32, 32, 31, 30, 24 };
    struct span others;
    (void)duration_s;
    int lun = start(h, r, &others), depth = DEPTHS[rng_int(r, 0, 4)];
    fast_lun(h, lun, depth, rng_between(r, 3.5, 6));
    int vm = build_vm(h, r, SCSI_PVSCSI), first = -1, disks = rng_int(r, 2, 3);
    for (int i = 0; i < disks; i++) {
        int disk = build_disk(h, vm, lun);
        int threads = rng_int(r, 32, 50);
        double think_ms = rng_between(r, 0, 1);
        build_load(h, build_closed(disk, threads, think_ms, rng_between(r, 0.5, 0.9), 16));
        first = first < 0 ? disk : first;
    }
    finish(h, r, others);
    build_label(h, lun, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_VMKERNEL, 0, "device-queue-full", first);
}

/* Threads that never think against a limit: the wait is threads / limit, whatever the device. */
static int limited_disk(struct host *h, struct rng *r, int lun, double limit, int threads,
                        double kb) {
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), lun);
    h->disks[disk].iops_limit = limit;
    build_load(h, build_closed(disk, threads, 0, rng_between(r, 0.5, 0.9), kb));
    return disk;
}

void scenario_iops_limit(struct host *h, struct rng *r, double duration_s) {
    struct span others;
    (void)duration_s;
    int lun = start(h, r, &others);
    fast_lun(h, lun, 64, rng_between(r, 3, 5));
    double limit = 100 * rng_int(r, 2, 8);
    int threads =
        (int)(limit * rng_between(r, 0.025, 0.06)); /* 25 to 60 ms, within the virtual adapter */
    int disk = limited_disk(h, r, lun, limit, threads, 8);
    finish(h, r, others);
    h->luns[lun].label.layer = LAYER_VMKERNEL;
    build_label_disk(h, disk, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_VMKERNEL, 0, "iops-limit", disk);
}

void scenario_iops_limit_32k(struct host *h, struct rng *r, double duration_s) {
    struct span others;
    (void)duration_s;
    int lun = start(h, r, &others);
    fast_lun(h, lun, 64, rng_between(r, 3, 5));
    double limit = 500 * rng_int(r, 1, 4);
    int disk = limited_disk(h, r, lun, limit, rng_int(r, 8, 16), 320);
    h->disks[disk].limit_by_32k = true;
    finish(h, r, others);
    h->luns[lun].label.layer = LAYER_VMKERNEL;
    build_label_disk(h, disk, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_VMKERNEL, 0, "iops-limit-32k", disk);
}

/* Alone, the first VM fits into the depth; with the second, both share 32 slots. */
void scenario_dsnro(struct host *h, struct rng *r, double duration_s) {
    struct span others;
    int depth = rng_chance(r, 0.5) ? 64 : 128;
    int lun = start(h, r, &others);
    fast_lun(h, lun, depth, rng_between(r, 3.5, 6));
    h->luns[lun].competing_depth = 32;
    int first = build_disk(h, build_vm(h, r, SCSI_PVSCSI), lun);
    int second = build_disk(h, build_vm(h, r, SCSI_PVSCSI), lun);
    int threads = rng_int(r, 40, 52), late_threads = rng_int(r, 28, 48);
    build_load(h, build_closed(first, threads, rng_between(r, 0, 1), 0.7, 16));
    struct load late = build_closed(second, late_threads, rng_between(r, 0, 1), 0.6, 16);
    late.when = (struct window){ floor(rng_between(r, 0.35, 0.5) * duration_s), 1e9 };
    build_load(h, late);
    finish(h, r, others);
    build_label(h, lun, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_VMKERNEL, 0, "dsnro", -1);
    h->answer.window = (struct window){ late.when.from_s, 1.01 * duration_s };
}

/* A LUN of a cluster: every read meets the other node's reservation about once. */
void scenario_reservation_conflicts(struct host *h, struct rng *r, double duration_s) {
    struct span others;
    (void)duration_s;
    int lun = start(h, r, &others);
    fast_lun(h, lun, 64, rng_between(r, 2, 4));
    h->luns[lun].conflict_share = rng_between(r, 0.42, 0.55);
    h->luns[lun].conflict_ms = rng_between(r, 20, 60);
    h->luns[lun].conflicted = build_always();
    int disk = build_disk(h, build_vm(h, r, SCSI_LSI), lun);
    build_load(
        h, (struct load){
               .disk = disk, .rate_per_s = rng_between(r, 30, 80), .read_share = 0.97, .kb = 8 });
    finish(h, r, others);
    build_label(h, lun, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_VMKERNEL, 0, "reservation-conflicts", -1);
}

/* As many commands wait in the slow device as behind the limit, so neither alone is the answer. */
void scenario_mixed(struct host *h, struct rng *r, double duration_s) {
    struct span others;
    (void)duration_s;
    int slow = start(h, r, &others), waiting = rng_int(r, 12, 20);
    int limited = others.first;
    fast_lun(h, limited, 64, rng_between(r, 3, 5));
    struct device *d = &h->devices[h->luns[slow].device];
    d->normal.delay_ms = d->trouble.delay_ms = rng_between(r, 35, 60);
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), slow);
    build_load(h, build_closed(disk, waiting, rng_between(r, 1, 4), 0.7, 8));
    int held = limited_disk(h, r, limited, waiting / rng_between(r, 0.030, 0.055), waiting, 8);
    int calm = build_disk(h, build_vm(h, r, SCSI_LSI), others.first + others.count - 1);
    build_load(h, (struct load){ .disk = calm, .rate_per_s = 20, .read_share = 0.7, .kb = 8 });
    build_housekeeping(h, r);
    build_label(h, slow, LAYER_DEVICE, 0);
    h->luns[limited].label.layer = LAYER_VMKERNEL;
    build_label_disk(h, held, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_MIXED, 0, "slow-lun-and-iops-limit", -1);
}

void scenario_throttle(struct host *h, struct rng *r, double duration_s) {
    struct span others;
    int lun = start(h, r, &others);
    fast_lun(h, lun, 64, rng_between(r, 4, 7));
    h->luns[lun].throttle_floor = rng_int(r, 3, 6);
    h->luns[lun].throttle_period_s = rng_between(r, 0.3, 0.5) * duration_s;
    h->luns[lun].throttled = build_always();
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), lun);
    int threads = rng_int(r, 44, 62);
    build_load(h, build_closed(disk, threads, rng_between(r, 0, 1), 0.7, 16));
    finish(h, r, others);
    unsigned also = OR_MIXED | 1u << LAYER_DEVICE;
    build_label(h, lun, LAYER_VMKERNEL, also);
    build_answer(h, LAYER_VMKERNEL, also, "depth-throttled", -1);
}

/* A small RAID controller: no LUN fills its own queue, together they fill the adapter's. */
void scenario_adapter_full(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 3, 4));
    h->adapters[h->luns[luns.first].adapter].depth = rng_int(r, 25, 32);
    double service_ms = rng_between(r, 4, 6);
    for (int i = 0; i < luns.count; i++) {
        fast_lun(h, luns.first + i, 128, service_ms);
        int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), luns.first + i);
        int threads = rng_int(r, 26, 40);
        build_load(h, build_closed(disk, threads, rng_between(r, 0, 1), 0.7, 16));
    }
    build_housekeeping(h, r);
    for (int i = 0; i < luns.count; i++)
        build_label(h, luns.first + i, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_VMKERNEL, 0, "adapter-queue-full", -1);
}

void scenario_kernel_cpu(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 3));
    build_tenants(h, r, luns, MEDIA_HDD, rng_int(r, 4, 6));
    build_housekeeping(h, r);
    h->cpu_delay_ms = rng_between(r, 8, 20);
    h->cpu_short = build_always();
    for (int i = 0; i < h->lun_count; i++)
        build_label(h, i, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_VMKERNEL, 0, "cpu-shortage", -1);
}
