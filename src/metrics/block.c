#include "esxlat/metrics/block.h"

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

void el_block_turn(struct el_block *b, size_t part) {
    size_t end = (part + 1) * PART < b->slots ? (part + 1) * PART : b->slots;
    for (size_t slot = part * PART; slot < end; slot += LINE) {
        double *to = b->column + slot * b->stride;
        size_t columns = end - slot < LINE ? end - slot : LINE;
        for (size_t r = b->turned; r < b->rows; r++)
            for (size_t k = 0; k < columns; k++)
                to[k * b->stride + r] = b->row[r][slot + k];
    }
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
