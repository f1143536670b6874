#include "gnuplot.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "page.h"

/* Inside single quotes only ' itself is special, doubled it stands for itself; a backslash is one.  But gnuplot
 * 5.4 takes '' at the very begin of a string for an empty one, so something must stand before a name. */
static void quoted(struct el_buf *out, struct el_str s, bool percent) {
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '\'' || (percent && s.ptr[i] == '%'))
            el_buf_char(out, s.ptr[i]);
        el_buf_char(out, s.ptr[i]);
    }
}

static void quoted_short(struct el_buf *out, struct el_str name, size_t room, bool percent) {
    struct el_buf scratch = { 0 };
    el_page_short(&scratch, name, room);
    quoted(out, (struct el_str){ scratch.ptr, scratch.len }, percent);
    el_buf_release(&scratch);
}

void el_gp_name(struct el_buf *out, const char *before, struct el_str name, size_t room,
                const char *after) {
    assert(*before);
    el_buf_print(out, "'%s", before);
    quoted_short(out, name, room, false);
    el_buf_print(out, "%s'", after);
}

void el_gp_tic(struct el_buf *out, struct el_str name, size_t room) {
    el_buf_text(out, "' ");
    quoted_short(out, name, room, true);
    el_buf_char(out, '\'');
}

void el_gp_title(struct el_buf *out, const struct el_entity_report *e) {
    el_buf_print(out, "set title '%s ", el_kind_name(e->kind));
    quoted_short(out, e->name, 48, false);
    if (e->host.len) {
        el_buf_text(out, " on ");
        quoted_short(out, e->host, 24, false);
    }
    el_buf_text(out, "'\n");
}

void el_gp_begin(struct el_buf *out, const char *base, const char *what, unsigned width,
                 unsigned height) {
    el_buf_print(out, "# %s.gp - %s\n", base, what);
    el_buf_print(out, "# `gnuplot %s.gp` draws %s.svg beside this file; for another terminal:\n",
                 base, base);
    el_buf_print(out, "# gnuplot -e \"term='png'\" %s.gp\n\n", base);
    el_buf_text(out,
                "if (!exists('term')) term = 'svg'\n"
                "here = exists('ARG0') ? ARG0 : ''\n"
                "while (strlen(here) > 0 && here[strlen(here):] ne '/') { here = "
                "here[1:strlen(here) - 1] }\n"
                "ending = strstrt(term, 'png') ? 'png' : strstrt(term, 'pdf') ? 'pdf' : term\n");
    el_buf_print(out, "if (!exists('out')) out = here.'%s.'.ending\n", base);
    el_buf_text(out, "set encoding utf8\n"
                     "cairo = strstrt(GPVAL_TERMINALS, 'pngcairo') > 0\n");
    el_buf_print(out,
                 "if (term eq 'svg') set terminal svg noenhanced size %u,%u font 'sans-serif,13' "
                 "background '#ffffff'\n",
                 width, height);
    el_buf_print(
        out,
        "if (term eq 'png' && cairo) set terminal pngcairo noenhanced size %u,%u font 'sans,10'\n",
        width, height);
    el_buf_print(out, "if (term eq 'png' && !cairo) set terminal png noenhanced size %u,%u\n",
                 width, height);
    el_buf_text(out, "if (term ne 'png' && term ne 'svg') set terminal @term noenhanced\n"
                     "if (term ne 'dumb') set output out\n\n"
                     "set tics nomirror out\n"
                     "set border 3\n"
                     "set grid ytics linecolor '#dddddd' linetype 1\n"
                     "set style fill solid 1.0 noborder\n"
                     "set key outside right top vertical Left reverse noenhanced samplen 2\n");
}

/* Steps in s that people read at a glance. */
static const int64_t steps[] = { 1,     2,     5,      10,     15,      30,     60,    120,
                                 300,   600,   900,    1800,   3600,    7200,   10800, 21600,
                                 43200, 86400, 172800, 604800, 1209600, 2592000 };
#define STEPS (sizeof steps / sizeof *steps)
#define TICS  10
#define DAY   86400

void el_gp_time_axis(struct el_buf *out, int64_t from, int64_t to) {
    char begin[EL_CLOCK_ROOM];
    int64_t span = (to - from) / 1000, step = steps[0];
    for (size_t i = 0; i < STEPS && span / step > TICS; i++)
        step = steps[i];
    while (span / step > TICS)
        step *= 2;
    const char *format = step < 60 ? "'%H:%M:%S'" : span <= DAY ? "'%H:%M'" : "\"%m-%d\\n%H:%M\"";
    el_buf_print(out, "set xrange [%.3f:%.3f]\n", (double)from / 1000, (double)to / 1000);
    el_buf_print(out, "set xtics %" PRId64 " time\nset format x %s time\n", step, format);
    el_buf_print(out, "set xlabel 'time (UTC), from %s'\n", el_clock_text(from, begin));
}

