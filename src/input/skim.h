/* skim.h - inside input/: a walk along a row, and the walks that exist for each instruction set. */
#ifndef EL_INPUT_SKIM_H
#define EL_INPUT_SKIM_H

#include <string.h>

#include "esxlat/input/skim.h"

struct el_masks {
    uint64_t quotes, commas;
};

struct el_walk {
    const struct el_skim_plan *plan;
    struct el_str row;
    double *out;
    size_t stride;
    struct el_skim_tally *tally;
    size_t next;    /* wanted column that comes next */
    size_t commas;  /* separators passed */
    size_t start;   /* of the wanted field that is open */
    bool open;      /* a wanted field has begun */
    bool irregular; /* a wanted field is not quoted */
    bool in_quotes; /* at the end of the last block */
    bool closed;    /* the last byte was a closing quote: a comma must follow */
};

/* The wanted field [start, end) is complete. */
static inline void el_walk_field(struct el_walk *w, size_t end) {
    const char *p = w->row.ptr + w->start;
    size_t n = end - w->start;
    if (n < 2 || p[0] != '"' || p[n - 1] != '"')
        w->irregular = true;
    else
        w->out[w->next * w->stride] = el_skim_value((struct el_str){ p + 1, n - 2 }, w->tally);
    w->next++;
    w->open = false;
}

static inline void el_walk_begin(struct el_walk *w, size_t start) {
    w->start = start;
    w->open = true;
}

bool el_walk_scalar(struct el_walk *w);
#if defined(__x86_64__)
bool el_walk_sse2(struct el_walk *w);
bool el_walk_avx2(struct el_walk *w);
bool el_walk_avx512(struct el_walk *w);
#elif defined(__aarch64__)
bool el_walk_neon(struct el_walk *w);
#endif

#endif
