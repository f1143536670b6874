#include "build.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *const HOST_NAMES[] = {
    "esx01.lab.example",   "esxi-prod-04.corp.example",
    "DL360-ESX1",          "10.20.30.41",
    "hv-muc-02.example",   "localhost",
    "r740-17.dc2.example", "esx-b-11",
};

/* As people name them; \xc3\xbc is a u with dots. */
static const char *const NAMES[VM_NAMES] = {
    "erp-db-01",
    "SQL02 (df09cdf2-1e74-45fb-9ccc-90d1c402fc6b)",
    "B\xc3\xbcro-Fileserver",
    "mail 03",
    "intranet-web-1",
    "W2019 Exchange (DAG-B)",
    "build-agent-7",
    "dc01",
    "reporting",
    "print-srv",
    "oracle_prod (do not touch)",
    "jenkins",
    "vcenter",
    "CRM Test 2",
    "backup-proxy-2",
    "monitoring%2fgrafana",
};

struct window build_always(void) {
    return (struct window){ -1e9, 1e9 };
}

bool build_is_part(const struct host *h) {
    return h->part.from_s < h->part.to_s;
}

struct window build_when(const struct host *h) {
    return build_is_part(h) ? h->part : build_always();
}

double build_by(const struct host *h, struct rng *r, const struct range ranges[STRENGTH_COUNT]) {
    return rng_between(r, ranges[h->strength].lo, ranges[h->strength].hi);
}

int build_int_by(const struct host *h, struct rng *r, const struct range ranges[STRENGTH_COUNT]) {
    return rng_int(r, (int)ranges[h->strength].lo, (int)ranges[h->strength].hi);
}

int build_adapter(struct host *h, const char *name, int depth) {
    assert(h->adapter_count < MAX_ADAPTERS);
    struct adapter *a = &h->adapters[h->adapter_count];
    snprintf(a->name, sizeof a->name, "%s", name);
    a->depth = depth;
    return h->adapter_count++;
}

int build_device(struct host *h, struct device d) {
    assert(h->device_count < MAX_DEVICES);
    h->devices[h->device_count] = d;
    return h->device_count++;
}

int build_lun(struct host *h, const char *name, int adapter, int device, int depth) {
    assert(h->lun_count < MAX_LUNS);
    struct lun *l = &h->luns[h->lun_count];
    *l = (struct lun){
        .adapter = adapter, .device = device, .depth = depth, .competing_depth = depth
    };
    snprintf(l->name, sizeof l->name, "%s", name);
    l->partitions[l->partition_count++] = 1;
    return h->lun_count++;
}

int build_nfs(struct host *h, const char *label, int device) {
    int lun = build_lun(h, label, 0, device, 0);
    h->luns[lun].nfs = true;
    h->luns[lun].partition_count = 0;
    return lun;
}

int build_world(struct host *h, int lun, int vm) {
    struct lun *l = &h->luns[lun];
    for (int i = 0; i < l->world_count; i++)
        if (l->worlds[i].vm == vm)
            return i;
    assert(l->world_count < MAX_WORLDS);
    unsigned id = vm >= 0 ? h->vms[vm].leader : h->base + 301; /* hostd-worker, see groups.c */
    l->worlds[l->world_count] = (struct world){ .id = id, .vm = vm };
    return l->world_count++;
}

static int add_host_world(struct host *h, int lun, unsigned id) {
    struct lun *l = &h->luns[lun];
    assert(l->world_count < MAX_WORLDS);
    l->worlds[l->world_count] = (struct world){ .id = id, .vm = -1 };
    return l->world_count++;
}

int build_vm(struct host *h, struct rng *r, enum scsi scsi) {
    static const int DEPTH[][2] = { { 32, 128 }, { 64, 256 }, { 254, 1024 } };
    assert(h->vm_count < MAX_VMS);
    int i = h->vm_count++;
    struct vm *vm = &h->vms[i];
    if (i < VM_NAMES)
        snprintf(vm->name, sizeof vm->name, "%s", NAMES[h->vm_names[i]]);
    else
        snprintf(vm->name, sizeof vm->name, "app-node-%02d", i);
    vm->gid = 1302698 + 975 * (unsigned)i + (unsigned)rng_int(r, 0, 400);
    vm->vmx = h->base + 2710 + 40 * (unsigned)i;
    vm->leader = vm->vmx + 1 + (unsigned)rng_int(r, 0, 2) * 3;
    vm->scsi = scsi == SCSI_LSI ? "LSI" : "PVSCSI";
    vm->disk_depth = DEPTH[scsi][0];
    vm->controller_depth = DEPTH[scsi][1];
    vm->nic = rng_chance(r, 0.9);
    vm->vcpus = 1 << rng_int(r, 0, 2);
    vm->used_pct = rng_between(r, 3, 35);
    vm->ready_pct = rng_between(r, 0.1, 1.2);
    vm->busy_ready_pct = rng_between(r, 12, 30);
    return i;
}

