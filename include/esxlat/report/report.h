/* report.h - renderers: the answer as text, JSON and pictures.
 *
 * A renderer computes nothing: it formats a const struct el_report (verdict/answer.h). */
#ifndef ESXLAT_REPORT_REPORT_H
#define ESXLAT_REPORT_REPORT_H

#include "esxlat/base/error.h"
#include "esxlat/verdict/answer.h"

/* A renderer: name of the format, a line of help, and the function that appends to `out`. */
struct el_text_style {
    bool colour;
    bool verbose;
};
void el_report_text(const struct el_report *r, const struct el_text_style *style,
                    struct el_buf *out);
void el_report_json(const struct el_report *r, struct el_buf *out);
/* What `esxlat list` says: captures, objects, entities, gaps, missing counters. */
void el_report_listing(const struct el_report *r, const struct el_text_style *style,
                       struct el_buf *out);
void el_report_listing_json(const struct el_report *r, struct el_buf *out);

/* Write scripts below `folder` (made if missing), draw each as SVG and PNG with gnuplot where it is
 * found.  Files, N being an entity's index in the report:
 *   heat-devices heat-disks spread-devices spread-disks   up to 60 entities, the worst first
 *   KIND-N        latency by layer and IOPS          KIND-N-queue  queue of a LUN
 *   KIND-N-lat    a virtual disk over its LUN        KIND-N-load   latency against IOPS
 * those of single entities for the first 24 that findings name; what a picture needs and the report
 * lacks leaves it out.  `*written` tells how many scripts were written, `*drawn` how many of them
 * were drawn; both are set whatever happens.  False, EL_SYSTEM: a file could not be written, or
 * gnuplot failed (the scripts are there, the text names them). */
bool el_report_plots(const struct el_report *r, const char *folder, size_t *written, size_t *drawn,
                     struct el_error *err);

#endif
