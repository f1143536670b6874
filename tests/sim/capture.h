/*
 * capture.h: writes a host as `esxtop -b` would: header, then a row for each sample.
 *
 * STYLE_ALL is `-b -a`: all counters, and the defect of the Power screen (a bare field with leading
 * blanks and no comma before the next one). STYLE_DEFAULT is `-b`: fewer counters, trailing commas.
 */
#ifndef SIM_CAPTURE_H
#define SIM_CAPTURE_H

#include "books.h"
#include "cpu.h"
#include "model.h"
#include "out.h"

enum style { STYLE_ALL, STYLE_DEFAULT };

struct capture_options {
    enum style style;
    bool lean; /* few system groups, values that compress well */
    long fill; /* columns to have at least about; 0: as they come */
};

struct capture;

/* All arguments are borrowed and must outlive the capture; cells are read when a row is written. */
struct capture *capture_new(const struct host *h, const struct books *b, const struct cpu *cpu,
                            const struct capture_options *options, struct out *out);
void capture_free(struct capture *c);

void capture_header(struct capture *c);
void capture_row(struct capture *c, int64_t epoch_s); /* the first one is the baseline */

#endif
