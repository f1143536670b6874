/* What the judge asks about entities. */
#include <math.h>
#include <string.h>

#include "esxlat/base/num.h"

#include "verdict.h"

#define FLASH_FLOOR_MS   1.0   /* diagnosis.md 3: p10 of DAVG below 1 ms means flash or cache */
#define SIBLINGS         2     /* so many LUNs tell the media of their array */
#define SIBLING_COMMANDS 100.0 /* of so many commands each */

static const struct el_entity *entity(const struct el_evidence *e, uint32_t id) {
    return &e->catalog->entity[id];
}

/* ---- links ---- */

static bool has(const struct el_work *w, uint32_t owner, uint32_t lun) {
    size_t count;
    const uint32_t *list = el_index_luns(&w->index, owner, &count);
    for (size_t i = 0; i < count; i++)
        if (list[i] == lun)
            return true;
    return false;
}

/* Do an adapter and an array have a LUN in common? */
static bool share_lun(const struct el_work *w, uint32_t adapter, uint32_t array) {
    size_t count;
    const uint32_t *list = el_index_luns(&w->index, adapter, &count);
    for (size_t i = 0; i < count; i++)
        if (w->index.array[list[i]] == array)
            return true;
    return false;
}

/* Does `member` belong to `group`? */
static bool belongs(const struct el_work *w, uint32_t group, uint32_t member) {
    const struct el_entity *g = entity(w->e, group), *m = entity(w->e, member);
    if (g->kind == EL_HOST)
        return member != group;
    if (g->kind == EL_ADAPTER && m->kind == EL_LUN)
        return has(w, group, member);
    if (g->kind == EL_ADAPTER && m->kind == EL_ARRAY)
        return share_lun(w, group, member);
    if (g->kind == EL_ARRAY)
        return m->kind == EL_LUN && w->index.array[member] == group;
    if (g->kind == EL_LUN &&
        el_kind_is_virtual(m->kind)) /* without worlds nobody knows: any may be */
        return has(w, member, group) || !w->e->links->has_worlds;
    return m->lun == group || m->vm == group || m->adapter == group;
}

static bool related(const struct el_work *w, uint32_t group, uint32_t member) {
    if (group == member || !el_str_equal(entity(w->e, group)->host, entity(w->e, member)->host))
        return false;
    return belongs(w, group, member) || belongs(w, member, group);
}

struct el_str el_array_of(const struct el_ruleset *rules, struct el_str lun,
                          struct el_buf *scratch) {
    const struct el_vendor *vendor = el_ruleset_vendor(rules, lun);
    if (vendor)
        return el_str(vendor->name);
    if (!el_str_starts(lun, "naa.6") || lun.len < 11)
        return (struct el_str){ NULL, 0 };
    el_buf_clear(scratch); /* NAA type 6: a nibble of type, then the IEEE company id of six */
    el_buf_text(scratch, "vendor ");
    el_buf_add(scratch, lun.ptr, 11);
    return (struct el_str){ scratch->ptr, scratch->len };
}

/* ---- profiles ---- */

static bool is_nvme(struct el_str name) {
    return el_str_starts(name, "eui.") || el_str_starts(name, "t10.NVMe");
}

/* What the kind or the user settles; EL_AUTO: the figures must tell. */
static enum el_profile settled(const struct el_catalog *c, const struct el_ruleset *rules,
                               enum el_profile asked, uint32_t id) {
    const struct el_entity *e = &c->entity[id];
    if (e->kind == EL_NFS)
        return EL_NFS_PROFILE;
    if (e->kind == EL_VSAN)
        return EL_VSAN_PROFILE;
    if (asked != EL_AUTO)
        return asked;
    if (e->kind == EL_HOST || e->kind == EL_ARRAY)
        return EL_HDD;
    const struct el_entity *device =
        e->lun == EL_NOTHING || el_kind_is_virtual(e->kind) ? e : &c->entity[e->lun];
    if (is_nvme(device->name))
        return EL_NVME;
    const struct el_vendor *vendor =
        el_kind_is_virtual(e->kind) ? NULL : el_ruleset_vendor(rules, device->name);
    return vendor ? vendor->profile : EL_AUTO;
}

