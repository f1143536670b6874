/* Time that stretches cover: their ends in order, and how many of which part are open between two of them. */
#include "spans.h"

#include <stdbool.h>
#include <stdlib.h>

#include "esxlat/base/mem.h"

#define LEVELS 1000 /* parts are told apart so finely; 0 and 1 are exact */

struct edge {
    int64_t at;
    unsigned level;
    bool opens;
};

static int by_time(const void *a, const void *b) {
    const struct edge *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static unsigned level_of(double part) {
    return part >= 1 ? LEVELS : part > 0 ? (unsigned)(part * LEVELS + 0.5) : 0;
}

static size_t list_edges(const struct el_span *s, size_t count, struct edge *edge) {
    size_t edges = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned level = level_of(s[i].part);
        if (s[i].from >= s[i].to || level == 0)
            continue;
        edge[edges++] = (struct edge){ s[i].from, level, true };
        edge[edges++] = (struct edge){ s[i].to, level, false };
    }
    if (edges > 1)
        qsort(edge, edges, sizeof *edge, by_time);
    return edges;
}

double el_spans_seconds(const struct el_span *s, size_t count) {
    struct edge *edge = el_calloc(2 * count + 1, sizeof *edge);
    size_t edges = list_edges(s, count, edge), open[LEVELS + 1] = { 0 }, top = 0;
    double ms = 0;
    for (size_t i = 0; i < edges; i++) {
        if (top)
            ms += ((double)edge[i].at - (double)edge[i - 1].at) * (double)top / LEVELS;
        if (!edge[i].opens)
            open[edge[i].level]--;
        else if (open[edge[i].level]++ == 0 && edge[i].level > top)
            top = edge[i].level;
        while (top && open[top] == 0)
            top--;
    }
    el_free(edge);
    return ms / 1000;
}
