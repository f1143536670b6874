#include "esxlat/metrics/block.h"

#include <string.h>

#include "esxlat/base/wide.h"

#define LINE          8 /* doubles of a cache line */
#define PART          64 /* columns turned together: what 64 rows hold of them fits the nearest cache */
#define LEAST_ROWS    8
#define TARGET_VALUES ((size_t)512 * 1024) /* 4 MiB of doubles */

/* Whole cache lines and an odd number of them: a power of two would make all rows, or columns, share cache sets. */
static size_t padded(size_t doubles) {
    return ((doubles + LINE - 1) / LINE | 1) * LINE;
}

static void make_room(struct el_block *b) {
    size_t of_rows = b->most * b->width, of_columns = padded(b->slots) * b->stride;
    void *value = b->room;
    el_grow(&value, &b->value_room, of_rows + of_columns, sizeof *b->room);
    b->room = value;
    b->column = b->room + of_rows;
    if (b->time_room < b->most) {
        b->time_room = EL_BLOCK_ROWS;
        b->seconds = el_resize(b->seconds, EL_BLOCK_ROWS, sizeof *b->seconds);
        b->from = el_resize(b->from, EL_BLOCK_ROWS, sizeof *b->from);
        b->to = el_resize(b->to, EL_BLOCK_ROWS, sizeof *b->to);
    }
}

void el_block_reset(struct el_block *b, size_t slots) {
    size_t rows = slots ? TARGET_VALUES / slots : EL_BLOCK_ROWS;
    b->most = rows > EL_BLOCK_ROWS ? EL_BLOCK_ROWS : rows < LEAST_ROWS ? LEAST_ROWS : rows;
    b->rows = b->turned = 0;
    b->slots = slots;
    b->width = padded(slots);
    b->stride = padded(b->most);
    make_room(b);
}

void el_block_release(struct el_block *b) {
    el_free(b->room);
    el_free(b->seconds);
    el_free(b->from);
    el_free(b->to);
    *b = (struct el_block){ 0 };
}

double *el_block_room(const struct el_block *b, size_t row) {
    return b->room + row * b->width;
}

void el_block_add(struct el_block *b, const double *values) {
    b->row[b->rows++] = values;
}

size_t el_block_parts(const struct el_block *b) {
    return b->turned < b->rows ? (b->slots + PART - 1) / PART : 0;
}

/* Value by value: rows from `row` on. */
static void turn_values(const struct el_block *b, size_t slot, size_t end, size_t row) {
    for (; slot < end; slot++)
        for (size_t r = row; r < b->rows; r++)
            b->column[slot * b->stride + r] = b->row[r][slot];
}

/* Four columns, four rows at a time; the first row that is left over. */
EL_WIDE static size_t turn_fours(const struct el_block *b, size_t slot) {
    const size_t stride = b->stride, size = sizeof(el_four);
    double *to = b->column + slot * stride;
    size_t r = b->turned;
    for (; r + 4 <= b->rows; r += 4) {
        el_four r0, r1, r2, r3;
        memcpy(&r0, b->row[r] + slot, size);
        memcpy(&r1, b->row[r + 1] + slot, size);
        memcpy(&r2, b->row[r + 2] + slot, size);
        memcpy(&r3, b->row[r + 3] + slot, size);
        el_four even01 = EL_PICK(r0, r1, 0, 4, 2, 6), odd01 = EL_PICK(r0, r1, 1, 5, 3, 7),
                even23 = EL_PICK(r2, r3, 0, 4, 2, 6), odd23 = EL_PICK(r2, r3, 1, 5, 3, 7);
        el_four c0 = EL_PICK(even01, even23, 0, 1, 4, 5), c1 = EL_PICK(odd01, odd23, 0, 1, 4, 5),
                c2 = EL_PICK(even01, even23, 2, 3, 6, 7), c3 = EL_PICK(odd01, odd23, 2, 3, 6, 7);
        memcpy(to + r, &c0, size);
        memcpy(to + stride + r, &c1, size);
        memcpy(to + 2 * stride + r, &c2, size);
        memcpy(to + 3 * stride + r, &c3, size);
    }
    return r;
}

void el_block_turn(struct el_block *b, size_t part) {
    size_t slot = part * PART, end = slot + PART < b->slots ? slot + PART : b->slots;
    for (; slot + 4 <= end; slot += 4)
        turn_values(b, slot, slot + 4, turn_fours(b, slot));
    turn_values(b, slot, end, b->turned);
}

void el_block_turned(struct el_block *b) {
    b->turned = b->rows;
}

const double *el_block_column(const struct el_block *b, const struct el_run *run, uint32_t entity,
                              enum el_counter counter) {
    if (entity >= run->entities || run->slot[entity][counter] == EL_NOTHING)
        return NULL;
    return b->column + run->slot[entity][counter] * b->stride;
}
