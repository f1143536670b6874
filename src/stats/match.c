#include "esxlat/stats/match.h"

#include <math.h>
#include <string.h>

#include "assign.h"
#include "esxlat/base/num.h"

#define MOST         96 /* disks + LUNs of a VM that are matched: bounds memory and time */
#define CHECK        32 /* samples before links are looked at for the first time; then at each doubling */
#define BEYOND_DOUBT (1 - 1e-9) /* a link that is told before the end */
#define CERTAIN      0.95       /* below, a link is not told */
#define NOT_THERE    0.9  /* so sure must it be that a disk is not on the only LUN of its VM */
#define PRINTED      0.01 /* rates are rounded to it */

struct vm {
    uint32_t entity;
    uint32_t disk[MOST], world[MOST]; /* entities */
    uint32_t lun[MOST];               /* those that the worlds are on */
    size_t worlds;
    size_t samples, check; /* taken; when to look next whether links are beyond doubt */
    struct el_traffic traffic;
};

struct el_match {
    struct vm *vm;
    size_t vms, room;
    struct el_crew *crew;
    double *scratch; /* of each member: disks, then LUNs, EL_BLOCK_ROWS counts each */
};

static void release_vm(struct vm *v) {
    for (int s = 0; s < EL_SORTS; s++)
        el_free(v->traffic.sort[s].product);
    el_free(v->traffic.active);
}

struct el_match *el_match_new(struct el_crew *crew) {
    struct el_match *m = el_calloc(1, sizeof *m);
    m->crew = crew;
    m->scratch = el_calloc(el_crew_size(crew) * MOST * EL_BLOCK_ROWS, sizeof *m->scratch);
    return m;
}

void el_match_free(struct el_match *m) {
    if (!m)
        return;
    for (size_t i = 0; i < m->vms; i++)
        release_vm(&m->vm[i]);
    el_free(m->vm);
    el_free(m->scratch);
    el_free(m);
}

/* ---- the disks and LUNs of a VM ---- */

static size_t find_lun(const struct vm *v, uint32_t lun) {
    size_t i = 0;
    while (i < v->traffic.luns && v->lun[i] != lun)
        i++;
    return i;
}

static bool has_room(const struct vm *v) {
    return v->traffic.disks + v->traffic.luns < MOST && v->worlds < MOST;
}

/* False when there is nothing to match, or too much. */
static bool gather(const struct el_catalog *c, const struct el_links *l, uint32_t entity,
                   struct vm *out) {
    size_t count;
    const uint32_t *member = el_links_of(l, entity, &count);
    *out = (struct vm){ .entity = entity };
    for (size_t i = 0; i < count; i++) {
        const struct el_entity *e = &c->entity[member[i]];
        bool is_world = e->kind == EL_WORLD && e->lun != EL_NOTHING;
        if (!is_world && e->kind != EL_VDISK)
            continue;
        if (!has_room(out))
            return false;
        if (!is_world) {
            out->disk[out->traffic.disks++] = member[i];
            continue;
        }
        out->world[out->worlds++] = member[i];
        if (find_lun(out, e->lun) == out->traffic.luns)
            out->lun[out->traffic.luns++] = e->lun;
    }
    return out->traffic.disks > 0 && out->traffic.luns > 0;
}

static bool same_members(const struct vm *a, const struct vm *b) {
    return a->traffic.disks == b->traffic.disks && a->worlds == b->worlds &&
           memcmp(a->disk, b->disk, a->traffic.disks * sizeof *a->disk) == 0 &&
           memcmp(a->world, b->world, a->worlds * sizeof *a->world) == 0;
}

/* Other disks or LUNs than before: begin anew. */
static void keep(struct el_match *m, const struct vm *fresh) {
    size_t i = 0;
    while (i < m->vms && m->vm[i].entity != fresh->entity)
        i++;
    if (i < m->vms && same_members(&m->vm[i], fresh))
        return;
    if (i == m->vms)
        (void)EL_PUSH(m->vm, m->vms, m->room);
    else
        release_vm(&m->vm[i]);
    m->vm[i] = *fresh;
    m->vm[i].check = CHECK;
    struct el_traffic *t = &m->vm[i].traffic;
    for (int s = 0; s < EL_SORTS; s++)
        t->sort[s].product = el_calloc(t->disks * (t->disks + t->luns) + t->luns, sizeof(double));
    t->active = el_calloc(t->disks, sizeof *t->active);
}

void el_match_open(struct el_match *m, const struct el_catalog *c, const struct el_links *l) {
    for (uint32_t i = 0; i < c->entities; i++) {
        struct vm fresh;
        if (c->entity[i].kind == EL_VM && gather(c, l, i, &fresh))
            keep(m, &fresh);
    }
}

