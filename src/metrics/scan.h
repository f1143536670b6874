/* scan.h - inside metrics/: rows on their own, through skim.h, in any order and several at the same time. */
#ifndef EL_METRICS_SCAN_H
#define EL_METRICS_SCAN_H

#include "esxlat/input/lines.h"
#include "rows.h"

/* A row that begins with a quoted timestamp. */
struct el_scanned {
    int64_t when;
    bool has_seconds, regular;
    struct el_skim_tally tally;
    double *value; /* by slot, if it is regular and in the window */
    size_t run;    /* number of the run whose columns these are; 0: not scanned yet */
};

struct el_scanner { /* zero-initialised but for `rows`, which is borrowed */
    const struct el_rows *rows;
    struct el_skim_plan plan;
    size_t run;       /* that is planned for; 0: none */
    uint32_t *column; /* of its slots */
    size_t column_room;
    struct el_scanned ahead[EL_SCANS]; /* lines scanned before they were given out, by number */
    double *room;                      /* values of the first `most` of each half */
    size_t room_size, most;
};

void el_scanner_release(struct el_scanner *s);
/* Look for the columns of the run that is open; nobody scans meanwhile. */
void el_scanner_plan(struct el_scanner *s);

/* Does the line begin with a quoted timestamp and a comma?  record.h then takes it for the start of a record. */
bool el_scanner_begins(const struct el_scanner *s, struct el_str text, struct el_scanned *out);
/* The rest of it; `value` has room for the slots. */
void el_scanner_row(const struct el_scanner *s, struct el_str text, double *value,
                    struct el_scanned *out);

/* An el_line_scan: keep what the line is. */
void el_scanner_ahead(void *scanner, struct el_str text, unsigned number);
/* What was kept of a line, NULL if nothing, or if it was for another run. */
const struct el_scanned *el_scanner_find(const struct el_scanner *s, const struct el_line *line);

#endif
