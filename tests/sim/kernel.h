/* kernel.h: the VMkernel from vSCSI layer to driver: IOPS limits, world queues, queue depths. */
#ifndef SIM_KERNEL_H
#define SIM_KERNEL_H

#include "state.h"

void kernel_start(struct engine *e);
void kernel_enter(struct engine *e, struct request *r); /* KAVG counts from here */
void kernel_queue(struct engine *e, struct request *r);
void kernel_done(struct engine *e, struct request *r);   /* books it, sends what waited; r stays */
void kernel_failed(struct engine *e, struct request *r); /* lost with its path: sent again */
void kernel_tick(struct engine *e);                      /* queue depths of the next second */

#endif
