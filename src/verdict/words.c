/* The sentences of the verdict (wording rules: diagnosis.md 6): layer first, scope, numbers, window, who
 * should get the ticket; what was healthy and so excludes other causes; what the capture could not show. */
#include <string.h>

#include "esxlat/base/num.h"
#include "verdict.h"

/* A title without its "Layer: " in front. */
static const char *bare_title(const char *title) {
    const char *colon = strstr(title, ": ");
    return colon && colon - title < 12 ? colon + 2 : title;
}

static const char *opening(enum el_layer layer) {
    static const char *const text[EL_LAYERS] = {
        [EL_DEVICE] = "The latency comes from below the driver (host adapter, fabric, array)",
        [EL_VMKERNEL] = "The latency comes from the VMkernel, commands wait in the host itself",
        [EL_GUEST] = "The host is not the cause, commands queue in the guest",
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
            "The ticket belongs to two teams: storage (device) and virtualisation (VMkernel).",
        [EL_NONE] = "Look elsewhere: guest, application, network, CPU.",
        [EL_UNKNOWN] = "Capture again with -a and look once more.",
    };
    return text[layer];
}

/* A host sees nothing of a guest's queue, and a device that fails commands makes them wait in the VMkernel:
 * both look like a contradiction of the verdict unless it is said. */
static void say_shares(const struct el_verdict *v, struct el_buf *b) {
    if (el_missing(v->share_device))
        return;
    bool inferred = v->layer == EL_GUEST && el_missing(v->share_guest);
    el_buf_text(b, inferred ? " Of the time after that queue, which is all that the host sees, "
                            : " Of the time that commands waited there, ");
    if (!el_missing(v->share_guest))
        el_buf_print(b, "%.0f %% passed in the guest (measured), ", 100 * v->share_guest);
    el_buf_print(b, "%.0f %% is the device's and %.0f %% the VMkernel's", 100 * v->share_device,
                 100 * v->share_vmkernel);
    el_buf_text(b, v->layer == EL_DEVICE && v->share_vmkernel > 0.5
                       ? ", where commands wait because of the device."
                       : ".");
}

/* Did it hold from the first to the last sample of the host's captures?  Then its begin is not known. */
static bool all_through(const struct el_report *r, const struct el_finding *f) {
    bool any = false;
    for (size_t i = 0; i < r->captures; i++) {
        const struct el_capture_report *c = &r->capture[i];
        if (!el_str_equal(c->host, f->host) || !c->samples)
            continue;
        any = true;
        if ((double)(f->from - c->start) > 1000 * c->interval_s ||
            (double)(c->end - f->to) > 1000 * c->interval_s)
            return false;
    }
    return any && f->windows <= 1;
}

/* "2026-11-30 09:00:05 to 09:10:00 UTC" */
static void say_stretch(int64_t from, int64_t to, struct el_buf *b) {
    enum { DATE = 10 };
    char begin[EL_CLOCK_ROOM], end[EL_CLOCK_ROOM];
    el_clock_text(from, begin);
    el_clock_text(to, end);
    bool same_day = strlen(end) > DATE && strncmp(begin, end, DATE) == 0;
    el_buf_print(b, "%s to %s UTC", begin, same_day ? end + DATE + 1 : end);
}

static void say_window(const struct el_report *r, const struct el_finding *f, struct el_buf *b) {
    if (f->from == EL_NO_TIME)
        return;
    if (all_through(r, f)) {
        el_buf_text(b, " It was so during the whole capture, ");
        say_stretch(f->from, f->to, b);
        el_buf_text(b, ", and may have begun before it.");
        return;
    }
    el_buf_text(b, " It was so from ");
    say_stretch(f->from, f->to, b);
    for (size_t i = 0; i < r->captures; i++)
        if (el_str_equal(r->capture[i].host, f->host) && f->samples &&
            r->capture[i].samples >= f->samples)
            el_buf_print(b, " (%llu of %llu samples)", (unsigned long long)f->samples,
                         (unsigned long long)r->capture[i].samples);
    el_buf_text(b, f->windows > 1 ? ", with breaks." : ".");
}

