/* Bytes of plain and compressed files. */
#include "test_archive_made.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "esxlat/input/source.h"

#define BYTES(literal)                                                                             \
    { literal, sizeof(literal) - 1 }
#define PLAIN "\"a\",\"b\"\n\"c\",\"d\"\n"

/* PLAIN, packed by gzip, bzip2, xz and zstd. */
static const struct el_str packed[] = {
    BYTES(PLAIN),
    BYTES("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x53\x4a\x54\xd2\x51\x4a\x52\xe2\x52\x4a\x06\xd2"
          "\x29"
          "\x4a\x5c\x00\xca\x08\xc1\xed\x10\x00\x00\x00"),
    BYTES("\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x57\xb1\xbe\x18\x00\x00\x03\x51\x00\x00\x10\x10"
          "\x04"
          "\x3c\x00\x20\x00\x31\x0c\x00\xd3\x46\x6a\x34\x5a\x51\xb1\x67\x8b\xb9\x22\x9c\x28\x48\x2b"
          "\xd8"
          "\xdf\x0c\x00"),
    BYTES("\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f"
          "\xe5"
          "\xa3\x01\x00\x0f\x22\x61\x22\x2c\x22\x62\x22\x0a\x22\x63\x22\x2c\x22\x64\x22\x0a\x00\xba"
          "\x7c"
          "\xe2\xd3\x15\x58\x3b\xd0\x00\x01\x28\x10\xe5\x0b\x6c\x60\x1f\xb6\xf3\x7d\x01\x00\x00\x00"
          "\x00"
          "\x04\x59\x5a"),
    BYTES("\x28\xb5\x2f\xfd\x04\x58\x81\x00\x00\x22\x61\x22\x2c\x22\x62\x22\x0a\x22\x63\x22\x2c\x22"
          "\x64"
          "\x22\x0a\xe2\x5e\x19\xf2"),
};
enum { SORTS = sizeof packed / sizeof *packed };

static void read_all(struct el_source *s, size_t step, struct el_buf *out) {
    struct el_error err;
    char piece[64];
    size_t got;
    do {
        ck_assert_msg(el_source_read(s, piece, step, &got, &err), "%s", err.text);
        ck_assert_uint_le(got, step);
        el_buf_add(out, piece, got);
    } while (got > 0);
}

START_TEST(unpacks_memory) {
    for (size_t step = 1; step < 20; step++) {
        struct el_error err;
        struct el_buf out = { 0 };
        struct el_source *s = el_source_memory("x", packed[_i].ptr, packed[_i].len, &err);
        ck_assert_ptr_nonnull(s);
        struct el_str head = el_source_head(s);
        ck_assert(el_str_is(head, PLAIN)); /* of what is read, not of the packed bytes */
        read_all(s, step, &out);
        ck_assert_pstr_eq(out.ptr, PLAIN);
        ck_assert_ptr_null(el_source_damage(s));
        el_source_free(s);
        el_buf_release(&out);
    }
}
END_TEST

START_TEST(unpacks_a_file) {
    char name[64];
    struct el_error err;
    struct el_buf out = { 0 };
    uint64_t done, total;
    made_file(name, packed[_i]);
    struct el_source *s = el_source_open(name, &err);
    unlink(name);
    ck_assert_ptr_nonnull(s);
    read_all(s, 7, &out);
    ck_assert_pstr_eq(out.ptr, PLAIN);
    el_source_position(s, &done, &total);
    ck_assert_uint_eq(total, packed[_i].len);
    ck_assert_uint_eq(done, total);
    ck_assert(el_str_is(el_source_head(s), PLAIN));
    el_source_free(s);
    el_buf_release(&out);
}
END_TEST

/* Cut off anywhere: what could be read is right, and the damage is told. */
START_TEST(tells_of_damage) {
    for (size_t cut = 16; cut < packed[_i].len; cut++) {
        struct el_error err;
        struct el_buf out = { 0 };
        struct el_source *s = el_source_memory("x", packed[_i].ptr, cut, &err);
        if (!s) { /* not a byte could be read */
            ck_assert_int_eq(err.status, EL_CAPTURE);
            continue;
        }
        read_all(s, 64, &out);
        ck_assert_msg(el_source_damage(s) != NULL, "cut at %zu", cut);
        ck_assert_uint_le(out.len, strlen(PLAIN));
        if (out.len)
            ck_assert_mem_eq(out.ptr, PLAIN, out.len);
        el_source_free(s);
        el_buf_release(&out);
    }
}
END_TEST

