/* skim.h - inside input/: a walk along a row, and the walks that exist for each instruction set. */
#ifndef EL_INPUT_SKIM_H
#define EL_INPUT_SKIM_H

#include "esxlat/input/skim.h"

struct el_masks {
    uint64_t quotes, commas;
};

struct el_span { /* bytes of a field within its row; lines are shorter than 4 GiB */
    uint32_t start, end;
};

/* Room for wanted fields that are found: half are converted in one go, and a block finds up to 64. */
#define EL_SPANS 128

struct el_walk {
    const struct el_skim_plan *plan;
    struct el_str row;
    double *out;
    struct el_skim_tally *tally;
    size_t next;                   /* wanted column that comes next */
    size_t converted;              /* wanted columns whose values are in `out` */
    size_t commas;                 /* separators passed */
    size_t start;                  /* of the wanted field that is open */
    bool open;                     /* a wanted field has begun */
    bool irregular;                /* a wanted field is not quoted */
    bool has_bare;                 /* so far not every field was quoted: wanted ones need a look */
    struct el_span span[EL_SPANS]; /* of wanted column i at [i % EL_SPANS] */
};

/* Wanted field i, which was found, becomes a value, whatever its spelling. */
void el_walk_convert(struct el_walk *w, size_t i);

bool el_walk_scalar(struct el_walk *w);
#if defined(__x86_64__)
bool el_walk_sse2(struct el_walk *w);
bool el_walk_avx2(struct el_walk *w);
bool el_walk_avx512(struct el_walk *w);
#elif defined(__aarch64__)
bool el_walk_neon(struct el_walk *w);
#endif

#endif
