/* program.h - a checked expression as a short program over columns.
 *
 * Every instruction works on all rows of a chunk before the next one begins.  Values live in cells:
 * the first are registers, the others are inputs, columns that the caller points at.  Truth is a
 * number: 1 true, 0 false, NaN unknown.  Running cannot fail, allocate or loop without bound. */
#ifndef RULES_PROGRAM_H
#define RULES_PROGRAM_H

#include "esxlat/base/mem.h"
#include "esxlat/base/wide.h"
#include "esxlat/rules/rules.h"

#include "lang.h"

#define EL_CHUNK     256u
#define EL_REGISTERS (EL_DEPTH + 2u)
#define EL_INPUT_HIT EL_METRICS /* inputs of a program over samples: the metrics, then `hit` */
#define EL_INPUTS    (EL_METRICS + 1)

/* What an instruction reads and writes. */
struct el_frame {
    const double *cell[EL_REGISTERS + EL_INPUTS]; /* registers, then inputs; rows values each */
    double room[EL_REGISTERS][EL_CHUNK];
    bool none_true; /* the last program found out on its way that its result holds in no row */
};
void el_frame_init(
    struct el_frame *frame); /* points the registers at their room; inputs are the caller's */

struct el_step {
    unsigned char code;
    uint16_t to, a, b; /* cells; b may also be a constant, or the step to go to */
};

struct el_program {
    struct el_step *step; /* arena */
    size_t steps;
    uint16_t result;               /* cell */
    double *constant[EL_PROFILES]; /* arena: numbers and thresholds, by profile */
    size_t constants;
};

/* `value(ctx, threshold, profile)` gives a threshold.  With `lenient` the result may be 0 where it
 * is unknown: enough for a condition of which only the true rows matter, and it ends earlier. */
void el_program_build(struct el_program *program, const struct el_node *root, bool lenient,
                      struct el_arena *arena,
                      double (*value)(const void *ctx, unsigned threshold, enum el_profile profile),
                      const void *ctx);
/* Do both profiles give the same results? */
bool el_program_same(const struct el_program *program, enum el_profile a, enum el_profile b);
/* Column of `rows` (<= EL_CHUNK) results, in a register or an input. */
const double *el_program_run(const struct el_program *program, struct el_frame *frame,
                             enum el_profile profile, size_t rows);

/* 1 where it holds, else 0. */
void el_truths(double *to, const double *truth, size_t rows);
/* Does the result of the program that was run last hold in any of the rows? */
bool el_any_true(const struct el_frame *frame, const double *truth, size_t rows);

#endif
