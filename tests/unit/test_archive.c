/* Captures inside tar and zip. */
#include "test_archive_made.h"

#include <string.h>
#include <unistd.h>

#include "../../src/input/contents.h"
#include "esxlat/app/analyse.h"
#include "test_reader_made.h"

#define CAPTURE(host) "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\" host "\\Memory\\Free MBytes\"\n"
#define BYTES(text)                                                                                \
    { text, sizeof(text) - 1 }
#define IS_FILE(name, text)                                                                        \
    { name, BYTES(text), AE_IFREG, NULL }

static const struct form {
    const char *name;
    int format, filter;
} forms[] = { { "x.tar", ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE },
              { "x.tgz", ARCHIVE_FORMAT_TAR_GNUTAR, ARCHIVE_FILTER_GZIP },
              { "x.tar.zst", ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_ZSTD },
              { "x.tar.xz", ARCHIVE_FORMAT_TAR_GNUTAR, ARCHIVE_FILTER_XZ },
              { "x.zip", ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE } };
enum { FORMS = sizeof forms / sizeof *forms };

static const size_t steps[] = { 1, 7, 65536 };
enum { STEPS = sizeof steps / sizeof *steps };

static const struct made_member bundle[] = {
    { "./vm-support", BYTES(""), AE_IFDIR, NULL },
    IS_FILE("vm-support/readme.txt", "no (PDH-CSV at the start of a line\n"),
    IS_FILE("vm-support/empty", ""),
    IS_FILE("./vm-support/one.csv", CAPTURE("esx1")),
    { "vm-support/link.csv", BYTES(""), AE_IFLNK, "one.csv" },
    IS_FILE("vm-support/two.csv", "\xef\xbb\xbf" CAPTURE("esx2")),
    IS_FILE("vm-support/binary", "\0\1\2\3"),
    IS_FILE("vm-support/three.csv", "vmkwarning: a line of something else\r\n(PDH-CSV 4.0),x\r\n"),
};
enum { BUNDLE = sizeof bundle / sizeof *bundle };

static struct el_str of(const struct el_buf *b) {
    return (struct el_str){ b->ptr, b->len };
}

static struct el_source *opened(const char *name, const struct el_buf *bytes) {
    struct el_error err = { EL_OK, "" };
    struct el_source *s = el_source_memory(name, bytes->ptr, bytes->len, &err);
    ck_assert_msg(s != NULL, "%s", err.text);
    return s;
}

/* The source stands at this capture. */
static void expect(struct el_source *s, const char *name, struct el_str bytes, size_t step) {
    struct el_buf out = { 0 };
    ck_assert_str_eq(el_source_name(s), name);
    ck_assert_uint_eq(el_source_head(s).len, bytes.len);
    made_read(s, step, &out);
    ck_assert(el_str_equal(of(&out), bytes));
    ck_assert_ptr_null(el_source_damage(s));
    el_buf_release(&out);
}

static bool go_on(struct el_source *s) {
    struct el_error err = { EL_OK, "" };
    bool more = true;
    ck_assert_msg(el_source_next(s, &more, &err), "%s", err.text);
    return more;
}

START_TEST(three_captures_among_others) {
    const struct form *form = &forms[_i / STEPS];
    size_t step = steps[_i % STEPS];
    struct el_buf bytes = { 0 }, name = { 0 };
    made_archive(form->format, form->filter, bundle, BUNDLE, NULL, &bytes);
    struct el_source *s = opened(form->name, &bytes);
    static const size_t captures[] = { 3, 5, 7 };
    for (size_t i = 0; i < 3; i++) {
        const char *path = bundle[captures[i]].name;
        el_buf_clear(&name);
        el_buf_print(&name, "%s:%s", form->name, path + (path[0] == '.' ? 2 : 0));
        expect(s, name.ptr, bundle[captures[i]].bytes, step);
        ck_assert(go_on(s) == (i < 2));
    }
    ck_assert(!go_on(s));
    el_source_free(s);
    el_buf_release(&bytes);
    el_buf_release(&name);
}
END_TEST

