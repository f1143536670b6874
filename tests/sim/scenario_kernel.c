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

/* More threads than one disk takes by default need a deeper virtual adapter. */
static enum scsi deep(const struct host *h) {
    return h->strength == STRENGTH_SEVERE ? SCSI_PVSCSI_RAISED : SCSI_PVSCSI;
}

/*
 * Threads without a pause that make the queue before "depth" slots of "service_ms" each wait for
 * "wait_ms": by Little's law both places hold commands in proportion to their times.
 */
static int threads_for(int depth, double service_ms, double wait_ms) {
    return (int)(depth * (1 + wait_ms / service_ms) + 0.5);
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
    double service_ms = rng_between(r, 3.5, 6);
    fast_lun(h, lun, depth, service_ms);
    int vm = build_vm(h, r, deep(h)), first = -1, disks = rng_int(r, 2, 3);
    for (int i = 0; i < disks; i++) {
        int disk = build_disk(h, vm, lun);
        int threads = build_int_by(h, r, (struct range[]){ { 22, 26 }, { 32, 50 }, { 90, 130 } });
        double think_ms = rng_between(r, 0, 1);
        if (h->strength == STRENGTH_MILD) { /* tenths of a millisecond */
            threads = threads_for(depth, 0.93 * service_ms, threads / 10.0) / disks + 1;
            think_ms = 0;
        }
        build_job(h, build_closed(disk, threads, think_ms, rng_between(r, 0.5, 0.9), 16));
        first = first < 0 ? disk : first;
    }
    finish(h, r, others);
    build_label(h, lun, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_VMKERNEL, 0, "device-queue-full", first);
}

/* Threads that never think against a limit: the wait is threads / limit, whatever the device. */
static int limited_disk(struct host *h, struct rng *r, int lun, double limit, int threads,
                        double kb) {
    int disk = build_disk(h, build_vm(h, r, deep(h)), lun);
    h->disks[disk].iops_limit = limit;
    build_job(h, build_closed(disk, threads, 0, rng_between(r, 0.5, 0.9), kb));
    return disk;
}

void scenario_iops_limit(struct host *h, struct rng *r, double duration_s) {
    struct span others;
    (void)duration_s;
    int lun = start(h, r, &others);
    fast_lun(h, lun, 64, rng_between(r, 3, 5));
    double limit = 100 * rng_int(r, 2, 8);
    double hold_s =
        build_by(h, r, (struct range[]){ { 0.022, 0.025 }, { 0.025, 0.06 }, { 0.1, 0.25 } });
    int threads = (int)(limit * hold_s); /* within the virtual adapter */
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
    int threads = build_int_by(h, r, (struct range[]){ { 22, 26 }, { 8, 16 }, { 30, 50 } });
    if (h->strength == STRENGTH_MILD) /* so many milliseconds at a tenth of the limit */
        threads = 1 + (int)(threads * limit / 10000);
    int disk = limited_disk(h, r, lun, limit, threads, 320);
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
    double service_ms = rng_between(r, 3.5, 6);
    fast_lun(h, lun, depth, service_ms);
    h->luns[lun].competing_depth = 32;
    int first = build_disk(h, build_vm(h, r, SCSI_PVSCSI), lun);
    int second = build_disk(h, build_vm(h, r, deep(h)), lun);
    int threads = build_int_by(h, r, (struct range[]){ { 25, 27 }, { 40, 52 }, { 44, 58 } });
    int late_threads = build_int_by(h, r, (struct range[]){ { 30, 36 }, { 28, 48 }, { 130, 200 } });
    if (h->strength == STRENGTH_MILD) /* tenths of a millisecond */
        late_threads = threads_for(32, 0.93 * service_ms, late_threads / 10.0) - threads;
    build_load(h, build_closed(first, threads, rng_between(r, 0, 1), 0.7, 16));
    struct load late = build_closed(second, late_threads, rng_between(r, 0, 1), 0.6, 16);
    late.when = (struct window){ floor(rng_between(r, 0.35, 0.5) * duration_s), 1e9 };
    if (build_is_part(h))
        late.when = h->part;
    build_load(h, late);
    finish(h, r, others);
    build_label(h, lun, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_VMKERNEL, 0, "dsnro", -1);
    if (!build_is_part(h))
        h->answer.window = (struct window){ late.when.from_s, 1.01 * duration_s };
}

