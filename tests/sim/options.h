/* options.h: what the command line asks for. */
#ifndef SIM_OPTIONS_H
#define SIM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "capture.h"
#include "guest_file.h"
#include "model.h"

enum { EXIT_USAGE = 2, EXIT_SYSTEM = 5 };

struct options {
    const char *scenario, *output, *truth;
    uint64_t seed;
    long samples, interval_s;
    enum strength strength;
    bool list, labels, part;
    struct capture_options capture;
    struct guest_options guest; /* path NULL: no guest file */
};

/* Ends the program with a sentence where the line is not understood. */
struct options options_parse(char **argv);

/* Says what is wrong and how to call it, ends the program; "word" may be NULL. */
_Noreturn void options_usage(const char *what, const char *word);

#endif
