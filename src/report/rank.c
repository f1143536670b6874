#include "rank.h"

#include <math.h>
#include <stdlib.h>

#include "esxlat/base/mem.h"
#include "esxlat/base/num.h"

static const enum el_latency candidates[] = { EL_L_LAT, EL_L_GAVG, EL_L_DAVG, EL_L_KAVG };
static const char *const candidate_names[] = { "LAT", "GAVG", "DAVG", "KAVG" };
#define CANDIDATES (sizeof candidates / sizeof *candidates)

/* Index into candidates, or CANDIDATES. */
static size_t candidate(const struct el_entity_report *e) {
    size_t i = 0;
    while (i < CANDIDATES && !(e->has_latency[candidates[i]] && e->latency[candidates[i]].there))
        i++;
    return i;
}

const struct el_figure *el_rank_figure(const struct el_entity_report *e) {
    size_t i = candidate(e);
    return i < CANDIDATES ? &e->latency[candidates[i]] : NULL;
}

const char *el_rank_figure_name(const struct el_entity_report *e) {
    size_t i = candidate(e);
    return i < CANDIDATES ? candidate_names[i] : "-";
}

struct place {
    bool named;
    double wait;
    uint32_t entity;
};

static double known(double value) {
    return isfinite(value) ? value : 0;
}

/* Seconds waited, as far as anything is known. */
static double waited(const struct el_entity_report *e) {
    const struct el_figure *f = el_rank_figure(e);
    double sum = known(e->time_guest) + known(e->time_vmkernel) + known(e->time_device);
    if (e->has_time && sum > 0)
        return sum;
    return f ? known(f->mean) * known(e->commands) / 1000 : 0;
}

static int by_place(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    if (a->named != b->named)
        return a->named ? -1 : 1;
    if (a->wait > b->wait || a->wait < b->wait)
        return a->wait > b->wait ? -1 : 1;
    return (a->entity > b->entity) - (a->entity < b->entity);
}

static bool *named_in_roots(const struct el_report *r) {
    bool *named = el_calloc(r->entities + 1, sizeof *named);
    for (size_t i = 0; i < r->findings; i++)
        if (r->finding[i].root && r->finding[i].entity < r->entities)
            named[r->finding[i].entity] = true;
    return named;
}

size_t el_rank(const struct el_report *r, unsigned kinds, uint32_t **order) {
    struct place *place = el_calloc(r->entities + 1, sizeof *place);
    bool *named = named_in_roots(r);
    size_t count = 0;
    for (size_t i = 0; i < r->entities; i++) {
        const struct el_entity_report *e = &r->entity[i];
        bool wanted = named[i] || (kinds & EL_KIND_BIT(e->kind));
        if (wanted && (e->active > 0 || el_rank_figure(e)))
            place[count++] = (struct place){ named[i], waited(e), (uint32_t)i };
    }
    qsort(place, count, sizeof *place, by_place);
    *order = el_calloc(count + 1, sizeof **order);
    for (size_t i = 0; i < count; i++)
        (*order)[i] = place[i].entity;
    el_free(named);
    el_free(place);
    return count;
}
