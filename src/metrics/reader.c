#include "esxlat/metrics/reader.h"

#include <string.h>

#include "esxlat/base/clock.h"
#include "esxlat/base/num.h"
#include "rows.h"

/* A row that begins with a quoted timestamp, scanned on its own. */
struct scanned {
    const struct el_line *line;
    int64_t when;
    bool has_seconds, regular;
    struct el_skim_tally tally;
};

struct el_reader {
    struct el_rows rows;
    struct el_source *source;
    struct el_lines *lines;
    struct el_records *records;
    struct el_line line[EL_BLOCK_ROWS]; /* at hand; [at] comes next */
    size_t at, count;
    bool again; /* the line before [at] ended a record that was left open: feed it again */
    bool ended;
    struct scanned scanned[EL_BLOCK_ROWS];
    uint32_t *column; /* of the run's slots, for the scanner */
    size_t column_room, planned_run;
    struct el_skim_plan plan;
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
    r->lines =
        el_lines_new(source, options->chunk, options->crew && el_crew_size(options->crew) > 1);
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
    el_free(r->column);
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

/* Does the line begin with a quoted timestamp and a comma?  record.h then takes it for the start of a record. */
static bool begins_row(const struct el_line *line, int minutes_west, struct scanned *out) {
    const char *p = line->text.ptr;
    size_t n = line->text.len < 40 ? line->text.len : 40, quote = 1;
    if (n < 3 || p[0] != '"' || p[1] < '0' || p[1] > '9')
        return false;
    while (quote < n && p[quote] != '"')
        quote++;
    if (quote + 1 >= n || p[quote + 1] != ',')
        return false;
    struct el_str stamp = { p + 1, quote - 1 };
    if (p[quote - 1] < '0') /* a blank at the end */
        return false;
    *out = (struct scanned){ .line = line };
    out->when = el_clock_parse(stamp, minutes_west, &out->has_seconds);
    return out->when != EL_NO_TIME;
}

static void make_plan(struct el_reader *r) {
    const struct el_catalog *c = r->rows.catalog;
    const struct el_run *run = &c->run;
    if (r->planned_run == c->runs)
        return;
    void *column = r->column;
    el_grow(&column, &r->column_room, run->slots + 1, sizeof *r->column);
    r->column = column;
    for (size_t i = 0; i < run->slots; i++)
        r->column[i] = run->wanted[i].column;
    r->plan = (struct el_skim_plan){ r->column, run->slots, run->width, r->rows.options.level };
    r->planned_run = c->runs;
}

/* Are the values of a row at that time wanted?  The baseline's are not. */
static bool is_sample(const struct el_rows *rows, int64_t when) {
    return rows->previous != EL_NO_TIME && el_rows_in_window(rows, when);
}

struct scan_job {
    struct el_reader *reader;
    size_t first; /* row of the block for scanned[0] */
    size_t reads; /* as many items first read a piece of the next stretch, the rows come behind */
};

static void scan_row(const struct scan_job *job, size_t item) {
    struct el_reader *r = job->reader;
    struct scanned *s = &r->scanned[item];
    double *value = el_block_row(&r->rows.block, job->first + item);
    struct el_skim_plan plan = r->plan;
    if (!is_sample(&r->rows, s->when))
        plan.columns = 0; /* only its shape matters */
    s->regular = s->line->ended && el_skim_row(&plan, s->line->text, value, &s->tally);
}

static void scan_item(void *ctx, size_t item, unsigned member) {
    const struct scan_job *job = ctx;
    (void)member;
    if (item < job->reads)
        el_lines_run_errand(job->reader->lines, item);
    else
        scan_row(job, item - job->reads);
}

/* How many of the next lines begin rows; they fit the block.  The baseline of a run comes alone. */
static size_t gather(struct el_reader *r) {
    size_t room = r->rows.block.most - r->rows.block.rows, n = 0;
    if (r->rows.previous == EL_NO_TIME)
        room = 1;
    while (n < room && r->at + n < r->count &&
           begins_row(&r->line[r->at + n], r->rows.catalog->run.minutes_west, &r->scanned[n]))
        n++;
    return n;
}

/* Values of the row at `from` go to row `to` of the block, after rows before it fell out. */
static void move_row(struct el_block *b, size_t from, size_t to) {
    if (from != to && b->slots)
        memcpy(el_block_row(b, to), el_block_row(b, from), b->slots * sizeof *b->row);
}

/* In order: a regular row that is a sample enters the block, all else goes through record.h. */
static bool settle(struct el_reader *r, size_t item, size_t first, struct el_error *err) {
    struct el_rows *rows = &r->rows;
    const struct scanned *s = &r->scanned[item];
    bool inside = is_sample(rows, s->when);
    if (el_records_open(r->records) && !close_record(r, false, err))
        return false;
    if (!s->regular || (inside && s->when <= rows->previous))
        return feed_line(r, s->line, err);
    el_rows_count(rows, s->when, s->has_seconds, s->line->number);
    if (inside) {
        move_row(&rows->block, first + item, rows->block.rows);
        el_rows_accept(rows, s->when, s->line->number, &s->tally);
    }
    rows->previous = s->when;
    return true;
}

static bool scan_rows(struct el_reader *r, size_t count, struct el_error *err) {
    struct el_crew *crew = r->rows.options.crew;
    struct scan_job job = { r, r->rows.block.rows, crew ? el_lines_errands(r->lines) : 0 };
    make_plan(r);
    if (crew) {
        el_crew_run(crew, count + job.reads, scan_item, &job);
    } else {
        for (size_t i = 0; i < count; i++)
            scan_row(&job, i);
    }
    for (size_t i = 0; i < count && !r->rows.past; i++)
        if (!settle(r, i, job.first, err))
            return false;
    r->at += count;
    return true;
}

static void turn_item(void *ctx, size_t item, unsigned member) {
    (void)member;
    el_block_turn(ctx, item);
}

static void turn_block(struct el_rows *rows) {
    struct el_block *b = &rows->block;
    if (rows->options.crew) {
        el_crew_run(rows->options.crew, el_block_parts(b), turn_item, b);
        return;
    }
    for (size_t i = 0; i < el_block_parts(b); i++)
        el_block_turn(b, i);
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
    if (r->at == r->count) {
        enum el_line_result got = el_lines_next(r->lines, r->line, EL_BLOCK_ROWS, &r->count, err);
        r->at = 0;
        if (got == EL_LINE_FAILED)
            return false;
        return got == EL_LINE_END ? finish(r, err) : true;
    }
    bool may_scan = !rows->options.libcsv_only && rows->in_run && !el_records_open(r->records);
    size_t count = may_scan ? gather(r) : 0;
    return count ? scan_rows(r, count, err) : feed_line(r, &r->line[r->at++], err);
}

enum el_read el_reader_next(struct el_reader *r, const struct el_block **out,
                            struct el_error *err) {
    struct el_rows *rows = &r->rows;
    rows->block.rows = 0;
    for (;;) {
        if (rows->header_waits && rows->block.rows == 0)
            el_rows_open_run(rows);
        if (rows->block.rows &&
            (rows->header_waits || r->ended || rows->block.rows == rows->block.most)) {
            turn_block(rows);
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
