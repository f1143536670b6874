/*
 * truth.h: what really happened, in two forms of JSON.
 *
 * esxlat.truth/1   scenario, seed, layer, alternatives, cause, window, share of the waiting time
 *                  ("share" over the troubled entities while trouble lasts, "share_all" over all),
 *                  entities, links of virtual disks to LUNs, culprit
 * esxlat.labels/1  the part of it that scoring a verdict needs
 */
#ifndef SIM_TRUTH_H
#define SIM_TRUTH_H

#include <stdint.h>
#include <stdio.h>

#include "books.h"
#include "model.h"

struct guest_file;

struct truth {
    const struct host *host;
    const struct books *books;
    const char *scenario, *title;
    uint64_t seed;
    enum strength strength;
    int64_t start_s; /* of the first row, seconds since 1970 */
    int64_t *ends_s; /* of each sample, since the first row, which is none */
    long samples;
    const struct guest_file *guest; /* NULL: none was written */
};

void truth_write(const struct truth *t, FILE *f);
void truth_string(FILE *f, const char *text); /* in quotes */
void truth_disk_name(FILE *f, const struct host *h, int disk);
void truth_write_labels(const struct truth *t, FILE *f);

#endif
