/* rank.h - which entities are shown first: an order shared by the text and the pictures. */
#ifndef REPORT_RANK_H
#define REPORT_RANK_H

#include "esxlat/report/report.h"

/* The figure that stands for what a user of the entity waits: LAT of a virtual disk, else GAVG, else
 * DAVG or KAVG.  NULL when no sample entered any of them. */
const struct el_figure *el_rank_figure(const struct el_entity_report *e);
/* Its name for people: "LAT", "GAVG", "DAVG", "KAVG", or "-". */
const char *el_rank_figure_name(const struct el_entity_report *e);

/* Indices of the entities of `kinds` (EL_KIND_BIT) that carried commands: those named in a root finding first,
 * then by the time their commands waited.  Those named in a root finding are given whatever their
 * kind.  The caller frees *order. */
size_t el_rank(const struct el_report *r, unsigned kinds, uint32_t **order);

#endif
