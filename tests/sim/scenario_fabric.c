/* Hosts whose trouble lies on the way to the array or in how it serves several hosts and LUNs. */
#include <math.h>
#include <stdio.h>

#include "scenario.h"

static const unsigned OR_MIXED = 1u << LAYER_MIXED;

static void slow_down(struct host *h, int lun, double delay_ms) {
    struct device *d = &h->devices[h->luns[lun].device];
    d->trouble = d->normal;
    d->trouble.delay_ms = delay_ms;
    d->troubled = build_when(h);
}

/* A LUN that answers fast whatever is sent, with work that never stops. */
static int busy_lun(struct host *h, struct rng *r, int lun, double service_ms, int threads) {
    struct device *d = &h->devices[h->luns[lun].device];
    d->servers = 256;
    d->normal.read_ms = service_ms;
    d->normal.write_ms = 0.8 * service_ms;
    d->normal.spread = 0.5;
    d->trouble = d->normal;
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), lun);
    build_job(h, build_closed(disk, threads, rng_between(r, 0, 1), 0.7, 16));
    return disk;
}

/* Array and tenants; the first LUN is left alone. */
static struct span start(struct host *h, struct rng *r) {
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 4));
    build_tenants(h, r, (struct span){ luns.first + 1, luns.count - 1 }, MEDIA_HDD,
                  rng_int(r, 2, 4));
    return luns;
}

/* The congestion threshold is below what this array takes when it is well. */
void scenario_sioc(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    struct span luns = start(h, r);
    struct lun *lun = &h->luns[luns.first];
    double service_ms = rng_between(r, 7, 10);
    int threads = build_int_by(h, r, (struct range[]){ { 26, 29 }, { 46, 60 }, { 46, 60 } });
    lun->depth = lun->competing_depth = 64;
    int disk = busy_lun(h, r, luns.first, service_ms, threads);
    double ratio = build_by(h, r, (struct range[]){ { 0.84, 0.87 }, { 0.6, 0.78 }, { 0.3, 0.5 } });
    lun->sioc = (struct sioc){
        .threshold_ms = 0.93 * service_ms * ratio, .share = 2, .floor = 4, .when = build_always()
    };
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_VMKERNEL, 0, "sioc-threshold", disk);
}

/* Other hosts load the same LUN; every host gives way, this one's commands wait in its kernel. */
void scenario_sioc_congested(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    unsigned also = OR_MIXED | 1u << LAYER_VMKERNEL;
    struct span luns = start(h, r);
    struct lun *lun = &h->luns[luns.first];
    struct device *d = &h->devices[lun->device];
    int threads = rng_int(r, 30, 44);
    lun->depth = lun->competing_depth = 64;
    int disk = busy_lun(h, r, luns.first, rng_between(r, 6, 8), threads);
    d->servers = rng_int(r, 10, 14);
    double wait_ms = build_by(h, r, (struct range[]){ { 22, 26 }, { 36, 60 }, { 90, 160 } });
    struct foreign f = { .device = lun->device, .read_share = 0.6, .kb = 16 };
    f.threads = (int)(wait_ms * d->servers / (0.93 * d->normal.read_ms));
    f.when = build_when(h);
    build_foreign(h, f);
    lun->sioc = (struct sioc){
        .threshold_ms = 0.75 * wait_ms, .share = 3, .floor = 4, .when = build_when(h)
    };
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, also);
    build_answer(h, LAYER_DEVICE, also, "sioc-congestion", disk);
}

/* The array's port has few slots, and other hosts hold most of them. */
void scenario_qfull(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    struct span luns = start(h, r);
    struct lun *lun = &h->luns[luns.first];
    int threads = rng_int(r, 36, 50);
    lun->depth = lun->competing_depth = 64;
    int disk = busy_lun(h, r, luns.first, rng_between(r, 4, 6), threads);
    struct device *d = &h->devices[lun->device];
    d->port_slots = 64;
    int others = build_int_by(h, r, (struct range[]){ { 34, 38 }, { 50, 56 }, { 60, 62 } });
    build_foreign(h, (struct foreign){ .device = lun->device,
                                       .threads = others,
                                       .own_ms = 40,
                                       .read_share = 0.6,
                                       .kb = 16,
                                       .when = build_when(h) });
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_VMKERNEL, 0, "queue-full-status", disk);
}

