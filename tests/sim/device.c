#include "device.h"

#include "path.h"
#include "requests.h"

static const struct service *service_at(const struct device *d, double now_s) {
    return window_holds(d->troubled, now_s) ? &d->trouble : &d->normal;
}

static double bimodal(struct rng *r, double mean, double slow_share) {
    double fast = 0.2 * mean;
    return rng_chance(r, slow_share) ? rng_lognormal(r, fast + (mean - fast) / slow_share, 0.3)
                                     : fast;
}

static double draw_ms(struct rng *r, const struct service *s, enum op op, double mb) {
    double mean = op == OP_WRITE ? s->write_ms : s->read_ms, ms = mean;
    switch (s->shape) {
    case SHAPE_CONSTANT: break;
    case SHAPE_EXPONENTIAL: ms = rng_exponential(r, mean); break;
    case SHAPE_LOGNORMAL: ms = rng_lognormal(r, mean, s->spread); break;
    case SHAPE_BIMODAL: ms = bimodal(r, mean, s->spread); break;
    }
    return ms + mb * s->ms_per_mb;
}

static void serve(struct engine *e, int device, struct request *r) {
    const struct service *s = service_at(&e->host->devices[device], e->now_s);
    e->devices[device].busy++;
    double ms =
        r->own_ms > 0 ? rng_lognormal(&e->rng, r->own_ms, 0.25) : draw_ms(&e->rng, s, r->op, r->mb);
    heap_push(&e->heap, e->now_s + ms / 1000, EVENT_SERVED, device, r);
}

/* One command takes very long, once. */
static double outlier_ms(struct engine *e, int device, const struct request *r) {
    const struct device *d = &e->host->devices[device];
    struct device_state *s = &e->devices[device];
    if (!(d->outlier_ms > 0) || s->had_outlier || r->disk < 0 || e->now_s < d->outlier_at_s)
        return 0;
    s->had_outlier = true;
    return d->outlier_ms;
}

/* A command that went astray is aborted when its time is up, and that is when it completes. */
static double way_back_s(struct engine *e, int device, struct request *r) {
    const struct device *d = &e->host->devices[device];
    const struct service *s = service_at(d, e->now_s);
    double ms = s->delay_ms > 0 ? rng_lognormal(&e->rng, s->delay_ms, 0.35) : 0;
    if (s->hang_share > 0 && (r->op == OP_READ || !s->hang_reads_only) &&
        rng_chance(&e->rng, s->hang_share))
        ms += s->hang_ms * rng_between(&e->rng, 0.6, 1.4);
    ms += path_delay_ms(e, r) + outlier_ms(e, device, r);
    if (d->timeout_ms > 0 && ms > d->timeout_ms) {
        r->aborted = true;
        ms = d->timeout_ms + rng_exponential(&e->rng, 20);
    }
    return ms / 1000;
}

/* Nothing gets through while the device is stalled; it all comes in its last second. */
static void answer(struct engine *e, int device, struct request *r, double at_s) {
    struct window w = e->host->devices[device].stalled;
    if (window_holds(w, at_s) && at_s < w.to_s - 1)
        at_s = w.to_s - rng_between(&e->rng, 0.01, 1);
    bool lost = path_is_down(e, r, at_s);
    heap_push(&e->heap, at_s, lost ? EVENT_FAILED : EVENT_DONE, 0, r);
}

bool device_has_slot(const struct engine *e, int device) {
    int slots = e->host->devices[device].port_slots;
    return slots == 0 || e->devices[device].busy + e->devices[device].inside.length < slots;
}

static void enter(struct engine *e, int device, struct request *r) {
    if (e->devices[device].busy < e->host->devices[device].servers)
        serve(e, device, r);
    else
        fifo_put(&e->devices[device].inside, r);
}

void device_inside(struct engine *e, struct request *r) {
    enter(e, e->host->luns[r->lun].device, r);
}

