/* clock.h - moments as milliseconds since 1970-01-01T00:00:00Z, without the C library's time zone. */
#ifndef ESXLAT_BASE_CLOCK_H
#define ESXLAT_BASE_CLOCK_H

#include "esxlat/base/str.h"

#define EL_NO_TIME INT64_MIN

/* A row's timestamp as printed: MM/DD/YYYY HH:MM[:SS[.fff]] or YYYY-MM-DD[T ]HH:MM[:SS[.fff]][Z],
 * blanks around it ignored.  `minutes_west` of UTC is added.  EL_NO_TIME when it is no such thing.
 * `*has_seconds` (may be NULL) tells whether seconds were printed. */
int64_t el_clock_parse(struct el_str text, int minutes_west, bool *has_seconds);

#define EL_CLOCK_ROOM 32
/* "2026-11-30T09:00:05Z", with .mmm when not a whole second; "-" for EL_NO_TIME.  Returns `out`. */
char *el_clock_rfc3339(int64_t ms, char out[EL_CLOCK_ROOM]);
/* "2026-11-30 09:00:05" for people. */
char *el_clock_text(int64_t ms, char out[EL_CLOCK_ROOM]);

#endif
