#include "esxlat/metrics/derive.h"

#include <string.h>

#include "derive.h"
#include "esxlat/base/num.h"

void el_derived_release(struct el_derived *d) {
    el_free(d->value);
    *d = (struct el_derived){ 0 };
}

const double *el_raw(const struct el_deriving *d, uint32_t entity, enum el_counter counter) {
    return el_block_column(d->around->block, &d->around->catalog->run, entity, counter);
}

static const double *own(const struct el_deriving *d, enum el_counter counter) {
    return el_raw(d, d->entity, counter);
}

/* a / b, missing where there is nothing to divide by. */
static double ratio(double a, double b) {
    return b > 0 ? a / b : EL_NAN;
}

/* ---- of the sample itself ---- */

static bool commands(const struct el_deriving *d, double *out) {
    const double *rate = own(d, EL_C_cmds);
    if (!rate)
        return false;
    for (size_t i = 0; i < d->rows; i++)
        out[i] = rate[i] * d->around->block->seconds[i];
    return true;
}

static bool seconds(const struct el_deriving *d, double *out) {
    memcpy(out, d->around->block->seconds, d->rows * sizeof *out);
    return true;
}

static bool other(const struct el_deriving *d, double *out) {
    const double *all = own(d, EL_C_cmds), *rd = own(d, EL_C_reads), *wr = own(d, EL_C_writes);
    if (!all || !rd || !wr)
        return false;
    for (size_t i = 0; i < d->rows; i++) {
        double rest = all[i] - rd[i] - wr[i];
        out[i] = rest < 0.015 ? 0 : rest; /* three rates rounded to 0.01 */
    }
    return true;
}

/* x_cmd x CMDS = x_rd x READS + x_wr x WRITES + x_other x OTHER, solved for x_other. */
static bool of_other(const struct el_deriving *d, enum el_counter cmd, enum el_counter read,
                     enum el_counter write, double *out) {
    const double *x = own(d, cmd), *x_rd = own(d, read), *x_wr = own(d, write);
    const double *all = own(d, EL_C_cmds), *rd = own(d, EL_C_reads), *wr = own(d, EL_C_writes);
    if (!x || !x_rd || !x_wr || !other(d, out))
        return false;
    for (size_t i = 0; i < d->rows; i++) {
        double rest =
            x[i] * all[i] - (rd[i] > 0 ? x_rd[i] * rd[i] : 0) - (wr[i] > 0 ? x_wr[i] * wr[i] : 0);
        out[i] = ratio(rest > 0 ? rest : 0, out[i]);
    }
    return true;
}

static bool davg_oth(const struct el_deriving *d, double *out) {
    return of_other(d, EL_C_davg, EL_C_davg_rd, EL_C_davg_wr, out);
}

static bool kavg_oth(const struct el_deriving *d, double *out) {
    return of_other(d, EL_C_kavg, EL_C_kavg_rd, EL_C_kavg_wr, out);
}

/* Two latencies weighted by their rates; a side without commands does not count, one with commands and no
 * value makes the result missing. */
static bool by_rates(const double *a, const double *rate_a, const double *b, const double *rate_b,
                     size_t rows, double *out) {
    if (!a || !b || !rate_a || !rate_b)
        return false;
    for (size_t i = 0; i < rows; i++) {
        double left = rate_a[i] > 0 ? rate_a[i] * a[i] : 0,
               right = rate_b[i] > 0 ? rate_b[i] * b[i] : 0;
        double weight = (rate_a[i] > 0 ? rate_a[i] : 0) + (rate_b[i] > 0 ? rate_b[i] : 0);
        out[i] = ratio(left + right, weight);
    }
    return true;
}

/* Latency of reads and writes only: commands such as TEST UNIT READY do not count.  Captures without -a do not
 * tell reads from writes: then the figure of all commands stands in, where there are reads or writes. */
static bool of_reads_writes(const struct el_deriving *d, enum el_counter cmd, enum el_counter read,
                            enum el_counter write, double *out) {
    const double *rd = own(d, EL_C_reads), *wr = own(d, EL_C_writes), *x = own(d, cmd);
    if (by_rates(own(d, read), rd, own(d, write), wr, d->rows, out))
        return true;
    if (!x)
        return false;
    for (size_t i = 0; i < d->rows; i++)
        out[i] = !rd || !wr || rd[i] + wr[i] > 0 ? x[i] : EL_NAN;
    return true;
}

