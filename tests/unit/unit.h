/* unit.h - what a unit test file includes first.
 *
 * A file holds one suite: `Suite *suite_name(void)`, at the start of a line.  The build collects
 * them, there is no list to keep. */
#ifndef UNIT_H
#define UNIT_H

#include <check.h>

#define SUITE(name) Suite *name(void);
#include "suites.h"
#undef SUITE

#endif
