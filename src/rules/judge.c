/* Samples in: the hot path.  For each rule of the entity's kind `when` is run over the rows, and
 * nothing else happens unless a row hits. */
#include "state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "esxlat/base/clock.h"

struct el_judge *el_judge_new(const struct el_ruleset *rules) {
    struct el_judge *j = el_calloc(1, sizeof *j);
    assert(rules->compiled);
    j->rs = rules;
    j->fired = el_calloc(rules->rules + 1, sizeof *j->fired);
    (void)pthread_mutex_init(&j->patterns, NULL);
    return j;
}

void el_judge_free(struct el_judge *j) {
    if (!j)
        return;
    for (size_t i = 0; i < j->rs->rules; i++)
        el_free(j->fired[i].hit);
    (void)pthread_mutex_destroy(&j->patterns);
    el_free(j->fired);
    el_free(j->entity);
    el_free(j);
}

void el_judge_reserve(struct el_judge *j, size_t count) {
    void *items = j->entity;
    if (count <= j->entities)
        return;
    el_grow(&items, &j->room, count, sizeof *j->entity);
    j->entity = items;
    memset(j->entity + j->entities, 0, (count - j->entities) * sizeof *j->entity);
    j->entities = count;
}

void el_judge_adopt(struct el_judge *j, uint32_t entity, struct el_judge *other, uint32_t from) {
    assert(j->rs == other->rs && entity < j->entities && from < other->entities);
    if (!other->entity[from].seen)
        return;
    j->entity[entity] = other->entity[from];
    other->entity[from] = (struct el_entity_state){ .seen = false };
}

/* ---- runs and windows ---- */

/* Milliseconds; times may be EL_NO_TIME, and their difference then overflows whole numbers. */
static double between(int64_t from, int64_t to) {
    return (double)to - (double)from;
}

/* A later window joins an earlier one; they may overlap. */
static void join(struct el_window *w, const struct el_window *later) {
    w->to = later->to > w->to ? later->to : w->to;
    w->held_ms += later->held_ms;
    if (w->held_ms > between(w->from, w->to))
        w->held_ms = between(w->from, w->to);
    w->samples += later->samples;
    w->commands += later->commands;
    w->wait_device += later->wait_device;
    w->wait_vmkernel += later->wait_vmkernel;
    if (later->peak > w->peak) {
        w->peak = later->peak;
        w->peak_at = later->peak_at;
    }
}

/* Window `at` becomes a part of the one before. */
static void merge(struct el_track *t, size_t at) {
    join(&t->window[at - 1], &t->window[at]);
    memmove(&t->window[at], &t->window[at + 1], (t->windows - at - 1) * sizeof *t->window);
    t->windows--;
}

/* Is merging window `a` with the one before better than `b`: less time between; of the same, a shorter window, lest
 * trouble that comes again and again becomes a single long one. */
static bool is_nearer(const struct el_track *t, size_t a, size_t b) {
    const struct el_window *w = t->window;
    double x = between(w[a - 1].to, w[a].from), y = between(w[b - 1].to, w[b].from);
    if (x < y || y < x)
        return x < y;
    return between(w[a - 1].from, w[a].to) < between(w[b - 1].from, w[b].to);
}

static void merge_nearest(struct el_track *t) {
    size_t best = 1;
    assert(t->windows > 1);
    for (size_t i = 2; i < t->windows; i++)
        if (is_nearer(t, i, best))
            best = i;
    merge(t, best);
}

/* Windows stay in order of time and apart, whatever the clock or the order of captures does. */
static void keep_window(struct el_track *t, const struct el_window *run) {
    size_t at = t->windows;
    while (at > 0 && t->window[at - 1].from > run->from)
        at--;
    memmove(&t->window[at + 1], &t->window[at], (t->windows - at) * sizeof *t->window);
    t->window[at] = *run;
    t->window[at].held_ms = between(run->from, run->to);
    t->windows++;
    if (at > 0 && t->window[at - 1].to > t->window[at].from)
        merge(t, at--);
    while (at + 1 < t->windows && t->window[at].to > t->window[at + 1].from)
        merge(t, at + 1);
    if (t->windows > EL_WINDOWS)
        merge_nearest(t);
}

static bool is_long_enough(const struct el_window *run, const struct el_rule *rule) {
    return run->samples >= rule->for_samples && between(run->from, run->to) >= (double)rule->for_ms;
}

void el_track_close(struct el_track *t, const struct el_rule *rule) {
    const struct el_window *run = &t->run;
    if (!run->samples)
        return;
    if (run->samples > t->longest)
        t->longest = run->samples;
    if (is_long_enough(run, rule)) {
        t->samples += run->samples;
        t->commands += run->commands;
        keep_window(t, run);
    }
    t->run.samples = 0;
}