unsigned el_profiles_possible(const struct el_catalog *c, const struct el_links *links,
                              const struct el_ruleset *rules, enum el_profile asked, uint32_t id) {
    enum el_profile one = settled(c, rules, asked, id);
    if (one != EL_AUTO)
        return 1u << one;
    unsigned set = 1u << EL_HDD | 1u << EL_FLASH;
    if (el_kind_is_virtual(c->entity[id].kind))
        set |= 1u << EL_NVME | (links->volumes ? 1u << EL_NFS_PROFILE : 0u);
    return set;
}

static double floor_of(const struct el_entity_stats *s, enum el_stat_latency l) {
    return s->latency ? el_sketch_quantile(&s->latency[l].sketch, 0.10) : (double)INFINITY;
}

/* The one LUN under a VM or virtual disk, EL_NOTHING if there is none or several. */
static uint32_t lun_under(const struct el_evidence *e, uint32_t id) {
    const struct el_entity *v = entity(e, id);
    uint32_t vm = v->kind == EL_VDISK ? v->vm : id;
    if (v->lun != EL_NOTHING || vm == EL_NOTHING)
        return v->lun;
    return el_links_only_lun(e->links, e->catalog, vm);
}

/* The side that carries more commands tells: arrays answer writes from their cache. */
static double floor_of_device(const struct el_entity_stats *s) {
    if (!s->latency)
        return (double)INFINITY;
    const struct el_weighted *rd = &s->latency[EL_S_DAVG_RD], *wr = &s->latency[EL_S_DAVG_WR];
    if (!(rd->weight + wr->weight > 0))
        return floor_of(s, EL_S_DAVG);
    return floor_of(s, rd->weight >= wr->weight ? EL_S_DAVG_RD : EL_S_DAVG_WR);
}

static enum el_profile of_device(const struct el_evidence *e, uint32_t id) {
    enum el_profile one = settled(e->catalog, e->rules, e->profile, id);
    if (one != EL_AUTO)
        return one;
    return floor_of_device(&e->stats[id]) < FLASH_FLOOR_MS ? EL_FLASH : EL_HDD;
}

static enum el_profile of_virtual(const struct el_evidence *e, uint32_t id, bool nfs,
                                  const enum el_profile *of) {
    enum el_profile one = settled(e->catalog, e->rules, e->profile, id);
    uint32_t lun = lun_under(e, id);
    if (one != EL_AUTO)
        return one;
    if (lun != EL_NOTHING)
        return of[lun];
    if (nfs)
        return EL_NFS_PROFILE;
    return floor_of(&e->stats[id], EL_S_LAT) < FLASH_FLOOR_MS ? EL_FLASH : EL_HDD;
}

/* The LUN of an array that alone has no floor of flash, while SIBLINGS others or more have; else EL_NOTHING.  A
 * LUN that was slow all the time shows no floor of its own. */
static uint32_t odd_one(const struct el_work *w, uint32_t array, const enum el_profile *of) {
    size_t count, flash = 0;
    const uint32_t *list = el_index_luns(&w->index, array, &count);
    uint32_t odd = EL_NOTHING;
    for (size_t i = 0; i < count; i++) {
        if (w->e->stats[list[i]].commands < SIBLING_COMMANDS)
            continue;
        flash += of[list[i]] == EL_FLASH;
        if (of[list[i]] == EL_FLASH)
            continue;
        if (odd != EL_NOTHING || of[list[i]] != EL_HDD)
            return EL_NOTHING;
        odd = list[i];
    }
    bool open =
        odd != EL_NOTHING && settled(w->e->catalog, w->e->rules, w->e->profile, odd) == EL_AUTO;
    return open && flash >= SIBLINGS ? odd : EL_NOTHING;
}

