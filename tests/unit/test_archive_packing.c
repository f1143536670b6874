/* Every compression whole, cut off, damaged, in a row and empty; gzip by ISA-L and by
 * libarchive. */
#include "test_archive_made.h"

#include <string.h>

#include "../../src/input/gzip.h"
#include "../../src/input/unpack.h"

static const struct sort {
    const char *name;
    int filter;
    enum el_packing packing;
} sorts[] = { { "gzip", ARCHIVE_FILTER_GZIP, EL_GZIP },
              { "bzip2", ARCHIVE_FILTER_BZIP2, EL_BZIP2 },
              { "xz", ARCHIVE_FILTER_XZ, EL_XZ },
              { "zstd", ARCHIVE_FILTER_ZSTD, EL_ZSTD },
              { "lz4", ARCHIVE_FILTER_LZ4, EL_LZ4 } };
enum { SORTS = sizeof sorts / sizeof *sorts };

static const size_t steps[] = { 1, 7, 65536 };
enum { STEPS = sizeof steps / sizeof *steps };

/* What one way of decompressing makes of packed bytes. */
struct result {
    struct el_buf out;
    char damage[200];
};

static void unpack_by(struct el_stream *(*way)(struct el_stream *, enum el_packing),
                      enum el_packing packing, const struct el_buf *packed, struct result *r) {
    static char piece[5000];
    size_t got;
    struct el_stream *file = el_stream_memory((struct el_str){ packed->ptr, packed->len });
    struct el_stream *s = way(file, packing);
    el_buf_clear(&r->out);
    while ((got = el_stream_read(s, piece, sizeof piece)) > 0)
        el_buf_add(&r->out, piece, got);
    strcpy(r->damage, s->damage);
    el_stream_free(s);
    el_stream_free(file);
}

static void read_source(const struct el_buf *packed, size_t step, struct result *r) {
    struct el_error err = { EL_OK, "" };
    struct el_source *s = el_source_memory("x", packed->ptr, packed->len, &err);
    el_buf_clear(&r->out);
    if (s) {
        made_read(s, step, &r->out);
        strcpy(r->damage, el_source_damage(s) ? el_source_damage(s) : "");
    } else {
        ck_assert_int_eq(err.status, EL_CAPTURE);
        ck_assert_ptr_nonnull(strstr(err.text, "cannot decompress 'x': "));
        strcpy(r->damage, err.text);
    }
    el_source_free(s);
}

static bool is_prefix(const struct el_buf *part, const struct el_buf *whole) {
    return part->len <= whole->len &&
           (part->len == 0 || memcmp(part->ptr, whole->ptr, part->len) == 0);
}

static void release(struct el_buf *a, struct el_buf *b, struct result *r) {
    el_buf_release(a);
    el_buf_release(b);
    el_buf_release(&r->out);
}

/* libarchive's writer of lz4 does not bear being given nothing. */
static void pack_nothing(const struct sort *sort, struct el_buf *out) {
    static const char lz4[] = "\x04\x22\x4d\x18\x64\x40\xa7\x00\x00\x00\x00\x05\x5d\xcc\x02";
    if (sort->packing == EL_LZ4)
        el_buf_add(out, lz4, sizeof lz4 - 1);
    else
        made_packed(sort->filter, EL_STR(""), out);
}

START_TEST(whole) {
    const struct sort *sort = &sorts[_i / STEPS];
    struct el_buf text = { 0 }, packed = { 0 };
    struct result r = { 0 };
    made_text(&text);
    made_packed(sort->filter, (struct el_str){ text.ptr, text.len }, &packed);
    read_source(&packed, steps[_i % STEPS], &r);
    ck_assert_str_eq(r.damage, "");
    ck_assert_msg(r.out.len == text.len && is_prefix(&r.out, &text), "%s", sort->name);
    release(&text, &packed, &r);
}
END_TEST

START_TEST(cut_off) {
    const struct sort *sort = &sorts[_i / STEPS];
    struct el_buf text = { 0 }, packed = { 0 };
    struct result r = { 0 };
    made_text(&text);
    made_packed(sort->filter, (struct el_str){ text.ptr, text.len }, &packed);
    const size_t whole_length = packed.len,
                 cuts[] = { whole_length - 1, whole_length - 3, whole_length / 2, 30, 11 };
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        packed.len = cuts[i];
        read_source(&packed, steps[_i % STEPS], &r);
        ck_assert_msg(r.damage[0] != '\0', "%s cut at %zu", sort->name, cuts[i]);
        ck_assert_msg(is_prefix(&r.out, &text), "%s cut at %zu", sort->name, cuts[i]);
        if (sort->packing == EL_GZIP && i < 3)
            ck_assert_uint_ge(r.out.len, (i < 2 ? text.len : text.len / 3) - 65536);
    }
    release(&text, &packed, &r);
}
END_TEST