/* Going on without reading. */
START_TEST(one_pass_skips) {
    struct el_buf bytes = { 0 };
    made_archive(forms[_i].format, forms[_i].filter, bundle, BUNDLE, NULL, &bytes);
    struct el_source *s = opened("x", &bytes);
    ck_assert(go_on(s));
    ck_assert_str_eq(el_source_name(s), "x:vm-support/two.csv");
    ck_assert(go_on(s));
    ck_assert(!go_on(s));
    el_source_free(s);
    el_buf_release(&bytes);
}
END_TEST

START_TEST(no_capture) {
    struct el_buf bytes = { 0 };
    struct el_error err = { EL_OK, "" };
    made_archive(forms[_i].format, forms[_i].filter, bundle, 3, NULL, &bytes);
    ck_assert_ptr_null(el_source_memory(forms[_i].name, bytes.ptr, bytes.len, &err));
    ck_assert_int_eq(err.status, EL_CAPTURE);
    ck_assert_ptr_nonnull(strstr(err.text, forms[_i].name));
    ck_assert_ptr_nonnull(
        strstr(err.text, "it holds 'vm-support/readme.txt', 'vm-support/empty'\n"));
    ck_assert_ptr_nonnull(strstr(err.text, "esxtop -R FOLDER -b -a"));
    el_buf_release(&bytes);
}
END_TEST

/* A compressed capture inside, by every compression. */
START_TEST(packed_capture_inside) {
    static const int filters[] = { ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_BZIP2, ARCHIVE_FILTER_XZ,
                                   ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_LZ4 };
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        struct el_buf inner = { 0 }, bytes = { 0 };
        made_packed(filters[i], el_str(CAPTURE("esx1")), &inner);
        const struct made_member m[] = { IS_FILE("a", "text"),
                                         { "b.csv.gz", of(&inner), AE_IFREG, NULL } };
        made_archive(forms[_i].format, forms[_i].filter, m, 2, NULL, &bytes);
        struct el_source *s = opened("x", &bytes);
        expect(s, "x:b.csv.gz", el_str(CAPTURE("esx1")), 7);
        ck_assert(!go_on(s));
        el_source_free(s);
        el_buf_release(&inner);
        el_buf_release(&bytes);
    }
}
END_TEST

/* ---- ARCHIVE:MEMBER ---- */

static const struct {
    const char *member, *shown; /* NULL: it is not there, and then */
    const char *says;
} picks[] = {
    { "vm-support/two.csv", "vm-support/two.csv", NULL },
    { "./vm-support/two.csv", "vm-support/two.csv", NULL },
    { "vm-support/one.csv", "vm-support/one.csv", NULL },
    { "vm-support/readme.txt", "vm-support/readme.txt", NULL },
    { "vm-support/twoo.csv", NULL, "did you mean '" },
    { "zz", NULL,
      "its captures: 'vm-support/one.csv', 'vm-support/two.csv', 'vm-support/three.csv'" },
    { "vm-support", NULL, "its captures: " },
};
enum { PICKS = sizeof picks / sizeof *picks };

START_TEST(picks_a_member) {
    char file[64];
    struct el_buf bytes = { 0 }, name = { 0 };
    struct el_error err = { EL_OK, "" };
    made_archive(ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_GZIP, bundle, BUNDLE, NULL, &bytes);
    made_file(file, of(&bytes));
    el_buf_print(&name, "%s:%s", file, picks[_i].member);
    struct el_source *s = el_source_open(name.ptr, &err);
    unlink(file);
    if (picks[_i].shown) {
        ck_assert_msg(s != NULL, "%s", err.text);
        ck_assert_str_eq(el_source_name(s) + strlen(file) + 1, picks[_i].shown);
        ck_assert(!go_on(s));
    } else {
        ck_assert_ptr_null(s);
        ck_assert_int_eq(err.status, EL_CAPTURE);
        ck_assert_msg(strstr(err.text, picks[_i].says) != NULL, "%s", err.text);
    }
    el_source_free(s);
    el_buf_release(&bytes);
    el_buf_release(&name);
}
END_TEST

