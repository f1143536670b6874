#include "guest_file.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "memory.h"
#include "out.h"
#include "rng.h"
#include "truth.h"

struct zone {
    const char *name;
    int bias_min; /* UTC = local time + bias, as the header of a PDH-CSV has it */
};

static const struct zone ZONES[] = {
    { "W. Europe Standard Time", -60 }, { "W. Europe Daylight Time", -120 },
    { "Eastern Standard Time", 300 },   { "India Standard Time", -330 },
    { "Tokyo Standard Time", -540 },    { "Coordinated Universal Time", 0 },
};

/* What the guest shows of one disk for an interval, noise included. */
struct guest_row {
    double rate[2], ms[2], mb_s[2]; /* reads, writes */
    double util;
    int open;
};

struct guest_file {
    const struct guest_options *options;
    const struct host *host;
    FILE *file;
    struct rng rng;
    struct zone zone;
    int vm, disks[MAX_VM_DISKS], disk_count;
    int64_t start_s;
    double phase_s, last_s;
    long samples;
    struct guest_counts first[MAX_VM_DISKS], last[MAX_VM_DISKS];
};

int guest_file_vm(const struct guest_options *o, const struct host *h) {
    if (o->vm == NULL)
        return h->disks[h->answer.culprit < 0 ? 0 : h->answer.culprit].vm;
    for (int i = 0; i < h->vm_count; i++)
        if (strcmp(h->vms[i].name, o->vm) == 0)
            return i;
    return -1;
}

double guest_file_next_s(const struct guest_file *g) {
    return g->phase_s + (double)g->samples * g->options->interval_s;
}

/* As Windows and Linux number disks, in the order of the units. */
static void put_device(FILE *f, enum guest_format format, int index) {
    if (format == GUEST_PERFMON)
        fprintf(f, "%d %c:", index, 'C' + index);
    else
        fprintf(f, "sd%c", 'a' + index);
}

/* A name as operating systems take it. */
static void put_node(FILE *f, const char *vm, bool upper) {
    int length = 0;
    for (const char *p = vm; *p != '\0' && length < 15; p++) {
        if (!isalnum((unsigned char)*p) && *p != '-')
            continue;
        fputc(upper ? toupper((unsigned char)*p) : tolower((unsigned char)*p), f);
        length++;
    }
}

/* Local time by the guest's clock. */
static struct moment local_moment(const struct guest_file *g, double at_s, int *milliseconds) {
    double local_s = at_s + g->options->offset_s - 60.0 * g->zone.bias_min;
    double whole_s = floor(local_s);
    *milliseconds = (int)(1000 * (local_s - whole_s));
    return moment_of(g->start_s + (int64_t)whole_s);
}

static void open_perfmon(const struct guest_file *g) {
    static const char *const COUNTERS[] = {
        "Avg. Disk sec/Transfer", "Avg. Disk sec/Read",
        "Avg. Disk sec/Write",    "Disk Transfers/sec",
        "Disk Reads/sec",         "Disk Writes/sec",
        "Avg. Disk Queue Length", "Current Disk Queue Length",
        "Disk Bytes/sec",
    };
    fprintf(g->file, "\"(PDH-CSV 4.0) (%s)(%d)\"", g->zone.name, g->zone.bias_min);
    for (size_t c = 0; c < sizeof COUNTERS / sizeof COUNTERS[0]; c++)
        for (int i = 0; i <= g->disk_count; i++) {
            fputs(",\"\\\\", g->file);
            put_node(g->file, g->host->vms[g->vm].name, true);
            fputs("\\PhysicalDisk(", g->file);
            if (i < g->disk_count)
                put_device(g->file, GUEST_PERFMON, i);
            else
                fputs("_Total", g->file);
            fprintf(g->file, ")\\%s\"", COUNTERS[c]);
        }
    fputs("\r\n", g->file);
}

