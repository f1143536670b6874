/* stream.h - inside input/: one stage of the chain of a source, from which bytes are taken on
 * demand.
 *
 * A stage takes its bytes from the stage `from`.  It ends (0 bytes) in one of three ways: at its
 * end, damaged (`damage` says why), or because reading the file failed (`read_error` of the
 * file's stage).  What was taken before is good in each case. */
#ifndef EL_INPUT_STREAM_H
#define EL_INPUT_STREAM_H

#include "esxlat/base/str.h"

/* Bytes that a stage takes from the one before at a time. */
#define EL_STREAM_CHUNK ((size_t)256 * 1024)

struct el_stream {
    /* Fills `to`; called by el_stream_read, which knows `head`. */
    size_t (*take)(struct el_stream *s, char *to, size_t size);
    void (*release)(struct el_stream *s); /* frees what the stage holds beside this; may be NULL */
    struct el_stream *from;               /* borrowed */
    char *head;                           /* bytes that were looked at and not given out yet */
    size_t head_used, head_length, head_room;
    bool ended;
    int read_error; /* errno */
    char damage[160];
};

/* Up to `size` bytes; 0 is the end, for good. */
size_t el_stream_read(struct el_stream *s, char *to, size_t size);
/* The next bytes without taking them: `size`, fewer only where the stage ends.  Borrowed until
 * the next call. */
struct el_str el_stream_peek(struct el_stream *s, size_t size);
/* Note why the stage ends early: what damaged the stage before it, else `why`.  Returns 0. */
size_t el_stream_spoil(struct el_stream *s, const char *why);
/* Forget what was read ahead and how it ended; the memory stays. */
void el_stream_restart(struct el_stream *s);
/* Frees this stage only; NULL is fine. */
void el_stream_free(struct el_stream *s);

/* The first stage: a file or pipe (closed with the stage unless it is standard input). */
struct el_stream *el_stream_file(int fd);
/* The first stage: bytes in memory, borrowed. */
struct el_stream *el_stream_memory(struct el_str bytes);
/* Where in its file a first stage goes on; -1 when that cannot be told or chosen, or bytes that were looked at are still
 * to be given out. */
int64_t el_stream_place(const struct el_stream *first);
/* Go on there: bytes between were read by el_stream_read_at. */
void el_stream_jump(struct el_stream *first, int64_t place);
/* Bytes at a place, whatever the stage does meanwhile; any thread.  0: the end, or *error is an errno. */
size_t el_stream_read_at(const struct el_stream *first, char *to, size_t size, int64_t place,
                         int *error);
/* Bytes that left a first stage so far; any thread may ask. */
uint64_t el_stream_done(const struct el_stream *first);

#endif