/* ---- sums of products ---- */

struct piece { /* rows of a block from `first` on, as counts of one sort */
    const struct el_block *block;
    const struct el_catalog *catalog;
    size_t first, rows;
    double *x; /* [disk, then LUN][EL_BLOCK_ROWS], 0 behind the rows up to a multiple of FOUR */
    bool valid[EL_BLOCK_ROWS];
};

#define FOUR      4 /* sums that products are added to in turn */
#define EVEN(row) (((row) + FOUR - 1) / FOUR * FOUR)

/* Add a column's counts; false when the run lacks it.  `valid` loses the rows without a value. */
static bool add_counts(struct piece *p, uint32_t entity, enum el_counter counter, size_t column) {
    const struct el_block *b = p->block;
    const double *rate = el_block_column(b, &p->catalog->run, entity, counter);
    const double *seconds = b->seconds + p->first;
    double *counts = p->x + column * EL_BLOCK_ROWS;
    if (!rate)
        return false;
    rate += p->first;
    for (size_t r = 0; r < p->rows; r++) {
        p->valid[r] = p->valid[r] && !el_missing(rate[r]);
        counts[r] += rate[r] > 0 ? rate[r] * seconds[r] : 0;
    }
    return true;
}

/* The counts of disks and LUNs, rows without all values as 0; the number of the others. */
static size_t load(const struct vm *v, struct piece *p, enum el_counter counter) {
    const struct el_traffic *t = &v->traffic;
    size_t columns = t->disks + t->luns, rows = 0;
    bool all = true;
    for (size_t i = 0; i < columns; i++)
        memset(p->x + i * EL_BLOCK_ROWS, 0, EVEN(p->rows) * sizeof *p->x);
    memset(p->valid, true, sizeof p->valid);
    for (size_t i = 0; i < t->disks && all; i++)
        all = add_counts(p, v->disk[i], counter, i);
    for (size_t i = 0; i < v->worlds && all; i++)
        all = add_counts(p, v->world[i], counter,
                         t->disks + find_lun(v, p->catalog->entity[v->world[i]].lun));
    for (size_t r = 0; all && r < p->rows; r++) {
        rows += p->valid[r];
        for (size_t i = 0; !p->valid[r] && i < columns; i++)
            p->x[i * EL_BLOCK_ROWS + r] = 0;
    }
    return rows;
}

