#include "kernel.h"

#include <assert.h>
#include <math.h>

#include "device.h"
#include "path.h"
#include "throttle.h"

/* mClock spaces the commands of a limited disk evenly; a large one takes several turns. */
static double limit_hold_s(struct engine *e, const struct request *r) {
    const struct disk *d = &e->host->disks[r->disk];
    struct disk_state *s = &e->disks[r->disk];
    double units = d->limit_by_32k ? ceil(r->mb * 1024 / 32) : 1;
    double at_s = s->next_free_s > e->now_s ? s->next_free_s : e->now_s;
    s->next_free_s = at_s + units / d->iops_limit;
    return at_s - e->now_s;
}

static double overhead_s(struct engine *e, const struct request *r) {
    const struct host *h = e->host;
    double ms = rng_exponential(&e->rng, h->overhead_ms);
    if (window_holds(h->cpu_short, e->now_s))
        ms += rng_exponential(&e->rng, h->cpu_delay_ms);
    if (r->traffic >= 0 && h->traffic[r->traffic].kernel_ms > 0)
        ms += rng_lognormal(&e->rng, h->traffic[r->traffic].kernel_ms, 0.3);
    return ms / 1000;
}

void kernel_enter(struct engine *e, struct request *r) {
    struct world_state *w = &e->luns[r->lun].worlds[r->world];
    double hold_s = 0;
    r->kernel_s = e->now_s;
    if (r->disk >= 0 && e->host->disks[r->disk].iops_limit > 0)
        hold_s = limit_hold_s(e, r);
    if (hold_s > 0) {
        r->held = true;
        r->queued_s += hold_s;
        w->held++;
    }
    w->arrivals++;
    heap_push(&e->heap, e->now_s + hold_s + overhead_s(e, r), EVENT_QUEUE, 0, r);
}

/* The worlds take turns, one command each. */
static struct request *next_request(struct lun_state *s, int world_count) {
    for (int i = 0; i < world_count; i++) {
        s->turn = (s->turn + 1) % world_count;
        struct request *r = fifo_take(&s->worlds[s->turn].queue);
        if (r != NULL) {
            s->queued--;
            return r;
        }
    }
    return NULL;
}

/* Another host holds the reservation: the command comes back at once and is tried again later. */
static bool conflicts(struct engine *e, struct request *r) {
    const struct lun *lun = &e->host->luns[r->lun];
    if (!(lun->conflict_share > 0) || !window_holds(lun->conflicted, e->now_s) ||
        !rng_chance(&e->rng, lun->conflict_share))
        return false;
    books_conflict(&e->books, e->host, r->lun, r->world, r->path);
    double wait_ms = rng_lognormal(&e->rng, lun->conflict_ms, 0.4);
    heap_push(&e->heap, e->now_s + wait_ms / 1000, EVENT_QUEUE, 0, r);
    return true;
}

/* The array's port is full: the command is tried again, and the others wait. */
static bool refused(struct engine *e, struct request *r) {
    if (device_has_slot(e, e->host->luns[r->lun].device))
        return false;
    throttle_refused(e, r->lun);
    heap_push(&e->heap, e->now_s + rng_between(&e->rng, 0.001, 0.003), EVENT_QUEUE, 0, r);
    return true;
}

static void dispatch(struct engine *e, int lun_index) {
    const struct lun *lun = &e->host->luns[lun_index];
    const struct adapter *a = &e->host->adapters[lun->adapter];
    struct lun_state *s = &e->luns[lun_index];
    while (s->active < s->depth && e->adapter_busy[lun->adapter] < a->depth) {
        struct request *r = s->queued > 0 ? next_request(s, lun->world_count) : NULL;
        if (r == NULL)
            break;
        r->queued_s += e->now_s - r->wait_from_s;
        r->path = path_pick(e, lun_index);
        if (conflicts(e, r))
            continue;
        if (refused(e, r))
            break;
        assert(!r->held && r->queued_s >= 0);
        s->active++;
        s->worlds[r->world].active++;
        e->adapter_busy[lun->adapter]++;
        r->driver_s = e->now_s;
        if (path_is_down(e, r, e->now_s))
            heap_push(&e->heap, e->now_s + path_notice_s(e, r), EVENT_FAILED, 0, r);
        else
            device_start(e, r);
    }
}