static void open_iostat(const struct guest_file *g) {
    int ms;
    struct moment m = local_moment(g, 0, &ms);
    fputs("{\"sysstat\": {\n\t\"hosts\": [\n\t\t{\n\t\t\t\"nodename\": \"", g->file);
    put_node(g->file, g->host->vms[g->vm].name, false);
    fprintf(g->file,
            "\",\n\t\t\t\"sysname\": \"Linux\",\n\t\t\t\"release\": \"5.10.0-28-amd64\",\n\t\t\t"
            "\"machine\": \"x86_64\",\n\t\t\t\"number-of-cpus\": %d,\n\t\t\t\"date\": ",
            g->host->vms[g->vm].vcpus);
    if (g->options->format == GUEST_IOSTAT)
        fprintf(g->file, "\"%02d/%02d/%02d\"", m.month, m.day, m.year % 100);
    else
        fprintf(g->file, "\"%04d-%02d-%02d\"", m.year, m.month, m.day);
    fputs(",\n\t\t\t\"statistics\": [", g->file);
}

struct guest_file *guest_file_new(const struct guest_options *o, const struct host *h, int vm,
                                  uint64_t seed, int64_t start_s, FILE *f) {
    struct guest_file *g = memory_new(1, sizeof *g);
    g->options = o;
    g->host = h;
    g->file = f;
    g->vm = vm;
    g->start_s = start_s;
    rng_init(&g->rng, seed, "guest file");
    g->zone = ZONES[rng_int(&g->rng, 0, (int)(sizeof ZONES / sizeof ZONES[0]) - 1)];
    if (o->format == GUEST_IOSTAT)
        g->zone = (struct zone){ "UTC", 0 }; /* its stamps name no zone */
    g->phase_s = rng_between(&g->rng, 0.001, o->interval_s);
    for (int i = 0; i < h->disk_count; i++) {
        if (h->disks[i].vm != vm)
            continue;
        assert(g->disk_count < MAX_VM_DISKS);
        g->disks[g->disk_count++] = i;
    }
    if (o->format == GUEST_PERFMON)
        open_perfmon(g);
    else
        open_iostat(g);
    return g;
}

void guest_file_free(struct guest_file *g) {
    memory_free(g);
}

static double noisy(struct guest_file *g, double value) {
    return value * rng_lognormal(&g->rng, 1, g->options->noise);
}

static struct guest_row row_of(struct guest_file *g, const struct guest_counts *was,
                               const struct guest_counts *now, double seconds) {
    struct guest_row r = { .open = now->open };
    for (int op = OP_READ; op <= OP_WRITE; op++) {
        double commands = now->commands[op] - was->commands[op];
        double wait_s = now->guest_s[op] + now->vscsi_s[op] - was->guest_s[op] - was->vscsi_s[op];
        double share = noisy(g, 1);
        r.rate[op] = commands / seconds * share;
        r.mb_s[op] = (now->mb[op] - was->mb[op]) / seconds * share;
        r.ms[op] = noisy(g, commands > 0 ? 1000 * wait_s / commands : 0);
    }
    r.util = 100 * (now->busy_s - was->busy_s) / seconds;
    return r;
}

static double row_rate(const struct guest_row *r) {
    return r->rate[OP_READ] + r->rate[OP_WRITE];
}

/* Little's law: this is how both systems get their average queue length. */
static double row_queue(const struct guest_row *r) {
    return (r->rate[OP_READ] * r->ms[OP_READ] + r->rate[OP_WRITE] * r->ms[OP_WRITE]) / 1000;
}

static double perfmon_value(const struct guest_row *r, int counter) {
    double rate = row_rate(r);
    switch (counter) {
    case 0: return rate > 0 ? row_queue(r) / rate : 0;
    case 1: return r->ms[OP_READ] / 1000;
    case 2: return r->ms[OP_WRITE] / 1000;
    case 3: return rate;
    case 4: return r->rate[OP_READ];
    case 5: return r->rate[OP_WRITE];
    case 6: return row_queue(r);
    case 7: return r->open;
    default: return (r->mb_s[OP_READ] + r->mb_s[OP_WRITE]) * 1048576;
    }
}

