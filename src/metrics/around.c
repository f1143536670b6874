/* What the links of an entity tell about it: the worlds on a LUN, the LUNs under a virtual disk, the CPU
 * of its VM and host. */
#include "derive.h"
#include "esxlat/base/num.h"

uint32_t el_around_next(const struct el_deriving *d, uint32_t entity, enum el_kind kind,
                        size_t *at) {
    size_t count;
    const uint32_t *member = el_links_of(d->around->links, entity, &count);
    while (*at < count) {
        uint32_t m = member[(*at)++];
        if (d->around->catalog->entity[m].kind == kind)
            return m;
    }
    return EL_NOTHING;
}

/* The VM of a virtual disk, or the VM itself. */
static uint32_t vm_of(const struct el_deriving *d) {
    return d->kind == EL_VM ? d->entity : d->around->catalog->entity[d->entity].vm;
}

uint32_t el_around_next_world(const struct el_deriving *d, size_t *at) {
    uint32_t vm = vm_of(d), world = EL_NOTHING;
    bool fits = vm == EL_NOTHING;
    while (!fits) {
        world = el_around_next(d, vm, EL_WORLD, at);
        fits = world == EL_NOTHING || d->around->lun == EL_NOTHING ||
               d->around->catalog->entity[world].lun == d->around->lun;
    }
    return world;
}

static void clear(double *out, size_t rows) {
    for (size_t i = 0; i < rows; i++)
        out[i] = 0;
}

/* ---- a LUN and its worlds ---- */

bool el_around_worlds(const struct el_deriving *d, double *out) {
    size_t at = 0;
    clear(out, d->rows);
    if (!d->around->links->has_worlds)
        return false;
    for (uint32_t w; (w = el_around_next(d, d->entity, EL_WORLD, &at)) != EL_NOTHING;) {
        const double *rate = el_raw(d, w, EL_C_cmds);
        for (size_t i = 0; rate && i < d->rows; i++)
            out[i] += rate[i] * d->around->block->seconds[i] >= 1;
    }
    return true;
}

bool el_around_top_world(const struct el_deriving *d, double *out) {
    size_t at = 0;
    const double *all = el_raw(d, d->entity, EL_C_cmds), *latency = el_raw(d, d->entity, EL_C_gavg);
    clear(out, d->rows);
    if (!all || !latency)
        return false;
    for (uint32_t w; (w = el_around_next(d, d->entity, EL_WORLD, &at)) != EL_NOTHING;) {
        const double *rate = el_raw(d, w, EL_C_cmds), *own = el_raw(d, w, EL_C_gavg);
        for (size_t i = 0; rate && own && i < d->rows; i++) {
            double share = rate[i] * own[i] / (all[i] * latency[i]);
            if (share > out[i])
                out[i] = share > 1 ? 1 : share;
        }
    }
    return true;
}

/* LAT of the virtual machines that use no other LUN, weighted by their reads and writes. */
bool el_around_lun_lat(const struct el_deriving *d, double *out) {
    const struct el_catalog *c = d->around->catalog;
    double weight[EL_BLOCK_ROWS] = { 0 }, latency[EL_BLOCK_ROWS];
    bool any = false;
    size_t at = 0;
    clear(out, d->rows);
    for (uint32_t w; (w = el_around_next(d, d->entity, EL_WORLD, &at)) != EL_NOTHING;) {
        uint32_t vm = c->entity[w].vm;
        if (vm == EL_NOTHING || el_links_only_lun(d->around->links, c, vm) != d->entity ||
            !el_lat_of(d->around, vm, latency))
            continue;
        const double *rd = el_raw(d, vm, EL_C_reads), *wr = el_raw(d, vm, EL_C_writes);
        for (size_t i = 0; rd && wr && i < d->rows; i++) {
            double n = rd[i] + wr[i];
            if (!(n > 0) || el_missing(latency[i]))
                continue;
            out[i] += n * latency[i];
            weight[i] += n;
            any = true;
        }
    }
    for (size_t i = 0; i < d->rows; i++)
        out[i] = weight[i] > 0 ? out[i] / weight[i] : EL_NAN;
    return any;
}

/* ---- a virtual disk and the LUNs of its VM ---- */

/* Sum of a rate or gauge over the VM's worlds; false when the capture lists no worlds. */
static bool sum_of_worlds(const struct el_deriving *d, enum el_counter counter, double *out) {
    uint32_t vm = vm_of(d);
    size_t at = 0;
    clear(out, d->rows);
    if (vm == EL_NOTHING || !d->around->links->has_worlds)
        return false;
    for (uint32_t w; (w = el_around_next_world(d, &at)) != EL_NOTHING;) {
        const double *value = el_raw(d, w, counter);
        for (size_t i = 0; value && i < d->rows; i++)
            out[i] += value[i];
    }
    return true;
}

bool el_around_lun_cmds(const struct el_deriving *d, double *out) {
    return sum_of_worlds(d, EL_C_cmds, out);
}

