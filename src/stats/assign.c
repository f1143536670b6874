#include "assign.h"

#include <math.h>

#include "esxlat/base/mem.h"

#define PASSES      100  /* of moves and exchanges: a bound that real machines stay far below */
#define BETTER      1e-9 /* gain in log-likelihood that is worth a move */
#define ALL         1024 /* assignments at most that are all looked at */
#define INDEPENDENT 0.5  /* of the samples; see t in the header */

static double sum_with(const struct el_traffic *t, enum el_sort s, size_t disk, size_t other) {
    return t->sort[s].product[disk * (t->disks + t->luns) + other];
}

static double energy_of_lun(const struct el_traffic *t, enum el_sort s, size_t lun) {
    return t->sort[s].product[t->disks * (t->disks + t->luns) + lun];
}

/* One command of the sort: 1, or its megabytes. */
static double unit_of(const struct el_traffic *t, enum el_sort s) {
    if (s < EL_SORT_MB_RD)
        return 1;
    const struct el_traffic_sort *count = &t->sort[s - EL_SORT_MB_RD];
    return count->total > 0 ? t->sort[s].total / count->total : 1;
}

static double weight_of(const struct el_traffic *t, enum el_sort s) {
    enum el_sort twin = s < EL_SORT_MB_RD ? s + EL_SORT_MB_RD : s - EL_SORT_MB_RD;
    return t->sort[twin].rows > 0 ? 0.5 : 1;
}

/* Sum of squares of what the disks assigned to a LUN leave over there, and the floor. */
static double rest_of(const struct el_traffic *t, enum el_sort s, size_t lun, const size_t *on) {
    double rest = energy_of_lun(t, s, lun), unit = unit_of(t, s), columns = 1;
    for (size_t i = 0; i < t->disks; i++) {
        if (on[i] != lun)
            continue;
        columns++;
        rest -= 2 * sum_with(t, s, i, t->disks + lun);
        for (size_t k = 0; k < t->disks; k++)
            rest += on[k] == lun ? sum_with(t, s, i, k) : 0;
    }
    return (rest > 0 ? rest : 0) + unit * unit + columns * t->sort[s].rounding;
}

/* A LUN's part of the log-likelihood; none for "on none of them". */
static double fit_of(const struct el_traffic *t, size_t lun, const size_t *on) {
    double sum = 0;
    for (int s = 0; lun < t->luns && s < EL_SORTS; s++)
        if (t->sort[s].rows > 0)
            sum -= weight_of(t, (enum el_sort)s) * t->sort[s].rows / 2 *
                   log(rest_of(t, (enum el_sort)s, lun, on));
    return sum;
}

/* What the log-likelihood gains when disk i goes to `lun`, and disk k (if it is another) to where i was. */
static double gain(const struct el_traffic *t, size_t *on, size_t i, size_t k, size_t lun) {
    size_t home = on[i];
    double before = fit_of(t, home, on) + fit_of(t, lun, on);
    on[k] = home;
    on[i] = lun;
    double after = fit_of(t, home, on) + fit_of(t, lun, on);
    on[k] = lun;
    on[i] = home;
    return after - before;
}

static bool move(const struct el_traffic *t, size_t *on, size_t i) {
    double most = BETTER;
    size_t best = on[i];
    for (size_t l = 0; l <= t->luns; l++) {
        double g = l == on[i] ? 0 : gain(t, on, i, i, l);
        if (g > most) {
            most = g;
            best = l;
        }
    }
    bool moved = best != on[i];
    on[i] = best;
    return moved;
}

static bool exchange(const struct el_traffic *t, size_t *on, size_t i) {
    bool any = false;
    for (size_t k = 0; k < i; k++) {
        size_t here = on[i], there = on[k];
        if (here == there || gain(t, on, i, k, there) <= BETTER)
            continue;
        on[i] = there;
        on[k] = here;
        any = true;
    }
    return any;
}

static double energy_of_disk(const struct el_traffic *t, size_t disk) {
    double sum = 0;
    for (int s = EL_SORT_READS; s <= EL_SORT_WRITES; s++)
        sum += t->sort[s].rows > 0 ? sum_with(t, (enum el_sort)s, disk, disk) : 0;
    return sum;
}

