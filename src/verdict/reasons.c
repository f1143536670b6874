/* `report --why`: every rule that was considered, for those entities that are asked about or that findings name. */
#include "verdict.h"

#define MOST 20 /* entities: a page is for reading */

struct chosen {
    uint32_t id[MOST];
    size_t count;
};

static void choose(struct chosen *c, uint32_t id) {
    for (size_t i = 0; i < c->count; i++)
        if (c->id[i] == id)
            return;
    if (c->count < MOST)
        c->id[c->count++] = id;
}

/* Those that roots are about, in the order of the findings. */
static void choose_found(const struct el_work *w, struct chosen *c) {
    for (size_t i = 0; i < w->out->findings && c->count < MOST; i++)
        for (size_t h = 0; w->out->finding[i].root && h < w->hits.count; h++)
            if (!w->dropped[h] && w->finding_of[h] == i)
                choose(c, w->hits.item[h].entity);
}

/* Nothing was found: the LUN, volume or disk whose commands waited most. */
static void choose_busiest(const struct el_work *w, struct chosen *c) {
    double most = 0;
    uint32_t best = EL_NO_ENTITY;
    for (uint32_t i = 0; i < w->e->catalog->entities; i++) {
        double wait = w->wait_device[i] + w->wait_vmkernel[i];
        if (!(wait > most))
            continue;
        most = wait;
        best = i;
    }
    if (best != EL_NO_ENTITY)
        choose(c, best);
}

void el_give_reasons(struct el_work *w, const struct el_judge_facts *facts) {
    struct el_report *r = w->out;
    struct chosen c = { .count = 0 };
    if (!w->e->why)
        return;
    for (size_t i = 0; i < w->e->asked_count; i++)
        choose(&c, w->e->asked[i]);
    if (c.count == 0)
        choose_found(w, &c);
    if (c.count == 0)
        choose_busiest(w, &c);
    r->why = el_arena_alloc(&r->arena, (c.count + 1) * sizeof *r->why);
    for (size_t i = 0; i < c.count; i++) {
        const struct el_entity *e = &w->e->catalog->entity[c.id[i]];
        struct el_buf text = { 0 };
        el_judge_why(w->e->judge, facts, c.id[i], &text);
        r->why[r->whys++] =
            (struct el_why){ e->kind, e->name, e->host,
                             el_arena_text(&r->arena, text.ptr ? text.ptr : "", text.len) };
        el_buf_release(&text);
    }
}
