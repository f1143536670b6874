/* One header, column by column. */
#include <stdlib.h>
#include <string.h>

#include "catalog.h"

/* ---- objects of esxtop ---- */

enum object {
    ADAPTER,
    PATH,
    LUN,
    WORLD,
    PARTITION,
    NFS,
    PLAIN_DISK,
    VIRTUAL_DISK,
    VSAN,
    GROUP_CPU,
    VCPU,
    NETWORK_PORT,
    GROUP_MEMORY,
    PHYSICAL_CPU,
    MEMORY,
    OTHER_OBJECT
};
static const char *const object_names[] = { "Physical Disk Adapter",
                                            "Physical Disk Path",
                                            "Physical Disk SCSI Device",
                                            "Physical Disk Per-Device-Per-World",
                                            "Physical Disk Partition",
                                            "Physical Disk NFS Volume",
                                            "Physical Disk",
                                            "Virtual Disk",
                                            "VSAN",
                                            "Group Cpu",
                                            "Vcpu",
                                            "Network Port",
                                            "Group Memory",
                                            "Physical Cpu",
                                            "Memory" };
_Static_assert(sizeof object_names / sizeof *object_names == OTHER_OBJECT,
               "one name for each object");

static enum object object_of(struct el_str name) {
    for (int i = 0; i < OTHER_OBJECT; i++)
        if (el_str_is(name, object_names[i]))
            return (enum object)i;
    return OTHER_OBJECT;
}

static bool is_storage(enum object o) {
    return o <= VIRTUAL_DISK;
}

/* Rows for every entity known so far. */
static void widen(struct el_reading *r) {
    struct el_run *run = &r->c->run;
    void *column = run->slot, *times = r->times;
    el_grow(&column, &r->c->own->slot_room, r->c->entities, sizeof *run->slot);
    el_grow(&times, &r->times_room, r->c->entities, sizeof *r->times);
    run->slot = column;
    r->times = times;
    for (; run->entities < r->c->entities; run->entities++) {
        memset(run->slot[run->entities], 0xff, sizeof *run->slot);
        memset(r->times[run->entities], 0, sizeof *r->times);
    }
}

/* Book a column.  A counter that was met already, on the same object, belongs to a second entity of the same
 * name; Physical Disk(vmhbaN:P) gives way to Physical Disk Path(P). */
static void place(struct el_reading *r, uint32_t entity, enum el_counter counter, uint32_t column,
                  bool second_choice) {
    widen(r);
    r->c->entity[entity].counters |= (uint64_t)1 << counter;
    if (second_choice) {
        if (r->c->run.slot[entity][counter] == EL_NOTHING)
            r->c->run.slot[entity][counter] = column;
        return;
    }
    uint32_t again = ++r->times[entity][counter];
    if (again > 1) {
        const struct el_entity *e = &r->c->entity[entity];
        entity = el_catalog_find_or_add(r->c, e->host, e->kind, again, e->name, true);
        r->c->entity[entity].counters |= (uint64_t)1 << counter;
        r->again++;
        widen(r);
    }
    r->c->run.slot[entity][counter] = column;
}

/* Kind and name of a storage block. */
static enum el_kind identify(enum object o, struct el_str instance, struct el_str *name) {
    *name = instance;
    if (o == VIRTUAL_DISK)
        return el_without_disk(instance) < instance.len ? EL_VDISK : EL_VM;
    if (o != PLAIN_DISK)
        return (enum el_kind)(EL_ADAPTER + (int)o);
    const char *colon = memchr(instance.ptr, ':', instance.len);
    if (!colon)
        return EL_ADAPTER;
    *name = el_str_from(instance, (size_t)(colon - instance.ptr) + 1);
    return EL_PATH;
}
_Static_assert((int)EL_NFS - (int)EL_ADAPTER == (int)NFS - (int)ADAPTER,
               "objects and kinds in the same order");

/* What a block's place in the header tells: the Path, World and Partition blocks behind a SCSI Device belong to it. */
static void note_order(struct el_reading *r, enum object o, uint32_t entity) {
    size_t before = r->blocks.count;
    (void)el_map_put(&r->blocks, r->block, entity);
    if (r->blocks.count == before && o != VIRTUAL_DISK)
        r->scattered = true;
    if (o == LUN) {
        r->lun = entity;
    } else if (o == PATH && r->lun != EL_NOTHING) {
        void *orders = r->by_order;
        el_grow(&orders, &r->order_room, r->orders + 1, sizeof *r->by_order);
        r->by_order = orders;
        r->by_order[r->orders].path = entity;
        r->by_order[r->orders++].lun = r->lun;
    } else if (o != WORLD && o != PARTITION && o != PATH) {
        r->lun = EL_NOTHING;
    }
}

