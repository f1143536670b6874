/*
 * esxsim: simulates an ESXi host and writes what esxtop would have captured, with the truth beside
 * it. A test tool; see README.md.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "cpu.h"
#include "engine.h"
#include "guest_file.h"
#include "memory.h"
#include "options.h"
#include "scenario.h"
#include "truth.h"

static FILE *open_output(const char *path) {
    FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
    if (f == NULL) {
        fprintf(stderr, "esxsim: cannot write '%s'\n", path);
        exit(EXIT_SYSTEM);
    }
    return f;
}

static void close_output(FILE *f, const char *path, bool failed) {
    failed = ferror(f) != 0 || failed;
    failed = fclose(f) != 0 || failed;
    if (failed) {
        fprintf(stderr, "esxsim: cannot write '%s'\n", path);
        exit(EXIT_SYSTEM);
    }
}

/* OUT.csv becomes OUT.labels.json. */
static void write_labels(const struct truth *t, const char *output) {
    size_t length = strlen(output);
    if (length > 4 && strcmp(&output[length - 4], ".csv") == 0)
        length -= 4;
    char *path = memory_new(length + sizeof ".labels.json", 1);
    memcpy(path, output, length);
    memcpy(&path[length], ".labels.json", sizeof ".labels.json");
    FILE *f = open_output(path);
    truth_write_labels(t, f);
    close_output(f, path, false);
    memory_free(path);
}

/* A busy hour of some day in 2024 or 2025. */
static int64_t start_of(struct rng *r) {
    const int64_t first_s = 1704067200; /* 2024-01-01 */
    int64_t day = rng_int(r, 0, 700), second = rng_int(r, 6 * 3600, 20 * 3600);
    return first_s + 86400 * day + second;
}

/* 15 to 50 % of the capture, apart from its first and last tenth. */
static struct window draw_part(const struct options *o) {
    double duration_s = (double)(o->samples * o->interval_s);
    struct rng r;
    rng_init(&r, o->seed, "part");
    double share = rng_between(&r, 0.15, 0.5), from = rng_between(&r, 0.1, 0.9 - share);
    double from_s = floor(from * duration_s);
    return (struct window){ from_s, from_s + floor(share * duration_s) };
}

/* Runs to "until_s", with the guest's own samples on the way. */
static void advance(struct engine *e, struct guest_file *g, double until_s) {
    struct guest_counts guests[MAX_DISKS] = { 0 };
    while (g != NULL && guest_file_next_s(g) <= until_s) {
        engine_run(e, guest_file_next_s(g));
        engine_guests(e, guests);
        guest_file_sample(g, guests);
    }
    engine_run(e, until_s);
}

/* Writes the rows; the length of the capture goes into the truth. */
static void simulate(struct engine *e, struct cpu *cpu, struct capture *c, const struct options *o,
                     struct guest_file *g, struct rng *r, struct truth *t) {
    int64_t now_s = 0;
    engine_run(e, 0);
    engine_baseline(e);
    cpu_sample(cpu, t->host, 0);
    capture_header(c);
    capture_row(c, t->start_s);
    for (long i = 0; i < o->samples; i++) {
        int64_t step_s = o->interval_s + rng_chance(r, 0.03); /* esxtop is late now and then */
        now_s += step_s;
        t->ends_s[i] = now_s;
        advance(e, g, (double)now_s);
        engine_sample(e, (double)step_s);
        cpu_sample(cpu, t->host, (double)now_s);
        capture_row(c, t->start_s + now_s);
    }
    t->samples = o->samples;
}

/* NULL if none is asked for. */
static struct guest_file *open_guest(const struct options *o, const struct host *h,
                                     int64_t start_s) {
    if (o->guest.path == NULL)
        return NULL;
    int vm = guest_file_vm(&o->guest, h);
    if (vm < 0)
        options_usage("no such VM", o->guest.vm);
    return guest_file_new(&o->guest, h, vm, o->seed, start_s, open_output(o->guest.path));
}

static void tell_truth(const struct options *o, const struct truth *t) {
    if (o->truth != NULL) {
        FILE *f = open_output(o->truth);
        truth_write(t, f);
        close_output(f, o->truth, false);
    }
    if (o->labels)
        write_labels(t, o->output);
}

static void run(const struct options *o, const struct scenario *s) {
    struct host *h = memory_new(1, sizeof *h);
    struct cpu *cpu = memory_new(1, sizeof *cpu);
    struct out *out = memory_new(1, sizeof *out);
    struct rng r;
    rng_init(&r, o->seed, s->name);
    h->strength = o->strength;
    if (o->part)
        h->part = draw_part(o);
    s->build(h, &r, (double)(o->samples * o->interval_s));
    int64_t start_s = start_of(&r);
    cpu_init(cpu, o->seed);
    struct engine *e = engine_new(h, o->seed);
    out_open(out, open_output(o->output));
    struct capture *c = capture_new(h, engine_books(e), cpu, &o->capture, out);
    struct guest_file *g = open_guest(o, h, start_s);
    struct truth t = { .host = h,
                       .books = engine_books(e),
                       .guest = g,
                       .scenario = s->name,
                       .title = s->help,
                       .seed = o->seed,
                       .strength = o->strength,
                       .start_s = start_s };
    t.ends_s = memory_new((size_t)o->samples, sizeof t.ends_s[0]);
    simulate(e, cpu, c, o, g, &r, &t);
    out_flush(out);
    close_output(out->file, o->output, out->failed);
    if (g != NULL)
        close_output(guest_file_end(g), o->guest.path, false);
    tell_truth(o, &t);
    memory_free(t.ends_s);
    guest_file_free(g);
    capture_free(c);
    engine_free(e);
    memory_free(out);
    memory_free(cpu);
    memory_free(h);
}

int main(int argc, char **argv) {
    (void)argc;
    struct options o = options_parse(argv);
    if (o.list) {
        for (const struct scenario *s = SCENARIOS; s->name != NULL; s++)
            printf("%-22s %-8s %s%s\n", s->name, s->roots, s->help, s->part ? "" : " (no --part)");
        return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_SYSTEM;
    }
    const struct scenario *s = scenario_find(o.scenario);
    if (s == NULL)
        options_usage("no such scenario (see --list)", o.scenario);
    if (o.part && !s->part)
        options_usage("--part makes no sense for", s->name);
    run(&o, s);
    return EXIT_SUCCESS;
}
