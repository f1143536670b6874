#include "esxlat/metrics/reader.h"

#include <string.h>

#include "esxlat/base/clock.h"
#include "scan.h"

struct el_reader {
    struct el_rows rows;
    struct el_source *source;
    struct el_lines *lines;
    struct el_records *records;
    struct el_line line[EL_BLOCK_ROWS]; /* at hand; [at] comes next */
    size_t at, count;
    bool again; /* the line before [at] ended a record that was left open: feed it again */
    bool ended;
    struct el_scanner scanner;
    struct el_scanned scanned[EL_BLOCK_ROWS]; /* of lines at hand, from [at] on */
    bool
        borrows; /* rows of the block lie with the scanner until the next stretch but one is read: when all lines at
                   * hand are done, they must be turned */
};

struct el_reader *el_reader_new(struct el_source *source, const struct el_reader_options *options,
                                struct el_catalog *c, struct el_quality *q) {
    struct el_reader *r = el_calloc(1, sizeof *r);
    r->rows.options = *options;
    r->rows.catalog = c;
    r->rows.quality = q;
    r->rows.totals.start = r->rows.totals.end = EL_NO_TIME;
    r->rows.totals.from = r->rows.totals.to = EL_NO_TIME;
    r->source = source;
    r->scanner.rows = &r->rows;
    r->lines =
        el_lines_new(source, options->chunk, options->crew && el_crew_size(options->crew) > 1,
                     options->libcsv_only ? NULL : el_scanner_ahead, &r->scanner);
    if (options->crew) /* else the thread that reads needs the processors */
        el_crew_hurry(options->crew, el_source_is_plain(source));
    r->records = el_records_new(options->libcsv_only);
    return r;
}

void el_reader_free(struct el_reader *r) {
    if (!r)
        return;
    el_lines_free(r->lines);
    el_records_free(r->records);
    el_block_release(&r->rows.block);
    el_scanner_release(&r->scanner);
    el_free(r);
}

/* ---- line by line, through record.h ---- */

/* A limit was met.  Behind a header it costs a record (an unclosed quote swallowed line after line), not the file. */
static bool drop_record(struct el_reader *r) {
    if (r->rows.in_run)
        el_quality_note(r->rows.quality, EL_Q_OPEN_QUOTE, el_records_reset(r->records));
    return r->rows.in_run;
}

static bool feed_line(struct el_reader *r, const struct el_line *line, struct el_error *err) {
    struct el_record record;
    enum el_fed fed = el_records_feed(r->records, line, &record, err);
    r->again = fed == EL_FED_AGAIN;
    if (fed == EL_FED_RECORD || fed == EL_FED_AGAIN)
        el_rows_record(&r->rows, &record, fed == EL_FED_RECORD && !line->ended);
    return fed != EL_FED_FAILED || drop_record(r);
}

/* A record that is still open ends: what follows begins one, or nothing follows. */
static bool close_record(struct el_reader *r, bool last, struct el_error *err) {
    struct el_record record;
    enum el_fed fed = last ? el_records_finish(r->records, &record, err)
                           : el_records_cut(r->records, &record, err);
    if (fed == EL_FED_RECORD)
        el_rows_record(&r->rows, &record, last);
    return fed != EL_FED_FAILED || drop_record(r);
}

/* ---- rows at the same time, through skim.h ---- */

/* Work for all threads: pieces of the next stretch, rows of lines at hand into the block's room, columns. */
struct round {
    struct el_reader *reader;
    size_t errands, rows, parts;
    size_t first; /* row of the block for scanned[0] */
};

static void scan_line(struct el_reader *r, size_t item, size_t first) {
    const struct el_line *line = &r->line[r->at + item];
    struct el_scanned *s = &r->scanned[item];
    el_scanner_row(&r->scanner, line->text, el_block_room(&r->rows.block, first + item), s);
    s->regular &= line->ended;
}

static void round_item(void *ctx, size_t item, unsigned member) {
    const struct round *round = ctx;
    struct el_reader *r = round->reader;
    (void)member;
    if (item < round->errands)
        el_lines_run_errand(r->lines, item);
    else if (item < round->errands + round->rows)
        scan_line(r, item - round->errands, round->first);
    else
        el_block_turn(&r->rows.block, item - round->errands - round->rows);
}

/* Read so many pieces; scan so many rows; turn those that are settled. */
static void run_round(struct el_reader *r, size_t errands, size_t rows, bool turn) {
    struct el_crew *crew = r->rows.options.crew;
    struct el_block *b = &r->rows.block;
    struct round round = { .reader = r, .errands = errands, .rows = rows, .first = b->rows };
    round.parts = turn ? el_block_parts(b) : 0;
    size_t items = round.errands + round.rows + round.parts;
    if (crew) {
        el_crew_run(crew, items, round_item, &round);
    } else {
        for (size_t i = 0; i < items; i++)
            round_item(&round, i, 0);
    }
    if (round.parts) {
        el_block_turned(b);
        r->borrows = false;
    }
}

/* How many of the next lines begin rows; they fit the block.  The baseline of a run comes alone.  Either all were
 * scanned ahead, or none. */
