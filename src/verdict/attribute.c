/* Waiting time by layer, the layer of each entity, and from them the verdict's. */
#include "esxlat/base/num.h"
#include "verdict.h"

#define COVERED                                                                                    \
    0.5 /* an adapter's own rows count only where its LUN rows carry less of its commands than this */
#define ADOPTED                                                                                    \
    0.2 /* a path or world carries at least this part of its LUN's commands to share its layer */

static const struct el_entity *entity(const struct el_work *w, uint32_t id) {
    return &w->e->catalog->entity[id];
}

/* ---- waiting time ---- */

static void measure_waiting(struct el_work *w) {
    for (uint32_t i = 0; i < w->e->catalog->entities; i++) {
        const struct el_entity_stats *s = &w->e->stats[i];
        w->wait_device[i] = s->time_device;
        w->wait_vmkernel[i] = s->time_vmkernel;
        if (entity(w, i)->kind == EL_NFS)
            w->wait_device[i] = s->latency ? s->latency[EL_S_GAVG].sum / 1000 : 0;
    }
}

/* ---- which hits count ---- */

static bool luns_cover(const struct el_work *w, uint32_t adapter) {
    double commands = 0;
    size_t count;
    const uint32_t *lun = el_index_luns(&w->index, adapter, &count);
    for (size_t i = 0; i < count; i++)
        commands += w->e->stats[lun[i]].commands;
    return commands >= COVERED * w->e->stats[adapter].commands;
}

/* An adapter's average mixes its LUNs: the LUN rows are the reference (diagnosis.md 1). */
static void drop_covered(struct el_work *w) {
    for (size_t i = 0; i < w->hits.count; i++) {
        const struct el_hit *h = &w->hits.item[i];
        if (entity(w, h->entity)->kind == EL_ADAPTER && h->windows && h->commands > 0)
            w->dropped[i] = luns_cover(w, h->entity);
    }
}

/* What the commands of an entity waited while it was in trouble: ten bad minutes of a day count as what they are.
 * Hits of several rules overlap in time, so for each layer the one that holds most of it stands for all. */
static void measure_trouble(struct el_work *w) {
    for (size_t i = 0; i < w->hits.count; i++) {
        const struct el_hit *h = &w->hits.item[i];
        double device = 0, vmkernel = 0, commands = 0;
        if (w->dropped[i] || el_rule_severity(h->rule) < EL_WARNING)
            continue;
        for (size_t k = 0; k < h->windows; k++) {
            device += h->window[k].wait_device;
            vmkernel += h->window[k].wait_vmkernel;
            commands += h->window[k].commands;
        }
        if (device > w->bad_device[h->entity])
            w->bad_device[h->entity] = device;
        if (vmkernel > w->bad_vmkernel[h->entity])
            w->bad_vmkernel[h->entity] = vmkernel;
        if (commands > w->bad_commands[h->entity])
            w->bad_commands[h->entity] = commands;
    }
}

struct flags {
    bool device, vmkernel, guest, mixed;
};

static void raise(struct flags *f, enum el_layer layer) {
    f->device |= layer == EL_DEVICE;
    f->vmkernel |= layer == EL_VMKERNEL;
    f->guest |= layer == EL_GUEST;
    f->mixed |= layer == EL_MIXED;
}

/* The layers whose rules fired on an entity; a hit folded into another of the same entity says nothing more. */
static struct flags flags_of(const struct el_work *w, uint32_t id) {
    struct flags f = { 0 };
    size_t count;
    const uint32_t *hit = el_index_hits(&w->index, id, &count);
    for (size_t i = 0; i < count; i++) {
        const struct el_hit *h = &w->hits.item[hit[i]],
                            *root = &w->hits.item[el_root_of(w, hit[i])];
        if (w->dropped[hit[i]] || el_rule_severity(h->rule) < EL_WARNING)
            continue;
        if (root != h && root->entity == id)
            continue;
        raise(&f, el_rule_layer(root->rule));
    }
    return f;
}

