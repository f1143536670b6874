#include "index.h"

#include <stdlib.h>

struct pair {
    uint32_t owner, item;
};

struct pairs {
    struct pair *pair;
    size_t count, room;
};

static void add(struct pairs *p, uint32_t owner, uint32_t item) {
    if (owner != EL_NOTHING && item != EL_NOTHING)
        *EL_PUSH(p->pair, p->count, p->room) = (struct pair){ owner, item };
}

static int by_owner(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static bool same(const struct pair *a, const struct pair *b) {
    return a->owner == b->owner && a->item == b->item;
}

/* Pairs, repeated ones once, become lists of `entities` owners. */
static void make_lists(struct el_lists *out, struct pairs *p, size_t entities) {
    size_t kept = 0, e = 0;
    out->start = el_calloc(entities + 1, sizeof *out->start);
    out->item = el_calloc(p->count + 1, sizeof *out->item);
    if (p->count > 1)
        qsort(p->pair, p->count, sizeof *p->pair, by_owner);
    for (size_t i = 0; i < p->count; i++) {
        if (i && same(&p->pair[i], &p->pair[i - 1]))
            continue;
        while (e < p->pair[i].owner)
            out->start[++e] = kept;
        out->item[kept++] = p->pair[i].item;
    }
    while (e < entities)
        out->start[++e] = kept;
    el_free(p->pair);
}

static void release_lists(struct el_lists *l) {
    el_free(l->start);
    el_free(l->item);
}

static const uint32_t *list_of(const struct el_lists *l, uint32_t entity, size_t *count) {
    *count = l->start[entity + 1] - l->start[entity];
    return l->item + l->start[entity];
}

static void find_arrays(struct el_index *x, const struct el_evidence *e) {
    struct el_buf scratch = { 0 };
    x->array = el_calloc(x->entities, sizeof *x->array);
    for (size_t i = 0; i < x->entities; i++) {
        const struct el_entity *lun = &x->entity[i];
        struct el_str name = { NULL, 0 };
        if (lun->kind == EL_LUN)
            name = el_array_of(e->rules, lun->name, &scratch);
        x->array[i] =
            name.ptr ? el_catalog_find(e->catalog, lun->host, EL_ARRAY, name) : EL_NOTHING;
    }
    el_buf_release(&scratch);
}

void el_index_build(struct el_index *x, const struct el_evidence *e) {
    struct pairs luns = { 0 }, kinds = { 0 };
    x->entities = e->catalog->entities;
    x->entity = e->catalog->entity;
    find_arrays(x, e);
    for (uint32_t i = 0; i < x->entities; i++) {
        const struct el_entity *m = &x->entity[i];
        add(&kinds, (uint32_t)m->kind, i);
        if (m->kind == EL_WORLD)
            add(&luns, m->vm, m->lun);
        else if (m->kind == EL_PATH)
            add(&luns, m->adapter, m->lun);
        else if (m->kind == EL_LUN)
            add(&luns, x->array[i], i);
        if (m->kind == EL_LUN || m->kind == EL_NFS)
            add(&luns, e->links->host[i], i);
    }
    make_lists(&x->luns, &luns, x->entities);
    make_lists(&x->kinds, &kinds, EL_KINDS);
}

void el_index_add_hits(struct el_index *x, const struct el_hits *hits) {
    struct pairs pairs = { 0 };
    for (size_t i = 0; i < hits->count; i++)
        add(&pairs, hits->item[i].entity, (uint32_t)i);
    make_lists(&x->hits, &pairs, x->entities);
}

void el_index_release(struct el_index *x) {
    release_lists(&x->luns);
    release_lists(&x->kinds);
    release_lists(&x->hits);
    el_free(x->array);
    *x = (struct el_index){ 0 };
}

const uint32_t *el_index_luns(const struct el_index *x, uint32_t entity, size_t *count) {
    const struct el_entity *e = &x->entity[entity];
    if (e->kind == EL_VDISK && e->lun != EL_NOTHING) {
        *count = 1;
        return &e->lun;
    }
    uint32_t owner = e->kind == EL_VDISK ? e->vm : entity;
    *count = 0;
    return owner == EL_NOTHING ? NULL : list_of(&x->luns, owner, count);
}

const uint32_t *el_index_kind(const struct el_index *x, enum el_kind kind, size_t *count) {
    return list_of(&x->kinds, (uint32_t)kind, count);
}

const uint32_t *el_index_hits(const struct el_index *x, uint32_t entity, size_t *count) {
    return list_of(&x->hits, entity, count);
}
