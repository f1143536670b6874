/* lines.h - bytes into lines of text.
 *
 * A line ends at LF or CRLF; in a file without any LF (its first 64 MiB are looked at) at CR.  A UTF-8 byte order
 * mark is dropped; UTF-16 with a byte order mark becomes UTF-8.  Lines may be of any length up to
 * EL_LINE_LIMIT; memory is bounded by the longest line. */
#ifndef ESXLAT_INPUT_LINES_H
#define ESXLAT_INPUT_LINES_H

#include <limits.h>

#include "esxlat/input/source.h"

#define EL_LINE_LIMIT ((size_t)256 * 1024 * 1024)

struct el_line {
    struct el_str text; /* without its end; borrowed */
    uint64_t number;    /* 1, 2, ... */
    bool ended;         /* false: the file stopped before a line end */
    unsigned scan;      /* under this number it was scanned ahead; else EL_NOT_SCANNED */
};
enum el_line_result { EL_LINE_READ, EL_LINE_END, EL_LINE_FAILED };

/* A whole line of the next stretch, as soon as it is read, called by the thread that read it: lines come in any order, and
 * not all come.  The number is below EL_SCANS, those of one stretch lie in one half, and it is used again for the stretch
 * after the next. */
#define EL_SCANS       512
#define EL_NOT_SCANNED UINT_MAX
typedef void el_line_scan(void *ctx, struct el_str text, unsigned scan);

struct el_lines_traits { /* what was met so far; each becomes a quality note */
    bool utf8_mark, utf16, cr_only;
    uint64_t crlf; /* first line that ends in CR LF; 0: none */
};

struct el_lines;
/* `source` is borrowed; `chunk` bytes are read at a time, 0: the default.  With `ahead` several threads take part in
 * reading: where it may take time (decompression, a pipe) a thread of its own reads the next stretch while the lines of
 * the last one are worked on, else those who call el_lines_run_errand do, and these call `scan` (NULL: nothing). */
struct el_lines *el_lines_new(struct el_source *source, size_t chunk, bool ahead,
                              el_line_scan *scan, void *ctx);
void el_lines_free(struct el_lines *l);
/* The next lines, as many as are at hand but at least one, at most `most`; *count of them in `out`, all borrowed
 * until the next call of this or of el_lines_errands. */
enum el_line_result el_lines_next(struct el_lines *l, struct el_line *out, size_t most,
                                  size_t *count, struct el_error *err);
/* The lines that were given out are done with: in how many pieces may the caller read the next stretch?  Then
 * el_lines_run_errand may be called once for each piece (0 .. count - 1), from any threads at the same time, and all calls
 * must have returned before the next call of el_lines_next, which reads the pieces that are left. */
size_t el_lines_errands(struct el_lines *l);
void el_lines_run_errand(struct el_lines *l, size_t piece);
struct el_lines_traits el_lines_traits(const struct el_lines *l);

#endif
