#include "catalog.h"

#include <string.h>

struct el_catalog *el_catalog_new(void) {
    struct el_catalog *c = el_calloc(1, sizeof *c);
    c->own = el_calloc(1, sizeof *c->own);
    c->own->names = el_counter_names_new();
    return c;
}

void el_catalog_free(struct el_catalog *c) {
    if (!c)
        return;
    el_counter_names_free(c->own->names);
    el_map_release(&c->own->index);
    el_free(c->own->wanted);
    el_free(c->own);
    el_free(c->run.slot);
    el_free(c->entity);
    el_arena_release(&c->arena);
    el_free(c);
}

void el_catalog_begin_file(struct el_catalog *c) {
    c->runs = c->columns = c->storage_columns = 0;
    c->host = (struct el_str){ NULL, 0 };
    c->scattered = false;
    c->own->objects = 0;
    c->run.slots = c->run.width = c->run.storage_columns = 0;
}

/* kind, again, host, backslash, name: unique whatever bytes the names hold, as a host holds no backslash. */
static void entity_key(struct el_buf *key, struct el_str host, enum el_kind kind, uint32_t again,
                       struct el_str name) {
    el_buf_clear(key);
    el_buf_char(key, (char)kind);
    el_buf_add(key, &again, sizeof again);
    el_buf_add(key, host.ptr, host.len);
    el_buf_char(key, '\\');
    el_buf_add(key, name.ptr, name.len);
}

uint32_t el_catalog_find_or_add(struct el_catalog *c, struct el_str host, enum el_kind kind,
                                uint32_t again, struct el_str name, bool add) {
    struct el_buf key = { 0 };
    entity_key(&key, host, kind, again, name);
    uint32_t id = el_map_get(&c->own->index, (struct el_str){ key.ptr, key.len });
    if (id == EL_MAP_NONE && add) {
        const char *kept = el_arena_text(&c->arena, key.ptr, key.len);
        id = (uint32_t)c->entities;
        (void)el_map_put(&c->own->index, (struct el_str){ kept, key.len }, id);
        struct el_entity *e = EL_PUSH(c->entity, c->entities, c->entity_room);
        *e = (struct el_entity){
            .kind = kind, .again = again, .lun = EL_NOTHING, .adapter = EL_NOTHING, .vm = EL_NOTHING
        };
        e->name = (struct el_str){ kept + key.len - name.len, name.len };
        e->host = (struct el_str){ kept + key.len - name.len - 1 - host.len, host.len };
    }
    el_buf_release(&key);
    return id == EL_MAP_NONE ? EL_NOTHING : id;
}

uint32_t el_catalog_add(struct el_catalog *c, struct el_str host, enum el_kind kind,
                        struct el_str name) {
    return el_catalog_find_or_add(c, host, kind, 1, name, true);
}

uint32_t el_catalog_find(const struct el_catalog *c, struct el_str host, enum el_kind kind,
                         struct el_str name) {
    struct el_buf key = { 0 };
    entity_key(&key, host, kind, 1, name);
    uint32_t id = el_map_get(&c->own->index, (struct el_str){ key.ptr, key.len });
    el_buf_release(&key);
    return id == EL_MAP_NONE ? EL_NOTHING : id;
}

bool el_entity_has(const struct el_entity *e, enum el_counter counter) {
    _Static_assert(EL_COUNTERS <= 64, "counters fit a bit set");
    return e->counters >> counter & 1;
}

size_t el_without_disk(struct el_str name) {
    size_t i = name.len, end = i;
    while (i && name.ptr[i - 1] >= '0' && name.ptr[i - 1] <= '9')
        i--;
    if (i == end || i == 0 || name.ptr[i - 1] != ':')
        return name.len;
    end = --i;
    while (i && name.ptr[i - 1] >= '0' && name.ptr[i - 1] <= '9')
        i--;
    if (i == end)
        return name.len;
    end = i;
    while (i && name.ptr[i - 1] >= 'a' && name.ptr[i - 1] <= 'z')
        i--;
    return i == end || i == 0 || name.ptr[i - 1] != ':' ? name.len : i - 1;
}

void el_catalog_objects(const struct el_catalog *c, size_t most, struct el_buf *out) {
    for (size_t i = 0; i < c->own->objects && i < most; i++) {
        el_buf_text(out, i ? ", " : "");
        (void)el_buf_visible(out, c->own->object[i]);
    }
    if (c->own->objects > most)
        el_buf_text(out, ", ...");
}
