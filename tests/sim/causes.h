/* causes.h: which rules of esxlat name a cause rightly; the one place that knows their ids. */
#ifndef SIM_CAUSES_H
#define SIM_CAUSES_H

#include <stdio.h>

/*
 * Writes the ids as a JSON list. It holds null where no cause at all is right as well: nothing is
 * wrong below the guest. The cause must be in the table (asserted).
 */
void causes_write(FILE *f, const char *cause);

#endif
