/* Windows: PDH-CSV.  The header holds counter paths, and the zone as "(PDH-CSV 4.0) (W. Europe Standard Time)(-60)": minutes
 * that are added to come to UTC.  Times are local, always month first; numbers have the decimal sign of the
 * machine, quoted. */
#include <string.h>

#include "esxlat/base/clock.h"
#include "esxlat/base/num.h"
#include "esxlat/capture/counter.h"
#include "esxlat/input/record.h"
#include "guest.h"

enum figure { IOS, READS, WRITES, ALL, READ, WRITE, QUEUE, FIGURES };
static const char *const spellings[FIGURES] = {
    [IOS] = "Disk Transfers/sec",       [READS] = "Disk Reads/sec",
    [WRITES] = "Disk Writes/sec",       [ALL] = "Avg. Disk sec/Transfer",
    [READ] = "Avg. Disk sec/Read",      [WRITE] = "Avg. Disk sec/Write",
    [QUEUE] = "Avg. Disk Queue Length",
};

struct column { /* of a wanted counter */
    size_t field, disk;
    enum figure figure;
};

struct reading {
    struct el_guest *out;
    struct el_counter_names *names;
    struct column *column;
    size_t columns, room;
    int minutes_west;
    int64_t last; /* time of the row before */
    bool has_rates, has_latencies, other_disks;
};

static bool same_letters(struct el_str a, const char *b) {
    if (a.len != strlen(b)) /* a name may hold a NUL */
        return false;
    for (size_t i = 0; i < a.len; i++) {
        char c = a.ptr[i], d = b[i];
        c = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
        d = d >= 'A' && d <= 'Z' ? (char)(d + 32) : d;
        if (c != d)
            return false;
    }
    return true;
}

/* The number in the last parentheses. */
static int zone_of(struct el_str cell) {
    size_t open = cell.len;
    while (open > 0 && cell.ptr[open - 1] != '(')
        open--;
    size_t close = open;
    while (close < cell.len && cell.ptr[close] != ')')
        close++;
    double minutes = el_num_parse((struct el_str){ cell.ptr + open, close - open });
    return minutes >= -900 && minutes <= 900 ? (int)minutes : 0;
}

static enum figure figure_of(struct el_str counter) {
    for (int f = 0; f < FIGURES; f++)
        if (same_letters(counter, spellings[f]))
            return (enum figure)f;
    return FIGURES;
}

static void take_column(struct reading *r, size_t field, struct el_str cell) {
    struct el_counter_path path;
    if (!el_counter_split(r->names, cell, &path) || !path.has_instance)
        return;
    if (!r->out->host.len && path.host.len)
        r->out->host = (struct el_str){ el_arena_text(&r->out->arena, path.host.ptr, path.host.len),
                                        path.host.len };
    r->other_disks |=
        same_letters(path.object, "LogicalDisk") || el_str_starts(path.object, "Physical Disk");
    enum figure figure = figure_of(path.counter);
    if (figure == FIGURES || !same_letters(path.object, "PhysicalDisk") ||
        same_letters(path.instance, "_Total"))
        return;
    struct el_guest_disk *d = el_guest_disk(r->out, path.instance);
    if (!d) {
        r->out->hidden += figure == IOS || figure == READS;
        return;
    }
    r->has_rates |= figure == IOS || figure == READS;
    r->has_latencies |= figure >= ALL;
    *EL_PUSH(r->column, r->columns, r->room) =
        (struct column){ field, (size_t)(d - r->out->disk), figure };
}

static void take_header(struct reading *r, const struct el_record *record) {
    r->minutes_west = zone_of(record->field[0]);
    r->last = EL_NO_TIME;
    r->columns = 0;
    for (size_t i = 1; i < record->fields; i++)
        take_column(r, i, record->field[i]);
}

/* A number with a point or, on machines of other languages, a comma. */
static double value_of(struct el_str cell) {
    char copy[48];
    if (cell.len >= sizeof copy)
        return EL_NAN;
    for (size_t i = 0; i < cell.len; i++)
        copy[i] = cell.ptr[i] == ',' ? '.' : cell.ptr[i];
    return el_num_parse((struct el_str){ copy, cell.len });
}

