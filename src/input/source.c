#include "esxlat/input/source.h"

#include <archive.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "esxlat/base/mem.h"

#define SNIFF        512          /* enough for every magic number, tar's at 257 included */
#define PACKED_CHUNK (256 * 1024) /* bytes handed to libarchive at a time */

struct el_source {
    const char *name;
    int fd;                 /* -1: memory */
    struct el_str memory;   /* what is left of it */
    struct archive *packed; /* NULL: not compressed */
    char head[SNIFF];       /* first bytes, read to recognise the form */
    size_t head_used, head_length;
    char *chunk;           /* for libarchive */
    _Atomic uint64_t done; /* read by another thread for progress */
    uint64_t total;
    int read_error; /* errno of a failed read(2) */
    char damage[200];
};

/* Bytes as they are in the file. False: errno is in read_error. */
static bool read_raw(struct el_source *s, char *to, size_t size, size_t *got) {
    if (s->head_used < s->head_length) {
        size_t n = s->head_length - s->head_used;
        *got = n < size ? n : size;
        memcpy(to, s->head + s->head_used, *got);
        s->head_used += *got;
        return true;
    }
    if (s->fd < 0) {
        *got = s->memory.len < size ? s->memory.len : size;
        if (*got)
            memcpy(to, s->memory.ptr, *got);
        s->memory = el_str_from(s->memory, *got);
        s->done += *got;
        return true;
    }
    ssize_t n;
    do
        n = read(s->fd, to, size);
    while (n < 0 && errno == EINTR);
    if (n < 0) {
        s->read_error = errno;
        return false;
    }
    *got = (size_t)n;
    s->done += *got;
    return true;
}

static la_ssize_t feed_archive(struct archive *a, void *ctx, const void **bytes) {
    struct el_source *s = ctx;
    size_t got = 0;
    *bytes = s->chunk;
    if (!read_raw(s, s->chunk, PACKED_CHUNK, &got)) {
        archive_set_error(a, s->read_error, "%s", strerror(s->read_error));
        return -1;
    }
    return (la_ssize_t)got;
}

static bool has_magic(const struct el_source *s, size_t at, const char *magic, size_t length) {
    return s->head_length >= at + length && memcmp(s->head + at, magic, length) == 0;
}

static bool is_packed(const struct el_source *s) {
    return has_magic(s, 0, "\x1f\x8b", 2) || has_magic(s, 0, "\x28\xb5\x2f\xfd", 4) ||
           has_magic(s, 0, "BZh", 3) ||
           has_magic(s, 0,
                     "\xfd"
                     "7zXZ",
                     5) ||
           has_magic(s, 0, "\x04\x22\x4d\x18", 4);
}

static bool is_archive(const struct el_source *s) {
    return has_magic(s, 0, "PK\x03\x04", 4) || has_magic(s, 257, "ustar", 5);
}

static bool open_packed(struct el_source *s, struct el_error *err) {
    struct archive_entry *entry;
    s->chunk = el_alloc(PACKED_CHUNK);
    s->packed = archive_read_new();
    if (!s->packed)
        return el_fail(err, EL_SYSTEM, "cannot open '%s': libarchive is out of memory", s->name);
    (void)archive_read_support_filter_gzip(s->packed);
    (void)archive_read_support_filter_bzip2(s->packed);
    (void)archive_read_support_filter_xz(s->packed);
    (void)archive_read_support_filter_zstd(s->packed);
    (void)archive_read_support_filter_lz4(s->packed);
    (void)archive_read_support_format_raw(s->packed);
    if (archive_read_open(s->packed, s, NULL, feed_archive, NULL) != ARCHIVE_OK ||
        archive_read_next_header(s->packed, &entry) != ARCHIVE_OK)
        return el_fail(err, s->read_error ? EL_SYSTEM : EL_CAPTURE, "cannot decompress '%s': %s",
                       s->name, archive_error_string(s->packed));
    return true;
}

/* Read the first bytes and choose how the rest is read. */
static bool sniff(struct el_source *s, struct el_error *err) {
    size_t length = 0, got = 1;
    while (got &&
           length < SNIFF) { /* head_length stays 0 meanwhile, so that read_raw goes to the file */
        if (!read_raw(s, s->head + length, SNIFF - length, &got))
            return el_fail(err, EL_SYSTEM, "cannot read '%s': %s", s->name,
                           strerror(s->read_error));
        length += got;
    }
    s->head_length = length;
    if (is_archive(s))
        return el_fail(err, EL_CAPTURE,
                       "'%s' is a tar or zip archive: extract the capture from it first", s->name);
    return is_packed(s) ? open_packed(s, err) : true;
}

static struct el_source *opened(struct el_source *s, struct el_error *err) {
    if (sniff(s, err))
        return s;
    el_source_free(s);
    return NULL;
}

struct el_source *el_source_open(const char *name, struct el_error *err) {
    bool standard = strcmp(name, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) {
        (void)el_fail(err, EL_SYSTEM, "cannot open '%s': %s", name, strerror(errno));
        return NULL;
    }
    if (S_ISDIR(st.st_mode)) {
        (void)close(fd);
        (void)el_fail(err, EL_CAPTURE, "'%s' is a folder: name the capture file in it", name);
        return NULL;
    }
    struct el_source *s = el_calloc(1, sizeof *s);
    s->name = standard ? "standard input" : name;
    s->fd = fd;
    s->total = S_ISREG(st.st_mode) && st.st_size > 0 ? (uint64_t)st.st_size : 0;
    return opened(s, err);
}

struct el_source *el_source_memory(const char *name, const char *bytes, size_t length,
                                   struct el_error *err) {
    struct el_source *s = el_calloc(1, sizeof *s);
    s->name = name;
    s->fd = -1;
    s->memory = (struct el_str){ bytes, length };
    s->total = length;
    return opened(s, err);
}

void el_source_free(struct el_source *s) {
    if (!s)
        return;
    if (s->packed)
        (void)archive_read_free(s->packed);
    if (s->fd > STDIN_FILENO)
        (void)close(s->fd);
    el_free(s->chunk);
    el_free(s);
}

bool el_source_read(struct el_source *s, char *to, size_t size, size_t *got, struct el_error *err) {
    bool fine = true;
    *got = 0;
    if (s->damage[0])
        return true;
    if (s->packed) {
        la_ssize_t n = archive_read_data(s->packed, to, size);
        if (n >= 0)
            *got = (size_t)n;
        else if (s->read_error)
            fine = false;
        else
            (void)strncat(s->damage, archive_error_string(s->packed), sizeof s->damage - 1);
    } else {
        fine = read_raw(s, to, size, got);
    }
    return fine ? true
                : el_fail(err, EL_SYSTEM, "cannot read '%s': %s", s->name, strerror(s->read_error));
}

const char *el_source_damage(const struct el_source *s) {
    return s->damage[0] ? s->damage : NULL;
}

void el_source_position(const struct el_source *s, uint64_t *done, uint64_t *total) {
    *done = s->done;
    *total = s->total;
}

struct el_str el_source_head(const struct el_source *s) {
    return (struct el_str){ s->head, s->head_length };
}