void kernel_queue(struct engine *e, struct request *r) {
    struct lun_state *s = &e->luns[r->lun];
    if (r->held) {
        r->held = false;
        s->worlds[r->world].held--;
    }
    if (e->host->luns[r->lun].nfs) {
        s->active++;
        r->kernel_s = r->driver_s = e->now_s; /* the NFS client shows GAVG alone */
        device_start(e, r);
        return;
    }
    r->wait_from_s = e->now_s;
    fifo_put(&s->worlds[r->world].queue, r);
    s->queued++;
    dispatch(e, r->lun);
}

/* Is a trouble that comes and goes there now? */
static bool in_pulse(const struct engine *e) {
    struct pulse p = e->host->answer.pulse;
    double at = p.period_s > 0 ? fmod(e->now_s, p.period_s) / p.period_s : p.from;
    return at >= p.from && at <= p.to;
}

static void book(struct engine *e, const struct request *r, bool reset) {
    struct completion c = {
        .lun = r->lun,
        .world = r->world,
        .path = r->path,
        .disk = r->disk,
        .op = r->op,
        .vaai = r->vaai,
        .aborted = r->aborted,
        .reset = reset,
        .mb = r->mb,
        .guest_s = r->vscsi_s - r->made_s + r->late_s,
        .vscsi_s = e->now_s - r->vscsi_s,
        .driver_s = e->now_s - r->driver_s,
        .kernel_s = r->driver_s - r->kernel_s,
        .queue_s = r->queued_s,
    };
    struct window w = e->host->answer.window;
    c.counts = (!(w.from_s < w.to_s) || window_holds(w, e->now_s)) && in_pulse(e);
    books_complete(&e->books, e->host, &c);
}

/* Its slots are free again. */
static void release(struct engine *e, const struct request *r) {
    const struct lun *lun = &e->host->luns[r->lun];
    struct lun_state *s = &e->luns[r->lun];
    s->active--;
    if (lun->nfs)
        return;
    s->worlds[r->world].active--;
    bool was_full = e->adapter_busy[lun->adapter]-- == e->host->adapters[lun->adapter].depth;
    for (int i = 1; was_full && i < e->host->lun_count; i++) { /* the others first, to be fair */
        int other = (r->lun + i) % e->host->lun_count;
        if (!e->host->luns[other].nfs && e->host->luns[other].adapter == lun->adapter)
            dispatch(e, other);
    }
    dispatch(e, r->lun);
}

/* The driver gives a command back unanswered; it goes to the end of its queue. */
void kernel_failed(struct engine *e, struct request *r) {
    struct completion c = {
        .lun = r->lun, .world = r->world, .path = r->path, .op = r->op, .mb = r->mb
    };
    books_failed(&e->books, e->host, &c);
    path_avoid(e, r);
    release(e, r);
    kernel_queue(e, r);
}

void kernel_done(struct engine *e, struct request *r) {
    const struct lun *lun = &e->host->luns[r->lun];
    struct lun_state *s = &e->luns[r->lun];
    bool reset = r->aborted && rng_chance(&e->rng, 0.2);
    assert(s->active > 0 && r->driver_s >= r->kernel_s && r->kernel_s >= r->vscsi_s);
    book(e, r, reset);
    if (!lun->nfs)
        throttle_replied(e, r->lun, e->now_s - r->driver_s);
    release(e, r);
}
void kernel_tick(struct engine *e) {
    for (int i = 0; i < e->host->lun_count; i++) {
        if (e->host->luns[i].nfs)
            continue;
        e->luns[i].depth = throttle_depth(e, i);
        dispatch(e, i);
    }
    heap_push(&e->heap, e->now_s + 1, EVENT_TICK, 0, NULL);
}

void kernel_start(struct engine *e) {
    for (int i = 0; i < e->host->disk_count; i++)
        e->disks[i].next_free_s = e->now_s; /* time begins below 0 */
    for (int i = 0; i < e->host->lun_count; i++)
        e->luns[i].path_back_s = e->now_s;
    throttle_start(e);
    heap_push(&e->heap, e->now_s + 1, EVENT_TICK, 0, NULL);
}
