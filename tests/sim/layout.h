/* layout.h: the columns of a capture, in esxtop's order. */
#ifndef SIM_LAYOUT_H
#define SIM_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "capture.h"

enum column_kind {
    COLUMN_FLOAT,  /* *cell with two decimals */
    COLUMN_INT,    /* *cell as integer */
    COLUMN_FIXED,  /* always "value" */
    COLUMN_NUMBER, /* "value" hundredths that move a little */
    COLUMN_BARE    /* the A/MPERF field: no quotes, no comma after it */
};

struct column {
    const double *cell;
    int64_t centi;
    size_t path, value; /* offsets of name and fixed value in the text */
    enum column_kind kind;
    bool in_baseline; /* has a value in the first row, too */
};

struct layout {
    struct column *columns;
    size_t count, room;
    char *text;
    size_t text_used, text_room;
};

void layout_build(struct layout *l, const struct host *h, const struct books *b,
                  const struct cpu *cpu, const struct capture_options *options, long filler_worlds);
void layout_release(struct layout *l);

#endif