/* Is the device's own latency bad on average, whatever share of the waiting it is? */
static bool device_is_bad(const struct el_work *w, uint32_t id) {
    const struct el_weighted *latency = w->e->stats[id].latency;
    if (!latency || !(latency[EL_S_DAVG].weight > 0))
        return false;
    double bad = el_ruleset_threshold(w->e->rules, "davg_bad", w->profile[id]);
    return latency[EL_S_DAVG].sum / latency[EL_S_DAVG].weight >= bad;
}

static enum el_layer layer_of(const struct el_work *w, uint32_t id, const struct flags *f) {
    if (f->mixed || (f->device && f->vmkernel)) {
        double all = w->bad_device[id] + w->bad_vmkernel[id],
               share = all > 0 ? w->bad_vmkernel[id] / all : 0;
        if (share < EL_MIXED_SHARE)
            return EL_DEVICE;
        if (1 - share < EL_MIXED_SHARE && !device_is_bad(w, id))
            return EL_VMKERNEL;
        return EL_MIXED;
    }
    return f->device ? EL_DEVICE : f->vmkernel ? EL_VMKERNEL : f->guest ? EL_GUEST : EL_NONE;
}

static bool is_trouble(enum el_layer layer) {
    return layer == EL_DEVICE || layer == EL_VMKERNEL || layer == EL_GUEST || layer == EL_MIXED;
}

static bool has_latency(const struct el_entity *e) {
    return el_entity_has(e, EL_C_gavg) || el_entity_has(e, EL_C_davg) ||
           el_entity_has(e, EL_C_kavg) || el_entity_has(e, EL_C_lat_rd) ||
           el_entity_has(e, EL_C_lat_wr);
}

/* Paths and worlds of a LUN in trouble that carry a part of its commands are in the same trouble. */
static void adopt(struct el_work *w, uint32_t id) {
    const struct el_entity *e = entity(w, id);
    if ((e->kind != EL_PATH && e->kind != EL_WORLD) || e->lun == EL_NOTHING ||
        is_trouble(w->layer[id]))
        return;
    if (is_trouble(w->layer[e->lun]) &&
        w->e->stats[id].commands >= ADOPTED * w->e->stats[e->lun].commands)
        w->layer[id] = w->layer[e->lun];
}

static void set_layers(struct el_work *w) {
    for (uint32_t i = 0; i < w->e->catalog->entities; i++) {
        struct flags f = flags_of(w, i);
        w->layer[i] = layer_of(w, i, &f);
        if (w->layer[i] == EL_NONE && w->e->stats[i].commands > 0 && !has_latency(entity(w, i)))
            w->layer[i] = EL_UNKNOWN;
    }
    for (uint32_t i = 0; i < w->e->catalog->entities; i++)
        adopt(w, i);
}

/* ---- consequences ---- */

static bool agrees(enum el_layer a, enum el_layer b) {
    return a == b || a == EL_MIXED;
}

/* Is a LUN under this VM or virtual disk in the trouble that the hit tells? */
static bool lun_explains(const struct el_work *w, const struct el_hit *h) {
    size_t count;
    const uint32_t *lun = el_index_luns(&w->index, h->entity, &count);
    for (size_t i = 0; i < count; i++)
        if (agrees(w->layer[lun[i]], el_rule_layer(h->rule)))
            return true;
    return false;
}

static bool fired_on(const struct el_work *w, const struct el_rule *rule, uint32_t id) {
    size_t count;
    const uint32_t *hit = el_index_hits(&w->index, id, &count);
    for (size_t i = 0; i < count; i++)
        if (w->hits.item[hit[i]].rule == rule)
            return true;
    return false;
}

static bool lun_in_trouble(const struct el_work *w, uint32_t id) {
    size_t count;
    const uint32_t *lun = el_index_luns(&w->index, id, &count);
    for (size_t i = 0; i < count; i++)
        if (is_trouble(w->layer[lun[i]]))
            return true;
    return false;
}

/* A queue that a guest measured above a LUN in trouble: commands pile up there because they come back late. */
static bool trouble_below(const struct el_work *w, uint32_t id) {
    return !el_missing(w->wait_guest[id]) && lun_in_trouble(w, id);
}