void el_find_profiles(const struct el_work *w, enum el_profile *out) {
    const struct el_catalog *c = w->e->catalog;
    bool nfs = w->e->links->volumes > 0;
    for (uint32_t i = 0; i < c->entities; i++)
        out[i] = of_device(w->e, i);
    for (uint32_t i = 0; i < c->entities; i++) {
        uint32_t odd = c->entity[i].kind == EL_ARRAY ? odd_one(w, i, out) : EL_NOTHING;
        size_t count = 0;
        const uint32_t *part = odd == EL_NOTHING ? NULL : el_links_of(w->e->links, odd, &count);
        if (odd != EL_NOTHING)
            out[odd] = EL_FLASH;
        for (size_t k = 0; k < count; k++)
            out[part[k]] = EL_FLASH; /* its paths and worlds */
    }
    for (uint32_t i = 0; i < c->entities; i++)
        if (el_kind_is_virtual(c->entity[i].kind))
            out[i] = of_virtual(w->e, i, nfs, out);
}

/* Why it is that profile, in words: the same questions in the same order as el_find_profiles asks. */
static const char *reason(const struct el_work *w, uint32_t id, struct el_arena *arena) {
    const struct el_evidence *e = w->e;
    enum el_kind kind = entity(e, id)->kind;
    char floor[EL_NUM_ROOM], size[EL_NUM_ROOM];
    if (kind == EL_NFS || kind == EL_VSAN || kind == EL_HOST || kind == EL_ARRAY)
        return "by its kind";
    if (e->profile != EL_AUTO)
        return "as asked";
    uint32_t lun = el_kind_is_virtual(kind) ? lun_under(e, id) : entity(e, id)->lun;
    if (lun != EL_NOTHING && el_kind_is_virtual(kind))
        return el_arena_print(arena, "as its LUN, %s", reason(w, lun, arena));
    const struct el_entity *device = lun == EL_NOTHING ? entity(e, id) : entity(e, lun);
    if (is_nvme(device->name))
        return "by its name";
    const struct el_vendor *vendor =
        el_kind_is_virtual(kind) ? NULL : el_ruleset_vendor(e->rules, device->name);
    if (vendor && vendor->profile != EL_AUTO)
        return el_arena_print(arena, "by its vendor, %s", vendor->name);
    if (el_kind_is_virtual(kind) && e->links->volumes)
        return "the host has NFS datastores";
    const struct el_entity_stats *s = &e->stats[id];
    double least = el_kind_is_virtual(kind) ? floor_of(s, EL_S_LAT) : floor_of_device(s);
    if (!isfinite(least))
        return "nothing tells";
    if (!el_kind_is_virtual(kind) && least >= FLASH_FLOOR_MS && w->profile[id] == EL_FLASH)
        return el_arena_print(arena, "as all other LUNs of its array; its own floor is %s ms",
                              el_num_short(least, floor));
    double kb = s->reads + s->writes > 0 ? 1024 * s->megabytes / (s->reads + s->writes) : 0;
    return el_arena_print(arena, "its fastest tenth takes up to %s ms%s%s%s (p10 of %s)",
                          el_num_short(least, floor), kb > 0 ? " at " : "",
                          kb > 0 ? el_num_short(kb, size) : "", kb > 0 ? " KB" : "",
                          el_kind_is_virtual(kind) ? "LAT" : "DAVG");
}

/* ---- the interface of the judge ---- */

static const struct el_evidence *evidence_of(const void *ctx) {
    return ((const struct el_work *)ctx)->e;
}

static enum el_kind fact_kind(const void *ctx, uint32_t id) {
    return entity(evidence_of(ctx), id)->kind;
}

static enum el_profile fact_profile(const void *ctx, uint32_t id) {
    return ((const struct el_work *)ctx)->profile[id];
}