static double dot(const double *a, const double *b, size_t rows) {
    double sum[FOUR] = { 0 };
    for (size_t r = 0; r < rows; r += FOUR)
        for (size_t k = 0; k < FOUR; k++)
            sum[k] += a[r + k] * b[r + k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void add_products(struct el_traffic *t, struct el_traffic_sort *s,
                         const struct piece *piece) {
    size_t columns = t->disks + t->luns, rows = EVEN(piece->rows);
    const double *x = piece->x;
    for (size_t i = 0; i < t->disks; i++)
        for (size_t k = i; k < columns; k++) {
            double p = dot(x + i * EL_BLOCK_ROWS, x + k * EL_BLOCK_ROWS, rows);
            s->product[i * columns + k] += p;
            if (k != i && k < t->disks)
                s->product[k * columns + i] += p;
        }
    for (size_t l = t->disks; l < columns; l++) {
        s->product[t->disks * columns + l - t->disks] +=
            dot(x + l * EL_BLOCK_ROWS, x + l * EL_BLOCK_ROWS, rows);
        for (size_t r = 0; r < rows; r++)
            s->total += x[l * EL_BLOCK_ROWS + r];
    }
}

/* Where the capture does not tell reads, all commands stand in for them. */
static void take_piece(struct vm *v, struct piece *p) {
    static const enum el_counter counter[EL_SORTS] = { EL_C_reads, EL_C_writes, EL_C_mb_rd,
                                                       EL_C_mb_wr };
    struct el_traffic *t = &v->traffic;
    const double *seconds = p->block->seconds + p->first;
    bool busy[MOST][EL_BLOCK_ROWS];
    memset(busy, 0, t->disks * sizeof *busy);
    bool told_apart = el_block_column(p->block, &p->catalog->run, v->disk[0], EL_C_reads) != NULL;
    for (int s = 0; s < EL_SORTS; s++) {
        size_t rows = load(v, p, s == EL_SORT_READS && !told_apart ? EL_C_cmds : counter[s]);
        if (!rows)
            continue;
        t->sort[s].rows += (double)rows;
        for (size_t r = 0; r < p->rows; r++)
            t->sort[s].rounding +=
                p->valid[r] ? PRINTED * PRINTED * seconds[r] * seconds[r] / 12 : 0;
        add_products(t, &t->sort[s], p);
        for (size_t i = 0; s <= EL_SORT_WRITES && i < t->disks; i++)
            for (size_t r = 0; r < p->rows; r++)
                busy[i][r] |= p->x[i * EL_BLOCK_ROWS + r] > 0;
    }
    for (size_t i = 0; i < t->disks; i++)
        for (size_t r = 0; r < p->rows; r++)
            t->active[i] += busy[i][r];
}

/* Link the disks that are beyond doubt. */
static void settle(struct vm *v, struct el_catalog *c) {
    struct el_assigned found[MOST];
    if (v->traffic.luns > 1)
        el_assign_disks(&v->traffic, found);
    for (size_t i = 0; v->traffic.luns > 1 && i < v->traffic.disks; i++) {
        struct el_entity *e = &c->entity[v->disk[i]];
        if (e->lun != EL_NOTHING || found[i].certainty < BEYOND_DOUBT ||
            found[i].lun == v->traffic.luns)
            continue;
        e->lun = v->lun[found[i].lun];
        e->lun_by = EL_BY_RATE;
    }
}

struct job {
    struct el_match *match;
    struct el_catalog *catalog;
    const struct el_block *block;
};

/* VMs are taken in any order, each by one member: the disks that one links are its own. */
static void take_vm(void *ctx, size_t item, unsigned member) {
    const struct job *job = ctx;
    const struct el_block *b = job->block;
    struct vm *v = &job->match->vm[item];
    struct piece p = { .block = b,
                       .catalog = job->catalog,
                       .x = job->match->scratch + (size_t)member * MOST * EL_BLOCK_ROWS };
    for (; p.first < b->rows; p.first += p.rows) {
        size_t until_check = v->check - v->samples, left = b->rows - p.first;
        p.rows = left < until_check ? left : until_check;
        take_piece(v, &p);
        v->samples += p.rows;
        if (v->samples == v->check) {
            settle(v, job->catalog);
            v->check *= 2;
        }
    }
}

void el_match_take(struct el_match *m, struct el_catalog *c, const struct el_block *b) {
    struct job job = { m, c, b };
    el_crew_run(m->crew, m->vms, take_vm, &job);
}

/* ---- links ---- */

/* There is no other LUN; but the rates may say that the disk is not there at all. */
static void doubt_single(struct el_entity *e, const struct el_assigned *found) {
    if (found->lun == 0 || found->certainty < NOT_THERE)
        return;
    e->lun = EL_NOTHING;
    e->lun_by = EL_UNLINKED;
    e->lun_sure = 1 - found->certainty;
}

/* What was beyond doubt earlier must still be certain over all samples: a disk that moved is on no LUN. */
static void link_disk(struct el_entity *e, const struct vm *v, const struct el_assigned *found) {
    uint32_t earlier = e->lun, now = EL_NOTHING;
    if (found->certainty >= CERTAIN && found->lun < v->traffic.luns)
        now = v->lun[found->lun];
    e->lun = earlier == EL_NOTHING || earlier == now ? now : EL_NOTHING;
    e->lun_by = e->lun == EL_NOTHING ? EL_UNLINKED : EL_BY_RATE;
    e->lun_sure = found->lun < v->traffic.luns ? found->certainty : 1 - found->certainty;
}

static void link_vm(const struct vm *v, struct el_catalog *c) {
    struct el_assigned found[MOST];
    el_assign_disks(&v->traffic, found);
    for (size_t i = 0; i < v->traffic.disks; i++)
        if (v->traffic.luns == 1)
            doubt_single(&c->entity[v->disk[i]], &found[i]);
        else
            link_disk(&c->entity[v->disk[i]], v, &found[i]);
}

/* A VM all of whose worlds are on one LUN: its disks are there. */
static void link_single(struct el_catalog *c, const struct el_links *l, struct el_entity *e) {
    if (e->lun_by == EL_BY_RATE)
        return; /* matched already, or in an earlier run */
    e->lun = el_links_only_lun(l, c, e->vm);
    e->lun_by = e->lun == EL_NOTHING ? EL_UNLINKED : EL_BY_NAME;
    e->lun_sure = e->lun == EL_NOTHING ? 0 : 1;
}

void el_match_disks(const struct el_match *m, struct el_catalog *c, const struct el_links *l) {
    for (size_t i = 0; i < c->entities; i++)
        if (c->entity[i].kind == EL_VDISK && c->entity[i].vm != EL_NOTHING)
            link_single(c, l, &c->entity[i]);
    for (size_t i = 0; i < m->vms; i++)
        link_vm(&m->vm[i], c);
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
