#include "truth.h"

#include <stdbool.h>

#include "causes.h"
#include "guest_file.h"
#include "out.h"

static const char *const LAYER_WORDS[] = {
    "none", "guest", "vmkernel", "device", "mixed", "unknown"
};

static const char *const STRENGTH_WORDS[] = { "mild", "clear", "severe" };

_Static_assert(sizeof STRENGTH_WORDS / sizeof STRENGTH_WORDS[0] == STRENGTH_COUNT, "as well");
_Static_assert(sizeof LAYER_WORDS / sizeof LAYER_WORDS[0] == LAYER_COUNT, "a word for each layer");

void truth_string(FILE *f, const char *text) {
    fputc('"', f);
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\')
            fputc('\\', f);
        fputc(*p, f);
    }
    fputc('"', f);
}

static void put_also(FILE *f, unsigned also) {
    const char *comma = "";
    fputc('[', f);
    for (unsigned i = 0; i < LAYER_COUNT; i++) {
        if ((also & 1u << i) == 0)
            continue;
        fprintf(f, "%s\"%s\"", comma, LAYER_WORDS[i]);
        comma = ", ";
    }
    fputc(']', f);
}

static void put_moment(FILE *f, int64_t epoch_s) {
    struct moment m = moment_of(epoch_s);
    fprintf(f, "\"%04d-%02d-%02dT%02d:%02d:%02dZ\"", m.year, m.month, m.day, m.hour, m.minute,
            m.second);
}

/* Number of the sample, from 1, that ends at "at_s" or is the first to end after it. */
static long sample_at(const struct truth *t, double at_s) {
    long i = 0;
    while (i < t->samples - 1 && (double)t->ends_s[i] < at_s)
        i++;
    return i + 1;
}

static void put_window(const struct truth *t, FILE *f) {
    struct window w = t->host->answer.window;
    if (!(w.from_s < w.to_s)) {
        fputs("null", f);
        return;
    }
    double end_s = (double)t->ends_s[t->samples - 1], to_s = w.to_s < end_s ? w.to_s : end_s;
    fputs("{\"from\": ", f);
    put_moment(f, t->start_s + (int64_t)w.from_s);
    fputs(", \"to\": ", f);
    put_moment(f, t->start_s + (int64_t)to_s);
    fprintf(f, ", \"from_sample\": %ld, \"to_sample\": %ld}", sample_at(t, w.from_s + 1e-9),
            sample_at(t, to_s));
}

void truth_disk_name(FILE *f, const struct host *h, int disk) {
    char name[NAME_SIZE + 32];
    snprintf(name, sizeof name, "%s:%s", h->vms[h->disks[disk].vm].name, h->disks[disk].unit);
    truth_string(f, name);
}

static void put_culprit(const struct host *h, FILE *f) {
    if (h->answer.culprit < 0) {
        fputs("null", f);
        return;
    }
    fputs("{\"vm\": ", f);
    truth_string(f, h->vms[h->disks[h->answer.culprit].vm].name);
    fputs(", \"vdisk\": ", f);
    truth_disk_name(f, h, h->answer.culprit);
    fputc('}', f);
}

/* Virtual disks see all layers, so their sums are the shares. */
static void put_share(const struct host *h, const struct books *b, FILE *f, bool troubled_only) {
    struct waits w = { 0 };
    for (int i = 0; i < h->disk_count; i++) {
        if (troubled_only && h->disks[i].label.layer == LAYER_NONE && h->disks[i].label.also == 0)
            continue;
        w.guest_s += b->disk_waits[i].guest_s;
        w.kernel_s += b->disk_waits[i].kernel_s;
        w.device_s += b->disk_waits[i].device_s;
    }
    double all_s = w.guest_s + w.kernel_s + w.device_s;
    if (!(all_s > 0))
        fputs("null", f);
    else
        fprintf(f, "{\"guest\": %.4f, \"vmkernel\": %.4f, \"device\": %.4f}", w.guest_s / all_s,
                w.kernel_s / all_s, w.device_s / all_s);
}

static void put_waits(FILE *f, const struct waits *w) {
    double n = w->commands > 0 ? w->commands : 1;
    fprintf(f,
            ", \"commands\": %.0f, \"mean_ms\": {\"guest\": %.3f, \"vmkernel\": %.3f, \"device\": "
            "%.3f}}",
            w->commands, 1000 * w->guest_s / n, 1000 * w->kernel_s / n, 1000 * w->device_s / n);
}

static void put_layer(FILE *f, const char *field, struct label label) {
    fprintf(f, ", \"%s\": \"%s\", \"alternatives\": ", field, LAYER_WORDS[label.layer]);
    put_also(f, label.also);
}

static bool has_disks(const struct host *h, int lun) {
    for (int i = 0; i < h->disk_count; i++)
        if (h->disks[i].lun == lun)
            return true;
    return false;
}