/* A block of columns begins, or goes on after others. */
static void enter_block(struct el_reading *r, enum object o, const struct el_counter_path *p) {
    struct el_str name,
        block = { p->host.ptr, (size_t)(p->instance.ptr + p->instance.len - p->host.ptr) };
    if (el_str_equal(block, r->block))
        return;
    enum el_kind kind = identify(o, p->instance, &name);
    r->block = block;
    r->block_entity = el_catalog_add(r->c, p->host, kind, name);
    note_order(r, o, r->block_entity);
}

static void storage_column(struct el_reading *r, enum object o, const struct el_counter_path *p,
                           uint32_t column) {
    r->c->run.storage_columns++;
    enum el_counter counter = el_counter_find(r->c->own->names, EL_CLASS_STORAGE, p->counter);
    if (counter != EL_COUNTERS)
        place(r, r->block_entity, counter, column, o == PLAIN_DISK);
}

/* CPU and memory of the host. */
static void host_column(struct el_reading *r, enum el_counter_class class,
                        const struct el_counter_path *p, uint32_t column) {
    enum el_counter counter = el_counter_find(r->c->own->names, class, p->counter);
    uint32_t host = el_catalog_find(r->c, p->host, EL_HOST, p->host);
    widen(r);
    if (counter == EL_COUNTERS || host == EL_NOTHING || r->c->run.slot[host][counter] != EL_NOTHING)
        return; /* classic ESX has some of them twice, VMkernel first */
    place(r, host, counter, column, false);
}

static void group_column(struct el_reading *r, enum el_counter_class class,
                         const struct el_counter_path *p, uint32_t column) {
    enum el_counter counter = el_counter_find(r->c->own->names, class, p->counter);
    if (counter != EL_COUNTERS)
        *EL_PUSH(r->later, r->laters, r->later_room) =
            (struct el_group_column){ p->host, p->instance, counter, column };
}

struct el_groups *el_reading_groups(const struct el_reading *r, struct el_str host) {
    for (size_t i = 0; i < r->hosts; i++)
        if (el_str_equal(r->groups[i].host, host))
            return &r->groups[i].of;
    return NULL;
}

/* Those of a host, which is nearly always that of the column before. */
static struct el_groups *groups_of(struct el_reading *r, struct el_str host) {
    if (r->hosts && el_str_equal(r->groups[r->current].host, host))
        return &r->groups[r->current].of;
    r->current = 0;
    while (r->current < r->hosts && !el_str_equal(r->groups[r->current].host, host))
        r->current++;
    if (r->current == r->hosts)
        *EL_PUSH(r->groups, r->hosts, r->host_room) = (struct el_host_groups){ .host = host };
    return &r->groups[r->current].of;
}

static void other_column(struct el_reading *r, enum object o, const struct el_counter_path *p,
                         uint32_t column) {
    if (o == GROUP_CPU)
        group_column(r, EL_CLASS_GROUP_CPU, p, column);
    else if (o == GROUP_MEMORY)
        group_column(r, EL_CLASS_GROUP_MEMORY, p, column);
    else if (o == PHYSICAL_CPU && el_str_is(p->instance, "_Total"))
        host_column(r, EL_CLASS_CPU, p, column);
    else if (o == VSAN) {
        enum el_counter counter = el_counter_find(r->c->own->names, EL_CLASS_VSAN, p->counter);
        if (counter != EL_COUNTERS)
            place(r, el_catalog_add(r->c, p->host, EL_VSAN, p->instance), counter, column, false);
    }
}

static void note_object(struct el_catalog *c, struct el_str object) {
    struct el_catalog_private *own = c->own;
    if (own->objects && el_str_equal(own->object[own->objects - 1], object))
        return;
    for (size_t i = 0; i < own->objects; i++)
        if (el_str_equal(own->object[i], object))
            return;
    if (own->objects < EL_OBJECTS_KEPT)
        own->object[own->objects++] =
            (struct el_str){ el_arena_text(&c->arena, object.ptr, object.len), object.len };
}

/* Counters of an instance stand together: a cell that goes on like the last one up to the counter, which then holds
 * no backslash, splits at the same places.  Its slices but the counter are the last cell's. */
static bool splits_like_last(struct el_reading *r, struct el_str cell) {
    const struct el_str last = r->cell;
    if (!last.ptr)
        return false;
    size_t common = (size_t)(r->path.counter.ptr - last.ptr);
    if (cell.len < common || memcmp(cell.ptr, last.ptr, common) != 0)
        return false;
    struct el_str counter = { cell.ptr + common, cell.len - common };
    if (counter.len && memchr(counter.ptr, '\\', counter.len))
        return false;
    r->path.counter = counter;
    r->cell = cell;
    return true;
}

