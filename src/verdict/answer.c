#include "esxlat/verdict/answer.h"

#include <assert.h>
#include <string.h>

static const char *const latency_names[] = { "davg",    "davg_rd", "davg_wr", "kavg",    "kavg_rd",
                                             "kavg_wr", "qavg",    "qavg_rd", "qavg_wr", "gavg",
                                             "gavg_rd", "gavg_wr", "lat",     "lat_rd",  "lat_wr" };
_Static_assert(sizeof latency_names / sizeof *latency_names == EL_LATENCIES,
               "one name for each latency");

static const char *const link_names[] = { "none", "exact", "matched", "unknown" };

const char *el_latency_name(enum el_latency l) {
    assert(l < EL_LATENCIES);
    return latency_names[l];
}

const char *el_link_name(enum el_link link) {
    assert(link <= EL_LINK_UNKNOWN);
    return link_names[link];
}

void el_report_release(struct el_report *r) {
    struct el_arena arena = r->arena;
    *r = (struct el_report){ 0 };
    el_arena_release(&arena);
}

const struct el_finding *el_report_cause(const struct el_report *r) {
    for (size_t i = 0; r->verdict.cause && i < r->findings; i++)
        if (strcmp(r->finding[i].rule, r->verdict.cause) == 0)
            return &r->finding[i];
    return NULL;
}

const struct el_finding *el_report_leader(const struct el_report *r, enum el_layer layer) {
    for (size_t i = 0; i < r->findings; i++) {
        const struct el_finding *f = &r->finding[i];
        if (f->root && f->layer == layer && f->severity >= EL_WARNING)
            return f;
    }
    return NULL;
}
