/* state.h - what a judge remembers: of each entity, of each rule on it, of each lane of profiles.
 *
 * judge.c takes samples in, ask.c computes conditions and figures from the state, finish.c makes
 * hits of it, why.c tells about it. */
#ifndef RULES_STATE_H
#define RULES_STATE_H

#include <pthread.h>

#include "esxlat/rules/judge.h"

#include "ruleset.h"

/* Confidence: each of samples, commands and margin gives a point, half of one or none; of the confirmations the part
 * that holds.  A latency of few commands is no evidence whatever its size (diagnosis.md 2.3), and two
 * independent counters must agree for high (diagnosis.md 6). */
#define EL_ENOUGH_COMMANDS 100.0 /* fewer in the hit samples: confidence is low */
#define EL_MANY_COMMANDS   1000.0
#define EL_SOME_SAMPLES    3
#define EL_MANY_SAMPLES    12
#define EL_CLEAR_MARGIN    1.25
#define EL_WIDE_MARGIN     2.0
#define EL_LOW_BELOW       1.0
#define EL_HIGH_FROM       2.5
#define EL_MEMBER_COMMANDS 20.0 /* fewer over the capture: members() does not count it */

/* A rule on an entity under the thresholds of one lane; made when the first sample hits. */
struct el_track {
    uint64_t held;        /* samples in which `when` held */
    uint64_t longest;     /* run, samples */
    uint64_t samples;     /* in runs that were long enough */
    double commands;      /* in them */
    bool counts_commands; /* the entity has them */
    double worst;         /* ms a command, of the sample whose margin was taken */
    double margin;        /* el_margin of that sample; NaN: none */
    struct el_window run; /* hit samples in a row; samples is 0 when none is open */
    struct el_window window[EL_WINDOWS + 1]; /* one more while two are merged */
    size_t windows;
    struct el_tally tally[]; /* of the rule's measures */
};

struct el_entity_state {
    bool seen; /* the rest is there */
    enum el_kind kind;
    unsigned profiles;
    uint64_t samples;
    struct el_tally *tally;  /* of the kind's shared measures, by lane */
    struct el_track **track; /* of the kind's rules, by lane; NULL: never hit */
    bool *matches;           /* of the kind's rules: the name fits */
};

struct el_fired { /* the entities a rule fired on, ascending */
    struct el_hit *hit;
    size_t count, room;
};

struct el_judge {
    const struct el_ruleset *rs;
    struct el_entity_state *entity;
    size_t entities, room;
    struct el_fired *fired;   /* by rule; filled by finish */
    pthread_mutex_t patterns; /* a pattern is used by one thread at a time */
};

/* ---- judge.c ---- */
void el_track_close(struct el_track *track, const struct el_rule *rule); /* end the open run */

/* How far the sample is beyond the rule's `when`: the smallest ratio of a measured value to the fixed limit that it is
 * compared with; NaN where `when` has no such comparison. */
double el_margin(const struct el_ruleset *rs, const struct el_rule *rule, enum el_profile profile,
                 const struct el_samples *samples, size_t row);

/* ---- ask.c ---- */

/* A rule asked about an entity. */
struct el_question {
    const struct el_judge *judge;
    const struct el_judge_facts *facts;
    uint32_t entity, rule; /* rule: index */
    enum el_kind kind;
    enum el_profile profile;
    const struct el_entity_state *state; /* NULL: never had samples */
    const struct el_track *track;        /* NULL: never hit */
};
/* False when the rule is not for the entity: other kind, or the name does not match. */
bool el_ask(struct el_question *q, const struct el_judge *judge, const struct el_judge_facts *facts,
            uint32_t entity, uint32_t rule);
/* The hit on an entity, or NULL. */
const struct el_hit *el_fired_on(const struct el_fired *fired, uint32_t entity);
double el_ask_leaf(const struct el_question *q, const struct el_leaf *leaf);
double el_ask_value(const struct el_question *q, const struct el_formula *formula);
/* `when` held long enough, all of `if` hold, none of `unless` does. */
bool el_ask_fires(const struct el_question *q);
bool el_ask_all(const struct el_question *q,
                const struct el_condition *list); /* hold, and there are some */
bool el_ask_any(const struct el_question *q, const struct el_condition *list);
struct el_str el_ask_label(const struct el_question *q, const char *what);
uint32_t el_ask_vendor(const struct el_question *q); /* UINT32_MAX: none known */

/* ---- confidence.c ---- */
enum el_confidence el_confidence_of(const struct el_question *q, const struct el_rule *rule,
                                    struct el_basis *basis);

#endif
