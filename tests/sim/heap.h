/* heap.h: the events to come, earliest first; those of one instant in the order they were made. */
#ifndef SIM_HEAP_H
#define SIM_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct request;

enum event_kind {
    EVENT_ARRIVE, /* open load "arg": a request comes from outside */
    EVENT_ISSUE,  /* closed load "arg": a thread has thought enough */
    EVENT_HOST,   /* host traffic "arg" */
    EVENT_KERNEL, /* a request leaves the vSCSI layer */
    EVENT_QUEUE,  /* a request joins its world's queue (again, after a conflict) */
    EVENT_INSIDE, /* the array's own limit lets a request in */
    EVENT_SERVED, /* the backing of device has worked on it */
    EVENT_DONE,   /* the completion reaches the host */
    EVENT_FAILED, /* a command was lost with its path */
    EVENT_GUEST,  /* a guest without CPU gets to see a completion */
    EVENT_OTHERS, /* another host's thread, of "arg", sends */
    EVENT_TICK    /* once a second: the scheduler looks at its queue depths */
};

struct event {
    double at_s;
    uint64_t order;
    struct request *request;
    enum event_kind kind;
    int arg;
};

struct heap {
    struct event *events;
    size_t count, room;
    uint64_t made;
};

void heap_init(struct heap *h);
void heap_release(struct heap *h);
void heap_push(struct heap *h, double at_s, enum event_kind kind, int arg, struct request *request);

/* The earliest event; the heap must not be empty. */
const struct event *heap_first(const struct heap *h);
struct event heap_pop(struct heap *h);

#endif
