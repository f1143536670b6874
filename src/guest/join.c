#include "esxlat/guest/join.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "esxlat/base/num.h"
#include "steady.h"

#define HOUR  3600000.0
#define RANGE (HOUR + 60000)      /* of a clock whose zone is known */
#define ZONES (14 * HOUR + RANGE) /* UTC-12 to UTC+14, when it is not */
#define FIT   0.05 /* of the energy of a disk's counts may differ, as in stats/match */
#define EDGE                                                                                       \
    2.0 /* and as many commands at the edges of an interval, squared, as Poisson's variance allows */
#define FEWEST      20  /* commands that tell a disk from an idle one */
#define CLEARLY     2.0 /* times worse must the second best disk fit */
#define LEVELS      3.0 /* a VM is looked at when its rate is within this factor of the guest's */
#define PAIRS_GUEST 4   /* disks compared one by one where their sum shows nothing */
#define PAIRS_HOST  16
#define HOSTS       256 /* virtual disks of a VM */

bool el_joined(const struct el_joined_disk *d) {
    return d->vdisk != EL_NOTHING && d->link != EL_UNLINKED && !el_missing(d->queue);
}

void el_join_release(struct el_join *j) {
    el_free(j->disk);
    j->disk = NULL;
    j->disks = 0;
}

/* ---- both sides ---- */

struct sides { /* of a guest and a VM */
    const struct el_trace *guest[EL_GUEST_DISKS], *host[HOSTS];
    size_t of_guest[EL_GUEST_DISKS]; /* disk of the guest */
    uint32_t of_host[HOSTS];         /* entity */
    size_t guests, hosts;
};

static double commands_of(const struct el_trace *t) {
    double sum = 0;
    for (size_t i = 0; i < t->count; i++)
        sum += t->item[i].ios;
    return sum;
}

static void gather(const struct el_guest *g, const struct el_catalog *c, const struct el_watch *w,
                   uint32_t vm, struct sides *s) {
    s->guests = s->hosts = 0;
    for (size_t i = 0; i < g->disks; i++)
        if (commands_of(&g->disk[i].trace) >= FEWEST) {
            s->of_guest[s->guests] = i;
            s->guest[s->guests++] = &g->disk[i].trace;
        }
    for (uint32_t i = 0; vm != EL_NOTHING && i < c->entities && s->hosts < HOSTS; i++) {
        const struct el_trace *t =
            c->entity[i].kind == EL_VDISK && c->entity[i].vm == vm ? el_watch_trace(w, i) : NULL;
        if (!t || commands_of(t) < FEWEST)
            continue;
        s->of_host[s->hosts] = i;
        s->host[s->hosts++] = t;
    }
}

/* ---- clocks ---- */

static struct el_alignment align_sums(const struct sides *s, double range) {
    struct el_trace guest = el_trace_sum(s->guest, s->guests),
                    host = el_trace_sum(s->host, s->hosts);
    struct el_alignment a = el_align(&guest, &host, -range, range);
    el_trace_release(&guest);
    el_trace_release(&host);
    return a;
}

/* The surest of single pairs: a guest may have left out disks, or have more than the host shows. */
static struct el_alignment align_pairs(const struct sides *s, double range) {
    struct el_alignment best = { 0 };
    for (size_t g = 0; g < s->guests && g < PAIRS_GUEST; g++)
        for (size_t h = 0; h < s->hosts && h < PAIRS_HOST; h++) {
            struct el_alignment a = el_align(s->guest[g], s->host[h], -range, range);
            if (a.sure > best.sure || (a.sure == best.sure && a.score > best.score))
                best = a;
        }
    return best;
}

static struct el_alignment align(const struct sides *s, bool has_zone) {
    double range = has_zone ? RANGE : ZONES;
    struct el_alignment a = align_sums(s, range);
    if (a.sure || s->guests * s->hosts < 2)
        return a;
    struct el_alignment b = align_pairs(s, range);
    return b.sure ? b : a;
}

