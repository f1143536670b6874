/* page.h - plain text that fits 80 columns, whatever the names: what text.c and listing.c are built of.
 *
 * Everything given as `text` may hold foreign names; it is made visible (el_buf_visible) here and
 * nowhere else. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "esxlat/base/str.h"

#define EL_PAGE_COLUMNS 80

struct el_page {
    struct el_buf *out;
    bool colour;
};

enum el_ink { EL_INK_BOLD, EL_INK_RED, EL_INK_YELLOW, EL_INK_GREEN, EL_INK_BLUE };

/* Columns a terminal uses for well-formed, visible UTF-8: East Asian wide characters take two. */
size_t el_page_columns(struct el_str visible);
/* Append the name in at most `room` (>= 8) columns; what is too long loses its middle to "...". */
void el_page_short(struct el_buf *out, struct el_str name, size_t room);

/* Words of ours in colour, if the page has colour. */
void el_page_ink(struct el_page *p, enum el_ink ink, const char *words);
void el_page_heading(struct el_page *p, const char *words);
/* `lead` (ours, shorter than `indent`), then the text from column `indent` on, broken between words;
 * a word longer than a line is broken as well. */
void el_page_wrap(struct el_page *p, const char *lead, size_t indent, struct el_str text);
/* On a line of its own, never broken: for copy and paste. */
void el_page_whole(struct el_page *p, const char *lead, size_t indent, struct el_str text);
/* `lead` and the text in one line; what is too long loses its middle. */
void el_page_line(struct el_page *p, const char *lead, struct el_str text);

#endif
