/* A source is a chain of stages (stream.h): file - unpacked - member of an archive - unpacked;
 * `last` is what is read.  A plain file is the first stage alone. */
#include "esxlat/input/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contents.h"
#include "unpack.h"

struct el_source {
    struct el_buf name;                /* of the file */
    struct el_buf shown;               /* what el_source_name gives */
    struct el_buf pick;                /* the one member that is wanted; empty: every capture */
    struct el_stream *file, *unpacked; /* `unpacked`: NULL where the file is not compressed */
    struct el_members *members;        /* NULL: no archive */
    struct el_stream *content;         /* of a member that is compressed, else NULL */
    struct el_stream *last;
    struct el_contents contents;
    bool done; /* the archive has no more to give */
    char head[EL_LOOK];
    size_t head_length;
    uint64_t total;
};

/* ---- building the chain ---- */

bool el_source_failed(const struct el_source *s, int error, struct el_error *err) {
    return el_fail(err, EL_SYSTEM, "cannot read '%s': %s", s->name.ptr, strerror(error));
}

/* Put decompression behind `last` if its first bytes say so; it becomes `last`.  NULL: they do
 * not. */
static struct el_stream *unpack_last(struct el_source *s) {
    enum el_packing packing = el_packing_of(el_stream_peek(s->last, EL_LOOK));
    if (packing == EL_NOT_PACKED)
        return NULL;
    s->last = el_unpack(s->last, packing);
    return s->last;
}

static void show_name(struct el_source *s) {
    el_buf_clear(&s->shown);
    el_buf_add(&s->shown, s->name.ptr, s->name.len);
    if (s->members) {
        el_buf_char(&s->shown, ':');
        (void)el_buf_visible(&s->shown, el_members_name(s->members));
    }
}

/* The chain stands at its content: keep the first bytes.  Not one of a compressed file is an
 * error. */
static bool begin_content(struct el_source *s, struct el_error *err) {
    struct el_str head = el_stream_peek(s->last, EL_LOOK);
    show_name(s);
    s->head_length = head.len;
    if (head.len)
        memcpy(s->head, head.ptr, head.len);
    if (s->file->read_error)
        return el_source_failed(s, s->file->read_error, err);
    if (head.len == 0 && s->last->damage[0])
        return el_fail(err, EL_CAPTURE, "cannot decompress '%s': %s", s->shown.ptr,
                       s->last->damage);
    return true;
}

/* ---- members ---- */

/* Is the member at hand the wanted one?  It may be named as it is or as it is shown. */
static bool is_picked(const struct el_source *s) {
    struct el_str name = el_members_name(s->members), pick = { s->pick.ptr, s->pick.len };
    while (el_str_starts(pick, "./"))
        pick = el_str_from(pick, 2);
    if (el_str_equal(name, pick))
        return true;
    struct el_buf visible = { 0 };
    (void)el_buf_visible(&visible, name);
    bool picked = el_str_equal((struct el_str){ visible.ptr, visible.len }, pick);
    el_buf_release(&visible);
    return picked;
}

/* Go to the next member that is wanted; false: there is none. */
static bool find_member(struct el_source *s) {
    while (!s->done) {
        el_stream_free(s->content);
        s->content = NULL;
        s->last = el_members_stream(s->members);
        if (!el_members_next(s->members))
            break;
        s->content = unpack_last(s);
        bool capture = el_begins_capture(el_stream_peek(s->last, EL_CAPTURE_WINDOW));
        bool wanted = s->pick.len ? is_picked(s) : capture;
        el_contents_note(&s->contents, el_members_name(s->members), capture);
        if (wanted) {
            s->done = s->pick.len > 0;
            return true;
        }
    }
    s->done = true;
    return false;
}

static bool open_archive(struct el_source *s, struct el_error *err) {
    s->members = el_members_new(s->last);
    if (find_member(s))
        return begin_content(s, err);
    if (s->file->read_error)
        return el_source_failed(s, s->file->read_error, err);
    const char *broken = el_members_broken(s->members);
    return s->pick.len ? el_contents_no_member(&s->contents, s->name.ptr, s->pick.ptr, broken, err)
                       : el_contents_no_capture(&s->contents, s->name.ptr,
                                                el_members_encrypted(s->members), broken, err);
}

bool el_source_next(struct el_source *s, bool *more, struct el_error *err) {
    *more = false;
    if (!s->members || s->done)
        return true;
    bool told = el_source_damage(s) != NULL;
    if (find_member(s))
        return *more = begin_content(s, err);
    if (s->file->read_error)
        return el_source_failed(s, s->file->read_error, err);
    const char *broken = el_members_broken(s->members);
    if (!broken || told)
        return true;
    return el_fail(err, EL_CAPTURE, "cannot read the archive '%s' beyond '%s': %s", s->name.ptr,
                   s->shown.ptr, broken);
}

/* ---- opening ---- */