/* ---- disks ---- */

/* How far the counts differ, as a part of what is allowed; infinite without common time. */
static double misfit(const struct el_trace *guest, const struct el_trace *host, double offset) {
    double apart = 0, energy = 0, count = 0;
    bool guest_longer = el_trace_interval(guest) >= el_trace_interval(host);
    const struct el_trace *a = guest_longer ? guest : host, *b = guest_longer ? host : guest;
    double shift = guest_longer ? -offset : offset;
    size_t at = 0;
    for (size_t i = 0; i < a->count; i++) {
        const struct el_flow *f = &a->item[i];
        struct el_flow o;
        if (el_trace_between(b, (double)f->from + shift, (double)f->to + shift, &at, &o) <
            0.999 * (double)(f->to - f->from))
            continue;
        double rd = f->reads - o.reads, wr = f->writes - o.writes, all = f->ios - o.ios;
        bool split = !el_missing(rd + wr);
        apart += split ? rd * rd + wr * wr : all * all;
        energy += split ? f->reads * f->reads + f->writes * f->writes : f->ios * f->ios;
        count += f->ios;
    }
    return energy > 0 ? apart / (FIT * energy + EDGE * count) : (double)INFINITY;
}

struct match {
    double cost[EL_GUEST_DISKS][HOSTS];
    bool guest_done[EL_GUEST_DISKS], host_done[HOSTS];
};

/* The best pair that is left; false when none fits. */
static bool best_pair(const struct match *m, const struct sides *s, size_t *guest, size_t *host) {
    double least = 1;
    for (size_t g = 0; g < s->guests; g++)
        for (size_t h = 0; h < s->hosts; h++)
            if (!m->guest_done[g] && !m->host_done[h] && m->cost[g][h] <= least) {
                least = m->cost[g][h];
                *guest = g;
                *host = h;
            }
    return m->guest_done[*guest] == false && m->host_done[*host] == false &&
           m->cost[*guest][*host] <= 1;
}

/* Would another disk, on either side, do about as well? */
static bool is_sure(const struct match *m, const struct sides *s, size_t guest, size_t host) {
    double rival = (double)INFINITY;
    for (size_t h = 0; h < s->hosts; h++)
        if (h != host && !m->host_done[h])
            rival = fmin(rival, m->cost[guest][h]);
    for (size_t g = 0; g < s->guests; g++)
        if (g != guest && !m->guest_done[g])
            rival = fmin(rival, m->cost[g][host]);
    return rival > CLEARLY * m->cost[guest][host];
}

/* ---- latencies ---- */

static void measure(struct el_joined_disk *d, double offset) {
    const struct el_trace *host = d->host;
    struct el_flow of_guest = { 0 }, of_host = { 0 };
    size_t at = 0;
    double ms = 0;
    for (size_t i = 0; i < host->count; i++) {
        const struct el_flow *f = &host->item[i];
        struct el_flow part;
        double covered = el_trace_between(&d->guest->trace, (double)f->from + offset,
                                          (double)f->to + offset, &at, &part),
               share = covered / (double)(f->to - f->from);
        of_guest.timed += part.timed;
        of_guest.wait += part.wait;
        of_host.timed += share * f->timed;
        of_host.wait += share * f->wait;
        of_host.ios += share * f->ios;
        ms += covered;
    }
    d->latency = of_guest.timed > 0 ? of_guest.wait / of_guest.timed : EL_NAN;
    d->lat = of_host.timed > 0 ? of_host.wait / of_host.timed : EL_NAN;
    d->queue = d->latency - d->lat;
    d->commands = of_host.ios;
    d->seconds = ms / 1000;
}

