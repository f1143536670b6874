#include "rows.h"

#include <string.h>

#include "esxlat/base/clock.h"

bool el_rows_in_window(const struct el_rows *r, int64_t when) {
    const struct el_reader_options *o = &r->options;
    return (o->from == 0 && o->to == 0) || (when >= o->from && when <= o->to);
}

/* From the earliest begin to the latest end; EL_NO_TIME: none yet. */
static void widen(int64_t *first, int64_t *last, int64_t from, int64_t to) {
    if (*first == EL_NO_TIME || from < *first)
        *first = from;
    if (*last == EL_NO_TIME || to > *last)
        *last = to;
}

void el_rows_count(struct el_rows *r, int64_t when, bool has_seconds, uint64_t line) {
    const struct el_reader_options *o = &r->options;
    r->totals.rows++;
    widen(&r->totals.start, &r->totals.end, when, when);
    r->past = (o->from != 0 || o->to != 0) && when > o->to;
    el_quality_add(r->quality, EL_Q_NO_SECONDS, line, !has_seconds);
}

void el_rows_accept(struct el_rows *r, int64_t when, uint64_t line, const double *values,
                    const struct el_skim_tally *tally) {
    struct el_block *b = &r->block;
    el_quality_add(r->quality, EL_Q_MISSING_VALUE, line, tally->empty);
    el_quality_add(r->quality, EL_Q_TEXT_VALUE, line, tally->text);
    b->seconds[b->rows] = (double)(when - r->previous) / 1000;
    b->from[b->rows] = r->previous;
    b->to[b->rows] = when;
    widen(&r->totals.from, &r->totals.to, r->previous, when);
    r->totals.measured_s += b->seconds[b->rows];
    el_block_add(b, values);
    r->totals.samples++;
    el_intervals_note(&r->intervals, when - r->previous, line);
}

static void fill_row(struct el_rows *r, const struct el_record *record, int64_t when) {
    const struct el_run *run = &r->catalog->run;
    double *value = el_block_room(&r->block, r->block.rows);
    struct el_skim_tally tally = { 0 };
    for (size_t i = 0; i < run->slots; i++)
        value[i] = el_skim_value(record->field[run->wanted[i].column], &tally);
    el_rows_accept(r, when, record->line, value, &tally);
}

/* Which note does a row of the wrong width deserve? */
static enum el_quality_code misfit(const struct el_rows *r, const struct el_record *record,
                                   size_t fields, bool last) {
    if (fields > r->catalog->run.width)
        return EL_Q_LONG_ROW;
    if (record->cut)
        return last ? EL_Q_CUT_ROW : EL_Q_OPEN_QUOTE;
    return EL_Q_SHORT_ROW;
}

static void take_row(struct el_rows *r, const struct el_record *record, int64_t when, bool last) {
    size_t fields = record->fields;
    if (fields == r->catalog->run.width + 1 && record->field[fields - 1].len == 0)
        fields--;
    if (r->previous == EL_NO_TIME ||
        !el_rows_in_window(r, when)) /* the baseline, or not asked for */
        ;
    else if (fields != r->catalog->run.width)
        el_quality_note(r->quality, misfit(r, record, fields, last), record->line);
    else if (when <= r->previous)
        el_quality_note(r->quality, EL_Q_NO_INTERVAL, record->line);
    else {
        fill_row(r, record, when);
        if (record->open_quote) /* its last value may be cut off */
            el_quality_note(r->quality, last ? EL_Q_CUT_ROW : EL_Q_OPEN_QUOTE, record->line);
    }
    r->previous = when;
}

static void take_junk(struct el_rows *r, const struct el_record *record) {
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

void el_rows_open_run(struct el_rows *r) {
    el_quality_add(r->quality, EL_Q_NO_QUOTES, r->header.line, !r->header.quoted);
    el_catalog_open_run(r->catalog, &r->header, r->quality);
    r->header_waits = false;
    r->opened = true;
}

void el_rows_begin_run(struct el_rows *r) {
    el_block_reset(&r->block, r->catalog->run.slots);
    r->opened = false;
    r->in_run = true;
    r->previous = EL_NO_TIME;
}

void el_rows_record(struct el_rows *r, const struct el_record *record, bool last) {
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
    el_rows_count(r, when, has_seconds, record->line);
    take_row(r, record, when, last);
}
