/* The sentences of the verdict (wording rules: diagnosis.md 6): layer first, scope, numbers, window, who
 * should get the ticket; what was healthy and so excludes other causes; what the capture could not show. */
#include <string.h>

#include "esxlat/base/num.h"
#include "verdict.h"

static const struct el_finding *cause_of(const struct el_report *r) {
    for (size_t i = 0; r->verdict.cause && i < r->findings; i++)
        if (strcmp(r->finding[i].rule, r->verdict.cause) == 0)
            return &r->finding[i];
    return NULL;
}

/* A title without its "Layer: " in front. */
static const char *bare_title(const char *title) {
    const char *colon = strstr(title, ": ");
    return colon && colon - title < 12 ? colon + 2 : title;
}

static const char *opening(enum el_layer layer) {
    static const char *const text[EL_LAYERS] = {
        [EL_DEVICE] = "The latency comes from below the driver: host adapter, fabric, array",
        [EL_VMKERNEL] = "The latency comes from the VMkernel: commands wait in the host itself",
        [EL_GUEST] = "The host is not the cause: commands queue in the guest",
        [EL_MIXED] =
            "Two layers cause latency, the device and the VMkernel, and neither explains the other",
        [EL_NONE] = "No storage latency problem in this capture",
        [EL_UNKNOWN] = "The capture cannot tell: no latency could be read for what carries I/O",
    };
    return text[layer];
}

static const char *owner(enum el_layer layer) {
    static const char *const text[EL_LAYERS] = {
        [EL_DEVICE] = "The ticket belongs to the storage team (array, fabric, host adapter).",
        [EL_VMKERNEL] =
            "The ticket belongs to the virtualisation team (limits, queues, shares on this host).",
        [EL_GUEST] = "The ticket belongs to the owner of the VM (driver, adapter, application).",
        [EL_MIXED] =
            "Storage and virtualisation teams both have work; begin with the first finding.",
        [EL_NONE] = "Look elsewhere: guest, application, network, CPU.",
        [EL_UNKNOWN] = "Capture again with -a and look once more.",
    };
    return text[layer];
}

static void say_shares(const struct el_verdict *v, struct el_buf *b) {
    if (el_missing(v->share_device))
        return;
    el_buf_text(b, " Of the time that commands waited there, ");
    if (!el_missing(v->share_guest))
        el_buf_print(b, "%.0f %% passed in the guest (measured), ", 100 * v->share_guest);
    el_buf_print(b, "%.0f %% is the device's and %.0f %% the VMkernel's.", 100 * v->share_device,
                 100 * v->share_vmkernel);
}

static void say_window(const struct el_report *r, const struct el_finding *f, struct el_buf *b) {
    char from[EL_CLOCK_ROOM], to[EL_CLOCK_ROOM];
    if (f->from == EL_NO_TIME)
        return;
    el_buf_print(b, " It was so from %s to %s UTC", el_clock_text(f->from, from),
                 el_clock_text(f->to, to));
    for (size_t i = 0; i < r->captures; i++)
        if (el_str_equal(r->capture[i].host, f->host) && f->samples &&
            r->capture[i].samples >= f->samples)
            el_buf_print(b, " (%llu of %llu samples)", (unsigned long long)f->samples,
                         (unsigned long long)r->capture[i].samples);
    el_buf_text(b, f->windows > 1 ? ", with breaks." : ".");
}

static void say_who(const struct el_finding *f, struct el_buf *b) {
    if (f->who_count == 0 || !f->who[0].vm.ptr || f->kind == EL_VM || f->kind == EL_VDISK)
        return;
    el_buf_text(b, " Most of the waiting is that of ");
    (void)el_buf_visible(b, f->who[0].vm);
    el_buf_print(b, " (%.0f %%).", 100 * f->who[0].share);
}

