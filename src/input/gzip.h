/* gzip.h - inside input/: a stage that decompresses gzip with ISA-L (only gzip.c knows it). */
#ifndef EL_INPUT_GZIP_H
#define EL_INPUT_GZIP_H

#include "stream.h"

/* What a stage says of gzip that ends early or goes on after its end; unpack.c says the same. */
#define EL_CUT_OFF      "the compressed data are cut off"
#define EL_BAD_CHECKSUM "the checksum of the decompressed data is wrong"
#define EL_BAD_HEADER   "the header of the compressed data is damaged"
#define EL_TRAILING     "other data follow the compressed data and were left out"

/* NULL where the program was built without ISA-L. */
struct el_stream *el_gzip(struct el_stream *from);

#endif
