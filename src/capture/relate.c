/* Whose is a world, under which LUN is a path? */
#include <string.h>

#include "catalog.h"

static bool is_number(struct el_str t) {
    for (size_t i = 0; i < t.len; i++)
        if (t.ptr[i] < '0' || t.ptr[i] > '9')
            return false;
    return t.len > 0;
}

/* DEVICE-NUMBER: the LUN is in the name of a world or partition. */
static void link_by_name(struct el_catalog *c, struct el_entity *e) {
    size_t dash = e->name.len;
    while (dash && e->name.ptr[dash - 1] != '-')
        dash--;
    if (dash < 2 || !is_number(el_str_from(e->name, dash)))
        return;
    e->lun = el_catalog_find(c, e->host, EL_LUN, (struct el_str){ e->name.ptr, dash - 1 });
    e->lun_by = e->lun == EL_NOTHING ? EL_UNLINKED : EL_BY_NAME;
}

static void link_world(struct el_catalog *c, const struct el_groups *g, struct el_entity *e) {
    size_t dash = e->name.len;
    uint64_t id = 0;
    while (dash && e->name.ptr[dash - 1] != '-')
        dash--;
    if (e->name.len - dash == 0 || e->name.len - dash > 18)
        return;
    for (size_t i = dash; i < e->name.len; i++) {
        if (e->name.ptr[i] < '0' || e->name.ptr[i] > '9')
            return;
        id = id * 10 + (uint64_t)(e->name.ptr[i] - '0');
    }
    struct el_str vm, group, world;
    if (!g || !el_groups_owner(g, id, &vm, &group, &world))
        return;
    if (vm.ptr) {
        e->vm_name = (struct el_str){ el_arena_text(&c->arena, vm.ptr, vm.len), vm.len };
        e->vm = el_catalog_find(c, e->host, EL_VM, vm);
        return;
    }
    struct el_buf owner = { 0 };
    el_buf_add(&owner, group.ptr, group.len);
    el_buf_text(&owner, ": ");
    el_buf_add(&owner, world.ptr, world.len);
    e->owner = (struct el_str){ el_arena_text(&c->arena, owner.ptr, owner.len), owner.len };
    el_buf_release(&owner);
}

/* Everything that hangs together by name, and paths by order. */
void el_reading_link(struct el_reading *r) {
    struct el_catalog *c = r->c;
    for (size_t i = 0; i < c->entities; i++) {
        struct el_entity *e = &c->entity[i];
        if ((e->kind == EL_WORLD || e->kind == EL_PARTITION) && e->lun == EL_NOTHING)
            link_by_name(c, e);
        if (e->kind == EL_WORLD && !e->vm_name.ptr && !e->owner.ptr)
            link_world(c, el_reading_groups(r, e->host), e);
        if (e->kind == EL_VDISK)
            e->vm = el_catalog_find(c, e->host, EL_VM,
                                    (struct el_str){ e->name.ptr, el_without_disk(e->name) });
        const char *colon = e->kind == EL_PATH ? memchr(e->name.ptr, ':', e->name.len) : NULL;
        if (colon)
            e->adapter =
                el_catalog_find(c, e->host, EL_ADAPTER,
                                (struct el_str){ e->name.ptr, (size_t)(colon - e->name.ptr) });
    }
    for (size_t i = 0; i < r->orders && !r->scattered; i++) {
        struct el_entity *path = &c->entity[r->by_order[i].path];
        if (path->lun != EL_NOTHING)
            continue;
        path->lun = r->by_order[i].lun;
        path->lun_by = EL_BY_ORDER;
    }
    c->scattered |= r->scattered;
}
