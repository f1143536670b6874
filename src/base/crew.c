#include "esxlat/base/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "esxlat/base/mem.h"

#define MOST_THREADS 64
#define PATIENCE     2000 /* looks: some 20 to 100 us */

struct member {
    struct el_crew *crew;
    pthread_t thread;
    unsigned number;
};

struct el_crew {
    struct member *member; /* [0] is the caller */
    unsigned size;
    bool fits;            /* a processor for each member */
    atomic_uint patience; /* looks before going to sleep */
    pthread_mutex_t lock;
    pthread_cond_t begin, finished;
    unsigned sleepers; /* members that wait for `begin`; under the lock */
    void (*work)(void *ctx, size_t item, unsigned member);
    void *ctx;
    size_t items;
    atomic_size_t next; /* item */
    atomic_ulong round; /* counts calls of el_crew_run; what a round needs is set before it */
    atomic_uint busy;   /* members that have not finished this round */
    atomic_bool waits;  /* the caller sleeps until they have */
    atomic_bool ends;
};

static void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

static void share(struct el_crew *c, unsigned member) {
    for (;;) {
        size_t item = atomic_fetch_add(&c->next, 1);
        if (item >= c->items)
            return;
        c->work(c->ctx, item, member);
    }
}

static bool has_news(struct el_crew *c, unsigned long done) {
    return atomic_load(&c->round) != done || atomic_load(&c->ends);
}

/* Rounds follow each other within microseconds, and waking a sleeper takes longer: look a while before sleeping. */
static void await_round(struct el_crew *c, unsigned long done) {
    for (unsigned i = 0; i < atomic_load(&c->patience) && !has_news(c, done); i++)
        relax();
    if (has_news(c, done))
        return;
    (void)pthread_mutex_lock(&c->lock);
    c->sleepers++;
    while (!has_news(c, done))
        (void)pthread_cond_wait(&c->begin, &c->lock);
    c->sleepers--;
    (void)pthread_mutex_unlock(&c->lock);
}

static void report_back(struct el_crew *c) {
    if (atomic_fetch_sub(&c->busy, 1) != 1 || !atomic_load(&c->waits))
        return;
    (void)pthread_mutex_lock(&c->lock);
    (void)pthread_cond_signal(&c->finished);
    (void)pthread_mutex_unlock(&c->lock);
}

static void *serve(void *arg) {
    struct member *m = arg;
    struct el_crew *c = m->crew;
    for (unsigned long done = 0;; done++) {
        await_round(c, done);
        if (atomic_load(&c->round) == done)
            return NULL; /* it ends */
        share(c, m->number);
        report_back(c);
    }
}

static void await_members(struct el_crew *c) {
    for (unsigned i = 0; i < atomic_load(&c->patience) && atomic_load(&c->busy); i++)
        relax();
    if (!atomic_load(&c->busy))
        return;
    (void)pthread_mutex_lock(&c->lock);
    atomic_store(&c->waits, true);
    while (atomic_load(&c->busy))
        (void)pthread_cond_wait(&c->finished, &c->lock);
    atomic_store(&c->waits, false);
    (void)pthread_mutex_unlock(&c->lock);
}

struct el_crew *el_crew_new(unsigned threads) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (threads == 0)
        threads = online > 0 ? (unsigned)online : 1;
    if (threads > MOST_THREADS)
        threads = MOST_THREADS;
    struct el_crew *c = el_calloc(1, sizeof *c);
    c->fits = online > 0 && threads <= (unsigned long)online;
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
    atomic_store(&c->ends, true);
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

void el_crew_hurry(struct el_crew *c, bool hurry) {
    atomic_store(&c->patience, hurry && c->fits ? PATIENCE : 0);
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
    c->work = work;
    c->ctx = ctx;
    c->items = items;
    atomic_store(&c->next, 0);
    atomic_store(&c->busy, c->size - 1);
    (void)pthread_mutex_lock(&c->lock);
    atomic_fetch_add(&c->round, 1);
    if (c->sleepers)
        (void)pthread_cond_broadcast(&c->begin);
    (void)pthread_mutex_unlock(&c->lock);
    share(c, 0);
    await_members(c);
}
