/* Hosts with nothing wrong below the guest. */
#include <stdio.h>

#include "scenario.h"

void scenario_healthy(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 4));
    build_tenants(h, r, luns, MEDIA_HDD, rng_int(r, 3, 6));
    build_housekeeping(h, r);
    build_answer(h, LAYER_NONE, 0, "healthy", -1);
}

void scenario_healthy_flash(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_FLASH, rng_int(r, 2, 5));
    build_tenants(h, r, luns, MEDIA_FLASH, rng_int(r, 3, 6));
    int vm = build_vm(h, r, SCSI_PVSCSI);
    int disk = build_disk(h, vm, luns.first);
    int threads = rng_int(r, 4, 10);
    build_load(h, build_closed(disk, threads, rng_between(r, 1.5, 4), 0.7, 16));
    build_housekeeping(h, r);
    build_answer(h, LAYER_NONE, 0, "healthy", -1);
}

void scenario_idle(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 1, 3));
    int count = rng_int(r, 3, 5);
    for (int i = 0; i < count; i++) {
        int disk = build_disk(h, build_vm(h, r, SCSI_LSI), luns.first + i % luns.count);
        build_load(h, (struct load){ .disk = disk,
                                     .rate_per_s = rng_between(r, 0.05, 0.5),
                                     .read_share = 0.2,
                                     .kb = 4 });
    }
    build_housekeeping(h, r);
    build_answer(h, LAYER_NONE, 0, "idle", -1);
}

void scenario_cdrom_poll(struct host *h, struct rng *r, double duration_s) {
    scenario_healthy(h, r, duration_s);
    struct device drive = { .servers = 1,
                            .normal = { .shape = SHAPE_CONSTANT, .read_ms = 25, .write_ms = 25 } };
    int lun = build_lun(h, "mpx.vmhba0:C0:T5:L0", 0, build_device(h, drive), 31);
    struct lun *l = &h->luns[lun];
    l->partition_count = 0;
    snprintf(l->paths[l->path_count++], sizeof l->paths[0], "vmhba0:C0:T5:L0");
    /* pass-through of a VM: booked on its vmx world */
    l->worlds[l->world_count++] = (struct world){ .id = h->vms[0].vmx, .vm = -1 };
    double rate_per_s = rng_between(r, 0.4, 0.6), answer_ms = rng_between(r, 20, 30);
    build_traffic(h, (struct traffic){ .lun = lun,
                                       .world = 0,
                                       .rate_per_s = rate_per_s,
                                       .other_share = 1,
                                       .device_ms = answer_ms });
    build_answer(h, LAYER_NONE, 0, "cdrom-poll", -1);
}

void scenario_vaai_clone(struct host *h, struct rng *r, double duration_s) {
    scenario_healthy(h, r, duration_s);
    double from_s = rng_between(r, 0.1, 0.3) * duration_s,
           to_s = rng_between(r, 0.7, 0.9) * duration_s;
    struct window when = { from_s, to_s };
    int lun = 1, world = build_world(h, lun, -1);
    struct traffic t = {
        .lun = lun, .world = world, .other_share = 1, .device_ms = 1.5, .when = when
    };
    t.vaai = VAAI_CLONE;
    t.rate_per_s = rng_between(r, 10, 30);
    t.kernel_ms = rng_between(r, 60, 180);
    build_traffic(h, t);
    t.vaai = VAAI_ZERO;
    t.rate_per_s = rng_between(r, 5, 20);
    t.kernel_ms = rng_between(r, 20, 60);
    build_traffic(h, t);
    build_answer(h, LAYER_NONE, 0, "vaai-clone", -1);
    h->answer.window = when;
}

static int nfs_volume(struct host *h, struct rng *r, const char *label) {
    struct device d = build_media(r, MEDIA_HDD);
    d.servers = 40;
    d.normal.delay_ms = d.trouble.delay_ms = 0.8;
    return build_nfs(h, label, build_device(h, d));
}

void scenario_nfs_healthy(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span volumes = { nfs_volume(h, r, "nfs_gold_01"), 2 };
    nfs_volume(h, r, "nfs archive (filer2)");
    build_tenants(h, r, volumes, MEDIA_HDD, rng_int(r, 3, 5));
    build_housekeeping(h, r);
    build_answer(h, LAYER_NONE, 0, "healthy", -1);
}