int build_disk(struct host *h, int vm, int lun) {
    assert(h->disk_count < MAX_DISKS);
    struct disk *d = &h->disks[h->disk_count];
    *d = (struct disk){ .vm = vm, .lun = lun };
    snprintf(d->unit, sizeof d->unit, "scsi0:%d", h->vms[vm].disk_count++);
    build_world(h, lun, vm);
    return h->disk_count++;
}

int build_load(struct host *h, struct load l) {
    assert(h->load_count < MAX_LOADS);
    if (!(l.when.from_s < l.when.to_s))
        l.when = build_always();
    h->loads[h->load_count] = l;
    return h->load_count++;
}

int build_job(struct host *h, struct load l) {
    if (build_is_part(h)) {
        build_load(h,
                   (struct load){ .disk = l.disk, .rate_per_s = 12, .read_share = 0.6, .kb = 8 });
        l.when = h->part;
    }
    return build_load(h, l);
}

void build_foreign(struct host *h, struct foreign f) {
    assert(h->foreign_count < MAX_DEVICES);
    if (!(f.when.from_s < f.when.to_s))
        f.when = build_always();
    h->foreign[h->foreign_count++] = f;
}

int build_traffic(struct host *h, struct traffic t) {
    assert(h->traffic_count < MAX_TRAFFIC);
    if (!(t.when.from_s < t.when.to_s))
        t.when = build_always();
    h->traffic[h->traffic_count] = t;
    return h->traffic_count++;
}

struct load build_closed(int disk, int threads, double think_ms, double read_share, double kb) {
    return (struct load){
        .disk = disk, .threads = threads, .think_ms = think_ms, .read_share = read_share, .kb = kb
    };
}

struct device build_media(struct rng *r, enum media media) {
    struct device d = { 0 };
    if (media == MEDIA_FLASH) {
        d.servers = rng_int(r, 24, 64);
        d.normal = (struct service){ .shape = SHAPE_LOGNORMAL, .spread = 0.4, .ms_per_mb = 1 };
        d.normal.read_ms = rng_between(r, 0.30, 0.55);
        d.normal.write_ms = rng_between(r, 0.25, 0.45);
    } else {
        d.servers = rng_int(r, 14, 28);
        d.normal = (struct service){ .shape = SHAPE_LOGNORMAL, .spread = 0.7, .ms_per_mb = 5 };
        d.normal.read_ms = rng_between(r, 3.5, 6.0);
        d.normal.write_ms = rng_between(r, 1.6, 3.0);
    }
    d.trouble = d.normal;
    return d;
}

static void local_disk(struct host *h, struct rng *r) {
    char name[NAME_SIZE];
    int adapter = build_adapter(h, "vmhba0", rng_chance(r, 0.5) ? 600 : 31);
    unsigned long long serial = rng_next(r);
    snprintf(name, sizeof name, "naa.600508b1001c%020llx", serial);
    if (rng_chance(r, 0.4))
        snprintf(name, sizeof name, "t10.ATA_____SAMSUNG_MZ7LH240HAHQ2D00005%s%014llx",
                 "_________________", serial >> 8);
    int lun = build_lun(h, name, adapter, build_device(h, build_media(r, MEDIA_HDD)), 31);
    struct lun *l = &h->luns[lun];
    snprintf(l->paths[l->path_count++], sizeof l->paths[0], "vmhba0:C0:T%d:L0", rng_int(r, 0, 4));
    l->partitions[l->partition_count++] = 5;
    l->partitions[l->partition_count++] = 8;
    build_traffic(h, (struct traffic){ .lun = lun,
                                       .world = build_world(h, lun, -1),
                                       .rate_per_s = rng_between(r, 0.8, 4),
                                       .read_share = 0.2,
                                       .kb = 8 });
    build_traffic(h, (struct traffic){ .lun = lun,
                                       .world = add_host_world(h, lun, h->base + 41),
                                       .rate_per_s = rng_between(r, 0.3, 1),
                                       .kb = 4 }); /* BCFlush-0 */
}

void build_host(struct host *h, struct rng *r) {
    for (int i = 0; i < VM_NAMES; i++)
        h->vm_names[i] = i;
    rng_shuffle(r, h->vm_names, VM_NAMES);
    snprintf(h->name, sizeof h->name, "%s",
             HOST_NAMES[rng_int(r, 0, (int)(sizeof HOST_NAMES / sizeof HOST_NAMES[0]) - 1)]);
    h->base = rng_chance(r, 0.7) ? 2097152 : 65536;
    h->pcpus = 2 * rng_int(r, 1, 2);
    h->util_pct = rng_between(r, 12, 45);
    h->busy_util_pct = rng_between(r, 97.5, 99.6);
    h->overhead_ms = rng_between(r, 0.008, 0.02);
    h->answer.culprit = -1;
    local_disk(h, r);
}

