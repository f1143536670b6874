#include "cpu.h"

enum { USED, RUN, SYSTEM, WAIT, VMWAIT, READY, IDLE, OVERLAP, COSTOP };

void cpu_init(struct cpu *c, uint64_t seed) {
    *c = (struct cpu){ 0 };
    rng_init(&c->rng, seed, "cpu");
}

static void sample_vm(struct cpu *c, int i, const struct vm *vm, bool busy, bool starved) {
    double *v = c->vcpus[i], *g = c->groups[i], n = vm->vcpus;
    double ready = starved ? vm->starved_ready_pct : busy ? vm->busy_ready_pct : vm->ready_pct;
    v[USED] = vm->used_pct * rng_between(&c->rng, 0.8, 1.2);
    v[READY] = ready * rng_between(&c->rng, 0.8, 1.2);
    v[RUN] = v[USED] * 1.03;
    v[SYSTEM] = busy ? v[USED] * 0.2 : 0.05;
    v[VMWAIT] = 0.4;
    v[COSTOP] = starved ? vm->starved_costop_pct * rng_between(&c->rng, 0.8, 1.2) : 0;
    v[WAIT] = 100 - v[RUN] - v[READY] - v[COSTOP];
    v[IDLE] = v[WAIT] - v[VMWAIT];
    for (int k = 0; k < CPU_COLUMNS; k++)
        g[k] = n * v[k];
    g[WAIT] += 500; /* the helper worlds of the group do nothing else */
}

void cpu_sample(struct cpu *c, const struct host *h, double now_s) {
    bool busy = window_holds(h->cpu_short, now_s);
    double total = 0;
    for (int i = 0; i < h->pcpus; i++) {
        double spread =
            busy ? rng_between(&c->rng, 0.985, 1.004) : rng_between(&c->rng, 0.75, 1.25);
        c->util_pct[i] = (busy ? h->busy_util_pct : h->util_pct) * spread;
        c->used_pct[i] = c->util_pct[i] * 0.97;
        total += c->util_pct[i];
    }
    c->util_pct[h->pcpus] = total / h->pcpus;
    c->used_pct[h->pcpus] = 0.97 * total / h->pcpus;
    for (int i = 0; i < h->vm_count; i++)
        sample_vm(c, i, &h->vms[i], busy, window_holds(h->vms[i].starved, now_s));
}