/* The array spaces commands evenly, whoever sends them. */
static double admission_s(struct engine *e, int device) {
    const struct device *d = &e->host->devices[device];
    struct device_state *s = &e->devices[device];
    double at_s = s->admit_s > e->now_s ? s->admit_s : e->now_s;
    s->admit_s = at_s + 1 / d->qos_per_s;
    return at_s;
}

void device_start(struct engine *e, struct request *r) {
    int device = e->host->luns[r->lun].device;
    const struct device *d = &e->host->devices[device];
    if (r->own_ms > 0 && !r->in_server) {
        double back_s = way_back_s(e, device, r);
        answer(e, device, r, e->now_s + rng_lognormal(&e->rng, r->own_ms, 0.25) / 1000 + back_s);
    } else if (d->qos_per_s > 0 && window_holds(d->troubled, e->now_s)) {
        heap_push(&e->heap, admission_s(e, device), EVENT_INSIDE, 0, r);
    } else {
        enter(e, device, r);
    }
}

/* When the data are across: one transfer after the other. */
static double carried_s(struct engine *e, int device, const struct request *r) {
    int link = e->host->devices[device].link - 1;
    if (link < 0 || !(r->mb > 0))
        return e->now_s;
    double *free_s = &e->link_free_s[link][r->op == OP_READ ? 0 : 1];
    *free_s = (*free_s > e->now_s ? *free_s : e->now_s) + r->mb / e->host->links[link].mb_s;
    return *free_s;
}

static void serve_next(struct engine *e, int device) {
    e->devices[device].busy--;
    struct request *next = fifo_take(&e->devices[device].inside);
    if (next != NULL)
        serve(e, device, next);
}

static void other_again(struct engine *e, struct request *r) {
    const struct foreign *f = &e->host->foreign[r->foreign];
    double think_s = f->think_ms > 0 ? rng_exponential(&e->rng, f->think_ms / 1000) : 0;
    heap_push(&e->heap, e->now_s + think_s, EVENT_OTHERS, r->foreign, NULL);
    requests_free(e, r);
}

void device_served(struct engine *e, struct request *r) {
    if (r->foreign >= 0) {
        serve_next(e, e->host->foreign[r->foreign].device);
        other_again(e, r);
        return;
    }
    int device = e->host->luns[r->lun].device;
    double back_s = way_back_s(e, device, r);
    answer(e, device, r, carried_s(e, device, r) + back_s);
    serve_next(e, device);
}

/* A full port turns them away as well; they come again after a few milliseconds. */
void device_other(struct engine *e, int foreign) {
    const struct foreign *f = &e->host->foreign[foreign];
    if (e->now_s >= f->when.to_s)
        return;
    struct request *r = device_has_slot(e, f->device) ? requests_new(e) : NULL;
    if (r == NULL) {
        heap_push(&e->heap, e->now_s + rng_between(&e->rng, 0.002, 0.006), EVENT_OTHERS, foreign,
                  NULL);
        return;
    }
    r->foreign = foreign;
    r->own_ms = f->own_ms;
    r->op = rng_chance(&e->rng, f->read_share) ? OP_READ : OP_WRITE;
    r->mb = f->kb / 1024;
    enter(e, f->device, r);
}

void device_begin(struct engine *e) {
    for (int i = 0; i < e->host->device_count; i++)
        e->devices[i].admit_s = e->now_s; /* time begins below 0 */
    for (int i = 0; i < e->host->link_count; i++)
        e->link_free_s[i][0] = e->link_free_s[i][1] = e->now_s;
    for (int i = 0; i < e->host->foreign_count; i++) {
        const struct foreign *f = &e->host->foreign[i];
        double from_s = f->when.from_s > e->now_s ? f->when.from_s : e->now_s;
        for (int t = 0; t < f->threads; t++)
            heap_push(&e->heap, from_s + rng_exponential(&e->rng, 0.02), EVENT_OTHERS, i, NULL);
    }
}
