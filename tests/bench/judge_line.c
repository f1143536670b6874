#include "judge.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "judge_time.h"

static const double SHARE_POINTS = 0.05, QUEUE_PART = 0.10, QUEUE_MS = 0.1, SURE = 0.9;

static const char *text_of(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s != NULL ? s : "-";
}

static void keep(char *out, size_t size, const char *text) {
    snprintf(out, size, "%s", text);
}

static enum mark mark(int right) {
    return right ? MARK_RIGHT : MARK_WRONG;
}

__attribute__((format(printf, 2, 3))) static void note(struct line *l, const char *format, ...) {
    size_t used = strlen(l->note);
    va_list args;
    va_start(args, format);
    if (used + 1 < sizeof l->note)
        vsnprintf(&l->note[used], sizeof l->note - used, format, args);
    va_end(args);
}

/* Is the string, or null for "-", in the list? */
static int holds(const json_t *list, const char *text) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *item = json_string_value(json_array_get(list, i));
        if (strcmp(item != NULL ? item : "-", text) == 0)
            return 1;
    }
    return 0;
}

static void ask_layer(struct line *l, const json_t *truth, const json_t *verdict) {
    keep(l->truth, sizeof l->truth, text_of(truth, "layer"));
    keep(l->said, sizeof l->said, text_of(verdict, "layer"));
    keep(l->cause, sizeof l->cause, text_of(verdict, "cause"));
    int right =
        strcmp(l->truth, l->said) == 0 || holds(json_object_get(truth, "alternatives"), l->said);
    l->marks[ASK_LAYER] = mark(right);
    if (!right)
        note(l, "layer %s instead of %s; ", l->said, l->truth);
    if (strcmp(l->truth, "none") == 0)
        l->marks[ASK_QUIET] = mark(right);
    right = holds(json_object_get(truth, "causes"), l->cause);
    l->marks[ASK_CAUSE] = mark(right);
    if (!right)
        note(l, "cause %s; ", l->cause);
}

/* The finding that the verdict rests on. */
static const json_t *chosen(const json_t *report, const char *cause) {
    const json_t *findings = json_object_get(report, "findings"), *first = NULL;
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *f = json_array_get(findings, i);
        if (strcmp(text_of(f, "rule"), cause) != 0)
            continue;
        if (json_is_true(json_object_get(f, "root")))
            return f;
        first = first == NULL ? f : first;
    }
    return first;
}

static double interval_of(const json_t *report) {
    const json_t *capture = json_array_get(json_object_get(report, "captures"), 0);
    double s = json_number_value(json_object_get(capture, "interval_s"));
    return s > 0 ? s : 5;
}

/* Rows may be a second late, hence the one more. */
static void ask_window(struct line *l, const json_t *truth, const json_t *report) {
    const json_t *window = json_object_get(truth, "window"), *f = chosen(report, l->cause);
    if (strcmp(l->variant, "part") != 0 || !json_is_object(window))
        return;
    double limit_s = interval_of(report) + 1, early = (double)NAN, late = early;
    if (f != NULL) {
        early = judge_time(text_of(f, "from")) - judge_time(text_of(window, "from"));
        late = judge_time(text_of(f, "to")) - judge_time(text_of(window, "to"));
    }
    int right = fabs(early) <= limit_s && fabs(late) <= limit_s;
    l->marks[ASK_WINDOW] = mark(right);
    if (!right)
        note(l, "window off by %+.0f and %+.0f s; ", early, late);
}

struct share {
    double guest, vmkernel, device;
};

static struct share share_of(const json_t *o) {
    return (struct share){ json_number_value(json_object_get(o, "guest")),
                           json_number_value(json_object_get(o, "vmkernel")),
                           json_number_value(json_object_get(o, "device")) };
}

/* Without the guest's part, which the host cannot see. */
static struct share below(struct share s) {
    double sum = s.vmkernel + s.device;
    return sum > 0 ? (struct share){ 0, s.vmkernel / sum, s.device / sum } : s;
}

static void ask_share(struct line *l, const json_t *truth, const json_t *verdict) {
    const json_t *given = json_object_get(truth, "share"),
                 *said = json_object_get(verdict, "share");
    if (!json_is_object(given))
        return;
    struct share t = share_of(given), s = share_of(said);
    if (!json_is_number(json_object_get(said, "guest"))) {
        t = below(t);
        s = below(s);
    }
    double off = fmax(fabs(t.guest - s.guest),
                      fmax(fabs(t.vmkernel - s.vmkernel), fabs(t.device - s.device)));
    int right = json_is_object(said) && off <= SHARE_POINTS;
    l->marks[ASK_SHARE] = mark(right);
    if (!right)
        note(l, "share k%.2f d%.2f instead of k%.2f d%.2f; ", s.vmkernel, s.device, t.vmkernel,
             t.device);
}

