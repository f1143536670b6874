/* progress.h - how far reading has come, on a terminal only, after the first second. */
#ifndef ESXLAT_CLI_PROGRESS_H
#define ESXLAT_CLI_PROGRESS_H

#include "esxlat/base/str.h"

struct el_progress {
    bool wanted, drawn;
    int64_t start_ms, last_ms;
};

/* Nothing is ever drawn when `quiet` or when standard error is no terminal. */
void el_progress_start(struct el_progress *p, bool quiet);
/* For el_observer; `ctx` is a struct el_progress. */
void el_progress_update(struct el_progress *p, const char *file, uint64_t done, uint64_t total);
/* Erase the line, if any. */
void el_progress_erase(struct el_progress *p);

/* "big.csv: 1.2 GB of 4.0 GB (30 %), 410 MB/s, 7 s left"; `total` 0: unknown. */
void el_progress_line(struct el_buf *out, const char *file, uint64_t done, uint64_t total,
                      int64_t elapsed_ms);

#endif