static size_t gather(struct el_reader *r, bool *ahead) {
    size_t room = r->rows.block.most - r->rows.block.rows, n = 0;
    if (r->rows.previous == EL_NO_TIME)
        room = 1;
    for (; n < room && r->at + n < r->count; n++) {
        const struct el_line *line = &r->line[r->at + n];
        const struct el_scanned *kept = el_scanner_find(&r->scanner, line);
        if (n && *ahead != (kept != NULL))
            break;
        *ahead = kept != NULL;
        if (kept)
            r->scanned[n] = *kept;
        else if (!el_scanner_begins(&r->scanner, line->text, &r->scanned[n]))
            break;
    }
    return n;
}

/* Are the values of a row at that time wanted?  The baseline's are not. */
static bool is_sample(const struct el_rows *rows, int64_t when) {
    return rows->previous != EL_NO_TIME && el_rows_in_window(rows, when);
}

/* In order: a regular row that is a sample enters the block, all else goes through record.h. */
static bool settle(struct el_reader *r, const struct el_line *line, const struct el_scanned *s,
                   bool ahead, struct el_error *err) {
    struct el_rows *rows = &r->rows;
    struct el_block *b = &rows->block;
    bool inside = is_sample(rows, s->when);
    if (el_records_open(r->records) && !close_record(r, false, err))
        return false;
    if (!s->regular || (inside && s->when <= rows->previous))
        return feed_line(r, line, err);
    el_rows_count(rows, s->when, s->has_seconds, line->number);
    if (inside) {
        double *value = ahead ? s->value : el_block_room(b, b->rows);
        if (value != s->value) /* a row before it fell out */
            memcpy(value, s->value, b->slots * sizeof *value);
        el_rows_accept(rows, s->when, line->number, value, &s->tally);
        r->borrows |= ahead;
    }
    rows->previous = s->when;
    return true;
}

static bool scan_rows(struct el_reader *r, size_t count, bool ahead, struct el_error *err) {
    const struct el_line *line = &r->line[r->at];
    if (!ahead)
        run_round(r, 0, count, false);
    for (size_t i = 0; i < count && !r->rows.past; i++)
        if (!settle(r, &line[i], &r->scanned[i], ahead, err))
            return false;
    r->at += count;
    return true;
}

/* ---- the loop ---- */

static bool finish(struct el_reader *r, struct el_error *err) {
    struct el_quality *q = r->rows.quality;
    r->ended = true;
    if (!close_record(r, true, err))
        return false;
    struct el_lines_traits t = el_lines_traits(r->lines);
    el_quality_add(q, EL_Q_UTF8_MARK, 1, t.utf8_mark);
    el_quality_add(q, EL_Q_UTF16, 1, t.utf16);
    el_quality_add(q, EL_Q_CR_ONLY, 1, t.cr_only);
    el_quality_add(q, EL_Q_CRLF, t.crlf, t.crlf > 0);
    el_quality_add(q, EL_Q_DAMAGED, 1, el_source_damage(r->source) != NULL);
    return true;
}

static bool one_step(struct el_reader *r, struct el_error *err) {
    const struct el_rows *rows = &r->rows;
    if (rows->past)
        return finish(r, err);
    if (r->again)
        return feed_line(r, &r->line[r->at - 1], err);
    if (rows->in_run)
        el_scanner_plan(&r->scanner);
    if (r->at == r->count) {
        size_t errands = rows->options.crew ? el_lines_errands(r->lines) : 0;
        run_round(r, errands, 0, r->borrows);
        enum el_line_result got = el_lines_next(r->lines, r->line, EL_BLOCK_ROWS, &r->count, err);
        r->at = 0;
        if (got == EL_LINE_FAILED)
            return false;
        return got == EL_LINE_END ? finish(r, err) : true;
    }
    bool ahead = false,
         may_scan = !rows->options.libcsv_only && rows->in_run && !el_records_open(r->records);
    size_t count = may_scan ? gather(r, &ahead) : 0;
    return count ? scan_rows(r, count, ahead, err) : feed_line(r, &r->line[r->at++], err);
}

enum el_read el_reader_next(struct el_reader *r, const struct el_block **out,
                            struct el_error *err) {
    struct el_rows *rows = &r->rows;
    rows->block.rows = rows->block.turned = 0;
    if (rows->opened)
        el_rows_begin_run(rows);
    for (;;) {
        if (rows->header_waits && rows->block.rows == 0) {
            el_rows_open_run(rows);
            return EL_READ_RUN;
        }
        if (rows->block.rows &&
            (rows->header_waits || r->ended || rows->block.rows == rows->block.most)) {
            run_round(r, 0, 0, true);
            *out = &rows->block;
            return EL_READ_BLOCK;
        }
        if (r->ended)
            return EL_READ_END;
        if (!one_step(r, err))
            return EL_READ_FAILED;
    }
}

void el_reader_totals(struct el_reader *r, struct el_totals *out) {
    struct el_rows *rows = &r->rows;
    rows->totals.interval_s = el_intervals_median(&rows->intervals);
    for (size_t i = 0; i < rows->intervals.count; i++)
        if ((double)rows->intervals.item[i].ms > 3000 * rows->totals.interval_s)
            el_quality_add(rows->quality, EL_Q_GAP, rows->intervals.item[i].first_line,
                           rows->intervals.item[i].count);
    *out = rows->totals;
}
