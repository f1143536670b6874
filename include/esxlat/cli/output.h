/* output.h - what leaves the program: the answer, files, messages. */
#ifndef ESXLAT_CLI_OUTPUT_H
#define ESXLAT_CLI_OUTPUT_H

#include "esxlat/base/error.h"
#include "esxlat/base/str.h"

/* Append to standard output; whether that worked is told by el_out_finish. */
void el_out_answer(const struct el_buf *text);
/* Everything written? Otherwise EL_SYSTEM. */
bool el_out_finish(struct el_error *err);

/* Write a file as a whole or not at all: a temporary file beside it is renamed.  EL_SYSTEM. */
bool el_out_file(const char *folder, const char *name, const struct el_buf *text,
                 struct el_error *err);
/* Make a folder unless it is there. */
bool el_out_folder(const char *path, struct el_error *err);
/* A signal that ends the program removes the temporary file first. */
void el_out_guard(void);

/* "esxlat: TEXT" on standard error, and for EL_USAGE where to find help. */
void el_out_error(const struct el_error *e);
void el_out_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Colour for `stream` (1 or 2) under --color=auto|always|never (0, 1, 2)? */
bool el_out_colour(int stream, int64_t when);

#endif
