#include "table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "esxlat/base/num.h"

static void gap(struct el_page *p, size_t at) {
    if (at)
        el_buf_char(p->out, ' ');
}

/* Text of ours, ASCII; cut if it is too wide. */
static void cell(struct el_page *p, const struct el_column *c, size_t at, const char *text) {
    int width = (int)c[at].width;
    gap(p, at);
    el_buf_print(p->out, "%*.*s", c[at].left ? -width : width, width, text);
}

void el_table_head(struct el_page *p, const struct el_column *column, size_t columns) {
    for (size_t i = 0; i < columns; i++)
        cell(p, column, i, column[i].title);
    el_buf_char(p->out, '\n');
}

void el_table_name(struct el_page *p, const struct el_column *column, size_t at,
                   struct el_str name) {
    struct el_buf scratch = { 0 };
    el_page_short(&scratch, name, column[at].width);
    struct el_str s = { scratch.ptr, scratch.len };
    gap(p, at);
    if (s.len)
        el_buf_add(p->out, s.ptr, s.len);
    el_buf_print(p->out, "%*s", (int)(column[at].width - el_page_columns(s)), "");
    el_buf_release(&scratch);
}

/* At most `room` (>= 6) columns: digits first, then an exponent, then the bare order of magnitude. */
static void number_text(double value, size_t room, char out[EL_NUM_ROOM]) {
    el_num_short(value, out);
    if (strlen(out) > room)
        (void)snprintf(out, EL_NUM_ROOM, "%.1e", value);
    if (strlen(out) > room)
        (void)snprintf(out, EL_NUM_ROOM, "%.0e", value);
    if (strlen(out) > room)
        (void)snprintf(out, EL_NUM_ROOM, value < 0 ? "<<0" : "huge");
}

void el_table_number(struct el_page *p, const struct el_column *column, size_t at, double value) {
    char text[EL_NUM_ROOM];
    number_text(value, column[at].width, text);
    cell(p, column, at, text);
}

char *el_table_count_text(double value, char out[EL_COUNT_ROOM]) {
    static const char unit[] = "kMGTP";
    size_t i = 0;
    if (!isfinite(value)) {
        (void)snprintf(out, EL_COUNT_ROOM, "-");
        return out;
    }
    if (fabs(value) < 9999.5) {
        (void)snprintf(out, EL_COUNT_ROOM, "%.0f", fabs(value) < 0.5 ? 0.0 : value);
        return out;
    }
    for (value /= 1000; fabs(value) >= 999.5 && i + 2 < sizeof unit; i++)
        value /= 1000;
    if (fabs(value) >= 999.5)
        (void)snprintf(out, EL_COUNT_ROOM, "%.0e", value * 1e15);
    else
        (void)snprintf(out, EL_COUNT_ROOM, "%.*f%c",
                       fabs(value) < 9.995   ? 2
                       : fabs(value) < 99.95 ? 1
                                             : 0,
                       value, unit[i]);
    return out;
}

void el_table_count(struct el_page *p, const struct el_column *column, size_t at, double value) {
    char text[EL_COUNT_ROOM];
    cell(p, column, at, el_table_count_text(value, text));
}

/* Gauges are small whole numbers, or means of them. */
static void gauge_text(double value, char out[EL_COUNT_ROOM]) {
    if (isfinite(value) && fabs(value) < 99.95 && fabs(value - round(value)) >= 0.05)
        (void)snprintf(out, EL_COUNT_ROOM, "%.1f", value);
    else
        el_table_count_text(value, out);
}

void el_table_pair(struct el_page *p, const struct el_column *column, size_t at, bool there,
                   double a, double b, char between) {
    char left[EL_COUNT_ROOM], right[EL_COUNT_ROOM], both[2 * EL_COUNT_ROOM + 2] = "-";
    if (there) {
        gauge_text(a, left);
        gauge_text(b, right);
        if (strcmp(left, right) == 0)
            (void)snprintf(both, sizeof both, "%s", left);
        else
            (void)snprintf(both, sizeof both, "%s%c%s", left, between, right);
    }
    cell(p, column, at, both);
}
