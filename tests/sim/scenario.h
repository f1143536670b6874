/* scenario.h: the stories the simulator can tell; one row of a table each. */
#ifndef SIM_SCENARIO_H
#define SIM_SCENARIO_H

#include "build.h"
#include "model.h"
#include "rng.h"

struct scenario {
    const char *name, *help;
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

#endif
