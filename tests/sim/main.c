/*
 * esxsim: simulates an ESXi host and writes what esxtop would have captured, with the truth beside
 * it. A test tool; see README.md.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "cpu.h"
#include "engine.h"
#include "memory.h"
#include "scenario.h"
#include "truth.h"

enum { EXIT_USAGE = 2, EXIT_SYSTEM = 5 };

struct options {
    const char *scenario, *output, *truth;
    uint64_t seed;
    long samples, interval_s;
    bool list, labels;
    struct capture_options capture;
};

static void usage(const char *what, const char *word) {
    fprintf(stderr,
            "esxsim: %s%s%s\n"
            "usage: esxsim --list\n"
            "       esxsim SCENARIO [--seed N] [--samples N] [--interval S] [--style all|default] "
            "[--lean]\n"
            "              [--fill COLUMNS] [--truth FILE] [--labels] -o OUT.csv\n",
            what, word != NULL ? ": " : "", word != NULL ? word : "");
    exit(EXIT_USAGE);
}

static long number(const char *text, long lo, long hi, const char *option) {
    char *end = NULL;
    long n = text != NULL ? strtol(text, &end, 10) : 0;
    if (text == NULL || end == text || *end != '\0' || n < lo || n > hi)
        usage("a number is missing or out of range after", option);
    return n;
}

/* Options with a value; false if "arg" is none of them. */
static bool take_value(struct options *o, const char *arg, const char *value) {
    if (strcmp(arg, "--seed") == 0)
        o->seed = (uint64_t)number(value, 0, 2000000000, arg);
    else if (strcmp(arg, "--samples") == 0)
        o->samples = number(value, 1, 1000000, arg);
    else if (strcmp(arg, "--interval") == 0)
        o->interval_s = number(value, 1, 3600, arg);
    else if (strcmp(arg, "--fill") == 0)
        o->capture.fill = number(value, 0, 2000000, arg);
    else if (strcmp(arg, "--truth") == 0)
        o->truth = value;
    else if (strcmp(arg, "-o") == 0)
        o->output = value;
    else if (strcmp(arg, "--style") == 0 && value != NULL && strcmp(value, "all") == 0)
        o->capture.style = STYLE_ALL;
    else if (strcmp(arg, "--style") == 0 && value != NULL && strcmp(value, "default") == 0)
        o->capture.style = STYLE_DEFAULT;
    else
        return false;
    if (value == NULL)
        usage("a value is missing after", arg);
    return true;
}

static struct options parse(char **argv) {
    struct options o = { .seed = 1, .samples = 120, .interval_s = 5 };
    for (int i = 1; argv[i] != NULL; i++) {
        if (strcmp(argv[i], "--list") == 0)
            o.list = true;
        else if (strcmp(argv[i], "--labels") == 0)
            o.labels = true;
        else if (strcmp(argv[i], "--lean") == 0)
            o.capture.lean = true;
        else if (take_value(&o, argv[i], argv[i + 1]))
            i++;
        else if (argv[i][0] != '-' && o.scenario == NULL)
            o.scenario = argv[i];
        else
            usage("not understood", argv[i]);
    }
    if (!o.list && (o.scenario == NULL || o.output == NULL))
        usage("a scenario and -o are needed", NULL);
    if (o.labels && strcmp(o.output, "-") == 0)
        usage("--labels stand beside a file, not beside standard output", NULL);
    return o;
}

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

/* Writes the rows; returns the length of the capture in seconds. */
static double simulate(struct engine *e, const struct host *h, struct cpu *cpu, struct capture *c,
                       const struct options *o, int64_t start_s, struct rng *r) {
    int64_t now_s = 0;
    engine_run(e, 0);
    engine_baseline(e);
    cpu_sample(cpu, h, 0);
    capture_header(c);
    capture_row(c, start_s);
    for (long i = 0; i < o->samples; i++) {
        int64_t step_s = o->interval_s + rng_chance(r, 0.03); /* esxtop is late now and then */
        now_s += step_s;
        engine_run(e, (double)now_s);
        engine_sample(e, (double)step_s);
        cpu_sample(cpu, h, (double)now_s);
        capture_row(c, start_s + now_s);
    }
    return (double)now_s;
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
    s->build(h, &r, (double)(o->samples * o->interval_s));
    int64_t start_s = start_of(&r);
    cpu_init(cpu, o->seed);
    struct engine *e = engine_new(h, o->seed);
    out_open(out, open_output(o->output));
    struct capture *c = capture_new(h, engine_books(e), cpu, &o->capture, out);
    double end_s = simulate(e, h, cpu, c, o, start_s, &r);
    out_flush(out);
    close_output(out->file, o->output, out->failed);
    struct truth t = { .host = h,
                       .books = engine_books(e),
                       .scenario = s->name,
                       .title = s->help,
                       .seed = o->seed,
                       .start_s = start_s,
                       .end_s = end_s };
    tell_truth(o, &t);
    capture_free(c);
    engine_free(e);
    memory_free(out);
    memory_free(cpu);
    memory_free(h);
}

int main(int argc, char **argv) {
    (void)argc;
    struct options o = parse(argv);
    if (o.list) {
        for (const struct scenario *s = SCENARIOS; s->name != NULL; s++)
            printf("%-22s %s\n", s->name, s->help);
        return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_SYSTEM;
    }
    const struct scenario *s = scenario_find(o.scenario);
    if (s == NULL)
        usage("no such scenario (see --list)", o.scenario);
    run(&o, s);
    return EXIT_SUCCESS;
}
