#include "guest.h"

#include <assert.h>

#include "requests.h"

enum { GUEST_QUEUE_MAX = 20000 };

/* Seconds until the load may work: 0 inside its window and a burst. */
static double rest_s(const struct load *l, double now_s) {
    if (now_s < l->when.from_s)
        return l->when.from_s - now_s;
    if (!(l->on_s > 0))
        return 0;
    double period = l->on_s + l->off_s, since = now_s - l->when.from_s;
    double into = since - period * (double)(long)(since / period);
    return into < l->on_s ? 0 : period - into;
}

static bool over(const struct load *l, double now_s) {
    return now_s >= l->when.to_s;
}

static int world_of(const struct lun *lun, int vm) {
    for (int i = 0; i < lun->world_count; i++)
        if (lun->worlds[i].vm == vm)
            return i;
    return 0;
}

/* The command leaves the guest; the vSCSI layer takes its 10 to 60 microseconds. */
static void enter_vscsi(struct engine *e, struct request *r) {
    e->disks[r->disk].outstanding++;
    e->controller_busy[e->host->disks[r->disk].vm][e->host->disks[r->disk].controller]++;
    r->vscsi_s = e->now_s;
    heap_push(&e->heap, e->now_s + rng_between(&e->rng, 10e-6, 60e-6), EVENT_KERNEL, 0, r);
}

static bool has_room(const struct engine *e, int disk) {
    const struct disk *d = &e->host->disks[disk];
    const struct vm *vm = &e->host->vms[d->vm];
    return e->disks[disk].outstanding < vm->disk_depth &&
           e->controller_busy[d->vm][d->controller] < vm->controller_depth;
}

static int open_requests(const struct disk_state *s) {
    return s->outstanding + s->guest.length;
}

static void send(struct engine *e, int load) {
    const struct load *l = &e->host->loads[load];
    struct request *r = e->disks[l->disk].guest.length < GUEST_QUEUE_MAX ? requests_new(e) : NULL;
    if (r == NULL)
        return; /* an open load far beyond what the host can do: more waiting shows nothing new */
    r->load = load;
    r->disk = l->disk;
    r->lun = e->host->disks[l->disk].lun;
    r->world = world_of(&e->host->luns[r->lun], e->host->disks[l->disk].vm);
    r->op = rng_chance(&e->rng, l->read_share) ? OP_READ : OP_WRITE;
    r->mb = l->kb / 1024;
    if (open_requests(&e->disks[r->disk]) == 0)
        e->disks[r->disk].busy_from_s = e->now_s;
    if (has_room(e, r->disk))
        enter_vscsi(e, r);
    else
        fifo_put(&e->disks[r->disk].guest, r);
}

void guest_arrive(struct engine *e, int load) {
    const struct load *l = &e->host->loads[load];
    if (over(l, e->now_s))
        return;
    double rest = rest_s(l, e->now_s);
    if (rest > 0) {
        heap_push(&e->heap, e->now_s + rest, EVENT_ARRIVE, load, NULL);
        return;
    }
    send(e, load);
    heap_push(&e->heap, e->now_s + rng_exponential(&e->rng, 1 / l->rate_per_s), EVENT_ARRIVE, load,
              NULL);
}

void guest_issue(struct engine *e, int load) {
    const struct load *l = &e->host->loads[load];
    if (over(l, e->now_s))
        return;
    double rest = rest_s(l, e->now_s);
    if (rest > 0)
        heap_push(&e->heap, e->now_s + rest, EVENT_ISSUE, load, NULL);
    else
        send(e, load);
}

