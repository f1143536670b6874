#include "books.h"

#include <math.h>

static void tally_add(struct tally *t, const struct completion *c) {
    t->commands[c->op] += 1;
    t->mb[c->op] += c->mb;
    t->driver_s[c->op] += c->driver_s;
    t->kernel_s[c->op] += c->kernel_s;
    t->queue_s[c->op] += c->queue_s;
    t->vscsi_s[c->op] += c->vscsi_s;
    if (c->aborted) {
        t->aborts += 1;
        t->failed[c->op] += 1;
        t->failed_mb[c->op] += c->mb;
    }
    if (c->reset)
        t->resets += 1;
}

static void offload_add(struct offload *o, const struct completion *c) {
    double time_s = c->driver_s + c->kernel_s;
    switch (c->vaai) {
    case VAAI_ATS: o->ats += 1, o->ats_now += 1, o->ats_s += time_s; break;
    case VAAI_CLONE:
        o->clones += 1, o->clones_now += 1, o->clone_s += time_s, o->clone_mb += 4;
        break;
    case VAAI_ZERO: o->zeros += 1, o->zeros_now += 1, o->zero_s += time_s, o->zero_mb += 1; break;
    case VAAI_UNMAP: o->unmaps += 1, o->unmap_mb += 64; break;
    case VAAI_NONE: break;
    }
}

static void waits_add(struct waits *w, const struct completion *c, double kernel_s) {
    w->guest_s += c->guest_s;
    w->kernel_s += kernel_s;
    w->device_s += c->driver_s;
    w->commands += 1;
}

static void guest_add(struct guest_counts *g, const struct completion *c) {
    g->commands[c->op] += 1;
    g->guest_s[c->op] += c->guest_s;
    g->vscsi_s[c->op] += c->vscsi_s;
    g->mb[c->op] += c->mb;
}

static void complete_guest(struct books *b, const struct host *h, const struct completion *c) {
    tally_add(&b->disks[c->disk], c);
    tally_add(&b->vms[h->disks[c->disk].vm], c);
    guest_add(&b->guests[c->disk], c);
    if (c->counts)
        waits_add(&b->disk_waits[c->disk], c, c->vscsi_s - c->driver_s);
}

void books_complete(struct books *b, const struct host *h, const struct completion *c) {
    const struct lun *lun = &h->luns[c->lun];
    struct lun_books *l = &b->luns[c->lun];
    tally_add(&l->all, c);
    if (c->disk >= 0)
        complete_guest(b, h, c);
    if (c->counts && c->vaai == VAAI_NONE)
        waits_add(&b->lun_waits[c->lun], c, c->kernel_s);
    if (lun->nfs)
        return;
    tally_add(&l->worlds[c->world], c);
    tally_add(&l->paths[c->path], c);
    tally_add(&b->adapters[lun->adapter], c);
    if (c->op != OP_OTHER)
        tally_add(&l->partition, c);
    offload_add(&l->offload, c);
}

static void fail_add(struct tally *t, const struct completion *c) {
    t->failed[c->op] += 1;
    t->failed_mb[c->op] += c->mb;
}

void books_failed(struct books *b, const struct host *h, const struct completion *c) {
    struct lun_books *l = &b->luns[c->lun];
    fail_add(&l->all, c);
    fail_add(&l->worlds[c->world], c);
    fail_add(&l->paths[c->path], c);
    fail_add(&b->adapters[h->luns[c->lun].adapter], c);
}

void books_conflict(struct books *b, const struct host *h, int lun, int world, int path) {
    b->luns[lun].all.conflicts += 1;
    b->luns[lun].worlds[world].conflicts += 1;
    b->luns[lun].paths[path].conflicts += 1;
    b->adapters[h->luns[lun].adapter].conflicts += 1;
}

static double sum(const double by_op[OP_COUNT]) {
    return by_op[OP_READ] + by_op[OP_WRITE] + by_op[OP_OTHER];
}

static double mean_ms(double total_s, double count) {
    return count > 0 ? 1000 * total_s / count : 0;
}

static void latencies(double out[4], double driver_s, double kernel_s, double queue_s,
                      double count) {
    out[0] = mean_ms(driver_s, count);
    out[1] = mean_ms(kernel_s, count);
    out[2] = mean_ms(driver_s + kernel_s, count);
    out[3] = mean_ms(queue_s, count);
}