/* All on no LUN; then the disks one by one, those with the most traffic first. */
static void start(const struct el_traffic *t, size_t *on) {
    bool *placed = el_calloc(t->disks, sizeof *placed);
    for (size_t i = 0; i < t->disks; i++)
        on[i] = t->luns;
    for (size_t n = 0; n < t->disks; n++) {
        size_t next = t->disks;
        for (size_t i = 0; i < t->disks; i++)
            if (!placed[i] && (next == t->disks || energy_of_disk(t, i) > energy_of_disk(t, next)))
                next = i;
        placed[next] = true;
        (void)move(t, on, next);
    }
    el_free(placed);
}

/* All disks of two LUNs change places: what moves of one or two disks may not reach. */
static bool exchange_luns(const struct el_traffic *t, size_t *on, size_t a, size_t b) {
    double before = fit_of(t, a, on) + fit_of(t, b, on);
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < t->disks; i++)
            on[i] = on[i] == a ? b : on[i] == b ? a : on[i];
        if (turn == 0 && fit_of(t, a, on) + fit_of(t, b, on) > before + BETTER)
            return true;
    }
    return false;
}

static void descend(const struct el_traffic *t, size_t *on) {
    bool better = true;
    start(t, on);
    for (int pass = 0; better && pass < PASSES; pass++) {
        better = false;
        for (size_t i = 0; i < t->disks; i++) {
            better |= move(t, on, i);
            better |= exchange(t, on, i);
        }
        for (size_t a = 0; a < t->luns; a++)
            for (size_t b = 0; b < a; b++)
                better |= exchange_luns(t, on, a, b);
    }
}

/* The exponent t of the header. */
static double temper_of(const struct el_traffic *t, size_t disk) {
    double rows = 0;
    for (int s = 0; s < EL_SORTS; s++)
        rows = t->sort[s].rows > rows ? t->sort[s].rows : rows;
    return rows > 0 ? INDEPENDENT * t->active[disk] / rows : 0;
}

static double certainty_nearby(const struct el_traffic *t, size_t *on, size_t disk) {
    double others = 0, temper = temper_of(t, disk);
    for (size_t l = 0; l <= t->luns; l++) {
        if (l == on[disk])
            continue;
        others += exp(temper * gain(t, on, disk, disk, l));
        for (size_t k = 0; k < t->disks; k++)
            others += on[k] == l ? exp(temper * gain(t, on, disk, k, l)) : 0;
    }
    return 1 / (1 + others);
}

static void assign_many(const struct el_traffic *t, struct el_assigned *out) {
    size_t *on = el_calloc(t->disks, sizeof *on);
    descend(t, on);
    for (size_t i = 0; i < t->disks; i++)
        out[i] = (struct el_assigned){ on[i], certainty_nearby(t, on, i) };
    el_free(on);
}

/* ---- all assignments ---- */

/* How many there are; more than ALL: too many. */
static size_t count_all(const struct el_traffic *t) {
    size_t count = 1;
    for (size_t i = 0; i < t->disks && count <= ALL; i++)
        count *= t->luns + 1;
    return count;
}

/* Disk i's place in assignment `number`: its digits in base luns + 1, `luns` first. */
static size_t place_in(const struct el_traffic *t, size_t number, size_t disk) {
    for (size_t i = 0; i < disk; i++)
        number /= t->luns + 1;
    return t->luns - number % (t->luns + 1);
}

static double fit_of_all(const struct el_traffic *t, size_t number, size_t *on) {
    double sum = 0;
    for (size_t i = 0; i < t->disks; i++)
        on[i] = place_in(t, number, i);
    for (size_t l = 0; l < t->luns; l++)
        sum += fit_of(t, l, on);
    return sum;
}

static void assign_few(const struct el_traffic *t, size_t count, struct el_assigned *out) {
    double *fit = el_calloc(count, sizeof *fit);
    size_t *on = el_calloc(t->disks, sizeof *on), best = 0;
    for (size_t n = 0; n < count; n++) {
        fit[n] = fit_of_all(t, n, on);
        best = fit[n] > fit[best] + BETTER ? n : best;
    }
    for (size_t i = 0; i < t->disks; i++) {
        double same = 0, all = 0, temper = temper_of(t, i);
        out[i].lun = place_in(t, best, i);
        for (size_t n = 0; n < count; n++) {
            double odds = exp(temper * (fit[n] - fit[best]));
            all += odds;
            same += place_in(t, n, i) == out[i].lun ? odds : 0;
        }
        out[i].certainty = same / all;
    }
    el_free(fit);
    el_free(on);
}

void el_assign_disks(const struct el_traffic *t, struct el_assigned *out) {
    size_t count = count_all(t);
    if (count <= ALL)
        assign_few(t, count, out);
    else
        assign_many(t, out);
}
