/* source.h - bytes of a file, a pipe or a compressed file (libarchive; only source.c knows it). */
#ifndef ESXLAT_INPUT_SOURCE_H
#define ESXLAT_INPUT_SOURCE_H

#include "esxlat/base/error.h"
#include "esxlat/base/str.h"

struct el_source;

/* Open `name` for reading; "-" is standard input.  Compressed input (gzip, zstd, xz, bzip2, lz4) is
 * recognised by its first bytes.  On failure EL_SYSTEM and NULL; a folder or an archive is EL_CAPTURE. */
struct el_source *el_source_open(const char *name, struct el_error *err);
/* Bytes in memory (borrowed) under a name; fails as el_source_open does. */
struct el_source *el_source_memory(const char *name, const char *bytes, size_t length,
                                   struct el_error *err);
void el_source_free(struct el_source *s);

/* Up to `size` bytes into `to`; *got = 0 is the end.  False on a read error (EL_SYSTEM).  A compressed
 * file that is cut off or damaged ends where it can be read no further, and el_source_damage tells. */
bool el_source_read(struct el_source *s, char *to, size_t size, size_t *got, struct el_error *err);
/* NULL, or in words why decompression stopped early. */
const char *el_source_damage(const struct el_source *s);

/* The first bytes of the file, at most 512: to say what it is. Borrowed. */
struct el_str el_source_head(const struct el_source *s);

/* For progress: bytes of the file consumed so far, and its size (0: unknown). */
void el_source_position(const struct el_source *s, uint64_t *done, uint64_t *total);

#endif
