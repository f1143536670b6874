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
    int load, traffic; /* where it comes from; one of them is -1 */
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
    bool reset_due;
};

struct device_state {
    struct fifo inside;
    int busy;
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