/* Do the virtual disks of this VM tell the same? */
static bool disk_tells(const struct el_work *w, const struct el_hit *h) {
    size_t count;
    const uint32_t *member = el_links_of(w->e->links, h->entity, &count);
    for (size_t i = 0; i < count; i++)
        if (entity(w, member[i])->kind == EL_VDISK && fired_on(w, h->rule, member[i]))
            return true;
    return false;
}

static void find_consequences(struct el_work *w) {
    for (size_t i = 0; i < w->hits.count; i++) {
        const struct el_hit *h = &w->hits.item[i];
        const struct el_entity *e = entity(w, h->entity);
        if (el_kind_is_virtual(e->kind) && el_rule_layer(h->rule) != EL_GUEST)
            w->consequence[i] = lun_explains(w, h) || (e->kind == EL_VM && disk_tells(w, h));
        else if ((e->kind == EL_PATH || e->kind == EL_WORLD) && e->lun != EL_NOTHING)
            w->consequence[i] = is_trouble(w->layer[e->lun]);
        else if (el_kind_is_virtual(e->kind))
            w->consequence[i] =
                (e->kind == EL_VM && disk_tells(w, h)) || trouble_below(w, h->entity);
    }
}

/* ---- the verdict ---- */

struct sums {
    double device, vmkernel;         /* s, of the layers in trouble */
    double all_device, all_vmkernel; /* s, of the entities in trouble, whatever the layer */
    double mixed;                    /* s, of entities whose layer is mixed */
    double guest_s;                  /* s that guests measured, of entities whose layer is guest */
    bool guest, device_fired, vmkernel_fired;
};

static bool disk_in_trouble(const struct el_work *w, uint32_t vm) {
    size_t count;
    const uint32_t *member = el_links_of(w->e->links, vm, &count);
    for (size_t i = 0; i < count; i++)
        if (entity(w, member[i])->kind == EL_VDISK && is_trouble(w->layer[member[i]]))
            return true;
    return false;
}

/* Does an entity speak for itself, or does another row carry the same commands? */
static bool counts(const struct el_work *w, uint32_t id) {
    const struct el_entity *e = entity(w, id);
    if (e->kind == EL_LUN || e->kind == EL_NFS)
        return true;
    if (e->kind == EL_ADAPTER)
        return !luns_cover(w, id);
    if (!el_kind_is_virtual(e->kind))
        return e->kind == EL_VSAN;
    return !lun_in_trouble(w, id) && !(e->kind == EL_VM && disk_in_trouble(w, id));
}

static void add_up(const struct el_work *w, struct sums *s) {
    for (uint32_t i = 0; i < w->e->catalog->entities; i++) {
        enum el_layer layer = w->layer[i];
        if (!is_trouble(layer) || !counts(w, i))
            continue;
        double device = w->bad_device[i], vmkernel = w->bad_vmkernel[i];
        s->guest |= layer == EL_GUEST;
        s->device_fired |= layer == EL_DEVICE || layer == EL_MIXED;
        s->vmkernel_fired |= layer == EL_VMKERNEL || layer == EL_MIXED;
        s->device += layer == EL_DEVICE || layer == EL_MIXED ? device : 0;
        s->vmkernel += layer == EL_VMKERNEL || layer == EL_MIXED ? vmkernel : 0;
        s->mixed += layer == EL_MIXED ? device + vmkernel : 0;
        s->guest_s += layer == EL_GUEST ? w->bad_guest[i] : 0;
        s->all_device += device;
        s->all_vmkernel += vmkernel;
    }
}

/* Is a virtual disk in trouble, or what it lies on? */
static bool takes_part(const struct el_work *w, uint32_t disk) {
    return is_trouble(w->layer[disk]) || w->bad_guest[disk] > 0 || lun_in_trouble(w, disk);
}

/* Waiting in guests of the virtual disks in question, as long as it is; when nothing is in trouble, of all and all the
 * time; NaN if none was measured. */
