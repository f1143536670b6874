/* samples.h - what rules see of an entity: metric columns over consecutive samples.
 *
 * The arrays are borrowed for one call.  A sample of an entity with few commands may be several
 * rows of the capture pooled together, until 20 commands are seen (diagnosis.md 2.3): rates and
 * gauges are then averages over time, latencies are weighted by their commands, counts are sums. */
#ifndef ESXLAT_METRICS_SAMPLES_H
#define ESXLAT_METRICS_SAMPLES_H

#include "esxlat/metrics/metric.h"

struct el_samples {
    size_t rows;
    const double
        *column[EL_METRICS]; /* rows values, NaN = missing; NULL: the entity lacks the metric */
    const int64_t *from;     /* ms since 1970: end of the row before the sample */
    const int64_t *to;       /* ms since 1970: end of the sample */
};

#endif