static bool davg_rw(const struct el_deriving *d, double *out) {
    return of_reads_writes(d, EL_C_davg, EL_C_davg_rd, EL_C_davg_wr, out);
}

static bool kavg_rw(const struct el_deriving *d, double *out) {
    return of_reads_writes(d, EL_C_kavg, EL_C_kavg_rd, EL_C_kavg_wr, out);
}

static bool gavg_rw(const struct el_deriving *d, double *out) {
    return of_reads_writes(d, EL_C_gavg, EL_C_gavg_rd, EL_C_gavg_wr, out);
}

static bool mb(const struct el_deriving *d, double *out) {
    const double *rd = own(d, EL_C_mb_rd), *wr = own(d, EL_C_mb_wr);
    if (!rd || !wr)
        return false;
    for (size_t i = 0; i < d->rows; i++)
        out[i] = rd[i] + wr[i];
    return true;
}

static bool io_kb(const struct el_deriving *d, double *out) {
    const double *rd = own(d, EL_C_reads), *wr = own(d, EL_C_writes);
    if (!rd || !wr || !mb(d, out))
        return false;
    for (size_t i = 0; i < d->rows; i++)
        out[i] = ratio(1024 * out[i], rd[i] + wr[i]);
    return true;
}

static bool size_kb(const struct el_deriving *d, double *out) {
    bool known = io_kb(d, out);
    for (size_t i = 0; i < d->rows; i++)
        out[i] = known && !el_missing(out[i]) ? out[i] : 0;
    return true;
}

static bool ios(const struct el_deriving *d, double *out) {
    const double *all = own(d, EL_C_cmds), *rd = own(d, EL_C_reads), *wr = own(d, EL_C_writes);
    if (!all && !(rd && wr))
        return false;
    for (size_t i = 0; i < d->rows; i++)
        out[i] = rd && wr ? rd[i] + wr[i] : all[i];
    return true;
}

static bool lat(const struct el_deriving *d, double *out) {
    const double *rd = own(d, EL_C_lat_rd), *wr = own(d, EL_C_lat_wr);
    if (by_rates(rd, own(d, EL_C_reads), wr, own(d, EL_C_writes), d->rows, out))
        return true;
    if (!rd || !wr)
        return false;
    for (size_t i = 0; i < d->rows; i++) /* vSAN has no rates: the worse of the two */
        out[i] = rd[i] > wr[i] ? rd[i] : wr[i];
    return true;
}

/* Little's law: average outstanding = rate x latency. */
static bool little(const double *rate, const double *latency, size_t rows, double *out) {
    if (!rate || !latency)
        return false;
    for (size_t i = 0; i < rows; i++)
        out[i] = rate[i] > 0 ? rate[i] * latency[i] / 1000 : rate[i];
    return true;
}

static bool inflight(const struct el_deriving *d, double *out) {
    const double *rd = own(d, EL_C_reads), *wr = own(d, EL_C_writes);
    if (d->kind != EL_VM && d->kind != EL_VDISK)
        return little(own(d, EL_C_cmds), own(d, EL_C_davg), d->rows, out);
    if (!rd || !wr || !lat(d, out))
        return false;
    for (size_t i = 0; i < d->rows; i++)
        out[i] = rd[i] + wr[i] > 0 ? out[i] * (rd[i] + wr[i]) / 1000 : rd[i] + wr[i];
    return true;
}

static bool inkernel(const struct el_deriving *d, double *out) {
    return little(own(d, EL_C_cmds), own(d, EL_C_kavg), d->rows, out);
}

static bool kshare(const struct el_deriving *d, double *out) {
    const double *k = own(d, EL_C_kavg), *g = own(d, EL_C_gavg);
    if (!k || !g)
        return false;
    for (size_t i = 0; i < d->rows; i++)
        out[i] = ratio(k[i], g[i]);
    return true;
}

