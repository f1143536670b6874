#include "esxlat/metrics/reader.h"

#include <stdlib.h>
#include <string.h>

#include "esxlat/base/clock.h"
#include "esxlat/base/num.h"

#define INTERVALS 512 /* distinct lengths of a sample that are told apart; others count as the nearest */

struct interval {
    int64_t ms;
    uint64_t count, first_line;
};

struct el_reader {
    struct el_reader_options options;
    struct el_source *source;
    struct el_lines *lines;
    struct el_records *records;
    struct el_catalog *catalog;
    struct el_quality *quality;
    struct el_block block;
    struct el_record header; /* waits until the block before it was given out */
    bool header_waits, in_run, ended;
    struct el_line line; /* fed last; must be fed again when it ended a record that was left open */
    bool line_waits;
    int64_t previous; /* time of the row before, EL_NO_TIME at the start of a run */
    struct interval interval[INTERVALS];
    size_t intervals;
    struct el_totals totals;
};

struct el_reader *el_reader_new(struct el_source *source, const struct el_reader_options *options,
                                struct el_catalog *c, struct el_quality *q)
{
    struct el_reader *r = el_calloc(1, sizeof *r);
    r->options = *options;
    r->source = source;
    r->lines = el_lines_new(source, options->chunk);
    r->records = el_records_new();
    r->catalog = c;
    r->quality = q;
    r->totals.start = r->totals.end = EL_NO_TIME;
    return r;
}

void el_reader_free(struct el_reader *r)
{
    if (!r)
        return;
    el_lines_free(r->lines);
    el_records_free(r->records);
    el_block_release(&r->block);
    el_free(r);
}

/* ---- rows ---- */

static void note_interval(struct el_reader *r, int64_t ms, uint64_t line)
{
    size_t nearest = 0;
    for (size_t i = 0; i < r->intervals; i++) {
        if (r->interval[i].ms == ms) {
            r->interval[i].count++;
            return;
        }
        if (llabs(r->interval[i].ms - ms) < llabs(r->interval[nearest].ms - ms))
            nearest = i;
    }
    if (r->intervals < INTERVALS)
        r->interval[r->intervals++] = (struct interval){ ms, 1, line };
    else
        r->interval[nearest].count++;
}

static bool in_window(const struct el_reader *r, int64_t when)
{
    return (r->options.from == 0 && r->options.to == 0) || (when >= r->options.from && when <= r->options.to);
}

/* A value of the capture; what is no number is counted as missing. */
static double read_value(struct el_str field, uint64_t *empty, uint64_t *text)
{
    double value = el_num_parse(field);
    if (el_missing(value)) {
        if (el_str_trim(field).len == 0)
            ++*empty;
        else
            ++*text;
    }
    return value;
}

static void fill_row(struct el_reader *r, const struct el_record *record, int64_t when)
{
    const struct el_run *run = &r->catalog->run;
    struct el_block *b = &r->block;
    uint64_t empty = 0, text = 0;
    for (size_t i = 0; i < run->slots; i++)
        b->value[i * b->stride + b->rows] = read_value(record->field[run->wanted[i].column], &empty, &text);
    el_quality_add(r->quality, EL_Q_MISSING_VALUE, record->line, empty);
    el_quality_add(r->quality, EL_Q_TEXT_VALUE, record->line, text);
    b->seconds[b->rows] = (double)(when - r->previous) / 1000;
    b->from[b->rows] = r->previous;
    b->to[b->rows] = when;
    b->rows++;
    r->totals.samples++;
    note_interval(r, when - r->previous, record->line);
}

/* Which note does a row of the wrong width deserve? */
static enum el_quality_code misfit(const struct el_reader *r, const struct el_record *record, size_t fields, bool last)
{
    if (fields > r->catalog->run.width)
        return EL_Q_LONG_ROW;
    if (record->cut)
        return last ? EL_Q_CUT_ROW : EL_Q_OPEN_QUOTE;
    return EL_Q_SHORT_ROW;
}

static void take_row(struct el_reader *r, const struct el_record *record, int64_t when, bool last)
{
    size_t fields = record->fields;
    int64_t before = r->previous;
    r->totals.rows++;
    if (r->totals.start == EL_NO_TIME)
        r->totals.start = when;
    r->totals.end = when;
    if (fields == r->catalog->run.width + 1 && record->field[fields - 1].len == 0)
        fields--;
    if (before == EL_NO_TIME)
        r->previous = when; /* the baseline */
    else if (fields != r->catalog->run.width)
        el_quality_note(r->quality, misfit(r, record, fields, last), record->line);
    else if (when <= before)
        el_quality_note(r->quality, EL_Q_NO_INTERVAL, record->line);
    else if (in_window(r, when))
        fill_row(r, record, when);
    r->previous = when;
}

