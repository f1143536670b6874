/* contents.h - inside input/: which members of an archive are captures, and what to say when
 * none is. */
#ifndef EL_INPUT_CONTENTS_H
#define EL_INPUT_CONTENTS_H

#include "esxlat/base/error.h"
#include "esxlat/base/mem.h"
#include "esxlat/base/str.h"

#define EL_CAPTURE_WINDOW                                                                          \
    ((size_t)64 * 1024) /* the header of a capture begins within these bytes */

/* Does a line of these first bytes begin with (PDH-CSV, quoted or not?  UTF-16 is known by its
 * mark. */
bool el_begins_capture(struct el_str window);

/* Names met so far, made visible; zero-initialised is empty. */
struct el_contents {
    struct el_arena arena;
    const char **capture; /* at most a few thousand */
    const char *other[4]; /* the first of the files that are no captures */
    size_t captures, room, files;
};
void el_contents_note(struct el_contents *c, struct el_str name, bool capture);
void el_contents_release(struct el_contents *c);

/* Both EL_CAPTURE.  `broken` (may be NULL) is why the archive could be read no further. */
bool el_contents_no_capture(const struct el_contents *c, const char *archive, size_t encrypted,
                            const char *broken, struct el_error *err);
bool el_contents_no_member(const struct el_contents *c, const char *archive, const char *member,
                           const char *broken, struct el_error *err);

#endif
