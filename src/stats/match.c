#include "esxlat/stats/match.h"

#include <math.h>
#include <string.h>

#define MOST 48 /* disks + LUNs of a VM that are matched */
#define ENUMERATED                                                                                 \
    20000 /* assignments that are tried one by one; beyond: descent from a greedy start */
#define GOOD_FIT      0.05 /* of the worlds' energy may stay unexplained */
#define CLEARLY_WORSE 0.02 /* of it that moving one disk must cost for its link to count */

struct vm {
    uint32_t entity;
    uint32_t disk[MOST], world[MOST]; /* entities */
    size_t disks, worlds;
    double
        *gram; /* (disks + worlds) squared: sums of products of rates, reads and writes together */
};

struct el_match {
    struct vm *vm;
    size_t vms, room;
};

struct el_match *el_match_new(void) {
    return el_calloc(1, sizeof(struct el_match));
}

void el_match_free(struct el_match *m) {
    if (!m)
        return;
    for (size_t i = 0; i < m->vms; i++)
        el_free(m->vm[i].gram);
    el_free(m->vm);
    el_free(m);
}

/* The disks and worlds of a VM; false when there is nothing to match. */
static bool gather(const struct el_catalog *c, const struct el_links *l, uint32_t entity,
                   struct vm *out) {
    size_t count;
    const uint32_t *member = el_links_of(l, entity, &count);
    *out = (struct vm){ .entity = entity };
    for (size_t i = 0; i < count; i++) {
        const struct el_entity *e = &c->entity[member[i]];
        bool is_world = e->kind == EL_WORLD && e->lun != EL_NOTHING;
        if (out->disks + out->worlds >= MOST)
            return false;
        if (e->kind == EL_VDISK)
            out->disk[out->disks++] = member[i];
        else if (is_world)
            out->world[out->worlds++] = member[i];
    }
    return out->disks > 0 && out->worlds > 1;
}

static bool same_members(const struct vm *a, const struct vm *b) {
    return a->entity == b->entity && a->disks == b->disks && a->worlds == b->worlds &&
           memcmp(a->disk, b->disk, a->disks * sizeof *a->disk) == 0 &&
           memcmp(a->world, b->world, a->worlds * sizeof *a->world) == 0;
}

static void keep(struct el_match *m, const struct vm *fresh) {
    size_t n = fresh->disks + fresh->worlds;
    for (size_t i = 0; i < m->vms; i++) {
        if (m->vm[i].entity != fresh->entity)
            continue;
        if (same_members(&m->vm[i], fresh))
            return;
        el_free(m->vm[i].gram); /* other disks or LUNs than before: begin anew */
        m->vm[i] = *fresh;
        m->vm[i].gram = el_calloc(n * n, sizeof(double));
        return;
    }
    struct vm *v = EL_PUSH(m->vm, m->vms, m->room);
    *v = *fresh;
    v->gram = el_calloc(n * n, sizeof(double));
}

void el_match_open(struct el_match *m, const struct el_catalog *c, const struct el_links *l) {
    for (uint32_t i = 0; i < c->entities; i++) {
        struct vm fresh;
        if (c->entity[i].kind == EL_VM && gather(c, l, i, &fresh))
            keep(m, &fresh);
    }
}

static double rate(const struct el_block *b, const struct el_run *run, uint32_t entity,
                   enum el_counter counter, size_t row) {
    const double *v = el_block_column(b, run, entity, counter);
    return v && v[row] > 0 ? v[row] : 0;
}

static void add_products(struct vm *v, const double *x) {
    size_t n = v->disks + v->worlds;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; x[i] > 0 && k < n; k++)
            v->gram[i * n + k] += x[i] * x[k];
}

void el_match_take(struct el_match *m, const struct el_block *b, const struct el_run *run) {
    static const enum el_counter sorts[] = { EL_C_reads, EL_C_writes };
    for (size_t i = 0; i < m->vms; i++) {
        struct vm *v = &m->vm[i];
        for (size_t row = 0; row < 2 * b->rows; row++) {
            double x[MOST];
            for (size_t k = 0; k < v->disks; k++)
                x[k] = rate(b, run, v->disk[k], sorts[row % 2], row / 2);
            for (size_t k = 0; k < v->worlds; k++)
                x[v->disks + k] = rate(b, run, v->world[k], sorts[row % 2], row / 2);
            add_products(v, x);
        }
    }
}

/* ---- the best assignment ---- */

/* Sum over worlds of |world - sum of its disks|^2, from the Gram matrix; on[i] is the world of disk i. */
static double cost(const struct vm *v, const size_t *on) {
    size_t n = v->disks + v->worlds;
    double sum = 0;
    for (size_t w = 0; w < v->worlds; w++)
        sum += v->gram[(v->disks + w) * n + v->disks + w];
    for (size_t i = 0; i < v->disks; i++) {
        sum -= 2 * v->gram[i * n + v->disks + on[i]];
        for (size_t k = 0; k < v->disks; k++)
            sum += on[i] == on[k] ? v->gram[i * n + k] : 0;
    }
    return sum;
}

static double energy(const struct vm *v) {
    size_t n = v->disks + v->worlds;
    double sum = 0;
    for (size_t w = v->disks; w < n; w++)
        sum += v->gram[w * n + w];
    return sum;
}

