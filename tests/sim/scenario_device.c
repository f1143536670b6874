/* Hosts whose trouble lies below the driver. */
#include <math.h>
#include <stddef.h>

#include "scenario.h"

static const unsigned OR_MIXED = 1u << LAYER_MIXED;

/* Every command of the LUN comes back late, by a delay that takes no server. */
static void slow_down(struct host *h, int lun, double delay_ms, struct window when) {
    struct device *d = &h->devices[h->luns[lun].device];
    d->trouble = d->normal;
    d->trouble.delay_ms = delay_ms;
    d->troubled = when;
}

void scenario_slow_array(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span bad = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 3));
    enum media media = rng_chance(r, 0.5) ? MEDIA_HDD : MEDIA_FLASH;
    struct span good = build_array(h, r, media, rng_int(r, 1, 2));
    build_tenants(h, r, bad, MEDIA_HDD, rng_int(r, 2, 4));
    build_tenants(h, r, good, MEDIA_HDD, rng_int(r, 1, 3));
    build_housekeeping(h, r);
    double delay_ms = build_by(h, r, (struct range[]){ { 21, 24 }, { 30, 70 }, { 90, 150 } });
    for (int i = 0; i < bad.count; i++) {
        slow_down(h, bad.first + i, delay_ms * rng_between(r, 0.85, 1.15), build_when(h));
        build_label(h, bad.first + i, LAYER_DEVICE, 0);
    }
    build_answer(h, LAYER_DEVICE, 0, "slow-array", -1);
}

void scenario_slow_lun(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 3, 5));
    build_tenants(h, r, luns, MEDIA_HDD, rng_int(r, 4, 6));
    build_housekeeping(h, r);
    int disk = rng_int(r, 0, h->disk_count - 1), lun = h->disks[disk].lun;
    double delay_ms = build_by(h, r, (struct range[]){ { 19, 23 }, { 30, 90 }, { 110, 150 } });
    slow_down(h, lun, delay_ms, build_when(h));
    build_label(h, lun, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "slow-lun", -1);
}

void scenario_slow_window(struct host *h, struct rng *r, double duration_s) {
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 3));
    build_tenants(h, r, luns, MEDIA_HDD, rng_int(r, 3, 5));
    build_housekeeping(h, r);
    double from_s = floor(rng_between(r, 0.3, 0.5) * duration_s);
    struct window when = { from_s, from_s + floor(rng_between(r, 0.15, 0.35) * duration_s) };
    double delay_ms = build_by(h, r, (struct range[]){ { 19, 23 }, { 40, 90 }, { 110, 150 } });
    when = build_is_part(h) ? h->part : when;
    for (int i = 0; i < luns.count; i++) {
        slow_down(h, luns.first + i, delay_ms, when);
        build_label(h, luns.first + i, LAYER_DEVICE, 0);
    }
    build_answer(h, LAYER_DEVICE, 0, "slow-array", -1);
    h->answer.window = when;
}

/* Few servers and a VM that always has more to send than the queue holds. */
void scenario_queue_full_slow(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 4));
    struct span others = { luns.first + 1, luns.count - 1 };
    struct lun *lun = &h->luns[luns.first];
    struct device *d = &h->devices[lun->device];
    lun->depth = lun->competing_depth = 32;
    d->servers = rng_int(r, 6, 12);
    d->trouble = d->normal;
    d->troubled = build_when(h);
    d->trouble.read_ms = build_by(h, r, (struct range[]){ { 21, 24 }, { 9, 16 }, { 32, 60 } });
    if (h->strength == STRENGTH_MILD) /* by what a full queue then takes: depth / servers times */
        d->trouble.read_ms *= d->servers / 32.0;
    d->trouble.write_ms = d->trouble.read_ms * rng_between(r, 0.9, 1.3);
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), luns.first);
    int threads = rng_int(r, 40, 60);
    double think_ms = rng_between(r, 0, 5);
    build_job(h, build_closed(disk, threads, think_ms, rng_between(r, 0.5, 0.9), 16));
    build_tenants(h, r, others, MEDIA_HDD, rng_int(r, 2, 4));
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, OR_MIXED);
    build_answer(h, LAYER_DEVICE, OR_MIXED, "queue-full-slow-device", disk);
}

static int nfs_volume(struct host *h, struct rng *r, const char *label, double slow_ms) {
    struct device d = build_media(r, MEDIA_HDD);
    d.servers = 40;
    d.normal.delay_ms = 0.8;
    if (slow_ms > 0) {
        d.trouble = d.normal;
        d.trouble.delay_ms = slow_ms;
        d.troubled = build_when(h);
    }
    return build_nfs(h, label, build_device(h, d));
}

