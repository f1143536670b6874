#include "esxlat/input/record.h"

#include <csv.h>
#include <string.h>

#include "esxlat/base/mem.h"

#define GROWTH 4096 /* bytes libcsv grows its field by; its default of 128 is slow for wide rows */

struct el_records {
    struct csv_parser csv;
    struct el_buf cells; /* the bytes of all fields, one after the other */
    size_t *end;         /* of each field in `cells` */
    size_t ends, ends_room;
    struct el_str *field;
    size_t field_room;
    uint64_t line;
    bool reference; /* libcsv only */
    bool open, done, too_many, too_long, quoted;
    bool ended; /* the last line fed had an end */
};

static void on_field(void *bytes, size_t length, void *ctx) {
    struct el_records *r = ctx;
    r->too_many |= r->ends >= EL_FIELDS_LIMIT;
    r->too_long |= length > EL_FIELD_LIMIT;
    if (r->too_many || r->too_long)
        return;
    el_buf_add(&r->cells, bytes ? bytes : "", length);
    *EL_PUSH(r->end, r->ends, r->ends_room) = r->cells.len;
}

static void on_row(int terminator, void *ctx) {
    struct el_records *r = ctx;
    (void)terminator;
    r->done = true;
}

/* Blanks are part of a field; those before a quote are skipped by feed_text. */
static int never(unsigned char c) {
    (void)c;
    return 0;
}

static int is_end(unsigned char c) {
    return c == '\n';
}

/* libcsv asks for memory here; a field above the limit stops it with CSV_ENOMEM. */
static void *resize_field(void *old, size_t size) {
    return size > EL_FIELD_LIMIT + GROWTH ? NULL : el_resize(old, size, 1);
}

static void start_parser(struct el_records *r) {
    (void)csv_init(&r->csv, 0); /* cannot fail for valid arguments */
    csv_set_space_func(&r->csv, never);
    csv_set_term_func(&r->csv, is_end);
    csv_set_realloc_func(&r->csv, resize_field);
    csv_set_free_func(&r->csv, el_free);
    csv_set_blk_size(&r->csv, GROWTH);
}

struct el_records *el_records_new(bool reference) {
    struct el_records *r = el_calloc(1, sizeof *r);
    r->reference = reference;
    start_parser(r);
    r->cells.limit = 2 * EL_LINE_LIMIT;
    return r;
}

uint64_t el_records_reset(struct el_records *r) {
    csv_free(&r->csv);
    start_parser(r);
    r->open = false;
    return r->line;
}

void el_records_free(struct el_records *r) {
    if (!r)
        return;
    csv_free(&r->csv);
    el_buf_release(&r->cells);
    el_free(r->end);
    el_free(r->field);
    el_free(r);
}

static bool feed_bytes(struct el_records *r, const char *bytes, size_t length) {
    return length == 0 || csv_parse(&r->csv, bytes, length, on_field, on_row, r) == length;
}

/* The text of a line, without blanks that stand between a comma and a quote. */
static bool feed_text(struct el_records *r, struct el_str t) {
    size_t done = 0;
    for (size_t i = 0; i < t.len; i++) {
        if ((t.ptr[i] != ' ' && t.ptr[i] != '\t') || (i > 0 && t.ptr[i - 1] != ','))
            continue;
        size_t j = i;
        while (j < t.len && (t.ptr[j] == ' ' || t.ptr[j] == '\t'))
            j++;
        if (j < t.len && t.ptr[j] == '"') {
            if (!feed_bytes(r, t.ptr + done, i - done))
                return false;
            done = r->csv.quoted ? i : j; /* inside a quoted field the comma and blanks are text */
        }
        i = j - 1;
    }
    return feed_bytes(r, t.ptr + done, t.len - done);
}

static bool digits(struct el_str t, size_t at, size_t count) {
    for (size_t i = at; i < at + count; i++)
        if (i >= t.len || t.ptr[i] < '0' || t.ptr[i] > '9')
            return false;
    return true;
}

static bool is_at(struct el_str t, size_t at, const char *any_of) {
    return at < t.len && strchr(any_of, t.ptr[at]) != NULL && t.ptr[at] != '\0';
}

/* "(PDH-CSV, "M/D/YYYY H or "YYYY-MM-DD[T ]H */
static bool starts_record(struct el_str t) {
    if (el_str_starts(t, "\"(PDH-CSV"))
        return true;
    if (!is_at(t, 0, "\""))
        return false;
    if (digits(t, 1, 4) && is_at(t, 5, "-") && digits(t, 6, 2) && is_at(t, 8, "-") &&
        digits(t, 9, 2) && is_at(t, 11, "T ") && digits(t, 12, 1))
        return true;
    size_t month = digits(t, 1, 2) ? 2 : 1, at = 1 + month;
    if (!digits(t, 1, month) || !is_at(t, at, "/"))
        return false;
    size_t day = digits(t, at + 1, 2) ? 2 : 1;
    return digits(t, at + 1, day) && is_at(t, at + 1 + day, "/") && digits(t, at + 2 + day, 4) &&
           is_at(t, at + 6 + day, " ") && digits(t, at + 7 + day, 1);
}

/* The JIT of PCRE2 looks at whole vectors and so a few bytes past a field's end: they are set. */
static void pad(struct el_buf *cells) {
    static const char zeros[32];
    size_t length = cells->len;
    el_buf_add(cells, zeros, sizeof zeros);
    cells->len = length;
    cells->full = false; /* the padding may meet the limit, the fields did not */
}

