/* state.h: the running simulation, shared by engine, guest, kernel and device alone. */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "books.h"
#include "heap.h"
#include "model.h"
#include "rng.h"

/* A command on its way down and back. */
struct request {
    struct request *next;
    struct request *parent;     /* waits for this one: see above.h */
    int before;                 /* requests it still has to wait for */
    int load, traffic, foreign; /* where it comes from; at most one of them is not -1 */
    enum vaai vaai;
    double own_ms;  /* at the device; 0: as the device pleases */
    bool in_server; /* own_ms keep a server busy */
    double late_s;  /* until the guest gets to see the completion */
    int disk, lun, world, path;
    enum op op;
    double mb;
    double made_s, vscsi_s, kernel_s,
        driver_s;                 /* when it entered guest, vSCSI layer, VMkernel, driver */
    double wait_from_s, queued_s; /* in a kernel queue since, and so far */
    bool held;                    /* by an IOPS limit */
    bool aborted;
};

struct fifo {
    struct request *head, *tail;
    int length;
};

struct world_state {
    struct fifo queue;
    int active, held, arrivals; /* arrivals since the last tick */
};

struct lun_state {
    struct world_state worlds[MAX_WORLDS];
    int depth, active, queued, turn, path;
    unsigned sent;
    double path_back_s;       /* a path known to be dead is not used before */
    int refused, good;        /* QUEUE FULL answers and good ones since the depth was changed */
    int full_depth;           /* what they have left of the depth */
    double fair_depth;        /* what storage I/O control has left of it */
    double waited_s, replies; /* since it looked last */
    int ticks;
};

struct device_state {
    struct fifo inside;
    int busy;
    double admit_s; /* when the array's limit lets the next one in */
    bool had_outlier;
};

struct disk_state {
    struct fifo guest; /* requests the virtual adapter has no room for */
    int outstanding;
    double next_free_s; /* of the IOPS limit */
    double busy_from_s; /* while anything is under way */
};

struct engine {
    const struct host *host;
    struct books books;
    struct heap heap;
    struct rng rng;
    double now_s;
    struct request *spare;
    struct request *blocks[4096]; /* where requests live, to free them */
    int block_count;
    struct lun_state luns[MAX_LUNS];
    struct device_state devices[MAX_DEVICES];
    struct disk_state disks[MAX_DISKS];
    int controller_busy[MAX_VMS][MAX_CONTROLLERS];
    int adapter_busy[MAX_ADAPTERS];
    double link_free_s[MAX_ADAPTERS][2]; /* by direction: reads, writes */
};

static inline void fifo_put(struct fifo *f, struct request *r) {
    r->next = NULL;
    if (f->tail != NULL)
        f->tail->next = r;
    else
        f->head = r;
    f->tail = r;
    f->length++;
}

static inline struct request *fifo_take(struct fifo *f) {
    struct request *r = f->head;
    if (r == NULL)
        return NULL;
    f->head = r->next;
    if (f->head == NULL)
        f->tail = NULL;
    f->length--;
    return r;
}

#endif
