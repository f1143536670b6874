#include "text.h"

#include <inttypes.h>

#include "esxlat/base/num.h"

#define INDENT 13

static void put_note(struct el_page *p, const struct el_note *n) {
    struct el_buf line = { 0 };
    el_buf_print(&line, "%s: %" PRIu64 " x", n->code, n->count);
    if (n->first_line)
        el_buf_print(&line, ", first in line %" PRIu64, n->first_line);
    if (n->text)
        el_buf_print(&line, ": %s", n->text);
    el_page_wrap(p, "  -", 4, (struct el_str){ line.ptr, line.len });
    el_buf_release(&line);
}

/* Notes of one capture that are shown. */
static size_t shown_notes(const struct el_capture_report *c, bool all) {
    size_t shown = 0;
    for (size_t k = 0; k < c->quality_count; k++)
        shown += all || !c->quality[k].harmless;
    return shown;
}

void el_text_quality(struct el_page *p, const struct el_report *r, bool all) {
    size_t hidden = 0;
    bool headed = false;
    for (size_t i = 0; i < r->captures; i++) {
        const struct el_capture_report *c = &r->capture[i];
        size_t shown = shown_notes(c, all);
        hidden += c->quality_count - shown;
        if (c->quality_count && !headed)
            el_page_heading(p, "Quality of the capture");
        headed = headed || c->quality_count;
        if (shown && r->captures > 1)
            el_page_line(p, "  ", el_str(c->file));
        for (size_t k = 0; k < c->quality_count; k++)
            if (all || !c->quality[k].harmless)
                put_note(p, &c->quality[k]);
    }
    if (hidden)
        el_buf_print(p->out, "  - %zu harmless note%s, see --verbose\n", hidden,
                     hidden == 1 ? "" : "s");
}

static void put_absent(struct el_page *p, const struct el_absent *a) {
    struct el_buf line = { 0 };
    el_buf_print(&line, "%s (%s)", a->counter ? a->counter : "-", a->object ? a->object : "-");
    if (a->needed_for)
        el_buf_print(&line, ": %s", a->needed_for);
    el_page_wrap(p, "  -", 4, (struct el_str){ line.ptr, line.len });
    el_buf_release(&line);
}

void el_text_missing(struct el_page *p, const struct el_report *r) {
    bool headed = false;
    for (size_t i = 0; i < r->captures; i++) {
        const struct el_capture_report *c = &r->capture[i];
        if (c->missing_count && !headed)
            el_page_heading(p, "Missing counters, and what they would have told");
        headed = headed || c->missing_count;
        if (c->missing_count && r->captures > 1)
            el_page_line(p, "  ", el_str(c->file));
        for (size_t k = 0; k < c->missing_count; k++)
            put_absent(p, &c->missing[k]);
    }
    if (headed)
        el_page_line(p, "  ", EL_STR("Capture them with: esxtop -b -a -d 2 -n 900 >capture.csv"));
}

static void put_numbers(struct el_page *p, const struct el_capture_report *c) {
    char interval[EL_NUM_ROOM];
    struct el_buf line = { 0 };
    el_buf_print(&line, "every %s s: ", el_num_short(c->interval_s, interval));
    el_text_plural(&line, c->rows, "row");
    el_buf_text(&line, ", ");
    el_text_plural(&line, c->samples, "usable sample");
    el_buf_text(&line, ", ");
    el_text_plural(&line, c->runs, "run");
    el_buf_text(&line, ", ");
    el_text_plural(&line, c->columns, "column");
    el_buf_print(&line, " (%" PRIu64 " of storage)", c->storage_columns);
    el_page_wrap(p, "  Samples", INDENT, (struct el_str){ line.ptr, line.len });
    el_buf_release(&line);
}

void el_text_captures(struct el_page *p, const struct el_report *r) {
    el_page_heading(p, r->captures == 1 ? "Capture" : "Captures");
    if (r->captures == 0)
        el_page_line(p, "  ", EL_STR("none"));
    for (size_t i = 0; i < r->captures; i++) {
        const struct el_capture_report *c = &r->capture[i];
        struct el_buf line = { 0 };
        el_page_wrap(p, "  File", INDENT, el_str(c->file));
        el_page_wrap(p, "  Host", INDENT, c->host);
        el_text_stretch(&line, c->start, c->end);
        el_page_wrap(p, "  Time", INDENT, (struct el_str){ line.ptr, line.len });
        el_buf_release(&line);
        put_numbers(p, c);
    }
}
