/* align.h - how far a guest's clock is from the host's, from what both measured.
 *
 * Both see the same commands, so their series agree where the clocks do.  For each offset three series of the one
 * with longer intervals are correlated with those of the other over the very same intervals, shifted (parts of intervals
 * by their share): square roots of the rates of reads and of writes (the noise of a root is the same at any rate: M. S. Bartlett,
 * "The square root transformation in analysis of variance", 1936, so single bursts do not outvote all else) and
 * logarithms of the latency, which counts from the guest's queue on but rises and falls with LAT.
 *
 * How much n intervals tell at correlations r is the likelihood ratio of two normal series, -n/2 sum(log(1 - r^2)); the
 * score is the root of twice that, which for one series is about r sqrt(n): in units of what chance gives. */
#ifndef ESXLAT_GUEST_ALIGN_H
#define ESXLAT_GUEST_ALIGN_H

#include "esxlat/guest/trace.h"

enum el_sureness { EL_SURE_NOT, EL_SURE_MEDIUM, EL_SURE_HIGH };

struct el_alignment {
    enum el_sureness sure; /* NOT: no clear peak */
    double offset;         /* ms that the guest's clock is ahead */
    double score;          /* there */
    double gap; /* to the best offset elsewhere, in the same measure; infinite without a rival */
    size_t samples; /* intervals that both cover there; if it is not clear where, at most */
};

/* Offsets from `least` to `most` (ms) are tried. */
struct el_alignment el_align(const struct el_trace *guest, const struct el_trace *host,
                             double least, double most);

#endif