static bool vaai(const struct el_deriving *d, double *out) {
    static const enum el_counter parts[] = { EL_C_clone_rd, EL_C_clone_wr, EL_C_zero, EL_C_delete };
    bool any = false;
    memset(out, 0, d->rows * sizeof *out);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        const double *part = own(d, parts[k]);
        any |= part != NULL;
        for (size_t i = 0; part && i < d->rows; i++)
            out[i] += part[i];
    }
    return any;
}

static bool stalled(const struct el_deriving *d, double *out) {
    const double *rate = own(d, EL_C_cmds), *at_device = own(d, EL_C_actv);
    if (!rate || !at_device)
        return false;
    for (size_t i = 0; i < d->rows; i++)
        out[i] = el_missing(rate[i]) || el_missing(at_device[i]) ? EL_NAN
                                                                 : at_device[i] > 0 && rate[i] <= 0;
    return true;
}

/* GAVG = DAVG + KAVG: of the three, the one that the capture lacks follows from the others. */
static bool third_of_sum(const struct el_deriving *d, enum el_metric m, double *out) {
    const double *g = own(d, EL_C_gavg), *a = own(d, EL_C_davg), *k = own(d, EL_C_kavg),
                 *rate = own(d, EL_C_cmds);
    bool known =
        (m == EL_M_kavg && g && a) || (m == EL_M_davg && g && k) || (m == EL_M_gavg && a && k);
    for (size_t i = 0; known && i < d->rows; i++) {
        out[i] = m == EL_M_gavg ? a[i] + k[i] : g[i] - (m == EL_M_kavg ? a[i] : k[i]);
        if (rate && !(rate[i] > 0))
            out[i] = EL_NAN;
    }
    return known;
}

static bool waited(const struct el_deriving *d, const double *rate, const double *latency,
                   double *out) {
    for (size_t i = 0; rate && latency && i < d->rows; i++)
        out[i] = rate[i] > 0 && !el_missing(latency[i])
                     ? rate[i] * d->around->block->seconds[i] * latency[i] / 1000
                     : 0;
    return rate && latency;
}

/* Seconds that commands waited, by layer (design: attribution).  NFS has GAVG only, which esxtop cannot split. */
static bool wait_device(const struct el_deriving *d, double *out) {
    if (el_kind_is_virtual(d->kind))
        return el_around_wait_device(d, out);
    const double *rate = own(d, EL_C_cmds);
    const double *latency = own(d, d->kind == EL_NFS ? EL_C_gavg : EL_C_davg);
    double third[EL_BLOCK_ROWS];
    if (!latency && third_of_sum(d, EL_M_davg, third))
        latency = third;
    return waited(d, rate, latency, out);
}

static bool wait_vmkernel(const struct el_deriving *d, double *out) {
    if (el_kind_is_virtual(d->kind))
        return el_around_wait_vmkernel(d, out);
    const double *rate = own(d, EL_C_cmds), *latency = own(d, EL_C_kavg);
    double third[EL_BLOCK_ROWS];
    if (!latency && third_of_sum(d, EL_M_kavg, third))
        latency = third;
    return waited(d, rate, latency, out);
}

