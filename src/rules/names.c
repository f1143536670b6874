/* Words of the rule files and the report. */
#include "esxlat/rules/rules.h"

#include <assert.h>

static const char *const profile_names[] = { "hdd", "flash", "nvme", "nfs", "vsan", "auto" };
_Static_assert(sizeof profile_names / sizeof *profile_names == EL_PROFILES + 1,
               "one name for each profile, and auto");

static const char *const layer_names[] = {
    "device", "vmkernel", "guest", "mixed", "none", "unknown"
};
_Static_assert(sizeof layer_names / sizeof *layer_names == EL_LAYERS, "one name for each layer");

const char *el_profile_name(enum el_profile p) {
    assert(p <= EL_AUTO);
    return profile_names[p];
}

bool el_profile_find(struct el_str word, enum el_profile *out) {
    for (int p = 0; p <= EL_AUTO; p++) {
        if (!el_str_is(word, profile_names[p]))
            continue;
        *out = (enum el_profile)p;
        return true;
    }
    return false;
}

const char *el_layer_name(enum el_layer layer) {
    assert(layer < EL_LAYERS);
    return layer_names[layer];
}

const char *el_severity_name(enum el_severity s) {
    static const char *const names[] = { "info", "warning", "critical" };
    return names[s];
}

const char *el_confidence_name(enum el_confidence c) {
    static const char *const names[] = { "low", "medium", "high" };
    return names[c];
}