bool el_around_lun_actv(const struct el_deriving *d, double *out) {
    return sum_of_worlds(d, EL_C_actv, out);
}

bool el_around_lun_qued(const struct el_deriving *d, double *out) {
    return sum_of_worlds(d, EL_C_qued, out);
}

/* A latency of the VM's worlds, weighted by their commands. */
static bool mean_of_worlds(const struct el_deriving *d, enum el_counter counter, double *out) {
    double weight[EL_BLOCK_ROWS] = { 0 };
    uint32_t vm = vm_of(d);
    bool any = false;
    size_t at = 0;
    clear(out, d->rows);
    if (vm == EL_NOTHING)
        return false;
    for (uint32_t w; (w = el_around_next_world(d, &at)) != EL_NOTHING;) {
        const double *value = el_raw(d, w, counter), *rate = el_raw(d, w, EL_C_cmds);
        for (size_t i = 0; value && rate && i < d->rows; i++) {
            if (!(rate[i] > 0) || el_missing(value[i]))
                continue;
            out[i] += rate[i] * value[i];
            weight[i] += rate[i];
            any = true;
        }
    }
    for (size_t i = 0; i < d->rows; i++)
        out[i] = weight[i] > 0 ? out[i] / weight[i] : EL_NAN;
    return any;
}

bool el_around_lun_davg(const struct el_deriving *d, double *out) {
    return mean_of_worlds(d, EL_C_davg, out);
}

bool el_around_lun_kavg(const struct el_deriving *d, double *out) {
    return mean_of_worlds(d, EL_C_kavg, out);
}

bool el_around_lun_qavg(const struct el_deriving *d, double *out) {
    return mean_of_worlds(d, EL_C_qavg, out);
}

bool el_around_lun_gavg(const struct el_deriving *d, double *out) {
    return mean_of_worlds(d, EL_C_gavg, out);
}

/* A disk that may lie on several LUNs: their average tells nothing of what its own LUN holds of LAT. */
static bool is_anywhere(const struct el_deriving *d) {
    return d->kind == EL_VDISK && d->around->lun == EL_NOTHING &&
           el_links_only_lun(d->around->links, d->around->catalog, vm_of(d)) == EL_NOTHING;
}

bool el_around_above(const struct el_deriving *d, double *out) {
    double latency[EL_BLOCK_ROWS];
    if (is_anywhere(d) || !mean_of_worlds(d, EL_C_gavg, out) ||
        !el_lat_of(d->around, d->entity, latency))
        return false;
    for (size_t i = 0; i < d->rows; i++)
        out[i] = latency[i] - out[i];
    return true;
}

bool el_around_lun_dqlen(const struct el_deriving *d, double *out) {
    uint32_t vm = vm_of(d);
    bool any = false;
    size_t at = 0;
    if (vm == EL_NOTHING)
        return false;
    for (uint32_t w; (w = el_around_next_world(d, &at)) != EL_NOTHING;) {
        uint32_t lun = d->around->catalog->entity[w].lun;
        const double *depth = lun == EL_NOTHING ? NULL : el_raw(d, lun, EL_C_dqlen);
        for (size_t i = 0; depth && i < d->rows; i++)
            if (!any || depth[i] < out[i])
                out[i] = depth[i];
        any |= depth != NULL;
    }
    return any;
}

/* ---- CPU ---- */

/* A counter summed over a VM's worlds, per virtual CPU: thresholds are published for one. */
static bool per_vcpu(const struct el_deriving *d, enum el_counter counter, double *out) {
    uint32_t vm = vm_of(d);
    const double *sum = vm == EL_NOTHING ? NULL : el_raw(d, vm, counter);
    uint32_t vcpus = sum ? d->around->catalog->entity[vm].vcpus : 0;
    if (!vcpus)
        return false;
    for (size_t i = 0; i < d->rows; i++)
        out[i] = sum[i] / vcpus;
    return true;
}

bool el_around_ready(const struct el_deriving *d, double *out) {
    return per_vcpu(d, EL_C_ready_sum, out);
}

bool el_around_costop(const struct el_deriving *d, double *out) {
    return per_vcpu(d, EL_C_costop_sum, out);
}

bool el_around_mlmtd(const struct el_deriving *d, double *out) {
    return per_vcpu(d, EL_C_mlmtd_sum, out);
}

/* DAVG of the reads and writes of the VM's worlds, as its disks send nothing else: unmaps and blocks that VMFS zeroes
 * first are commands of the LUN, not of the disk.  DAVG of all commands where they are not told apart. */