START_TEST(flipped) {
    const struct sort *sort = &sorts[_i];
    struct el_buf text = { 0 }, packed = { 0 };
    struct result r = { 0 };
    made_text(&text);
    made_packed(sort->filter, (struct el_str){ text.ptr, text.len }, &packed);
    for (size_t i = 1; i < 8; i++) {
        size_t at = packed.len * i / 8;
        packed.ptr[at] ^= 0x10;
        read_source(&packed, 65536, &r);
        bool same = r.out.len == text.len && is_prefix(&r.out, &text);
        bool checked = sort->packing != EL_ZSTD; /* its frames hold no checksum here */
        ck_assert_msg(same || r.damage[0] || !checked, "%s flipped at %zu", sort->name, at);
        packed.ptr[at] ^= 0x10;
    }
    release(&text, &packed, &r);
}
END_TEST

START_TEST(in_a_row) {
    const struct sort *sort = &sorts[_i / STEPS];
    struct el_buf text = { 0 }, packed = { 0 };
    struct result r = { 0 };
    made_packed(sort->filter, EL_STR("\"(PDH-CSV 4.0)\"\n"), &packed);
    if (sort->packing != EL_LZ4) /* libarchive stops at an empty frame of lz4 */
        pack_nothing(sort, &packed);
    made_packed(sort->filter, EL_STR("second\n"), &packed);
    read_source(&packed, steps[_i % STEPS], &r);
    ck_assert_str_eq(r.damage, "");
    ck_assert_str_eq(r.out.ptr, "\"(PDH-CSV 4.0)\"\nsecond\n");
    release(&text, &packed, &r);
}
END_TEST

START_TEST(empty_inside) {
    struct el_buf text = { 0 }, packed = { 0 };
    struct result r = { 0 };
    pack_nothing(&sorts[_i], &packed);
    read_source(&packed, 7, &r);
    ck_assert_str_eq(r.damage, "");
    ck_assert_uint_eq(r.out.len, 0);
    release(&text, &packed, &r);
}
END_TEST

START_TEST(packed_twice_is_unpacked_once) {
    struct el_buf inner = { 0 }, outer = { 0 };
    struct result r = { 0 };
    made_packed(ARCHIVE_FILTER_GZIP, EL_STR("text"), &inner);
    made_packed(ARCHIVE_FILTER_GZIP, (struct el_str){ inner.ptr, inner.len }, &outer);
    unpack_by(el_unpack_plainly, EL_GZIP, &outer, &r);
    ck_assert(r.out.len == inner.len && is_prefix(&r.out, &inner));
    read_source(&outer, 7, &r);
    ck_assert(r.out.len == inner.len && is_prefix(&r.out, &inner));
    release(&inner, &outer, &r);
}
END_TEST

/* ---- gzip in detail ---- */

static const struct {
    const char *before, *after; /* of a good gzip file; `before` replaces its first bytes */
    size_t before_length, after_length, cut;
    const char *damage; /* NULL: any; "": none */
} gzips[] = {
    { "", "", 0, 0, 0, "" },
    { "", "\0\0\0\0", 0, 4, 0, "" },
    { "", "junk", 0, 4, 0, EL_TRAILING },
    { "", "\x1f", 0, 1, 0, EL_TRAILING },
    { "", "\0\0x", 0, 3, 0, EL_TRAILING },
    { "", "", 0, 0, 1, NULL },
    { "", "", 0, 0, 8, NULL },
    { "", "", 0, 0, 9, NULL },
    { "\x1f\x8b\x07", "", 3, 0, 0, NULL },                      /* another method */
    { "\x1f\x8b\x08\x00\0\0\0\0\0\0\x07", "", 11, 0, 0, NULL }, /* a block type that is none */
};
enum { GZIPS = sizeof gzips / sizeof *gzips };