static void give(struct el_records *r, bool cut, bool open_quote, struct el_record *out) {
    void *fields = r->field;
    el_grow(&fields, &r->field_room, r->ends, sizeof *r->field);
    r->field = fields;
    pad(&r->cells);
    size_t start = 0;
    for (size_t i = 0; i < r->ends; i++) {
        r->field[i] = (struct el_str){ r->cells.ptr + start, r->end[i] - start };
        start = r->end[i];
    }
    *out = (struct el_record){ r->field, r->ends, r->line, r->quoted, cut, open_quote };
}

static enum el_fed refuse(struct el_records *r, struct el_error *err) {
    bool field = r->too_long || csv_error(&r->csv) != 0;
    (void)el_fail(err, EL_CAPTURE, "line %llu: a %s: this is not a capture that esxtop wrote",
                  (unsigned long long)r->line,
                  field ? "field is longer than 1 MiB"
                        : "record has more than 4,194,304 fields or 512 MiB");
    return EL_FED_FAILED;
}

static bool too_large(const struct el_records *r) {
    return r->too_many || r->too_long || r->cells.full;
}

static void begin(struct el_records *r, const struct el_line *line) {
    struct el_str text = el_str_trim(line->text);
    el_buf_clear(&r->cells);
    r->ends = 0;
    r->done = r->too_many = r->too_long = false;
    r->line = line->number;
    r->quoted = text.len > 0 && text.ptr[0] == '"';
}

/* The line end that was fed last is no part of the field that was cut off. */
static void strip_line_end(struct el_records *r) {
    size_t start = r->ends > 1 ? r->end[r->ends - 2] : 0;
    if (r->ends && r->cells.len > start && r->cells.ptr[r->cells.len - 1] == '\n')
        r->end[r->ends - 1] = --r->cells.len;
}

/* End a record that is still open: libcsv hands over what it has. */
static enum el_fed close_open(struct el_records *r, bool strip, struct el_record *out,
                              struct el_error *err) {
    r->open = false;
    (void)csv_fini(&r->csv, on_field, on_row, r);
    if (too_large(r))
        return refuse(r, err);
    if (strip)
        strip_line_end(r);
    give(r, true, true, out);
    return EL_FED_RECORD;
}

/* ---- lines of plain shape ---- */

/* One field from the front of *rest, which then begins with the comma behind it or is empty; false: not plain. */
static bool take_plain(struct el_str *rest, struct el_str *field) {
    const char *p = rest->ptr, *end = p + rest->len;
    if (rest->len && *p == '"') {
        const char *quote = memchr(p + 1, '"', rest->len - 1);
        if (!quote || (quote + 1 < end && quote[1] != ','))
            return false;
        *field = (struct el_str){ p + 1, (size_t)(quote - p - 1) };
        *rest = (struct el_str){ quote + 1, (size_t)(end - quote - 1) };
    } else {
        const char *comma = rest->len ? memchr(p, ',', rest->len) : NULL;
        *field = (struct el_str){ p, comma ? (size_t)(comma - p) : rest->len };
        *rest = (struct el_str){ p + field->len, rest->len - field->len };
        size_t blanks = 0;
        while (blanks < field->len && (p[blanks] == ' ' || p[blanks] == '\t'))
            blanks++;
        if (blanks && blanks < field->len && p[blanks] == '"')
            return false;
    }
    return field->len <= EL_FIELD_LIMIT;
}

/* Split a whole line; false: it must go to libcsv. */
static bool split_plain(struct el_records *r, const struct el_line *line, struct el_record *out) {
    struct el_str rest = line->text;
    size_t count = 0;
    if (r->reference || rest.len == 0 || (!line->ended && memchr(rest.ptr, '"', rest.len)))
        return false;
    for (;;) {
        if (count >= EL_FIELDS_LIMIT || !take_plain(&rest, EL_PUSH(r->field, count, r->field_room)))
            return false;
        if (rest.len == 0)
            break;
        rest = (struct el_str){ rest.ptr + 1, rest.len - 1 };
    }
    begin(r, line);
    *out = (struct el_record){ r->field, count, r->line, r->quoted, !line->ended, false };
    return true;
}

enum el_fed el_records_feed(struct el_records *r, const struct el_line *line, struct el_record *out,
                            struct el_error *err) {
    if (r->open && starts_record(line->text))
        return close_open(r, true, out, err) == EL_FED_FAILED ? EL_FED_FAILED : EL_FED_AGAIN;
    if (!r->open && split_plain(r, line, out))
        return EL_FED_RECORD;
    if (!r->open)
        begin(r, line);
    r->ended = line->ended;
    if (!feed_text(r, line->text) || !feed_bytes(r, "\n", 1) || too_large(r))
        return refuse(r, err);
    if (r->done) {
        r->open = false;
        give(r, !line->ended, false, out);
        return EL_FED_RECORD;
    }
    r->open = r->csv.quoted != 0;
    return EL_FED_MORE;
}

enum el_fed el_records_finish(struct el_records *r, struct el_record *out, struct el_error *err) {
    return r->open ? close_open(r, !r->ended, out, err) : EL_FED_MORE;
}

enum el_fed el_records_cut(struct el_records *r, struct el_record *out, struct el_error *err) {
    return r->open ? close_open(r, true, out, err) : EL_FED_MORE;
}

bool el_records_open(const struct el_records *r) {
    return r->open;
}
