#include "text.h"

#include <inttypes.h>
#include <math.h>

#include "esxlat/base/num.h"

#define INDENT 13

static void put_line(struct el_page *p, const char *lead, struct el_buf *line) {
    el_page_wrap(p, lead, INDENT, (struct el_str){ line->ptr, line->len });
    el_buf_clear(line);
}

static void put_vm(struct el_page *p, const struct el_guest_report *g, struct el_buf *line) {
    el_buf_print(line, "%s (%s, ", g->file, g->kind);
    el_text_plural(line, g->samples, "sample");
    el_buf_text(line, g->host.len ? ") of " : ")");
    el_buf_add(line, g->host.ptr, g->host.len);
    put_line(p, "  File", line);
    if (!g->vm.len)
        return;
    el_buf_add(line, g->vm.ptr, g->vm.len);
    el_buf_print(line, ", by %s", g->vm_by[0] == 'g' ? "the name given" : g->vm_by);
    put_line(p, "  VM", line);
}

static void put_clock(struct el_page *p, const struct el_guest_report *g, struct el_buf *line) {
    if (isnan(g->offset_s))
        return;
    el_buf_print(line, "the guest's is %.1f s %s, certainty %s, from ", fabs(g->offset_s),
                 g->offset_s < 0 ? "behind" : "ahead", g->certainty);
    el_text_plural(line, g->compared, "interval");
    el_buf_text(line,
                g->has_zone ? " compared" : " compared; its zone, which the file lacks, included");
    put_line(p, "  Clock", line);
}

/* A hundredth of a millisecond is nothing, on either side of zero. */
static double or_nothing(double ms) {
    return fabs(ms) < 0.01 ? 0 : ms;
}

static void put_disk(struct el_page *p, const struct el_guest_disk_report *d, struct el_buf *line) {
    char latency[EL_NUM_ROOM], lat[EL_NUM_ROOM], queue[EL_NUM_ROOM];
    el_buf_add(line, d->name.ptr, d->name.len);
    el_buf_text(line, d->vdisk.len ? " is " : ": no virtual disk has its rates");
    el_buf_add(line, d->vdisk.ptr, d->vdisk.len);
    if (d->vdisk.len)
        el_buf_text(line, d->link == EL_LINK_EXACT ? ": "
                          : d->link == EL_LINK_MATCHED
                              ? " (by rates): "
                              : "? Others have the same rates, so it does not count: ");
    if (d->vdisk.len)
        el_buf_print(line, "%s ms in the guest, LAT %s ms, so %s ms in the guest's queue",
                     el_num_short(d->latency_ms, latency), el_num_short(d->lat_ms, lat),
                     el_num_short(or_nothing(d->queue_ms), queue));
    if (d->vdisk.len && d->latency_ms > 0)
        el_buf_print(line, ", %.0f %%; %.0f commands in %.0f s",
                     100 * or_nothing(d->queue_ms) / d->latency_ms, d->commands, d->seconds);
    put_line(p, "  Disk", line);
}

void el_text_guests(struct el_page *p, const struct el_report *r) {
    struct el_buf line = { 0 };
    if (r->guests)
        el_page_heading(p, r->guests == 1 ? "What the guest measured" : "What the guests measured");
    for (size_t i = 0; i < r->guests; i++) {
        const struct el_guest_report *g = &r->guest[i];
        put_vm(p, g, &line);
        put_clock(p, g, &line);
        for (size_t k = 0; k < g->disks && !g->reason; k++)
            put_disk(p, &g->disk[k], &line);
        if (g->reason)
            el_page_wrap(p, "  Not joined", INDENT, el_str(g->reason));
        if (g->note)
            el_page_wrap(p, "  Note", INDENT, el_str(g->note));
    }
    el_buf_release(&line);
}