/* A LUN in trouble that only answers TUR and ATS carries too little to be judged by. */
static bool is_judged(const struct host *h, int lun, const struct waits *w) {
    return w->commands > 0 && (h->luns[lun].label.layer == LAYER_NONE || has_disks(h, lun));
}

static void put_entities(const struct truth *t, FILE *f, bool labels) {
    const struct host *h = t->host;
    const char *field = labels ? "label" : "layer", *comma = "\n";
    for (int i = 0; i < h->lun_count + h->disk_count; i++) {
        int disk = i - h->lun_count;
        const struct waits *w = disk < 0 ? &t->books->lun_waits[i] : &t->books->disk_waits[disk];
        if (disk < 0 ? !is_judged(h, i, w) : !(w->commands > 0))
            continue;
        fprintf(f, "%s  {\"kind\": \"%s\", \"name\": ", comma,
                disk >= 0        ? "vdisk"
                : h->luns[i].nfs ? "nfs"
                                 : "lun");
        if (disk < 0)
            truth_string(f, h->luns[i].name);
        else
            truth_disk_name(f, h, disk);
        put_layer(f, field, disk < 0 ? h->luns[i].label : h->disks[disk].label);
        if (labels)
            fputs(", \"why\": null, \"case_name\": null}", f);
        else
            put_waits(f, w);
        comma = ",\n";
    }
}

/* All disks of a VM as one; "guest" is what its own tools see above the host's LAT. */
static void put_vms(const struct truth *t, FILE *f) {
    const struct host *h = t->host;
    for (int v = 0; v < h->vm_count; v++) {
        struct waits sum = { 0 };
        for (int d = 0; d < h->disk_count; d++) {
            if (h->disks[d].vm != v)
                continue;
            sum.guest_s += t->books->disk_waits[d].guest_s;
            sum.kernel_s += t->books->disk_waits[d].kernel_s;
            sum.device_s += t->books->disk_waits[d].device_s;
            sum.commands += t->books->disk_waits[d].commands;
        }
        fprintf(f, "%s  {\"name\": ", v > 0 ? ",\n" : "\n");
        truth_string(f, h->vms[v].name);
        put_waits(f, &sum);
    }
}

/* "commands" counts the whole capture, not only the window. */
static void put_links(const struct host *h, const struct books *b, FILE *f) {
    for (int i = 0; i < h->disk_count; i++) {
        fprintf(f, "%s  {\"vdisk\": ", i > 0 ? ",\n" : "\n");
        truth_disk_name(f, h, i);
        fputs(", \"lun\": ", f);
        truth_string(f, h->luns[h->disks[i].lun].name);
        fprintf(f, ", \"commands\": %.0f}",
                b->guests[i].commands[OP_READ] + b->guests[i].commands[OP_WRITE]);
    }
}

void truth_write(const struct truth *t, FILE *f) {
    const struct answer *a = &t->host->answer;
    fprintf(f, "{\n \"schema\": \"esxlat.truth/1\",\n \"scenario\": \"%s\",\n \"seed\": %llu",
            t->scenario, (unsigned long long)t->seed);
    put_layer(f, "layer", a->label);
    fprintf(f, ",\n \"cause\": \"%s\",\n \"causes\": ", a->cause);
    causes_write(f, a->cause);
    fprintf(f, ",\n \"strength\": \"%s\",\n \"window\": ", STRENGTH_WORDS[t->strength]);
    put_window(t, f);
    fputs(",\n \"share\": ", f);
    put_share(t->host, t->books, f, true);
    fputs(",\n \"share_all\": ", f);
    put_share(t->host, t->books, f, false);
    fputs(",\n \"entities\": [", f);
    put_entities(t, f, false);
    fputs("\n ],\n \"vms\": [", f);
    put_vms(t, f);
    fputs("\n ],\n \"links\": [", f);
    put_links(t->host, t->books, f);
    fputs("\n ],\n \"culprit\": ", f);
    put_culprit(t->host, f);
    if (t->guest != NULL) {
        fputs(",\n \"guest\": ", f);
        guest_file_truth(t->guest, f);
    }
    fputs("\n}\n", f);
}

void truth_write_labels(const struct truth *t, FILE *f) {
    const struct answer *a = &t->host->answer;
    fprintf(f,
            "{\n \"schema\": \"esxlat.labels/1\",\n \"case\": \"%s\",\n \"phase\": "
            "\"seed-%llu\",\n \"title\": ",
            t->scenario, (unsigned long long)t->seed);
    truth_string(f, t->title);
    fputs(",\n \"tier\": \"simulated\"", f);
    put_layer(f, "case_label", a->label);
    fprintf(f, ",\n \"cause\": \"%s\",\n \"certainty\": \"simulated\",\n \"window\": ", a->cause);
    put_window(t, f);
    fputs(",\n \"culprit\": ", f);
    put_culprit(t->host, f);
    fputs(",\n \"supplied\": [],\n \"left_out\": [],\n \"entities\": [", f);
    put_entities(t, f, true);
    fputs("\n ]\n}\n", f);
}
