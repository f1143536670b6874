/* The rows of the report: figures of each entity, as the statistics have them. */
#include <string.h>

#include "esxlat/base/num.h"
#include "verdict.h"

_Static_assert((int)EL_S_LATENCIES == (int)EL_LATENCIES,
               "statistics and report list the same latencies");
_Static_assert((int)EL_A_TRACKS == (int)EL_TRACKS, "statistics and report list the same tracks");

/* Which counter shows that the capture has a latency; LAT needs either side. */
static const enum el_counter counter_of[] = { EL_C_davg,   EL_C_davg_rd, EL_C_davg_wr,
                                              EL_C_kavg,   EL_C_kavg_rd, EL_C_kavg_wr,
                                              EL_C_qavg,   EL_C_qavg_rd, EL_C_qavg_wr,
                                              EL_C_gavg,   EL_C_gavg_rd, EL_C_gavg_wr,
                                              EL_COUNTERS, EL_C_lat_rd,  EL_C_lat_wr };
_Static_assert(sizeof counter_of / sizeof *counter_of == EL_LATENCIES,
               "one counter for each latency");

static bool has_latency(const struct el_entity *e, enum el_latency l) {
    bool is_virtual = el_kind_is_virtual(e->kind) || e->kind == EL_VSAN;
    if (l >= EL_L_LAT)
        return is_virtual;
    return !is_virtual && el_entity_has(e, counter_of[l]);
}

static struct el_figure figure(const struct el_weighted *w) {
    if (!(w->weight > 0))
        return (struct el_figure){ .max_at = EL_NO_TIME };
    return (struct el_figure){ .there = true,
                               .mean = w->sum / w->weight,
                               .p50 = el_sketch_quantile(&w->sketch, 0.50),
                               .p95 = el_sketch_quantile(&w->sketch, 0.95),
                               .p99 = el_sketch_quantile(&w->sketch, 0.99),
                               .max = w->max,
                               .max_at = w->max_at };
}

static struct el_spread spread(const struct el_gauge *g) {
    if (!(g->weight > 0))
        return (struct el_spread){ false, EL_NAN, EL_NAN };
    return (struct el_spread){ true, g->sum / g->weight, g->max };
}

static struct el_range range(const struct el_gauge *g) {
    if (!(g->weight > 0))
        return (struct el_range){ false, EL_NAN, EL_NAN };
    return (struct el_range){ true, g->min, g->max };
}

static double count_of(const struct el_entity *e, enum el_counter counter, double count) {
    return el_entity_has(e, counter) ? count : EL_NAN;
}

/* An error counter says "none" only where samples were read. */
static double errors_of(const struct el_entity *e, const struct el_entity_stats *s,
                        enum el_counter counter, double count) {
    return s->samples ? count_of(e, counter, count) : EL_NAN;
}

static void fill_figures(const struct el_entity *e, const struct el_entity_stats *s,
                         struct el_entity_report *r) {
    r->samples = s->samples;
    r->active = s->active;
    r->has_reads = el_entity_has(e, EL_C_reads);
    r->has_writes = el_entity_has(e, EL_C_writes);
    r->commands = count_of(e, EL_C_cmds, s->commands);
    r->reads = count_of(e, EL_C_reads, s->reads);
    r->writes = count_of(e, EL_C_writes, s->writes);
    r->iops = spread(&s->iops);
    r->mb_s = spread(&s->mb_s);
    r->actv = spread(&s->actv);
    r->qued = spread(&s->qued);
    r->inflight = spread(&s->inflight);
    r->io_kb = s->mb_s.weight > 0 && s->reads + s->writes > 0
                   ? 1024 * s->megabytes / (s->reads + s->writes)
                   : EL_NAN;
    r->dqlen = range(&s->dqlen);
    r->aqlen = range(&s->aqlen);
    r->aborts = errors_of(e, s, EL_C_abrts, s->aborts);
    r->resets = errors_of(e, s, EL_C_resets, s->resets);
    r->conflicts = errors_of(e, s, EL_C_cons, s->conflicts);
    r->failed = errors_of(e, s, EL_C_fcmds, s->failed);
    for (int l = 0; l < EL_LATENCIES; l++) {
        r->has_latency[l] = has_latency(e, (enum el_latency)l);
        r->latency[l].max_at = EL_NO_TIME;
        if (r->has_latency[l] && s->latency)
            r->latency[l] = figure(&s->latency[l]);
    }
}

