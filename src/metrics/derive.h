/* derive.h - inside metrics/: what derive.c, around.c and peers.c share. */
#ifndef EL_METRICS_DERIVE_H
#define EL_METRICS_DERIVE_H

#include "esxlat/metrics/derive.h"

struct el_deriving {
    const struct el_surroundings *around;
    uint32_t entity;
    enum el_kind kind;
    size_t rows;
    const struct el_samples
        *before; /* metrics of the entity that were derived before, in the order of metric.def */
};

/* Values of a counter of any entity in the block, NULL if the run lacks it. */
const double *el_raw(const struct el_deriving *d, uint32_t entity, enum el_counter counter);
/* LAT of a virtual disk or VM. */
bool el_lat_of(const struct el_surroundings *s, uint32_t entity, double *out);

/* The members of `entity` that are of a kind, one after the other: start with *at = 0; EL_NOTHING after the last. */
uint32_t el_around_next(const struct el_deriving *d, uint32_t entity, enum el_kind kind,
                        size_t *at);
/* The worlds of a VM, of the VM of a virtual disk (only those on the LUN that it is taken to lie on): start with *at = 0;
 * EL_NOTHING at the end. */
uint32_t el_around_next_world(const struct el_deriving *d, size_t *at);

/* Metrics from what hangs together with an entity: false when the capture cannot tell. */
bool el_around_worlds(const struct el_deriving *d, double *out);
bool el_around_top_world(const struct el_deriving *d, double *out);
bool el_around_lun_cmds(const struct el_deriving *d, double *out);
bool el_around_lun_davg(const struct el_deriving *d, double *out);
bool el_around_lun_kavg(const struct el_deriving *d, double *out);
bool el_around_lun_qavg(const struct el_deriving *d, double *out);
bool el_around_lun_gavg(const struct el_deriving *d, double *out);
bool el_around_above(const struct el_deriving *d, double *out);
bool el_around_lun_actv(const struct el_deriving *d, double *out);
bool el_around_lun_qued(const struct el_deriving *d, double *out);
bool el_around_lun_dqlen(const struct el_deriving *d, double *out);
bool el_around_lun_lat(const struct el_deriving *d, double *out);
bool el_around_ready(const struct el_deriving *d, double *out);
bool el_around_costop(const struct el_deriving *d, double *out);
bool el_around_mlmtd(const struct el_deriving *d, double *out);
/* Seconds that the commands of a virtual disk or VM waited for the device, and above it.  Where no LUN carries them, what
 * LAT has above the slowest NFS datastore of the host is the VMkernel's; without one (vSAN) LAT cannot be split and is
 * the device's. */
bool el_around_wait_device(const struct el_deriving *d, double *out);
bool el_around_wait_vmkernel(const struct el_deriving *d, double *out);
bool el_around_host_cpu(const struct el_deriving *d, double *out);

/* Metrics from what stands beside an entity (peers.c); likewise. */
bool el_peers_cmds(const struct el_deriving *d, double *out);
bool el_peers_davg(const struct el_deriving *d, double *out);
bool el_peers_errors(const struct el_deriving *d, double *out);
bool el_peers_paths(const struct el_deriving *d, double *out);
bool el_peers_paths_used(const struct el_deriving *d, double *out);
bool el_peers_adapter_used(const struct el_deriving *d, double *out);
bool el_peers_rest_gavg(const struct el_deriving *d, double *out);
bool el_peers_system_part(const struct el_deriving *d, double *out);
bool el_peers_all_qavg(const struct el_deriving *d, double *out);
bool el_peers_all_used(const struct el_deriving *d, double *out);
bool el_peers_lun_zero(const struct el_deriving *d, double *out);
/* A latency of the NFS datastore of the host that is slowest in it, of those with commands of that sort. */
bool el_peers_volume(const struct el_deriving *d, enum el_counter value, enum el_counter sort,
                     double *out);
bool el_peers_nfs_gavg(const struct el_deriving *d, double *out);
bool el_peers_host_swap(const struct el_deriving *d, double *out);
bool el_peers_vcpus(const struct el_deriving *d, double *out);

#endif
