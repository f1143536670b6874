/* num.h - numbers as text, the same in every locale. The program never calls setlocale(LC_NUMERIC),
 * so the C library's own conversions are in the C locale as well. */
#ifndef ESXLAT_BASE_NUM_H
#define ESXLAT_BASE_NUM_H

#include <math.h>

#include "esxlat/base/str.h"

/* What stands for a missing value everywhere (NAN is a float and would be promoted). */
#define EL_NAN ((double)NAN)

/* The value of a decimal number ([+-]digits[.digits][e[+-]digits], blanks around it ignored),
 * correctly rounded, equal to strtod's.  NaN for everything else: empty, text, nan, inf, hex, a list
 * such as 0/1, or a number too large for a double. */
double el_num_parse(struct el_str text);

/* `value` is missing (NaN)? Missing is never 0. */
static inline bool el_missing(double value) {
    return isnan(value);
}

/* Print for people: milliseconds, rates and the like with about three significant digits, never in
 * exponent form below 1e9: 0.004 0.38 12.8 2245 1.20e+12; "-" when missing.  Returns `out`. */
#define EL_NUM_ROOM 32
char *el_num_short(double value, char out[EL_NUM_ROOM]);

#endif