static bool splits(struct el_reading *r, struct el_str cell) {
    struct el_counter_path path;
    if (!el_counter_split(r->c->own->names, cell, &path))
        return false;
    r->path = path;
    r->cell = cell;
    return true;
}

/* Host and object of a cell whose path is another than that of the one before. */
static void enter(struct el_reading *r, const struct el_counter_path *p) {
    if (!el_str_equal(p->object, r->object)) { /* columns of an object stand together */
        r->object = p->object;
        r->object_kind = (int)object_of(p->object);
        note_object(r->c, p->object);
    }
    if (!r->c->host.ptr)
        r->c->host =
            (struct el_str){ el_arena_text(&r->c->arena, p->host.ptr, p->host.len), p->host.len };
    if (!el_str_equal(p->host, r->host)) {
        r->host = p->host;
        (void)el_catalog_add(r->c, p->host, EL_HOST, p->host);
    }
}

/* For has_changed(): of a cell that goes on like the last one, only what differs. */
static void add_to_hash(struct el_reading *r, struct el_str text, bool again) {
    r->hash = r->hash * UINT64_C(0x9e3779b97f4a7c15) + el_str_hash(text) + again;
}

static void read_column(struct el_reading *r, struct el_str cell, uint32_t column) {
    const struct el_counter_path *p = &r->path;
    bool again = splits_like_last(r, cell), found = again || splits(r, cell);
    add_to_hash(r, again ? p->counter : cell, again);
    if (!found) {
        r->bare += cell.len > 0;
        return;
    }
    r->one_backslash += p->one_backslash;
    if (!again)
        enter(r, p);
    enum object o = (enum object)r->object_kind;
    if (p->has_instance && is_storage(o)) {
        if (!again)
            enter_block(r, o, p);
        storage_column(r, o, p, column);
    } else if (p->has_instance) {
        if (o == GROUP_CPU || o == VCPU || o == NETWORK_PORT)
            el_groups_note(groups_of(r, p->host), p, again);
        other_column(r, o, p, column);
    } else if (o == MEMORY) {
        host_column(r, EL_CLASS_MEMORY, p, column);
    }
}

/* ---- after the last column ---- */

/* A filtered capture may list a VM's disks without the row of the VM itself: it is an entity all the same. */
static void add_vms_of_disks(struct el_catalog *c) {
    for (size_t i = 0, n = c->entities; i < n; i++) {
        struct el_str disk = c->entity[i].name, host = c->entity[i].host;
        if (c->entity[i].kind == EL_VDISK)
            (void)el_catalog_add(c, host, EL_VM,
                                 (struct el_str){ disk.ptr, el_without_disk(disk) });
    }
}

/* The VM's entity for a counter of its group; EL_NOTHING if the group is no VM's, or two VMs share the name. */
static uint32_t vm_of_group(struct el_reading *r, const struct el_group_column *later) {
    const struct el_groups *g = el_reading_groups(r, later->host);
    uint32_t i = g ? el_map_get(&g->by_id, later->group) : EL_MAP_NONE;
    if (i == EL_MAP_NONE || !g->group[i].is_vm)
        return EL_NOTHING;
    const struct el_group *group = el_groups_vm(g, g->group[i].name);
    uint32_t vm = group ? el_catalog_find(r->c, later->host, EL_VM, group->name) : EL_NOTHING;
    if (vm != EL_NOTHING)
        r->c->entity[vm].vcpus = group->vcpus;
    return vm;
}

static void place_group_columns(struct el_reading *r) {
    for (size_t i = 0; i < r->laters; i++) {
        uint32_t vm = vm_of_group(r, &r->later[i]);
        if (vm == EL_NOTHING)
            continue;
        widen(r);
        if (r->c->run.slot[vm][r->later[i].counter] == EL_NOTHING)
            place(r, vm, r->later[i].counter, r->later[i].column, false);
    }
}

/* "(PDH-CSV 4.0) (ZONE)(MINUTES)": minutes west of UTC, 0 when not told. */
static int minutes_west(struct el_str field) {
    size_t open = field.len;
    while (open && field.ptr[open - 1] != '(')
        open--;
    int minutes = 0;
    size_t i = open;
    bool negative = i < field.len && field.ptr[i] == '-';
    i += negative;
    size_t first = i;
    for (; i < field.len && i < first + 5 && field.ptr[i] >= '0' && field.ptr[i] <= '9'; i++)
        minutes = minutes * 10 + (field.ptr[i] - '0');
    bool closed = i > first && i < field.len && field.ptr[i] == ')';
    return closed ? (negative ? -minutes : minutes) : 0;
}

