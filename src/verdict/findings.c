/* Hits become findings: in the order in which people should read them, with those who own the waiting. */
#include <stdlib.h>

#include "verdict.h"

#define WHO 5 /* as many are named */

static const struct el_entity *entity(const struct el_work *w, uint32_t id) {
    return &w->e->catalog->entity[id];
}

static bool is_group(enum el_kind kind) {
    return kind == EL_HOST || kind == EL_ARRAY || kind == EL_ADAPTER;
}

static double wait_in(const struct el_work *w, enum el_layer layer, uint32_t id) {
    return layer == EL_VMKERNEL ? w->wait_vmkernel[id] : w->wait_device[id];
}

/* Seconds of waiting in the hit's layer on its entity, and on the members of a group. */
static double weight_of(const struct el_work *w, const struct el_hit *h) {
    enum el_layer layer = el_rule_layer(h->rule);
    double sum = wait_in(w, layer, h->entity);
    size_t count = 0;
    const uint32_t *lun = NULL;
    if (is_group(entity(w, h->entity)->kind))
        lun = el_index_luns(&w->index, h->entity, &count);
    for (size_t i = 0; i < count; i++)
        sum += wait_in(w, layer, lun[i]);
    return sum;
}

/* ---- who ---- */

struct share {
    uint32_t entity; /* world, or virtual disk */
    double wait;
};

static int by_wait(const void *a, const void *b) {
    const struct share *x = a, *y = b;
    if (x->wait > y->wait || x->wait < y->wait)
        return x->wait < y->wait ? 1 : -1;
    return (x->entity > y->entity) - (x->entity < y->entity);
}

struct shares {
    struct share *item;
    size_t count, room;
};

/* The worlds on a LUN that waited. */
static void add_worlds(const struct el_work *w, uint32_t lun, struct shares *out) {
    size_t count;
    const uint32_t *member = el_links_of(w->e->links, lun, &count);
    for (size_t i = 0; i < count; i++) {
        double wait = w->wait_device[member[i]] + w->wait_vmkernel[member[i]];
        if (entity(w, member[i])->kind == EL_WORLD && wait > 0)
            *EL_PUSH(out->item, out->count, out->room) = (struct share){ member[i], wait };
    }
}

