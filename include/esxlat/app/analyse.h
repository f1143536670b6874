/* analyse.h - the program as one call: captures in, report out.
 *
 * The command line, the golden tests and the fuzzer are three clients of it. */
#ifndef ESXLAT_APP_ANALYSE_H
#define ESXLAT_APP_ANALYSE_H

#include "esxlat/base/task.h"
#include "esxlat/input/skim.h"
#include "esxlat/report/report.h"
#include "esxlat/rules/rules.h"

/* Zero-initialised is a sensible default except for `file`, `rules`, and `profile` (EL_AUTO). */
struct el_options {
    const char *const *file; /* names; "-" is standard input */
    size_t files;
    const struct el_ruleset *
        rules; /* compiled, or by `rules_task`, which is waited for when the first header was read */
    struct el_task *rules_task; /* borrowed; NULL: none */
    enum el_profile profile;    /* EL_AUTO: by the device's own floor */
    int64_t from, to;       /* ms since 1970, samples outside are not used; both 0: everything */
    const char *const *lun; /* only these LUNs / VMs / adapters and what hangs together with them */
    size_t luns;
    const char *const *vm;
    size_t vms;
    const char *const *adapter;
    size_t adapters;
    const char *const *guest; /* "FILE" or "FILE,vm=NAME": what guests measured */
    size_t guests;
    unsigned threads; /* 0: all */
    bool libcsv_only; /* --reader=libcsv */
    bool
        has_level; /* --reader=scalar, sse2, ...: this way of scanning; else the best of the machine */
    enum el_skim_level level;
    bool
        verdict_only; /* read only what the text verdict needs: paths, worlds and partitions get fewer figures */
    bool
        why; /* explain the judgement of the entities named above, else of those that findings name */
    bool want_series; /* keep what pictures need */
    size_t chunk;     /* bytes a read; 0: the default */
    const char *data; /* tests: analyse these bytes instead of files (file[0] names them) */
    size_t data_length;
};

/* All calls come from the thread that called el_analyse. Members may be NULL. */
struct el_observer {
    void (*progress)(void *ctx, const char *file, uint64_t done,
                     uint64_t total /* bytes; 0: unknown */);
    void (*trouble)(void *ctx,
                    const struct el_error *e); /* one file of several failed; the others go on */
    void *ctx;
};

/* False when what a guest measured cannot be used (EL_USAGE, EL_CAPTURE, EL_SYSTEM), when `rules_task` failed (its
 * error), or when no file was usable: `err` is the worst failure (EL_CAPTURE or EL_SYSTEM).  When at least one
 * was, true: the report holds those, `trouble` was told of the others and err->status holds the worst
 * status among them (EL_OK if none failed).  Release the report in either case with el_report_release. */
bool el_analyse(const struct el_options *o, const struct el_observer *observer,
                struct el_report *out, struct el_error *err);

#endif