/* Add what a world measured. */
static void join(struct el_weighted *sum, struct el_arena *memory, const struct el_weighted *w) {
    if (!(w->weight > 0))
        return;
    bool more = sum->weight <= 0 || w->max > sum->max;
    if (more || (w->max >= sum->max && w->max_at < sum->max_at)) {
        sum->max = w->max;
        sum->max_at = w->max_at;
    }
    sum->weight += w->weight;
    sum->sum += w->sum;
    el_sketch_join(&sum->sketch, memory, &w->sketch);
}

/* D, K, Q and G of a virtual machine are those of its worlds, of a virtual disk those of its VM's worlds on its LUN;
 * without a LUN it has none. */
static void fill_below(const struct el_work *w, uint32_t id, struct el_entity_report *r) {
    static const enum el_latency latency[] = { EL_L_DAVG, EL_L_KAVG, EL_L_QAVG, EL_L_GAVG };
    const struct el_entity *e = &w->e->catalog->entity[id];
    uint32_t vm = e->kind == EL_VM ? id : e->vm;
    struct el_arena memory = { 0 };
    size_t count = 0;
    const uint32_t *member = vm == EL_NOTHING || (e->kind == EL_VDISK && e->lun == EL_NOTHING)
                                 ? NULL
                                 : el_links_of(w->e->links, vm, &count);
    for (size_t k = 0; k < sizeof latency / sizeof *latency; k++) {
        enum el_latency l = latency[k];
        struct el_weighted sum = { 0 };
        for (size_t i = 0; i < count; i++) {
            const struct el_entity *world = &w->e->catalog->entity[member[i]];
            const struct el_entity_stats *s = &w->e->stats[member[i]];
            if (world->kind != EL_WORLD || (e->kind == EL_VDISK && world->lun != e->lun))
                continue;
            r->has_latency[l] |= has_latency(world, l);
            if (s->latency)
                join(&sum, &memory, &s->latency[l]);
        }
        r->latency[l] = figure(&sum);
    }
    el_arena_release(&memory);
}

static void fill_paths(struct el_work *w, uint32_t id, struct el_entity_report *r) {
    size_t count;
    const uint32_t *member = el_links_of(w->e->links, id, &count);
    struct el_str *path = el_arena_alloc(&w->out->arena, (count + 1) * sizeof *path);
    for (size_t i = 0; i < count; i++) {
        const struct el_entity *m = &w->e->catalog->entity[member[i]];
        if (m->kind != EL_PATH)
            continue;
        path[r->path_count++] = m->name;
        if (!r->adapter.ptr && m->adapter != EL_NOTHING)
            r->adapter = w->e->catalog->entity[m->adapter].name;
    }
    r->paths = path;
}

static enum el_link link_of(const struct el_entity *e) {
    if (e->kind == EL_VDISK)
        return e->lun_by == EL_BY_NAME   ? EL_LINK_EXACT
               : e->lun_by == EL_BY_RATE ? EL_LINK_MATCHED
                                         : EL_LINK_UNKNOWN;
    if (e->lun == EL_NOTHING)
        return EL_LINK_NONE;
    return e->lun_by == EL_BY_RATE ? EL_LINK_MATCHED : EL_LINK_EXACT;
}

