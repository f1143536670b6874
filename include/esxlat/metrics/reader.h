/* reader.h - a capture's bytes into blocks of samples.
 *
 * A run starts at each header.  A row is a record whose first field is a timestamp.  A sample is a row of
 * a run after its first (the baseline), as wide as the header, and later than the row before it.
 *
 * Rows that begin with a quoted timestamp never continue an open record (record.h), so they can be scanned at the same
 * time, each into its own row of the block; those that the scanner refuses go through record.h, in their place.
 * The result is the same for both ways, any chunk size and any number of threads. */
#ifndef ESXLAT_METRICS_READER_H
#define ESXLAT_METRICS_READER_H

#include "esxlat/base/crew.h"
#include "esxlat/input/skim.h"
#include "esxlat/metrics/block.h"

struct el_reader_options {
    size_t chunk; /* bytes a read, 0: default */
    int64_t from,
        to; /* ms: samples that end outside are not used, and reading stops at the first row after
                                 `to`; both 0: all */
    struct el_crew
        *crew;        /* shares out the rows of a block; also a thread reads ahead.  NULL: alone */
    bool libcsv_only; /* every row by record.h, the reference; else regular rows by skim.h */
    enum el_skim_level level; /* for skim.h */
};

struct el_totals {
    uint64_t rows, samples;
    int64_t start, end;  /* earliest and latest row; EL_NO_TIME without any */
    int64_t from, to;    /* earliest begin and latest end of a sample; EL_NO_TIME without any */
    double measured_s;   /* of all samples: less than from..to where runs leave gaps */
    double interval_s;   /* median of the samples' seconds; NaN without any */
    uint64_t junk;       /* records behind a header that have no timestamp */
    char junk_field[64]; /* the first field of the first of them, for the message */
};

enum el_read { EL_READ_RUN, EL_READ_BLOCK, EL_READ_END, EL_READ_FAILED };

struct el_reader;
/* All borrowed; notes go to `q`, headers to `c`. */
struct el_reader *el_reader_new(struct el_source *source, const struct el_reader_options *options,
                                struct el_catalog *c, struct el_quality *q);
void el_reader_free(struct el_reader *r);
/* A run was opened in `c`, and the caller chooses its columns (el_catalog_choose) before the next call; or the next
 * samples, all of the run c->run.  The block is borrowed until the next call. */
enum el_read el_reader_next(struct el_reader *r, const struct el_block **out, struct el_error *err);
/* After the end. */
void el_reader_totals(struct el_reader *r, struct el_totals *out);

#endif
