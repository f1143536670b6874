#include "program.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "code.h"

/* The loops below are to become vector instructions at any level of optimisation: gcc needs to be
 * told, and that a comparison with NaN may be done for a row whose result is not used. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "no-trapping-math", "no-math-errno")
#endif

/* One loop for each operator over columns, and one with a constant on the right. */
#define LOOPS(name, result)                                                                        \
    EL_WIDE static void name##_columns(double *to, const double *left, const double *right,        \
                                       size_t rows) {                                              \
        for (size_t i = 0; i < rows; i++) {                                                        \
            double a = left[i], b = right[i];                                                      \
            to[i] = (result);                                                                      \
        }                                                                                          \
    }                                                                                              \
    EL_WIDE static void name##_constant(double *to, const double *left, double b, size_t rows) {   \
        for (size_t i = 0; i < rows; i++) {                                                        \
            double a = left[i];                                                                    \
            to[i] = (result);                                                                      \
        }                                                                                          \
    }

/* A comparison with a missing value is unknown, and so NaN. */
#define COMPARED(condition) (isunordered(a, b) ? (double)NAN : (condition) ? 1.0 : 0.0)

/* Kleene's logic: false and unknown is false, true or unknown is true.  Elsewhere the product and
 * the sum carry the NaN along. */
LOOPS(or, a >= 1 || b >= 1 ? 1.0 : a + b)
LOOPS(and, a <= 0 || b <= 0 ? 0.0 : a * b)
LOOPS(lt, COMPARED(a < b))
LOOPS(le, COMPARED(a <= b))
LOOPS(gt, COMPARED(a > b))
LOOPS(ge, COMPARED(a >= b))
LOOPS(eq, COMPARED(a <= b && a >= b))
LOOPS(ne, COMPARED((a < b) || (a > b)))
LOOPS(add, a + b)
LOOPS(sub, a - b)
LOOPS(mul, (a * b))
LOOPS(div, (b < 0) || (b > 0) ? a / b : (double)NAN) /* by 0: unknown, not infinite */
LOOPS(min, isunordered(a, b) ? (double)NAN : a < b ? a : b)
LOOPS(max, isunordered(a, b) ? (double)NAN : a > b ? a : b)

#define LOOP(name, result)                                                                         \
    EL_WIDE static void name##_column(double *to, const double *left, size_t rows) {               \
        for (size_t i = 0; i < rows; i++) {                                                        \
            double a = left[i];                                                                    \
            to[i] = (result);                                                                      \
        }                                                                                          \
    }
LOOP(not, 1.0 - a)
LOOP(neg, -a)
LOOP(abs, fabs(a))
LOOP(round, round(a))
LOOP(ceil, ceil(a))
LOOP(known, isnan(a) ? 0.0 : 1.0)

static const struct {
    void (*columns)(double *to, const double *left, const double *right, size_t rows);
    void (*constant)(double *to, const double *left, double right, size_t rows);
} binary[EL_OPS] = {
#define ROW(op, name) [op] = { name##_columns, name##_constant }
    ROW(EL_OP_OR, or),   ROW(EL_OP_AND, and), ROW(EL_OP_LT, lt),   ROW(EL_OP_LE, le),
    ROW(EL_OP_GT, gt),   ROW(EL_OP_GE, ge),   ROW(EL_OP_EQ, eq),   ROW(EL_OP_NE, ne),
    ROW(EL_OP_ADD, add), ROW(EL_OP_SUB, sub), ROW(EL_OP_MUL, mul), ROW(EL_OP_DIV, div),
    ROW(EL_OP_MIN, min), ROW(EL_OP_MAX, max),
#undef ROW
};

static void (*const unary[EL_OPS])(double *to, const double *left, size_t rows) = {
    [EL_OP_NOT] = not_column,     [EL_OP_NEG] = neg_column,   [EL_OP_ABS] = abs_column,
    [EL_OP_ROUND] = round_column, [EL_OP_CEIL] = ceil_column, [EL_OP_KNOWN] = known_column,
};

static void fill(double *to, double value, size_t rows) {
    for (size_t i = 0; i < rows; i++)
        to[i] = value;
}

/* Truth values are 0, 1 or NaN, and their bits tell which: in the exponent 1 has bit 61 and not 62,
 * NaN has both, 0 has none.  So a whole column is looked at without a branch, several rows at a
 * time. */
#define BIT_61 (UINT64_C(1) << 61)

static uint64_t bits_of(double truth) {
    uint64_t bits;
    memcpy(&bits, &truth, sizeof bits);
    return bits;
}

/* Bit 61: some row is 1. */
EL_WIDE static uint64_t any_one(const double *truth, size_t rows) {
    uint64_t any = 0;
    for (size_t i = 0; i < rows; i++)
        any |= bits_of(truth[i]) & ~(bits_of(truth[i]) >> 1);
    return any;
}

/* Bit 61: every row is 1. */
EL_WIDE static uint64_t all_one(const double *truth, size_t rows) {
    uint64_t all = UINT64_MAX;
    for (size_t i = 0; i < rows; i++)
        all &= bits_of(truth[i]) & ~(bits_of(truth[i]) >> 1);
    return all;
}

/* Bit 61: some row is 1 or unknown. */
EL_WIDE static uint64_t any_not_zero(const double *truth, size_t rows) {
    uint64_t any = 0;
    for (size_t i = 0; i < rows; i++)
        any |= bits_of(truth[i]);
    return any;
}

EL_WIDE void el_truths(double *to, const double *truth, size_t rows) {
    for (size_t i = 0; i < rows; i++)
        to[i] = truth[i] >= 1 ? 1 : 0;
}

bool el_any_true(const struct el_frame *frame, const double *truth, size_t rows) {
    return !frame->none_true && any_one(truth, rows) & BIT_61;
}

/* Is there nothing left for the right side of `and` or `or` to say? */
static bool decided(unsigned code, const double *a, size_t rows) {
    if (code == EL_CODE_SKIP_TRUE)
        return all_one(a, rows) & BIT_61;
    return !((code == EL_CODE_SKIP_FALSE ? any_not_zero(a, rows) : any_one(a, rows)) & BIT_61);
}

void el_frame_init(struct el_frame *frame) {
    for (size_t r = 0; r < EL_REGISTERS; r++)
        frame->cell[r] = frame->room[r];
}

const double *el_program_run(const struct el_program *program, struct el_frame *frame,
                             enum el_profile profile, size_t rows) {
    const double *constant = program->constant[profile];
    assert(rows <= EL_CHUNK);
    frame->none_true = false;
    for (size_t i = 0; i < program->steps; i++) {
        const struct el_step *step = &program->step[i];
        double *to = frame->room[step->to];
        const double *a = frame->cell[step->a];
        if (step->code >= EL_CODE_SKIP_TRUE) {
            if (!decided(step->code, a, rows))
                continue;
            frame->none_true = step->code != EL_CODE_SKIP_TRUE && step->b == program->steps;
            i = step->b - 1u; /* forward only */
        } else if (step->code == EL_CODE_FILL)
            fill(to, constant[step->b], rows);
        else if (step->code >= EL_CODE_CONSTANT)
            binary[step->code - EL_CODE_CONSTANT].constant(to, a, constant[step->b], rows);
        else if (unary[step->code])
            unary[step->code](to, a, rows);
        else
            binary[step->code].columns(to, a, frame->cell[step->b], rows);
    }
    return frame->cell[program->result];
}