void guest_traffic(struct engine *e, int traffic) {
    const struct traffic *t = &e->host->traffic[traffic];
    if (t->threads == 0) {
        double next_s = e->now_s + rng_exponential(&e->rng, 1 / t->rate_per_s);
        heap_push(&e->heap, next_s, EVENT_HOST, traffic, NULL);
    }
    struct request *r = window_holds(t->when, e->now_s) ? requests_new(e) : NULL;
    if (r == NULL)
        return;
    double u = rng_unit(&e->rng);
    r->traffic = traffic;
    r->lun = t->lun;
    r->world = t->world;
    r->op = u < t->read_share ? OP_READ : u < t->read_share + t->other_share ? OP_OTHER : OP_WRITE;
    r->mb = r->op == OP_OTHER ? 0 : t->kb / 1024;
    r->vaai = t->vaai;
    r->own_ms = t->device_ms;
    r->in_server = t->in_server;
    r->vscsi_s = e->now_s;
    heap_push(&e->heap, e->now_s, EVENT_KERNEL, 0, r);
}

static void start_threads(struct engine *e, int traffic) {
    const struct traffic *t = &e->host->traffic[traffic];
    double from_s = t->when.from_s > e->now_s ? t->when.from_s : e->now_s;
    for (int i = 0; i < t->threads; i++)
        heap_push(&e->heap, from_s + rng_exponential(&e->rng, 0.02), EVENT_HOST, traffic, NULL);
}

void guest_start(struct engine *e) {
    const struct host *h = e->host;
    for (int i = 0; i < h->load_count; i++) {
        const struct load *l = &h->loads[i];
        if (l->threads == 0)
            heap_push(&e->heap, e->now_s, EVENT_ARRIVE, i, NULL);
        for (int t = 0; t < l->threads; t++)
            heap_push(&e->heap, e->now_s + rng_exponential(&e->rng, 0.02), EVENT_ISSUE, i, NULL);
    }
    for (int i = 0; i < h->traffic_count; i++) {
        if (h->traffic[i].threads > 0) {
            start_threads(e, i);
            continue;
        }
        heap_push(&e->heap, e->now_s + rng_exponential(&e->rng, 1 / h->traffic[i].rate_per_s),
                  EVENT_HOST, i, NULL);
    }
}

/* A freed slot of the controller may let another disk of the VM go on. */
static void admit(struct engine *e, int disk) {
    const struct disk *d = &e->host->disks[disk];
    for (int i = 0; i < e->host->disk_count; i++) {
        int other = (disk + i) % e->host->disk_count;
        const struct disk *o = &e->host->disks[other];
        if (o->vm != d->vm || o->controller != d->controller)
            continue;
        while (e->disks[other].guest.head != NULL && has_room(e, other))
            enter_vscsi(e, fifo_take(&e->disks[other].guest));
    }
}

/* While its vCPU is not running, a guest does not see that a command is back. */
void guest_late(struct engine *e, struct request *r) {
    const struct vm *vm = r->disk >= 0 ? &e->host->vms[e->host->disks[r->disk].vm] : NULL;
    if (vm == NULL || !window_holds(vm->starved, e->now_s))
        return;
    if (rng_chance(&e->rng, (vm->starved_ready_pct + vm->starved_costop_pct) / 100))
        r->late_s = rng_exponential(&e->rng, vm->starved_ms / 1000);
}

void guest_complete(struct engine *e, struct request *r) {
    int load = r->load, disk = r->disk, traffic = r->traffic;
    requests_free(e, r);
    if (traffic >= 0 && e->host->traffic[traffic].threads > 0)
        heap_push(&e->heap, e->now_s, EVENT_HOST, traffic, NULL);
    if (disk < 0)
        return;
    assert(e->disks[disk].outstanding > 0);
    e->disks[disk].outstanding--;
    if (open_requests(&e->disks[disk]) == 0)
        e->books.guests[disk].busy_s += e->now_s - e->disks[disk].busy_from_s;
    e->controller_busy[e->host->disks[disk].vm][e->host->disks[disk].controller]--;
    admit(e, disk);
    const struct load *l = &e->host->loads[load];
    if (l->threads > 0) {
        double think_s = l->think_ms > 0 ? rng_exponential(&e->rng, l->think_ms / 1000) : 0;
        heap_push(&e->heap, e->now_s + think_s, EVENT_ISSUE, load, NULL);
    }
}
