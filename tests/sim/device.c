#include "device.h"

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
    double ms = draw_ms(&e->rng, s, r->op, r->mb);
    heap_push(&e->heap, e->now_s + ms / 1000, EVENT_SERVED, device, r);
}

/* A command that went astray is aborted when its time is up, and that is when it completes. */
static double way_back_s(struct engine *e, const struct device *d, struct request *r) {
    const struct service *s = service_at(d, e->now_s);
    double ms = s->delay_ms > 0 ? rng_lognormal(&e->rng, s->delay_ms, 0.35) : 0;
    if (s->hang_share > 0 && rng_chance(&e->rng, s->hang_share))
        ms += s->hang_ms * rng_between(&e->rng, 0.6, 1.4);
    if (d->timeout_ms > 0 && ms > d->timeout_ms) {
        r->aborted = true;
        ms = d->timeout_ms + rng_exponential(&e->rng, 20);
    }
    return ms / 1000;
}

void device_start(struct engine *e, struct request *r) {
    int device = e->host->luns[r->lun].device;
    double own_ms = r->traffic < 0 ? 0 : e->host->traffic[r->traffic].device_ms;
    if (own_ms > 0) {
        double back_s = way_back_s(e, &e->host->devices[device], r);
        heap_push(&e->heap, e->now_s + rng_lognormal(&e->rng, own_ms, 0.25) / 1000 + back_s,
                  EVENT_DONE, 0, r);
    } else if (e->devices[device].busy < e->host->devices[device].servers) {
        serve(e, device, r);
    } else {
        fifo_put(&e->devices[device].inside, r);
    }
}

void device_served(struct engine *e, struct request *r) {
    int device = e->host->luns[r->lun].device;
    double back_s = way_back_s(e, &e->host->devices[device], r);
    heap_push(&e->heap, e->now_s + back_s, EVENT_DONE, 0, r);
    e->devices[device].busy--;
    struct request *next = fifo_take(&e->devices[device].inside);
    if (next != NULL)
        serve(e, device, next);
}
