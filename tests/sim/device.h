/* device.h: driver, fabric, array and media; everything in here is DAVG. */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include "state.h"

void device_start(struct engine *e, struct request *r);

/* The backing is through with it; EVENT_DONE follows when the answer has travelled back. */
void device_served(struct engine *e, struct request *r);

#endif