/* Without clocks: everything of both. */
static void measure_steady(struct el_joined_disk *d) {
    struct el_flow of_guest = el_trace_total(&d->guest->trace), of_host = el_trace_total(d->host);
    double rate = el_trace_rate(d->host);
    d->latency = of_guest.timed > 0 ? of_guest.wait / of_guest.timed : EL_NAN;
    d->lat = of_host.timed > 0 ? of_host.wait / of_host.timed : EL_NAN;
    d->queue = d->latency - d->lat;
    d->commands = of_host.ios;
    d->seconds = rate > 0 ? of_host.ios / rate : 0;
}

bool el_join_measured(const struct el_join *join, size_t joins, uint32_t vdisk) {
    for (size_t i = 0; i < joins; i++)
        for (size_t k = 0; k < join[i].disks; k++)
            if (join[i].disk[k].vdisk == vdisk && el_joined(&join[i].disk[k]))
                return true;
    return false;
}

double el_join_wait(const struct el_join *j, const struct el_joined_disk *d, double from,
                    double to) {
    struct el_flow of_guest = { .timed = 1, .wait = d->latency }, of_host;
    size_t at_guest = 0, at_host = 0;
    (void)el_trace_between(d->host, from, to, &at_host, &of_host);
    if (!j->steady)
        (void)el_trace_between(&d->guest->trace, from + j->clock.offset, to + j->clock.offset,
                               &at_guest, &of_guest);
    if (!(of_guest.timed > 0) || !(of_host.timed > 0))
        return 0;
    double queue = of_guest.wait / of_guest.timed - of_host.wait / of_host.timed;
    return queue > 0 ? queue * of_host.ios / 1000 : 0;
}

static void join_disks(struct el_join *j, const struct sides *s) {
    struct match *m = el_calloc(1, sizeof *m);
    size_t g = 0, h = 0;
    for (size_t i = 0; i < s->guests; i++)
        for (size_t k = 0; k < s->hosts; k++)
            m->cost[i][k] = j->steady ? el_steady_misfit(s->guest[i], s->host[k])
                                      : misfit(s->guest[i], s->host[k], j->clock.offset);
    while (s->guests && s->hosts && best_pair(m, s, &g, &h)) {
        struct el_joined_disk *d = &j->disk[g];
        d->vdisk = s->of_host[h];
        d->host = s->host[h];
        d->link = s->guests == 1 && s->hosts == 1 ? EL_BY_NAME
                  : is_sure(m, s, g, h)           ? EL_BY_RATE
                                                  : EL_UNLINKED;
        if (j->steady)
            measure_steady(d);
        else
            measure(d, j->clock.offset);
        j->joined += el_joined(d);
        if (el_joined(d))
            j->misfit = fmax(j->misfit, m->cost[g][h]);
        m->guest_done[g] = m->host_done[h] = true;
    }
    el_free(m);
}

static void list_disks(struct el_join *j, const struct sides *s) {
    j->disks = s->guests;
    j->disk = el_calloc(s->guests + 1, sizeof *j->disk);
    for (size_t i = 0; i < s->guests; i++)
        j->disk[i] = (struct el_joined_disk){ .guest = &j->guest->disk[s->of_guest[i]],
                                              .vdisk = EL_NOTHING,
                                              .latency = EL_NAN,
                                              .lat = EL_NAN,
                                              .queue = EL_NAN };
}

/* ---- a VM ---- */

static void give_reason(struct el_join *j, const struct sides *s) {
    const char *why = NULL;
    if (!s->guests)
        why = "no disk in the file carried I/O";
    else if (!s->hosts)
        why = "the capture holds no virtual disk with I/O of this VM";
    else if (j->clock.samples == 0)
        why = "the two have no common time, whatever the clocks";
    else if (!j->clock.sure && !j->joined)
        why = "the rates show no clear offset between the clocks: measure longer, with load that "
              "varies";
    else if (!j->joined)
        why = "the clocks agree at the offset shown, but no disk has the rates of a virtual disk";
    if (why)
        (void)snprintf(j->reason, sizeof j->reason, "%s", why);
}

