#include "unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "crc32.h"
#include "esxlat/base/mem.h"
#include "gzip.h"

/* ---- what it is ---- */

static bool has(struct el_str head, size_t at, struct el_str magic) {
    return head.len >= at + magic.len && memcmp(head.ptr + at, magic.ptr, magic.len) == 0;
}

enum el_packing el_packing_of(struct el_str head) {
    static const struct {
        struct el_str magic;
        enum el_packing packing;
    } known[] = { { { "\x1f\x8b", 2 }, EL_GZIP },
                  { { "\x28\xb5\x2f\xfd", 4 }, EL_ZSTD },
                  { { "\xfd\x37zXZ\0", 6 }, EL_XZ },
                  { { "\x04\x22\x4d\x18", 4 }, EL_LZ4 } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (has(head, 0, known[i].magic))
            return known[i].packing;
    bool bzip2 = has(head, 0, EL_STR("BZh")) &&
                 (has(head, 4, (struct el_str){ "\x31\x41\x59\x26\x53\x59", 6 }) ||
                  has(head, 4, (struct el_str){ "\x17\x72\x45\x38\x50\x90", 6 }));
    return bzip2 ? EL_BZIP2 : EL_NOT_PACKED;
}

/* The first block of a tar holds the sum of its bytes, in octal; its own field counts as blanks. */
static bool is_tar(struct el_str head) {
    unsigned long sum = 0, said = 0;
    if (head.len < 512 || head.ptr[0] == '\0')
        return false;
    for (size_t i = 0; i < 512; i++)
        sum += i >= 148 && i < 156 ? ' ' : (unsigned char)head.ptr[i];
    for (size_t i = 148; i < 156; i++)
        if (head.ptr[i] >= '0' && head.ptr[i] <= '7')
            said = said * 8 + (unsigned long)(head.ptr[i] - '0');
    return sum == said;
}

bool el_is_archive(struct el_str head) {
    return has(head, 0, EL_STR("PK\x03\x04")) || has(head, 0, EL_STR("PK\x05\x06")) || is_tar(head);
}

/* ---- what libarchive reads from ---- */

#define CARRY ((size_t)64)

struct feed {
    struct el_stream *from;
    char *window;  /* the last CARRY bytes of what was fed before, then the chunk at hand */
    size_t length; /* of the chunk */
    uint64_t fed;  /* bytes in all chunks */
    bool gzip;
    bool several; /* a second gzip member seems to begin somewhere */
};

/* Does a gzip header begin here?  Ten bytes are looked at. */
static bool is_gzip_header(const unsigned char *p) {
    return p[0] == 0x1f && p[1] == 0x8b && p[2] == 8 && p[3] < 0x20 && (p[8] & ~6) == 0 &&
           (p[9] < 14 || p[9] == 255);
}

static void look_for_headers(struct feed *f, bool first) {
    size_t at = !first ? CARRY - 9 : CARRY + 1, end = CARRY + f->length;
    while (at + 10 <= end) {
        const char *found = memchr(f->window + at, '\x1f', end - 9 - at);
        if (!found)
            return;
        f->several |= is_gzip_header((const unsigned char *)found);
        at = (size_t)(found - f->window) + 1;
    }
}

static la_ssize_t feed(struct archive *a, void *ctx, const void **bytes) {
    struct feed *f = ctx;
    bool first = f->fed == 0;
    memmove(f->window, f->window + f->length, CARRY);
    *bytes = f->window + CARRY;
    f->length = el_stream_read(f->from, f->window + CARRY, EL_STREAM_CHUNK);
    f->fed += f->length;
    if (f->gzip && !f->several)
        look_for_headers(f, first);
    if (f->length || !f->from->damage[0])
        return (la_ssize_t)f->length;
    archive_set_error(a, EIO, "%s", f->from->damage);
    return -1;
}

/* Begin reading; libarchive looks at the first bytes, and its error string tells of a failure. */
static void open_feed(struct archive *a, struct feed *f, struct el_stream *from) {
    f->from = from;
    f->window = el_alloc(CARRY + EL_STREAM_CHUNK);
    memset(f->window, 0, CARRY);
    (void)archive_read_open(a, f, NULL, feed, NULL);
}

static struct archive *new_archive(void) {
    struct archive *a = archive_read_new();
    if (!a)
        (void)el_alloc(SIZE_MAX); /* out of memory, which ends here */
    return a;
}

/* ---- what libarchive gives ---- */

/* Block by block: archive_read_data would lose what it already has when an error comes. */
struct blocks {
    struct archive *archive;
    const char *block;
    size_t left; /* of the block */
    la_int64_t position,
        start; /* in the content: of what comes next; of what is left of the block */
};

/* Up to `size` bytes; 0 is the end, -1 an error.  What lies between blocks are zeros (sparse
 * files). */
static la_ssize_t take_block(struct blocks *b, char *to, size_t size) {
    while (b->left == 0) {
        const void *block = NULL;
        int got = archive_read_data_block(b->archive, &block, &b->left, &b->start);
        b->block = block;
        if (got == ARCHIVE_EOF || got < ARCHIVE_WARN || b->start < b->position) {
            b->left = 0;
            return got == ARCHIVE_EOF ? 0 : -1;
        }
    }
    uint64_t hole = (uint64_t)(b->start - b->position);
    size_t n = hole && hole < b->left ? (size_t)hole : b->left;
    if (n > size)
        n = size;
    b->position += (la_int64_t)n;
    if (hole) {
        memset(to, 0, n);
        return (la_ssize_t)n;
    }
    memcpy(to, b->block, n);
    b->block += n;
    b->left -= n;
    b->start += (la_int64_t)n;
    return (la_ssize_t)n;
}

/* ---- decompression ---- */

struct unpack {
    struct el_stream stream;
    struct archive *archive;
    struct blocks blocks;
    struct feed feed;
    uint64_t out;        /* bytes that came out, */
    struct el_crc32 crc; /* and their checksum, gzip only: libarchive does not check it */
};

static uint32_t little(const char *p) {
    const unsigned char *u = (const unsigned char *)p;
    return (uint32_t)u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 | (uint32_t)u[3] << 24;
}

/* Bytes that libarchive was given and did not use.  It looks but a few bytes beyond a chunk. */
static size_t left_over(const struct unpack *u) {
    uint64_t rest = u->feed.fed - (uint64_t)archive_filter_bytes(u->archive, -1);
    return rest < u->feed.length + CARRY - 8 ? (size_t)rest : 0;
}

/* At the end: is anything behind, is the checksum right?  The trailer of several gzip members in
 * a row is that of the last one alone; where there seem to be several, the length in it tells. */
static void look_behind(struct unpack *u) {
    const struct feed *f = &u->feed;
    size_t rest = left_over(u);
    const char *end = f->window + CARRY + f->length - rest;
    for (size_t i = 0; i < rest; i++)
        if (end[i])
            (void)el_stream_spoil(&u->stream,
                                  u->out || rest < f->fed ? EL_TRAILING : EL_BAD_HEADER);
    bool whole = !f->several || little(end - 4) == (uint32_t)u->out;
    if (f->gzip && whole && rest < f->fed && little(end - 8) != u->crc.sum)
        (void)el_stream_spoil(&u->stream, EL_BAD_CHECKSUM);
}

static size_t take_unpacked(struct el_stream *s, char *to, size_t size) {
    struct unpack *u = (struct unpack *)s;
    la_ssize_t n = take_block(&u->blocks, to, size);
    if (n < 0)
        return el_stream_spoil(s, archive_error_string(u->archive));
    if (n == 0)
        look_behind(u);
    if (u->feed.gzip)
        el_crc32_add(&u->crc, to, (size_t)n);
    u->out += (uint64_t)n;
    return (size_t)n;
}

/* Nothing comes out: it is empty, or damaged from the start. */
static size_t take_nothing(struct el_stream *s, char *to, size_t size) {
    struct unpack *u = (struct unpack *)s;
    (void)to;
    (void)size;
    if (!s->damage[0])
        look_behind(u);
    return 0;
}

static void release_unpack(struct el_stream *s) {
    struct unpack *u = (struct unpack *)s;
    (void)archive_read_free(u->archive);
    el_free(u->feed.window);
}

/* One filter, and that once: what comes out is not looked at again. */
static void choose_filter(struct archive *a, enum el_packing packing) {
    switch (packing) {
    case EL_GZIP: (void)archive_read_append_filter(a, ARCHIVE_FILTER_GZIP); break;
    case EL_BZIP2: (void)archive_read_append_filter(a, ARCHIVE_FILTER_BZIP2); break;
    case EL_XZ: (void)archive_read_append_filter(a, ARCHIVE_FILTER_XZ); break;
    case EL_LZ4: (void)archive_read_append_filter(a, ARCHIVE_FILTER_LZ4); break;
    case EL_ZSTD: /* append_filter does not know it */
        (void)archive_read_support_filter_zstd(a);
        break;
    case EL_NOT_PACKED: break;
    }
}

struct el_stream *el_unpack_plainly(struct el_stream *from, enum el_packing packing) {
    struct unpack *u = el_calloc(1, sizeof *u);
    struct archive_entry *entry;
    u->stream.take = take_unpacked;
    u->stream.release = release_unpack;
    u->stream.from = from;
    u->feed.gzip = packing == EL_GZIP;
    el_crc32_init(&u->crc);
    u->archive = u->blocks.archive = new_archive();
    choose_filter(u->archive, packing);
    (void)archive_read_support_format_raw(u->archive);
    (void)archive_read_support_format_empty(u->archive);
    open_feed(u->archive, &u->feed, from);
    const char *why = archive_error_string(u->archive);
    if (why)
        (void)el_stream_spoil(&u->stream, why);
    if (why || archive_read_next_header(u->archive, &entry) != ARCHIVE_OK)
        u->stream.take = take_nothing;
    return &u->stream;
}

struct el_stream *el_unpack(struct el_stream *from, enum el_packing packing) {
    struct el_stream *fast = packing == EL_GZIP ? el_gzip(from) : NULL;
    return fast ? fast : el_unpack_plainly(from, packing);
}

/* ---- archives ---- */

struct el_members {
    struct el_stream stream; /* of the member at hand */
    struct archive *archive;
    struct blocks blocks;
    struct feed feed;
    struct el_buf name;
    size_t count, encrypted;
    char broken[160];
};

static size_t take_member(struct el_stream *s, char *to, size_t size) {
    struct el_members *m = (struct el_members *)s;
    la_ssize_t n = take_block(&m->blocks, to, size);
    return n < 0 ? el_stream_spoil(s, archive_error_string(m->archive)) : (size_t)n;
}

struct el_members *el_members_new(struct el_stream *from) {
    struct el_members *m = el_calloc(1, sizeof *m);
    m->stream.take = take_member;
    m->stream.from = from;
    m->archive = m->blocks.archive = new_archive();
    (void)archive_read_support_format_tar(m->archive);
    (void)archive_read_support_format_zip_streamable(m->archive);
    open_feed(m->archive, &m->feed, from);
    return m;
}

void el_members_free(struct el_members *m) {
    if (!m)
        return;
    (void)archive_read_free(m->archive);
    el_free(m->feed.window);
    el_buf_release(&m->name);
    el_stream_free(&m->stream);
}

struct el_stream *el_members_stream(struct el_members *m) {
    return &m->stream;
}

static void take_name(struct el_members *m, struct archive_entry *entry) {
    const char *name = archive_entry_pathname(entry);
    if (!name)
        name = archive_entry_pathname_utf8(entry);
    while (name && strncmp(name, "./", 2) == 0)
        name += 2;
    el_buf_clear(&m->name);
    if (name && *name)
        el_buf_text(&m->name, name);
    else
        el_buf_print(&m->name, "member %zu, without a name", m->count);
}

/* A file with content of its own, which can be read? */
static bool is_file(struct el_members *m, struct archive_entry *entry) {
    mode_t type = archive_entry_filetype(entry);
    if ((type != AE_IFREG && type != 0) || archive_entry_hardlink(entry) ||
        archive_entry_symlink(entry))
        return false;
    bool encrypted = archive_entry_is_encrypted(entry) > 0;
    m->encrypted += encrypted;
    return !encrypted;
}

bool el_members_next(struct el_members *m) {
    struct archive_entry *entry;
    el_stream_restart(&m->stream);
    while (!m->broken[0]) {
        int got = archive_read_next_header(m->archive, &entry);
        if (got == ARCHIVE_EOF)
            return false;
        if (got < ARCHIVE_WARN) {
            const char *why = archive_error_string(m->archive);
            (void)snprintf(m->broken, sizeof m->broken, "%s", why ? why : "the archive is damaged");
            return false;
        }
        m->count++;
        m->blocks = (struct blocks){ .archive = m->archive };
        take_name(m, entry);
        if (is_file(m, entry))
            return true;
    }
    return false;
}

struct el_str el_members_name(const struct el_members *m) {
    return (struct el_str){ m->name.ptr, m->name.len };
}

const char *el_members_broken(const struct el_members *m) {
    return m->broken[0] ? m->broken : NULL;
}

size_t el_members_encrypted(const struct el_members *m) {
    return m->encrypted;
}
