#include "esxlat/metrics/metric.h"

#include "esxlat/capture/counter.h"

/* Shorthands of metric.def. */
#define MS      EL_UNIT_MS
#define RATE    EL_UNIT_RATE
#define MBS     EL_UNIT_MBS
#define KB      EL_UNIT_KB
#define COUNT   EL_UNIT_COUNT
#define PERCENT EL_UNIT_PERCENT
#define RATIO   EL_UNIT_RATIO
#define SECONDS EL_UNIT_SECONDS
#define HOST    EL_KIND_BIT(EL_HOST)
#define ADAPTER EL_KIND_BIT(EL_ADAPTER)
#define PATH    EL_KIND_BIT(EL_PATH)
#define LUN     EL_KIND_BIT(EL_LUN)
#define WORLD   EL_KIND_BIT(EL_WORLD)
#define NFS     EL_KIND_BIT(EL_NFS)
#define VM      EL_KIND_BIT(EL_VM)
#define VSAN    EL_KIND_BIT(EL_VSAN)
#define QUEUE   (LUN | WORLD)
#define VIRT    (VM | EL_KIND_BIT(EL_VDISK))
#define PHYS    (ADAPTER | PATH | LUN | WORLD | EL_KIND_BIT(EL_PARTITION))
#define ANY     (EL_KIND_BIT(EL_KINDS) - 1u)
#define EL_LAST_RAW(name)
#define EL_METRIC(name, unit, weight, kinds, help) { #name, unit, EL_WEIGHT_##weight, kinds, help },

static const struct el_metric_info table[] = {
#include "esxlat/metrics/metric.def"
};
_Static_assert(sizeof table / sizeof *table == EL_METRICS, "one row for each metric");

/* The first metrics are the counters, in their order. */
#define EL_COUNTER(name, class, spelling)                                                          \
    _Static_assert((int)EL_C_##name == (int)EL_M_##name,                                           \
                   "counter.def and metric.def agree on " #name);
#define EL_ALSO(name, class, spelling)
#include "esxlat/capture/counter.def"
_Static_assert((int)EL_COUNTERS == (int)EL_RAW_METRICS,
               "counter.def is the first part of metric.def");

const struct el_metric_info *el_metric_info(enum el_metric metric) {
    return &table[metric];
}

/* Asked for thousands of names while rules are read: most differ in length already. */
enum el_metric el_metric_find(struct el_str name) {
#undef EL_METRIC
#define EL_METRIC(name, unit, weight, kinds, help) sizeof #name - 1,
    static const size_t length[] = {
#include "esxlat/metrics/metric.def"
    };
    for (int i = 0; i < EL_METRICS; i++)
        if (length[i] == name.len && el_str_is(name, table[i].name))
            return (enum el_metric)i;
    return EL_METRICS;
}

const char *el_unit_name(enum el_unit unit) {
    static const char *const names[] = { "", "ms", "1/s", "MB/s", "KB", "", "%", "", "s" };
    return names[unit];
}
