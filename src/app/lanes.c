#include "lanes.h"

#include <string.h>

void el_lanes_init(struct el_lanes *l, const struct el_ruleset *rules) {
    *l = (struct el_lanes){ .judge = el_judge_new(rules) };
}

void el_lanes_release(struct el_lanes *l) {
    for (size_t i = 0; i < l->count; i++) {
        el_pool_release(&l->lane[i].pool);
        el_series_release(&l->lane[i].series);
    }
    el_free(l->lane);
    el_free(l->of);
    el_free(l->disk);
    el_judge_free(l->judge);
    *l = (struct el_lanes){ 0 };
}

static void make_room(struct el_lanes *l, size_t entities) {
    void *of = l->of;
    el_grow(&of, &l->of_room, entities, sizeof *l->of);
    l->of = of;
    if (entities > l->entities)
        memset(l->of + l->entities, 0, (entities - l->entities) * sizeof *l->of);
    l->entities = entities;
}

uint32_t el_lanes_find(const struct el_lanes *l, uint32_t disk, uint32_t lun) {
    if (disk >= l->entities)
        return EL_NOTHING;
    for (uint32_t i = l->of[disk].first; i < l->of[disk].first + l->of[disk].count; i++)
        if (l->lane[i].lun == lun)
            return i;
    return EL_NOTHING;
}

static void add_lanes(struct el_lanes *l, const struct el_catalog *c, const struct el_links *links,
                      uint32_t disk) {
    size_t count;
    const uint32_t *member = el_links_of(links, c->entity[disk].vm, &count);
    l->of[disk].first = (uint32_t)l->count;
    *EL_PUSH(l->disk, l->disks, l->disk_room) = disk;
    for (size_t i = 0; i < count && l->count < EL_LANES; i++) {
        const struct el_entity *e = &c->entity[member[i]];
        if (e->kind != EL_WORLD || e->lun == EL_NOTHING ||
            el_lanes_find(l, disk, e->lun) != EL_NOTHING)
            continue;
        *EL_PUSH(l->lane, l->count, l->room) = (struct el_lane){ .lun = e->lun };
        l->of[disk].count++;
    }
}

/* Has a VM worlds on several LUNs? */
static bool has_several(const struct el_catalog *c, const struct el_links *links, uint32_t vm) {
    size_t count, at = 0;
    const uint32_t *member = el_links_of(links, vm, &count);
    while (at < count &&
           (c->entity[member[at]].kind != EL_WORLD || c->entity[member[at]].lun == EL_NOTHING))
        at++;
    return at < count && el_links_only_lun(links, c, vm) == EL_NOTHING;
}

void el_lanes_open(struct el_lanes *l, const struct el_catalog *c, const struct el_links *links,
                   const struct el_entity_stats *stats) {
    make_room(l, c->entities);
    for (uint32_t i = 0; i < c->entities; i++) {
        const struct el_entity *e = &c->entity[i];
        bool is_new = e->kind == EL_VDISK && e->vm != EL_NOTHING && l->of[i].count == 0 &&
                      stats[i].samples == 0;
        if (is_new && has_several(c, links, e->vm))
            add_lanes(l, c, links, i);
    }
    el_judge_reserve(l->judge, l->count);
}

void el_lanes_settle(struct el_lanes *l, const struct el_catalog *c) {
    size_t left = 0;
    for (size_t i = 0; i < l->disks; i++) {
        uint32_t disk = l->disk[i], lun = c->entity[disk].lun,
                 lane = lun == EL_NOTHING ? EL_NOTHING : el_lanes_find(l, disk, lun);
        if (lane == EL_NOTHING)
            l->disk[left++] = disk;
        else
            l->of[disk].settled = lane + 1;
    }
    l->disks = left;
}
