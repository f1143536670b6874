#include "test_archive_made.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "esxlat/base/mem.h"

static la_ssize_t append(struct archive *a, void *ctx, const void *bytes, size_t length) {
    (void)a;
    el_buf_add(ctx, bytes, length);
    return (la_ssize_t)length;
}

static void fine(struct archive *a, int result) {
    ck_assert_msg(result >= ARCHIVE_WARN, "%s", archive_error_string(a));
}

static struct archive *begin(int format, int filter, const char *password, struct el_buf *out) {
    struct archive *a = archive_write_new();
    fine(a, archive_write_set_format(a, format));
    fine(a, archive_write_add_filter(a, filter));
    fine(a, archive_write_set_bytes_in_last_block(a, 1));
    if (password) {
        fine(a, archive_write_set_options(a, "zip:encryption=zipcrypt"));
        fine(a, archive_write_set_passphrase(a, password));
    }
    fine(a, archive_write_open(a, out, NULL, append, NULL));
    return a;
}

static void add(struct archive *a, const struct made_member *m) {
    struct archive_entry *e = archive_entry_new();
    archive_entry_set_pathname(e, m->name);
    archive_entry_set_filetype(e, m->type ? m->type : (unsigned)AE_IFREG);
    archive_entry_set_perm(e, 0644);
    archive_entry_set_size(e, (int64_t)m->bytes.len);
    if (m->link && m->type == AE_IFLNK)
        archive_entry_set_symlink(e, m->link);
    else if (m->link)
        archive_entry_set_hardlink(e, m->link);
    fine(a, archive_write_header(a, e));
    if (m->bytes.len)
        ck_assert_int_ge(archive_write_data(a, m->bytes.ptr, m->bytes.len), 0);
    archive_entry_free(e);
}

void made_packed(int filter, struct el_str bytes, struct el_buf *out) {
    const struct made_member m = { "x", bytes, AE_IFREG, NULL };
    made_archive(ARCHIVE_FORMAT_RAW, filter, &m, 1, NULL, out);
}

void made_archive(int format, int filter, const struct made_member *member, size_t members,
                  const char *password, struct el_buf *out) {
    struct archive *a = begin(format, filter, password, out);
    for (size_t i = 0; i < members; i++)
        add(a, &member[i]);
    fine(a, archive_write_close(a));
    archive_write_free(a);
}

void made_text(struct el_buf *out) {
    uint32_t x = 1;
    for (int row = 0; row < 3000; row++) {
        el_buf_print(out, "\"11/30/2026 09:%02d:%02d\"", row / 60 % 60, row % 60);
        for (int i = 0; i < 10; i++) {
            x = x * 1664525 + 1013904223;
            el_buf_print(out, ",\"%u.%02u\"", x >> 24, x >> 16 & 63);
        }
        el_buf_char(out, '\n');
    }
}

void made_file(char name[64], struct el_str bytes) {
    const char *folder = getenv("TMPDIR");
    if (!folder || strlen(folder) > 32)
        folder = "/tmp";
    (void)snprintf(name, 64, "%s/esxlat-unit-XXXXXX", folder);
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes.ptr, bytes.len), (ssize_t)bytes.len);
    close(fd);
}

void made_read(struct el_source *s, size_t step, struct el_buf *out) {
    struct el_error err;
    char *piece = el_alloc(step);
    size_t got;
    do {
        ck_assert_msg(el_source_read(s, piece, step, &got, &err), "%s", err.text);
        ck_assert_uint_le(got, step);
        el_buf_add(out, piece, got);
    } while (got > 0);
    el_free(piece);
}