static void summarise(struct el_work *w) {
    struct el_report *r = w->out;
    const struct el_finding *f = cause_of(r);
    struct el_buf b = { 0 };
    el_buf_text(&b, opening(r->verdict.layer));
    if (r->verdict.layer == EL_GUEST)
        el_buf_text(&b, el_missing(r->verdict.share_guest) ? " (inferred)" : " (measured)");
    if (f) {
        el_buf_text(&b, ": ");
        (void)el_buf_visible(&b, el_str(bare_title(f->title)));
    }
    el_buf_text(&b, ".");
    if (f)
        say_window(r, f, &b);
    if (r->verdict.layer != EL_NONE)
        say_shares(&r->verdict, &b);
    if (f)
        say_who(f, &b);
    el_buf_print(&b, " %s", owner(r->verdict.layer));
    r->verdict.summary = el_arena_text(&r->arena, b.ptr, b.len);
    el_buf_release(&b);
}

/* ---- lists of sentences ---- */

struct list {
    const char **item;
    size_t count, room;
};

static void add(struct list *l, const char *text) {
    *EL_PUSH(l->item, l->count, l->room) = text;
}

/* Move a list into the arena. */
static const char *const *keep(struct el_report *r, struct list *l) {
    const char **kept = el_arena_alloc(&r->arena, (l->count + 1) * sizeof *kept);
    if (l->count)
        memcpy(kept, l->item, l->count * sizeof *kept);
    el_free(l->item);
    return kept;
}

struct calm { /* entities of a kind with I/O and nothing found */
    size_t count, all;
    double most_device, most_kernel, commands;
};

static struct calm calm_of(const struct el_report *r, enum el_kind kind, enum el_latency device) {
    struct calm c = { 0 };
    for (size_t i = 0; i < r->entities; i++) {
        const struct el_entity_report *e = &r->entity[i];
        if (e->kind != kind || !(e->commands > 0) || !e->latency[device].there)
            continue;
        c.all++;
        c.commands += e->commands;
        if (e->layer != EL_NONE)
            continue;
        c.count++;
        double d = e->latency[device].mean,
               k = e->latency[EL_L_KAVG].there ? e->latency[EL_L_KAVG].mean : 0;
        c.most_device = d > c.most_device ? d : c.most_device;
        c.most_kernel = k > c.most_kernel ? k : c.most_kernel;
    }
    return c;
}

static void say_calm_luns(struct el_report *r, struct list *l) {
    char d[EL_NUM_ROOM], k[EL_NUM_ROOM];
    struct calm c = calm_of(r, EL_LUN, EL_L_DAVG);
    if (c.count)
        add(l, el_arena_print(&r->arena,
                              "%zu of %zu LUNs with I/O were calm: mean DAVG at most %s ms, mean "
                              "KAVG at most %s ms",
                              c.count, c.all, el_num_short(c.most_device, d),
                              el_num_short(c.most_kernel, k)));
    c = calm_of(r, EL_NFS, EL_L_GAVG);
    if (c.count)
        add(l,
            el_arena_print(&r->arena,
                           "%zu of %zu NFS datastores with I/O were calm: mean GAVG at most %s ms",
                           c.count, c.all, el_num_short(c.most_device, d)));
}

/* Sum of a count over all LUNs; missing if no LUN has the counter. */
static double errors_of(const struct el_report *r,
                        const double *(*count)(const struct el_entity_report *)) {
    double sum = EL_NAN;
    for (size_t i = 0; i < r->entities; i++) {
        const double *n = count(&r->entity[i]);
        if (r->entity[i].kind == EL_LUN && !el_missing(*n))
            sum = (el_missing(sum) ? 0 : sum) + *n;
    }
    return sum;
}

static const double *aborts(const struct el_entity_report *e) {
    return &e->aborts;
}

static const double *resets(const struct el_entity_report *e) {
    return &e->resets;
}

static const double *conflicts(const struct el_entity_report *e) {
    return &e->conflicts;
}

