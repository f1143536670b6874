#include "ahead.h"

#include <pthread.h>
#include <string.h>

#include "esxlat/base/mem.h"
#include "esxlat/input/lines.h"

#define READY 6 /* slabs */

struct el_ahead {
    struct el_filler *filler;
    size_t stretch;
    char line_end;
    struct el_slab rest; /* the beginning of a line that the next slab goes on with */
    struct el_slab slab[READY];
    size_t first, count; /* slab[first] and those behind it, in a ring, are filled */
    bool over, failed;   /* no more come */
    bool stop;
    struct el_error error;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

/* Where the last line that ends in the slab ends; 0: none does. */
static size_t end_of_lines(const struct el_slab *s, char line_end) {
    size_t at = s->used;
    if (s->searched == s->used) /* all ends are listed */
        return s->ends ? s->end[s->ends - 1] + 1 : 0;
    while (at > 0 && s->text[at - 1] != line_end)
        at--;
    return at;
}

/* What is behind the last line end is for the next slab. */
static void cut_rest(struct el_ahead *a, struct el_slab *s, size_t at) {
    size_t n = s->used - at;
    a->rest.used = 0;
    el_slab_reserve(&a->rest, n);
    memcpy(a->rest.text, s->text + at, n);
    a->rest.used = n;
    s->used = at;
    s->searched = s->searched < at ? s->searched : at;
}

/* At least one whole line, but for the last of all and one that is too long. */
static bool fill(struct el_ahead *a, struct el_slab *s) {
    size_t end = 0;
    el_slab_carry(s, &a->rest);
    s->searched = s->used; /* no line ends in it */
    do {
        if (!el_slab_fill(s, a->filler, a->stretch, &a->error))
            return false;
        el_slab_find_ends(s, a->line_end);
        end = end_of_lines(s, a->line_end);
    } while (end == 0 && !a->filler->at_end && s->used <= EL_LINE_LIMIT);
    if (!a->filler->at_end && end)
        cut_rest(a, s, end);
    else
        a->rest.used = 0;
    return true;
}

static void *run(void *arg) {
    struct el_ahead *a = arg;
    (void)pthread_mutex_lock(&a->lock);
    while (!a->over && !a->stop) {
        if (a->count == READY) {
            (void)pthread_cond_wait(&a->changed, &a->lock);
            continue;
        }
        struct el_slab *s = &a->slab[(a->first + a->count) % READY];
        (void)pthread_mutex_unlock(&a->lock);
        bool good = fill(a, s);
        (void)pthread_mutex_lock(&a->lock);
        a->count += good;
        a->failed = !good;
        a->over = !good || a->filler->at_end;
        (void)pthread_cond_broadcast(&a->changed);
    }
    (void)pthread_mutex_unlock(&a->lock);
    return NULL;
}

static void release(struct el_ahead *a) {
    (void)pthread_cond_destroy(&a->changed);
    (void)pthread_mutex_destroy(&a->lock);
    for (size_t i = 0; i < READY; i++)
        el_free(a->slab[i].text);
    el_free(a->rest.text);
    el_free(a);
}

struct el_ahead *el_ahead_start(struct el_filler *filler, size_t stretch, char line_end,
                                struct el_slab *here) {
    struct el_ahead *a = el_calloc(1, sizeof *a);
    a->filler = filler;
    a->stretch = stretch;
    a->line_end = line_end;
    el_slab_carry(&a->rest, here);
    (void)pthread_mutex_init(&a->lock, NULL);
    (void)pthread_cond_init(&a->changed, NULL);
    if (pthread_create(&a->thread, NULL, run, a) != 0) {
        release(a);
        return NULL;
    }
    here->start = here->searched = here->used;
    return a;
}

void el_ahead_stop(struct el_ahead *a) {
    if (!a)
        return;
    (void)pthread_mutex_lock(&a->lock);
    a->stop = true;
    (void)pthread_cond_broadcast(&a->changed);
    (void)pthread_mutex_unlock(&a->lock);
    (void)pthread_join(a->thread, NULL);
    release(a);
}

enum el_ahead_result el_ahead_next(struct el_ahead *a, struct el_slab *here, struct el_error *err) {
    enum el_ahead_result result = EL_AHEAD_READ;
    (void)pthread_mutex_lock(&a->lock);
    while (a->count == 0 && !a->over)
        (void)pthread_cond_wait(&a->changed, &a->lock);
    if (a->count) {
        struct el_slab used = *here;
        *here = a->slab[a->first];
        a->slab[a->first] = used;
        a->first = (a->first + 1) % READY;
        a->count--;
        (void)pthread_cond_broadcast(&a->changed);
    } else {
        result = a->failed ? EL_AHEAD_FAILED : EL_AHEAD_END;
        if (a->failed)
            *err = a->error;
    }
    (void)pthread_mutex_unlock(&a->lock);
    return result;
}
