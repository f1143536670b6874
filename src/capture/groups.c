#include "groups.h"

#include <stdlib.h>

#include "esxlat/base/mem.h"

void el_groups_release(struct el_groups *g) {
    el_free(g->group);
    el_free(g->port);
    el_free(g->leader);
    el_free(g->vcpu);
    el_map_release(&g->by_id);
    *g = (struct el_groups){ 0 };
}

/* Digits at the front of *t as a number; false if there are none or too many. */
static bool take_id(struct el_str *t, uint64_t *id) {
    size_t n = 0;
    *id = 0;
    while (n < t->len && n < 19 && t->ptr[n] >= '0' && t->ptr[n] <= '9')
        *id = *id * 10 + (uint64_t)(t->ptr[n++] - '0');
    *t = (struct el_str){ t->ptr + n, t->len - n };
    return n > 0;
}

static bool take_text(struct el_str *t, const char *text) {
    if (!el_str_starts(*t, text))
        return false;
    size_t n = el_str(text).len;
    *t = (struct el_str){ t->ptr + n, t->len - n };
    return true;
}

static bool same_world(const struct el_world *w, size_t count, uint64_t id, struct el_str name) {
    return count > 0 && w[count - 1].id == id && el_str_equal(w[count - 1].name, name);
}

static struct el_str after_colon(struct el_str t) {
    for (size_t i = 0; i < t.len; i++)
        if (t.ptr[i] == ':')
            return (struct el_str){ t.ptr + i + 1, t.len - i - 1 };
    return (struct el_str){ NULL, 0 };
}

static void note_group(struct el_groups *g, const struct el_counter_path *path, bool again) {
    if (!again)
        g->current = el_map_put(&g->by_id, path->instance, (uint32_t)g->groups);
    if (g->current == g->groups)
        *EL_PUSH(g->group, g->groups, g->group_room) =
            (struct el_group){ path->instance, after_colon(path->instance), false, 0 };
    g->group[g->current].is_vm |= el_str_is(path->counter, "% VmWait");
}

/* NetWorld-VM-<n>, vmast.<n>, <letters>SCSI-<n>[:unit], LSI-<n>[:unit], BusLogic-<n>[:unit]: <n> is the
 * group's leader, the world on which the VM's I/O is booked. */
static bool leader_of(struct el_str name, uint64_t *id) {
    struct el_str t = name;
    if (!take_text(&t, "NetWorld-VM-") && !take_text(&t, "vmast.") && !take_text(&t, "LSI-") &&
        !take_text(&t, "BusLogic-")) {
        size_t letters = 0;
        while (letters < t.len && ((t.ptr[letters] | 32) >= 'a' && (t.ptr[letters] | 32) <= 'z'))
            letters++;
        struct el_str word = { t.ptr, letters };
        if (letters < 5 || !el_str_is((struct el_str){ word.ptr + letters - 4, 4 }, "SCSI"))
            return false;
        t = el_str_from(t, letters);
        if (!take_text(&t, "-"))
            return false;
    }
    if (!take_id(&t, id))
        return false;
    uint64_t unit;
    return t.len == 0 || (take_text(&t, ":") && take_id(&t, &unit) && t.len == 0);
}

/* GID:GROUPNAME:WORLDID:WORLDNAME, where names may hold colons: the group's own id is the prefix. */
static void note_vcpu(struct el_groups *g, struct el_str instance) {
    if (g->groups == 0)
        return;
    struct el_group *group = &g->group[g->current];
    struct el_str t = instance;
    uint64_t id, leader;
    if (t.len <= group->id.len || !el_str_equal((struct el_str){ t.ptr, group->id.len }, group->id))
        return;
    t = el_str_from(t, group->id.len);
    if (!take_text(&t, ":") || !take_id(&t, &id) || !take_text(&t, ":") ||
        same_world(g->vcpu, g->vcpus, id, t))
        return;
    *EL_PUSH(g->vcpu, g->vcpus, g->vcpu_room) = (struct el_world){ id, g->current, t };
    group->vcpus += el_str_starts(t, "vmx-vcpu-");
    if (leader_of(t, &leader))
        *EL_PUSH(g->leader, g->leaders, g->leader_room) =
            (struct el_world){ leader, g->current, t };
}

/* SWITCH:PORT:WORLD:VM, where SWITCH may hold colons: the first ":digits:digits:" counts. */
static void note_port(struct el_groups *g, struct el_str instance) {
    for (struct el_str t = after_colon(instance); t.ptr; t = after_colon(t)) {
        uint64_t port, world;
        struct el_str rest = t;
        if (!take_id(&rest, &port) || !take_text(&rest, ":") || !take_id(&rest, &world) ||
            !take_text(&rest, ":"))
            continue;
        if (!same_world(g->port, g->ports, world, rest))
            *EL_PUSH(g->port, g->ports, g->port_room) =
                (struct el_world){ world, EL_NO_GROUP, rest };
        return;
    }
}

void el_groups_note(struct el_groups *g, const struct el_counter_path *path, bool again) {
    if (el_str_is(path->object, "Group Cpu"))
        note_group(g, path, again);
    else if (again)
        return;
    else if (el_str_is(path->object, "Vcpu"))
        note_vcpu(g, path->instance);
    else
        note_port(g, path->instance);
}

/* By id; of equal ids the one met first comes first (they lie in one array, so addresses tell). */
static int by_id(const void *a, const void *b) {
    const struct el_world *x = a, *y = b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id)
                          : (x->name.ptr > y->name.ptr) - (x->name.ptr < y->name.ptr);
}

static void sort(struct el_world *w, size_t count) {
    if (count > 1)
        qsort(w, count, sizeof *w, by_id);
}

void el_groups_sort(struct el_groups *g) {
    sort(g->port, g->ports);
    sort(g->leader, g->leaders);
    sort(g->vcpu, g->vcpus);
}

static const struct el_world *first_of(const struct el_world *w, size_t count, uint64_t id) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && w[low].id == id ? &w[low] : NULL;
}

bool el_groups_owner(const struct el_groups *g, uint64_t id, struct el_str *vm,
                     struct el_str *group, struct el_str *world) {
    const struct el_world *w = first_of(g->port, g->ports, id);
    *vm = *group = *world = (struct el_str){ NULL, 0 };
    if (w) {
        *vm = w->name;
        return true;
    }
    const struct el_world *leader = first_of(g->leader, g->leaders, id);
    w = leader ? leader : first_of(g->vcpu, g->vcpus, id);
    if (!w)
        return false;
    if (g->group[w->group].is_vm) {
        *vm = g->group[w->group].name;
    } else {
        *group = g->group[w->group].name;
        *world = w->name;
    }
    return true;
}

const struct el_group *el_groups_vm(const struct el_groups *g, struct el_str name) {
    const struct el_group *found = NULL;
    for (size_t i = 0; i < g->groups; i++)
        if (g->group[i].is_vm && el_str_equal(g->group[i].name, name)) {
            if (found)
                return NULL;
            found = &g->group[i];
        }
    return found;
}
