#include "engine.h"

#include "above.h"
#include "device.h"
#include "guest.h"
#include "kernel.h"
#include "memory.h"
#include "state.h"

static const double WARM_UP_S = 8;

struct engine *engine_new(const struct host *h, uint64_t seed) {
    struct engine *e = memory_new(1, sizeof *e);
    e->host = h;
    e->now_s = -WARM_UP_S;
    rng_init(&e->rng, seed, "engine");
    heap_init(&e->heap);
    kernel_start(e);
    guest_start(e);
    device_begin(e);
    return e;
}

void engine_free(struct engine *e) {
    if (e == NULL)
        return;
    for (int i = 0; i < e->block_count; i++)
        memory_free(e->blocks[i]);
    heap_release(&e->heap);
    memory_free(e);
}

static void done(struct engine *e, struct request *r) {
    guest_late(e, r);
    kernel_done(e, r);
    if (r->parent != NULL)
        above_done(e, r);
    else if (r->late_s > 0)
        heap_push(&e->heap, e->now_s + r->late_s, EVENT_GUEST, 0, r);
    else
        guest_complete(e, r);
}

static void handle(struct engine *e, const struct event *event) {
    switch (event->kind) {
    case EVENT_ARRIVE: guest_arrive(e, event->arg); break;
    case EVENT_ISSUE: guest_issue(e, event->arg); break;
    case EVENT_HOST: guest_traffic(e, event->arg); break;
    case EVENT_KERNEL: above_enter(e, event->request); break;
    case EVENT_QUEUE: kernel_queue(e, event->request); break;
    case EVENT_SERVED: device_served(e, event->request); break;
    case EVENT_INSIDE: device_inside(e, event->request); break;
    case EVENT_DONE: done(e, event->request); break;
    case EVENT_FAILED: kernel_failed(e, event->request); break;
    case EVENT_GUEST: guest_complete(e, event->request); break;
    case EVENT_OTHERS: device_other(e, event->arg); break;
    case EVENT_TICK: kernel_tick(e); break;
    }
}

void engine_run(struct engine *e, double until_s) {
    while (heap_first(&e->heap)->at_s <= until_s) {
        struct event event = heap_pop(&e->heap);
        e->now_s = event.at_s;
        handle(e, &event);
    }
    e->now_s = until_s;
}

/* QUED counts what an IOPS limit holds back as well as what waits for a slot. */
static void gauges(struct engine *e, int lun_index) {
    const struct lun *lun = &e->host->luns[lun_index];
    const struct lun_state *s = &e->luns[lun_index];
    struct lun_books *b = &e->books.luns[lun_index];
    struct gauges all = { .depth = s->depth, .active = s->active, .queued = s->queued };
    for (int i = 0; i < lun->world_count; i++) {
        const struct world_state *w = &s->worlds[i];
        struct gauges g = { .depth = s->depth,
                            .active = w->active,
                            .queued = w->queue.length + w->held };
        all.queued += w->held;
        books_gauges(&b->world_cells[i], g);
    }
    books_gauges(&b->cells, all);
}

void engine_sample(struct engine *e, double seconds) {
    const struct host *h = e->host;
    books_close(&e->books, h, seconds);
    for (int i = 0; i < h->lun_count; i++) {
        gauges(e, i);
        for (int p = 0; p < h->luns[i].path_count; p++)
            e->books.luns[i].path_cells[p].v[KEY_AQLEN] = h->adapters[h->luns[i].adapter].depth;
    }
    for (int i = 0; i < h->adapter_count; i++)
        e->books.adapter_cells[i].v[KEY_AQLEN] = h->adapters[i].depth;
}

void engine_baseline(struct engine *e) {
    books_clear(&e->books);
    engine_sample(e, 1);
}

const struct books *engine_books(const struct engine *e) {
    return &e->books;
}

void engine_guests(const struct engine *e, struct guest_counts out[MAX_DISKS]) {
    for (int i = 0; i < e->host->disk_count; i++) {
        const struct disk_state *s = &e->disks[i];
        out[i] = e->books.guests[i];
        out[i].open = s->outstanding + s->guest.length;
        if (out[i].open > 0)
            out[i].busy_s += e->now_s - s->busy_from_s;
    }
}