/* All disks as one: rates and queues are sums, times are means over the commands. */
static struct guest_row total_of(const struct guest_row *rows, int count) {
    struct guest_row t = { 0 };
    for (int op = OP_READ; op <= OP_WRITE; op++) {
        double wait = 0;
        for (int i = 0; i < count; i++) {
            t.rate[op] += rows[i].rate[op];
            t.mb_s[op] += rows[i].mb_s[op];
            wait += rows[i].rate[op] * rows[i].ms[op];
        }
        t.ms[op] = t.rate[op] > 0 ? wait / t.rate[op] : 0;
    }
    for (int i = 0; i < count; i++)
        t.open += rows[i].open;
    return t;
}

/* A rate needs two readings, so perfmon leaves the cells of its first row blank. */
static void put_perfmon(const struct guest_file *g, double at_s, struct guest_row *rows) {
    enum { PERFMON_COUNTERS = 9, CURRENT = 7 };
    int ms;
    struct moment m = local_moment(g, at_s, &ms);
    fprintf(g->file, "\"%02d/%02d/%04d %02d:%02d:%02d.%03d\"", m.month, m.day, m.year, m.hour,
            m.minute, m.second, ms);
    rows[g->disk_count] = total_of(rows, g->disk_count);
    for (int c = 0; c < PERFMON_COUNTERS; c++)
        for (int i = 0; i <= g->disk_count; i++)
            if (g->samples == 0 && c != CURRENT)
                fputs(",\" \"", g->file);
            else
                fprintf(g->file, ",\"%.15g\"", perfmon_value(&rows[i], c));
    fputs("\r\n", g->file);
}

static void put_iostat_disk(const struct guest_file *g, int index, const struct guest_row *r) {
    fputs(index > 0 ? ",\n" : "\n", g->file);
    fputs("\t\t\t\t\t\t{\"disk_device\": \"", g->file);
    put_device(g->file, g->options->format, index);
    fprintf(g->file, "\", \"r/s\": %.2f, \"w/s\": %.2f, \"d/s\": 0.00, \"f/s\": 0.00, ",
            r->rate[OP_READ], r->rate[OP_WRITE]);
    fprintf(g->file, "\"rkB/s\": %.2f, \"wkB/s\": %.2f, \"dkB/s\": 0.00, ", 1024 * r->mb_s[OP_READ],
            1024 * r->mb_s[OP_WRITE]);
    fprintf(g->file,
            "\"rrqm/s\": 0.00, \"wrqm/s\": 0.00, \"drqm/s\": 0.00, \"r_await\": %.2f, "
            "\"w_await\": %.2f, \"d_await\": 0.00, \"f_await\": 0.00, ",
            r->ms[OP_READ], r->ms[OP_WRITE]);
    double read_kb = r->rate[OP_READ] > 0 ? 1024 * r->mb_s[OP_READ] / r->rate[OP_READ] : 0;
    double write_kb = r->rate[OP_WRITE] > 0 ? 1024 * r->mb_s[OP_WRITE] / r->rate[OP_WRITE] : 0;
    fprintf(g->file,
            "\"rareq-sz\": %.2f, \"wareq-sz\": %.2f, \"dareq-sz\": 0.00, \"aqu-sz\": %.2f, "
            "\"util\": %.2f}",
            read_kb, write_kb, row_queue(r), r->util);
}

