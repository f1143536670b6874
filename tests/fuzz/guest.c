/* Any bytes as what a guest measured: both readers, and the search for its clock against itself. */
#include "fuzz.h"

#include "esxlat/guest/align.h"
#include "esxlat/guest/guest.h"

#include <math.h>
#include <stdlib.h>

/* What a trace promises: in order, finite, nothing negative. */
static void check(const struct el_trace *t) {
    for (size_t i = 0; i < t->count; i++) {
        const struct el_flow *f = &t->item[i];
        if (f->to <= f->from || (i && f->from < t->item[i - 1].to) || !isfinite(f->ios) ||
            !isfinite(f->wait) || f->ios < 0 || f->wait < 0 || f->timed > f->ios * (1 + 1e-9))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct el_error err;
    struct el_guest guest = { 0 };
    struct el_source *source =
        el_source_memory("fuzz", size ? (const char *)bytes : "", size, &err);
    if (!source)
        return 0;
    if (el_guest_take(source, "fuzz", &guest, &err))
        for (size_t i = 0; i < guest.disks; i++) {
            check(&guest.disk[i].trace);
            struct el_alignment a =
                el_align(&guest.disk[i].trace, &guest.disk[0].trace, -60000, 60000);
            if (!isfinite(a.offset) || !isfinite(a.score))
                abort();
        }
    el_guest_release(&guest);
    el_source_free(source);
    return 0;
}
