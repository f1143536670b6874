/* A joined disk's samples, for the rules. */
#include "esxlat/base/num.h"
#include "esxlat/guest/join.h"

#define ROWS 64

struct rows {
    size_t count;
    int64_t from[ROWS], to[ROWS];
    double guest_lat[ROWS], guest_queue[ROWS], lat[ROWS], cmds[ROWS], reads[ROWS], writes[ROWS],
        commands[ROWS], seconds[ROWS], wait_device[ROWS], wait_vmkernel[ROWS];
    double device_part;
};

static double ratio(double a, double b) {
    return b > 0 ? a / b : EL_NAN;
}

static void add_row(struct rows *r, const struct el_flow *guest, const struct el_flow *host,
                    double from, double to) {
    size_t i = r->count++;
    double seconds = (to - from) / 1000;
    r->from[i] = (int64_t)from;
    r->to[i] = (int64_t)to;
    r->guest_lat[i] = ratio(guest->wait, guest->timed);
    r->lat[i] = ratio(host->wait, host->timed);
    r->guest_queue[i] = r->guest_lat[i] - r->lat[i];
    r->commands[i] = host->ios;
    r->cmds[i] = host->ios / seconds;
    r->reads[i] = host->reads / seconds;
    r->writes[i] = host->writes / seconds;
    r->seconds[i] = seconds;
    r->wait_device[i] = r->device_part * host->wait / 1000;
    r->wait_vmkernel[i] = host->wait / 1000 - r->wait_device[i];
}

static void hand_over(struct rows *r, void (*take)(void *ctx, const struct el_samples *s),
                      void *ctx) {
    struct el_samples s = { .rows = r->count, .from = r->from, .to = r->to };
    s.column[EL_M_guest_lat] = r->guest_lat;
    s.column[EL_M_guest_queue] = r->guest_queue;
    s.column[EL_M_lat] = r->lat;
    s.column[EL_M_cmds] = s.column[EL_M_ios] = r->cmds;
    s.column[EL_M_reads] = r->reads;
    s.column[EL_M_writes] = r->writes;
    s.column[EL_M_commands] = r->commands;
    s.column[EL_M_seconds] = r->seconds;
    s.column[EL_M_wait_device] = r->wait_device;
    s.column[EL_M_wait_vmkernel] = r->wait_vmkernel;
    if (r->count)
        take(ctx, &s);
    r->count = 0;
}

/* The host's intervals, each with the guest's mean. */
static void steady_rows(struct rows *r, const struct el_joined_disk *d,
                        void (*take)(void *ctx, const struct el_samples *s), void *ctx) {
    const struct el_flow guest = { .timed = 1, .wait = d->latency };
    for (size_t i = 0; i < d->host->count; i++) {
        const struct el_flow *f = &d->host->item[i];
        add_row(r, &guest, f, (double)f->from, (double)f->to);
        if (r->count == ROWS)
            hand_over(r, take, ctx);
    }
}

void el_join_samples(const struct el_join *j, const struct el_joined_disk *d, double device_part,
                     void (*take)(void *ctx, const struct el_samples *s), void *ctx) {
    const struct el_trace *guest = &d->guest->trace, *host = d->host;
    bool guest_longer = el_trace_interval(guest) >= el_trace_interval(host);
    const struct el_trace *a = guest_longer ? guest : host, *b = guest_longer ? host : guest;
    double offset = j->clock.offset;
    struct rows *r = el_calloc(1, sizeof *r);
    size_t at = 0;
    r->device_part = device_part;
    if (j->steady)
        steady_rows(r, d, take, ctx);
    for (size_t i = 0; !j->steady && i < a->count; i++) {
        const struct el_flow *f = &a->item[i];
        double from = (double)f->from - (guest_longer ? offset : 0),
               to = (double)f->to - (guest_longer ? offset : 0), other = guest_longer ? 0 : offset;
        struct el_flow o;
        if (el_trace_between(b, from + other, to + other, &at, &o) < 0.999 * (to - from))
            continue;
        add_row(r, guest_longer ? f : &o, guest_longer ? &o : f, from, to);
        if (r->count == ROWS)
            hand_over(r, take, ctx);
    }
    hand_over(r, take, ctx);
    el_free(r);
}
