#include "throttle.h"

#include <math.h>

enum {
    COMPETING_ARRIVALS = 8,
    SIOC_SECONDS = 4,
    FULL_SAMPLE = 32,    /* QFullSampleSize: refusals before the depth is halved */
    FULL_THRESHOLD = 128 /* QFullThreshold: good answers before it grows by one */
};

/* A painted cycle: halved, held, and up one by one. */
static double cycle_depth(const struct lun *lun, double now_s) {
    double at = fmod(now_s - lun->throttle_from_s, lun->throttle_period_s) / lun->throttle_period_s;
    double depth = lun->depth;
    if (at < 0.05)
        return lun->depth;
    if (at < 0.30)
        depth = lun->depth / exp2(1 + floor((at - 0.05) / 0.05));
    else if (at < 0.70)
        depth = lun->throttle_floor;
    else
        depth = lun->throttle_floor + (lun->depth - lun->throttle_floor) * (at - 0.70) / 0.30;
    return depth < lun->throttle_floor ? lun->throttle_floor : (int)depth;
}

void throttle_start(struct engine *e) {
    for (int i = 0; i < e->host->lun_count; i++) {
        e->luns[i].depth = e->luns[i].full_depth = e->host->luns[i].depth;
        e->luns[i].fair_depth = e->host->luns[i].depth;
    }
}

/*
 * The control law of PARDA (Gulati, Ahmad, Waldspurger, FAST 2009), which storage I/O control
 * uses: w = (1 - g) w + g (threshold / latency * w + share), here with g = 0.5.
 */
static void sioc_look(struct lun_state *s, const struct lun *lun, double now_s) {
    double latency_ms = s->replies > 0 ? 1000 * s->waited_s / s->replies : 0;
    s->waited_s = s->replies = 0;
    if (!window_holds(lun->sioc.when, now_s)) {
        s->fair_depth = lun->depth;
        return;
    }
    double ratio = latency_ms > 0 ? lun->sioc.threshold_ms / latency_ms : 1;
    s->fair_depth = 0.5 * s->fair_depth + 0.5 * (ratio * s->fair_depth + lun->sioc.share);
    if (s->fair_depth > lun->depth)
        s->fair_depth = lun->depth;
    if (s->fair_depth < lun->sioc.floor)
        s->fair_depth = lun->sioc.floor;
}

static int competing_worlds(struct engine *e, int lun_index) {
    const struct lun *lun = &e->host->luns[lun_index];
    int competing = 0;
    for (int i = 0; i < lun->world_count; i++) {
        struct world_state *w = &e->luns[lun_index].worlds[i];
        int open = w->active + w->queue.length;
        if (lun->worlds[i].vm >= 0 &&
            (w->arrivals >= COMPETING_ARRIVALS || open >= COMPETING_ARRIVALS))
            competing++;
        w->arrivals = 0;
    }
    return competing;
}

int throttle_depth(struct engine *e, int lun_index) {
    const struct lun *lun = &e->host->luns[lun_index];
    struct lun_state *s = &e->luns[lun_index];
    int competing = competing_worlds(e, lun_index);
    double depth = lun->depth;
    if (lun->throttle_period_s > 0 && window_holds(lun->throttled, e->now_s))
        depth = cycle_depth(lun, e->now_s);
    if (lun->sioc.threshold_ms > 0 && ++s->ticks % SIOC_SECONDS == 0)
        sioc_look(s, lun, e->now_s);
    if (s->fair_depth < depth)
        depth = floor(s->fair_depth);
    if (s->full_depth < depth)
        depth = s->full_depth;
    return competing >= 2 && lun->competing_depth < depth ? lun->competing_depth : (int)depth;
}

void throttle_refused(struct engine *e, int lun) {
    struct lun_state *s = &e->luns[lun];
    s->good = 0;
    if (++s->refused < FULL_SAMPLE)
        return;
    s->refused = 0;
    s->full_depth = s->depth > 1 ? s->depth / 2 : 1;
    s->depth = s->full_depth;
}

void throttle_replied(struct engine *e, int lun, double driver_s) {
    struct lun_state *s = &e->luns[lun];
    s->waited_s += driver_s;
    s->replies += 1;
    if (s->full_depth == e->host->luns[lun].depth || ++s->good < FULL_THRESHOLD)
        return;
    s->good = 0;
    s->full_depth++;
    if (s->depth < s->full_depth && s->depth + 1 == s->full_depth)
        s->depth = s->full_depth;
}
