#include "gzip.h"

#ifdef ESXLAT_ISAL

#include <isa-l/igzip_lib.h>
#include <string.h>

#include "esxlat/base/mem.h"

struct gzip {
    struct el_stream stream;
    struct inflate_state inflate;
    bool started, between; /* between two gzip members, or before the first */
    bool at_end;           /* of what comes in */
    unsigned char in[EL_STREAM_CHUNK];
};

static const char *in_words(int code) {
    switch (code) {
    case ISAL_INCORRECT_CHECKSUM: return EL_BAD_CHECKSUM;
    case ISAL_INVALID_WRAPPER:
    case ISAL_UNSUPPORTED_METHOD: return EL_BAD_HEADER;
    default: return "the compressed data are damaged";
    }
}

/* More input behind what is left of it; false at the end. */
static bool refill(struct gzip *g) {
    size_t left = g->inflate.avail_in;
    if (left)
        memmove(g->in, g->inflate.next_in, left);
    size_t got =
        g->at_end ? 0 : el_stream_read(g->stream.from, (char *)g->in + left, sizeof g->in - left);
    g->at_end = got == 0;
    g->inflate.next_in = g->in;
    g->inflate.avail_in = (uint32_t)(left + got);
    return got > 0;
}

/* At the start of a gzip member?  Zeros, which some devices pad with, are passed over. */
static bool next_member(struct gzip *g) {
    struct inflate_state *z = &g->inflate;
    for (;;) {
        while (g->started && z->avail_in && *z->next_in == 0) {
            z->next_in++;
            z->avail_in--;
        }
        if (z->avail_in >= 2 || !refill(g))
            break;
    }
    if (z->avail_in >= 2 && z->next_in[0] == 0x1f && z->next_in[1] == 0x8b) {
        isal_inflate_reset(z);
        z->crc_flag = ISAL_GZIP;
        g->started = true;
        return true;
    }
    if (g->stream.from->damage[0] || z->avail_in)
        (void)el_stream_spoil(&g->stream, EL_TRAILING);
    return false;
}

static size_t take_gzip(struct el_stream *s, char *to, size_t size) {
    struct gzip *g = (struct gzip *)s;
    struct inflate_state *z = &g->inflate;
    size_t room = size < INT32_MAX ? size : INT32_MAX;
    z->next_out = (uint8_t *)to;
    z->avail_out = (uint32_t)room;
    while (z->avail_out == room && !s->damage[0]) {
        if (g->between && !next_member(g))
            break;
        if (z->avail_in == 0)
            (void)refill(g);
        int code = isal_inflate(z);
        g->between = z->block_state == ISAL_BLOCK_FINISH;
        if (code != ISAL_DECOMP_OK)
            (void)el_stream_spoil(s, in_words(code));
        else if (g->at_end && z->avail_out == room && !g->between)
            (void)el_stream_spoil(s, EL_CUT_OFF);
    }
    return room - z->avail_out;
}

struct el_stream *el_gzip(struct el_stream *from) {
    struct gzip *g = el_alloc(sizeof *g);
    memset(&g->stream, 0, sizeof g->stream);
    isal_inflate_init(&g->inflate);
    g->started = g->at_end = false;
    g->between = true;
    g->stream.take = take_gzip;
    g->stream.from = from;
    return &g->stream;
}

#else

struct el_stream *el_gzip(struct el_stream *from) {
    (void)from;
    return NULL;
}

#endif