static double measured_in_guests(const struct el_work *w, bool all) {
    double sum = EL_NAN;
    for (uint32_t i = 0; i < w->e->catalog->entities; i++)
        if (entity(w, i)->kind == EL_VDISK && !el_missing(w->wait_guest[i]) &&
            (all || takes_part(w, i)))
            sum = (el_missing(sum) ? 0 : sum) + (all ? w->wait_guest[i] : w->bad_guest[i]);
    return sum;
}

/* Where rules fired but no waiting could be counted (a dead device, a missing counter). */
static enum el_layer layer_unweighed(const struct sums *s, bool any_evidence_there) {
    if (s->device_fired || s->vmkernel_fired)
        return !s->vmkernel_fired ? EL_DEVICE : !s->device_fired ? EL_VMKERNEL : EL_MIXED;
    return s->guest ? EL_GUEST : any_evidence_there ? EL_NONE : EL_UNKNOWN;
}

static enum el_layer verdict_layer(const struct sums *s, bool any_evidence_there) {
    double all = s->device + s->vmkernel;
    if (s->guest_s > 0 && s->guest_s >= (1 - EL_MIXED_SHARE) * (all + s->guest_s))
        return EL_GUEST;
    if (!(all > 0))
        return layer_unweighed(s, any_evidence_there);
    double smaller = s->device < s->vmkernel ? s->device : s->vmkernel;
    if (smaller >= EL_MIXED_SHARE * all || s->mixed >= 0.5 * all)
        return EL_MIXED;
    return s->device > s->vmkernel ? EL_DEVICE : EL_VMKERNEL;
}

static void add_all(const struct el_work *w, struct sums *s) {
    for (uint32_t i = 0; i < w->e->catalog->entities; i++) {
        if (entity(w, i)->kind != EL_LUN && entity(w, i)->kind != EL_NFS)
            continue;
        s->all_device += w->wait_device[i];
        s->all_vmkernel += w->wait_vmkernel[i];
    }
}

/* Shares over what is in trouble, else over all LUNs and NFS volumes. */
static void set_shares(const struct el_work *w, struct sums *s) {
    bool calm = !(s->all_device + s->all_vmkernel > 0);
    if (calm)
        add_all(w, s);
    struct el_verdict *v = &w->out->verdict;
    double guest = measured_in_guests(w, calm),
           all = s->all_device + s->all_vmkernel + (guest > 0 ? guest : 0);
    v->share_device = all > 0 ? s->all_device / all : EL_NAN;
    v->share_vmkernel = all > 0 ? s->all_vmkernel / all : EL_NAN;
    v->share_guest = all > 0 ? guest / all : EL_NAN;
}

/* How the same entities fared in the rest of the time. */
static void set_rest(const struct el_work *w) {
    double device = 0, vmkernel = 0, commands = 0;
    for (uint32_t i = 0; i < w->e->catalog->entities; i++) {
        if (!is_trouble(w->layer[i]) || !counts(w, i) || !(w->bad_commands[i] > 0))
            continue;
        device += w->wait_device[i] - w->bad_device[i];
        vmkernel += w->wait_vmkernel[i] - w->bad_vmkernel[i];
        commands += w->e->stats[i].commands - w->bad_commands[i];
    }
    bool any = commands >= 1 && device >= 0 && vmkernel >= 0;
    w->out->rest_device = any ? 1000 * device / commands : EL_NAN;
    w->out->rest_vmkernel = any ? 1000 * vmkernel / commands : EL_NAN;
}

/* Is there anything to judge by: an entity whose commands are counted, and latencies where it has any? */
static bool any_evidence(const struct el_work *w) {
    for (uint32_t i = 0; i < w->e->catalog->entities; i++) {
        const struct el_entity_stats *s = &w->e->stats[i];
        if (has_latency(entity(w, i)) && s->samples && (!(s->commands > 0) || s->active))
            return true;
    }
    return false;
}

void el_attribute(struct el_work *w) {
    struct sums s = { 0 };
    measure_waiting(w);
    drop_covered(w);
    measure_trouble(w);
    el_measure_guest_trouble(w);
    set_layers(w);
    find_consequences(w);
    add_up(w, &s);
    w->out->verdict.layer = verdict_layer(&s, any_evidence(w));
    set_shares(w, &s);
    set_rest(w);
}
