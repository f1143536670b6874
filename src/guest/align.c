#include "esxlat/guest/align.h"

#include <math.h>

#define COARSE      1024 /* items of the longer intervals in the search over everything */
#define COARSE_FINE 4096 /* of the other trace */
#define FEWEST      8    /* intervals that a correlation needs */
#define COVERED     0.999
#define NEAR_ONE    0.999999999999 /* r squared: 27.6 an interval at most */
#define SCORE_LEAST                                                                                \
    6.5 /* with three series by chance once in 1e8; thousands of offsets are tried */
#define SCORE_HIGH 10.0
#define GAP_LEAST  3.0 /* to a rival: 3 sigma */
#define GAP_HIGH   6.0
#define FINEST     5.0   /* ms */
#define ROUND      10.0  /* ms, to which an offset is told */
#define LEAST_STEP 250.0 /* ms, of the search over everything */
#define VALLEY     2.0   /* a peak ends where the score rises by this again */

/* Both traces; a has the longer intervals, and b is read `sign` x offset later. */
struct pair {
    const struct el_trace *a, *b;
    double sign;
};

enum series { READS, WRITES, LATENCY, SERIES };

struct point {
    double score, each; /* each: score of an interval, score / sqrt(n) */
    size_t n;
};

struct sums {
    double x, y, xx, yy, xy, n;
};

static void add(struct sums *s, double x, double y) {
    if (!isfinite(x) || !isfinite(y))
        return;
    s->x += x;
    s->y += y;
    s->xx += x * x;
    s->yy += y * y;
    s->xy += x * y;
    s->n++;
}

/* -log(1 - r^2) of one interval; a series that does not vary tells nothing. */
static double information(const struct sums *s) {
    double xx = s->xx - s->x * s->x / s->n, yy = s->yy - s->y * s->y / s->n,
           xy = s->xy - s->x * s->y / s->n;
    if (!(s->n >= FEWEST) || !(xx > 1e-9 * s->xx) || !(yy > 1e-9 * s->yy) || !(xy > 0))
        return 0;
    double r2 = xy * xy / (xx * yy);
    return -log1p(r2 > NEAR_ONE ? -NEAR_ONE : -r2);
}

/* Where reads and writes are not told apart, all commands stand in for the reads. */
static void add_interval(struct sums s[SERIES], const struct el_flow *a, const struct el_flow *b,
                         double length) {
    bool apart = isfinite(a->reads + a->writes + b->reads + b->writes);
    add(&s[READS], sqrt((apart ? a->reads : a->ios) / length),
        sqrt((apart ? b->reads : b->ios) / length));
    if (apart)
        add(&s[WRITES], sqrt(a->writes / length), sqrt(b->writes / length));
    if (a->wait > 0 && b->wait > 0)
        add(&s[LATENCY], log(a->wait / a->timed), log(b->wait / b->timed));
}

static bool have_common_time(const struct pair *p, double shift) {
    const struct el_trace *a = p->a, *b = p->b;
    return (double)a->item[a->count - 1].to + shift > (double)b->item[0].from &&
           (double)a->item[0].from + shift < (double)b->item[b->count - 1].to;
}

static struct point at_offset(const struct pair *p, double offset) {
    struct sums s[SERIES] = { 0 };
    struct point out = { 0 };
    size_t at = 0;
    double shift = p->sign * offset;
    if (!have_common_time(p, shift))
        return out;
    for (size_t i = 0; i < p->a->count; i++) {
        const struct el_flow *f = &p->a->item[i];
        struct el_flow other;
        double length = (double)(f->to - f->from);
        if (el_trace_between(p->b, (double)f->from + shift, (double)f->to + shift, &at, &other) <
            COVERED * length)
            continue;
        add_interval(s, f, &other, length);
        out.n++;
    }
    if (out.n < FEWEST)
        return out;
    for (int k = 0; k < SERIES; k++) /* a series with fewer intervals tells less */
        out.each += information(&s[k]) * s[k].n / (double)out.n;
    out.each = sqrt(out.each);
    out.score = out.each * sqrt((double)out.n - 3);
    return out;
}

/* ---- the search over everything ---- */

