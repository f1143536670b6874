/* requests.h: where requests come from and go to. */
#ifndef SIM_REQUESTS_H
#define SIM_REQUESTS_H

#include "state.h"

/* Belongs to nobody yet; NULL when far too many are under way. */
struct request *requests_new(struct engine *e);
void requests_free(struct engine *e, struct request *r);

#endif
