/* slab.h - inside input/: a stretch of decoded text and how it is filled from a source. */
#ifndef EL_INPUT_SLAB_H
#define EL_INPUT_SLAB_H

#include "esxlat/input/source.h"

#define EL_SLAB_ENDS    1024
#define EL_SLAB_PADDING 32 /* set bytes behind the text: the JIT of PCRE2 looks at whole vectors */

struct el_slab { /* text[start .. used) is not given out yet */
    char *text;
    size_t start, used, room;
    size_t searched; /* line ends before it are listed: */
    size_t end[EL_SLAB_ENDS], next, ends;
    unsigned scan[EL_SLAB_ENDS]; /* as of el_line, of the lines that end there */
};

enum el_encoding { EL_NOT_KNOWN, EL_BYTES, EL_UTF16_LITTLE, EL_UTF16_BIG };

struct el_filler { /* zero-initialised but for source and chunk */
    struct el_source *source;
    size_t chunk;
    char *raw; /* UTF-16 bytes that are not decoded yet */
    size_t raw_used, raw_room;
    uint32_t high; /* a high surrogate that waits for its low one, or 0 */
    enum el_encoding encoding;
    bool at_end, utf8_mark;
};

/* Room for so many bytes more behind the text. */
void el_slab_reserve(struct el_slab *s, size_t more);
/* Look on for line ends, up to EL_SLAB_ENDS of them; those that were listed must be used up. */
void el_slab_find_ends(struct el_slab *s, char end);
/* Move what is left of a slab, which holds no listed line end, to its front. */
void el_slab_compact(struct el_slab *s);
/* What is left of `from` becomes the beginning of the empty slab `to`. */
void el_slab_carry(struct el_slab *to, const struct el_slab *from);
/* Read until the slab holds `more` new bytes or the source ends. */
bool el_slab_fill(struct el_slab *s, struct el_filler *f, size_t more, struct el_error *err);

#endif
