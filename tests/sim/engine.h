/*
 * engine.h: runs a host through time.
 *
 *   engine_new, then engine_run(until), engine_sample again and again, engine_free.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include <stdint.h>

#include "books.h"
#include "model.h"

struct engine;

/* Starts some seconds before time 0, so that queues have settled when the capture begins. */
struct engine *engine_new(const struct host *h, uint64_t seed);
void engine_free(struct engine *e);

void engine_run(struct engine *e, double until_s);

/* Forgets what was counted so far: the baseline row. */
void engine_baseline(struct engine *e);

/* Closes an interval of "seconds": fills all cells of the books. */
void engine_sample(struct engine *e, double seconds);

/* What the guest has counted on each disk until now. */
void engine_guests(const struct engine *e, struct guest_counts out[MAX_DISKS]);

const struct books *engine_books(const struct engine *e);

#endif
