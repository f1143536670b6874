#include "verdict.h"

void el_verdict_make(const struct el_evidence *e, struct el_report *out) {
    struct el_judge_facts facts;
    struct el_work w = { .e = e, .out = out };
    size_t n = e->catalog->entities;
    w.profile = el_calloc(n, sizeof *w.profile);
    el_index_build(&w.index, e);
    el_find_profiles(&w, w.profile);
    el_facts_of(&w, &facts);
    el_judge_finish(e->judge, &facts, &out->arena, &w.hits);
    el_index_add_hits(&w.index, &w.hits);
    w.layer = el_calloc(n, sizeof *w.layer);
    w.row = el_calloc(n, sizeof *w.row);
    w.wait_device = el_calloc(n, sizeof *w.wait_device);
    w.wait_vmkernel = el_calloc(n, sizeof *w.wait_vmkernel);
    w.bad_device = el_calloc(n, sizeof *w.bad_device);
    w.bad_commands = el_calloc(n, sizeof *w.bad_commands);
    w.bad_vmkernel = el_calloc(n, sizeof *w.bad_vmkernel);
    w.finding_of = el_calloc(w.hits.count, sizeof *w.finding_of);
    w.wait_guest = el_calloc(n, sizeof *w.wait_guest);
    w.bad_guest = el_calloc(n, sizeof *w.bad_guest);
    w.dropped = el_calloc(w.hits.count, sizeof *w.dropped);
    w.consequence = el_calloc(w.hits.count, sizeof *w.consequence);
    el_measure_guests(&w);
    el_attribute(&w);
    el_fill_entities(&w);
    el_fill_findings(&w);
    el_find_episodes(&w);
    el_give_reasons(&w, &facts);
    el_fill_guests(&w);
    el_say(&w);
    el_index_release(&w.index);
    el_free(w.profile);
    el_free(w.layer);
    el_free(w.row);
    el_free(w.wait_device);
    el_free(w.wait_vmkernel);
    el_free(w.bad_device);
    el_free(w.bad_commands);
    el_free(w.bad_vmkernel);
    el_free(w.finding_of);
    el_free(w.wait_guest);
    el_free(w.bad_guest);
    el_free(w.dropped);
    el_free(w.consequence);
}
