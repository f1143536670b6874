/*
 * guest_file.h: what the guest itself would have measured on the disks of one VM: Windows perfmon
 * (PDH-CSV), or iostat -x -t -o JSON of sysstat 12. Its latency begins where the guest's block layer
 * takes a request, so it includes the queue in front of the virtual adapter, which esxtop never
 * sees. The guest samples at its own times on a clock of its own.
 */
#ifndef SIM_GUEST_FILE_H
#define SIM_GUEST_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "books.h"
#include "model.h"

enum guest_format { GUEST_PERFMON, GUEST_IOSTAT, GUEST_IOSTAT_ISO };

struct guest_options {
    const char *path;
    const char *vm; /* NULL: the culprit's, else that of the first disk */
    enum guest_format format;
    double offset_s; /* the guest's clock minus the host's */
    double interval_s;
    double noise; /* sigma of the factor on rates and latencies */
};

struct guest_file;

/* "o" and "h" are borrowed. The VM must exist: see guest_file_vm. */
struct guest_file *guest_file_new(const struct guest_options *o, const struct host *h, int vm,
                                  uint64_t seed, int64_t start_s, FILE *f);
void guest_file_free(struct guest_file *g);

/* Index of the VM the guest file is of, -1 if there is no such VM. */
int guest_file_vm(const struct guest_options *o, const struct host *h);

/* When the guest samples next, in seconds since the first row of the capture. */
double guest_file_next_s(const struct guest_file *g);

/* Takes a sample at that time out of what the disks of the VM have counted until then. */
void guest_file_sample(struct guest_file *g, const struct guest_counts disks[MAX_DISKS]);

/* Ends the text; the file is the caller's to close. */
FILE *guest_file_end(const struct guest_file *g);

/* The field "guest" of the truth: zone, clock and, per disk, the mean above the vSCSI layer. */
void guest_file_truth(const struct guest_file *g, FILE *f);

#endif
