/* device.h: driver, fabric, array and media; everything in here is DAVG. */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include "state.h"

void device_start(struct engine *e, struct request *r);

/* The array's own limit lets it in. */
void device_inside(struct engine *e, struct request *r);

/* The backing is through with it; EVENT_DONE follows when the answer has travelled back. */
void device_served(struct engine *e, struct request *r);

/* Is there a slot left at the array's port? */
bool device_has_slot(const struct engine *e, int device);

/* Before anything else; schedules the first commands of other hosts. */
void device_begin(struct engine *e);

/* A thread of another host sends its next one. */
void device_other(struct engine *e, int foreign);

#endif
