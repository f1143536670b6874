#include "steady.h"

#include <math.h>

#include "esxlat/base/num.h"

#define FEWEST  8
#define SPREAD  0.2
#define ALLOWED 0.1

struct el_flow el_trace_total(const struct el_trace *t) {
    struct el_flow all = { 0 };
    for (size_t i = 0; i < t->count; i++) {
        all.ios += t->item[i].ios;
        all.timed += t->item[i].timed;
        all.wait += t->item[i].wait;
    }
    return all;
}

struct moments {
    double n, sum, squares;
};

static void add(struct moments *m, double x) {
    m->n++;
    m->sum += x;
    m->squares += x * x;
}

static bool is_narrow(const struct moments *m) {
    double mean = m->sum / m->n, variance = m->squares / m->n - mean * mean;
    return mean > 0 && variance <= SPREAD * SPREAD * mean * mean;
}

bool el_is_steady(const struct el_trace *t) {
    struct moments rate = { 0 }, latency = { 0 };
    for (size_t i = 0; i < t->count; i++) {
        const struct el_flow *f = &t->item[i];
        if (!(f->timed > 0))
            return false;
        add(&rate, f->ios / (double)(f->to - f->from));
        add(&latency, f->wait / f->timed);
    }
    return t->count >= FEWEST && is_narrow(&rate) && is_narrow(&latency);
}

double el_steady_misfit(const struct el_trace *guest, const struct el_trace *host) {
    double g = el_trace_rate(guest), h = el_trace_rate(host);
    if (!(g > 0) || !(h > 0) || !el_is_steady(guest) || !el_is_steady(host))
        return (double)INFINITY;
    return fabs(log(g / h)) / ALLOWED;
}
