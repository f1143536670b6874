/* What guests measured: seconds of waiting for the attribution, rows for the report. */
#include "esxlat/base/num.h"
#include "verdict.h"

/* The first guest that measured a disk counts; a VM has what its disks have. */
void el_measure_guests(struct el_work *w) {
    const struct el_catalog *c = w->e->catalog;
    for (size_t i = 0; i < c->entities; i++)
        w->wait_guest[i] = EL_NAN;
    for (size_t i = 0; i < w->e->guests; i++)
        for (size_t k = 0; k < w->e->guest[i].disks; k++) {
            const struct el_joined_disk *d = &w->e->guest[i].disk[k];
            if (!el_joined(d) || !el_missing(w->wait_guest[d->vdisk]))
                continue;
            double wait = d->queue > 0 ? d->queue * d->commands / 1000 : 0;
            uint32_t vm = c->entity[d->vdisk].vm;
            w->wait_guest[d->vdisk] = wait;
            if (vm != EL_NOTHING)
                w->wait_guest[vm] = (el_missing(w->wait_guest[vm]) ? 0 : w->wait_guest[vm]) + wait;
        }
}

/* Does a hit tell of trouble of this disk: on itself, its VM, or a LUN that it may be on? */
static bool concerns(const struct el_work *w, const struct el_hit *h, uint32_t disk) {
    size_t count;
    const uint32_t *lun = el_index_luns(&w->index, disk, &count);
    if (h->entity == disk || h->entity == w->e->catalog->entity[disk].vm)
        return true;
    for (size_t i = 0; i < count; i++)
        if (lun[i] == h->entity)
            return true;
    return false;
}

static double wait_in_windows(const struct el_join *j, const struct el_joined_disk *d,
                              const struct el_hit *h) {
    double sum = 0;
    for (size_t k = 0; k < h->windows; k++)
        sum += el_join_wait(j, d, (double)h->window[k].from, (double)h->window[k].to);
    return sum;
}

/* As for the other layers: of several hits the one that holds most stands for all. */
void el_measure_guest_trouble(struct el_work *w) {
    for (size_t i = 0; i < w->e->guests; i++)
        for (size_t k = 0; k < w->e->guest[i].disks; k++) {
            const struct el_joined_disk *d = &w->e->guest[i].disk[k];
            double most = 0;
            for (size_t n = 0; el_joined(d) && n < w->hits.count; n++) {
                const struct el_hit *h = &w->hits.item[n];
                if (w->dropped[n] || el_rule_severity(h->rule) < EL_WARNING ||
                    !concerns(w, h, d->vdisk))
                    continue;
                double wait = wait_in_windows(&w->e->guest[i], d, h);
                most = wait > most ? wait : most;
            }
            if (!(most > 0) || w->bad_guest[d->vdisk] > 0)
                continue;
            uint32_t vm = w->e->catalog->entity[d->vdisk].vm;
            w->bad_guest[d->vdisk] = most;
            if (vm != EL_NOTHING)
                w->bad_guest[vm] += most;
        }
}

double el_guest_wait(const struct el_work *w, int64_t from, int64_t to) {
    double sum = EL_NAN;
    for (size_t i = 0; i < w->e->guests; i++)
        for (size_t k = 0; k < w->e->guest[i].disks; k++) {
            const struct el_joined_disk *d = &w->e->guest[i].disk[k];
            if (el_joined(d) && w->bad_guest[d->vdisk] > 0 &&
                !el_join_measured(w->e->guest, i, d->vdisk))
                sum = (el_missing(sum) ? 0 : sum) +
                      el_join_wait(&w->e->guest[i], d, (double)from, (double)to);
        }
    return sum;
}

static const char *note_of(struct el_work *w, const struct el_join *j) {
    const struct el_guest *g = j->guest;
    struct el_buf b = { 0 };
    const char *out = NULL;
    if (j->steady)
        el_buf_text(&b, "the load is so steady that nothing tells the clocks apart, nor depends on "
                        "them: the means of everything are compared");
    if (g->cut)
        el_buf_print(&b, "%sthe file stops in the middle of a sample, or one is damaged",
                     b.len ? "; " : "");
    if (g->unused)
        el_buf_print(&b,
                     "%s%llu samples without a time or a figure that can be read, or back in time",
                     b.len ? "; " : "", (unsigned long long)g->unused);
    if (g->hidden)
        el_buf_print(&b, "%s%llu disks beyond the first %d were not looked at", b.len ? "; " : "",
                     (unsigned long long)g->hidden, EL_GUEST_DISKS);
    if (b.len)
        out = el_arena_text(&w->out->arena, b.ptr, b.len);
    el_buf_release(&b);
    return out;
}

static struct el_str keep(struct el_work *w, struct el_str s) {
    return (struct el_str){ el_arena_text(&w->out->arena, s.ptr ? s.ptr : "", s.len), s.len };
}

static const struct el_guest_disk_report *disks_of(struct el_work *w, const struct el_join *j) {
    struct el_guest_disk_report *row = el_arena_alloc(&w->out->arena, (j->disks + 1) * sizeof *row);
    for (size_t i = 0; i < j->disks; i++) {
        const struct el_joined_disk *d = &j->disk[i];
        row[i] = (struct el_guest_disk_report){ .name = keep(w, d->guest->name),
                                                .link = EL_LINK_UNKNOWN,
                                                .latency_ms = d->latency,
                                                .lat_ms = d->lat,
                                                .queue_ms = d->queue,
                                                .commands = d->commands,
                                                .seconds = d->seconds };
        if (d->vdisk == EL_NOTHING)
            continue;
        row[i].vdisk = w->e->catalog->entity[d->vdisk].name;
        if (el_joined(d))
            row[i].link = d->link == EL_BY_NAME ? EL_LINK_EXACT : EL_LINK_MATCHED;
    }
    return row;
}

void el_fill_guests(struct el_work *w) {
    static const char *const by[] = {
        [EL_VM_GIVEN] = "given", [EL_VM_BY_HOST_NAME] = "host name", [EL_VM_BY_RATES] = "rates"
    };
    static const char *const sure[] = { "none", "medium", "high" };
    struct el_arena *a = &w->out->arena;
    struct el_guest_report *row = el_arena_alloc(a, (w->e->guests + 1) * sizeof *row);
    for (size_t i = 0; i < w->e->guests; i++) {
        const struct el_join *j = &w->e->guest[i];
        const struct el_guest *g = j->guest;
        row[i] =
            (struct el_guest_report){ .kind = g->kind,
                                      .host = keep(w, g->host),
                                      .vm_by = by[j->vm_by],
                                      .offset_s = j->clock.sure ? j->clock.offset / 1000 : EL_NAN,
                                      .certainty = sure[j->clock.sure],
                                      .samples = g->samples,
                                      .compared = j->clock.samples,
                                      .has_zone = g->has_zone,
                                      .note = note_of(w, j),
                                      .disk = disks_of(w, j),
                                      .disks = j->disks };
        row[i].file = keep(w, el_str(g->file)).ptr;
        if (j->vm != EL_NOTHING)
            row[i].vm = w->e->catalog->entity[j->vm].name;
        if (*j->reason)
            row[i].reason = keep(w, el_str(j->reason)).ptr;
    }
    w->out->guest = row;
    w->out->guests = w->e->guests;
}
