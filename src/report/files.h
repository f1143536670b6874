/* files.h - files that appear whole or not at all, and running gnuplot. */
#ifndef REPORT_FILES_H
#define REPORT_FILES_H

#include "esxlat/base/error.h"
#include "esxlat/base/str.h"

/* Make a folder and those above it. */
bool el_folder_make(const char *folder, struct el_error *err);
/* Write folder/name through a temporary file. */
bool el_file_write(const char *folder, const char *name, const struct el_buf *text,
                   struct el_error *err);

/* Where gnuplot is, found through the absolute folders of PATH; false if nowhere. */
bool el_gnuplot_find(struct el_buf *path);
/* Draw folder/BASE.gp as `term` ("svg", "png") into folder/BASE.TERM, which appears only when it is complete. */
bool el_gnuplot_draw(const char *program, const char *folder, const char *base, const char *term);

#endif