static void fill_links(struct el_work *w, uint32_t id, struct el_entity_report *r) {
    const struct el_catalog *c = w->e->catalog;
    const struct el_entity *e = &c->entity[id];
    const struct el_vendor *vendor =
        e->kind == EL_LUN ? el_ruleset_vendor(w->e->rules, e->name) : NULL;
    if (e->lun != EL_NOTHING)
        r->lun = c->entity[e->lun].name;
    if (e->adapter != EL_NOTHING)
        r->adapter = c->entity[e->adapter].name;
    if (e->kind == EL_LUN)
        fill_paths(w, id, r);
    r->vm = e->vm != EL_NOTHING ? c->entity[e->vm].name : e->vm_name;
    r->owner = e->owner;
    r->link = link_of(e);
    r->link_certainty = e->kind == EL_VDISK && e->lun_sure > 0 ? e->lun_sure : EL_NAN;
    if (vendor)
        r->vendor = el_str(vendor->name);
}

/* Waiting time by layer; for a virtual disk from the figures of its own I/O on its LUN. */
static void fill_time(const struct el_work *w, uint32_t id, struct el_entity_report *r) {
    enum el_kind kind = r->kind;
    r->has_time =
        kind == EL_LUN || kind == EL_ADAPTER || kind == EL_PATH || kind == EL_WORLD ||
        kind == EL_PARTITION ||
        ((kind == EL_VDISK || kind == EL_VM || kind == EL_NFS) && w->e->stats[id].latency);
    r->time_guest = w->wait_guest[id];
    r->time_device = w->wait_device[id];
    r->time_vmkernel = w->wait_vmkernel[id];
}

static bool is_filled(const struct el_bucket *b, size_t used) {
    for (size_t i = 0; i < used; i++)
        if (b[i].weight > 0)
            return true;
    return false;
}

/* One track of an entity; a bucket without samples is NaN. */
static void fill_track(struct el_work *w, const struct el_bucket *b, size_t used, enum el_track t,
                       struct el_series *out) {
    if (!is_filled(b, used))
        return;
    float *mean = el_arena_alloc(&w->out->arena, 3 * used * sizeof *mean);
    float *least = mean + used, *most = mean + 2 * used;
    for (size_t i = 0; i < used; i++) {
        bool filled = b[i].weight > 0;
        mean[i] = filled ? b[i].sum / b[i].weight : NAN;
        least[i] = filled ? b[i].least : NAN;
        most[i] = filled ? b[i].most : NAN;
    }
    out->mean[t] = mean;
    out->min[t] = least;
    out->max[t] = most;
}

static void fill_series(struct el_work *w, uint32_t id, struct el_entity_report *r) {
    const struct el_bucket *b = w->e->series ? w->e->series[id].bucket : NULL;
    size_t used = w->e->axis.used;
    if (!b || !used)
        return;
    r->series =
        (struct el_series){ .buckets = used, .start = w->e->axis.start, .width = w->e->axis.width };
    for (size_t t = 0; t < EL_TRACKS; t++)
        fill_track(w, b + t * EL_SERIES_BUCKETS, used, (enum el_track)t, &r->series);
}

void el_fill_entities(struct el_work *w) {
    const struct el_catalog *c = w->e->catalog;
    w->out->entity = el_arena_alloc(&w->out->arena, (c->entities + 1) * sizeof *w->out->entity);
    for (uint32_t i = 0; i < c->entities; i++) {
        const struct el_entity *e = &c->entity[i];
        w->row[i] = EL_NO_ENTITY;
        if (e->kind == EL_HOST || e->kind == EL_ARRAY)
            continue;
        w->row[i] = (uint32_t)w->out->entities;
        struct el_entity_report *r = &w->out->entity[w->out->entities++];
        *r = (struct el_entity_report){ .kind = e->kind, .name = e->name, .host = e->host };
        r->layer = w->layer[i];
        r->profile = w->profile[i];
        fill_figures(e, &w->e->stats[i], r);
        if (el_kind_is_virtual(e->kind))
            fill_below(w, i, r);
        fill_links(w, i, r);
        fill_time(w, i, r);
        fill_series(w, i, r);
    }
}
