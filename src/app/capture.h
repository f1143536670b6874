/* capture.h - what the report says about one capture: form, quality, what is missing; or why it is unusable. */
#ifndef EL_APP_CAPTURE_H
#define EL_APP_CAPTURE_H

#include "esxlat/app/analyse.h"
#include "esxlat/metrics/reader.h"

/* Fill a report row; texts go to `arena`. */
void el_capture_describe(const struct el_catalog *c, const struct el_quality *q,
                         const struct el_totals *t, const char *file, struct el_arena *arena,
                         struct el_capture_report *out);
/* EL_CAPTURE with a sentence that says what the file is and what to capture instead, when nothing of it can be
 * used; true otherwise. */
bool el_capture_usable(const struct el_catalog *c, const struct el_quality *q,
                       const struct el_totals *t, const char *file, struct el_str first_bytes,
                       struct el_error *err);

#endif
