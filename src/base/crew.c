#include "esxlat/base/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "esxlat/base/mem.h"

#define MOST_THREADS 64

struct member {
    struct el_crew *crew;
    pthread_t thread;
    unsigned number;
};

struct el_crew {
    struct member *member; /* [0] is the caller */
    unsigned size;
    pthread_mutex_t lock;
    pthread_cond_t begin, finished;
    void (*work)(void *ctx, size_t item, unsigned member);
    void *ctx;
    size_t items;
    atomic_size_t next;  /* item */
    unsigned long round; /* counts calls of el_crew_run */
    unsigned busy;       /* members that have not finished this round */
    bool ends;
};

static void share(struct el_crew *c, unsigned member) {
    for (;;) {
        size_t item = atomic_fetch_add(&c->next, 1);
        if (item >= c->items)
            return;
        c->work(c->ctx, item, member);
    }
}

static void *serve(void *arg) {
    struct member *m = arg;
    struct el_crew *c = m->crew;
    unsigned long done = 0;
    (void)pthread_mutex_lock(&c->lock);
    while (!c->ends) {
        if (c->round == done) {
            (void)pthread_cond_wait(&c->begin, &c->lock);
            continue;
        }
        done = c->round;
        (void)pthread_mutex_unlock(&c->lock);
        share(c, m->number);
        (void)pthread_mutex_lock(&c->lock);
        if (--c->busy == 0)
            (void)pthread_cond_signal(&c->finished);
    }
    (void)pthread_mutex_unlock(&c->lock);
    return NULL;
}

struct el_crew *el_crew_new(unsigned threads) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (threads == 0)
        threads = online > 0 ? (unsigned)online : 1;
    if (threads > MOST_THREADS)
        threads = MOST_THREADS;
    struct el_crew *c = el_calloc(1, sizeof *c);
    c->member = el_calloc(threads, sizeof *c->member);
    (void)pthread_mutex_init(&c->lock, NULL);
    (void)pthread_cond_init(&c->begin, NULL);
    (void)pthread_cond_init(&c->finished, NULL);
    for (c->size = 1; c->size < threads; c->size++) {
        struct member *m = &c->member[c->size];
        *m = (struct member){ .crew = c, .number = c->size };
        if (pthread_create(&m->thread, NULL, serve, m) != 0)
            break;
    }
    return c;
}

void el_crew_free(struct el_crew *c) {
    if (!c)
        return;
    (void)pthread_mutex_lock(&c->lock);
    c->ends = true;
    (void)pthread_cond_broadcast(&c->begin);
    (void)pthread_mutex_unlock(&c->lock);
    for (unsigned i = 1; i < c->size; i++)
        (void)pthread_join(c->member[i].thread, NULL);
    (void)pthread_cond_destroy(&c->begin);
    (void)pthread_cond_destroy(&c->finished);
    (void)pthread_mutex_destroy(&c->lock);
    el_free(c->member);
    el_free(c);
}

unsigned el_crew_size(const struct el_crew *c) {
    return c->size;
}

void el_crew_run(struct el_crew *c, size_t items,
                 void (*work)(void *ctx, size_t item, unsigned member), void *ctx) {
    if (c->size == 1 || items < 2) {
        for (size_t i = 0; i < items; i++)
            work(ctx, i, 0);
        return;
    }
    (void)pthread_mutex_lock(&c->lock);
    c->work = work;
    c->ctx = ctx;
    c->items = items;
    atomic_store(&c->next, 0);
    c->busy = c->size - 1;
    c->round++;
    (void)pthread_cond_broadcast(&c->begin);
    (void)pthread_mutex_unlock(&c->lock);
    share(c, 0);
    (void)pthread_mutex_lock(&c->lock);
    while (c->busy)
        (void)pthread_cond_wait(&c->finished, &c->lock);
    (void)pthread_mutex_unlock(&c->lock);
}
