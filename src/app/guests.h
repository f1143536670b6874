/* guests.h - what guests measured, from --guest to what the rules and the verdict see of it. */
#ifndef EL_APP_GUESTS_H
#define EL_APP_GUESTS_H

#include "esxlat/guest/join.h"
#include "pipeline.h"

struct el_guests { /* zero-initialised: none */
    struct el_guest *guest;
    struct el_guest_wish *wish;
    struct el_join *join; /* set by el_guests_join */
    size_t count;
    struct el_watch *watch; /* NULL without guests */
};

/* Read the files of the options.  EL_USAGE: an empty name; else as el_guest_read. */
bool el_guests_read(struct el_guests *g, const struct el_options *o, struct el_error *err);
/* EL_USAGE when a virtual machine that was named is not in the captures; names the nearest. */
bool el_guests_named(const struct el_guests *g, const struct el_catalog *c, struct el_error *err);
/* After el_pipeline_finish: join, and give the judge the samples. */
void el_guests_join(struct el_guests *g, struct el_pipeline *p);
void el_guests_release(struct el_guests *g);

#endif