/* A LUN of a cluster: every read meets the other node's reservation about once. */
void scenario_reservation_conflicts(struct host *h, struct rng *r, double duration_s) {
    struct span others;
    (void)duration_s;
    int lun = start(h, r, &others);
    fast_lun(h, lun, 64, rng_between(r, 2, 4));
    h->luns[lun].conflict_share =
        build_by(h, r, (struct range[]){ { 0.25, 0.35 }, { 0.42, 0.55 }, { 0.6, 0.7 } });
    h->luns[lun].conflict_ms =
        build_by(h, r, (struct range[]){ { 12, 18 }, { 20, 60 }, { 80, 150 } });
    h->luns[lun].conflicted = build_when(h);
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
    d->trouble = d->normal;
    d->trouble.delay_ms = build_by(h, r, (struct range[]){ { 21, 24 }, { 35, 60 }, { 110, 150 } });
    d->troubled = build_when(h);
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), slow);
    build_job(h, build_closed(disk, waiting, rng_between(r, 1, 4), 0.7, 8));
    double hold_s =
        build_by(h, r, (struct range[]){ { 0.022, 0.026 }, { 0.030, 0.055 }, { 0.1, 0.15 } });
    int held = limited_disk(h, r, limited, waiting / hold_s, waiting, 8);
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
    struct lun *l = &h->luns[lun];
    fast_lun(h, lun, 64, rng_between(r, 4, 7));
    l->throttle_floor = build_int_by(h, r, (struct range[]){ { 20, 24 }, { 3, 6 }, { 1, 2 } });
    l->throttle_period_s = rng_between(r, 0.3, 0.5) * duration_s;
    l->throttled = build_when(h);
    if (build_is_part(h)) { /* one cycle */
        l->throttle_from_s = h->part.from_s;
        l->throttle_period_s = h->part.to_s - h->part.from_s;
    }
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), lun);
    int threads = rng_int(r, 44, 62);
    build_load(h, build_closed(disk, threads, rng_between(r, 0, 1), 0.7, 16));
    finish(h, r, others);
    unsigned also = OR_MIXED | 1u << LAYER_DEVICE;
    build_label(h, lun, LAYER_VMKERNEL, also);
    build_answer(h, LAYER_VMKERNEL, also, "depth-throttled", -1);
    /* from the first halving until the depth has grown to the threads */
    double to =
        0.70 + 0.30 * (threads - l->throttle_floor) / (double)(l->depth - l->throttle_floor);
    if (build_is_part(h))
        h->answer.window = (struct window){ h->part.from_s + 0.05 * l->throttle_period_s,
                                            h->part.from_s + to * l->throttle_period_s };
    else
        h->answer.pulse = (struct pulse){ l->throttle_period_s, 0.05, to };
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
        int disk = build_disk(h, build_vm(h, r, deep(h)), luns.first + i);
        int threads = build_int_by(h, r, (struct range[]){ { 22, 26 }, { 26, 40 }, { 90, 120 } });
        double think_ms = rng_between(r, 0, 1);
        if (h->strength == STRENGTH_MILD) { /* tenths of a millisecond */
            int slots = h->adapters[h->luns[luns.first].adapter].depth;
            threads = threads_for(slots, 0.93 * service_ms, threads / 10.0) / luns.count + 1;
            think_ms = 0;
        }
        build_job(h, build_closed(disk, threads, think_ms, 0.7, 16));
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
    h->cpu_delay_ms = build_by(h, r, (struct range[]){ { 2.8, 4 }, { 8, 20 }, { 40, 80 } });
    h->cpu_short = build_when(h);
    for (int i = 0; i < h->lun_count; i++)
        build_label(h, i, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_VMKERNEL, 0, "cpu-shortage", -1);
}
