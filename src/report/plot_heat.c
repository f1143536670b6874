/* Entities x time: which ones were slow together, and when. */
#include "gnuplot.h"

#include <math.h>

#include "esxlat/base/mem.h"
#include "rank.h"

#define ROWS    60
#define COLUMNS 2000 /* more are finer than any screen */

/* One grid for all rows: captures may differ in start and width of their buckets. */
struct grid {
    int64_t start, width, end;
    size_t columns;
};

static struct grid common_grid(const struct el_report *r, const uint32_t *order, size_t rows) {
    struct grid g = { INT64_MAX, INT64_MAX, INT64_MIN, 0 };
    for (size_t i = 0; i < rows; i++) {
        const struct el_series *s = &r->entity[order[i]].series;
        int64_t end = s->start + (int64_t)s->buckets * s->width;
        g.start = s->start < g.start ? s->start : g.start;
        g.width = s->width < g.width ? s->width : g.width;
        g.end = end > g.end ? end : g.end;
    }
    if (rows && (g.end - g.start) / g.width > COLUMNS)
        g.width = (g.end - g.start + COLUMNS - 1) / COLUMNS;
    if (rows)
        g.columns = (size_t)((g.end - g.start + g.width - 1) / g.width);
    return g;
}

/* The bucket that holds this moment. */
static float value_at(const struct el_series *s, int64_t at) {
    if (at < s->start || at >= s->start + (int64_t)s->buckets * s->width)
        return (float)NAN;
    return s->mean[EL_T_GAVG][(at - s->start) / s->width];
}

static void put_matrix(struct el_buf *out, const struct el_report *r, const uint32_t *order,
                       size_t rows, const struct grid *g) {
    el_buf_text(out, "$data << EOD\n");
    for (size_t i = 0; i < rows; i++) {
        for (size_t c = 0; c < g->columns; c++) {
            float v = value_at(&r->entity[order[i]].series,
                               g->start + (int64_t)c * g->width + g->width / 2);
            if (isfinite(v))
                el_buf_print(out, "%s%.4g", c ? " " : "", (double)v);
            else
                el_buf_print(out, "%sNaN", c ? " " : "");
        }
        el_buf_text(out, g->columns < 2 ? " NaN\n" : "\n");
    }
    if (rows < 2) /* gnuplot draws no image below 2 x 2; this row lies outside the axes */
        for (size_t c = 0; c < g->columns + (g->columns < 2); c++)
            el_buf_text(out, c + 1 < g->columns + (g->columns < 2) ? "NaN " : "NaN\n");
    el_buf_text(out, "EOD\n\n");
}

/* Rank gives those with commands; a row also needs a series. */
static size_t with_series(const struct el_report *r, uint32_t *order, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count && kept < ROWS; i++) {
        const struct el_series *s = &r->entity[order[i]].series;
        if (el_gp_has(s, EL_T_GAVG))
            order[kept++] = order[i];
    }
    return kept;
}

static void put_look(struct el_buf *out, const struct grid *g) {
    el_gp_time_axis(out, g->start, g->end);
    el_buf_text(out,
                "unset key\nunset grid\nset border 15\n"
                "set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind "
                "fillcolor '#d9d9d9' "
                "fillstyle solid noborder\n"
                "set logscale cb\nset cbrange [0.1:1000]\nset format cb '%g'\nset cblabel "
                "'latency (ms), log'\n"
                "set palette defined (0 '#440154', 1 '#46327e', 2 '#365c8d', 3 '#277f8e', 4 "
                "'#1fa187', 5 '#4ac16d', "
                "6 '#a0da39', 7 '#fde725')\n"
                "# Beyond 0.1 and 1000 ms the colour stays; NaN stays NaN and shows the grey.\n"
                "seen(v) = v < 0.1 ? 0.1 : v\n");
    el_buf_print(out, "plot $data matrix using (%.3f + $1 * %.3f):2:(seen($3)) with image\n",
                 (double)(g->start + g->width / 2) / 1000, (double)g->width / 1000);
}

bool el_gp_heat(struct el_buf *out, const struct el_report *r, unsigned kinds, const char *base) {
    uint32_t *order = NULL;
    size_t count = el_rank(r, kinds, &order), rows = 0;
    for (size_t i = 0; i < count; i++)
        if (kinds & EL_KIND_BIT(r->entity[order[i]].kind))
            order[rows++] = order[i];
    rows = with_series(r, order, rows);
    if (rows) {
        struct grid g = common_grid(r, order, rows);
        bool virtual = kinds & EL_KIND_BIT(EL_VDISK);
        el_gp_begin(out, base, "latency of entities over time", 1100, el_gp_rows_height(rows));
        put_matrix(out, r, order, rows, &g);
        el_buf_print(out, "set title '%s over time; grey: no commands'\n",
                     virtual ? "LAT of virtual disks" : "GAVG of devices");
        el_gp_rows(out, r, order, rows);
        put_look(out, &g);
    }
    el_free(order);
    return rows > 0;
}
