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
    int threads = (int)(h->vms[vm].disk_depth * rng_between(r, 2, 4));
    build_load(h, build_closed(disk, threads, 0, rng_between(r, 0.6, 0.9), 8));
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
