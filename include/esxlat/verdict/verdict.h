/* verdict.h - from figures and hits to the answer: layers, findings, verdict.
 *
 * Attribution (design: waiting time of commands splits into layers):
 *   device    commands x DAVG; for NFS commands x GAVG, which esxtop cannot split
 *   vmkernel  commands x KAVG; for a virtual disk also what LAT has above the LUN's GAVG
 *   guest     waiting above the vSCSI layer, which a host cannot measure: inferred by rules, or for the disks that a guest
 *             measured (guest/join.h) commands x (latency in the guest - LAT), over the time that both cover
 * An entity's layer is that of the rules that fired on it and were not folded into another: so a queue that is
 * full because the device is slow is the device's.  When rules of two layers fired, the smaller one counts if it
 * holds MIXED_SHARE of the entity's waiting time, or if it is the device and bad by its own limit.  The verdict weighs
 * the layers of the entities by their waiting time in the same way. */
#ifndef ESXLAT_VERDICT_VERDICT_H
#define ESXLAT_VERDICT_VERDICT_H

#include "esxlat/capture/links.h"
#include "esxlat/guest/join.h"
#include "esxlat/rules/judge.h"
#include "esxlat/stats/entity.h"
#include "esxlat/stats/series.h"
#include "esxlat/stats/waits.h"
#include "esxlat/verdict/answer.h"

/* All that was measured; borrowed. Arrays have an element for each entity of the catalogue. */
struct el_evidence {
    const struct el_catalog *catalog;
    const struct el_links *links;
    const struct el_entity_stats *stats;
    const struct el_track_series *series; /* NULL: none kept */
    const struct el_waits *waits;
    struct el_axis axis;
    const struct el_ruleset *rules;
    struct el_judge *judge;
    const struct el_join *guest; /* what guests measured */
    size_t guests;
    /* EL_AUTO: by the device's own floor: a 10 % quantile below 1 ms means flash or cache (diagnosis.md 3), unless
     * kind, vendor or name settle it; the only LUN of its array without such a floor is taken for flash too. */
    enum el_profile profile;
    bool why;              /* fill `why` of the report: */
    const uint32_t *asked; /* for these entities; if there are none, for those that findings name */
    size_t asked_count;
};

/* Bit set (1 << profile) of those that may turn out to fit, known when the entity is first met. */
unsigned el_profiles_possible(const struct el_catalog *c, const struct el_links *links,
                              const struct el_ruleset *rules, enum el_profile asked,
                              uint32_t entity);
/* Name of the array that a LUN belongs to, by NAA prefix; {NULL, 0} for local and unknown devices. */
struct el_str el_array_of(const struct el_ruleset *rules, struct el_str lun,
                          struct el_buf *scratch);

/* Fill entities, findings and verdict of `out`, whose captures are filled already; texts go to out->arena. */
void el_verdict_make(const struct el_evidence *e, struct el_report *out);

#endif
