/* str.h - byte slices, a growing text buffer, and what names need.
 *
 * A slice borrows bytes; they need not be UTF-8 and may hold NUL. */
#ifndef ESXLAT_BASE_STR_H
#define ESXLAT_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct el_str {
    const char *ptr;
    size_t len;
};
#define EL_STR(literal) ((struct el_str){ (literal), sizeof(literal) - 1 })

struct el_str el_str(const char *text); /* of a NUL-terminated text; NULL gives an empty slice */
bool el_str_equal(struct el_str a, struct el_str b);
bool el_str_is(struct el_str a, const char *text);
bool el_str_among(struct el_str a, const char *const *text, size_t count);
bool el_str_starts(struct el_str a, const char *prefix);
struct el_str el_str_from(struct el_str a, size_t start); /* the rest from byte `start` */
struct el_str el_str_trim(struct el_str a); /* without blanks, tabs and line ends around */
int el_str_compare(struct el_str a, struct el_str b); /* bytewise, shorter first */
uint64_t el_str_hash(struct el_str a);

/* Of `count` names the one nearest to `word` (edit distance at most a third of its length, at
 * least 1), or NULL.  `name(ctx, i)` gives the i-th. */
const char *el_nearest(const char *word, size_t count,
                       const char *(*name)(const void *ctx, size_t i), const void *ctx);

/* A text that grows up to `limit` bytes; beyond it the text is cut and `full` is set.
 * Zero-initialised is empty with a limit of 64 MiB. Always NUL-terminated once something was added. */
struct el_buf {
    char *ptr;
    size_t len, room, limit;
    bool full;
};
void el_buf_add(struct el_buf *b, const void *bytes, size_t length);
void el_buf_text(struct el_buf *b, const char *text);
void el_buf_char(struct el_buf *b, char c);
void el_buf_print(struct el_buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void el_buf_clear(struct el_buf *b); /* empty, keeps its memory */
void el_buf_release(struct el_buf *b);

/* Append a foreign name so that a terminal is safe: control characters (C0, DEL, C1), marks that turn the
 * writing direction (U+202A..202E, U+2066..2069) and bytes that
 * are not UTF-8 become \xNN, a backslash stays.  Returns the display columns (code points) added. */
size_t el_buf_visible(struct el_buf *b, struct el_str name);

/* Length of the well-formed UTF-8 sequence at s (1 to 4), 0 where it is none. */
size_t el_utf8_length(struct el_str s);

/* Hash map from byte strings to numbers.  Keys are borrowed: they must outlive the map. */
struct el_map {
    struct el_map_slot *slots;
    size_t count, room;
};
#define EL_MAP_NONE UINT32_MAX
uint32_t el_map_get(const struct el_map *m, struct el_str key); /* EL_MAP_NONE if absent */
/* The value stored under key; if absent, `value` is stored first. */
uint32_t el_map_put(struct el_map *m, struct el_str key, uint32_t value);
void el_map_release(struct el_map *m);

#endif
