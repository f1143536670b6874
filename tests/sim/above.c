#include "above.h"

#include "kernel.h"
#include "requests.h"

static const double LOOKUP_KB = 4;

/* How many commands "r" needs before it; they are all of one kind. */
static int needs(struct engine *e, const struct request *r) {
    const struct above *a = &e->host->disks[r->disk].above;
    int count = 0;
    if (!window_holds(a->when, e->now_s))
        return 0;
    if (a->zero_share > 0)
        return r->op == OP_WRITE && rng_chance(&e->rng, a->zero_share) ? 1 : 0;
    double share = r->op == OP_READ ? a->miss_share : 0.5 * a->miss_share;
    for (int i = 0; i < a->levels; i++)
        count += rng_chance(&e->rng, share);
    return count;
}

static void send_before(struct engine *e, struct request *r) {
    const struct above *a = &e->host->disks[r->disk].above;
    struct request *first = requests_new(e);
    if (first == NULL) {
        r->before = 0;
        kernel_enter(e, r);
        return;
    }
    first->parent = r;
    first->lun = r->lun;
    first->world = r->world;
    first->vscsi_s = e->now_s;
    if (a->zero_share > 0) {
        first->op = OP_OTHER;
        first->vaai = VAAI_ZERO;
        first->own_ms = a->zero_ms;
    } else {
        first->op = OP_READ;
        first->mb = LOOKUP_KB / 1024;
    }
    kernel_enter(e, first);
}

void above_enter(struct engine *e, struct request *r) {
    r->before = r->disk >= 0 ? needs(e, r) : 0;
    if (r->before > 0)
        send_before(e, r);
    else
        kernel_enter(e, r);
}

void above_done(struct engine *e, struct request *r) {
    struct request *parent = r->parent;
    requests_free(e, r);
    if (--parent->before > 0)
        send_before(e, parent);
    else
        kernel_enter(e, parent);
}