/* Counters and what only guests know have none. */
static bool (*const functions[EL_METRICS])(const struct el_deriving *, double *) = {
    [EL_M_commands] = commands,
    [EL_M_seconds] = seconds,
    [EL_M_other] = other,
    [EL_M_davg_oth] = davg_oth,
    [EL_M_kavg_oth] = kavg_oth,
    [EL_M_davg_rw] = davg_rw,
    [EL_M_kavg_rw] = kavg_rw,
    [EL_M_gavg_rw] = gavg_rw,
    [EL_M_io_kb] = io_kb,
    [EL_M_size_kb] = size_kb,
    [EL_M_ios] = ios,
    [EL_M_mb] = mb,
    [EL_M_lat] = lat,
    [EL_M_inflight] = inflight,
    [EL_M_inkernel] = inkernel,
    [EL_M_kshare] = kshare,
    [EL_M_vaai] = vaai,
    [EL_M_stalled] = stalled,
    [EL_M_worlds] = el_around_worlds,
    [EL_M_top_world] = el_around_top_world,
    [EL_M_lun_cmds] = el_around_lun_cmds,
    [EL_M_lun_davg] = el_around_lun_davg,
    [EL_M_lun_kavg] = el_around_lun_kavg,
    [EL_M_lun_qavg] = el_around_lun_qavg,
    [EL_M_lun_gavg] = el_around_lun_gavg,
    [EL_M_above] = el_around_above,
    [EL_M_lun_actv] = el_around_lun_actv,
    [EL_M_lun_qued] = el_around_lun_qued,
    [EL_M_lun_dqlen] = el_around_lun_dqlen,
    [EL_M_lun_lat] = el_around_lun_lat,
    [EL_M_ready] = el_around_ready,
    [EL_M_costop] = el_around_costop,
    [EL_M_mlmtd] = el_around_mlmtd,
    [EL_M_wait_device] = wait_device,
    [EL_M_wait_vmkernel] = wait_vmkernel,
    [EL_M_host_cpu] = el_around_host_cpu,
    [EL_M_peer_cmds] = el_peers_cmds,
    [EL_M_peer_davg] = el_peers_davg,
    [EL_M_peer_errors] = el_peers_errors,
    [EL_M_paths] = el_peers_paths,
    [EL_M_paths_used] = el_peers_paths_used,
    [EL_M_adapter_used] = el_peers_adapter_used,
    [EL_M_rest_gavg] = el_peers_rest_gavg,
    [EL_M_system_part] = el_peers_system_part,
    [EL_M_all_qavg] = el_peers_all_qavg,
    [EL_M_all_used] = el_peers_all_used,
    [EL_M_lun_zero] = el_peers_lun_zero,
    [EL_M_nfs_gavg] = el_peers_nfs_gavg,
    [EL_M_host_swap] = el_peers_host_swap,
    [EL_M_vcpus] = el_peers_vcpus,
};

/* The rate whose commands a latency belongs to; EL_COUNTERS for all other counters. */
static enum el_counter rate_of(enum el_metric m) {
    switch (el_metric_info(m)->weight) {
    case EL_WEIGHT_CMDS: return EL_C_cmds;
    case EL_WEIGHT_READS: return EL_C_reads;
    case EL_WEIGHT_WRITES: return EL_C_writes;
    case EL_WEIGHT_TIME:
    case EL_WEIGHT_IOS:
    case EL_WEIGHT_SUM: break;
    }
    return EL_COUNTERS;
}

/* A counter as it stands; latencies of rows without a command are taken out, in a copy. */
static const double *plain(const struct el_deriving *d, enum el_metric m, double *copy) {
    const double *value = own(d, (enum el_counter)m);
    enum el_counter sort = rate_of(m);
    const double *rate = sort == EL_COUNTERS || !value ? NULL : own(d, sort);
    if (!rate)
        return value;
    size_t i = 0;
    while (i < d->rows && rate[i] > 0)
        i++;
    if (i == d->rows)
        return value;
    for (i = 0; i < d->rows; i++)
        copy[i] = rate[i] > 0 ? value[i] : EL_NAN;
    return copy;
}

bool el_lat_of(const struct el_surroundings *s, uint32_t entity, double *out) {
    const struct el_deriving d = { s, entity, s->catalog->entity[entity].kind, s->block->rows,
                                   NULL };
    return lat(&d, out);
}

void el_derive(const struct el_surroundings *s, uint32_t entity, const bool *wanted,
               struct el_derived *scratch, struct el_samples *out) {
    const struct el_block *b = s->block;
    const struct el_deriving d = { s, entity, s->catalog->entity[entity].kind, b->rows, out };
    void *value = scratch->value;
    el_grow(&value, &scratch->room, EL_METRICS * b->stride, sizeof *scratch->value);
    scratch->value = value;
    *out = (struct el_samples){ .rows = b->rows, .from = b->from, .to = b->to };
    for (int m = 0; m < EL_METRICS; m++) {
        double *column = scratch->value + (size_t)m * b->stride;
        if (!wanted[m] || !(el_metric_info((enum el_metric)m)->kinds & EL_KIND_BIT(d.kind)))
            continue;
        if (m < (int)EL_RAW_METRICS)
            out->column[m] = plain(&d, (enum el_metric)m, column);
        if (!out->column[m] && m < (int)EL_RAW_METRICS &&
            third_of_sum(&d, (enum el_metric)m, column))
            out->column[m] = column;
        else if (functions[m] && functions[m](&d, column))
            out->column[m] = column;
    }
}
