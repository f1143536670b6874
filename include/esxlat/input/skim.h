/* skim.h - the selective scanner: wanted cells of a regular row, as numbers, at about the speed of memory.
 *
 * A row is walked 64 bytes at a time: masks of its quotes and commas, whole blocks without a wanted column skipped by
 * counting commas.  It takes only rows whose shape it understands:
 *   - quotes are balanced, every closing quote stands before a comma or the end, no comma stands inside quotes;
 *   - as many fields as the header (an empty one behind a trailing comma aside);
 *   - every wanted field is quoted.
 * Then every comma separates, just as record.h defines it (bare fields such as those of `esxtop -a` included).  All
 * else is refused and must go to record.h, which decides.  Quote parity starts afresh with every row. */
#ifndef ESXLAT_INPUT_SKIM_H
#define ESXLAT_INPUT_SKIM_H

#include "esxlat/base/str.h"

enum el_skim_level {
    EL_SKIM_SCALAR,
    EL_SKIM_SSE2,
    EL_SKIM_AVX2,
    EL_SKIM_AVX512,
    EL_SKIM_NEON,
    EL_SKIM_LEVELS
};
const char *el_skim_name(enum el_skim_level level);
/* Was this level built, and can this machine run it? */
bool el_skim_can(enum el_skim_level level);
enum el_skim_level el_skim_best(void);

struct el_skim_plan {
    const uint32_t *column; /* wanted fields of a row, ascending, each above 0 */
    size_t columns;
    size_t width; /* fields of a regular row */
    enum el_skim_level level;
};

struct el_skim_tally { /* values that are missing */
    uint64_t empty, text;
};

/* Value i of the row goes to out[i], NaN where it is no number; `tally` is added to.  False: the row is not
 * regular; `out` and `tally` then hold nothing of use.  Safe to call from several threads. */
bool el_skim_row(const struct el_skim_plan *plan, struct el_str row, double *out,
                 struct el_skim_tally *tally);

/* The number in a field's bytes (el_num_parse), NaN if it is none, and the tally. */
double el_skim_value(struct el_str field, struct el_skim_tally *tally);

#endif