static void tally_close(struct tally *t, struct cells *cells, double seconds) {
    double *v = cells->v;
    v[KEY_CMDS] = sum(t->commands) / seconds;
    v[KEY_READS] = t->commands[OP_READ] / seconds;
    v[KEY_WRITES] = t->commands[OP_WRITE] / seconds;
    v[KEY_MBRD] = t->mb[OP_READ] / seconds;
    v[KEY_MBWR] = t->mb[OP_WRITE] / seconds;
    v[KEY_CONS] = t->conflicts / seconds;
    latencies(&v[KEY_DAVG], sum(t->driver_s), sum(t->kernel_s), sum(t->queue_s), sum(t->commands));
    latencies(&v[KEY_DAVG_RD], t->driver_s[OP_READ], t->kernel_s[OP_READ], t->queue_s[OP_READ],
              t->commands[OP_READ]);
    latencies(&v[KEY_DAVG_WR], t->driver_s[OP_WRITE], t->kernel_s[OP_WRITE], t->queue_s[OP_WRITE],
              t->commands[OP_WRITE]);
    v[KEY_FCMDS] = sum(t->failed) / seconds;
    v[KEY_FREADS] = t->failed[OP_READ] / seconds;
    v[KEY_FWRITES] = t->failed[OP_WRITE] / seconds;
    v[KEY_FMBRD] = t->failed_mb[OP_READ] / seconds;
    v[KEY_FMBWR] = t->failed_mb[OP_WRITE] / seconds;
    v[KEY_ABRTS] = t->aborts / seconds;
    v[KEY_RESETS] = t->resets / seconds;
    v[KEY_LAT_RD] = mean_ms(t->vscsi_s[OP_READ], t->commands[OP_READ]);
    v[KEY_LAT_WR] = mean_ms(t->vscsi_s[OP_WRITE], t->commands[OP_WRITE]);
    *t = (struct tally){ 0 };
}

static void offload_close(struct offload *o, struct cells *cells, double seconds) {
    double *v = cells->v;
    v[KEY_CLONE_RD] = v[KEY_CLONE_WR] = o->clones;
    v[KEY_ATS] = o->ats;
    v[KEY_ZEROS] = o->zeros;
    v[KEY_UNMAPS] = o->unmaps;
    v[KEY_MBUNMAP] = o->unmap_mb / seconds;
    v[KEY_MBC_RD] = v[KEY_MBC_WR] = o->clone_mb / seconds;
    v[KEY_MBZERO] = o->zero_mb / seconds;
    v[KEY_CLONE_MS] = mean_ms(o->clone_s, o->clones_now);
    v[KEY_ATS_MS] = mean_ms(o->ats_s, o->ats_now);
    v[KEY_ZERO_MS] = mean_ms(o->zero_s, o->zeros_now);
    *o = (struct offload){
        .clones = o->clones, .ats = o->ats, .zeros = o->zeros, .unmaps = o->unmaps
    };
}

static void lun_close(struct lun_books *l, const struct lun *lun, double seconds) {
    tally_close(&l->all, &l->cells, seconds);
    offload_close(&l->offload, &l->cells, seconds);
    tally_close(&l->partition, &l->partition_cells, seconds);
    for (int i = 0; i < lun->path_count; i++)
        tally_close(&l->paths[i], &l->path_cells[i], seconds);
    for (int i = 0; i < lun->world_count; i++)
        tally_close(&l->worlds[i], &l->world_cells[i], seconds);
}

void books_close(struct books *b, const struct host *h, double seconds) {
    for (int i = 0; i < h->lun_count; i++)
        lun_close(&b->luns[i], &h->luns[i], seconds);
    for (int i = 0; i < h->adapter_count; i++)
        tally_close(&b->adapters[i], &b->adapter_cells[i], seconds);
    for (int i = 0; i < h->disk_count; i++)
        tally_close(&b->disks[i], &b->disk_cells[i], seconds);
    for (int i = 0; i < h->vm_count; i++)
        tally_close(&b->vms[i], &b->vm_cells[i], seconds);
}

void books_gauges(struct cells *cells, struct gauges g) {
    double depth = g.depth > 0 ? g.depth : 1;
    cells->v[KEY_SHARES] = 1000;
    cells->v[KEY_DQLEN] = g.depth;
    cells->v[KEY_ACTV] = g.active;
    cells->v[KEY_QUED] = g.queued;
    cells->v[KEY_USED] = floor(100 * g.active / depth);
    cells->v[KEY_LOAD] = (g.active + g.queued) / depth;
}

void books_clear(struct books *b) {
    *b = (struct books){ 0 };
}
