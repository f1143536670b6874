#include "esxlat/capture/links.h"

#include <string.h>

/* The entities that `e` belongs to; EL_NOTHING where none. */
static void owners(const struct el_entity *e, uint32_t owner[3]) {
    owner[0] = e->lun;
    owner[1] = e->vm;
    owner[2] = e->adapter;
}

static void count_members(struct el_links *l, const struct el_catalog *c) {
    uint32_t owner[3];
    memset(l->start, 0, (c->entities + 2) * sizeof *l->start);
    for (size_t i = 0; i < c->entities; i++) {
        owners(&c->entity[i], owner);
        for (int k = 0; k < 3; k++)
            if (owner[k] != EL_NOTHING)
                l->start[owner[k] +
                         2]++; /* two ahead: the pass that places members moves it back */
    }
    for (size_t i = 2; i < c->entities + 2; i++)
        l->start[i] += l->start[i - 1];
}

void el_links_build(struct el_links *l, const struct el_catalog *c) {
    uint32_t owner[3];
    l->entities = c->entities;
    l->has_worlds = false;
    l->start = el_resize(l->start, c->entities + 2, sizeof *l->start);
    count_members(l, c);
    l->member = el_resize(l->member, l->start[c->entities + 1], sizeof *l->member);
    l->host = el_resize(l->host, c->entities, sizeof *l->host);
    l->volume = el_resize(l->volume, c->entities, sizeof *l->volume);
    l->volumes = 0;
    for (size_t i = 0; i < c->entities; i++) {
        owners(&c->entity[i], owner);
        for (int k = 0; k < 3; k++)
            if (owner[k] != EL_NOTHING)
                l->member[l->start[owner[k] + 1]++] = (uint32_t)i;
        l->has_worlds |= c->entity[i].kind == EL_WORLD;
        if (c->entity[i].kind == EL_NFS)
            l->volume[l->volumes++] = (uint32_t)i;
        l->host[i] = el_catalog_find(c, c->entity[i].host, EL_HOST, c->entity[i].host);
    }
}

void el_links_release(struct el_links *l) {
    el_free(l->member);
    el_free(l->start);
    el_free(l->host);
    el_free(l->volume);
    *l = (struct el_links){ 0 };
}

const uint32_t *el_links_of(const struct el_links *l, uint32_t entity, size_t *count) {
    if (entity >= l->entities) {
        *count = 0;
        return NULL;
    }
    *count = l->start[entity + 1] - l->start[entity];
    return l->member + l->start[entity];
}

uint32_t el_links_only_lun(const struct el_links *l, const struct el_catalog *c, uint32_t vm) {
    size_t count;
    const uint32_t *member = el_links_of(l, vm, &count);
    uint32_t lun = EL_NOTHING;
    for (size_t i = 0; i < count; i++) {
        const struct el_entity *e = &c->entity[member[i]];
        if (e->kind != EL_WORLD || e->lun == EL_NOTHING || e->lun == lun)
            continue;
        if (lun != EL_NOTHING)
            return EL_NOTHING;
        lun = e->lun;
    }
    return lun;
}
