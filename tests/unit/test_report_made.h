/* test_report_made.h - made-up reports for the tests of the renderers. */
#ifndef TEST_REPORT_MADE_H
#define TEST_REPORT_MADE_H

#include "esxlat/report/report.h"

/* Names that break programs: each row of a test takes one. */
extern const struct el_str nasty_names[];
extern const size_t nasty_count;

/* A report with `luns` LUNs that had an incident, a VM disk each, findings on the first `findings` LUNs, a
 * finding on the first disk, and one consequence.  Name `i` is nasty when `nasty` is set. */
void make_report(struct el_report *r, size_t luns, size_t findings, bool nasty);
/* A report about nothing. */
void make_empty(struct el_report *r);

#endif
