/* Hosts whose array, server or disk has a trouble of its own kind. */
#include <math.h>
#include <stdio.h>

#include "scenario.h"

static struct device *trouble_of(struct host *h, int lun) {
    struct device *d = &h->devices[h->luns[lun].device];
    d->trouble = d->normal;
    d->troubled = build_when(h);
    return d;
}

static struct span start(struct host *h, struct rng *r) {
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 4));
    build_tenants(h, r, (struct span){ luns.first + 1, luns.count - 1 }, MEDIA_HDD,
                  rng_int(r, 2, 4));
    return luns;
}

static int nfs_volume(struct host *h, struct rng *r, const char *label) {
    struct device d = build_media(r, MEDIA_HDD);
    d.servers = 40;
    d.normal.delay_ms = d.trouble.delay_ms = 0.8;
    return build_nfs(h, label, build_device(h, d));
}

/* The server writes through to its disks before it answers. */
void scenario_nfs_sync(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    int bad = nfs_volume(h, r, "nfs-sync (zfs1)"), good = nfs_volume(h, r, "nfs_ds_02");
    build_tenants(h, r, (struct span){ bad, 1 }, MEDIA_HDD, rng_int(r, 2, 4));
    build_tenants(h, r, (struct span){ good, 1 }, MEDIA_HDD, rng_int(r, 1, 3));
    struct device *d = trouble_of(h, bad);
    d->servers = 256;
    d->trouble.write_ms = build_by(h, r, (struct range[]){ { 22, 26 }, { 35, 80 }, { 120, 200 } });
    build_housekeeping(h, r);
    build_label(h, bad, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "nfs-sync-writes", -1);
}

/* ESXi 5.x: the lowest limit of any VM on an NFS datastore holds for all of them. */
void scenario_nfs_limit(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    int bad = nfs_volume(h, r, "nfs_ds_limit"), good = nfs_volume(h, r, "nfs_ds_free");
    double limit = 50 * rng_int(r, 2, 5);
    double hold_s =
        build_by(h, r, (struct range[]){ { 0.022, 0.026 }, { 0.035, 0.06 }, { 0.1, 0.2 } });
    int count = rng_int(r, 3, 4), first = -1;
    for (int i = 0; i < count; i++) {
        int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), bad);
        h->disks[disk].iops_limit = limit;
        build_job(h, build_closed(disk, 1 + (int)(limit * hold_s + 0.5), 0, 0.7, 8));
        first = first < 0 ? disk : first;
        build_label_disk(h, disk, LAYER_VMKERNEL, 0);
    }
    build_tenants(h, r, (struct span){ good, 1 }, MEDIA_HDD, rng_int(r, 1, 3));
    build_housekeeping(h, r);
    build_answer(h, LAYER_VMKERNEL, 0, "nfs-limit", first);
}

/* Blocks given back to the array keep it so busy that reads and writes wait. */
void scenario_unmap_storm(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    struct span luns = start(h, r);
    struct lun *l = &h->luns[luns.first];
    struct device *d = trouble_of(h, luns.first);
    l->depth = l->competing_depth = 128;
    d->servers = rng_int(r, 6, 10);
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), luns.first);
    build_load(h, build_closed(disk, rng_int(r, 4, 8), rng_between(r, 30, 50), 0.6, 16));
    double times = build_by(h, r, (struct range[]){ { 1.2, 1.3 }, { 1.5, 2.5 }, { 4, 6 } });
    struct traffic t = { .lun = luns.first, .other_share = 1, .vaai = VAAI_UNMAP };
    t.world = build_world(h, luns.first, -1);
    t.device_ms = rng_between(r, 90, 140);
    t.in_server = true;
    t.threads = (int)(times * d->servers + 0.5);
    t.when = build_when(h);
    build_traffic(h, t);
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "unmap", -1);
}

/* Only writes: the other site has to have them too before they are done. */
void scenario_replication(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    struct span luns = start(h, r);
    struct device *d = trouble_of(h, luns.first);
    d->servers = 256;
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), luns.first);
    build_load(h, build_closed(disk, rng_int(r, 6, 12), rng_between(r, 20, 40), 0.4, 16));
    d->trouble.write_ms += build_by(h, r, (struct range[]){ { 20, 23 }, { 30, 60 }, { 90, 150 } });
    d->trouble.spread = d->normal.spread = 0.2;
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "replication", -1);
}

/* The array lets no more than so many commands a second in, whatever they are. */
void scenario_array_qos(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    struct span luns = start(h, r);
    struct lun *l = &h->luns[luns.first];
    struct device *d = trouble_of(h, luns.first);
    l->depth = l->competing_depth = 128;
    d->servers = 256;
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), luns.first);
    double wait_s =
        build_by(h, r, (struct range[]){ { 0.021, 0.025 }, { 0.035, 0.07 }, { 0.1, 0.2 } });
    int threads = rng_int(r, 20, 50);
    d->qos_per_s = threads / wait_s;
    build_job(h, build_closed(disk, threads, 0, rng_between(r, 0.5, 0.8), 8));
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "array-qos", disk);
}