START_TEST(a_colon_is_no_archive) {
    char file[64];
    struct el_buf bytes = { 0 }, name = { 0 };
    struct el_error err = { EL_OK, "" };
    el_buf_text(&bytes, CAPTURE("esx1"));
    made_file(file, of(&bytes));
    el_buf_print(&name, "%s:a.csv", file);
    ck_assert_ptr_null(el_source_open(name.ptr, &err));
    ck_assert_int_eq(err.status, EL_CAPTURE);
    ck_assert_ptr_nonnull(strstr(err.text, "not an archive"));
    ck_assert_int_eq(rename(file, name.ptr), 0); /* a file of the whole name comes first */
    struct el_source *s = el_source_open(name.ptr, &err);
    unlink(name.ptr);
    ck_assert_msg(s != NULL, "%s", err.text);
    expect(s, name.ptr, of(&bytes), 7);
    el_source_free(s);
    ck_assert_ptr_null(el_source_open(name.ptr, &err)); /* neither is there now */
    ck_assert_int_eq(err.status, EL_SYSTEM);
    el_buf_release(&bytes);
    el_buf_release(&name);
}
END_TEST

/* ---- foreign and hostile ---- */

START_TEST(names_are_made_visible) {
    static const struct made_member m[] = { IS_FILE("a\033[2J\n.csv", CAPTURE("esx1")) };
    struct el_buf bytes = { 0 };
    made_archive(ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE, m, 1, NULL, &bytes);
    struct el_source *s = opened("x", &bytes);
    ck_assert_str_eq(el_source_name(s), "x:a\\x1b[2J\\x0a.csv");
    el_source_free(s);
    el_buf_release(&bytes);
}
END_TEST

START_TEST(long_names_do_not_flood) {
    char name[5000];
    struct el_buf bytes = { 0 };
    struct el_error err = { EL_OK, "" };
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const struct made_member m[] = { { name, BYTES("text"), AE_IFREG, NULL } };
    made_archive(ARCHIVE_FORMAT_TAR_GNUTAR, ARCHIVE_FILTER_NONE, m, 1, NULL, &bytes);
    ck_assert_ptr_null(el_source_memory("x", bytes.ptr, bytes.len, &err));
    ck_assert_uint_lt(strlen(err.text), 600);
    ck_assert_ptr_nonnull(strstr(err.text, "nnn...'"));
    el_buf_release(&bytes);
}
END_TEST

START_TEST(encrypted_zip) {
    struct el_buf bytes = { 0 };
    struct el_error err = { EL_OK, "" };
    made_archive(ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, &bundle[3], 1, "secret", &bytes);
    ck_assert_ptr_null(el_source_memory("x.zip", bytes.ptr, bytes.len, &err));
    ck_assert_int_eq(err.status, EL_CAPTURE);
    ck_assert_msg(strstr(err.text, "encrypted") != NULL, "%s", err.text);
    el_buf_release(&bytes);
}
END_TEST

static void put_octal(char *field, size_t digits, uint64_t value) {
    for (field[digits] = '\0'; digits > 0; value /= 8)
        field[--digits] = (char)('0' + value % 8);
}

/* Gigabytes of nothing with a few bytes at their end, as GNU tar has it, are passed over. */
START_TEST(sparse_file) {
    static const struct made_member m[] = { IS_FILE("a.csv", CAPTURE("esx1")) };
    static char tar[2 * 512] = "core";
    const uint64_t size = (uint64_t)7 << 30;
    unsigned sum = 0;
    put_octal(tar + 100, 7, 0644);
    put_octal(tar + 124, 11, 512);
    put_octal(tar + 136, 11, 0);
    memcpy(tar + 148, "        S", 9);
    memcpy(tar + 257, "ustar  ", 8);
    put_octal(tar + 386, 11, size - 512);
    put_octal(tar + 398, 11, 512);
    put_octal(tar + 483, 11, size);
    for (size_t i = 0; i < 512; i++)
        sum += (unsigned char)tar[i];
    put_octal(tar + 148, 6, sum);
    struct el_buf bytes = { 0 };
    el_buf_add(&bytes, tar, sizeof tar);
    made_archive(ARCHIVE_FORMAT_TAR_GNUTAR, ARCHIVE_FILTER_NONE, m, 1, NULL, &bytes);
    struct el_source *s = opened("x", &bytes);
    expect(s, "x:a.csv", m[0].bytes, 7);
    el_source_free(s);
    el_buf_release(&bytes);
}
END_TEST