/* A gap longer than the sample itself breaks a run, and so does time that goes back. */
static bool goes_on(const struct el_window *run, int64_t from, int64_t to) {
    double gap = between(run->to, from);
    return run->samples && gap <= between(from, to) && gap >= 0;
}

static double known(const double *column, size_t row) {
    return column && column[row] > 0 ? column[row] : 0;
}

/* What the commands of each row waited: once for a chunk, whatever number of rules hit in it. */
static const struct el_waiting *waiting_of(struct el_chunk *chunk) {
    struct el_waiting *w = &chunk->waiting;
    const struct el_samples *s = chunk->samples;
    if (w->ready)
        return w;
    w->ready = true;
    for (size_t i = 0; i < chunk->rows; i++) {
        size_t row = chunk->first + i;
        double commands = known(s->column[EL_M_commands], row),
               device = known(s->column[EL_M_wait_device], row),
               vmkernel = known(s->column[EL_M_wait_vmkernel], row),
               guest = known(s->column[EL_M_guest_queue], row);
        struct el_window before = { .samples = i, .to = i ? s->to[row - 1] : 0 };
        w->joined[i] = goes_on(&before, s->from[row], s->to[row]);
        w->each[i] = commands > 0 ? 1000 * (device + vmkernel) / commands + guest : 0;
        w->commands[i + 1] = w->commands[i] + commands;
        w->device[i + 1] = w->device[i] + device;
        w->vmkernel[i + 1] = w->vmkernel[i] + vmkernel;
    }
    return w;
}

/* Rows [first, end) of the chunk are hit and follow each other: they lengthen the open run. */
static void lengthen(struct el_track *t, const struct el_chunk *chunk, size_t first, size_t end,
                     size_t *worst) {
    const struct el_waiting *w = &chunk->waiting;
    const int64_t *to = chunk->samples->to + chunk->first;
    struct el_window *run = &t->run;
    t->held += end - first;
    run->samples += end - first;
    run->to = to[end - 1];
    run->commands += w->commands[end] - w->commands[first];
    run->wait_device += w->device[end] - w->device[first];
    run->wait_vmkernel += w->vmkernel[end] - w->vmkernel[first];
    size_t most = first; /* the first of the worst */
    double peak = w->each[first];
    for (size_t i = first + 1; i < end; i++) {
        most = w->each[i] > peak ? i : most;
        peak = w->each[i] > peak ? w->each[i] : peak;
    }
    if (peak > run->peak) {
        run->peak = peak;
        run->peak_at = to[most];
    }
    if (peak > w->each[*worst])
        *worst = most;
}

/* The margin of the worst of these samples, if that is the worst of all so far. */
static void note_margin(struct el_track *t, const struct el_rule *rule, const struct el_ruleset *rs,
                        enum el_profile profile, const struct el_chunk *chunk, size_t worst) {
    if (t->worst >= 0 && !(chunk->waiting.each[worst] > t->worst))
        return;
    t->worst = chunk->waiting.each[worst];
    t->margin = el_margin(rs, rule, profile, chunk->samples, chunk->first + worst);
}

static void track_rows(struct el_track *t, const struct el_rule *rule, const struct el_ruleset *rs,
                       enum el_profile profile, struct el_chunk *chunk, const double *when) {
    const struct el_waiting *w = waiting_of(chunk);
    const int64_t *from = chunk->samples->from + chunk->first,
                  *to = chunk->samples->to + chunk->first;
    size_t worst = chunk->rows; /* of the hit rows; none yet */
    for (size_t i = 0, end; i < chunk->rows; i = end) {
        end = i + 1;
        if (!(when[i] >= 1)) {
            el_track_close(t, rule);
            while (end < chunk->rows && !(when[end] >= 1))
                end++;
            continue;
        }
        if (!goes_on(&t->run, from[i], to[i])) {
            el_track_close(t, rule);
            t->run = (struct el_window){ .from = from[i], .peak_at = EL_NO_TIME };
        }
        while (end < chunk->rows && when[end] >= 1 && w->joined[end])
            end++;
        if (worst == chunk->rows)
            worst = i;
        lengthen(t, chunk, i, end, &worst);
    }
    if (worst < chunk->rows)
        note_margin(t, rule, rs, profile, chunk, worst);
}

/* ---- rules on a chunk ---- */

static struct el_track *new_track(const struct el_rule *rule, const struct el_chunk *chunk) {
    struct el_track *t =
        el_arena_alloc(chunk->memory, sizeof *t + rule->measures * sizeof *t->tally);
    t->worst = -1;
    t->margin = (double)NAN;
    t->counts_commands = chunk->samples->column[EL_M_commands] != NULL;
    return t;
}

