/* Open addressing with linear probing; at most 70 % full. */
#include <string.h>

#include "esxlat/base/mem.h"
#include "esxlat/base/str.h"

struct el_map_slot {
    struct el_str key;
    uint64_t hash;
    uint32_t value;
    bool used;
};

static struct el_map_slot *find(const struct el_map *m, struct el_str key, uint64_t hash) {
    for (size_t i = hash & (m->room - 1);; i = (i + 1) & (m->room - 1)) {
        struct el_map_slot *s = &m->slots[i];
        if (!s->used || (s->hash == hash && el_str_equal(s->key, key)))
            return s;
    }
}

uint32_t el_map_get(const struct el_map *m, struct el_str key) {
    if (m->count == 0)
        return EL_MAP_NONE;
    const struct el_map_slot *s = find(m, key, el_str_hash(key));
    return s->used ? s->value : EL_MAP_NONE;
}

static void enlarge(struct el_map *m) {
    struct el_map bigger = { .room = m->room ? 2 * m->room : 64, .count = m->count };
    bigger.slots = el_calloc(bigger.room, sizeof *bigger.slots);
    for (size_t i = 0; i < m->room; i++)
        if (m->slots[i].used)
            *find(&bigger, m->slots[i].key, m->slots[i].hash) = m->slots[i];
    el_free(m->slots);
    *m = bigger;
}

uint32_t el_map_put(struct el_map *m, struct el_str key, uint32_t value) {
    if ((m->count + 1) * 10 > m->room * 7)
        enlarge(m);
    uint64_t hash = el_str_hash(key);
    struct el_map_slot *s = find(m, key, hash);
    if (!s->used) {
        *s = (struct el_map_slot){ key, hash, value, true };
        m->count++;
    }
    return s->value;
}

void el_map_release(struct el_map *m) {
    el_free(m->slots);
    *m = (struct el_map){ 0 };
}
