/* rows.h - inside metrics/: what a row means, and rows into a block. */
#ifndef EL_METRICS_ROWS_H
#define EL_METRICS_ROWS_H

#include "esxlat/metrics/reader.h"
#include "intervals.h"

struct el_rows {
    struct el_reader_options options;
    struct el_catalog *catalog;
    struct el_quality *quality;
    struct el_block block;
    struct el_intervals intervals;
    struct el_totals totals;
    struct el_record header;           /* borrowed: waits until the block before it was given out */
    bool header_waits, opened, in_run; /* opened: columns are chosen now */
    bool past;        /* a row later than the window was met: nothing more is wanted */
    int64_t previous; /* time of the row before, EL_NO_TIME at the start of a run */
};

/* A sample of the window, with its values by slot, which stay where they are until the block turns them. */
void el_rows_accept(struct el_rows *r, int64_t when, uint64_t line, const double *values,
                    const struct el_skim_tally *tally);
/* A row that begins at `when` is met: count it. */
void el_rows_count(struct el_rows *r, int64_t when, bool has_seconds, uint64_t line);
bool el_rows_in_window(const struct el_rows *r, int64_t when);
/* Any record: header, row or junk; `last` if the file ends with it. */
void el_rows_record(struct el_rows *r, const struct el_record *record, bool last);
/* The header that waits opens its run, whose rows begin when its columns were chosen. */
void el_rows_open_run(struct el_rows *r);
void el_rows_begin_run(struct el_rows *r);

#endif
