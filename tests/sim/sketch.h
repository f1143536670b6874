/* sketch.h: the pen layout.c draws with: says where it is, then adds counters there. */
#ifndef SIM_SKETCH_H
#define SIM_SKETCH_H

#include "layout.h"
#include "tables.h"

struct sketch {
    struct layout *layout;
    const struct host *host;
    const struct books *books;
    const struct capture_options *options;
    char where[256];                  /* "Object(Instance)" */
    const double *swap_in, *swap_out; /* cells of the counters of swapping here; NULL: none */
};

__attribute__((format(printf, 2, 3))) void sketch_at(struct sketch *s, const char *format, ...);

void sketch_counters(struct sketch *s, const struct counter *table, const struct cells *cells);
void sketch_block(struct sketch *s, const struct cells *cells, const struct counter *const *tables);
void sketch_usual(struct sketch *s, const struct usual *table);
/* From now on the counters of swapping show what the host's swapping world moves, or nothing. */
void sketch_swap(struct sketch *s, bool on);

void sketch_one(struct sketch *s, const char *counter, const char *value);
void sketch_live(struct sketch *s, const char *counter, const double *cell);
void sketch_bare(struct sketch *s, int tenths);

#endif