static void fill_healthy(struct el_work *w) {
    struct el_report *r = w->out;
    struct list l = { 0 };
    enum el_layer layer = r->verdict.layer;
    say_calm_luns(r, &l);
    if (layer == EL_DEVICE && r->verdict.share_vmkernel < 0.05)
        add(&l,
            "the VMkernel added almost nothing: queue depths, limits and shares are not the cause");
    if (layer == EL_VMKERNEL && r->verdict.share_device < 0.25)
        add(&l, "the device answered fast once it had the commands: array and fabric are not the "
                "cause");
    if (errors_of(r, aborts) + errors_of(r, resets) <= 0)
        add(&l, "no aborts and no resets");
    if (errors_of(r, conflicts) <= 0)
        add(&l, "no reservation conflicts");
    r->verdict.healthy_count = l.count;
    r->verdict.healthy = keep(r, &l);
}

static bool any_unlinked_disk(const struct el_report *r) {
    for (size_t i = 0; i < r->entities; i++)
        if (r->entity[i].kind == EL_VDISK && r->entity[i].link == EL_LINK_UNKNOWN &&
            r->entity[i].commands > 0)
            return true;
    return false;
}

static bool any_unowned_world(const struct el_report *r) {
    for (size_t i = 0; i < r->entities; i++)
        if (r->entity[i].kind == EL_WORLD && r->entity[i].commands > 0 && !r->entity[i].vm.ptr &&
            !r->entity[i].owner.ptr)
            return true;
    return false;
}

static void fill_cannot(struct el_work *w) {
    struct el_report *r = w->out;
    struct list l = { 0 };
    uint64_t samples = 0;
    add(&l,
        el_missing(r->verdict.share_guest)
            ? "waiting inside a guest: the host sees a command only once the virtual adapter has "
              "passed it on"
            : "waiting inside the guests that were not measured: their share counts as 0 here");
    if (calm_of(r, EL_NFS, EL_L_GAVG).all)
        add(&l, "NFS: esxtop gives one latency for client, network and server together");
    if (any_unlinked_disk(r))
        add(&l, "on which LUN or datastore some virtual disks lie: esxtop writes no such link");
    if (any_unowned_world(r))
        add(&l, "which virtual machine some worlds belong to: neither network ports nor worlds "
                "name it");
    for (size_t i = 0; i < r->captures; i++) {
        samples += r->capture[i].samples;
        for (size_t k = 0; k < r->capture[i].missing_count; k++) {
            const struct el_absent *a = &r->capture[i].missing[k];
            add(&l, el_arena_print(&r->arena, "%s (no counter \"%s\" of %s)", a->needed_for,
                                   a->counter, a->object));
        }
    }
    if (samples < 6)
        add(&l,
            el_arena_print(
                &r->arena,
                "what is usual: %llu samples are few; capture longer (esxtop -b -a -d 5 -n 720)",
                (unsigned long long)samples));
    r->verdict.cannot_count = l.count;
    r->verdict.cannot = keep(r, &l);
}

static bool lacks_counters(const struct el_report *r) {
    for (size_t i = 0; i < r->captures; i++)
        if (r->capture[i].missing_count)
            return true;
    return false;
}

/* How sure is "nothing found"?  As sure as there was I/O to judge and as there were counters to judge it by. */
static void weigh_none(struct el_report *r) {
    double commands =
        calm_of(r, EL_LUN, EL_L_DAVG).commands + calm_of(r, EL_NFS, EL_L_GAVG).commands;
    r->verdict.confidence = commands >= 1000 ? EL_HIGH : commands >= 100 ? EL_MEDIUM : EL_LOW;
    if ((lacks_counters(r) || any_unowned_world(r)) && r->verdict.confidence == EL_HIGH)
        r->verdict.confidence = EL_MEDIUM;
}

void el_say(struct el_work *w) {
    if (w->out->verdict.layer == EL_NONE)
        weigh_none(w->out);
    summarise(w);
    fill_healthy(w);
    fill_cannot(w);
}