static bool davg_of_transfers(const struct el_deriving *d, double *out) {
    double weight[EL_BLOCK_ROWS] = { 0 };
    size_t at = 0;
    if (vm_of(d) == EL_NOTHING)
        return false;
    clear(out, d->rows);
    for (uint32_t w; (w = el_around_next_world(d, &at)) != EL_NOTHING;) {
        const double *rd = el_raw(d, w, EL_C_reads), *wr = el_raw(d, w, EL_C_writes),
                     *of_rd = el_raw(d, w, EL_C_davg_rd), *of_wr = el_raw(d, w, EL_C_davg_wr);
        if (!rd || !wr || !of_rd || !of_wr)
            return el_around_lun_davg(d, out);
        for (size_t i = 0; i < d->rows; i++) {
            out[i] += (rd[i] > 0 ? rd[i] * of_rd[i] : 0) + (wr[i] > 0 ? wr[i] * of_wr[i] : 0);
            weight[i] += (rd[i] > 0 ? rd[i] : 0) + (wr[i] > 0 ? wr[i] : 0);
        }
    }
    for (size_t i = 0; i < d->rows; i++)
        out[i] = weight[i] > 0 ? out[i] / weight[i] : EL_NAN;
    return at > 0;
}

/* What NFS holds of LAT, ms: of reads and writes apart, as one is often slow alone, and at most LAT. */
static bool nfs_of_lat(const struct el_deriving *d, double *out) {
    static const enum el_counter side[2][3] = { { EL_C_reads, EL_C_lat_rd, EL_C_gavg_rd },
                                                { EL_C_writes, EL_C_lat_wr, EL_C_gavg_wr } };
    double volume[EL_BLOCK_ROWS], all[EL_BLOCK_ROWS] = { 0 };
    clear(out, d->rows);
    for (size_t k = 0; k < 2; k++) {
        const double *rate = el_raw(d, d->entity, side[k][0]),
                     *lat = el_raw(d, d->entity, side[k][1]);
        if (!rate || !lat ||
            (!el_peers_volume(d, side[k][2], side[k][0], volume) && !el_peers_nfs_gavg(d, volume)))
            return false;
        for (size_t i = 0; i < d->rows; i++) {
            if (!(rate[i] > 0))
                continue;
            out[i] += rate[i] * (volume[i] < lat[i] ? volume[i] : lat[i]);
            all[i] += rate[i];
        }
    }
    for (size_t i = 0; i < d->rows; i++)
        out[i] = all[i] > 0 ? out[i] / all[i] : EL_NAN;
    return true;
}

#define CARRIES 0.5 /* the worlds must show this part of a disk's commands to tell its DAVG */

/* Seconds that commands of `ms` each waited in each row, 0 where nothing is known. */
static void waited_rows(const struct el_deriving *d, const double *rd, const double *wr,
                        const double *ms, double *out) {
    for (size_t i = 0; i < d->rows; i++) {
        double rate = rd[i] + wr[i];
        out[i] =
            rate > 0 && !el_missing(ms[i]) ? rate * d->around->block->seconds[i] * ms[i] / 1000 : 0;
    }
}

bool el_around_wait_device(const struct el_deriving *d, double *out) {
    double carried[EL_BLOCK_ROWS], device[EL_BLOCK_ROWS], nfs[EL_BLOCK_ROWS], ms[EL_BLOCK_ROWS];
    const double *rd = el_raw(d, d->entity, EL_C_reads), *wr = el_raw(d, d->entity, EL_C_writes);
    bool split = el_around_lun_cmds(d, carried) && davg_of_transfers(d, device),
         on_nfs = d->around->links->volumes > 0 && nfs_of_lat(d, nfs);
    if (!rd || !wr || !el_lat_of(d->around, d->entity, ms))
        return false;
    for (size_t i = 0; i < d->rows; i++) {
        if (split && carried[i] >= CARRIES * (rd[i] + wr[i]))
            ms[i] = device[i] < ms[i] ? device[i] : ms[i];
        else if (on_nfs && nfs[i] < ms[i])
            ms[i] = nfs[i];
    }
    waited_rows(d, rd, wr, ms, out);
    return true;
}

/* All that LAT tells but what the device took. */
bool el_around_wait_vmkernel(const struct el_deriving *d, double *out) {
    double own[EL_BLOCK_ROWS], ms[EL_BLOCK_ROWS];
    const double *rd = el_raw(d, d->entity, EL_C_reads), *wr = el_raw(d, d->entity, EL_C_writes);
    const double *device = d->before->column[EL_M_wait_device];
    if (!device && !el_around_wait_device(d, own))
        return false;
    if (!rd || !wr || !el_lat_of(d->around, d->entity, ms))
        return false;
    waited_rows(d, rd, wr, ms, out);
    for (size_t i = 0; i < d->rows; i++)
        out[i] -= device ? device[i] : own[i];
    return true;
}

bool el_around_host_cpu(const struct el_deriving *d, double *out) {
    uint32_t host = d->around->links->host[d->entity];
    const double *util = host == EL_NOTHING ? NULL : el_raw(d, host, EL_C_pcpu_util);
    for (size_t i = 0; util && i < d->rows; i++)
        out[i] = util[i];
    return util != NULL;
}
