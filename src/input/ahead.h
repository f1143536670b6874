/* ahead.h - inside input/: a thread that fills slabs ahead of who takes their lines, where reading takes time of its own
 * (decompression, a pipe).  Several slabs are kept ready: lines are worked on in bursts, and the thread shall not wait
 * for the end of one. */
#ifndef EL_INPUT_AHEAD_H
#define EL_INPUT_AHEAD_H

#include "slab.h"

struct el_ahead;
enum el_ahead_result { EL_AHEAD_READ, EL_AHEAD_END, EL_AHEAD_FAILED };

/* Go on behind what is left in `here`, in which no line ends and which is taken away; each slab gains `stretch` bytes.
 * Until the thread is stopped `filler` is its own.  NULL: no thread can be started, and nothing was done. */
struct el_ahead *el_ahead_start(struct el_filler *filler, size_t stretch, char line_end,
                                struct el_slab *here);
void el_ahead_stop(struct el_ahead *a); /* NULL: nothing */
/* The next slab, for `here`, which is used up: whole lines, their ends looked for, but for the last of all, behind whose
 * lines may be the beginning of one.  *err where reading failed. */
enum el_ahead_result el_ahead_next(struct el_ahead *a, struct el_slab *here, struct el_error *err);

#endif
