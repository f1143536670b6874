/* What stands beside an entity: the other paths of its LUN, the worlds of a LUN against each other, all
 * commands of the LUNs under a VM, the host's swapping. */
#include "derive.h"
#include "esxlat/base/num.h"

static const struct el_entity *entity(const struct el_deriving *d, uint32_t id) {
    return &d->around->catalog->entity[id];
}

static void fill(double *out, size_t rows, double value) {
    for (size_t i = 0; i < rows; i++)
        out[i] = value;
}

static void divide(double *out, const double *by, size_t rows) {
    for (size_t i = 0; i < rows; i++)
        out[i] = by[i] > 0 ? out[i] / by[i] : EL_NAN;
}

/* ---- the other paths of the same LUN ---- */

/* They come one after the other, without the path itself: start with *at = 0. */
static uint32_t next_sibling(const struct el_deriving *d, size_t *at) {
    uint32_t lun = entity(d, d->entity)->lun, path = EL_NOTHING;
    do
        path = lun == EL_NOTHING ? EL_NOTHING : el_around_next(d, lun, EL_PATH, at);
    while (path == d->entity);
    return path;
}

bool el_peers_cmds(const struct el_deriving *d, double *out) {
    size_t at = 0;
    fill(out, d->rows, 0);
    for (uint32_t p; (p = next_sibling(d, &at)) != EL_NOTHING;) {
        const double *rate = el_raw(d, p, EL_C_cmds);
        for (size_t i = 0; rate && i < d->rows; i++)
            out[i] += rate[i];
    }
    return entity(d, d->entity)->lun != EL_NOTHING;
}

bool el_peers_davg(const struct el_deriving *d, double *out) {
    double weight[EL_BLOCK_ROWS] = { 0 };
    size_t at = 0;
    bool any = false;
    fill(out, d->rows, 0);
    for (uint32_t p; (p = next_sibling(d, &at)) != EL_NOTHING;) {
        const double *rate = el_raw(d, p, EL_C_cmds), *latency = el_raw(d, p, EL_C_davg);
        for (size_t i = 0; rate && latency && i < d->rows; i++) {
            if (!(rate[i] > 0) || el_missing(latency[i]))
                continue;
            out[i] += rate[i] * latency[i];
            weight[i] += rate[i];
        }
        any |= rate && latency;
    }
    divide(out, weight, d->rows);
    return any;
}

bool el_peers_errors(const struct el_deriving *d, double *out) {
    size_t at = 0;
    bool any = false;
    fill(out, d->rows, 0);
    for (uint32_t p; (p = next_sibling(d, &at)) != EL_NOTHING;) {
        const double *failed = el_raw(d, p, EL_C_fcmds), *aborted = el_raw(d, p, EL_C_abrts),
                     *reset = el_raw(d, p, EL_C_resets);
        bool known = failed && aborted && reset;
        for (size_t i = 0; known && i < d->rows; i++)
            out[i] += failed[i] + aborted[i] + reset[i];
        any |= known;
    }
    return any;
}

/* ---- a LUN, its paths and its worlds ---- */

bool el_peers_paths(const struct el_deriving *d, double *out) {
    size_t at = 0, count = 0;
    while (el_around_next(d, d->entity, EL_PATH, &at) != EL_NOTHING)
        count++;
    fill(out, d->rows, (double)count);
    return count > 0;
}

bool el_peers_paths_used(const struct el_deriving *d, double *out) {
    size_t at = 0;
    bool any = false;
    fill(out, d->rows, 0);
    for (uint32_t p; (p = el_around_next(d, d->entity, EL_PATH, &at)) != EL_NOTHING;) {
        const double *rate = el_raw(d, p, EL_C_cmds);
        for (size_t i = 0; rate && i < d->rows; i++)
            out[i] += rate[i] * d->around->block->seconds[i] >= 1;
        any |= rate != NULL;
    }
    return any;
}

