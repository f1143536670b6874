/* utf8.h - foreign names as text that every reader of UTF-8 takes. */
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include "esxlat/base/str.h"

/* Append `s`, with U+FFFD for each broken sequence. */
void el_utf8_mend(struct el_buf *out, struct el_str s);

#endif
