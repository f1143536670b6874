/* verdict.h - inside verdict/: the work in progress that its files share. */
#ifndef EL_VERDICT_VERDICT_H
#define EL_VERDICT_VERDICT_H

#include "esxlat/verdict/verdict.h"
#include "index.h"

/* The smaller of two layers counts from this share of the waiting time on. */
#define EL_MIXED_SHARE 0.25

struct el_work {
    const struct el_evidence *e;
    struct el_report *out;
    struct el_hits hits;
    struct el_index index;
    enum el_profile *profile;            /* [entity] whose thresholds fit */
    enum el_layer *layer;                /* [entity] */
    uint32_t *row;                       /* [entity] -> index in out->entity, or EL_NO_ENTITY */
    double *wait_device, *wait_vmkernel; /* [entity], s; what the entity's commands waited */
    double *bad_device, *bad_vmkernel; /* [entity], s; the part of it in trouble: in hit samples */
    double *bad_commands;              /* [entity] in them */
    double *wait_guest;                /* [entity], s in the guest; NaN: not measured */
    double *bad_guest;                 /* [entity], s; the part of it in trouble */
    size_t *finding_of;                /* [hit] -> index in out->finding */
    bool *dropped;                     /* [hit] does not count: its entity's LUNs tell it better */
    bool *consequence;                 /* [hit] another finding explains it */
};

void el_find_profiles(const struct el_work *w, enum el_profile *out); /* needs the index of LUNs */
void el_facts_of(const struct el_work *w, struct el_judge_facts *out);

void el_measure_guests(struct el_work *w);        /* wait_guest */
void el_measure_guest_trouble(struct el_work *w); /* bad_guest, when it is known which hits count */
/* Seconds that commands of measured disks in trouble waited in their guests from `from` to `to`; NaN if there are none. */
double el_guest_wait(const struct el_work *w, int64_t from, int64_t to);
void el_fill_guests(struct el_work *w);
void el_fill_entities(struct el_work *w);
void el_attribute(
    struct el_work *w); /* layers of entities, consequences, the verdict's layer and shares */
void el_fill_findings(struct el_work *w);
void el_find_episodes(struct el_work *w); /* from the findings */

/* The hit that a hit was folded into in the end; itself if it was not. */
uint32_t el_root_of(const struct el_work *w, uint32_t hit);
/* Host, array or adapter. */
bool el_is_group(enum el_kind kind);
/* Those whose I/O waited on an entity within these windows (none: all the time), largest first; in the report's arena. */
const struct el_who *el_who_of(const struct el_work *w, uint32_t entity,
                               const struct el_window *window, size_t windows, size_t *count);
void el_give_reasons(struct el_work *w, const struct el_judge_facts *facts);
void el_say(struct el_work *w); /* summary, what was healthy, what could not be shown */

#endif
