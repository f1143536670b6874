#include "pipeline.h"

#include <string.h>

/* Metrics that pooling and the judge need whatever the rules say. */
static const enum el_metric always[] = { EL_M_commands,    EL_M_seconds,      EL_M_cmds,
                                         EL_M_reads,       EL_M_writes,       EL_M_actv,
                                         EL_M_wait_device, EL_M_wait_vmkernel };

/* Of paths, worlds and partitions the verdict's text shows nothing by itself: only what rules use, what links paths,
 * and what a world tells of its VM's commands is read. */
static void choose_columns(struct el_pipeline *p) {
    static const enum el_counter of_worlds[] = { EL_C_cmds, EL_C_reads,   EL_C_writes, EL_C_davg,
                                                 EL_C_kavg, EL_C_qavg,    EL_C_gavg,   EL_C_actv,
                                                 EL_C_qued, EL_C_davg_rd, EL_C_davg_wr };
    static const enum el_counter of_paths[] = { EL_C_cmds, EL_C_reads, EL_C_writes };
    for (int kind = 0; kind < EL_KINDS; kind++) {
        bool shown = !p->options->verdict_only ||
                     (kind != EL_PATH && kind != EL_WORLD && kind != EL_PARTITION);
        for (int c = 0; c < EL_COUNTERS; c++)
            p->columns[kind][c] =
                shown || el_ruleset_needs(p->options->rules, (enum el_kind)kind, (enum el_metric)c);
    }
    for (size_t i = 0; i < sizeof of_worlds / sizeof *of_worlds; i++)
        p->columns[EL_WORLD][of_worlds[i]] = true;
    for (size_t i = 0; i < sizeof of_paths / sizeof *of_paths; i++)
        p->columns[EL_PATH][of_paths[i]] = true;
}

/* The latency whose p95 the verdict's text shows is LAT, else the first of GAVG, DAVG and KAVG that was measured at all
 * (report/rank.h): as long as one was not, those behind it may be the one. */
static unsigned shown_quantiles(const struct el_pipeline *p, uint32_t id) {
    static const enum el_stat_latency first_to_last[] = { EL_S_GAVG, EL_S_DAVG, EL_S_KAVG };
    const struct el_entity_stats *s = &p->stats[id];
    unsigned bits = 0;
    if (el_kind_is_virtual(p->catalog->entity[id].kind))
        return EL_S_BIT(EL_S_LAT);
    for (size_t i = 0; i < sizeof first_to_last / sizeof *first_to_last; i++) {
        bits |= EL_S_BIT(first_to_last[i]);
        if (s->latency && s->latency[first_to_last[i]].weight > 0)
            break;
    }
    return bits;
}

/* The verdict's text shows no sides of a latency, and one quantile of each entity; others tell flash from disks
 * (verdict/facts.c), unless that is settled. */
static struct el_stats_kept kept_of(const struct el_pipeline *p, uint32_t id) {
    const unsigned device =
        EL_S_BIT(EL_S_DAVG) | EL_S_BIT(EL_S_DAVG_RD) | EL_S_BIT(EL_S_DAVG_WR) | EL_S_BIT(EL_S_LAT);
    bool settled = (p->profiles[id] & (p->profiles[id] - 1)) == 0;
    if (!p->options->verdict_only)
        return (struct el_stats_kept){ EL_S_ALL, EL_S_ALL };
    return (struct el_stats_kept){ device | EL_S_BIT(EL_S_KAVG) | EL_S_BIT(EL_S_QAVG) |
                                       EL_S_BIT(EL_S_GAVG),
                                   shown_quantiles(p, id) | (settled ? 0 : device) };
}

void el_pipeline_init(struct el_pipeline *p, const struct el_options *options) {
    *p = (struct el_pipeline){ .options = options };
    p->catalog = el_catalog_new();
    p->crew = el_crew_new(options->threads);
    p->match = el_match_new(p->crew);
    p->memory = el_calloc(el_crew_size(p->crew), sizeof *p->memory);
    p->derived = el_calloc(el_crew_size(p->crew), sizeof *p->derived);
    p->pooled = el_calloc(el_crew_size(p->crew), sizeof *p->pooled);
}

/* What depends on the rules. */
static void take_rules(struct el_pipeline *p) {
    const struct el_options *options = p->options;
    p->judge = el_judge_new(options->rules);
    el_lanes_init(&p->lanes, options->rules);
    for (int kind = 0; kind < EL_KINDS; kind++) {
        for (int m = 0; m < EL_METRICS; m++)
            p->wanted[kind][m] =
                el_ruleset_needs(options->rules, (enum el_kind)kind, (enum el_metric)m);
        for (size_t i = 0; i < sizeof always / sizeof *always; i++)
            p->wanted[kind][always[i]] = true;
        if (options->want_series)
            el_series_needs((enum el_kind)kind, p->wanted[kind]);
    }
    choose_columns(p);
}

