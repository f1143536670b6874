#include "esxlat/guest/trace.h"

#include <stdlib.h>

#define COVERED 0.999 /* of an interval: whole, but for rounding */

static double length(const struct el_flow *f) {
    return (double)(f->to - f->from);
}

static void merge(struct el_flow *into, const struct el_flow *f) {
    into->to = f->to > into->to ? f->to : into->to;
    into->ios += f->ios;
    into->reads += f->reads;
    into->writes += f->writes;
    into->timed += f->timed;
    into->wait += f->wait;
}

static int by_time(const void *a, const void *b) {
    const struct el_flow *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->to > y->to) - (x->to < y->to);
}

void el_trace_settle(struct el_trace *t) {
    size_t kept = 0, sorted = 1;
    while (sorted < t->count && t->item[sorted].from >= t->item[sorted - 1].to)
        sorted++;
    if (sorted >= t->count)
        return;
    qsort(t->item, t->count, sizeof *t->item, by_time);
    for (size_t i = 0; i < t->count; i++)
        if (kept == 0 || t->item[i].from >= t->item[kept - 1].to)
            t->item[kept++] = t->item[i];
    t->count = kept;
    t->in_last = t->factor; /* the last one is another than it was */
}

static void halve(struct el_trace *t) {
    size_t kept = 0;
    el_trace_settle(t);
    for (size_t i = 0; i < t->count; i += 2) {
        t->item[kept] = t->item[i];
        if (i + 1 < t->count)
            merge(&t->item[kept], &t->item[i + 1]);
        kept++;
    }
    if (t->count % 2 == 0)
        t->in_last += t->factor;
    t->factor *= 2;
    t->count = kept;
}

void el_trace_add(struct el_trace *t, const struct el_flow *flow) {
    if (flow->to <= flow->from)
        return;
    if (t->most == 0)
        t->most = EL_TRACE_MOST;
    if (t->factor == 0)
        t->factor = t->in_last = 1;
    while (t->count >= t->most && t->in_last >= t->factor)
        halve(t);
    if (t->count && t->in_last < t->factor && flow->from >= t->item[t->count - 1].to) {
        merge(&t->item[t->count - 1], flow);
        t->in_last++;
        return;
    }
    *EL_PUSH(t->item, t->count, t->room) = *flow;
    t->in_last = 1;
}

struct el_trace el_trace_coarser(const struct el_trace *t, size_t most) {
    struct el_trace copy = { .most = most };
    size_t group = (t->count + most - 1) / most;
    for (size_t i = 0; i < t->count; i++)
        if (i % group == 0)
            *EL_PUSH(copy.item, copy.count, copy.room) = t->item[i];
        else
            merge(&copy.item[copy.count - 1], &t->item[i]);
    return copy;
}

struct el_trace el_trace_sum(const struct el_trace *const *t, size_t count) {
    struct el_trace sum = { .most = EL_TRACE_MOST };
    size_t longest = 0;
    for (size_t k = 1; k < count; k++)
        if (t[k]->count > t[longest]->count)
            longest = k;
    size_t *at = el_calloc(count + 1, sizeof *at);
    for (size_t i = 0; count && i < t[longest]->count; i++) {
        struct el_flow all = t[longest]->item[i], part;
        bool whole = true;
        for (size_t k = 0; whole && k < count; k++) {
            if (k == longest)
                continue;
            whole = el_trace_between(t[k], (double)all.from, (double)all.to, &at[k], &part) >=
                    COVERED * length(&all);
            part.to = all.to;
            merge(&all, &part);
        }
        if (whole)
            el_trace_add(&sum, &all);
    }
    el_free(at);
    return sum;
}

void el_trace_release(struct el_trace *t) {
    el_free(t->item);
    *t = (struct el_trace){ 0 };
}

double el_trace_between(const struct el_trace *t, double from, double to, size_t *at,
                        struct el_flow *sum) {
    double covered = 0;
    *sum = (struct el_flow){ 0 };
    while (*at < t->count && (double)t->item[*at].to <= from)
        (*at)++;
    for (size_t i = *at; i < t->count && (double)t->item[i].from < to; i++) {
        const struct el_flow *f = &t->item[i];
        double begin = (double)f->from > from ? (double)f->from : from,
               end = (double)f->to < to ? (double)f->to : to, share = (end - begin) / length(f);
        covered += end - begin;
        sum->ios += share * f->ios;
        sum->reads += share * f->reads;
        sum->writes += share * f->writes;
        sum->timed += share * f->timed;
        sum->wait += share * f->wait;
    }
    return covered;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double el_trace_interval(const struct el_trace *t) {
    if (t->count == 0)
        return 0;
    double *all = el_alloc(t->count * sizeof *all);
    for (size_t i = 0; i < t->count; i++)
        all[i] = length(&t->item[i]);
    qsort(all, t->count, sizeof *all, by_size);
    double median = all[t->count / 2];
    el_free(all);
    return median;
}

double el_trace_rate(const struct el_trace *t) {
    double ios = 0, ms = 0;
    for (size_t i = 0; i < t->count; i++) {
        ios += t->item[i].ios;
        ms += length(&t->item[i]);
    }
    return ms > 0 ? 1000 * ios / ms : 0;
}