/* A LUN with two paths that take turns command by command. */
static struct lun *two_paths(struct host *h, struct rng *r, int lun) {
    struct lun *l = &h->luns[lun];
    char adapter[24];
    snprintf(adapter, sizeof adapter, "%s", h->adapters[l->adapter].name);
    if (l->path_count == 1)
        snprintf(l->paths[l->path_count++], sizeof l->paths[0], "%s:C0:T9:L%d", adapter, lun + 1);
    l->round_robin = true;
    l->path_turn = rng_chance(r, 0.7) ? 1 : 8;
    return l;
}

void scenario_slow_path(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    struct span luns = start(h, r);
    struct lun *l = two_paths(h, r, luns.first);
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), luns.first);
    build_load(h, build_closed(disk, rng_int(r, 6, 12), rng_between(r, 30, 50), 0.6, 16));
    l->bad_path = (struct path_trouble){ .path = rng_int(r, 0, 1), .when = build_when(h) };
    l->bad_path.delay_ms =
        build_by(h, r, (struct range[]){ { 38, 46 }, { 60, 120 }, { 180, 260 } });
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "slow-path", -1);
}

/* A bad SFP: some frames of one path are lost, and the command waits for its timeout. */
void scenario_path_loss(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    struct span luns = start(h, r);
    struct lun *l = two_paths(h, r, luns.first);
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), luns.first);
    build_load(h, build_closed(disk, rng_int(r, 20, 30), rng_between(r, 20, 40), 0.6, 16));
    l->bad_path = (struct path_trouble){ .path = rng_int(r, 0, 1), .when = build_when(h) };
    l->bad_path.loss_share =
        build_by(h, r, (struct range[]){ { 0.025, 0.03 }, { 0.04, 0.08 }, { 0.12, 0.2 } });
    l->bad_path.loss_ms = rng_between(r, 3500, 5500);
    h->devices[l->device].timeout_ms = 5000;
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "path-loss", -1);
    build_linger(h, l->bad_path.loss_ms / 1000);
}

/* A link that goes and comes: what was on its way is lost, fails, and goes over the other path. */
void scenario_path_flapping(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    unsigned also = OR_MIXED | 1u << LAYER_VMKERNEL;
    struct span luns = start(h, r);
    struct lun *l = two_paths(h, r, luns.first);
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI_RAISED), luns.first);
    double rate = rng_between(r, 30, 60);
    build_load(h, (struct load){ .disk = disk, .rate_per_s = rate, .read_share = 0.6, .kb = 16 });
    l->bad_path = (struct path_trouble){ .path = rng_int(r, 0, 1), .when = build_when(h) };
    l->bad_path.up_s = rng_between(r, 2.5, 4.5);
    l->bad_path.down_s = rng_between(r, 4, 8);
    l->bad_path.notice_ms =
        build_by(h, r, (struct range[]){ { 900, 1200 }, { 1500, 2500 }, { 3000, 3900 } });
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, also);
    build_answer(h, LAYER_DEVICE, also, "path-flapping", -1);
    build_linger(h, l->bad_path.notice_ms / 1000);
}

/* Every LUN has one path to the storage processor that owns it, and one of those has too much. */
void scenario_sp_overloaded(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, 4);
    struct device sp = h->devices[h->luns[luns.first].device];
    sp.servers = rng_int(r, 10, 14);
    int shared = build_device(h, sp);
    for (int i = 0; i < luns.count; i++) {
        struct lun *l = &h->luns[luns.first + i];
        l->round_robin = false;
        l->path_count = 1;
        snprintf(l->paths[0], sizeof l->paths[0], "%s:C0:T%d:L%d", h->adapters[l->adapter].name,
                 i % 2, i + 1);
        if (i % 2 == 0)
            l->device = shared;
    }
    build_tenants(h, r, luns, MEDIA_HDD, rng_int(r, 4, 6));
    double wait_ms = build_by(h, r, (struct range[]){ { 21, 24 }, { 32, 60 }, { 90, 150 } });
    build_foreign(h, (struct foreign){ .device = shared,
                                       .threads = (int)(wait_ms * sp.servers / sp.normal.read_ms),
                                       .read_share = 1,
                                       .kb = 4,
                                       .when = build_when(h) });
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, 0);
    build_label(h, luns.first + 2, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "storage-processor", -1);
}