/* The device would take more, but the virtual adapter is full all the time. */
void scenario_guest_queue(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    bool lsi = rng_chance(r, 0.5);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 4));
    struct span others = { luns.first + 1, luns.count - 1 };
    struct lun *lun = &h->luns[luns.first];
    struct device *d = &h->devices[lun->device];
    lun->depth = lun->competing_depth = 128;
    d->servers = 256;
    d->normal.read_ms = lsi ? rng_between(r, 5, 8) : rng_between(r, 7, 10);
    d->normal.write_ms = d->normal.read_ms * 0.8;
    d->trouble = d->normal;
    int vm = build_vm(h, r, lsi ? SCSI_LSI : SCSI_PVSCSI);
    int disk = build_disk(h, vm, luns.first);
    double times = build_by(h, r, (struct range[]){ { 1.4, 1.7 }, { 2, 4 }, { 6, 10 } });
    int threads = (int)(h->vms[vm].disk_depth * times);
    build_job(h, build_closed(disk, threads, 0, rng_between(r, 0.6, 0.9), 8));
    build_tenants(h, r, others, MEDIA_HDD, rng_int(r, 2, 4));
    build_housekeeping(h, r);
    build_label_disk(h, disk, LAYER_GUEST, 0);
    build_answer(h, LAYER_GUEST, 0, "virtual-adapter-queue", disk);
}

void scenario_guest_serial(struct host *h, struct rng *r, double duration_s) {
    scenario_healthy(h, r, duration_s);
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), 1);
    double think_ms = rng_chance(r, 0.5) ? 0 : 0.2;
    build_load(h, build_closed(disk, 1, think_ms, rng_between(r, 0.3, 0.9), 8));
    build_label_disk(h, disk, LAYER_NONE, 1u << LAYER_GUEST);
    build_answer(h, LAYER_NONE, 1u << LAYER_GUEST, "one-outstanding", -1);
}

/* Work of one disk: steady, in bursts, in single long jobs, or nothing at all. */
static void many_disk_load(struct host *h, struct rng *r, int disk, double duration_s) {
    static const double SIZES_KB[] = { 4, 8, 8, 8, 16, 64 };
    struct load l = { .disk = disk, .read_share = rng_between(r, 0.3, 0.9) };
    l.kb = SIZES_KB[rng_int(r, 0, 5)];
    double kind = rng_unit(r);
    if (kind < 0.1) {
        l.rate_per_s = 0.02; /* idle but for a log entry now and then */
    } else if (kind < 0.3) {
        l.rate_per_s = 10; /* many disks of one golden image do the same */
        l.kb = 8;
        l.read_share = 0.6;
    } else if (kind < 0.6) {
        l.rate_per_s = rng_between(r, 2, 40);
        l.on_s = rng_between(r, 8, 60);
        l.off_s = rng_between(r, 4, 40);
    } else if (kind < 0.8) {
        l.threads = rng_int(r, 1, 4);
        l.think_ms = rng_between(r, 60, 200);
    } else {
        l.rate_per_s = rng_between(r, 10, 60);
        l.when.from_s = rng_between(r, 0, 0.7) * duration_s;
        l.when.to_s = l.when.from_s + rng_between(r, 0.1, 0.3) * duration_s;
        build_load(h, (struct load){ .disk = disk, .rate_per_s = 1, .read_share = 0.5, .kb = 4 });
    }
    build_load(h, l);
}

/* Which virtual disk lives on which LUN is the question here, not latency. */
void scenario_many_disks(struct host *h, struct rng *r, double duration_s) {
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, 12);
    for (int i = 0; i < 40; i++) {
        int vm = build_vm(h, r, rng_chance(r, 0.5) ? SCSI_PVSCSI : SCSI_LSI);
        int disks = rng_int(r, 1, 4), home = rng_int(r, 0, luns.count - 1);
        for (int d = 0; d < disks; d++) {
            int lun = d == 0 || rng_chance(r, 0.3) ? home : rng_int(r, 0, luns.count - 1);
            many_disk_load(h, r, build_disk(h, vm, luns.first + lun), duration_s);
        }
    }
    build_housekeeping(h, r);
    build_answer(h, LAYER_NONE, 0, "healthy", -1);
}