static const json_t *entity(const json_t *report, const char *kind, const char *name) {
    const json_t *all = json_object_get(report, "entities");
    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *e = json_array_get(all, i);
        if (strcmp(text_of(e, "kind"), kind) == 0 && strcmp(text_of(e, "name"), name) == 0)
            return e;
    }
    return NULL;
}

/* A LUN that esxlat gives as certain and is another one is the worst that can happen. */
static void ask_links(struct line *l, const json_t *truth, const json_t *report) {
    const json_t *links = json_object_get(truth, "links");
    for (size_t i = 0; i < json_array_size(links); i++) {
        const json_t *link = json_array_get(links, i);
        if (!(json_number_value(json_object_get(link, "commands")) > 0))
            continue;
        const json_t *e = entity(report, "vdisk", text_of(link, "vdisk"));
        const json_t *sure = json_object_get(e, "link_certainty");
        if (strcmp(text_of(e, "lun"), text_of(link, "lun")) == 0)
            l->links_right++;
        else if (!json_is_string(json_object_get(e, "lun")) ||
                 (json_is_number(sure) && json_number_value(sure) < SURE))
            l->links_unsure++;
        else
            l->links_wrong++;
    }
    if (l->links_wrong > 0)
        note(l, "%d disks on a wrong LUN; ", l->links_wrong);
}

static const json_t *guest_disk(const json_t *guest, const char *vdisk) {
    const json_t *disks = json_object_get(guest, "disks");
    for (size_t i = 0; i < json_array_size(disks); i++)
        if (strcmp(text_of(json_array_get(disks, i), "vdisk"), vdisk) == 0)
            return json_array_get(disks, i);
    return NULL;
}

static void ask_guest_queue(struct line *l, const json_t *asked, const json_t *guest) {
    const json_t *disks = json_object_get(asked, "disks");
    l->marks[ASK_GUEST_QUEUE] = MARK_RIGHT;
    for (size_t i = 0; i < json_array_size(disks); i++) {
        const json_t *d = json_array_get(disks, i);
        if (json_number_value(json_object_get(d, "commands")) < 100)
            continue;
        double want = json_number_value(json_object_get(d, "guest_queue_ms"));
        const json_t *said = json_object_get(guest_disk(guest, text_of(d, "vdisk")), "queue_ms");
        double got = json_is_number(said) ? json_number_value(said) : (double)NAN;
        if (fabs(got - want) <= fmax(QUEUE_MS, QUEUE_PART * want))
            continue;
        l->marks[ASK_GUEST_QUEUE] = MARK_WRONG;
        note(l, "%s queue %.2f instead of %.2f ms; ", text_of(d, "device"), got, want);
    }
}

/* Under a steady load nothing tells the clocks apart: no offset is no wrong one then. */
static void ask_guest(struct line *l, const json_t *truth, const json_t *report) {
    const json_t *asked = json_object_get(truth, "guest");
    const json_t *guest = json_array_get(json_object_get(report, "guests"), 0);
    if (!json_is_object(asked) || strcmp(l->variant, "guest") != 0)
        return;
    ask_guest_queue(l, asked, guest);
    const json_t *offset = json_object_get(guest, "offset_s");
    if (!json_is_number(offset))
        return;
    double off = json_number_value(offset) - json_number_value(json_object_get(asked, "offset_s"));
    l->marks[ASK_GUEST_OFFSET] = mark(fabs(off) <= interval_of(report));
    if (l->marks[ASK_GUEST_OFFSET] == MARK_WRONG)
        note(l, "clock off by %+.1f s; ", off);
}

int judge_line(struct line *l, const char *truth_path, const char *report_path) {
    json_t *truth = json_load_file(truth_path, 0, NULL);
    json_t *report = json_load_file(report_path, 0, NULL);
    int good = json_is_object(truth) && json_is_object(report);
    if (good) {
        const json_t *verdict = json_object_get(report, "verdict");
        ask_layer(l, truth, verdict);
        ask_window(l, truth, report);
        ask_share(l, truth, verdict);
        ask_links(l, truth, report);
        ask_guest(l, truth, report);
    }
    json_decref(truth);
    json_decref(report);
    return good;
}
