/* task.h - a call that goes on beside its caller, and whose outcome is fetched later. */
#ifndef ESXLAT_BASE_TASK_H
#define ESXLAT_BASE_TASK_H

#include <stdbool.h>

#include "esxlat/base/error.h"

struct el_task;

/* Begins run(ctx, &err), which is false with `err` set if it fails: on a thread of its own if `beside`, where one can be
 * started; else it is done when this returns.  What `ctx` leads to is the task's until el_task_wait has returned. */
struct el_task *el_task_start(bool (*run)(void *ctx, struct el_error *err), void *ctx, bool beside);
/* Waits for its end and tells the outcome, each time the same; `err` is set only if it is false.  From one thread.
 * NULL: nothing to wait for, true. */
bool el_task_wait(struct el_task *t, struct el_error *err);
/* Waits likewise. */
void el_task_free(struct el_task *t);

#endif
