#include "esxlat/metrics/block.h"

#define PADDING       8 /* doubles: a cache line */
#define LEAST_ROWS    8
#define TARGET_VALUES ((size_t)512 * 1024) /* 4 MiB of doubles */

void el_block_reset(struct el_block *b, size_t slots) {
    size_t rows = slots ? TARGET_VALUES / slots : EL_BLOCK_ROWS;
    rows = rows > EL_BLOCK_ROWS ? EL_BLOCK_ROWS : rows < LEAST_ROWS ? LEAST_ROWS : rows;
    void *value = b->value;
    el_grow(&value, &b->value_room, (rows + PADDING) * slots, sizeof *b->value);
    b->value = value;
    if (b->row_room < rows) {
        b->row_room = EL_BLOCK_ROWS;
        b->seconds = el_resize(b->seconds, EL_BLOCK_ROWS, sizeof *b->seconds);
        b->from = el_resize(b->from, EL_BLOCK_ROWS, sizeof *b->from);
        b->to = el_resize(b->to, EL_BLOCK_ROWS, sizeof *b->to);
    }
    b->most = rows;
    b->stride = rows + PADDING;
    b->slots = slots;
    b->rows = 0;
}

void el_block_release(struct el_block *b) {
    el_free(b->value);
    el_free(b->seconds);
    el_free(b->from);
    el_free(b->to);
    *b = (struct el_block){ 0 };
}

const double *el_block_column(const struct el_block *b, const struct el_run *run, uint32_t entity,
                              enum el_counter counter) {
    if (entity >= run->entities || run->slot[entity][counter] == EL_NOTHING)
        return NULL;
    return b->value + run->slot[entity][counter] * b->stride;
}
