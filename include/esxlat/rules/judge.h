/* judge.h - rules against samples.
 *
 *   new -> samples (many times, per entity in order of time) -> finish
 *
 * `when` conditions are evaluated column-wise on blocks of samples.  Evaluation cannot fail,
 * allocate (beyond an entity's own state, once) or loop without bound.  Memory: bounded by entities
 * x rules.
 *
 * A run of hit samples is broken by a sample that does not hit, by a gap longer than the next
 * sample, and by time that goes back.
 *
 * Which profile's thresholds fit an entity may be known only at the end (`auto` looks at the
 * device's own floor); until then every profile that could fit is judged side by side. */
#ifndef ESXLAT_RULES_JUDGE_H
#define ESXLAT_RULES_JUDGE_H

#include "esxlat/metrics/samples.h"
#include "esxlat/rules/rules.h"

struct el_judge;

/* `rules` is borrowed, compiled, and must outlive the judge. */
struct el_judge *el_judge_new(const struct el_ruleset *rules);
void el_judge_free(struct el_judge *j);
/* Make room for entities 0 .. count-1; call before their samples come; not from two threads. */
void el_judge_reserve(struct el_judge *j, size_t count);
/* Next samples of an entity; those that have guest_lat come after all others, and go to the rules whose `when` asks for
 * what guests measured, and to no others.  Calls for different entities may run at the same time on different
 * threads. `profiles`: bit set (1 << el_profile) of the profiles that may fit; the same in every
 * call for an entity.  What is remembered of it lies in `memory`, which outlives the judge. */
void el_judge_samples(struct el_judge *j, struct el_arena *memory, uint32_t entity,
                      enum el_kind kind, struct el_str name, unsigned profiles,
                      const struct el_samples *s);

/* What another judge of the same rules remembers of its entity `from` takes the place of what this one
 * remembers of `entity`; nothing changes if that never had samples.  Not at the same time as anything else. */
void el_judge_adopt(struct el_judge *j, uint32_t entity, struct el_judge *other, uint32_t from);

/* What the judge asks about entities when it finishes; tests make these up. */
struct el_judge_facts {
    size_t entities;
    enum el_kind (*kind)(const void *ctx, uint32_t entity);
    /* The one that fits, never EL_AUTO. */
    enum el_profile (*profile)(const void *ctx, uint32_t entity);
    /* Commands over the capture. */
    double (*commands)(const void *ctx, uint32_t entity);
    /* host, adapter, array, lun, vm -> its members. */
    bool (*related)(const void *ctx, uint32_t group, uint32_t member);
    /* Entities, also of other kinds, among which all of this kind are that are related to this one; *count of them. */
    const uint32_t *(*among)(const void *ctx, uint32_t entity, enum el_kind kind, size_t *count);
    /* Name for a text: what = "name" "lun" "adapter" "vm" "vendor", or "why": why
     * the profile is this one; empty if there is none.  Group
     * entities (arrays, hosts) that never had samples are asked about as well. */
    struct el_str (*label)(const void *ctx, uint32_t entity, const char *what);
    const void *ctx;
};

#define EL_WINDOWS 16
struct el_window {
    int64_t from, to; /* ms: start of the first and end of the last hit sample */
    uint64_t samples;
    double commands;                   /* in the hit samples */
    double wait_device, wait_vmkernel; /* s that they waited (metrics of these names) */
    double peak;                       /* ms a command: the worst hit sample; 0 without commands */
    int64_t peak_at;                   /* its end; EL_NO_TIME without commands */
    double held_ms; /* of from..to what hit samples cover: less where windows were merged */
};

/* What a confidence is computed from: a point each for 12 samples (half for 3), 1000 commands (half for 100), a worst
 * sample at twice the limit (half at 1.25 times), and the part of the rule's `confirm` lines that hold (half when it has
 * none; what is not known gives half).  high: 2.5 points and all of `confirm` hold; low: under 1 point, or under
 * 100 commands; else medium.  Without `when`: high if all of `confirm` hold, else medium. */
struct el_basis {
    uint64_t samples;
    double commands;        /* NaN: the entity does not count them */
    unsigned agreed, asked; /* `confirm` lines that hold, and all */
    double margin;          /* times the limit, in the worst sample; NaN: not told */
};
/* "24 samples, 12300 commands, 1 of 2 confirmations hold, at its worst 3.1 times its limit" */
void el_confidence_text(const struct el_basis *basis, struct el_buf *out);

/* A rule that fired on an entity.  Texts live in the arena given to el_judge_finish; names in them
 * are as in the capture (foreign bytes): every renderer escapes. */
struct el_hit {
    const struct el_rule *rule;
    uint32_t entity;
    enum el_profile profile;
    enum el_confidence confidence;
    struct el_basis basis;
    uint64_t samples; /* hit samples in runs that were long enough */
    double commands;  /* in them; 0 for rules without `when` */
    /* In order of time; when there are more, the nearest are merged.  A rule without `when` has
     * one, the span of the hits it counted, or none. */
    struct el_window window[EL_WINDOWS];
    size_t windows;
    const char *title, *because;
    struct el_texts check, act, also, see; /* act: the rule's `do` and the vendor's advice */
    uint32_t folded_into; /* index of the hit that overrides this one, or UINT32_MAX */
};
struct el_hits {
    struct el_hit *item; /* in the arena; ordered by rule (file order), then entity */
    size_t count;
};
/* The end: no samples after it.  Not at the same time as anything else. */
void el_judge_finish(struct el_judge *j, const struct el_judge_facts *facts, struct el_arena *arena,
                     struct el_hits *out);

/* `report --why`: every rule considered for an entity, with its numbers and which condition failed.
 * After el_judge_finish, since hits() asks what fired. */
void el_judge_why(const struct el_judge *j, const struct el_judge_facts *facts, uint32_t entity,
                  struct el_buf *out);

#endif