static bool add_disk(struct reading *r, const struct el_record *record, size_t disk, int64_t now) {
    double v[FIGURES];
    for (int f = 0; f < FIGURES; f++)
        v[f] = EL_NAN;
    for (size_t i = 0; i < r->columns; i++)
        if (r->column[i].disk == disk && r->column[i].field < record->fields)
            v[r->column[i].figure] = value_of(record->field[r->column[i].field]);
    const struct el_guest_figures figures = { v[IOS],        v[READS],       v[WRITES],
                                              1000 * v[ALL], 1000 * v[READ], 1000 * v[WRITE],
                                              v[QUEUE] };
    return el_guest_add(&r->out->disk[disk], r->last, now, &figures);
}

static void take_row(struct reading *r, const struct el_record *record) {
    int64_t now = el_clock_parse(record->field[0], r->minutes_west, NULL);
    bool any = false;
    if (now == EL_NO_TIME) {
        r->out->unused++;
        return;
    }
    if (r->last != EL_NO_TIME) {
        for (size_t d = 0; now > r->last && d < r->out->disks; d++)
            any |= add_disk(r, record, d, now);
        *(any ? &r->out->samples : &r->out->unused) += 1;
    }
    r->last = now;
}

static void take_record(struct reading *r, const struct el_record *record) {
    if (el_str_starts(record->field[0], "(PDH-"))
        take_header(r, record);
    else if (record->cut)
        r->out->cut = true;
    else
        take_row(r, record);
}

/* A line into records; NULL: the end. */
static bool feed(struct reading *r, struct el_records *records, const struct el_line *line,
                 struct el_error *err) {
    struct el_record record;
    enum el_fed fed;
    do {
        fed = line ? el_records_feed(records, line, &record, err)
                   : el_records_finish(records, &record, err);
        if (fed == EL_FED_RECORD || fed == EL_FED_AGAIN)
            take_record(r, &record);
    } while (fed == EL_FED_AGAIN);
    return fed != EL_FED_FAILED;
}

static bool read_all(struct reading *r, struct el_source *source, struct el_error *err) {
    enum { MOST = 64 };
    struct el_line line[MOST];
    size_t count = 0;
    enum el_line_result got = EL_LINE_END;
    struct el_lines *lines = el_lines_new(source, 0, false, NULL, NULL);
    struct el_records *records = el_records_new(false);
    bool good = true;
    while (good && (got = el_lines_next(lines, line, MOST, &count, err)) == EL_LINE_READ)
        for (size_t i = 0; good && i < count; i++)
            good = feed(r, records, &line[i], err);
    good = good && got != EL_LINE_FAILED && feed(r, records, NULL, err);
    el_records_free(records);
    el_lines_free(lines);
    return good;
}

static bool is_useful(const struct reading *r, struct el_error *err) {
    struct el_buf name = { 0 };
    const char *what = r->other_disks   ? "has other disk counters, but none of PhysicalDisk"
                       : !r->out->disks ? "has no counters of PhysicalDisk (in English)"
                       : !r->has_rates  ? "has no Disk Transfers/sec"
                                        : "has no Avg. Disk sec/Transfer";
    if (r->out->disks && r->has_rates && r->has_latencies)
        return true;
    (void)el_buf_visible(&name, el_str(r->out->file));
    (void)el_fail(err, EL_CAPTURE,
                  "'%s' %s\nexpected: \\\\HOST\\PhysicalDisk(0 C:)\\ with Disk Transfers/sec and "
                  "Avg. Disk sec/Transfer, better also Reads, Writes, sec/Read and sec/Write:\n"
                  "typeperf -si 5 -o guest.csv \"\\PhysicalDisk(*)\\*\"",
                  name.ptr ? name.ptr : "", what);
    el_buf_release(&name);
    return false;
}

bool el_perfmon_read(struct el_source *source, struct el_guest *out, struct el_error *err) {
    struct reading r = { .out = out, .last = EL_NO_TIME };
    out->kind = "perfmon";
    out->has_zone = true;
    r.names = el_counter_names_new();
    bool good = read_all(&r, source, err) && is_useful(&r, err);
    el_counter_names_free(r.names);
    el_free(r.column);
    return good;
}