/* Both ways give the same; of what is cut off, libarchive gives a block less at most. */
START_TEST(both_ways_of_gzip) {
    struct el_buf text = { 0 }, packed = { 0 };
    struct result fast = { 0 }, plain = { 0 };
    made_text(&text);
    made_packed(ARCHIVE_FILTER_GZIP, (struct el_str){ text.ptr, text.len }, &packed);
    memcpy(packed.ptr, gzips[_i].before, gzips[_i].before_length);
    el_buf_add(&packed, gzips[_i].after, gzips[_i].after_length);
    packed.len -= gzips[_i].cut;
    unpack_by(el_unpack, EL_GZIP, &packed, &fast);
    unpack_by(el_unpack_plainly, EL_GZIP, &packed, &plain);
    if (gzips[_i].damage) {
        ck_assert_str_eq(fast.damage, gzips[_i].damage);
        ck_assert_str_eq(plain.damage, gzips[_i].damage);
        ck_assert(fast.out.len == text.len && plain.out.len == text.len);
    } else {
        ck_assert(fast.damage[0] && plain.damage[0]);
    }
    ck_assert(is_prefix(&fast.out, &text));
    ck_assert(is_prefix(&plain.out, &fast.out));
    ck_assert_uint_ge(plain.out.len + 65536, fast.out.len);
    release(&text, &packed, &fast);
    el_buf_release(&plain.out);
}
END_TEST

/* One bit of every part of the file turned over. */
START_TEST(both_ways_see_a_flipped_bit) {
    struct el_buf text = { 0 }, packed = { 0 };
    struct result fast = { 0 }, plain = { 0 };
    made_text(&text);
    made_packed(ARCHIVE_FILTER_GZIP, (struct el_str){ text.ptr, text.len }, &packed);
    for (size_t at = 11; at < packed.len - 4; at += 1 + packed.len / 60) {
        packed.ptr[at] ^= 1;
        unpack_by(el_unpack, EL_GZIP, &packed, &fast);
        unpack_by(el_unpack_plainly, EL_GZIP, &packed, &plain);
        ck_assert_msg(fast.damage[0] && plain.damage[0], "at %zu", at);
        if (fast.out.len == plain.out.len)
            ck_assert(is_prefix(&plain.out, &fast.out));
        packed.ptr[at] ^= 1;
    }
    packed.ptr[packed.len - 8] ^= 1; /* the checksum itself */
    unpack_by(el_unpack, EL_GZIP, &packed, &fast);
    unpack_by(el_unpack_plainly, EL_GZIP, &packed, &plain);
    ck_assert_str_eq(fast.damage, EL_BAD_CHECKSUM);
    ck_assert_str_eq(plain.damage, EL_BAD_CHECKSUM);
    ck_assert(fast.out.len == text.len && plain.out.len == text.len);
    release(&text, &packed, &fast);
    el_buf_release(&plain.out);
}
END_TEST

/* Optional fields of a gzip header: extra, name, comment and the header's checksum flag are
 * passed over. */
START_TEST(gzip_header_with_everything) {
    static const char head[] = "\x1f\x8b\x08\x1c\0\0\0\0\0\x03\x05\0extraname.csv\0a comment\0";
    struct el_buf plain = { 0 }, packed = { 0 };
    struct result r = { 0 };
    made_packed(ARCHIVE_FILTER_GZIP, EL_STR("text"), &plain);
    el_buf_add(&packed, head, sizeof head - 1);
    el_buf_add(&packed, plain.ptr + 10, plain.len - 10);
    unpack_by(el_unpack, EL_GZIP, &packed, &r);
    ck_assert_str_eq(r.damage, "");
    ck_assert_str_eq(r.out.ptr, "text");
    unpack_by(el_unpack_plainly, EL_GZIP, &packed, &r);
    ck_assert_str_eq(r.damage, "");
    ck_assert_str_eq(r.out.ptr, "text");
    release(&plain, &packed, &r);
}
END_TEST

Suite *archive_packing(void) {
    Suite *s = suite_create("archive_packing");
    TCase *t = tcase_create("packing");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, whole, 0, SORTS * STEPS);
    tcase_add_loop_test(t, cut_off, 0, SORTS * STEPS);
    tcase_add_loop_test(t, flipped, 0, SORTS);
    tcase_add_loop_test(t, in_a_row, 0, SORTS * STEPS);
    tcase_add_loop_test(t, empty_inside, 0, SORTS);
    tcase_add_test(t, packed_twice_is_unpacked_once);
    tcase_add_loop_test(t, both_ways_of_gzip, 0, GZIPS);
    tcase_add_test(t, both_ways_see_a_flipped_bit);
    tcase_add_test(t, gzip_header_with_everything);
    suite_add_tcase(s, t);
    return s;
}