static void take_junk(struct el_reader *r, const struct el_record *record)
{
    if (!r->in_run) {
        el_quality_note(r->quality, EL_Q_JUNK_BEFORE, record->line);
        return;
    }
    el_quality_note(r->quality, EL_Q_JUNK_LINE, record->line);
    if (r->totals.junk++ == 0) {
        size_t n = record->field[0].len;
        n = n < sizeof r->totals.junk_field ? n : sizeof r->totals.junk_field - 1;
        memcpy(r->totals.junk_field, record->field[0].ptr, n);
    }
}

static void open_run(struct el_reader *r)
{
    el_quality_add(r->quality, EL_Q_NO_QUOTES, r->header.line, !r->header.quoted);
    el_catalog_open_run(r->catalog, &r->header, r->quality);
    el_block_reset(&r->block, r->catalog->run.slots);
    r->header_waits = false;
    r->in_run = true;
    r->previous = EL_NO_TIME;
}

/* A record, `last` if the file ends with it. */
static void take_record(struct el_reader *r, const struct el_record *record, bool last)
{
    bool has_seconds = true;
    if (el_header_is(record)) {
        r->header = *record;
        r->header_waits = true;
        return;
    }
    int64_t when = EL_NO_TIME;
    if (r->in_run)
        when = el_clock_parse(record->field[0], r->catalog->run.minutes_west, &has_seconds);
    if (when == EL_NO_TIME) {
        take_junk(r, record);
        return;
    }
    el_quality_add(r->quality, EL_Q_NO_SECONDS, record->line, !has_seconds);
    take_row(r, record, when, last);
}

/* ---- lines ---- */

/* After the last line: an open record, and what is known only now. */
static bool finish(struct el_reader *r, struct el_error *err)
{
    struct el_record record;
    enum el_fed fed = el_records_finish(r->records, &record, err);
    r->ended = true;
    if (fed == EL_FED_FAILED)
        return false;
    if (fed == EL_FED_RECORD)
        take_record(r, &record, true);
    struct el_lines_traits t = el_lines_traits(r->lines);
    el_quality_add(r->quality, EL_Q_UTF8_MARK, 1, t.utf8_mark);
    el_quality_add(r->quality, EL_Q_UTF16, 1, t.utf16);
    el_quality_add(r->quality, EL_Q_CR_ONLY, 1, t.cr_only);
    el_quality_add(r->quality, EL_Q_CRLF, 1, t.crlf);
    el_quality_add(r->quality, EL_Q_DAMAGED, 1, el_source_damage(r->source) != NULL);
    return true;
}

static bool feed_line(struct el_reader *r, struct el_error *err)
{
    struct el_record record;
    enum el_fed fed = el_records_feed(r->records, &r->line, &record, err);
    r->line_waits = fed == EL_FED_AGAIN;
    if (fed == EL_FED_RECORD || fed == EL_FED_AGAIN)
        take_record(r, &record, fed == EL_FED_RECORD && !r->line.ended);
    return fed != EL_FED_FAILED;
}

static bool one_more(struct el_reader *r, struct el_error *err)
{
    if (r->line_waits)
        return feed_line(r, err);
    enum el_line_result got = el_lines_next(r->lines, &r->line, err);
    if (got == EL_LINE_FAILED)
        return false;
    return got == EL_LINE_END ? finish(r, err) : feed_line(r, err);
}

enum el_read el_reader_next(struct el_reader *r, const struct el_block **out, struct el_error *err)
{
    r->block.rows = 0;
    for (;;) {
        if (r->header_waits && r->block.rows == 0)
            open_run(r);
        if (r->block.rows && (r->header_waits || r->ended || r->block.rows == r->block.stride)) {
            *out = &r->block;
            return EL_READ_BLOCK;
        }
        if (r->ended)
            return EL_READ_END;
        if (!one_more(r, err))
            return EL_READ_FAILED;
    }
}

/* ---- totals ---- */

static int by_length(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;
    return (x->ms > y->ms) - (x->ms < y->ms);
}

/* The median of all samples' lengths: between the two middle ones when their number is even. */
static double median(const struct interval *sorted, size_t count, uint64_t total)
{
    double low = EL_NAN;
    uint64_t run = 0;
    for (size_t i = 0; i < count; i++) {
        run += sorted[i].count;
        if (el_missing(low) && 2 * run >= total)
            low = (double)sorted[i].ms;
        if (2 * run > total)
            return (low + (double)sorted[i].ms) / 2000;
    }
    return EL_NAN;
}

void el_reader_totals(struct el_reader *r, struct el_totals *out)
{
    if (r->intervals > 1)
        qsort(r->interval, r->intervals, sizeof *r->interval, by_length);
    r->totals.interval_s = median(r->interval, r->intervals, r->totals.samples);
    for (size_t i = 0; i < r->intervals; i++)
        if ((double)r->interval[i].ms > 3000 * r->totals.interval_s)
            el_quality_add(r->quality, EL_Q_GAP, r->interval[i].first_line, r->interval[i].count);
    *out = r->totals;
}
