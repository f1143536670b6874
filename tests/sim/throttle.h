/* throttle.h: who else decides how deep a device queue may be. */
#ifndef SIM_THROTTLE_H
#define SIM_THROTTLE_H

#include "state.h"

void throttle_start(struct engine *e);

/* The depth for the next second; forgets what it counted in the last one. */
int throttle_depth(struct engine *e, int lun);

/* The array answered QUEUE FULL: after a number of them the depth is halved at once. */
void throttle_refused(struct engine *e, int lun);

/* A command came back well after "driver_s" in the device. */
void throttle_replied(struct engine *e, int lun, double driver_s);

#endif
