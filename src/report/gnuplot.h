/* gnuplot.h - scripts for gnuplot: how it quotes, one look for all pictures.
 *
 * gnuplot runs backticks inside double quotes and expands @macros outside quotes; names are foreign.  So a name is
 * written only by el_gp_name and el_gp_tic, in single quotes, and never into a data block, a file name
 * or a comment. */
#ifndef REPORT_GNUPLOT_H
#define REPORT_GNUPLOT_H

#include "esxlat/report/report.h"

/* Okabe-Ito colours, told apart by the colour-blind; one colour a layer in every picture. */
#define EL_GP_DEVICE   "'#0072B2'"
#define EL_GP_VMKERNEL "'#E69F00'"
#define EL_GP_QUEUE    "'#D55E00'" /* the part of the VMkernel's time that was queueing */
#define EL_GP_GUEST    "'#009E73'"
#define EL_GP_LUN      "'#56B4E9'" /* device and kernel together, below a virtual disk */
#define EL_GP_LIMIT    "'#000000'"
#define EL_GP_PEAK     "'#000000'"
#define EL_GP_LOAD     "'#666666'"

#define EL_GP_FILE_ROOM 48

/* The name in single quotes, visible, in at most `room` columns, between words of ours; `before` is not empty. */
void el_gp_name(struct el_buf *out, const char *before, struct el_str name, size_t room,
                const char *after);
/* As el_gp_name, for a tic label: there gnuplot reads % as a format. */
void el_gp_tic(struct el_buf *out, struct el_str name, size_t room);

/* Terminal, output and style.  `base` is the file's name without ".gp", `what` a line on the picture. */
void el_gp_begin(struct el_buf *out, const char *base, const char *what, unsigned width,
                 unsigned height);
/* Axis of time in UTC for seconds since 1970, from `from` to `to` (ms). */
void el_gp_time_axis(struct el_buf *out, int64_t from, int64_t to);
/* The data block $data: second of each bucket's middle, then the tracks; NaN where nothing was
 * measured.  A track that was not kept is all NaN.  EL_GP_MAX(track), EL_GP_MIN(track): the largest and least
 * values in its buckets. */
#define EL_GP_MAX(track) (EL_TRACKS + (track))
#define EL_GP_MIN(track) (2 * EL_TRACKS + (track))
void el_gp_data(struct el_buf *out, const struct el_series *s, const int *track, size_t tracks);
/* Boxes as wide as a bucket. */
void el_gp_boxes(struct el_buf *out, const struct el_series *s);
/* Distance of the tics of an axis from 0 to the largest value of the track: four of them at most. */
double el_gp_tic_step(const struct el_series *s, enum el_track t);
/* For pictures with a row an entity, worst first: names as tics, margins; and how high such a picture is. */
void el_gp_rows(struct el_buf *out, const struct el_report *r, const uint32_t *order, size_t rows);
unsigned el_gp_rows_height(size_t rows);
/* Grey areas where findings on the entity hold; what they mean stands at `bottom` (0-1 of the page). */
void el_gp_windows(struct el_buf *out, const struct el_report *r, uint32_t entity, double bottom);
/* Where a panel and its key lie on the page, 0-1 from below. */
void el_gp_panel(struct el_buf *out, double bottom, double top);
/* set title 'lun NAME on HOST' */
void el_gp_title(struct el_buf *out, const struct el_entity_report *e);

/* Did this track keep a value? */
bool el_gp_has(const struct el_series *s, enum el_track t);

/* A picture of one entity: does the report hold what it needs, and its script. */
struct el_gp_picture {
    const char *suffix; /* of the file name: lun-3SUFFIX.gp */
    bool (*applies)(const struct el_entity_report *e);
    void (*script)(struct el_buf *out, const struct el_report *r, uint32_t entity,
                   const char *base);
};
extern const struct el_gp_picture el_gp_stack, el_gp_queue, el_gp_disk, el_gp_scatter;

/* Pictures of many entities; false if there is nothing to draw. */
bool el_gp_heat(struct el_buf *out, const struct el_report *r, unsigned kinds, const char *base);
bool el_gp_spread(struct el_buf *out, const struct el_report *r, unsigned kinds, const char *base);

#endif