/* ---- damage ---- */

START_TEST(cut_off_anywhere) {
    struct el_buf text = { 0 }, bytes = { 0 };
    el_buf_text(&text, CAPTURE("esx1"));
    made_text(&text);
    const struct made_member m[] = { { "a.csv", of(&text), AE_IFREG, NULL },
                                     IS_FILE("b.csv", CAPTURE("esx2")) };
    made_archive(forms[_i].format, forms[_i].filter, m, 2, NULL, &bytes);
    for (size_t cut = 100; cut < bytes.len; cut += 1 + bytes.len / 37) {
        struct el_error err = { EL_OK, "" };
        struct el_buf out = { 0 };
        bool more = false;
        struct el_source *s = el_source_memory("x", bytes.ptr, cut, &err);
        ck_assert(s || err.status == EL_CAPTURE);
        if (s && strchr(el_source_name(s), ':')) { /* else too short to be an archive */
            made_read(s, 4096, &out);
            ck_assert(out.len <= text.len && memcmp(out.ptr, text.ptr, out.len) == 0);
            ck_assert(out.len == text.len || el_source_damage(s));
            bool fine = el_source_next(s, &more, &err);
            ck_assert(fine || (!more && err.status == EL_CAPTURE));
        }
        el_source_free(s);
        el_buf_release(&out);
    }
    el_buf_release(&text);
    el_buf_release(&bytes);
}
END_TEST

/* The first capture inside is damaged; the one behind it is not lost. */
START_TEST(damage_stays_with_its_member) {
    struct el_buf text = { 0 }, inner = { 0 }, bytes = { 0 }, out = { 0 };
    el_buf_text(&text, CAPTURE("esx1"));
    made_text(&text);
    made_packed(ARCHIVE_FILTER_GZIP, of(&text), &inner);
    inner.len /= 2;
    const struct made_member m[] = { { "a.csv.gz", of(&inner), AE_IFREG, NULL },
                                     IS_FILE("b", CAPTURE("esx2")) };
    made_archive(forms[_i].format, forms[_i].filter, m, 2, NULL, &bytes);
    struct el_source *s = opened("x", &bytes);
    made_read(s, 65536, &out);
    ck_assert_uint_gt(out.len, 0);
    ck_assert_ptr_nonnull(el_source_damage(s));
    ck_assert(go_on(s));
    expect(s, "x:b", m[1].bytes, 7);
    ck_assert(!go_on(s));
    el_source_free(s);
    el_buf_release(&text);
    el_buf_release(&inner);
    el_buf_release(&bytes);
    el_buf_release(&out);
}
END_TEST

/* ---- what is a capture ---- */

static const struct {
    struct el_str window;
    bool capture;
} windows[] = {
    { BYTES("(PDH-CSV 4.0)"), true },
    { BYTES("\"(PDH-CSV 4.0)\""), true },
    { BYTES("x\n\"(PDH-CSV 4.0)\""), true },
    { BYTES("x\r(PDH-CSV"), true },
    { BYTES("\xef\xbb\xbf\"(PDH-CSV"), true },
    { BYTES("\xff\xfe\"\0(\0P\0D\0H\0-\0C\0S\0V\0"), true },
    { BYTES("\xfe\xff\0\"\0(\0P\0D\0H\0-\0C\0S\0V"), true },
    { BYTES("((PDH-CSV"), false },
    { BYTES("x\"(PDH-CSV"), false },
    { BYTES("(PDH-CS"), false },
    { BYTES("\xff\xfe\"\0(\0P"), false },
    { BYTES("\xff\xfe"), false },
    { BYTES(""), false },
};
enum { WINDOWS = sizeof windows / sizeof *windows };