void el_pipeline_release(struct el_pipeline *p) {
    for (size_t i = 0; i < p->entities; i++) {
        el_pool_release(&p->pool[i]);
        el_series_release(&p->series[i]);
    }
    el_free(p->waits);
    el_free(p->stats);
    el_free(p->pool);
    el_free(p->series);
    el_free(p->profiles);
    el_free(p->chosen);
    for (unsigned i = 0; i < el_crew_size(p->crew); i++) {
        el_arena_release(&p->memory[i]);
        el_derived_release(&p->derived[i]);
        el_pooled_release(&p->pooled[i]);
    }
    el_free(p->memory);
    el_free(p->derived);
    el_free(p->pooled);
    el_match_free(p->match);
    el_crew_free(p->crew);
    el_links_release(&p->links);
    el_lanes_release(&p->lanes);
    el_judge_free(p->judge);
    el_catalog_free(p->catalog);
}

/* ---- which entities are asked for ---- */

static bool lun_on_adapter(const struct el_pipeline *p, uint32_t lun) {
    const struct el_options *o = p->options;
    size_t count;
    const uint32_t *member = el_links_of(&p->links, lun, &count);
    for (size_t i = 0; i < count; i++) {
        const struct el_entity *e = &p->catalog->entity[member[i]];
        if (e->kind == EL_PATH && e->adapter != EL_NOTHING &&
            el_str_among(p->catalog->entity[e->adapter].name, o->adapter, o->adapters))
            return true;
    }
    return false;
}

/* A LUN is chosen by its name, its adapter, or a VM whose world is on it. */
static bool lun_chosen(const struct el_pipeline *p, uint32_t lun) {
    const struct el_options *o = p->options;
    size_t count;
    const uint32_t *member = el_links_of(&p->links, lun, &count);
    if (el_str_among(p->catalog->entity[lun].name, o->lun, o->luns) || lun_on_adapter(p, lun))
        return true;
    for (size_t i = 0; i < count; i++)
        if (el_str_among(p->catalog->entity[member[i]].vm_name, o->vm, o->vms))
            return true;
    return false;
}

/* A VM is chosen by its name, or by a chosen LUN that its world is on. */
static bool vm_chosen(const struct el_pipeline *p, uint32_t vm) {
    const struct el_options *o = p->options;
    size_t count;
    const uint32_t *member = el_links_of(&p->links, vm, &count);
    if (o->vms)
        return el_str_among(p->catalog->entity[vm].name, o->vm, o->vms);
    for (size_t i = 0; i < count; i++) {
        const struct el_entity *e = &p->catalog->entity[member[i]];
        if (e->kind == EL_WORLD && e->lun != EL_NOTHING && lun_chosen(p, e->lun))
            return true;
    }
    return false;
}

static bool is_chosen(const struct el_pipeline *p, uint32_t id) {
    const struct el_options *o = p->options;
    const struct el_entity *e = &p->catalog->entity[id];
    if (o->luns + o->vms + o->adapters == 0)
        return true;
    switch (e->kind) {
    case EL_HOST: return true;
    case EL_ADAPTER: return el_str_among(e->name, o->adapter, o->adapters);
    case EL_LUN: return lun_chosen(p, id);
    case EL_PATH:
    case EL_WORLD:
    case EL_PARTITION: return e->lun != EL_NOTHING && lun_chosen(p, e->lun);
    case EL_VM: return vm_chosen(p, id);
    case EL_VDISK: return e->vm != EL_NOTHING && vm_chosen(p, e->vm);
    case EL_NFS: return el_str_among(e->name, o->lun, o->luns);
    case EL_VSAN:
    case EL_ARRAY:
    case EL_KINDS: break;
    }
    return false;
}

/* ---- runs ---- */

/* Grow an array of elements to the number of entities, the new ones cleared. */
static void *extend(void *array, size_t *room, size_t old_count, size_t count, size_t size) {
    el_grow(&array, room, count, size);
    if (count > old_count)
        memset((char *)array + old_count * size, 0, (count - old_count) * size);
    return array;
}

static void make_room(struct el_pipeline *p) {
    size_t old = p->entities, n = p->catalog->entities;
    p->stats = extend(p->stats, &p->stats_room, old, n, sizeof *p->stats);
    p->pool = extend(p->pool, &p->pool_room, old, n, sizeof *p->pool);
    p->waits = extend(p->waits, &p->waits_room, old, n, sizeof *p->waits);
    p->series = extend(p->series, &p->series_room, old, n, sizeof *p->series);
    p->profiles = extend(p->profiles, &p->profiles_room, old, n, sizeof *p->profiles);
    p->chosen = extend(p->chosen, &p->chosen_room, old, n, sizeof *p->chosen);
    p->entities = n;
    el_judge_reserve(p->judge, n);
}

