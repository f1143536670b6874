/* guest.h: workloads, the queue inside the guest, and the host's own traffic. */
#ifndef SIM_GUEST_H
#define SIM_GUEST_H

#include "state.h"

/* Schedules the first event of every load and of the host's traffic. */
void guest_start(struct engine *e);

void guest_arrive(struct engine *e, int load);
void guest_issue(struct engine *e, int load);
void guest_traffic(struct engine *e, int traffic);

/* How long until the guest notices that a command is back. */
void guest_late(struct engine *e, struct request *r);

/* A command is back: its slot goes to the next one, its thread thinks. Frees the request. */
void guest_complete(struct engine *e, struct request *r);

#endif