START_TEST(knows_a_capture) {
    ck_assert(el_begins_capture(windows[_i].window) == windows[_i].capture);
}
END_TEST

/* ---- the whole program ---- */

static void make_capture(struct cap *c, const char *host) {
    cap_begin(c, host, NULL);
    cap_object(c, "Physical Disk SCSI Device(naa.1)", "cmds davg kavg gavg");
    cap_row(c, 0, "10 1 0 1");
    cap_row(c, 5, "10 1 0 1");
    cap_row(c, 10, "10 1 0 1");
}

static void on_trouble(void *ctx, const struct el_error *e) {
    ck_assert_int_eq(e->status, EL_CAPTURE);
    ck_assert_ptr_nonnull(strstr(e->text, "hosts.tgz:b.csv"));
    ++*(int *)ctx;
}

START_TEST(analyses_two_hosts_of_an_archive) {
    static const char *const name = "hosts.tgz";
    struct cap one = { 0 }, two = { 0 };
    struct el_buf bytes = { 0 };
    struct el_error err = { EL_OK, "" };
    struct el_report report;
    int troubles = 0;
    make_capture(&one, "esx1");
    make_capture(&two, "esx2");
    const struct made_member m[] = { { "a.csv", cap_bytes(&one), AE_IFREG, NULL },
                                     IS_FILE("b.csv", CAPTURE("esx3")), /* no storage, no rows */
                                     { "c.csv", cap_bytes(&two), AE_IFREG, NULL } };
    made_archive(ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_GZIP, m, 3, NULL, &bytes);
    struct el_ruleset *rules = el_ruleset_new();
    ck_assert(el_ruleset_compile(rules, &err));
    const struct el_options o = { .file = &name,
                                  .files = 1,
                                  .rules = rules,
                                  .profile = EL_AUTO,
                                  .threads = 2,
                                  .data = bytes.ptr,
                                  .data_length = bytes.len };
    const struct el_observer observer = { .trouble = on_trouble, .ctx = &troubles };
    ck_assert_msg(el_analyse(&o, &observer, &report, &err), "%s", err.text);
    ck_assert_int_eq(err.status, EL_CAPTURE);
    ck_assert_int_eq(troubles, 1);
    ck_assert_uint_eq(report.captures, 2);
    ck_assert_str_eq(report.capture[0].file, "hosts.tgz:a.csv");
    ck_assert_str_eq(report.capture[1].file, "hosts.tgz:c.csv");
    ck_assert(el_str_is(report.capture[0].host, "esx1") &&
              el_str_is(report.capture[1].host, "esx2"));
    el_report_release(&report);
    el_ruleset_free(rules);
    el_buf_release(&bytes);
    cap_release(&one);
    cap_release(&two);
}
END_TEST

Suite *archives(void) {
    Suite *s = suite_create("archives");
    TCase *t = tcase_create("archives");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, three_captures_among_others, 0, FORMS * STEPS);
    tcase_add_loop_test(t, one_pass_skips, 0, FORMS);
    tcase_add_loop_test(t, no_capture, 0, FORMS);
    tcase_add_loop_test(t, packed_capture_inside, 0, FORMS);
    tcase_add_loop_test(t, picks_a_member, 0, PICKS);
    tcase_add_test(t, a_colon_is_no_archive);
    tcase_add_test(t, names_are_made_visible);
    tcase_add_test(t, long_names_do_not_flood);
    tcase_add_test(t, encrypted_zip);
    tcase_add_test(t, sparse_file);
    tcase_add_loop_test(t, cut_off_anywhere, 0, FORMS);
    tcase_add_loop_test(t, damage_stays_with_its_member, 0, FORMS);
    tcase_add_loop_test(t, knows_a_capture, 0, WINDOWS);
    tcase_add_test(t, analyses_two_hosts_of_an_archive);
    suite_add_tcase(s, t);
    return s;
}
