/* metric.h - the table of metrics: one row feeds the rule language, JSON names, `esxlat rules
 * metrics`, the man page and "did you mean". */
#ifndef ESXLAT_METRICS_METRIC_H
#define ESXLAT_METRICS_METRIC_H

#include "esxlat/base/str.h"
#include "esxlat/capture/kind.h"

enum el_metric {
#define EL_METRIC(name, unit, weight, kinds, help) EL_M_##name,
#define EL_LAST_RAW(name)                          EL_RAW_METRICS_LAST = EL_M_##name,
#include "esxlat/metrics/metric.def"
#undef EL_METRIC
#undef EL_LAST_RAW
    EL_METRICS
};
#define EL_RAW_METRICS (EL_RAW_METRICS_LAST + 1) /* those below are counters of the capture */

enum el_unit {
    EL_UNIT_NONE,
    EL_UNIT_MS,
    EL_UNIT_RATE,
    EL_UNIT_MBS,
    EL_UNIT_KB,
    EL_UNIT_COUNT,
    EL_UNIT_PERCENT,
    EL_UNIT_RATIO,
    EL_UNIT_SECONDS
};
/* What an average over samples is weighted with; SUM: samples add up. */
enum el_weight {
    EL_WEIGHT_TIME,
    EL_WEIGHT_CMDS,
    EL_WEIGHT_READS,
    EL_WEIGHT_WRITES,
    EL_WEIGHT_IOS,
    EL_WEIGHT_SUM
};

struct el_metric_info {
    const char *name;
    enum el_unit unit;
    enum el_weight weight;
    unsigned kinds; /* EL_KIND_BIT of every kind that has it */
    const char *help;
};

const struct el_metric_info *el_metric_info(enum el_metric metric);
enum el_metric el_metric_find(struct el_str name); /* EL_METRICS if unknown */
/* Known only at the end: samples with what guests measured come after all others of their entity (judge.h). */
static inline bool el_metric_is_late(enum el_metric m) {
    return m == EL_M_guest_lat || m == EL_M_guest_queue;
}
const char *el_unit_name(enum el_unit unit); /* "ms", "1/s", "MB/s", "KB", "", "%", "", "s" */

#endif