/* Jobs that start by their own clock send more than the virtual adapter takes, then stop. */
void scenario_guest_bursts(struct host *h, struct rng *r, double duration_s) {
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 4));
    struct device *d = &h->devices[h->luns[luns.first].device];
    h->luns[luns.first].depth = h->luns[luns.first].competing_depth = 128;
    d->servers = 256;
    int vm = build_vm(h, r, SCSI_LSI), disks[2];
    for (int i = 0; i < 2; i++) {
        disks[i] = build_disk(h, vm, luns.first);
        double rate = rng_between(r, 10, 60);
        build_load(
            h, (struct load){ .disk = disks[i], .rate_per_s = rate, .read_share = 0.6, .kb = 8 });
    }
    for (double at_s = rng_between(r, 5, 30); at_s < duration_s; at_s += rng_between(r, 10, 40)) {
        double length_s = rng_between(r, 15, 50);
        int threads = rng_int(r, 48, 120);
        struct load job = build_closed(disks[0], threads, rng_between(r, 0, 2), 0.7, 8);
        job.when = (struct window){ at_s, at_s + length_s };
        build_load(h, job);
        at_s += length_s;
    }
    build_tenants(h, r, (struct span){ luns.first + 1, luns.count - 1 }, MEDIA_HDD,
                  rng_int(r, 2, 4));
    build_housekeeping(h, r);
    build_label_disk(h, disks[0], LAYER_GUEST, 0);
    build_answer(h, LAYER_GUEST, 0, "virtual-adapter-queue", disks[0]);
}

/* A backup reads half megabytes and more: each takes long because it is large. */
void scenario_large_blocks(struct host *h, struct rng *r, double duration_s) {
    scenario_healthy(h, r, duration_s);
    int kb = rng_chance(r, 0.5) ? 512 : 1024;
    struct device *d = &h->devices[h->luns[1].device];
    d->servers = 64;
    d->normal.ms_per_mb = rng_between(r, 13, 15);
    d->trouble = d->normal;
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), 1);
    build_load(h, build_closed(disk, rng_int(r, 4, 8), 0, 1, kb));
    build_answer(h, LAYER_NONE, 0, "large-blocks", -1);
}

/* One command in the whole capture takes seconds. */
void scenario_single_outlier(struct host *h, struct rng *r, double duration_s) {
    scenario_healthy(h, r, duration_s);
    int disk = rng_int(r, 0, h->disk_count - 1);
    struct device *d = &h->devices[h->luns[h->disks[disk].lun].device];
    d->outlier_at_s = rng_between(r, 0.2, 0.8) * duration_s;
    d->outlier_ms = rng_between(r, 800, 2500);
    build_answer(h, LAYER_NONE, 0, "single-outlier", -1);
}

/* Zeroing is offloaded: the row of the LUN counts commands that never reach the disks. */
void scenario_vaai_zero(struct host *h, struct rng *r, double duration_s) {
    scenario_healthy(h, r, duration_s);
    double from_s = rng_between(r, 0.1, 0.3) * duration_s;
    struct traffic t = { .lun = 1, .world = build_world(h, 1, -1), .other_share = 1 };
    t.vaai = VAAI_ZERO;
    t.device_ms = rng_between(r, 15, 40);
    t.kernel_ms = rng_between(r, 20, 80);
    t.rate_per_s = rng_between(r, 40, 120);
    t.when = (struct window){ from_s, rng_between(r, 0.6, 0.9) * duration_s };
    build_traffic(h, t);
    build_answer(h, LAYER_NONE, 0, "vaai-zero", -1);
    h->answer.window = t.when;
}

/* The host boots from a slow stick, which no guest ever waits for. */
void scenario_boot_usb(struct host *h, struct rng *r, double duration_s) {
    scenario_healthy(h, r, duration_s);
    struct device stick = { .servers = 1, .normal = { .shape = SHAPE_LOGNORMAL, .spread = 0.6 } };
    stick.normal.read_ms = rng_between(r, 5, 15);
    stick.normal.write_ms = rng_between(r, 40, 120);
    stick.trouble = stick.normal;
    int adapter = build_adapter(h, "vmhba32", 1);
    int lun = build_lun(h, "mpx.vmhba32:C0:T0:L0", adapter, build_device(h, stick), 1);
    struct lun *l = &h->luns[lun];
    snprintf(l->paths[l->path_count++], sizeof l->paths[0], "vmhba32:C0:T0:L0");
    build_traffic(h, (struct traffic){ .lun = lun,
                                       .world = build_world(h, lun, -1),
                                       .rate_per_s = rng_between(r, 0.5, 2),
                                       .read_share = 0.3,
                                       .kb = 4 });
    build_answer(h, LAYER_NONE, 0, "boot-device", -1);
}
