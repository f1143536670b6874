/* scenario.h: the stories the simulator can tell; one row of a table each. */
#ifndef SIM_SCENARIO_H
#define SIM_SCENARIO_H

#include "build.h"
#include "model.h"
#include "rng.h"

struct scenario {
    const char *name;
    const char *roots; /* numbers of the root causes in the project's list; "-" for none */
    const char *help;
    void (*build)(struct host *h, struct rng *r, double duration_s);
    bool part; /* its trouble may last for a part of the time only */
};

/* All scenarios; the last one has no name. */
extern const struct scenario SCENARIOS[];

const struct scenario *scenario_find(const char *name);

/* scenario_device.c */
void scenario_slow_array(struct host *h, struct rng *r, double duration_s);
void scenario_slow_lun(struct host *h, struct rng *r, double duration_s);
void scenario_slow_window(struct host *h, struct rng *r, double duration_s);
void scenario_queue_full_slow(struct host *h, struct rng *r, double duration_s);
void scenario_nfs_slow(struct host *h, struct rng *r, double duration_s);
void scenario_noisy_neighbour(struct host *h, struct rng *r, double duration_s);
void scenario_few_slow(struct host *h, struct rng *r, double duration_s);
void scenario_write_cache_off(struct host *h, struct rng *r, double duration_s);
void scenario_aborts(struct host *h, struct rng *r, double duration_s);

/* scenario_kernel.c */
void scenario_queue_full(struct host *h, struct rng *r, double duration_s);
void scenario_iops_limit(struct host *h, struct rng *r, double duration_s);
void scenario_iops_limit_32k(struct host *h, struct rng *r, double duration_s);
void scenario_dsnro(struct host *h, struct rng *r, double duration_s);
void scenario_reservation_conflicts(struct host *h, struct rng *r, double duration_s);
void scenario_mixed(struct host *h, struct rng *r, double duration_s);
void scenario_throttle(struct host *h, struct rng *r, double duration_s);
void scenario_adapter_full(struct host *h, struct rng *r, double duration_s);
void scenario_kernel_cpu(struct host *h, struct rng *r, double duration_s);

/* scenario_fabric.c */
void scenario_sioc(struct host *h, struct rng *r, double duration_s);
void scenario_sioc_congested(struct host *h, struct rng *r, double duration_s);
void scenario_qfull(struct host *h, struct rng *r, double duration_s);
void scenario_slow_path(struct host *h, struct rng *r, double duration_s);
void scenario_path_loss(struct host *h, struct rng *r, double duration_s);
void scenario_path_flapping(struct host *h, struct rng *r, double duration_s);
void scenario_sp_overloaded(struct host *h, struct rng *r, double duration_s);
void scenario_iscsi_link(struct host *h, struct rng *r, double duration_s);
void scenario_delayed_ack(struct host *h, struct rng *r, double duration_s);
void scenario_slow_adapter(struct host *h, struct rng *r, double duration_s);
void scenario_apd(struct host *h, struct rng *r, double duration_s);

/* scenario_array.c */
void scenario_nfs_sync(struct host *h, struct rng *r, double duration_s);
void scenario_nfs_limit(struct host *h, struct rng *r, double duration_s);
void scenario_unmap_storm(struct host *h, struct rng *r, double duration_s);
void scenario_replication(struct host *h, struct rng *r, double duration_s);
void scenario_array_qos(struct host *h, struct rng *r, double duration_s);
void scenario_slow_flash(struct host *h, struct rng *r, double duration_s);
void scenario_vm_burst(struct host *h, struct rng *r, double duration_s);
void scenario_host_swap(struct host *h, struct rng *r, double duration_s);
void scenario_depth_one(struct host *h, struct rng *r, double duration_s);

/* scenario_above.c: in the format of virtual disks, and in guests */
void scenario_snapshots(struct host *h, struct rng *r, double duration_s);
void scenario_first_writes(struct host *h, struct rng *r, double duration_s);
void scenario_vm_ready(struct host *h, struct rng *r, double duration_s);
void scenario_vm_costop(struct host *h, struct rng *r, double duration_s);
void scenario_guest_queue_254(struct host *h, struct rng *r, double duration_s);

/* scenario_calm.c: nothing wrong below the guest */
void scenario_healthy(struct host *h, struct rng *r, double duration_s);
void scenario_healthy_flash(struct host *h, struct rng *r, double duration_s);
void scenario_nfs_healthy(struct host *h, struct rng *r, double duration_s);
void scenario_idle(struct host *h, struct rng *r, double duration_s);
void scenario_cdrom_poll(struct host *h, struct rng *r, double duration_s);
void scenario_vaai_clone(struct host *h, struct rng *r, double duration_s);
void scenario_guest_queue(struct host *h, struct rng *r, double duration_s);
void scenario_guest_serial(struct host *h, struct rng *r, double duration_s);
void scenario_guest_bursts(struct host *h, struct rng *r, double duration_s);
void scenario_many_disks(struct host *h, struct rng *r, double duration_s);
void scenario_large_blocks(struct host *h, struct rng *r, double duration_s);
void scenario_single_outlier(struct host *h, struct rng *r, double duration_s);
void scenario_vaai_zero(struct host *h, struct rng *r, double duration_s);
void scenario_boot_usb(struct host *h, struct rng *r, double duration_s);

#endif
