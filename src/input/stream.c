#include "stream.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "esxlat/base/mem.h"

/* ---- any stage ---- */

static size_t take(struct el_stream *s, char *to, size_t size) {
    if (s->ended || size == 0)
        return 0;
    size_t n = s->take(s, to, size);
    s->ended = n == 0;
    return n;
}

size_t el_stream_read(struct el_stream *s, char *to, size_t size) {
    size_t left = s->head_length - s->head_used;
    if (left == 0)
        return take(s, to, size);
    size_t n = left < size ? left : size;
    if (n)
        memcpy(to, s->head + s->head_used, n);
    s->head_used += n;
    return n;
}

struct el_str el_stream_peek(struct el_stream *s, size_t size) {
    void *head = s->head;
    size_t left = s->head_length - s->head_used, got = 1;
    if (left && s->head_used)
        memmove(s->head, s->head + s->head_used, left);
    s->head_used = 0;
    s->head_length = left;
    el_grow(&head, &s->head_room, size, 1);
    s->head = head;
    while (s->head_length < size && got) {
        got = take(s, s->head + s->head_length, size - s->head_length);
        s->head_length += got;
    }
    return (struct el_str){ s->head, s->head_length < size ? s->head_length : size };
}

size_t el_stream_spoil(struct el_stream *s, const char *why) {
    const char *before = s->from && s->from->damage[0] ? s->from->damage : why;
    (void)snprintf(s->damage, sizeof s->damage, "%s", before ? before : "the data are damaged");
    return 0;
}

void el_stream_restart(struct el_stream *s) {
    s->head_used = s->head_length = 0;
    s->ended = false;
    s->damage[0] = '\0';
}

void el_stream_free(struct el_stream *s) {
    if (!s)
        return;
    if (s->release)
        s->release(s);
    el_free(s->head);
    el_free(s);
}

/* ---- the first stage ---- */

struct first {
    struct el_stream stream;
    int fd;
    struct el_str memory;  /* what is left of it */
    _Atomic uint64_t done; /* read by another thread for progress */
};

static size_t take_file(struct el_stream *s, char *to, size_t size) {
    struct first *f = (struct first *)s;
    ssize_t n;
    do
        n = read(f->fd, to, size);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        s->read_error = errno;
    f->done += n > 0 ? (uint64_t)n : 0;
    return n > 0 ? (size_t)n : 0;
}

int64_t el_stream_place(const struct el_stream *first) {
    const struct first *f = (const struct first *)first;
    return first->take != take_file || first->head_used < first->head_length || first->ended
               ? -1
               : (int64_t)lseek(f->fd, 0, SEEK_CUR);
}

void el_stream_jump(struct el_stream *first, int64_t place) {
    struct first *f = (struct first *)first;
    int64_t before = el_stream_place(first);
    if (before >= 0 && lseek(f->fd, (off_t)place, SEEK_SET) >= 0)
        f->done += (uint64_t)(place - before);
}

size_t el_stream_read_at(const struct el_stream *first, char *to, size_t size, int64_t place,
                         int *error) {
    const struct first *f = (const struct first *)first;
    size_t got = 0;
    *error = 0;
    while (got < size) {
        ssize_t n = pread(f->fd, to + got, size - got, (off_t)place + (off_t)got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            *error = errno;
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    return got;
}

static void close_file(struct el_stream *s) {
    const struct first *f = (const struct first *)s;
    if (f->fd > STDIN_FILENO)
        (void)close(f->fd);
}

static size_t take_memory(struct el_stream *s, char *to, size_t size) {
    struct first *f = (struct first *)s;
    size_t n = f->memory.len < size ? f->memory.len : size;
    if (n)
        memcpy(to, f->memory.ptr, n);
    f->memory = el_str_from(f->memory, n);
    f->done += n;
    return n;
}

struct el_stream *el_stream_file(int fd) {
    struct first *f = el_calloc(1, sizeof *f);
    f->stream.take = take_file;
    f->stream.release = close_file;
    f->fd = fd;
    return &f->stream;
}

struct el_stream *el_stream_memory(struct el_str bytes) {
    struct first *f = el_calloc(1, sizeof *f);
    f->stream.take = take_memory;
    f->memory = bytes;
    return &f->stream;
}

uint64_t el_stream_done(const struct el_stream *first) {
    return ((const struct first *)first)->done;
}