/* Only where the VM is known may steady means stand in for clocks. */
static void try_vm(struct el_join *j, const struct el_catalog *c, const struct el_watch *w,
                   uint32_t vm, bool may_be_steady) {
    struct sides *s = el_alloc(sizeof *s);
    gather(j->guest, c, w, vm, s);
    j->vm = vm;
    list_disks(j, s);
    if (s->guests && s->hosts)
        j->clock = align(s, j->guest->has_zone);
    j->steady = may_be_steady && !j->clock.sure && j->clock.samples > 0;
    if (j->clock.sure || j->steady)
        join_disks(j, s);
    j->steady &= j->joined > 0;
    give_reason(j, s);
    el_free(s);
}

/* Could this VM's rate be the guest's? */
static bool is_near(const struct el_guest *g, const struct el_catalog *c, const struct el_watch *w,
                    uint32_t vm) {
    struct sides *s = el_alloc(sizeof *s);
    double guest = 0, host = 0;
    gather(g, c, w, vm, s);
    for (size_t i = 0; i < s->guests; i++)
        guest += el_trace_rate(s->guest[i]);
    for (size_t i = 0; i < s->hosts; i++)
        host += el_trace_rate(s->host[i]);
    el_free(s);
    return host > 0 && guest <= LEVELS * host && host <= LEVELS * guest;
}

static bool is_better(const struct el_join *a, const struct el_join *b) {
    if ((a->joined > 0) != (b->joined > 0))
        return a->joined > 0;
    return a->joined ? a->misfit < b->misfit : a->clock.score > b->clock.score;
}

static void refuse(struct el_join *j, const struct el_catalog *c, uint32_t one, uint32_t other) {
    struct el_buf a = { 0 }, b = { 0 };
    (void)el_buf_visible(&a, c->entity[one].name);
    (void)el_buf_visible(&b, c->entity[other].name);
    (void)snprintf(j->reason, sizeof j->reason,
                   "%.120s and %.120s fit about as well: say which with --guest FILE,vm=NAME",
                   a.ptr, b.ptr);
    el_buf_release(&a);
    el_buf_release(&b);
    j->vm = EL_NOTHING;
    j->joined = 0;
    for (size_t i = 0; i < j->disks; i++)
        j->disk[i].link = EL_UNLINKED;
}

void el_join(const struct el_guest *g, const struct el_guest_wish *wish, const struct el_catalog *c,
             const struct el_watch *w, struct el_join *out) {
    bool named = wish->vm.ptr || el_guest_is_named(wish, c);
    struct el_join best = { .guest = g, .vm = EL_NOTHING };
    uint32_t second = EL_NOTHING;
    double second_misfit = 1;
    for (uint32_t i = 0; i < c->entities; i++) {
        const struct el_entity *e = &c->entity[i];
        if (e->kind != EL_VM || (named ? !el_guest_fits(wish, e->name) : !is_near(g, c, w, i)))
            continue;
        struct el_join next = { .guest = g };
        try_vm(&next, c, w, i, named);
        bool better = best.vm == EL_NOTHING || is_better(&next, &best);
        struct el_join *worse = better ? &best : &next;
        if (worse->joined && worse->misfit <= second_misfit) {
            second = worse->vm;
            second_misfit = worse->misfit;
        }
        el_join_release(worse);
        if (better)
            best = next;
    }
    *out = best;
    out->vm_by = wish->vm.ptr ? EL_VM_GIVEN : named ? EL_VM_BY_HOST_NAME : EL_VM_BY_RATES;
    if (out->joined && second != EL_NOTHING && second_misfit <= CLEARLY * out->misfit)
        refuse(out, c, out->vm, second);
    if (!named && !out->joined && out->vm != EL_NOTHING && !*out->reason)
        out->vm = EL_NOTHING;
    if (!named && out->vm == EL_NOTHING && !*out->reason)
        (void)snprintf(out->reason, sizeof out->reason,
                       "no VM of the capture has about the rate of this guest");
}
