#include "guests.h"

#include <string.h>

#define VM ",vm="

/* ---- reading ---- */

/* "FILE,vm=NAME" at its last ",vm=". */
static size_t length_of_file(const char *text, const char **vm) {
    size_t length = strlen(text);
    *vm = NULL;
    for (const char *at = text; (at = strstr(at, VM)) != NULL; at++) {
        length = (size_t)(at - text);
        *vm = at + sizeof VM - 1;
    }
    return length;
}

static bool read_one(struct el_guests *g, size_t i, const char *text, struct el_error *err) {
    const char *vm;
    struct el_buf file = { 0 };
    el_buf_add(&file, text, length_of_file(text, &vm));
    bool good = file.len > 0 && (!vm || *vm);
    if (good)
        good = el_guest_read(file.ptr, &g->guest[i], err);
    else
        (void)el_fail(err, EL_USAGE, "--guest: expected FILE or FILE,vm=NAME, got '%s'", text);
    g->wish[i] = (struct el_guest_wish){ .host = g->guest[i].host };
    if (vm)
        g->wish[i].vm = el_str(vm);
    el_buf_release(&file);
    return good;
}

bool el_guests_read(struct el_guests *g, const struct el_options *o, struct el_error *err) {
    *g = (struct el_guests){ 0 };
    if (!o->guests)
        return true;
    g->guest = el_calloc(o->guests, sizeof *g->guest);
    g->wish = el_calloc(o->guests, sizeof *g->wish);
    g->join = el_calloc(o->guests, sizeof *g->join);
    g->count = o->guests;
    for (size_t i = 0; i < o->guests; i++)
        if (!read_one(g, i, o->guest[i], err))
            return false;
    g->watch = el_watch_new(g->wish, g->count);
    return true;
}

void el_guests_release(struct el_guests *g) {
    for (size_t i = 0; i < g->count; i++) {
        el_join_release(&g->join[i]);
        el_guest_release(&g->guest[i]);
    }
    el_watch_free(g->watch);
    el_free(g->join);
    el_free(g->wish);
    el_free(g->guest);
    *g = (struct el_guests){ 0 };
}

/* ---- names ---- */

struct names { /* of the virtual machines */
    const char **item;
    size_t count, room;
};

static const char *name_at(const void *ctx, size_t i) {
    return ((const struct names *)ctx)->item[i];
}

static bool fail_unknown(const struct el_catalog *c, const char *name, struct el_error *err) {
    struct names list = { 0 };
    struct el_buf likely = { 0 };
    for (size_t i = 0; i < c->entities; i++)
        if (c->entity[i].kind == EL_VM)
            *EL_PUSH(list.item, list.count, list.room) = c->entity[i].name.ptr;
    const char *near = el_nearest(name, list.count, name_at, &list);
    const char *show = near ? near : list.count ? list.item[0] : NULL;
    if (show)
        (void)el_buf_visible(&likely, el_str(show));
    if (near)
        (void)el_fail(err, EL_USAGE,
                      "no virtual machine is called '%s' (--guest); did you mean '%s'?", name,
                      likely.ptr);
    else
        (void)el_fail(err, EL_USAGE,
                      "no virtual machine is called '%s' (--guest); there are %zu, %s%s%s", name,
                      list.count, show ? "such as '" : "see esxlat list", show ? likely.ptr : "",
                      show ? "': see esxlat list" : "");
    el_buf_release(&likely);
    el_free(list.item);
    return false;
}

bool el_guests_named(const struct el_guests *g, const struct el_catalog *c, struct el_error *err) {
    for (size_t i = 0; i < g->count; i++)
        if (g->wish[i].vm.ptr && !el_guest_is_named(&g->wish[i], c))
            return fail_unknown(c, g->wish[i].vm.ptr, err);
    return true;
}

/* ---- joining ---- */

struct judged {
    struct el_pipeline *pipe;
    uint32_t entity;
};

static void judge(void *ctx, const struct el_samples *s) {
    const struct judged *j = ctx;
    const struct el_entity *e = &j->pipe->catalog->entity[j->entity];
    el_judge_samples(j->pipe->judge, &j->pipe->memory[0], j->entity, e->kind, e->name,
                     j->pipe->profiles[j->entity], s);
}

/* Of what a virtual disk waited below the vSCSI layer the part that is the device's. */
static double device_part(const struct el_entity_stats *s) {
    double all = s->time_device + s->time_vmkernel;
    return all > 0 ? s->time_device / all : 1;
}

void el_guests_join(struct el_guests *g, struct el_pipeline *p) {
    if (!g->count)
        return;
    el_watch_finish(g->watch);
    for (size_t i = 0; i < g->count; i++) {
        struct el_join *join = &g->join[i];
        el_join(&g->guest[i], &g->wish[i], p->catalog, g->watch, join);
        for (size_t k = 0; k < join->disks; k++) {
            const struct el_joined_disk *d = &join->disk[k];
            struct judged to = { p, d->vdisk };
            if (el_joined(d) && p->chosen[d->vdisk] && !el_join_measured(g->join, i, d->vdisk))
                el_join_samples(join, d, device_part(&p->stats[d->vdisk]), judge, &to);
        }
    }
}