static void say_who(const struct el_finding *f, struct el_buf *b) {
    if (f->who_count == 0 || !f->who[0].vm.ptr || el_kind_is_virtual(f->kind))
        return;
    const struct el_who *most = &f->who[0];
    el_buf_print(b, " %s of the waiting there is that of ",
                 most->share >= 0.995 ? "All"
                 : most->share > 0.5  ? "Most"
                                      : "The largest part");
    (void)el_buf_visible(b, most->vm);
    if (most->share < 0.995)
        el_buf_print(b, " (%.0f %%)", 100 * most->share);
    if (most->share > 0.5 && most->rise >= 2)
        el_buf_print(b,
                     ", which then sent %.*f times the commands of the rest of the time: ask its "
                     "owner what ran then",
                     most->rise < 10, most->rise);
    el_buf_text(b, ".");
}

/* Two causes, each with its layer in front and the machine that waits for it. */
static void say_both(const struct el_report *r, struct el_buf *b) {
    static const enum el_layer layer[] = { EL_DEVICE, EL_VMKERNEL };
    for (size_t i = 0; i < sizeof layer / sizeof *layer; i++) {
        const struct el_finding *f = el_report_leader(r, layer[i]);
        if (!f)
            continue;
        el_buf_text(b, " ");
        (void)el_buf_visible(b, el_str(f->title));
        el_buf_text(b, ".");
        say_who(f, b);
    }
}

/* Trouble on other hosts than that of the cause: the first finding there, and whether there are more hosts. */
static void say_other_hosts(const struct el_report *r, const struct el_finding *cause,
                            struct el_buf *b) {
    const struct el_finding *first = NULL;
    for (size_t i = 0; i < r->findings; i++) {
        const struct el_finding *f = &r->finding[i];
        if (!f->root || f->severity < EL_WARNING || el_str_equal(f->host, cause->host))
            continue;
        if (first && !el_str_equal(f->host, first->host)) {
            el_buf_text(b, " Further hosts are in trouble as well.");
            return;
        }
        if (first)
            continue;
        first = f;
        el_buf_text(b, " Apart from that, on ");
        (void)el_buf_visible(b, f->host);
        el_buf_text(b, ": ");
        (void)el_buf_visible(b, el_str(f->title));
        el_buf_text(b, ".");
    }
}

static void summarise(struct el_work *w) {
    struct el_report *r = w->out;
    const struct el_finding *f = el_report_cause(r);
    struct el_buf b = { 0 };
    el_buf_text(&b, opening(r->verdict.layer));
    if (r->verdict.layer == EL_GUEST)
        el_buf_text(&b, el_missing(r->verdict.share_guest) ? " (inferred)" : " (measured)");
    bool both = r->verdict.layer == EL_MIXED && el_report_leader(r, EL_DEVICE) &&
                el_report_leader(r, EL_VMKERNEL);
    if (f && !both) {
        el_buf_text(&b, ": ");
        (void)el_buf_visible(&b, el_str(bare_title(f->title)));
    }
    el_buf_text(&b, ".");
    if (both)
        say_both(r, &b);
    if (f)
        say_window(r, f, &b);
    if (r->verdict.layer != EL_NONE)
        say_shares(&r->verdict, &b);
    if (f && !both)
        say_who(f, &b);
    if (f)
        say_other_hosts(r, f, &b);
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
                              "%zu of %zu LUN%s with I/O %s calm: mean DAVG at most %s ms, mean "
                              "KAVG at most %s ms",
                              c.count, c.all, c.all == 1 ? "" : "s", c.count == 1 ? "was" : "were",
                              el_num_short(c.most_device, d), el_num_short(c.most_kernel, k)));
    c = calm_of(r, EL_NFS, EL_L_GAVG);
    if (c.count)
        add(l,
            el_arena_print(&r->arena,
                           "%zu of %zu NFS datastore%s with I/O %s calm: mean GAVG at most %s ms",
                           c.count, c.all, c.all == 1 ? "" : "s", c.count == 1 ? "was" : "were",
                           el_num_short(c.most_device, d)));
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
