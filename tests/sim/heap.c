#include "heap.h"

#include <assert.h>
#include <stdbool.h>

#include "memory.h"

static bool before(const struct event *a, const struct event *b) {
    return a->at_s < b->at_s || (!(b->at_s < a->at_s) && a->order < b->order);
}

void heap_init(struct heap *h) {
    *h = (struct heap){ 0 };
}

void heap_release(struct heap *h) {
    memory_free(h->events);
    *h = (struct heap){ 0 };
}

void heap_push(struct heap *h, double at_s, enum event_kind kind, int arg,
               struct request *request) {
    if (h->count == h->room) {
        h->room = h->room ? 2 * h->room : 1024;
        h->events = memory_resize(h->events, h->room, sizeof h->events[0]);
    }
    struct event e = {
        .at_s = at_s, .order = h->made++, .request = request, .kind = kind, .arg = arg
    };
    size_t i = h->count++;
    while (i > 0 && before(&e, &h->events[(i - 1) / 2])) {
        h->events[i] = h->events[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->events[i] = e;
}

const struct event *heap_first(const struct heap *h) {
    assert(h->count > 0);
    return &h->events[0];
}

struct event heap_pop(struct heap *h) {
    assert(h->count > 0);
    struct event first = h->events[0], last = h->events[--h->count];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < h->count) {
        if (child + 1 < h->count && before(&h->events[child + 1], &h->events[child]))
            child++;
        if (!before(&h->events[child], &last))
            break;
        h->events[i] = h->events[child];
        i = child;
    }
    h->events[i] = last;
    return first;
}
