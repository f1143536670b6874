/* test_archive_made.h - compressed files and archives made in memory, for the tests. */
#ifndef TEST_ARCHIVE_MADE_H
#define TEST_ARCHIVE_MADE_H

#include "unit.h"

#include <archive.h>
#include <archive_entry.h>

#include "esxlat/input/source.h"

struct made_member {
    const char *name;
    struct el_str bytes;
    unsigned type;    /* AE_IFREG, AE_IFDIR, AE_IFLNK */
    const char *link; /* of AE_IFLNK; of AE_IFREG: a hard link */
};

/* Append `bytes` compressed by a filter of libarchive to `out`. */
void made_packed(int filter, struct el_str bytes, struct el_buf *out);
/* Append an archive; `password` is for zip, else NULL. */
void made_archive(int format, int filter, const struct made_member *member, size_t members,
                  const char *password, struct el_buf *out);
/* Some 300 KiB of text that compresses about as captures do. */
void made_text(struct el_buf *out);
/* A file with these bytes, its name in `name`. */
void made_file(char name[64], struct el_str bytes);
/* Everything the source gives, `step` bytes a read; it may be damaged. */
void made_read(struct el_source *s, size_t step, struct el_buf *out);

#endif