/* The next assignment in counting order; false after the last. */
static bool advance(const struct vm *v, size_t *on) {
    for (size_t i = 0; i < v->disks; i++) {
        if (++on[i] < v->worlds)
            return true;
        on[i] = 0;
    }
    return false;
}

static void enumerate(const struct vm *v, size_t *best) {
    size_t on[MOST] = { 0 };
    double least = HUGE_VAL;
    do {
        double c = cost(v, on);
        if (c < least) {
            least = c;
            memcpy(best, on, sizeof on);
        }
    } while (advance(v, on));
}

/* Move one disk at a time to where it costs least, until nothing gets better. */
static void descend(const struct vm *v, size_t *on) {
    double least = cost(v, on);
    bool better = true;
    for (int pass = 0; better && pass < 20; pass++) {
        better = false;
        for (size_t i = 0; i < v->disks; i++)
            for (size_t w = 0; w < v->worlds; w++) {
                size_t before = on[i];
                on[i] = w;
                double c = cost(v, on);
                if (c < least) {
                    least = c;
                    better = true;
                } else {
                    on[i] = before;
                }
            }
    }
}

/* Each disk to the world it goes with best, taken alone. */
static void start_greedy(const struct vm *v, size_t *on) {
    size_t n = v->disks + v->worlds;
    for (size_t i = 0; i < v->disks; i++) {
        double most = -1;
        for (size_t w = 0; w < v->worlds; w++) {
            double self = v->gram[(v->disks + w) * n + v->disks + w];
            double fit = self > 0 ? v->gram[i * n + v->disks + w] / sqrt(self) : 0;
            if (fit > most) {
                most = fit;
                on[i] = w;
            }
        }
    }
}

static void best_assignment(const struct vm *v, size_t *on) {
    double combinations = pow((double)v->worlds, (double)v->disks);
    if (combinations <= ENUMERATED) {
        enumerate(v, on);
        return;
    }
    start_greedy(v, on);
    descend(v, on);
}

/* Would the disk elsewhere, alone or in exchange for one from there, fit clearly worse? */
static bool is_certain(const struct vm *v, size_t *on, size_t disk, double least) {
    size_t home = on[disk];
    double enough = least + CLEARLY_WORSE * energy(v);
    bool certain = true;
    for (size_t w = 0; w < v->worlds && certain; w++) {
        on[disk] = w;
        certain = w == home || cost(v, on) > enough;
        for (size_t k = 0; k < v->disks && certain && w != home; k++) {
            if (k == disk || on[k] != w)
                continue;
            on[k] = home;
            certain = cost(v, on) > enough;
            on[k] = w;
        }
    }
    on[disk] = home;
    return certain;
}

static void set_links(const struct vm *v, struct el_catalog *c) {
    size_t on[MOST] = { 0 };
    best_assignment(v, on);
    double least = cost(v, on);
    bool fits = energy(v) > 0 && least <= GOOD_FIT * energy(v);
    for (size_t i = 0; i < v->disks; i++) {
        bool idle = !(v->gram[i * (v->disks + v->worlds) + i] > 0);
        if (idle || !fits || !is_certain(v, on, i, least))
            continue;
        struct el_entity *e = &c->entity[v->disk[i]];
        e->lun = c->entity[v->world[on[i]]].lun;
        e->lun_by = EL_BY_RATE;
    }
}

/* A VM all of whose worlds are on one LUN: its disks are there. */
static void link_single(struct el_catalog *c, const struct el_links *l, struct el_entity *e) {
    e->lun = el_links_only_lun(l, c, e->vm);
    e->lun_by = e->lun == EL_NOTHING ? EL_UNLINKED : EL_BY_NAME;
}

void el_match_disks(const struct el_match *m, struct el_catalog *c, const struct el_links *l) {
    for (size_t i = 0; i < c->entities; i++)
        if (c->entity[i].kind == EL_VDISK && c->entity[i].vm != EL_NOTHING)
            link_single(c, l, &c->entity[i]);
    for (size_t i = 0; i < m->vms; i++)
        set_links(&m->vm[i], c);
}

/* ---- paths ---- */

static bool close_to(double a, double b) {
    return fabs(a - b) <= 0.5 + 1e-3 * fabs(b);
}

void el_match_paths(struct el_catalog *c, const struct el_entity_stats *stats) {
    for (size_t i = 0; i < c->entities; i++) {
        struct el_entity *path = &c->entity[i];
        uint32_t found = EL_NOTHING;
        size_t fitting = 0;
        if (path->kind != EL_PATH || path->lun != EL_NOTHING || !(stats[i].commands >= 1))
            continue;
        for (uint32_t k = 0; k < c->entities; k++) {
            if (c->entity[k].kind != EL_LUN || !el_str_equal(c->entity[k].host, path->host) ||
                !close_to(stats[k].commands, stats[i].commands) ||
                !close_to(stats[k].reads, stats[i].reads) ||
                !close_to(stats[k].writes, stats[i].writes))
                continue;
            found = k;
            fitting++;
        }
        if (fitting == 1) {
            path->lun = found;
            path->lun_by = EL_BY_RATE;
        }
    }
}
