/* trace.h - what went through a disk, interval by interval, in bounded memory.
 *
 * Counts and sums, no rates: so neighbours merge by adding, and a part of an interval is its share.  When a trace
 * holds `most` items, each two neighbours become one, and so do those that follow. */
#ifndef ESXLAT_GUEST_TRACE_H
#define ESXLAT_GUEST_TRACE_H

#include "esxlat/base/mem.h"

#include <stdbool.h>
#include <stdint.h>

#define EL_TRACE_MOST 65536 /* items at most: 36 hours of 2 s, 3.5 MiB */

struct el_flow {
    int64_t from, to;          /* ms since 1970, by the clock of whoever measured */
    double ios, reads, writes; /* commands; reads and writes NaN where not told apart */
    double timed, wait;        /* commands that have a latency; ms that those waited in all */
};

struct el_trace { /* zero-initialised is empty, with EL_TRACE_MOST */
    struct el_flow *item;
    size_t count, room;
    size_t most;            /* 0: EL_TRACE_MOST */
    size_t factor, in_last; /* flows an item holds; those in the last one so far */
};

/* Add what was measured later than all before; empty intervals are ignored. */
void el_trace_add(struct el_trace *t, const struct el_flow *flow);
/* In order of time, without those that overlap an earlier one. Needed once when flows came in another order. */
void el_trace_settle(struct el_trace *t);
/* A copy of at most `most` items. */
struct el_trace el_trace_coarser(const struct el_trace *t, size_t most);
/* The sum of several traces over those intervals of the longest that all of them cover. */
struct el_trace el_trace_sum(const struct el_trace *const *t, size_t count);
void el_trace_release(struct el_trace *t);

/* What went through from `from` to `to` (ms): the sum over items, each by the share that lies within.  Returns the ms that
 * items cover.  *at is where to look first: 0, then kept by calls with ascending `from`. */
double el_trace_between(const struct el_trace *t, double from, double to, size_t *at,
                        struct el_flow *sum);
/* Median length of the items in ms; 0 when empty. */
double el_trace_interval(const struct el_trace *t);
/* Commands per second while measured; 0 when empty. */
double el_trace_rate(const struct el_trace *t);

#endif