/* Two LUNs behind software iSCSI and 1 GbE: large I/O waits for the wire. */
void scenario_iscsi_link(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, 2);
    struct adapter *a = &h->adapters[h->luns[luns.first].adapter];
    snprintf(a->name, sizeof a->name, "vmhba64");
    a->depth = 1024;
    h->links[h->link_count++] = (struct link){ .mb_s = rng_between(r, 109, 115) };
    double wait_ms = build_by(h, r, (struct range[]){ { 26, 32 }, { 45, 80 }, { 130, 200 } });
    int kb = rng_chance(r, 0.5) ? 64 : 128, first = -1;
    double waiting = wait_ms / 1000 * h->links[0].mb_s * 1024 / kb;
    for (int i = 0; i < luns.count; i++) {
        struct lun *l = &h->luns[luns.first + i];
        l->depth = l->competing_depth = 256;
        for (int p = 0; p < l->path_count; p++)
            snprintf(l->paths[p], sizeof l->paths[p], "vmhba64:C0:T%d:L%d", p, i + 1);
        h->devices[l->device].link = h->link_count;
        h->devices[l->device].servers = 256;
        int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI_RAISED), luns.first + i);
        build_job(h, build_closed(disk, 1 + (int)(waiting / luns.count), 0, 1, kb));
        build_load(h, (struct load){ .disk = disk, .rate_per_s = 5, .read_share = 0, .kb = 4 });
        first = first < 0 ? disk : first;
        build_label(h, luns.first + i, LAYER_DEVICE, 0);
    }
    build_housekeeping(h, r);
    build_answer(h, LAYER_DEVICE, 0, "link-saturated", first);
}

/* Delayed acknowledgements: some reads wait for a timer of the TCP stack. */
void scenario_delayed_ack(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    struct span luns = start(h, r);
    struct device *d = &h->devices[h->luns[luns.first].device];
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), luns.first);
    build_load(h, build_closed(disk, rng_int(r, 6, 12), rng_between(r, 20, 40), 0.8, 32));
    d->trouble = d->normal;
    d->trouble.hang_reads_only = true;
    d->trouble.hang_ms = 200;
    d->trouble.hang_share =
        build_by(h, r, (struct range[]){ { 0.13, 0.16 }, { 0.2, 0.35 }, { 0.6, 0.8 } });
    d->troubled = build_when(h);
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "delayed-ack", -1);
}

/* All that hangs on one adapter is slow, whichever array it is of. */
void scenario_slow_adapter(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span bad = build_array(h, r, MEDIA_HDD, 2), more = build_array(h, r, MEDIA_HDD, 2);
    struct span good = build_array(h, r, MEDIA_HDD, rng_int(r, 1, 2));
    double delay_ms = build_by(h, r, (struct range[]){ { 21, 24 }, { 35, 70 }, { 90, 150 } });
    for (int i = 0; i < more.count; i++) { /* the second array behind the adapter of the first */
        struct lun *l = &h->luns[more.first + i];
        l->adapter = h->luns[bad.first].adapter;
        for (int p = 0; p < l->path_count; p++)
            snprintf(l->paths[p], sizeof l->paths[p], "%.20s:C0:T%d:L%d",
                     h->adapters[l->adapter].name, 4 + p, i + 1);
    }
    build_tenants(h, r, bad, MEDIA_HDD, 2);
    build_tenants(h, r, more, MEDIA_HDD, 2);
    build_tenants(h, r, good, MEDIA_HDD, rng_int(r, 2, 3));
    build_housekeeping(h, r);
    for (int i = 0; i < bad.count + more.count; i++) {
        slow_down(h, bad.first + i, delay_ms * rng_between(r, 0.9, 1.1));
        build_label(h, bad.first + i, LAYER_DEVICE, 0);
    }
    build_answer(h, LAYER_DEVICE, 0, "slow-adapter", -1);
}

/* All paths down: commands go out, nothing comes back until the end. */
void scenario_apd(struct host *h, struct rng *r, double duration_s) {
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 3));
    for (int i = 0; i < 2 * luns.count; i++) {
        int disk = build_disk(h, build_vm(h, r, SCSI_LSI), luns.first + i % luns.count);
        build_load(h, build_closed(disk, rng_int(r, 3, 8), rng_between(r, 30, 60), 0.6, 8));
    }
    build_housekeeping(h, r);
    double share = build_by(h, r, (struct range[]){ { 0.07, 0.1 }, { 0.12, 0.2 }, { 0.3, 0.45 } });
    double from_s = floor(rng_between(r, 0.2, 0.5) * duration_s);
    struct window when = { from_s, from_s + floor(share * duration_s) };
    when = build_is_part(h) ? h->part : when;
    for (int i = 0; i < luns.count; i++) {
        h->devices[h->luns[luns.first + i].device].stalled = when;
        build_label(h, luns.first + i, LAYER_DEVICE, 0);
    }
    build_answer(h, LAYER_DEVICE, 0, "all-paths-down", -1);
    h->answer.window = when;
}