static void put_iostat(const struct guest_file *g, double at_s, const struct guest_row *rows) {
    int ms;
    struct moment m = local_moment(g, at_s, &ms);
    fputs(g->samples > 0 ? ",\n" : "\n", g->file);
    fputs("\t\t\t\t{\n\t\t\t\t\t\"timestamp\": \"", g->file);
    int east_min = -g->zone.bias_min, size = east_min < 0 ? -east_min : east_min;
    if (g->options->format == GUEST_IOSTAT)
        fprintf(g->file, "%02d/%02d/%02d %02d:%02d:%02d", m.month, m.day, m.year % 100, m.hour,
                m.minute, m.second);
    else
        fprintf(g->file, "%04d-%02d-%02dT%02d:%02d:%02d%c%02d%02d", m.year, m.month, m.day, m.hour,
                m.minute, m.second, east_min < 0 ? '-' : '+', size / 60, size % 60);
    fputs("\",\n\t\t\t\t\t\"avg-cpu\":  {\"user\": 3.10, \"nice\": 0.00, \"system\": 1.20, "
          "\"iowait\": 0.80, \"steal\": 0.00, \"idle\": 94.90},\n\t\t\t\t\t\"disk\": [",
          g->file);
    for (int i = 0; i < g->disk_count; i++)
        put_iostat_disk(g, i, &rows[i]);
    fputs("\n\t\t\t\t\t]\n\t\t\t\t}", g->file);
}

/* The first report of iostat covers the time since the guest was started. */
static struct guest_row since_boot(struct guest_file *g) {
    struct guest_row r = { 0 };
    for (int op = OP_READ; op <= OP_WRITE; op++) {
        r.rate[op] = rng_between(&g->rng, 2, 40);
        r.ms[op] = rng_between(&g->rng, 0.4, 6);
        r.mb_s[op] = r.rate[op] * 12 / 1024;
    }
    r.util = rng_between(&g->rng, 1, 12);
    return r;
}

void guest_file_sample(struct guest_file *g, const struct guest_counts disks[MAX_DISKS]) {
    struct guest_row rows[MAX_VM_DISKS + 1];
    double at_s = guest_file_next_s(g);
    for (int i = 0; i < g->disk_count; i++) {
        const struct guest_counts *now = &disks[g->disks[i]];
        rows[i] = g->samples > 0 ? row_of(g, &g->last[i], now, at_s - g->last_s) : since_boot(g);
        rows[i].open = now->open;
        if (g->samples == 0)
            g->first[i] = *now;
        g->last[i] = *now;
    }
    if (g->options->format == GUEST_PERFMON)
        put_perfmon(g, at_s, rows);
    else
        put_iostat(g, at_s, rows);
    g->last_s = at_s;
    g->samples++;
}

FILE *guest_file_end(const struct guest_file *g) {
    if (g->options->format != GUEST_PERFMON)
        fputs("\n\t\t\t]\n\t\t}\n\t]\n}}\n", g->file);
    return g->file;
}

static double grown(const double now[OP_COUNT], const double was[OP_COUNT]) {
    return now[OP_READ] + now[OP_WRITE] - was[OP_READ] - was[OP_WRITE];
}

void guest_file_truth(const struct guest_file *g, FILE *f) {
    static const char *const FORMATS[] = { "perfmon", "iostat", "iostat-iso" };
    const struct guest_options *o = g->options;
    fputs("{\"vm\": ", f);
    truth_string(f, g->host->vms[g->vm].name);
    fprintf(f,
            ", \"format\": \"%s\", \"zone_bias_min\": %d, \"offset_s\": %g, \"interval_s\": %g, "
            "\"noise\": %g,\n  \"disks\": [",
            FORMATS[o->format], g->zone.bias_min, o->offset_s, o->interval_s, o->noise);
    for (int i = 0; i < g->disk_count; i++) {
        const struct guest_counts *now = &g->last[i], *was = &g->first[i];
        double commands = grown(now->commands, was->commands), n = commands > 0 ? commands : 1;
        fprintf(f, "%s   {\"device\": \"", i > 0 ? ",\n" : "\n");
        put_device(f, o->format, i);
        fputs("\", \"vdisk\": ", f);
        truth_disk_name(f, g->host, g->disks[i]);
        fprintf(f, ", \"commands\": %.0f, \"guest_queue_ms\": %.4f, \"vscsi_ms\": %.4f}", commands,
                1000 * grown(now->guest_s, was->guest_s) / n,
                1000 * grown(now->vscsi_s, was->vscsi_s) / n);
    }
    fputs("\n  ]}", f);
}
