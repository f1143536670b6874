/* steady.h - joining without clocks, where it does not matter which moments are compared. */
#ifndef EL_GUEST_STEADY_H
#define EL_GUEST_STEADY_H

#include "esxlat/guest/trace.h"

/* Are rate and latency about the same all the time: at least 8 intervals, standard deviations of at most a fifth? */
bool el_is_steady(const struct el_trace *t);
/* How far the mean rates of two steady traces are apart, as a part of what is allowed (a tenth); infinite when one is not
 * steady. */
double el_steady_misfit(const struct el_trace *guest, const struct el_trace *host);
/* Everything in a trace. */
struct el_flow el_trace_total(const struct el_trace *t);

#endif
