/* derive.h - the latency model: metrics of an entity from the counters of a block.
 *
 * Latencies of samples without a command of their sort are missing: esxtop prints 0.00 for "no data".
 * Formulas are those of metric.def; sources: Interpreting esxtop Statistics (GAVG = DAVG + KAVG), Little's law. */
#ifndef ESXLAT_METRICS_DERIVE_H
#define ESXLAT_METRICS_DERIVE_H

#include "esxlat/capture/links.h"
#include "esxlat/metrics/block.h"
#include "esxlat/metrics/samples.h"

/* What stands around an entity. All borrowed. */
struct el_surroundings {
    const struct el_catalog *catalog;
    const struct el_links *links;
    const struct el_block *block; /* of the run catalog->run */
    uint32_t lun; /* vdisk: the LUN it is taken to lie on, so that only its VM's worlds there count;
                     EL_NOTHING: all worlds of its VM */
};

/* Scratch for one thread; zero-initialised is empty. */
struct el_derived {
    double *value; /* EL_METRICS columns of `stride` rows */
    size_t room;
};
void el_derived_release(struct el_derived *d);

/* The metrics in `wanted` (EL_METRICS flags) of an entity over the rows of the block.  Columns point into the
 * block or into `d`, until either is used again. */
void el_derive(const struct el_surroundings *s, uint32_t entity, const bool *wanted,
               struct el_derived *d, struct el_samples *out);

#endif
