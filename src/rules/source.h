/* source.h - where a text of a rule file stands, and errors that show it. */
#ifndef RULES_SOURCE_H
#define RULES_SOURCE_H

#include "esxlat/base/error.h"
#include "esxlat/base/str.h"

/* A line of a value: `key = value` or an indented line below it. */
struct el_line {
    const char *file;
    unsigned number;
    struct el_str whole; /* the line as it stands in the file */
    struct el_str value; /* the part of it that is the value, without blanks around */
    struct el_str key;   /* the key as it stands in its line */
};

/* The lines of all values of one key.  Zero-initialised is empty. */
struct el_value_lines {
    struct el_line *item;
    size_t count, room;
};

/* A range of bytes of a line; `start` counts from the begin of the whole line. */
struct el_span {
    const struct el_line *line;
    size_t start, length;
};

struct el_span el_span_of(const struct el_line *line,
                          struct el_str part);            /* `part` lies in the line */
struct el_span el_span_value(const struct el_line *line); /* its whole value */
struct el_str el_span_text(struct el_span span);
/* From the begin of `first` to the end of `last`; cut at the line's end if that is on another line.
 */
struct el_span el_span_join(struct el_span first, struct el_span last);

/* EL_RULES with file:line:column, what the format says, the line, carets below the range, and
 * `hint` (may be NULL) as the last line.  Returns false. */
bool el_fail_at(struct el_error *err, struct el_span span, const char *hint, const char *format,
                ...) __attribute__((format(printf, 4, 5)));
/* As above: "unknown WHAT 'WORD'", with the nearest of the known names as the hint. */
bool el_fail_unknown(struct el_error *err, struct el_span span, const char *what,
                     struct el_str word, size_t count,
                     const char *(*name)(const void *ctx, size_t i), const void *ctx);

/* A foreign word for a message: at most 40 bytes of it, visible.  Returns `out`. */
#define EL_WORD_ROOM 168
char *el_word_text(struct el_str word, char out[EL_WORD_ROOM]);

#endif
