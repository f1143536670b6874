/* unpack.h - inside input/: stages that decompress, and the members of an archive (libarchive;
 * only unpack.c knows it). */
#ifndef EL_INPUT_UNPACK_H
#define EL_INPUT_UNPACK_H

#include "stream.h"

enum el_packing { EL_NOT_PACKED, EL_GZIP, EL_BZIP2, EL_XZ, EL_ZSTD, EL_LZ4 };

#define EL_LOOK ((size_t)512) /* bytes that tell what something is */

/* By the first bytes, EL_LOOK of them where there are so many. */
enum el_packing el_packing_of(struct el_str head);
bool el_is_archive(struct el_str head); /* tar or zip */

/* Decompress what comes from `from`: gzip by gzip.h where it can, all else by libarchive.
 * Cannot fail: a file that is no such thing ends at once, damaged. */
struct el_stream *el_unpack(struct el_stream *from, enum el_packing packing);
/* The same, by libarchive whatever the packing.  Where a file is cut off or damaged up to one
 * block less comes out (64 KiB with gzip). */
struct el_stream *el_unpack_plainly(struct el_stream *from, enum el_packing packing);

/* The files of a tar or zip archive, one after the other, in one pass.  It is a stage as well:
 * its bytes are those of the member at hand. */
struct el_members;
struct el_stream *el_members_stream(struct el_members *m);
struct el_members *el_members_new(struct el_stream *from);
void el_members_free(struct el_members *m);
/* Go to the next member that is a file and can be read; what is left of the one before is passed
 * over. False: there is none. */
bool el_members_next(struct el_members *m);
/* Foreign bytes without "./" in front; borrowed until the next call. */
struct el_str el_members_name(const struct el_members *m);
/* NULL, or why the archive could be read no further. */
const char *el_members_broken(const struct el_members *m);
/* Files that were passed over because they are encrypted. */
size_t el_members_encrypted(const struct el_members *m);

#endif
