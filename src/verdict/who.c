/* Whose I/O waited: the virtual machines, virtual disks and host worlds behind a finding or an episode. */
#include <stdlib.h>

#include "esxlat/base/num.h"
#include "verdict.h"

#define WHO 5 /* as many are named */

static const struct el_entity *entity(const struct el_work *w, uint32_t id) {
    return &w->e->catalog->entity[id];
}

bool el_is_group(enum el_kind kind) {
    return kind == EL_HOST || kind == EL_ARRAY || kind == EL_ADAPTER;
}

/* ---- what they did meanwhile, and else ---- */

struct share {
    uint32_t entity; /* world, virtual disk or virtual machine */
    struct el_wait_sum during;
    double rise;
};

struct shares {
    struct share *item;
    size_t count, room;
};

struct stretch { /* the time that is asked about; no window: all of it */
    const struct el_window *window;
    size_t windows;
};

static double seconds_of(const struct stretch *s) {
    double sum = 0;
    for (size_t i = 0; i < s->windows; i++)
        sum += ((double)s->window[i].to - (double)s->window[i].from) / 1000;
    return sum;
}

static struct el_wait_sum sum_during(const struct el_work *w, uint32_t id,
                                     const struct stretch *s) {
    struct el_wait_sum sum = { 0, 0 };
    for (size_t i = 0; i < s->windows; i++) {
        struct el_wait_sum part =
            el_waits_between(&w->e->waits[id], s->window[i].from, s->window[i].to);
        sum.seconds += part.seconds;
        sum.commands += part.commands;
    }
    return sum;
}

/* Commands and seconds of the windows and of one bucket on either side: a sample lies in buckets that reach beyond its
 * window, and what leaks out of a burst is much beside a calm time. */
static double commands_around(const struct el_work *w, uint32_t id, const struct stretch *s,
                              double *seconds) {
    const struct el_axis *a = &w->e->waits[id].axis;
    int64_t reached = a->start, end = a->start + a->width * (int64_t)a->used;
    double commands = *seconds = 0;
    for (size_t i = 0; i < s->windows; i++) {
        int64_t from = s->window[i].from - a->width, to = s->window[i].to + a->width;
        from = from < reached ? reached : from;
        to = to > end ? end : to;
        if (to <= from)
            continue;
        commands += el_waits_between(&w->e->waits[id], from, to).commands;
        *seconds += (double)(to - from) / 1000;
        reached = to;
    }
    return commands;
}

/* `rise` compares with the time that the entity itself was sampled in: the axis also holds the time between captures.
 * Where that stretches its buckets beyond the windows, the commands meanwhile are not known. */
static struct share share_of(const struct el_work *w, uint32_t id, const struct stretch *s) {
    const struct el_entity_stats *all = &w->e->stats[id];
    struct share x = { .entity = id, .rise = EL_NAN };
    double within = seconds_of(s), around = 0;
    if (s->windows && w->e->waits)
        x.during = sum_during(w, id, s);
    if (!(x.during.seconds > 0)) {
        x.during.seconds = w->wait_device[id] + w->wait_vmkernel[id];
        x.during.commands = all->commands;
        return x;
    }
    bool resolved = (double)w->e->waits[id].axis.width <= 1000 * within;
    double rest = all->commands - commands_around(w, id, s, &around);
    double outside = all->iops.weight - around;
    if (within > 0 && resolved && outside >= 0.1 * within && rest > 0)
        x.rise = x.during.commands / within / (rest / outside);
    return x;
}

/* ---- who they are ---- */

static int by_wait(const void *a, const void *b) {
    const struct share *x = a, *y = b;
    if (x->during.seconds > y->during.seconds || x->during.seconds < y->during.seconds)
        return x->during.seconds < y->during.seconds ? 1 : -1;
    return (x->entity > y->entity) - (x->entity < y->entity);
}

static void add(const struct el_work *w, uint32_t id, const struct stretch *s, struct shares *out) {
    struct share x = share_of(w, id, s);
    if (x.during.seconds > 0)
        *EL_PUSH(out->item, out->count, out->room) = x;
}

static void add_worlds(const struct el_work *w, uint32_t lun, const struct stretch *s,
                       struct shares *out) {
    size_t count;
    const uint32_t *member = el_links_of(w->e->links, lun, &count);
    for (size_t i = 0; i < count; i++)
        if (entity(w, member[i])->kind == EL_WORLD)
            add(w, member[i], s, out);
}

/* Those whose I/O the entity carries. */
static void list_owners(const struct el_work *w, uint32_t id, const struct stretch *s,
                        struct shares *out) {
    enum el_kind kind = entity(w, id)->kind;
    size_t count = 0;
    const uint32_t *lun = NULL;
    if (el_kind_is_virtual(kind))
        add(w, id, s, out);
    else if (kind == EL_LUN)
        add_worlds(w, id, s, out);
    else if (el_is_group(kind))
        lun = el_index_luns(&w->index, id, &count);
    for (size_t i = 0; i < count; i++)
        add_worlds(w, lun[i], s, out);
    if (out->count > 1)
        qsort(out->item, out->count, sizeof *out->item, by_wait);
}

/* The virtual disk of a world's VM on its LUN, if there is just one. */
static struct el_str disk_of(const struct el_work *w, const struct el_entity *world) {
    struct el_str name = { NULL, 0 };
    size_t count = 0;
    const uint32_t *member =
        world->vm == EL_NOTHING ? NULL : el_links_of(w->e->links, world->vm, &count);
    for (size_t i = 0; i < count; i++) {
        const struct el_entity *d = entity(w, member[i]);
        if (d->kind != EL_VDISK || d->lun != world->lun || !(w->e->stats[member[i]].commands > 0))
            continue;
        if (name.ptr)
            return (struct el_str){ NULL, 0 };
        name = d->name;
    }
    return name;
}

static struct el_who who_is(const struct el_work *w, uint32_t id) {
    const struct el_entity *e = entity(w, id);
    const struct el_str none = { NULL, 0 };
    if (e->kind == EL_VM)
        return (struct el_who){ .vm = e->name };
    if (e->kind == EL_VDISK)
        return (struct el_who){ .vm = e->vm == EL_NOTHING ? none : entity(w, e->vm)->name,
                                .vdisk = e->name };
    return (struct el_who){ .vm = e->vm_name,
                            .vdisk = disk_of(w, e),
                            .world = e->owner.ptr ? e->owner : e->name };
}

const struct el_who *el_who_of(const struct el_work *w, uint32_t id, const struct el_window *window,
                               size_t windows, size_t *count) {
    const struct stretch stretch = { window, windows };
    struct shares list = { 0 };
    struct el_wait_sum all = { 0, 0 };
    list_owners(w, id, &stretch, &list);
    for (size_t i = 0; i < list.count; i++) {
        all.seconds += list.item[i].during.seconds;
        all.commands += list.item[i].during.commands;
    }
    *count = list.count < WHO ? list.count : WHO;
    struct el_who *who = el_arena_alloc(&w->out->arena, (*count + 1) * sizeof *who);
    for (size_t i = 0; i < *count; i++) {
        const struct share *x = &list.item[i];
        who[i] = who_is(w, x->entity);
        who[i].share = x->during.seconds / all.seconds;
        who[i].load = all.commands > 0 ? x->during.commands / all.commands : EL_NAN;
        who[i].rise = x->rise;
    }
    el_free(list.item);
    return who;
}
