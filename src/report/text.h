/* text.h - the sections of the plain text; text.c puts them in order. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "esxlat/report/report.h"
#include "page.h"

void el_text_evidence(struct el_page *p, const struct el_report *r, bool verbose);
void el_text_when(struct el_page *p, const struct el_report *r);
void el_text_findings(struct el_page *p, const struct el_report *r, bool verbose);
/* What to do first: the first check and remedy of the cause, of both causes of a mixed verdict. */
void el_text_next(struct el_page *p, const struct el_report *r);
/* Clocks, disks and queues of the guests that were measured; nothing without any. */
void el_text_guests(struct el_page *p, const struct el_report *r);
/* In short: findings that follow from another one; unless `verbose`, those on entities and layers not yet told. */
void el_text_consequences(struct el_page *p, const struct el_report *r, bool verbose);
/* --why: the rules considered. */
void el_text_why(struct el_page *p, const struct el_report *r);
/* Notes on the captures; unless `all`, harmless ones are only counted. */
void el_text_quality(struct el_page *p, const struct el_report *r, bool all);
void el_text_missing(struct el_page *p, const struct el_report *r);
void el_text_captures(struct el_page *p, const struct el_report *r);

/* The severity in colour. */
void el_text_severity(struct el_page *p, enum el_severity severity);
/* "1 sample", "2 samples": a count of things whose name takes an s. */
void el_text_plural(struct el_buf *out, uint64_t count, const char *thing);
/* "45 s", "10 min 5 s", "3 h 20 min". */
#define EL_TEXT_LASTED 40
const char *el_text_lasted(double seconds, char out[EL_TEXT_LASTED]);
/* A stretch of time, "2026-11-30 09:00:05 to 09:10:00 UTC": the date is not repeated. */
void el_text_stretch(struct el_buf *out, int64_t from, int64_t to);

#endif
