#include "options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void options_usage(const char *what, const char *word) {
    fprintf(stderr,
            "esxsim: %s%s%s\n"
            "usage: esxsim --list\n"
            "       esxsim SCENARIO [--seed N] [--samples N] [--interval S] [--style all|default] "
            "[--lean]\n"
            "              [--strength mild|clear|severe] [--part]\n"
            "              [--fill COLUMNS] [--truth FILE] [--labels] -o OUT.csv\n"
            "              [--guest FILE [--guest-vm NAME] [--guest-format "
            "perfmon|iostat|iostat-iso]\n"
            "              [--guest-offset S] [--guest-interval S] [--guest-noise SHARE]]\n",
            what, word != NULL ? ": " : "", word != NULL ? word : "");
    exit(EXIT_USAGE);
}

static long whole(const char *text, long lo, long hi, const char *option) {
    char *end = NULL;
    long n = text != NULL ? strtol(text, &end, 10) : 0;
    if (text == NULL || end == text || *end != '\0' || n < lo || n > hi)
        options_usage("a number is missing or out of range after", option);
    return n;
}

static double real(const char *text, double lo, double hi, const char *option) {
    char *end = NULL;
    double x = text != NULL ? strtod(text, &end) : 0;
    if (text == NULL || end == text || *end != '\0' || !(x >= lo && x <= hi))
        options_usage("a number is missing or out of range after", option);
    return x;
}

/* Index of a word in a list that ends with NULL. */
static int choice(const char *text, const char *const *words, const char *option) {
    for (int i = 0; text != NULL && words[i] != NULL; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    options_usage("not one of the words for", option);
}

static bool take_guest(struct guest_options *g, const char *arg, const char *value) {
    static const char *const FORMATS[] = { "perfmon", "iostat", "iostat-iso", NULL };
    if (strcmp(arg, "--guest") == 0)
        g->path = value;
    else if (strcmp(arg, "--guest-vm") == 0)
        g->vm = value;
    else if (strcmp(arg, "--guest-format") == 0)
        g->format = (enum guest_format)choice(value, FORMATS, arg);
    else if (strcmp(arg, "--guest-offset") == 0)
        g->offset_s = real(value, -1e6, 1e6, arg);
    else if (strcmp(arg, "--guest-interval") == 0)
        g->interval_s = real(value, 1, 3600, arg);
    else if (strcmp(arg, "--guest-noise") == 0)
        g->noise = real(value, 0, 0.5, arg);
    else
        return false;
    return true;
}

/* Options with a value; false if "arg" is none of them. */
static bool take_value(struct options *o, const char *arg, const char *value) {
    static const char *const STYLES[] = { "all", "default", NULL };
    static const char *const STRENGTHS[] = { "mild", "clear", "severe", NULL };
    if (strcmp(arg, "--seed") == 0)
        o->seed = (uint64_t)whole(value, 0, 2000000000, arg);
    else if (strcmp(arg, "--samples") == 0)
        o->samples = whole(value, 1, 1000000, arg);
    else if (strcmp(arg, "--interval") == 0)
        o->interval_s = whole(value, 1, 3600, arg);
    else if (strcmp(arg, "--fill") == 0)
        o->capture.fill = whole(value, 0, 2000000, arg);
    else if (strcmp(arg, "--truth") == 0)
        o->truth = value;
    else if (strcmp(arg, "-o") == 0)
        o->output = value;
    else if (strcmp(arg, "--strength") == 0)
        o->strength = (enum strength)choice(value, STRENGTHS, arg);
    else if (strcmp(arg, "--style") == 0)
        o->capture.style = (enum style)choice(value, STYLES, arg);
    else if (!take_guest(&o->guest, arg, value))
        return false;
    if (value == NULL)
        options_usage("a value is missing after", arg);
    return true;
}

struct options options_parse(char **argv) {
    struct options o = { .seed = 1, .samples = 120, .interval_s = 5, .strength = STRENGTH_CLEAR };
    o.guest = (struct guest_options){ .interval_s = 5, .noise = 0.02 };
    for (int i = 1; argv[i] != NULL; i++) {
        if (strcmp(argv[i], "--list") == 0)
            o.list = true;
        else if (strcmp(argv[i], "--labels") == 0)
            o.labels = true;
        else if (strcmp(argv[i], "--part") == 0)
            o.part = true;
        else if (strcmp(argv[i], "--lean") == 0)
            o.capture.lean = true;
        else if (take_value(&o, argv[i], argv[i + 1]))
            i++;
        else if (argv[i][0] != '-' && o.scenario == NULL)
            o.scenario = argv[i];
        else
            options_usage("not understood", argv[i]);
    }
    if (!o.list && (o.scenario == NULL || o.output == NULL))
        options_usage("a scenario and -o are needed", NULL);
    if (o.labels && strcmp(o.output, "-") == 0)
        options_usage("--labels stand beside a file, not beside standard output", NULL);
    return o;
}