static struct el_source *new_source(struct el_str name, struct el_stream *file) {
    struct el_source *s = el_calloc(1, sizeof *s);
    el_buf_add(&s->name, name.ptr, name.len);
    s->file = s->last = file;
    return s;
}

static bool start(struct el_source *s, struct el_error *err) {
    s->unpacked = unpack_last(s);
    if (el_is_archive(el_stream_peek(s->last, EL_LOOK)))
        return open_archive(s, err);
    if (!begin_content(s, err))
        return false;
    return s->pick.len == 0 ? true
                            : el_fail(err, EL_CAPTURE, "no '%s' in '%s': it is not an archive",
                                      s->pick.ptr, s->name.ptr);
}

static struct el_source *started(struct el_source *s, struct el_error *err) {
    if (start(s, err))
        return s;
    el_source_free(s);
    return NULL;
}

static int open_file(const char *name) {
    return strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
}

/* FILE:MEMBER, cut at the first colon before which there is a file; -1 where there is none. */
static int open_before_colon(struct el_str name, struct el_buf *file, struct el_buf *member) {
    for (size_t i = 1; i + 1 < name.len; i++) {
        struct stat st;
        if (name.ptr[i] != ':')
            continue;
        el_buf_clear(file);
        el_buf_add(file, name.ptr, i);
        int fd = open_file(file->ptr);
        if (fd >= 0 && fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode)) {
            el_buf_text(member, name.ptr + i + 1);
            return fd;
        }
        if (fd > STDIN_FILENO)
            (void)close(fd);
    }
    el_buf_clear(file);
    return -1;
}

struct el_source *el_source_open(const char *name, struct el_error *err) {
    struct el_buf file = { 0 }, member = { 0 };
    struct el_source *s = NULL;
    struct stat st;
    int fd = open_file(name), why = errno;
    el_buf_text(&file, name);
    if (fd < 0 && (why == ENOENT || why == ENOTDIR || why == ENAMETOOLONG))
        fd = open_before_colon(el_str(name), &file, &member);
    if (fd >= 0 && fstat(fd, &st) != 0) {
        why = errno;
        (void)close(fd);
        fd = -1;
    }
    if (fd < 0) {
        (void)el_fail(err, EL_SYSTEM, "cannot open '%s': %s", name, strerror(why));
    } else if (S_ISDIR(st.st_mode)) {
        (void)close(fd);
        (void)el_fail(err, EL_CAPTURE, "'%s' is a folder: name the capture file in it", name);
    } else {
        s = new_source(fd == STDIN_FILENO ? EL_STR("standard input")
                                          : (struct el_str){ file.ptr, file.len },
                       el_stream_file(fd));
        s->pick = member;
        member = (struct el_buf){ 0 };
        s->total = S_ISREG(st.st_mode) && st.st_size > 0 ? (uint64_t)st.st_size : 0;
        s = started(s, err);
    }
    el_buf_release(&file);
    el_buf_release(&member);
    return s;
}

struct el_source *el_source_memory(const char *name, const char *bytes, size_t length,
                                   struct el_error *err) {
    struct el_source *s =
        new_source(el_str(name), el_stream_memory((struct el_str){ bytes, length }));
    s->total = length;
    return started(s, err);
}

void el_source_free(struct el_source *s) {
    if (!s)
        return;
    el_stream_free(s->content);
    el_members_free(s->members);
    el_stream_free(s->unpacked);
    el_stream_free(s->file);
    el_contents_release(&s->contents);
    el_buf_release(&s->name);
    el_buf_release(&s->shown);
    el_buf_release(&s->pick);
    el_free(s);
}

/* ---- reading ---- */

bool el_source_read(struct el_source *s, char *to, size_t size, size_t *got, struct el_error *err) {
    *got = el_stream_read(s->last, to, size);
    return *got || !s->file->read_error ? true : el_source_failed(s, s->file->read_error, err);
}

const char *el_source_name(const struct el_source *s) {
    return s->shown.ptr;
}

const char *el_source_damage(const struct el_source *s) {
    return s->last->damage[0] ? s->last->damage : NULL;
}

void el_source_position(const struct el_source *s, uint64_t *done, uint64_t *total) {
    *done = el_stream_done(s->file);
    *total = s->total;
}

struct el_str el_source_head(const struct el_source *s) {
    return (struct el_str){ s->head, s->head_length };
}

bool el_source_is_plain(const struct el_source *s) {
    return s->total > 0 && !s->unpacked && !s->members;
}

int64_t el_source_place(const struct el_source *s) {
    return el_source_is_plain(s) ? el_stream_place(s->file) : -1;
}

size_t el_source_read_at(const struct el_source *s, char *to, size_t size, int64_t place,
                         int *error) {
    return el_stream_read_at(s->file, to, size, place, error);
}

void el_source_jump(struct el_source *s, int64_t place) {
    el_stream_jump(s->file, place);
}