/* What the fullest adapter of the LUN holds by Little's law, of what it takes. */
bool el_peers_adapter_used(const struct el_deriving *d, double *out) {
    size_t at = 0;
    bool any = false;
    fill(out, d->rows, 0);
    for (uint32_t p; (p = el_around_next(d, d->entity, EL_PATH, &at)) != EL_NOTHING;) {
        uint32_t adapter = entity(d, p)->adapter;
        const double *depth = adapter == EL_NOTHING ? NULL : el_raw(d, adapter, EL_C_aqlen);
        const double *rate = depth ? el_raw(d, adapter, EL_C_cmds) : NULL;
        const double *latency = rate ? el_raw(d, adapter, EL_C_davg) : NULL;
        for (size_t i = 0; latency && i < d->rows; i++) {
            double used = depth[i] > 0 ? rate[i] * latency[i] / 1000 / depth[i] : 0;
            if (used > out[i])
                out[i] = used;
        }
        any |= latency != NULL;
    }
    return any;
}

/* GAVG of the worlds without the one that waits most. */
bool el_peers_rest_gavg(const struct el_deriving *d, double *out) {
    double weight[EL_BLOCK_ROWS] = { 0 }, most[EL_BLOCK_ROWS] = { 0 }, of_most[EL_BLOCK_ROWS];
    size_t at = 0;
    fill(out, d->rows, 0);
    fill(of_most, d->rows, 0);
    for (uint32_t w; (w = el_around_next(d, d->entity, EL_WORLD, &at)) != EL_NOTHING;) {
        const double *rate = el_raw(d, w, EL_C_cmds), *latency = el_raw(d, w, EL_C_gavg);
        for (size_t i = 0; rate && latency && i < d->rows; i++) {
            if (!(rate[i] > 0) || el_missing(latency[i]))
                continue;
            double wait = rate[i] * latency[i];
            out[i] += wait;
            weight[i] += rate[i];
            if (wait > most[i]) {
                most[i] = wait;
                of_most[i] = rate[i];
            }
        }
    }
    for (size_t i = 0; i < d->rows; i++) {
        out[i] -= most[i];
        weight[i] -= of_most[i];
    }
    divide(out, weight, d->rows);
    return d->around->links->has_worlds;
}

/* Worlds of the host itself carry an owner, those of virtual machines the name of theirs. */
bool el_peers_system_part(const struct el_deriving *d, double *out) {
    double all[EL_BLOCK_ROWS] = { 0 };
    size_t at = 0;
    fill(out, d->rows, 0);
    for (uint32_t w; (w = el_around_next(d, d->entity, EL_WORLD, &at)) != EL_NOTHING;) {
        const double *rate = el_raw(d, w, EL_C_cmds);
        bool system = entity(d, w)->owner.ptr && !entity(d, w)->vm_name.ptr;
        for (size_t i = 0; rate && i < d->rows; i++) {
            if (!(rate[i] > 0))
                continue;
            all[i] += rate[i];
            out[i] += system ? rate[i] : 0;
        }
    }
    divide(out, all, d->rows);
    return d->around->links->has_worlds;
}

/* ---- a VM and everybody on its LUNs ---- */

/* A figure of the VM's LUNs, weighted by what the VM sends to each. */
static bool of_luns(const struct el_deriving *d,
                    double (*figure)(const struct el_deriving *d, uint32_t lun, size_t row),
                    double *out) {
    double weight[EL_BLOCK_ROWS] = { 0 };
    uint32_t vm = d->kind == EL_VM ? d->entity : entity(d, d->entity)->vm;
    bool any = false;
    size_t at = 0;
    fill(out, d->rows, 0);
    if (vm == EL_NOTHING)
        return false;
    for (uint32_t w; (w = el_around_next_world(d, &at)) != EL_NOTHING;) {
        uint32_t lun = entity(d, w)->lun;
        const double *rate = lun == EL_NOTHING ? NULL : el_raw(d, w, EL_C_cmds);
        for (size_t i = 0; rate && i < d->rows; i++) {
            double value = rate[i] > 0 ? figure(d, lun, i) : EL_NAN;
            if (el_missing(value))
                continue;
            out[i] += rate[i] * value;
            weight[i] += rate[i];
            any = true;
        }
    }
    divide(out, weight, d->rows);
    return any;
}