/* All-flash: ten times as slow as it was, and still below what disks are allowed. */
void scenario_slow_flash(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_FLASH, rng_int(r, 3, 5));
    build_tenants(h, r, luns, MEDIA_FLASH, rng_int(r, 4, 6));
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), luns.first);
    build_load(h, build_closed(disk, rng_int(r, 4, 10), rng_between(r, 4, 8), 0.7, 16));
    struct device *d = trouble_of(h, luns.first);
    d->trouble.delay_ms = build_by(h, r, (struct range[]){ { 2.6, 3.2 }, { 4, 6 }, { 14, 30 } });
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "slow-lun", -1);
}

/* One VM's jobs come in bursts that fill the device it shares with others. */
void scenario_vm_burst(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 3));
    struct lun *l = &h->luns[luns.first];
    struct device *d = &h->devices[l->device];
    l->depth = l->competing_depth = 128;
    d->servers = rng_int(r, 6, 9);
    build_tenants(h, r, luns, MEDIA_HDD, rng_int(r, 3, 5));
    double wait_ms = build_by(h, r, (struct range[]){ { 23, 26 }, { 34, 60 }, { 75, 110 } });
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI_RAISED), luns.first);
    int threads = (int)(wait_ms * d->servers / d->normal.read_ms);
    struct load job = build_closed(disk, threads, 0, rng_between(r, 0.8, 0.95), 32);
    if (!build_is_part(h)) {
        job.on_s = rng_between(r, 20, 40);
        job.off_s = rng_between(r, 20, 40);
    }
    build_job(h, job);
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "vm-burst", disk);
}

/* The host lacks memory: its own swapping fills the LUN of the swap files. */
void scenario_host_swap(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 2, 3));
    struct lun *l = &h->luns[luns.first];
    struct device *d = &h->devices[l->device];
    l->depth = l->competing_depth = 256;
    d->servers = rng_int(r, 6, 9);
    build_tenants(h, r, luns, MEDIA_HDD, rng_int(r, 4, 6));
    double wait_ms = build_by(h, r, (struct range[]){ { 21, 24 }, { 34, 60 }, { 65, 80 } });
    h->swap_lun = luns.first;
    h->swap_world = build_world(h, luns.first, -1);
    h->swap_vm = 0;
    double service_ms = 0.75 * d->normal.read_ms + 0.25 * d->normal.write_ms;
    build_traffic(h, (struct traffic){ .lun = luns.first,
                                       .world = h->swap_world,
                                       .threads = (int)(wait_ms * d->servers / service_ms),
                                       .read_share = 0.75,
                                       .kb = 16,
                                       .when = build_when(h) });
    build_housekeeping(h, r);
    build_label(h, luns.first, LAYER_DEVICE, 0);
    build_answer(h, LAYER_DEVICE, 0, "host-swap", -1);
}

/* A local disk that takes one command at a time. */
void scenario_depth_one(struct host *h, struct rng *r, double duration_s) {
    (void)duration_s;
    build_host(h, r);
    struct span luns = build_array(h, r, MEDIA_HDD, rng_int(r, 1, 3));
    build_tenants(h, r, luns, MEDIA_HDD, rng_int(r, 2, 4));
    int adapter = build_adapter(h, "vmhba33", 1);
    double service_ms = rng_between(r, 2, 4);
    struct device usb = { .servers = 1, .normal = { .shape = SHAPE_LOGNORMAL, .spread = 0.4 } };
    usb.normal.read_ms = service_ms;
    usb.normal.write_ms = service_ms;
    usb.trouble = usb.normal;
    int lun = build_lun(h, "t10.JMicron_Generic_________________0123456789ABCDEF", adapter,
                        build_device(h, usb), 1);
    struct lun *l = &h->luns[lun];
    snprintf(l->paths[l->path_count++], sizeof l->paths[0], "vmhba33:C0:T0:L0");
    int disk = build_disk(h, build_vm(h, r, SCSI_PVSCSI), lun);
    int threads = build_int_by(h, r, (struct range[]){ { 3, 3 }, { 5, 10 }, { 24, 40 } });
    struct load job = build_closed(disk, threads, 0, 0.6, 8);
    if (build_is_part(h)) {
        build_load(h, (struct load){ .disk = disk, .rate_per_s = 3, .read_share = 0.6, .kb = 8 });
        job.when = h->part;
    }
    build_load(h, job);
    build_housekeeping(h, r);
    build_label(h, lun, LAYER_VMKERNEL, 0);
    build_answer(h, LAYER_VMKERNEL, 0, "shallow-queue", disk);
}