struct search {
    struct point *point;
    size_t points, best;
    double first, step;
};

/* From the best offset outwards to where the score rises again. */
static size_t edge(const struct search *s, bool up) {
    size_t i = s->best;
    double least = s->point[i].score;
    while (up ? i + 1 < s->points : i > 0) {
        double next = s->point[up ? i + 1 : i - 1].score;
        if (next > least + VALLEY)
            break;
        least = next < least ? next : least;
        i = up ? i + 1 : i - 1;
    }
    return i;
}

/* The least distance of offsets outside the peak, as a difference of scores at equal numbers of intervals. */
static double gap_to_rivals(const struct search *s) {
    const struct point *best = &s->point[s->best];
    size_t low = edge(s, false), high = edge(s, true);
    double least = (double)INFINITY;
    for (size_t i = 0; i < s->points; i++) {
        const struct point *q = &s->point[i];
        if ((i >= low && i <= high) || q->score <= best->score / 2)
            continue;
        double n = (double)(q->n < best->n ? q->n : best->n),
               gap = (best->each - q->each) * sqrt(n - 3);
        least = gap < least ? gap : least;
    }
    return least;
}

static struct search search_all(const struct pair *p, double least, double most) {
    double half = el_trace_interval(p->a) / 2;
    struct search s = { .first = least, .step = half > LEAST_STEP ? half : LEAST_STEP };
    if (!p->a->count || !p->b->count)
        return s;
    s.points = (size_t)((most - least) / s.step) + 2;
    s.point = el_calloc(s.points, sizeof *s.point);
    for (size_t i = 0; i < s.points; i++) {
        s.point[i] = at_offset(p, least + (double)i * s.step);
        if (s.point[i].score > s.point[s.best].score)
            s.best = i;
    }
    return s;
}

/* ---- the place within ---- */

/* First in steps of half an interval, since within that there is one maximum only; then by halving. */
static double refine(const struct pair *p, double around, double width) {
    double step = el_trace_interval(p->a) / 2, best = around, most = at_offset(p, around).each;
    for (double at = around - width; at <= around + width; at += step) {
        double each = at_offset(p, at).each;
        if (each > most) {
            most = each;
            best = at;
        }
    }
    for (step /= 2; step > FINEST; step /= 2) {
        double before = at_offset(p, best - step).each, behind = at_offset(p, best + step).each;
        if (before > most || behind > most) {
            best += before > behind ? -step : step;
            most = before > behind ? before : behind;
        }
    }
    return best;
}

static enum el_sureness sureness(const struct el_alignment *a) {
    if (a->score < SCORE_LEAST || a->gap < GAP_LEAST)
        return EL_SURE_NOT;
    return a->score >= SCORE_HIGH && a->gap >= GAP_HIGH ? EL_SURE_HIGH : EL_SURE_MEDIUM;
}

struct el_alignment el_align(const struct el_trace *guest, const struct el_trace *host,
                             double least, double most) {
    bool guest_longer = el_trace_interval(guest) >= el_trace_interval(host);
    const struct el_trace *a = guest_longer ? guest : host, *b = guest_longer ? host : guest;
    double sign = guest_longer ? -1 : 1;
    struct el_trace coarse_a = el_trace_coarser(a, COARSE),
                    coarse_b = el_trace_coarser(b, COARSE_FINE);
    const struct pair coarse = { &coarse_a, &coarse_b, sign }, fine = { a, b, sign };
    struct el_alignment out = { 0 };
    struct search s = search_all(&coarse, least, most);
    for (size_t i = 0; i < s.points; i++)
        out.samples = s.point[i].n > out.samples ? s.point[i].n : out.samples;
    if (s.points && s.point[s.best].score > 0) {
        out.score = s.point[s.best].score;
        out.gap = gap_to_rivals(&s);
        out.offset =
            ROUND * round(refine(&fine, s.first + (double)s.best * s.step, 2 * s.step) / ROUND);
        out.sure = sureness(&out);
        if (out.sure)
            out.samples = at_offset(&fine, out.offset).n;
    }
    el_free(s.point);
    el_trace_release(&coarse_a);
    el_trace_release(&coarse_b);
    return out;
}