static void judge_lane(struct el_track **track, const struct el_rule *rule,
                       const struct el_ruleset *rs, enum el_profile profile,
                       struct el_chunk *chunk) {
    const double *when = el_program_run(&rule->when_program, &chunk->frame, profile, chunk->rows);
    bool any = el_any_true(&chunk->frame, when, chunk->rows);
    if (!any && !*track && !rule->eager)
        return;
    if (!*track)
        *track = new_track(rule, chunk);
    if (any)
        track_rows(*track, rule, rs, profile, chunk, when);
    else
        el_track_close(*track, rule);
    if (!any && !rule->eager)
        return;
    el_truths(chunk->hit, when, chunk->rows);
    for (size_t m = 0; m < rule->measures; m++)
        if (any || !rule->measure[m]->only_hit)
            el_tally_add(&(*track)->tally[m], rule->measure[m], profile, chunk);
}

/* Are these the samples that come at the end, with what guests measured? */
static bool is_late(const struct el_chunk *chunk) {
    return chunk->samples->column[EL_M_guest_lat] != NULL;
}

static void judge_rules(struct el_entity_state *e, const struct el_ruleset *rs,
                        struct el_chunk *chunk) {
    const struct el_plan *plan = &rs->plan[e->kind];
    for (size_t i = 0; i < plan->rules; i++) {
        const struct el_rule *rule = rs->rule[plan->rule[i].rule];
        if (!rule->when || !e->matches[i] || rule->late != is_late(chunk))
            continue;
        unsigned lanes = rule->lanes_of_set[e->profiles];
        for (unsigned lane = 0; lane < rule->lanes; lane++)
            if (lanes & 1u << lane)
                judge_lane(&e->track[plan->rule[i].track + lane], rule, rs,
                           rule->lane_profile[lane], chunk);
    }
}

static void collect_shared(struct el_entity_state *e, const struct el_ruleset *rs,
                           struct el_chunk *chunk) {
    const struct el_plan *plan = &rs->plan[e->kind];
    for (size_t i = 0; i < plan->measures; i++) {
        const struct el_measure *m = rs->measure[plan->measure[i].measure];
        unsigned done = 0; /* lanes */
        if (m->late != is_late(chunk))
            continue;
        for (unsigned p = 0; p < EL_PROFILES; p++) {
            unsigned lane = m->lane_of[p];
            if (!(e->profiles & 1u << p) || done & 1u << lane)
                continue;
            el_tally_add(&e->tally[plan->measure[i].tally + lane], m, (enum el_profile)p, chunk);
            done |= 1u << lane;
        }
    }
}

/* The first samples of an entity: its state is made, and it is found out which rules fit its name.
 */
static void meet(struct el_judge *j, struct el_arena *memory, struct el_entity_state *e,
                 enum el_kind kind, struct el_str name, unsigned profiles) {
    const struct el_plan *plan = &j->rs->plan[kind];
    *e = (struct el_entity_state){ .seen = true, .kind = kind, .profiles = profiles };
    e->tally = el_arena_alloc(memory, (plan->tallies + 1) * sizeof *e->tally);
    e->track = el_arena_alloc(memory, (plan->tracks + 1) * sizeof *e->track);
    e->matches = el_arena_alloc(memory, (plan->rules + 1) * sizeof *e->matches);
    for (size_t i = 0; i < plan->rules; i++) {
        const struct el_pattern *match = j->rs->rule[plan->rule[i].rule]->match;
        e->matches[i] = !match;
        if (!match)
            continue;
        (void)pthread_mutex_lock(&j->patterns);
        e->matches[i] = el_pattern_match(match, name, NULL) == 1;
        (void)pthread_mutex_unlock(&j->patterns);
    }
}

void el_judge_samples(struct el_judge *j, struct el_arena *memory, uint32_t entity,
                      enum el_kind kind, struct el_str name, unsigned profiles,
                      const struct el_samples *s) {
    struct el_chunk chunk;
    struct el_entity_state *e = &j->entity[entity];
    assert(entity < j->entities && kind < EL_KINDS);
    profiles &= (1u << EL_PROFILES) - 1;
    if (!e->seen)
        meet(j, memory, e, kind, name, profiles);
    assert(e->kind == kind && e->profiles == profiles);
    if (!s->column[EL_M_guest_lat])
        e->samples += s->rows;
    if (j->rs->plan[kind].rules == 0)
        return;
    el_chunk_init(&chunk, memory);
    for (size_t first = 0; first < s->rows; first += EL_CHUNK) {
        size_t rows = s->rows - first < EL_CHUNK ? s->rows - first : EL_CHUNK;
        el_chunk_set(&chunk, s, first, rows);
        judge_rules(e, j->rs, &chunk);
        collect_shared(e, j->rs, &chunk);
    }
}
