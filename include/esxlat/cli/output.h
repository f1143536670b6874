/* output.h - what leaves the program: the answer, files, messages. */
#ifndef ESXLAT_CLI_OUTPUT_H
#define ESXLAT_CLI_OUTPUT_H

#include "esxlat/base/error.h"
#include "esxlat/base/str.h"

/* Append to standard output; whether that worked is told by el_out_finish. */
void el_out_answer(const struct el_buf *text);
/* Everything written? Otherwise EL_SYSTEM. */
bool el_out_finish(struct el_error *err);

/* A signal that ends the program removes the temporary file first. */
void el_out_guard(void);

/* "esxlat: TEXT" on standard error, and for EL_USAGE where to find help. */
void el_out_error(const struct el_error *e);
void el_out_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Colour for `stream` (1 or 2) under --color=auto|always|never (0, 1, 2)? */
bool el_out_colour(int stream, int64_t when);

#endif