/* Those whose I/O the hit is about. */
static void list_owners(const struct el_work *w, const struct el_hit *h, struct shares *out) {
    enum el_kind kind = entity(w, h->entity)->kind;
    size_t count = 0;
    const uint32_t *lun = NULL;
    if (kind == EL_VDISK || kind == EL_VM)
        *EL_PUSH(out->item, out->count, out->room) = (struct share){ h->entity, 1 };
    else if (kind == EL_LUN)
        add_worlds(w, h->entity, out);
    else if (is_group(kind))
        lun = el_index_luns(&w->index, h->entity, &count);
    for (size_t i = 0; i < count; i++)
        add_worlds(w, lun[i], out);
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

static struct el_who who_is(const struct el_work *w, uint32_t id, double share) {
    const struct el_entity *e = entity(w, id);
    if (e->kind == EL_VDISK || e->kind == EL_VM) {
        struct el_str vm = e->kind == EL_VM      ? e->name
                           : e->vm == EL_NOTHING ? (struct el_str){ NULL, 0 }
                                                 : entity(w, e->vm)->name;
        return (struct el_who){ .vm = vm,
                                .vdisk = e->kind == EL_VDISK ? e->name : (struct el_str){ NULL, 0 },
                                .share = share };
    }
    return (struct el_who){ .vm = e->vm_name,
                            .vdisk = disk_of(w, e),
                            .world = e->owner.ptr ? e->owner : e->name,
                            .share = share };
}

static void set_who(struct el_work *w, const struct el_hit *h, struct el_finding *f) {
    struct shares list = { 0 };
    double all = 0;
    list_owners(w, h, &list);
    for (size_t i = 0; i < list.count; i++)
        all += list.item[i].wait;
    f->who_count = list.count < WHO ? list.count : WHO;
    struct el_who *who = el_arena_alloc(&w->out->arena, (f->who_count + 1) * sizeof *who);
    for (size_t i = 0; i < f->who_count; i++)
        who[i] = who_is(w, list.item[i].entity, list.item[i].wait / all);
    f->who = who;
    el_free(list.item);
}

/* ---- findings ---- */

struct ordered {
    size_t hit;
    bool root;
    enum el_severity severity;
    enum el_confidence confidence;
    double weight;
};

static int by_importance(const void *a, const void *b) {
    const struct ordered *x = a, *y = b;
    if (x->root != y->root)
        return x->root ? -1 : 1;
    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    if (x->weight > y->weight || x->weight < y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->hit > y->hit) - (x->hit < y->hit);
}

/* A rule on a group has no samples of its own: it is as sure as the surest of those folded into it. */
static enum el_confidence *sureness(const struct el_work *w) {
    const struct el_hit *hit = w->hits.item;
    enum el_confidence *sure = el_calloc(w->hits.count, sizeof *sure);
    for (size_t i = 0; i < w->hits.count; i++) {
        uint32_t into = hit[i].folded_into;
        if (hit[i].confidence > sure[i])
            sure[i] = hit[i].confidence;
        if (into != UINT32_MAX && hit[i].confidence > sure[into])
            sure[into] = hit[i].confidence;
    }
    return sure;
}

static void fill(struct el_work *w, const struct ordered *o, struct el_finding *f) {
    const struct el_hit *h = &w->hits.item[o->hit];
    const struct el_entity *e = entity(w, h->entity);
    *f = (struct el_finding){ .rule = el_rule_id(h->rule),
                              .layer = el_rule_layer(h->rule),
                              .severity = o->severity,
                              .confidence = o->confidence,
                              .entity = w->row[h->entity],
                              .kind = e->kind,
                              .name = e->name,
                              .host = e->host,
                              .from = h->windows ? h->window[0].from : EL_NO_TIME,
                              .to = h->windows ? h->window[h->windows - 1].to : EL_NO_TIME,
                              .samples = h->samples,
                              .window = h->window,
                              .windows = h->windows,
                              .title = h->title,
                              .because = h->because,
                              .check = h->check,
                              .act = h->act,
                              .also = h->also,
                              .see = h->see,
                              .root = o->root };
    set_who(w, h, f);
}

static bool may_be_cause(const struct el_finding *f, enum el_layer layer) {
    bool fits =
        f->layer == layer || (layer == EL_MIXED && f->layer != EL_GUEST && f->layer != EL_NONE);
    return fits && f->severity >= EL_WARNING;
}

/* The first finding of the verdict's layer is its cause; one that is no root only where there is no other. */
static void name_cause(struct el_report *out) {
    for (size_t i = 0; i < out->findings; i++)
        if (may_be_cause(&out->finding[i], out->verdict.layer)) {
            out->verdict.cause = out->finding[i].rule;
            out->verdict.confidence = out->finding[i].confidence;
            return;
        }
}

void el_fill_findings(struct el_work *w) {
    struct ordered *order = el_calloc(w->hits.count, sizeof *order);
    enum el_confidence *sure = sureness(w);
    size_t count = 0;
    for (size_t i = 0; i < w->hits.count; i++) {
        const struct el_hit *h = &w->hits.item[i];
        if (w->dropped[i])
            continue;
        bool root = h->folded_into == UINT32_MAX && !w->consequence[i];
        order[count++] =
            (struct ordered){ i, root, el_rule_severity(h->rule), sure[i], weight_of(w, h) };
    }
    if (count > 1)
        qsort(order, count, sizeof *order, by_importance);
    w->out->finding = el_arena_alloc(&w->out->arena, (count + 1) * sizeof *w->out->finding);
    w->out->findings = count;
    for (size_t i = 0; i < count; i++)
        fill(w, &order[i], &w->out->finding[i]);
    el_free(order);
    el_free(sure);
    name_cause(w->out);
}
