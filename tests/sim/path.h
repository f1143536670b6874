/* path.h: which path a command takes, and what a bad one does to it. */
#ifndef SIM_PATH_H
#define SIM_PATH_H

#include "state.h"

int path_pick(struct engine *e, int lun);

/* Milliseconds on top, and those until a lost frame is sent again. */
double path_delay_ms(struct engine *e, const struct request *r);

/* Is the path of the command down at that time, so that it gets no answer? */
bool path_is_down(const struct engine *e, const struct request *r, double at_s);

/* How long the driver takes to give a command on a dead path back. */
double path_notice_s(struct engine *e, const struct request *r);

/* The multipathing now knows: other commands take another path until this one is back. */
void path_avoid(struct engine *e, const struct request *r);

#endif