bool el_gp_has(const struct el_series *s, enum el_track t) {
    for (size_t i = 0; s->mean[t] && s->width > 0 && i < s->buckets; i++)
        if (isfinite(s->mean[t][i]))
            return true;
    return false;
}

static void put_value(struct el_buf *out, float value) {
    if (isfinite(value))
        el_buf_print(out, " %.6g", (double)value);
    else
        el_buf_text(out, " NaN");
}

/* The i-th value of a track, or of its maxima or minima. */
static float value_of(const struct el_series *s, int track, size_t i) {
    const float *const *sort = track < EL_TRACKS       ? s->mean
                               : track < 2 * EL_TRACKS ? s->max
                                                       : s->min;
    const float *v = sort[track % EL_TRACKS];
    return v ? v[i] : (float)NAN;
}

void el_gp_data(struct el_buf *out, const struct el_series *s, const int *track, size_t tracks) {
    el_buf_text(out, "$data << EOD\n");
    for (size_t i = 0; i < s->buckets; i++) {
        int64_t middle = s->start + (int64_t)i * s->width + s->width / 2;
        el_buf_print(out, "%.3f", (double)middle / 1000);
        for (size_t t = 0; t < tracks; t++)
            put_value(out, value_of(s, track[t], i));
        el_buf_char(out, '\n');
    }
    el_buf_text(out, "EOD\n\n");
}

#define PIXELS 700 /* of a panel's width */

/* They overlap by a pixel: else smoothed edges let what lies behind shine through. */
void el_gp_boxes(struct el_buf *out, const struct el_series *s) {
    double width = (double)s->width / 1000;
    el_buf_print(out, "set boxwidth %.3f absolute\n", width + width * (double)s->buckets / PIXELS);
}

double el_gp_tic_step(const struct el_series *s, enum el_track t) {
    double most = 1, step;
    for (size_t i = 0; i < s->buckets; i++)
        if (isfinite(value_of(s, (int)t, i)) && (double)value_of(s, (int)t, i) > most)
            most = (double)value_of(s, (int)t, i);
    step = pow(10, floor(log10(most / 4)));
    if (most / step > 20)
        return step * 10;
    return most / step > 8 ? step * 5 : most / step > 4 ? step * 2 : step;
}

#define ROW_HEIGHT 16
#define HEAD       36 /* above the rows: the title */
#define FOOT       76 /* below: tics of two lines and the name of the axis */
#define LEAST      300
#define LABEL      28

unsigned el_gp_rows_height(size_t rows) {
    unsigned height = HEAD + FOOT + ROW_HEIGHT * (unsigned)rows;
    return height < LEAST ? LEAST : height;
}

void el_gp_rows(struct el_buf *out, const struct el_report *r, const uint32_t *order, size_t rows) {
    double height = el_gp_rows_height(rows);
    el_buf_print(out,
                 "set lmargin at screen 0.22\nset rmargin at screen 0.88\n"
                 "set bmargin at screen %.4f\nset tmargin at screen %.4f\n",
                 FOOT / height, 1 - HEAD / height);
    el_buf_text(out, "set ytics (");
    for (size_t i = 0; i < rows; i++) {
        el_buf_text(out, i ? ", \\\n    " : "");
        el_gp_tic(out, r->entity[order[i]].name, LABEL);
        el_buf_print(out, " %zu", i);
    }
    el_buf_print(out, ") font ',9'\nset yrange [%zu.5:-0.5]\n", rows - 1);
}

void el_gp_windows(struct el_buf *out, const struct el_report *r, uint32_t entity, double bottom) {
    size_t object = 0;
    for (size_t i = 0; i < r->findings; i++) {
        const struct el_finding *f = &r->finding[i];
        for (size_t w = 0; f->entity == entity && w < f->windows; w++)
            el_buf_print(out,
                         "set object %zu rectangle from %.3f, graph 0 to %.3f, graph 1 behind "
                         "fillcolor '#eeeeee' "
                         "fillstyle solid noborder\n",
                         ++object, (double)f->window[w].from / 1000,
                         (double)f->window[w].to / 1000);
    }
    if (object)
        el_buf_print(out,
                     "set label 1 'grey: when a finding holds' at screen 0.78, screen %.2f "
                     "textcolor '#666666'\n",
                     bottom);
}

void el_gp_panel(struct el_buf *out, double bottom, double top) {
    el_buf_print(out,
                 "set lmargin at screen 0.09\nset rmargin at screen 0.76\n"
                 "set bmargin at screen %.2f\nset tmargin at screen %.2f\n"
                 "set key at screen 0.775, screen %.2f left top\n",
                 bottom, top, top);
}