void el_pipeline_open_run(struct el_pipeline *p) {
    size_t old = p->entities;
    if (!p->judge)
        take_rules(p);
    el_catalog_choose(p->catalog, (const bool(*)[EL_COUNTERS])p->columns);
    make_room(p);
    el_links_build(&p->links, p->catalog);
    el_match_open(p->match, p->catalog, &p->links);
    el_lanes_open(&p->lanes, p->catalog, &p->links, p->stats);
    if (p->watch)
        el_watch_open(p->watch, p->catalog);
    for (uint32_t i = 0; i < p->entities; i++) {
        p->chosen[i] = is_chosen(p, i);
        if (i >= old)
            p->profiles[i] = el_profiles_possible(p->catalog, &p->links, p->options->rules,
                                                  p->options->profile, i);
    }
}

/* ---- blocks ---- */

/* Nothing happens and nothing waits: no need to look closer. */
static bool is_idle(const struct el_pipeline *p, const struct el_block *b, uint32_t id) {
    static const enum el_counter signs[] = { EL_C_cmds, EL_C_actv, EL_C_reads, EL_C_writes };
    uint32_t lane = p->lanes.of[id].settled;
    const struct el_pool *pool = lane ? &p->lanes.lane[lane - 1].pool : &p->pool[id];
    if (pool->rows || p->catalog->entity[id].kind == EL_HOST ||
        p->catalog->entity[id].kind == EL_VSAN)
        return false;
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        const double *v = el_block_column(b, &p->catalog->run, id, signs[k]);
        for (size_t i = 0; v && i < b->rows; i++)
            if (v[i] > 0)
                return false;
    }
    return true;
}

/* Where samples of an entity, or of a lane of a disk, go. */
struct sink {
    uint32_t entity, at; /* at: its number in the judge */
    struct el_judge *judge;
    struct el_pool *pool;
    struct el_track_series *series;
    double *device, *vmkernel; /* s waited, of virtual machines and disks; else NULL */
};

static struct sink sink_of(struct el_pipeline *p, uint32_t id) {
    enum el_kind kind = p->catalog->entity[id].kind;
    struct sink s = { id, id, p->judge, &p->pool[id], &p->series[id], NULL, NULL };
    if (el_kind_is_virtual(kind)) {
        s.device = &p->stats[id].time_device;
        s.vmkernel = &p->stats[id].time_vmkernel;
    }
    return s;
}

static struct sink sink_of_lane(struct el_pipeline *p, uint32_t disk, uint32_t lane) {
    struct el_lane *l = &p->lanes.lane[lane];
    return (struct sink){
        disk, lane, p->lanes.judge, &l->pool, &l->series, &l->time_device, &l->time_vmkernel
    };
}

static void judge(struct el_pipeline *p, const struct sink *to, const struct el_samples *s,
                  unsigned member) {
    const struct el_entity *e = &p->catalog->entity[to->entity];
    if (s->rows)
        el_judge_samples(to->judge, &p->memory[member], to->at, e->kind, e->name,
                         p->profiles[to->entity], s);
}

static void add_waiting(double *sum, const double *column, size_t rows) {
    for (size_t i = 0; sum && column && i < rows; i++)
        *sum += column[i];
}

/* `lun`: the one that a disk is taken to lie on, or EL_NOTHING. */
static void take_samples(struct el_pipeline *p, const struct el_block *b, const struct sink *to,
                         uint32_t lun, unsigned member) {
    const struct el_surroundings around = { p->catalog, &p->links, b, lun };
    enum el_kind kind = p->catalog->entity[to->entity].kind;
    struct el_samples rows, samples;
    el_derive(&around, to->entity, p->wanted[kind], &p->derived[member], &rows);
    add_waiting(to->device, rows.column[EL_M_wait_device], rows.rows);
    add_waiting(to->vmkernel, rows.column[EL_M_wait_vmkernel], rows.rows);
    if (p->options->want_series && el_series_kept(kind))
        el_series_take(to->series, &p->axis, p->merges, kind, &rows);
    el_pool_feed(to->pool, &rows, &p->pooled[member], &samples);
    judge(p, to, &samples, member);
}

