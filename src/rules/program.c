/* From the tree to steps.  An operand that is a column needs no step, a constant on the right is
 * part of its operator's step.  Registers are handed out like a stack: the left operand may use
 * `free` and above, the right one what the left one left over; EL_DEPTH bounds how far that goes.
 */
#include "program.h"

#include <assert.h>
#include <string.h>

#include "code.h"

struct builder {
    struct el_step *step;
    size_t steps, step_room;
    struct constant {
        bool is_threshold;
        unsigned threshold;
        double number;
    } * constant;
    size_t constants, constant_room;
};

static size_t emit(struct builder *b, unsigned code, size_t to, size_t left, size_t right) {
    assert(code < EL_CODES && to < EL_REGISTERS && left <= UINT16_MAX && right <= UINT16_MAX);
    struct el_step *step = EL_PUSH(b->step, b->steps, b->step_room);
    *step = (struct el_step){ (unsigned char)code, (uint16_t)to, (uint16_t)left, (uint16_t)right };
    return b->steps - 1;
}

static bool is_constant(const struct el_node *node) {
    return node->kind == EL_N_NUMBER || node->kind == EL_N_THRESHOLD;
}

static size_t constant(struct builder *b, const struct el_node *node) {
    struct constant *c = EL_PUSH(b->constant, b->constants, b->constant_room);
    *c = (struct constant){ node->kind == EL_N_THRESHOLD, node->index, node->number };
    return b->constants - 1;
}

/* The operator that gives the same with its operands exchanged, or EL_OPS. */
static enum el_op mirrored(enum el_op op) {
    static const enum el_op mirror[EL_OPS] = {
        [EL_OP_LT] = EL_OP_GT,   [EL_OP_LE] = EL_OP_GE,   [EL_OP_GT] = EL_OP_LT,
        [EL_OP_GE] = EL_OP_LE,   [EL_OP_EQ] = EL_OP_EQ,   [EL_OP_NE] = EL_OP_NE,
        [EL_OP_ADD] = EL_OP_ADD, [EL_OP_MUL] = EL_OP_MUL, [EL_OP_MIN] = EL_OP_MIN,
        [EL_OP_MAX] = EL_OP_MAX,
    };
    return mirror[op] ? mirror[op] : EL_OPS; /* EL_OP_OR is 0 and never asked for */
}

static size_t build(struct builder *b, const struct el_node *node, size_t free, bool lenient);

/* `and`, `or`: the right side is skipped when the left one decides for every row. */
static size_t build_join(struct builder *b, const struct el_node *node, size_t free, bool lenient) {
    unsigned skip = node->op == EL_OP_OR ? EL_CODE_SKIP_TRUE
                    : lenient            ? EL_CODE_SKIP_NONE
                                         : EL_CODE_SKIP_FALSE;
    unsigned join = (unsigned)node->op;
    size_t left = build(b, node->left, free, lenient);
    if (left != free)
        (void)emit(b, join, free, left,
                   left); /* x and x, x or x: a copy into the register of the result */
    size_t jump = emit(b, skip, free, free, 0);
    size_t right = build(b, node->right, free + 1, lenient);
    (void)emit(b, join, free, free, right);
    b->step[jump].b = (uint16_t)b->steps;
    return free;
}

static size_t build_binary(struct builder *b, const struct el_node *node, size_t free) {
    const struct el_node *left = node->left, *right = node->right;
    enum el_op op = node->op;
    if (is_constant(left) && !is_constant(right) && mirrored(op) != EL_OPS) {
        op = mirrored(op);
        left = node->right;
        right = node->left;
    }
    size_t a = build(b, left, free, false);
    if (is_constant(right)) {
        (void)emit(b, (unsigned)op + EL_CODE_CONSTANT, free, a, constant(b, right));
        return free;
    }
    size_t c = build(b, right, a == free ? free + 1 : free, false);
    (void)emit(b, (unsigned)op, free, a, c);
    return free;
}

/* The cell of the node's value, which is `free` unless it is an input. */
static size_t build(struct builder *b, const struct el_node *node, size_t free, bool lenient) {
    switch (node->kind) {
    case EL_N_METRIC: return EL_REGISTERS + node->index;
    case EL_N_HIT: return EL_REGISTERS + EL_INPUT_HIT;
    case EL_N_AGGREGATE:
    case EL_N_HITS:
    case EL_N_MEMBERS: return EL_REGISTERS + node->leaf;
    case EL_N_NUMBER:
    case EL_N_THRESHOLD: (void)emit(b, EL_CODE_FILL, free, 0, constant(b, node)); return free;
    case EL_N_UNARY:
        (void)emit(b, (unsigned)node->op, free, build(b, node->left, free, false), 0);
        return free;
    case EL_N_BINARY:
        if (node->op == EL_OP_OR || node->op == EL_OP_AND)
            return build_join(b, node, free, lenient);
        return build_binary(b, node, free);
    case EL_N_NAME:
    case EL_N_STRING:
    case EL_N_CALL: break; /* the checker leaves none */
    }
    assert(false);
    return free;
}

/* A skip to one that asks the same of the same cell goes straight on to where that one would lead. */
static void straighten(struct builder *b) {
    for (size_t i = b->steps; i-- > 0;) {
        struct el_step *step = &b->step[i];
        const struct el_step *next = &b->step[step->code >= EL_CODE_SKIP_TRUE ? step->b : 0];
        if (step->code >= EL_CODE_SKIP_TRUE && step->b < b->steps && next->code == step->code &&
            next->a == step->a)
            step->b = next->b;
    }
}

void el_program_build(struct el_program *program, const struct el_node *root, bool lenient,
                      struct el_arena *arena,
                      double (*value)(const void *ctx, unsigned threshold, enum el_profile profile),
                      const void *ctx) {
    struct builder b = { 0 };
    program->result = (uint16_t)build(&b, root, 0, lenient);
    straighten(&b);
    program->steps = b.steps;
    program->constants = b.constants;
    program->step = el_arena_alloc(arena, (b.steps + 1) * sizeof *b.step);
    if (b.steps)
        memcpy(program->step, b.step, b.steps * sizeof *b.step);
    for (int p = 0; p < EL_PROFILES; p++) {
        program->constant[p] = el_arena_alloc(arena, (b.constants + 1) * sizeof(double));
        for (size_t i = 0; i < b.constants; i++)
            program->constant[p][i] = b.constant[i].is_threshold
                                          ? value(ctx, b.constant[i].threshold, (enum el_profile)p)
                                          : b.constant[i].number;
    }
    el_free(b.step);
    el_free(b.constant);
}

bool el_program_same(const struct el_program *program, enum el_profile a, enum el_profile b) {
    for (size_t i = 0; i < program->constants; i++) {
        double x = program->constant[a][i], y = program->constant[b][i];
        if (!(x >= y && x <= y) && (x == x || y == y))
            return false;
    }
    return true;
}
