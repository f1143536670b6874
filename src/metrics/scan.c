#include "scan.h"

#include "esxlat/base/clock.h"

#define HALF        (EL_SCANS / 2)
#define MOST_VALUES ((size_t)512 * 1024) /* 4 MiB for each half: about the text of a stretch */

void el_scanner_release(struct el_scanner *s) {
    el_free(s->column);
    el_free(s->room);
}

void el_scanner_plan(struct el_scanner *s) {
    const struct el_catalog *c = s->rows->catalog;
    const struct el_run *run = &c->run;
    void *column = s->column, *room = s->room;
    if (s->run == c->runs)
        return;
    el_grow(&column, &s->column_room, run->slots + 1, sizeof *s->column);
    s->most = MOST_VALUES / s->rows->block.width < HALF ? MOST_VALUES / s->rows->block.width : HALF;
    el_grow(&room, &s->room_size, 2 * s->most * s->rows->block.width + 1, sizeof *s->room);
    s->column = column;
    s->room = room;
    for (size_t i = 0; i < run->slots; i++)
        s->column[i] = run->wanted[i].column;
    s->plan = (struct el_skim_plan){ s->column, run->slots, run->width, s->rows->options.level };
    s->run = c->runs;
}

bool el_scanner_begins(const struct el_scanner *s, struct el_str text, struct el_scanned *out) {
    const char *p = text.ptr;
    size_t n = text.len < 40 ? text.len : 40, quote = 1;
    if (n < 3 || p[0] != '"' || p[1] < '0' || p[1] > '9')
        return false;
    while (quote < n && p[quote] != '"')
        quote++;
    if (quote + 1 >= n || p[quote + 1] != ',')
        return false;
    struct el_str stamp = { p + 1, quote - 1 };
    if (p[quote - 1] < '0') /* a blank at the end */
        return false;
    *out = (struct el_scanned){ .run = 0 };
    out->when = el_clock_parse(stamp, s->rows->catalog->run.minutes_west, &out->has_seconds);
    return out->when != EL_NO_TIME;
}

void el_scanner_row(const struct el_scanner *s, struct el_str text, double *value,
                    struct el_scanned *out) {
    struct el_skim_plan plan = s->plan;
    if (!el_rows_in_window(s->rows, out->when))
        plan.columns = 0; /* only its shape matters */
    out->run = s->run;
    out->value = value;
    out->regular = el_skim_row(&plan, text, value, &out->tally);
}

void el_scanner_ahead(void *scanner, struct el_str text, unsigned number) {
    struct el_scanner *s = scanner;
    struct el_scanned *kept = &s->ahead[number];
    size_t row = number % HALF;
    kept->run = 0;
    if (s->run && row < s->most && el_scanner_begins(s, text, kept))
        el_scanner_row(s, text, s->room + (number / HALF * s->most + row) * s->rows->block.width,
                       kept);
}

const struct el_scanned *el_scanner_find(const struct el_scanner *s, const struct el_line *line) {
    const struct el_scanned *kept = line->scan == EL_NOT_SCANNED ? NULL : &s->ahead[line->scan];
    return kept && kept->run && kept->run == s->rows->catalog->runs ? kept : NULL;
}
