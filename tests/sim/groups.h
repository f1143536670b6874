/* groups.h: the CPU and memory columns of VMs, services and the VMkernel's own worlds. */
#ifndef SIM_GROUPS_H
#define SIM_GROUPS_H

#include "sketch.h"

/* "filler" worlds are spread over the VMkernel's groups, as on a host with many devices and VMs. */
void groups_lay(struct sketch *s, const struct cpu *cpu, long filler);

#endif
