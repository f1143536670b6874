#include "path.h"

#include <math.h>

enum { DEFAULT_TURN = 1000 };

int path_pick(struct engine *e, int lun_index) {
    const struct lun *lun = &e->host->luns[lun_index];
    struct lun_state *s = &e->luns[lun_index];
    unsigned turn = lun->path_turn > 0 ? (unsigned)lun->path_turn : DEFAULT_TURN;
    if (lun->round_robin && ++s->sent % turn == 0)
        s->path = (s->path + 1) % lun->path_count;
    if (s->path_back_s > e->now_s && s->path == lun->bad_path.path && lun->path_count > 1)
        return (s->path + 1) % lun->path_count;
    return s->path;
}

static const struct path_trouble *trouble_of(const struct engine *e, const struct request *r) {
    const struct path_trouble *t = r->lun >= 0 ? &e->host->luns[r->lun].bad_path : NULL;
    return t != NULL && t->path == r->path ? t : NULL;
}

double path_delay_ms(struct engine *e, const struct request *r) {
    const struct path_trouble *t = trouble_of(e, r);
    if (t == NULL || !window_holds(t->when, e->now_s))
        return 0;
    double ms = t->delay_ms > 0 ? rng_lognormal(&e->rng, t->delay_ms, 0.35) : 0;
    if (t->loss_share > 0 && rng_chance(&e->rng, t->loss_share))
        ms += t->loss_ms * rng_between(&e->rng, 0.7, 1.3);
    return ms;
}

/* Where in its cycle the link is, down first. */
static double cycle_s(const struct path_trouble *t, double at_s) {
    return fmod(at_s - t->when.from_s, t->up_s + t->down_s);
}

bool path_is_down(const struct engine *e, const struct request *r, double at_s) {
    const struct path_trouble *t = trouble_of(e, r);
    return t != NULL && t->down_s > 0 && window_holds(t->when, at_s) &&
           cycle_s(t, at_s) < t->down_s;
}

double path_notice_s(struct engine *e, const struct request *r) {
    const struct path_trouble *t = &e->host->luns[r->lun].bad_path;
    return t->notice_ms * rng_between(&e->rng, 0.9, 1.1) / 1000;
}

void path_avoid(struct engine *e, const struct request *r) {
    const struct path_trouble *t = trouble_of(e, r);
    if (t != NULL)
        e->luns[r->lun].path_back_s = e->now_s + t->down_s - cycle_s(t, e->now_s);
}