void scenario_nfs_slow(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    double slow_ms = build_by(h, r, (struct range[]){ { 19, 23 }, { 35, 90 }, { 120, 300 } });
    int bad = nfs_volume(h, r, "nfs_ds_01 (filer1)", slow_ms);
    nfs_volume(h, r, "nfs_ds_02", 0);
    build_tenants(h, r, (struct span){ bad, 1 }, MEDIA_HDD, rng_int(r, 2, 3));
    build_tenants(h, r, (struct span){ bad + 1, 1 }, MEDIA_HDD, rng_int(r, 1, 3));
    build_housekeeping(h, r);
    build_label(h, bad, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "slow-nfs", -1);
}

void scenario_noisy_neighbour(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 3));
    struct lun *lun = &h->luns[luns.first];
    struct device *d = &h->devices[lun->device];
    lun->depth = lun->competing_depth = 128; /* room in the queue: the wait is inside the device */
    d->servers = rng_int(r, 5, 8);
    build_tenants(h, r, luns, MEDIA_HDD, rng_int(r, 3, 5));
    enum scsi scsi = h->strength == STRENGTH_SEVERE ? SCSI_PVSCSI_RAISED : SCSI_PVSCSI;
    int disk = build_disk(h, build_vm(h, r, scsi), luns.first);
    int threads = build_int_by(h, r, (struct range[]){ { 22, 25 }, { 44, 60 }, { 112, 124 } });
    if (h->strength == STRENGTH_MILD) /* so many milliseconds by Little's law */
        threads = (int)(threads * d->servers / d->normal.read_ms);
    build_job(h, build_closed(disk, threads, 0, rng_between(r, 0.6, 0.95), 32));
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "noisy-neighbour", disk);
}

/* A dying LUN: what is still sent takes seconds, and some of it is aborted. */
void scenario_few_slow(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 4));
    struct span others = { luns.first + 1, luns.count - 1 };
    struct device *d = &h->devices[h->luns[luns.first].device];
    d->trouble = d->normal;
    d->trouble.delay_ms =
        build_by(h, r, (struct range[]){ { 400, 700 }, { 2500, 5000 }, { 4500, 7000 } });
    d->troubled = build_when(h);
    d->timeout_ms = 5000;
    int disk = build_disk(h, build_vm(h, r, SCSI_LSI), luns.first);
    double rate = rng_between(r, 0.15, 0.3);
    if (build_is_part(h)) /* enough of them to see when it begins */
        rate *= 5;
    build_load(h, (struct load){ .disk = disk, .rate_per_s = rate, .read_share = 0.6, .kb = 8 });
    build_tenants(h, r, others, MEDIA_HDD, rng_int(r, 2, 4));
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "few-slow", -1);
    build_linger(h, fmin(1.5 * d->trouble.delay_ms, d->timeout_ms) / 1000);
}

void scenario_write_cache_off(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 1, 3));
    struct device *d = &h->devices[h->luns[0].device]; /* of the local disk */
    double read_ms = rng_between(r, 1.5, 4);
    double write_ms = build_by(h, r, (struct range[]){ { 20, 22 }, { 22, 30 }, { 60, 100 } });
    d->normal = (struct service){
        .shape = SHAPE_LOGNORMAL, .read_ms = read_ms, .write_ms = write_ms, .spread = 0.25
    };
    d->trouble = d->normal;
    if (build_is_part(h))
        d->normal.write_ms = 1;
    d->troubled = build_when(h);
    int vm = build_vm(h, r, SCSI_LSI), disk = build_disk(h, vm, 0);
    build_load(h, build_closed(disk, 1, 0, 0, rng_chance(r, 0.5) ? 64 : 128));
    build_load(h,
               (struct load){
                   .disk = disk, .rate_per_s = rng_between(r, 10, 30), .read_share = 1, .kb = 16 });
    build_tenants(h, r, luns, MEDIA_HDD, rng_int(r, 2, 4));
    build_housekeeping(h, r);
    build_label(h, 0, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "write-cache-off", disk);
}

void scenario_aborts(struct host *h, struct rng *r, double duration_s) {
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 4));
    build_tenants(h, r, luns, MEDIA_HDD, rng_int(r, 3, 5));
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), luns.first);
    int threads = build_int_by(h, r, (struct range[]){ { 20, 26 }, { 8, 16 }, { 28, 40 } });
    build_load(h, build_closed(disk, threads, rng_between(r, 20, 40), 0.5, 16));
    build_housekeeping(h, r);
    struct device *d = &h->devices[h->luns[luns.first].device];
    double from_s = floor(rng_between(r, 0.2, 0.4) * duration_s);
    struct window when = { from_s, from_s + floor(rng_between(r, 0.3, 0.5) * duration_s) };
    d->trouble.hang_share =
        build_by(h, r, (struct range[]){ { 0.008, 0.012 }, { 0.02, 0.04 }, { 0.06, 0.1 } });
    d->trouble.hang_ms = rng_between(r, 5000, 8000);
    d->timeout_ms = 5000;
    d->troubled = build_is_part(h) ? h->part : when;
    build_label(h, luns.first, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "aborts", -1);
    h->answer.window = d->troubled;
    build_linger(h, d->timeout_ms / 1000);
}