START_TEST(takes_an_empty_file) {
    char name[64];
    struct el_error err;
    struct el_buf out = { 0 };
    made_file(name, EL_STR(""));
    struct el_source *s = el_source_open(name, &err);
    unlink(name);
    ck_assert_ptr_nonnull(s);
    read_all(s, 7, &out);
    ck_assert_uint_eq(out.len, 0);
    ck_assert_uint_eq(el_source_head(s).len, 0);
    el_source_free(s);
    el_buf_release(&out);
}
END_TEST

START_TEST(head_is_at_most_512_bytes) {
    char bytes[2000];
    struct el_error err;
    memset(bytes, 'a', sizeof bytes);
    struct el_source *s = el_source_memory("x", bytes, sizeof bytes, &err);
    ck_assert_ptr_nonnull(s);
    ck_assert_uint_le(el_source_head(s).len, 512);
    ck_assert_uint_ge(el_source_head(s).len, 16);
    el_source_free(s);
}
END_TEST

START_TEST(refuses_what_is_no_file) {
    struct el_error err = { EL_OK, "" };
    ck_assert_ptr_null(el_source_open("no-such-folder/no-such-file", &err));
    ck_assert_int_eq(err.status, EL_SYSTEM);
    ck_assert_ptr_nonnull(strstr(err.text, "no-such-folder/no-such-file"));
    ck_assert_ptr_null(el_source_open(".", &err));
    ck_assert_int_eq(err.status, EL_CAPTURE);
    el_source_free(NULL);
}
END_TEST

static void put_octal(char *field, size_t size, size_t value) {
    snprintf(field, size, "%0*o", (int)size - 1, (unsigned)value);
}

/* A tar archive of one member, as ustar has it; two blocks of zeros end it. */
static void make_tar(char tar[4 * 512], const char *content) {
    memset(tar, 0, 4 * 512);
    strcpy(tar, "a.csv");
    put_octal(tar + 100, 8, 0644);
    put_octal(tar + 108, 8, 0);
    put_octal(tar + 116, 8, 0);
    put_octal(tar + 124, 12, strlen(content));
    put_octal(tar + 136, 12, 0);
    tar[156] = '0';
    memcpy(tar + 257, "ustar\00000", 8);
    memset(tar + 148, ' ', 8);
    size_t sum = 0;
    for (size_t i = 0; i < 512; i++)
        sum += (unsigned char)tar[i];
    put_octal(tar + 148, 7, sum);
    memcpy(tar + 512, content, strlen(content));
}

START_TEST(refuses_an_archive_without_a_capture) {
    char tar[4 * 512];
    struct el_error err = { EL_OK, "" };
    make_tar(tar, "a,b\n");
    ck_assert_ptr_null(el_source_memory("x.tar", tar, sizeof tar, &err));
    ck_assert_int_eq(err.status, EL_CAPTURE);
    ck_assert_msg(strstr(err.text, "x.tar") != NULL, "%s", err.text);
}
END_TEST

START_TEST(reads_a_capture_in_an_archive) {
    static const char capture[] = "\"(PDH-CSV 4.0) (UTC)(0)\",\"x\"\n";
    char tar[4 * 512];
    bool more = true;
    struct el_buf out = { 0 };
    struct el_error err = { EL_OK, "" };
    make_tar(tar, capture);
    struct el_source *s = el_source_memory("x.tar", tar, sizeof tar, &err);
    ck_assert_msg(s != NULL, "%s", err.text);
    read_all(s, 7, &out);
    ck_assert_pstr_eq(out.ptr, capture);
    ck_assert_ptr_nonnull(strstr(el_source_name(s), "a.csv"));
    ck_assert(el_source_next(s, &more, &err));
    ck_assert(!more);
    el_source_free(s);
    el_buf_release(&out);
}
END_TEST

Suite *source(void) {
    Suite *s = suite_create("source");
    TCase *t = tcase_create("source");
    tcase_add_loop_test(t, unpacks_memory, 0, SORTS);
    tcase_add_loop_test(t, unpacks_a_file, 0, SORTS);
    tcase_add_loop_test(t, tells_of_damage, 1, SORTS);
    tcase_add_test(t, takes_an_empty_file);
    tcase_add_test(t, head_is_at_most_512_bytes);
    tcase_add_test(t, refuses_what_is_no_file);
    tcase_add_test(t, refuses_an_archive_without_a_capture);
    tcase_add_test(t, reads_a_capture_in_an_archive);
    suite_add_tcase(s, t);
    return s;
}
