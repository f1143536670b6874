/* source.h - bytes of a file, a pipe, a compressed file, or of captures in an archive.
 *
 * A source is a chain: the bytes of the file; decompressed (gzip, zstd, xz, bzip2, lz4) if their
 * first bytes say so; if that is a tar or zip archive, its members; each decompressed again if
 * its first bytes say so.  Everything is streamed in one pass, also from a pipe: memory does not
 * grow with the file, whatever it claims to hold. */
#ifndef ESXLAT_INPUT_SOURCE_H
#define ESXLAT_INPUT_SOURCE_H

#include "esxlat/base/error.h"
#include "esxlat/base/str.h"

struct el_source;

/* Open `name` for reading; "-" is standard input.  An archive stands at its first capture, the
 * first member with a line that begins with (PDH-CSV within its first 64 KiB.  "ARCHIVE:MEMBER",
 * where no file has that whole name, is that one member, be it a capture or not.  On failure
 * NULL and EL_SYSTEM (open, read) or EL_CAPTURE: a folder, a compressed file of which not a byte
 * can be read, an archive without a capture or without that member. */
struct el_source *el_source_open(const char *name, struct el_error *err);
/* Bytes in memory (borrowed) under a name; fails as el_source_open does. */
struct el_source *el_source_memory(const char *name, const char *bytes, size_t length,
                                   struct el_error *err);
void el_source_free(struct el_source *s);

/* Up to `size` bytes into `to`; *got = 0 is the end.  False on a read error (EL_SYSTEM).  What
 * is compressed and cut off or damaged ends where it can be read no further, and
 * el_source_damage tells. */
bool el_source_read(struct el_source *s, char *to, size_t size, size_t *got, struct el_error *err);
/* NULL, or in words what was wrong with what was read so far: decompression stopped early, a
 * checksum is wrong, or something else follows the end. */
const char *el_source_damage(const struct el_source *s);

/* Go to the next capture of an archive, whether or not this one was read to its end; *more =
 * false: there is none. False: the archive can be read no further (EL_CAPTURE, EL_SYSTEM), and
 * that was not told as damage of the capture before.  Not while another thread reads. */
bool el_source_next(struct el_source *s, bool *more, struct el_error *err);

/* The name that was opened ("standard input" for "-"); of a member "bundle.tgz:path/in/it", the
 * path without "./" in front and made visible (el_buf_visible).  Borrowed until the next
 * el_source_next. */
const char *el_source_name(const struct el_source *s);
/* The first bytes that el_source_read gives, at most 512: to say what it is.  Borrowed likewise. */
struct el_str el_source_head(const struct el_source *s);

/* Is it a plain file, where reading is a mere copy and never waits for anyone? */
bool el_source_is_plain(const struct el_source *s);
/* The place in a plain file where el_source_read goes on; -1: not to be told (yet). */
int64_t el_source_place(const struct el_source *s);
/* Bytes of a plain file at a place; any thread, several at a time.  Fewer than `size` at its end, or with an errno in
 * *error (0: none), of which el_source_failed makes a message.  Does not move el_source_read; el_source_jump does, to
 * behind what was read so. */
size_t el_source_read_at(const struct el_source *s, char *to, size_t size, int64_t place,
                         int *error);
bool el_source_failed(const struct el_source *s, int error, struct el_error *err); /* false */
void el_source_jump(struct el_source *s, int64_t place);

/* For progress: bytes of the (outer) file consumed so far, and its size (0: unknown).  Any
 * thread may ask. */
void el_source_position(const struct el_source *s, uint64_t *done, uint64_t *total);

#endif