static double cell(const struct el_deriving *d, uint32_t id, enum el_counter counter, size_t row) {
    const double *value = el_raw(d, id, counter);
    return value ? value[row] : EL_NAN;
}

static double qavg_of(const struct el_deriving *d, uint32_t lun, size_t row) {
    return cell(d, lun, EL_C_qavg, row);
}

static double slots_of(const struct el_deriving *d, uint32_t lun, size_t row) {
    double depth = cell(d, lun, EL_C_dqlen, row);
    double busy = cell(d, lun, EL_C_cmds, row) * cell(d, lun, EL_C_davg, row) / 1000;
    return depth > 0 ? busy / depth : EL_NAN;
}

bool el_peers_all_qavg(const struct el_deriving *d, double *out) {
    return of_luns(d, qavg_of, out);
}

bool el_peers_all_used(const struct el_deriving *d, double *out) {
    return of_luns(d, slots_of, out);
}

/* Zeroed on the one of its LUNs that has most: who asked for it, VAAI does not tell. */
bool el_peers_lun_zero(const struct el_deriving *d, double *out) {
    uint32_t vm = d->kind == EL_VM ? d->entity : entity(d, d->entity)->vm;
    bool any = false;
    size_t at = 0;
    fill(out, d->rows, 0);
    if (vm == EL_NOTHING)
        return false;
    for (uint32_t w; (w = el_around_next_world(d, &at)) != EL_NOTHING;) {
        uint32_t lun = entity(d, w)->lun;
        const double *zero = lun == EL_NOTHING ? NULL : el_raw(d, lun, EL_C_zero);
        for (size_t i = 0; zero && i < d->rows; i++)
            if (zero[i] > out[i])
                out[i] = zero[i];
        any |= zero != NULL;
    }
    return any;
}

/* ---- host ---- */

bool el_peers_volume(const struct el_deriving *d, enum el_counter value, enum el_counter sort,
                     double *out) {
    const struct el_links *l = d->around->links;
    bool any = false;
    fill(out, d->rows, EL_NAN);
    for (size_t k = 0; k < l->volumes; k++) {
        uint32_t id = l->volume[k];
        bool ours = l->host[id] == l->host[d->entity];
        const double *rate = ours ? el_raw(d, id, sort) : NULL;
        const double *latency = rate ? el_raw(d, id, value) : NULL;
        for (size_t i = 0; latency && i < d->rows; i++)
            if (rate[i] > 0 && !(latency[i] <= out[i]))
                out[i] = latency[i];
        any |= latency != NULL;
    }
    return any;
}

bool el_peers_nfs_gavg(const struct el_deriving *d, double *out) {
    return el_peers_volume(d, EL_C_gavg, EL_C_cmds, out);
}

bool el_peers_host_swap(const struct el_deriving *d, double *out) {
    uint32_t host = d->around->links->host[d->entity];
    const double *in = host == EL_NOTHING ? NULL : el_raw(d, host, EL_C_swap_rd);
    const double *back = in ? el_raw(d, host, EL_C_swap_wr) : NULL;
    for (size_t i = 0; back && i < d->rows; i++)
        out[i] = in[i] + back[i];
    return back != NULL;
}

bool el_peers_vcpus(const struct el_deriving *d, double *out) {
    uint32_t vm = d->kind == EL_VM ? d->entity : entity(d, d->entity)->vm;
    uint32_t vcpus = vm == EL_NOTHING ? 0 : entity(d, vm)->vcpus;
    fill(out, d->rows, vcpus);
    return vcpus > 0;
}
