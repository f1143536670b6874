/* test_rule_examples.h - the cases of tests/rules/ (its README.md is the format), read and judged.
 * Run from the project's root. */
#ifndef TEST_RULE_EXAMPLES_H
#define TEST_RULE_EXAMPLES_H

#include "unit.h"

#include "esxlat/rules/judge.h"

#define EXAMPLE_LABELS   5
#define EXAMPLE_ENTITIES 64

enum example_verdict { SILENT, FIRES, FOLDED };

struct example_entity {
    enum el_kind kind;
    enum el_profile profile;
    struct el_str name, label[EXAMPLE_LABELS];
    double (*value)[EL_METRICS]; /* by row */
    int64_t *from, *to;
    size_t rows, value_room, from_room, to_room;
    int64_t now; /* end of the last row, ms */
};

struct example {
    const char *file;
    unsigned line;
    struct el_str rule, why, folded_into;
    enum example_verdict verdict;
    int confidence; /* -1: any */
    struct example_entity entity[EXAMPLE_ENTITIES];
    size_t entities;
};

struct examples {
    struct el_ruleset *rules; /* the shipped ones */
    struct example **item;
    size_t count, room;
    struct el_error trouble; /* status EL_OK: all could be read */
};
/* Read when first asked for; never changed afterwards. */
const struct examples *examples(void);

/* Judge a case with a rule set: NULL if it comes out as it says, else what is wrong.  `why` may be NULL. */
const char *example_run(const struct el_ruleset *rules, const struct example *x,
                        struct el_buf *why);

#endif
