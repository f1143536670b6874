/* crew.h - a crew of threads that shares out the items of a loop. */
#ifndef ESXLAT_BASE_CREW_H
#define ESXLAT_BASE_CREW_H

#include <stdbool.h>
#include <stddef.h>

struct el_crew;

/* `threads` in all, the caller's included; 0: one for each processor that is online.  Where a thread
 * cannot be started the crew is smaller. */
struct el_crew *el_crew_new(unsigned threads);
void el_crew_free(struct el_crew *c);
unsigned el_crew_size(const struct el_crew *c);

/* In a hurry its members look out for the next call of el_crew_run for a while before they go to sleep: calls follow
 * each other within microseconds, and waking takes longer.  Not so at first, never with more threads than
 * processors, and not to be where another thread needs them. */
void el_crew_hurry(struct el_crew *c, bool hurry);

/* Call work(ctx, item, member) for every item 0 .. items-1, each once, in any order and on any member (0 ..
 * size-1; the caller is 0); returns when all are done.  Not from two threads, not from inside `work`. */
void el_crew_run(struct el_crew *c, size_t items,
                 void (*work)(void *ctx, size_t item, unsigned member), void *ctx);

#endif