/* Has this header other columns than the one before it? */
static bool has_changed(const struct el_reading *r) {
    uint64_t hash = r->hash + r->c->run.width, before = r->c->own->header_hash;
    r->c->own->header_hash = hash;
    return r->c->runs > 1 && hash != before;
}

static void note_oddities(struct el_reading *r, const struct el_record *header, bool trailing) {
    uint64_t line = header->line;
    bool changed = has_changed(r);
    el_quality_add(r->q, EL_Q_TRAILING_COMMA, line, trailing);
    el_quality_add(r->q, EL_Q_BARE_FIELD, line, r->bare);
    el_quality_add(r->q, EL_Q_ONE_BACKSLASH, line, r->one_backslash);
    el_quality_add(r->q, EL_Q_FOREIGN_ZONE, line, r->c->run.minutes_west != 0);
    el_quality_add(r->q, EL_Q_SAME_NAME, line, r->again);
    el_quality_add(r->q, EL_Q_SCATTERED, line, r->scattered && r->orders > 0);
    el_quality_add(r->q, EL_Q_REPEATED_HEADER, line, r->c->runs > 1);
    el_quality_add(r->q, EL_Q_CHANGED_COLUMNS, line, changed);
}

static void release_reading(struct el_reading *r) {
    for (size_t i = 0; i < r->hosts; i++)
        el_groups_release(&r->groups[i].of);
    el_free(r->groups);
    el_map_release(&r->blocks);
    el_free(r->later);
    el_free(r->times);
    el_free(r->by_order);
}

bool el_header_is(const struct el_record *r) {
    return el_str_starts(r->field[0], "(PDH-CSV");
}

void el_catalog_open_run(struct el_catalog *c, const struct el_record *header,
                         struct el_quality *q) {
    struct el_reading r = { .c = c, .q = q, .line = header->line, .lun = EL_NOTHING };
    size_t width = header->fields;
    bool trailing = width > 1 && header->field[width - 1].len == 0;
    width -= trailing;
    c->run.width = width;
    c->run.minutes_west = minutes_west(header->field[0]);
    c->run.storage_columns = c->run.entities = 0;
    c->runs++;
    for (size_t i = 1; i < width; i++)
        read_column(&r, header->field[i], (uint32_t)i);
    for (size_t i = 0; i < r.hosts; i++)
        el_groups_sort(&r.groups[i].of);
    add_vms_of_disks(c);
    place_group_columns(&r);
    el_reading_link(&r);
    widen(&r);
    note_oddities(&r, header, trailing);
    if (c->runs == 1) {
        c->columns = width;
        c->storage_columns = c->run.storage_columns;
    }
    release_reading(&r);
}

/* ---- columns ---- */

static bool is_wanted(const struct el_catalog *c, const bool (*wanted)[EL_COUNTERS], size_t entity,
                      int counter) {
    return c->run.slot[entity][counter] != EL_NOTHING &&
           (!wanted || wanted[c->entity[entity].kind][counter]);
}

/* What stands in column `column` of a row; entity EL_NOTHING: nothing that is wanted. */
static struct el_column *by_column(const struct el_catalog *c, const bool (*wanted)[EL_COUNTERS]) {
    struct el_column *at = el_alloc(c->run.width * sizeof *at);
    for (size_t i = 0; i < c->run.width; i++)
        at[i].entity = EL_NOTHING;
    for (uint32_t e = 0; e < c->run.entities; e++)
        for (int m = 0; m < EL_COUNTERS; m++)
            if (is_wanted(c, wanted, e, m)) {
                uint32_t column = c->run.slot[e][m];
                at[column] = (struct el_column){ column, e, (enum el_counter)m };
            }
    return at;
}

void el_catalog_choose(struct el_catalog *c, const bool (*wanted)[EL_COUNTERS]) {
    struct el_run *run = &c->run;
    struct el_column *at = by_column(c, wanted);
    if (run->entities)
        memset(run->slot, 0xff, run->entities * sizeof *run->slot);
    run->slots = 0;
    for (size_t i = 0; i < run->width; i++) {
        if (at[i].entity == EL_NOTHING)
            continue;
        run->slot[at[i].entity][at[i].counter] = (uint32_t)run->slots;
        *EL_PUSH(c->own->wanted, run->slots, c->own->wanted_room) = at[i];
    }
    run->wanted = c->own->wanted;
    el_free(at);
}
