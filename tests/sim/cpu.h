/* cpu.h: the CPU columns of a host, made up to fit the story, not simulated. */
#ifndef SIM_CPU_H
#define SIM_CPU_H

#include "model.h"
#include "rng.h"

enum { CPU_COLUMNS = 11 }; /* % Used ... % Swap Wait, as in CPU_FIRST of tables.c */

struct cpu {
    struct rng rng;
    double used_pct[MAX_PCPUS + 1], util_pct[MAX_PCPUS + 1]; /* the last one is _Total */
    double groups[MAX_VMS][CPU_COLUMNS], vcpus[MAX_VMS][CPU_COLUMNS];
};

void cpu_init(struct cpu *c, uint64_t seed);
void cpu_sample(struct cpu *c, const struct host *h, double now_s);

#endif
