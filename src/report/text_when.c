/* When it was bad, and that the rest of the time was not. */
#include <math.h>
#include <stdio.h>

#include "esxlat/base/num.h"
#include "text.h"

#define EPISODES 5 /* as many are shown, those with the most waiting */
#define INDENT   4
#define WHOLE    0.95 /* of the captured time: as good as all of it */

static double waiting(const struct el_episode *e) {
    return e->wait_device + e->wait_vmkernel;
}

/* Is it among the EPISODES with the most waiting?  Of equal ones the earlier come first. */
static bool among_worst(const struct el_report *r, size_t i) {
    size_t worse = 0;
    for (size_t k = 0; k < r->episodes; k++) {
        double other = waiting(&r->episode[k]), own = waiting(&r->episode[i]);
        worse += other > own || (k < i && !(own > other));
    }
    return worse < EPISODES;
}

static void put_who(struct el_buf *out, const struct el_episode *e) {
    if (!e->who_count || !isfinite(e->who[0].share))
        return;
    const struct el_who *w = &e->who[0];
    struct el_str name = w->vdisk.len ? w->vdisk : w->vm.len ? w->vm : w->world;
    el_buf_print(out, "; %.0f %% of the waiting is that of ", 100 * w->share);
    el_buf_add(out, name.ptr, name.len);
    if (isfinite(w->rise) && w->rise >= 2)
        el_buf_print(out, ", which then sent %.*f times the commands of the rest of the time",
                     w->rise < 10, w->rise);
}

static void put_episode(struct el_page *p, const struct el_report *r, const struct el_episode *e) {
    const struct el_finding *f = &r->finding[e->finding];
    char peak[EL_NUM_ROOM], at[EL_CLOCK_ROOM], lasted[EL_TEXT_LASTED];
    struct el_buf line = { 0 };
    double span = (double)(e->to - e->from) / 1000;
    el_text_stretch(&line, e->from, e->to);
    el_buf_print(&line, " (%s", el_text_lasted(span, lasted));
    if (e->held_s < WHOLE * span)
        el_buf_print(&line, ", in trouble again and again for %s",
                     el_text_lasted(e->held_s, lasted));
    el_buf_print(&line, "): %s, %s ", el_layer_name(e->layer), el_kind_name(f->kind));
    el_buf_add(&line, f->name.ptr, f->name.len);
    if (r->captures > 1 && f->host.len) {
        el_buf_text(&line, " on ");
        el_buf_add(&line, f->host.ptr, f->host.len);
    }
    if (e->others)
        el_buf_print(&line, " and %zu more in trouble", e->others);
    if (isfinite(e->peak))
        el_buf_print(&line, "; worst there %s ms a command, %s", el_num_short(e->peak, peak),
                     el_clock_text(e->peak_at, at));
    put_who(&line, e);
    el_page_wrap(p, "  -", INDENT, (struct el_str){ line.ptr, line.len });
    el_buf_release(&line);
}

/* What is left: was it healthy? */
static void put_remainder(struct el_page *p, const struct el_report *r) {
    double rest = r->time_s - r->troubled_s;
    char device[EL_NUM_ROOM], kernel[EL_NUM_ROOM], lasted[EL_TEXT_LASTED];
    struct el_buf line = { 0 };
    if (rest < (1 - WHOLE) * r->time_s) {
        el_page_wrap(p, "  -", INDENT, EL_STR("that is the whole capture, or nearly so"));
        return;
    }
    el_buf_print(&line, "the other %s (%.0f %%) were healthy", el_text_lasted(rest, lasted),
                 100 * rest / r->time_s);
    if (isfinite(r->rest_device))
        el_buf_print(&line,
                     "; the same commands then took %s ms at the device and %s ms in the "
                     "VMkernel",
                     el_num_short(r->rest_device, device), el_num_short(r->rest_vmkernel, kernel));
    el_page_wrap(p, "  -", INDENT, (struct el_str){ line.ptr, line.len });
    el_buf_release(&line);
}

void el_text_when(struct el_page *p, const struct el_report *r) {
    size_t shown = 0;
    if (r->episodes == 0)
        return;
    el_page_heading(p, "When it was bad");
    for (size_t i = 0; i < r->episodes; i++)
        if (among_worst(r, i)) {
            put_episode(p, r, &r->episode[i]);
            shown++;
        }
    if (shown < r->episodes)
        el_buf_print(p->out, "  - and %zu lesser times, see --format json\n", r->episodes - shown);
    put_remainder(p, r);
}
