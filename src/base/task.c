#include "esxlat/base/task.h"

#include <pthread.h>

#include "esxlat/base/mem.h"

struct el_task {
    bool (*run)(void *ctx, struct el_error *err);
    void *ctx;
    pthread_t thread;
    bool running; /* on `thread`, or not yet joined */
    bool good;
    struct el_error err;
};

static void *serve(void *arg) {
    struct el_task *t = arg;
    t->good = t->run(t->ctx, &t->err);
    return NULL;
}

struct el_task *el_task_start(bool (*run)(void *ctx, struct el_error *err), void *ctx,
                              bool beside) {
    struct el_task *t = el_calloc(1, sizeof *t);
    t->run = run;
    t->ctx = ctx;
    t->running = beside && pthread_create(&t->thread, NULL, serve, t) == 0;
    if (!t->running)
        (void)serve(t);
    return t;
}

bool el_task_wait(struct el_task *t, struct el_error *err) {
    if (t && t->running) {
        (void)pthread_join(t->thread, NULL);
        t->running = false;
    }
    if (t && !t->good)
        *err = t->err;
    return !t || t->good;
}

void el_task_free(struct el_task *t) {
    struct el_error unused;
    (void)el_task_wait(t, &unused);
    el_free(t);
}