/* An array has no row of its own: its LUNs count. */
static double fact_commands(const void *ctx, uint32_t id) {
    const struct el_work *w = ctx;
    double sum = w->e->stats[id].commands;
    size_t count = 0;
    const uint32_t *list =
        entity(w->e, id)->kind == EL_ARRAY ? el_index_luns(&w->index, id, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        sum += w->e->stats[list[i]].commands;
    return sum;
}

static struct el_str first_adapter(const struct el_evidence *e, uint32_t lun) {
    size_t count;
    const uint32_t *member = el_links_of(e->links, lun, &count);
    for (size_t i = 0; i < count; i++)
        if (entity(e, member[i])->kind == EL_PATH && entity(e, member[i])->adapter != EL_NOTHING)
            return entity(e, entity(e, member[i])->adapter)->name;
    return (struct el_str){ NULL, 0 };
}

static struct el_str vm_label(const struct el_evidence *e, const struct el_entity *x) {
    if (x->kind == EL_VM)
        return x->name;
    return x->vm != EL_NOTHING ? entity(e, x->vm)->name : x->vm_name;
}

static struct el_str fact_label(const void *ctx, uint32_t id, const char *what) {
    const struct el_evidence *e = evidence_of(ctx);
    const struct el_entity *x = entity(e, id);
    uint32_t lun = x->kind == EL_LUN ? id : el_kind_is_virtual(x->kind) ? lun_under(e, id) : x->lun;
    if (strcmp(what, "name") == 0)
        return x->name;
    if (strcmp(what, "why") == 0)
        return el_str(reason(ctx, id, &((const struct el_work *)ctx)->out->arena));
    if (strcmp(what, "vm") == 0)
        return vm_label(e, x);
    if (strcmp(what, "lun") == 0)
        return lun == EL_NOTHING ? (struct el_str){ NULL, 0 } : entity(e, lun)->name;
    if (strcmp(what, "adapter") == 0)
        return x->kind == EL_ADAPTER      ? x->name
               : x->adapter != EL_NOTHING ? entity(e, x->adapter)->name
               : lun != EL_NOTHING        ? first_adapter(e, lun)
                                          : (struct el_str){ NULL, 0 };
    if (x->kind == EL_ARRAY)
        return x->name;
    const struct el_vendor *vendor =
        lun == EL_NOTHING ? NULL : el_ruleset_vendor(e->rules, entity(e, lun)->name);
    return vendor ? el_str(vendor->name) : (struct el_str){ NULL, 0 };
}

static bool fact_related(const void *ctx, uint32_t group, uint32_t member) {
    return related(ctx, group, member);
}

/* Members of a LUN, VM or adapter, and the LUNs of a VM or group, are listed; else any of the kind may be related. */
static const uint32_t *fact_among(const void *ctx, uint32_t id, enum el_kind kind, size_t *count) {
    const struct el_work *w = ctx;
    const struct el_links *links = w->e->links;
    switch (entity(w->e, id)->kind) {
    case EL_LUN:
        if (kind == EL_PATH || kind == EL_WORLD || kind == EL_PARTITION)
            return el_links_of(links, id, count);
        break;
    case EL_VM:
        if (kind == EL_VDISK || kind == EL_WORLD)
            return el_links_of(links, id, count);
        if (kind == EL_LUN && links->has_worlds)
            return el_index_luns(&w->index, id, count);
        break;
    case EL_ADAPTER:
        if (kind == EL_PATH)
            return el_links_of(links, id, count);
        if (kind == EL_LUN)
            return el_index_luns(&w->index, id, count);
        break;
    case EL_ARRAY:
        if (kind == EL_LUN)
            return el_index_luns(&w->index, id, count);
        break;
    case EL_HOST:
    case EL_PATH:
    case EL_WORLD:
    case EL_PARTITION:
    case EL_NFS:
    case EL_VDISK:
    case EL_VSAN:
    case EL_KINDS: break;
    }
    return el_index_kind(&w->index, kind, count);
}

void el_facts_of(const struct el_work *w, struct el_judge_facts *out) {
    *out = (struct el_judge_facts){ .entities = w->e->catalog->entities,
                                    .kind = fact_kind,
                                    .profile = fact_profile,
                                    .commands = fact_commands,
                                    .related = fact_related,
                                    .among = fact_among,
                                    .label = fact_label,
                                    .ctx = w };
}