static void array_paths(struct host *h, struct rng *r, int lun, int number, int paths) {
    struct lun *l = &h->luns[lun];
    char adapter[24];
    memcpy(adapter, h->adapters[l->adapter].name, sizeof adapter);
    for (int p = 0; p < paths; p++)
        snprintf(l->paths[l->path_count++], sizeof l->paths[0], "%s:C0:T%d:L%d", adapter, p,
                 number);
    l->round_robin = paths > 1 && rng_chance(r, 0.5);
}

struct span build_array(struct host *h, struct rng *r, enum media media, int count) {
    static const char *const HDD[] = { "60060e8012ab", "60000970a1b2", "600a09803831",
                                       "60060160b0c1" };
    static const char *const FLASH[] = { "624a93707c1d", "514f0c5e3a10", "600a09805a2b",
                                         "68ccf0980012" };
    static const int DEPTHS[] = { 64, 64, 128 };
    char name[NAME_SIZE], adapter_name[24];
    bool iscsi = rng_chance(r, 0.3);
    snprintf(adapter_name, sizeof adapter_name, "vmhba%d",
             iscsi ? 63 + h->adapter_count : h->adapter_count);
    int adapter = build_adapter(h, adapter_name, iscsi ? 1024 : 4096);
    unsigned long long serial = rng_next(r) >> 16;
    const char *prefix = (media == MEDIA_FLASH ? FLASH : HDD)[rng_int(r, 0, 3)];
    int depth = iscsi ? 128 : DEPTHS[rng_int(r, 0, 2)], paths = rng_int(r, 1, 2);
    struct device backing = build_media(r, media);
    struct span span = { h->lun_count, count };
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "naa.%s%012llx%08x", prefix, serial, 0x100u + 5u * (unsigned)i);
        int lun = build_lun(h, name, adapter, build_device(h, backing), depth);
        h->luns[lun].competing_depth = depth < 32 ? depth : rng_chance(r, 0.5) ? 32 : depth;
        array_paths(h, r, lun, i + 1, paths);
    }
    return span;
}

static struct load tenant_load(struct rng *r, enum media media, int disk) {
    static const double SIZES_KB[] = { 4, 8, 8, 16, 32, 64 };
    struct load l = { .disk = disk, .read_share = rng_between(r, 0.45, 0.85) };
    l.kb = SIZES_KB[rng_int(r, 0, 5)];
    double scale = media == MEDIA_FLASH ? 4 : 1;
    if (rng_chance(r, 0.5)) {
        l.rate_per_s = scale * rng_between(r, 15, 80);
    } else {
        l.threads = rng_int(r, 2, 5);
        l.think_ms = rng_between(r, 40, 90) / scale;
    }
    if (rng_chance(r, 0.3)) {
        l.on_s = rng_between(r, 8, 40);
        l.off_s = rng_between(r, 2, 15);
    }
    return l;
}

void build_tenants(struct host *h, struct rng *r, struct span luns, enum media media, int count) {
    int offset = rng_int(r, 0, luns.count - 1);
    for (int i = 0; i < count; i++) {
        int vm = build_vm(h, r, rng_chance(r, 0.5) ? SCSI_PVSCSI : SCSI_LSI);
        int home = (i + offset) % luns.count;
        build_load(h, tenant_load(r, media, build_disk(h, vm, luns.first + home)));
        if (rng_chance(r, 0.4)) {
            int second = rng_chance(r, 0.5) ? home : (home + 1) % luns.count;
            build_load(h, tenant_load(r, media, build_disk(h, vm, luns.first + second)));
        }
    }
}

void build_housekeeping(struct host *h, struct rng *r) {
    for (int i = 0; i < h->lun_count; i++) {
        const struct lun *l = &h->luns[i];
        if (l->nfs || strncmp(l->name, "mpx.", 4) == 0)
            continue;
        int world = build_world(h, i, -1);
        build_traffic(
            h,
            (struct traffic){
                .lun = i, .world = world, .rate_per_s = 0.07, .other_share = 1, .device_ms = 0.4 });
        build_traffic(h, (struct traffic){ .lun = i,
                                           .world = world,
                                           .rate_per_s = rng_between(r, 0.1, 0.4),
                                           .other_share = 1,
                                           .device_ms = 0.6,
                                           .vaai = VAAI_ATS });
    }
}

void build_label_disk(struct host *h, int disk, enum layer layer, unsigned also) {
    h->disks[disk].label = (struct label){ layer, also };
}

void build_label(struct host *h, int lun, enum layer layer, unsigned also) {
    h->luns[lun].label = (struct label){ layer, also };
    for (int i = 0; i < h->disk_count; i++)
        if (h->disks[i].lun == lun)
            build_label_disk(h, i, layer, also);
}

void build_answer(struct host *h, enum layer layer, unsigned also, const char *cause, int culprit) {
    h->answer.label = (struct label){ layer, also };
    h->answer.cause = cause;
    h->answer.culprit = culprit;
    h->answer.window = h->part;
}

void build_linger(struct host *h, double seconds) {
    if (build_is_part(h))
        h->answer.window.to_s += seconds;
}
