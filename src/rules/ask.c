/* Conditions and figures that are computed once, from the state at the end. */
#include "state.h"

#include <assert.h>
#include <string.h>

#include "esxlat/base/num.h"

/* What an entity without samples, or a rule that never hit, has collected. */
static const struct el_tally nothing;

static size_t place_in_plan(const struct el_plan *plan, uint32_t rule) {
    size_t i = 0;
    while (i < plan->rules && plan->rule[i].rule != rule)
        i++;
    return i;
}

static bool name_matches(const struct el_question *q, const struct el_rule *rule, size_t place) {
    if (!rule->match)
        return true;
    if (q->state)
        return q->state->matches[place];
    return el_pattern_match(rule->match, q->facts->label(q->facts->ctx, q->entity, "name"), NULL) ==
           1;
}

bool el_ask(struct el_question *q, const struct el_judge *judge, const struct el_judge_facts *facts,
            uint32_t entity, uint32_t rule) {
    const struct el_rule *r = judge->rs->rule[rule];
    *q = (struct el_question){ .judge = judge, .facts = facts, .entity = entity, .rule = rule };
    q->kind = facts->kind(facts->ctx, entity);
    assert(q->kind < EL_KINDS);
    if (!(r->kinds & EL_KIND_BIT(q->kind)))
        return false;
    q->profile = facts->profile(facts->ctx, entity);
    assert(q->profile < EL_PROFILES);
    if (entity < judge->entities && judge->entity[entity].seen)
        q->state = &judge->entity[entity];
    const struct el_plan *plan = &judge->rs->plan[q->kind];
    size_t place = place_in_plan(plan, rule);
    assert(place < plan->rules && (!q->state || q->state->kind == q->kind));
    if (q->state)
        q->track = q->state->track[plan->rule[place].track + r->lane_of[q->profile]];
    return name_matches(q, r, place);
}

const struct el_hit *el_fired_on(const struct el_fired *fired, uint32_t entity) {
    size_t low = 0, high = fired->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fired->hit[middle].entity < entity)
            low = middle + 1;
        else
            high = middle;
    }
    return low < fired->count && fired->hit[low].entity == entity ? &fired->hit[low] : NULL;
}

static bool is_related(const struct el_question *q, enum el_kind kind, uint32_t other) {
    const struct el_judge_facts *f = q->facts;
    return other != q->entity && f->kind(f->ctx, other) == kind &&
           f->related(f->ctx, q->entity, other);
}

/* Hits on related entities of a kind: whichever are fewer, the hits or those they may be on, are gone through. */
static double count_hits_on(const struct el_question *q, const struct el_fired *fired,
                            enum el_kind kind) {
    const struct el_judge_facts *f = q->facts;
    size_t some;
    const uint32_t *list = f->among(f->ctx, q->entity, kind, &some);
    double count = 0;
    for (size_t i = 0; some < fired->count && i < some; i++)
        count += el_fired_on(fired, list[i]) && is_related(q, kind, list[i]);
    for (size_t i = 0; some >= fired->count && i < fired->count; i++)
        count += is_related(q, kind, fired->hit[i].entity);
    return count;
}

static double count_hits(const struct el_question *q, uint32_t rule) {
    unsigned kinds = q->judge->rs->rule[rule]->kinds;
    double count = 0;
    for (int kind = 0; kind < EL_KINDS; kind++)
        if (kinds & EL_KIND_BIT(kind))
            count += count_hits_on(q, &q->judge->fired[rule], (enum el_kind)kind);
    return count;
}

static double count_members(const struct el_question *q, enum el_kind kind) {
    const struct el_judge_facts *f = q->facts;
    size_t some;
    const uint32_t *list = f->among(f->ctx, q->entity, kind, &some);
    double count = 0;
    for (size_t i = 0; i < some; i++)
        count += f->commands(f->ctx, list[i]) >= EL_MEMBER_COMMANDS && is_related(q, kind, list[i]);
    return count;
}

static const struct el_tally *tally_of(const struct el_question *q, const struct el_leaf *leaf) {
    const struct el_ruleset *rs = q->judge->rs;
    if (!leaf->shared)
        return q->track ? &q->track->tally[leaf->index] : &nothing;
    if (!q->state)
        return &nothing;
    size_t first = rs->plan[q->kind].tally_of[leaf->index];
    return &q->state->tally[first + rs->measure[leaf->index]->lane_of[q->profile]];
}

double el_ask_leaf(const struct el_question *q, const struct el_leaf *leaf) {
    if (leaf->kind == EL_N_HITS)
        return count_hits(q, leaf->index);
    if (leaf->kind == EL_N_MEMBERS)
        return count_members(q, (enum el_kind)leaf->index);
    return el_tally_figure(tally_of(q, leaf), leaf->aggregate);
}

double el_ask_value(const struct el_question *q, const struct el_formula *formula) {
    struct el_frame frame;
    double value[EL_LEAVES];
    el_frame_init(&frame);
    for (size_t i = 0; i < formula->leaves; i++) {
        value[i] = el_ask_leaf(q, &formula->leaf[i]);
        frame.cell[EL_REGISTERS + i] = &value[i];
    }
    return *el_program_run(&formula->program, &frame, q->profile, 1);
}

bool el_ask_all(const struct el_question *q, const struct el_condition *list) {
    bool all = list != NULL;
    for (; all && list; list = list->next)
        all = el_ask_value(q, &list->formula) >= 1;
    return all;
}

bool el_ask_any(const struct el_question *q, const struct el_condition *list) {
    for (; list; list = list->next)
        if (el_ask_value(q, &list->formula) >= 1)
            return true;
    return false;
}

bool el_ask_fires(const struct el_question *q) {
    const struct el_rule *rule = q->judge->rs->rule[q->rule];
    if (rule->when && !(q->track && q->track->samples))
        return false;
    if (rule->judged[EL_JUDGE_IF] && !el_ask_all(q, rule->judged[EL_JUDGE_IF]))
        return false;
    return !el_ask_any(q, rule->judged[EL_JUDGE_UNLESS]);
}

/* ---- names ---- */

static struct el_str fact(const struct el_question *q, const char *what) {
    return q->facts->label(q->facts->ctx, q->entity, what);
}

/* By the device the entity is on, by its own name, by the vendor's name. */
uint32_t el_ask_vendor(const struct el_question *q) {
    const struct el_ruleset *rs = q->judge->rs;
    uint32_t vendor = el_ruleset_vendor_of(rs, fact(q, "lun"));
    if (vendor == UINT32_MAX)
        vendor = el_ruleset_vendor_of(rs, fact(q, "name"));
    struct el_str name = fact(q, "vendor");
    for (uint32_t i = 0; vendor == UINT32_MAX && name.len && i < rs->vendors; i++)
        if (el_str_is(name, rs->vendor[i]->vendor.name))
            vendor = i;
    return vendor;
}

struct el_str el_ask_label(const struct el_question *q, const char *what) {
    if (strcmp(what, "kind") == 0)
        return el_str(el_kind_name(q->kind));
    if (strcmp(what, "profile") == 0)
        return el_str(el_profile_name(q->profile));
    struct el_str name = fact(q, what);
    if (name.len || strcmp(what, "vendor") != 0)
        return name;
    uint32_t vendor = el_ask_vendor(q);
    return vendor == UINT32_MAX ? name : el_str(q->judge->rs->vendor[vendor]->vendor.name);
}
