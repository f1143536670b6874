/* draw.h - running gnuplot. */
#ifndef EL_REPORT_DRAW_H
#define EL_REPORT_DRAW_H

#include "esxlat/base/error.h"
#include "esxlat/base/str.h"

/* Where gnuplot is, found through the absolute folders of PATH; false if nowhere. */
bool el_gnuplot_find(struct el_buf *path);
/* Draw folder/BASE.gp as `term` ("svg", "png") into folder/BASE.TERM, which appears only when it is complete. */
bool el_gnuplot_draw(const char *program, const char *folder, const char *base, const char *term);

#endif
