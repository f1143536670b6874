/* guest.h - inside guest/: what the readers of files share. */
#ifndef EL_GUEST_GUEST_H
#define EL_GUEST_GUEST_H

#include "esxlat/guest/guest.h"

/* The disk of that name, made if it is new; NULL when there are too many. */
struct el_guest_disk *el_guest_disk(struct el_guest *g, struct el_str name);
/* Rates, latencies (ms) and an interval become a flow.  `ios` counts where reads and writes are missing, `all` is the
 * latency where those of reads and writes are. */
struct el_guest_figures {
    double ios, reads, writes, all, read, write,
        queue; /* NaN: missing; queue: average outstanding */
};
bool el_guest_add(struct el_guest_disk *d, int64_t from, int64_t to,
                  const struct el_guest_figures *f);

bool el_perfmon_read(struct el_source *source, struct el_guest *out, struct el_error *err);
bool el_iostat_read(struct el_source *source, struct el_guest *out, struct el_error *err);

#endif
