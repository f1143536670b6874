/* record.h - lines into records of fields (libcsv; only record.c knows it).
 *
 * This is the definition of a record for the whole program:
 * - A quote opens a field only as its first byte, blanks before it aside.  Inside, it closes when a comma or the
 *   end of the line follows; a doubled quote is one quote; any other quote is literal, since esxtop prints
 *   names raw.  Inside an unquoted field quotes are literal (the A/MPERF fields of `esxtop -a`).
 * - A line end inside a quoted field belongs to it (as LF), unless the next line looks like the start of a record:
 *   then the open field counts as cut off, and the record ends there.
 * - Empty lines are nothing.
 *
 * A stray quote so costs one record, never the rest of the file. */
#ifndef ESXLAT_INPUT_RECORD_H
#define ESXLAT_INPUT_RECORD_H

#include "esxlat/base/error.h"
#include "esxlat/input/lines.h"

#define EL_FIELD_LIMIT  ((size_t)1024 * 1024)     /* bytes of a field */
#define EL_FIELDS_LIMIT ((size_t)4 * 1024 * 1024) /* fields of a record */

struct el_record {
    const struct el_str *field; /* borrowed until the next call, and as long as the line fed last */
    size_t fields;              /* at least 1; an empty field behind a trailing comma counts */
    uint64_t line;              /* number of its first line */
    bool quoted;                /* its first field is */
    bool cut;        /* ended inside a quoted field, or the file stopped before the line's end */
    bool open_quote; /* ended inside a quoted field */
};

enum el_fed {
    EL_FED_MORE,   /* the line was taken, its record goes on (or the line was empty) */
    EL_FED_RECORD, /* the line was taken and completes a record */
    EL_FED_AGAIN,  /* a record that an earlier line left open ends here: feed the same line again */
    EL_FED_FAILED  /* a limit was exceeded: EL_CAPTURE */
};

struct el_records;
/* Lines of plain shape (every field either quoted without a quote inside, or bare) are split by a few memchr; all
 * others by libcsv, and with `reference` all lines: the result is the same. */
struct el_records *el_records_new(bool reference);
void el_records_free(struct el_records *r);
enum el_fed el_records_feed(struct el_records *r, const struct el_line *line, struct el_record *out,
                            struct el_error *err);
/* After the last line: EL_FED_RECORD if one was left open, else EL_FED_MORE. */
enum el_fed el_records_finish(struct el_records *r, struct el_record *out, struct el_error *err);
/* As above, when a line that begins a record comes next but is not fed: the open one ends before it. */
enum el_fed el_records_cut(struct el_records *r, struct el_record *out, struct el_error *err);
/* After EL_FED_FAILED: drop the record that met a limit and begin anew with the next line. Returns its first line. */
uint64_t el_records_reset(struct el_records *r);
/* Is a record open, i.e. must the next line go to el_records_feed? */
bool el_records_open(const struct el_records *r);

#endif