static void take_lanes(struct el_pipeline *p, const struct el_block *b, uint32_t id,
                       unsigned member) {
    struct el_lanes_of *of = &p->lanes.of[id];
    for (uint32_t lane = of->first; lane < of->first + of->count; lane++) {
        struct sink to = sink_of_lane(p, id, lane);
        if (of->settled && of->settled != lane + 1)
            continue;
        take_samples(p, b, &to, p->lanes.lane[lane].lun, member);
    }
}

static void take_entity(struct el_pipeline *p, const struct el_block *b, uint32_t id,
                        unsigned member) {
    const struct el_entity *e = &p->catalog->entity[id];
    el_stats_take(&p->stats[id], e, id, kept_of(p, id), b, &p->catalog->run, &p->memory[member]);
    if (el_waits_kept(e->kind))
        el_waits_take(&p->waits[id], e->kind, id, b, &p->catalog->run, &p->memory[member]);
    if (is_idle(p, b, id))
        return;
    struct sink to = sink_of(p, id);
    if (!p->lanes.of[id].settled)
        take_samples(p, b, &to, EL_NOTHING, member);
    take_lanes(p, b, id, member);
}

struct take_job {
    struct el_pipeline *pipe;
    const struct el_block *block;
};

/* Entities are taken one by one in any order, each by one member: none reads what another writes. */
static void take_item(void *ctx, size_t item, unsigned member) {
    const struct take_job *job = ctx;
    if (job->pipe->chosen[item])
        take_entity(job->pipe, job->block, (uint32_t)item, member);
}

void el_pipeline_take(struct el_pipeline *p, const struct el_block *b) {
    struct take_job job = { p, b };
    p->merges +=
        el_axis_reach(&p->axis, b->from[0], b->to[0]); /* the first sample sets the width */
    p->merges += el_axis_reach(&p->axis, b->from[0], b->to[b->rows - 1]);
    el_crew_run(p->crew, p->catalog->run.entities, take_item, &job);
    el_match_take(p->match, p->catalog, b);
    el_lanes_settle(&p->lanes, p->catalog);
    if (p->watch)
        el_watch_take(p->watch, b, &p->catalog->run);
}

/* ---- the end ---- */

/* LUNs of one vendor are an entity of their own, on which rules about arrays fire. */
static void add_arrays(struct el_pipeline *p) {
    struct el_buf scratch = { 0 };
    size_t n = p->catalog->entities;
    for (size_t i = 0; i < n; i++) {
        const struct el_entity *e = &p->catalog->entity[i];
        struct el_str name = { NULL, 0 };
        if (e->kind == EL_LUN && p->stats[i].commands > 0)
            name = el_array_of(p->options->rules, e->name, &scratch);
        if (name.ptr)
            (void)el_catalog_add(p->catalog, e->host, EL_ARRAY, name);
    }
    el_buf_release(&scratch);
    make_room(p);
    el_links_build(&p->links, p->catalog);
}

/* No more samples: what is pooled is judged. */
static void close_sink(struct el_pipeline *p, const struct sink *to) {
    struct el_samples samples;
    el_pool_finish(to->pool, &p->pooled[0], &samples);
    judge(p, to, &samples, 0);
    el_series_follow(to->series, p->merges);
}

/* A disk whose LUN was found goes on as the lane of that LUN. */
static void take_lane(struct el_pipeline *p, uint32_t disk) {
    const struct el_entity *e = &p->catalog->entity[disk];
    bool found = e->kind == EL_VDISK && e->lun != EL_NOTHING;
    uint32_t lane = found ? el_lanes_find(&p->lanes, disk, e->lun) : EL_NOTHING;
    if (disk < p->lanes.entities && p->lanes.of[disk].settled)
        lane = p->lanes.of[disk].settled - 1;
    if (lane == EL_NOTHING)
        return;
    struct el_lane *l = &p->lanes.lane[lane];
    struct sink to = sink_of_lane(p, disk, lane);
    close_sink(p, &to);
    el_judge_adopt(p->judge, disk, p->lanes.judge, lane);
    el_series_release(&p->series[disk]);
    p->series[disk] = l->series;
    l->series = (struct el_track_series){ 0 };
    p->stats[disk].time_device = l->time_device;
    p->stats[disk].time_vmkernel = l->time_vmkernel;
}

void el_pipeline_finish(struct el_pipeline *p) {
    make_room(p); /* a last header may have been followed by no row */
    el_links_build(&p->links, p->catalog);
    for (uint32_t i = 0; i < p->entities; i++) {
        struct sink to = sink_of(p, i);
        close_sink(p, &to);
    }
    el_match_disks(p->match, p->catalog, &p->links);
    el_match_paths(p->catalog, p->stats);
    for (uint32_t i = 0; i < p->entities; i++)
        take_lane(p, i);
    add_arrays(p);
}
