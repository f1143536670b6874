/* test_rules_made.h - a made-up world for the tests of rules: rule texts, entities, samples. */
#ifndef TEST_RULES_MADE_H
#define TEST_RULES_MADE_H

#include "unit.h"

#include "../../src/rules/state.h"

/* A rule on luns with all that must be there; more lines may follow. */
#define RULE(id) "[" id "]\non = lun\nlayer = device\nseverity = info\ntitle = t\n"

struct el_ruleset *made_rules(const char *text); /* compiled; a failure fails the test */
const char *made_error(const char *text);        /* of parsing or compiling; "" if there is none */

#define MADE_ENTITIES 24
struct made_world {
    struct el_ruleset *rules;
    struct el_judge *judge;
    struct made_entity {
        enum el_kind kind;
        enum el_profile profile;
        const char *name, *lun, *vendor;
        unsigned profiles; /* set given with the samples; 0: the one that fits */
        size_t rows;       /* fed so far */
        double commands;
        uint32_t group; /* the entity it is a member of; UINT32_MAX: none */
    } entity[MADE_ENTITIES];
    uint32_t entities;
    int64_t step_ms; /* length of a sample */
    struct el_arena arena;
    struct el_hits hits;
};
void made_world(struct made_world *w, const char *rules);
void made_release(struct made_world *w);
uint32_t made_entity(struct made_world *w, enum el_kind kind, const char *name,
                     enum el_profile profile);
/* Pairs of metric name and `rows` values, up to NULL; in blocks of `block` rows. */
void made_feed(struct made_world *w, uint32_t entity, size_t rows, size_t block, ...);
/* One metric of `letters`: a digit is its value, '-' is missing. */
void made_letters(struct made_world *w, uint32_t entity, size_t block, const char *metric,
                  const char *letters);
void made_finish(struct made_world *w);
const struct el_hit *made_hit(const struct made_world *w, const char *rule,
                              uint32_t entity);              /* NULL: silent */
const char *made_why(struct made_world *w, uint32_t entity); /* in the world's arena */
/* The first {expression} of the rule's `because`, for the entity. */
double made_value(const struct made_world *w, const char *rule, uint32_t entity);

#endif
