/* Bytes into lines, cut at every size.  Lines are written as number, + (or - when the file stopped before the
 * line's end), text and |. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "esxlat/input/lines.h"

#define BYTES(literal)                                                                             \
    { literal, sizeof(literal) - 1 }
#define GRIN  "\xf0\x9f\x98\x80"
#define WRONG "\xef\xbf\xbd" /* U+FFFD stands for what is no text */

enum { NONE = 0, MARK = 1, WIDE = 2, CR = 4, CRLF = 8 };

static const struct {
    struct el_str input, lines;
    unsigned traits;
} rows[] = {
    { BYTES(""), BYTES(""), NONE },
    { BYTES("a\nb\n"), BYTES("1+a|2+b|"), NONE },
    { BYTES("a\nb"), BYTES("1+a|2-b|"), NONE },
    { BYTES("\n"), BYTES("1+|"), NONE },
    { BYTES("\n\na\n\n"), BYTES("1+|2+|3+a|4+|"), NONE },
    { BYTES("a\r\nbc\r\n"), BYTES("1+a|2+bc|"), CRLF },
    { BYTES("a\r\n\r\nb"), BYTES("1+a|2+|3-b|"), CRLF },
    { BYTES("a\rbc\r"), BYTES("1+a|2+bc|"), CR },
    { BYTES("a\rb"), BYTES("1+a|2-b|"), CR },
    { BYTES("\r\r"), BYTES("1+|2+|"), CR },
    { BYTES("a\r\nb\nc\rd\ne\r\n"), BYTES("1+a|2+b|3+c\rd|4+e|"), CRLF },
    { BYTES("a\rb\rc\n"), BYTES("1+a\rb\rc|"), NONE },
    { BYTES("a\rb\nc"), BYTES("1+a\rb|2-c|"), NONE },
    { BYTES("a\0b\n\0\n"), BYTES("1+a\0b|2+\0|"), NONE },
    { BYTES("\xef\xbb\xbf"), BYTES(""), MARK },
    { BYTES("\xef\xbb\xbf"
            "a\nb\n"),
      BYTES("1+a|2+b|"), MARK },
    { BYTES("\xef\xbb\xbf\n\xef\xbb\xbf\n"), BYTES("1+|2+\xef\xbb\xbf|"), MARK },
    { BYTES("\xef\xbb"
            "a\n"),
      BYTES("1+\xef\xbb"
            "a|"),
      NONE },
    { BYTES("\xef\xbb"), BYTES("1-\xef\xbb|"), NONE },
    { BYTES("\xef"), BYTES("1-\xef|"), NONE },
    { BYTES("\xff\xc3(\n"), BYTES("1+\xff\xc3(|"), NONE },
    { BYTES("\xff\xfe"), BYTES(""), WIDE },
    { BYTES("\xfe\xff"), BYTES(""), WIDE },
    { BYTES("\xff\xfe"
            "a\0b\0\n\0c\0"),
      BYTES("1+ab|2-c|"), WIDE },
    { BYTES("\xfe\xff\0a\0b\0\n\0c"), BYTES("1+ab|2-c|"), WIDE },
    { BYTES("\xff\xfe"
            "a\0\r\0\n\0b\0\r\0\n\0"),
      BYTES("1+a|2+b|"), WIDE | CRLF },
    { BYTES("\xff\xfe"
            "a\0\r\0b\0\r\0"),
      BYTES("1+a|2+b|"), WIDE | CR },
    { BYTES("\xff\xfe\xe9\0\xac\x20\n\0"), BYTES("1+\xc3\xa9\xe2\x82\xac|"), WIDE },
    { BYTES("\xfe\xff\0\xe9\x20\xac\0\n"), BYTES("1+\xc3\xa9\xe2\x82\xac|"), WIDE },
    { BYTES("\xff\xfe\x3d\xd8\x00\xdex\0\n\0"), BYTES("1+" GRIN "x|"), WIDE },
    { BYTES("\xfe\xff\xd8\x3d\xde\x00\0x\0\n"), BYTES("1+" GRIN "x|"), WIDE },
    { BYTES("\xff\xfe\x3d\xd8x\0\n\0"), BYTES("1+" WRONG "x|"), WIDE }, /* a first half alone */
    { BYTES("\xff\xfe\x00\xdex\0\n\0"), BYTES("1+" WRONG "x|"), WIDE }, /* a second half alone */
    { BYTES("\xff\xfe\x3d\xd8\x3d\xd8\x00\xde\n\0"), BYTES("1+" WRONG GRIN "|"), WIDE },
    { BYTES("\xff\xfe\x3d\xd8\n\0y\0\n\0"), BYTES("1+" WRONG "|2+y|"), WIDE },
    { BYTES("\xff\xfe\x0a\x0a\n\0"), BYTES("1+\xe0\xa8\x8a|"), WIDE }, /* U+0A0A is no line end */
    { BYTES("\xff\xfe"
            "a\0\0\0b\0\n\0"),
      BYTES("1+a\0b|"), WIDE },
    { BYTES("a\xff\xfe\n"), BYTES("1+a\xff\xfe|"), NONE },
};

static void put_line(struct el_buf *out, const struct el_line *line) {
    el_buf_print(out, "%u%c", (unsigned)line->number, line->ended ? '+' : '-');
    el_buf_add(out, line->text.ptr, line->text.len);
    el_buf_char(out, '|');
}

/* All lines of `bytes`, and the traits. */
static unsigned read_lines(struct el_str bytes, size_t chunk, struct el_buf *out) {
    struct el_error err;
    struct el_line line;
    enum el_line_result result;
    struct el_source *s = el_source_memory("x", bytes.ptr, bytes.len, &err);
    ck_assert_ptr_nonnull(s);
    size_t count;
    struct el_lines *l = el_lines_new(s, chunk, chunk % 2 == 1, NULL, NULL);
    while ((result = el_lines_next(l, &line, 1, &count, &err)) == EL_LINE_READ)
        put_line(out, &line);
    ck_assert_int_eq(result, EL_LINE_END);
    ck_assert_int_eq(el_lines_next(l, &line, 1, &count, &err), EL_LINE_END); /* and stays there */
    struct el_lines_traits t = el_lines_traits(l);
    el_lines_free(l);
    el_source_free(s);
    return (t.utf8_mark ? MARK : 0u) | (t.utf16 ? WIDE : 0u) | (t.cr_only ? CR : 0u) |
           (t.crlf ? CRLF : 0u);
}

START_TEST(reads_lines_in_chunks) {
    for (size_t chunk = 0; chunk <= rows[_i].input.len + 1; chunk++) {
        struct el_buf out = { 0 };
        unsigned traits = read_lines(rows[_i].input, chunk, &out);
        struct el_str got = { out.ptr, out.len };
        ck_assert_msg(el_str_equal(got, rows[_i].lines), "chunk %zu: %s", chunk,
                      out.ptr ? out.ptr : "");
        ck_assert_msg(traits == rows[_i].traits, "chunk %zu: traits %u", chunk, traits);
        el_buf_release(&out);
    }
}
END_TEST

/* What the contract leaves open is at least the same for every chunk. */
static const struct el_str open_cases[] = {
    BYTES("a\nb\r"),
    BYTES("a\r\r\nb\n"),
    BYTES("\xff\xfe"
          "a\0b"),
    BYTES("\xfe\xff\0a\0"),
    BYTES("\xff\xfe\x3d\xd8"),
    BYTES("\xff\xfe\x3d\xd8\x00"),
    BYTES("\xfe\xff\xd8\x3d\xde"),
    BYTES("\xff"),
    BYTES("\xfe"),
    BYTES("\r\n\r"),
    BYTES("\xef\xbb\xbf\r"),
    BYTES("\xef\xbb\xbf\xff\xfe"
          "a\0\n\0"),
    BYTES("\xff\xfe\xff\xfe"
          "a\0\n\0"),
    BYTES("\r"),
};

START_TEST(chunks_make_no_difference) {
    struct el_buf whole = { 0 };
    unsigned traits = read_lines(open_cases[_i], 4096, &whole);
    for (size_t chunk = 1; chunk <= open_cases[_i].len; chunk++) {
        struct el_buf out = { 0 };
        ck_assert_uint_eq(read_lines(open_cases[_i], chunk, &out), traits);
        ck_assert_uint_eq(out.len, whole.len);
        if (out.len)
            ck_assert_mem_eq(out.ptr, whole.ptr, out.len);
        el_buf_release(&out);
    }
    el_buf_release(&whole);
}
END_TEST

/* Lines of a few MiB, far beyond a chunk; with LF at the very end CR is an ordinary byte. */
START_TEST(reads_long_lines) {
    size_t size = (size_t)3 << 20;
    char *bytes = malloc(size);
    memset(bytes, 'a', size);
    for (size_t i = 1000; i + 1 < size; i += 1000)
        bytes[i] = '\r';
    struct el_buf out = { 0 };
    ck_assert_uint_eq(read_lines((struct el_str){ bytes, size }, 4096, &out), CR);
    ck_assert_ptr_nonnull(strstr(out.ptr, "|3146-a"));
    el_buf_clear(&out);
    bytes[size - 1] = '\n';
    ck_assert_uint_eq(read_lines((struct el_str){ bytes, size }, 4096, &out), NONE);
    ck_assert_uint_eq(out.len, size - 1 + 3);
    ck_assert_mem_eq(out.ptr, "1+a", 3);
    el_buf_release(&out);
    free(bytes);
}
END_TEST

/* A plain file whose next stretch is read in pieces by others: all of them, some of them, or none. */
static void write_numbers(int fd, unsigned longest, struct el_buf *want) {
    static char filler[5000];
    struct el_buf text = { 0 };
    memset(filler, 'x', sizeof filler);
    for (unsigned i = 1; text.len < 700000; i++) { /* ten stretches, and lines across pieces */
        int more = (int)(i * 7919u % longest);
        el_buf_print(&text, "%u%.*s%s\n", i * 7919u, more, filler, i % 5 == 0 ? "\r" : "");
        el_buf_print(want, "%u+%u%.*s|", i, i * 7919u, more, filler);
    }
    ck_assert_int_eq(write(fd, text.ptr, text.len), (ssize_t)text.len);
    el_buf_release(&text);
}

/* What was scanned ahead: each number is used by one line at a time, and the line's text is that. */
struct scans {
    struct el_buf text[EL_SCANS];
    bool used[EL_SCANS];
};

static void keep_scan(void *ctx, struct el_str text, unsigned scan) {
    struct scans *s = ctx;
    ck_assert_uint_lt(scan, EL_SCANS);
    ck_assert(!s->used[scan]);
    s->used[scan] = true;
    el_buf_clear(&s->text[scan]);
    el_buf_add(&s->text[scan], text.ptr, text.len);
}

static size_t use_scan(struct scans *s, const struct el_line *line) {
    if (line->scan == EL_NOT_SCANNED)
        return 0;
    ck_assert_uint_lt(line->scan, EL_SCANS);
    ck_assert(s->used[line->scan]);
    s->used[line->scan] = false;
    ck_assert_uint_eq(s->text[line->scan].len, line->text.len);
    ck_assert_mem_eq(s->text[line->scan].ptr, line->text.ptr, line->text.len);
    return 1;
}

/* How often pieces were run: `every` of them, from behind or from the front; the first must be among them. */
static size_t run_some_errands(struct el_lines *l, size_t every, bool forward) {
    size_t pieces = el_lines_errands(l);
    if (pieces == 0 || every == 0)
        return 0;
    ck_assert_uint_eq(pieces, 16);
    for (size_t i = 0; i < pieces; i++) {
        size_t piece = forward ? i : pieces - 1 - i;
        if (piece % every == 0)
            el_lines_run_errand(l, piece);
    }
    ck_assert_uint_eq(el_lines_errands(l), 0); /* only once */
    return 1;
}

static const struct {
    size_t every;
    bool forward;
    unsigned longest;
    size_t
        scanned; /* at least as many of the lines: all but those of the first and the last stretch */
} readings[] = { { 0, true, 5000, 0 },    { 1, true, 5000, 220 }, { 1, false, 5000, 220 },
                 { 2, false, 5000, 220 }, { 3, true, 1700, 450 }, { 1, false, 23, 0 } };

START_TEST(reads_a_file_in_pieces) {
    char name[] = "esxlat-unit-XXXXXX"; /* in the working folder */
    struct el_buf want = { 0 }, out = { 0 };
    struct el_error err;
    struct el_line line[7];
    static struct scans scans;
    size_t count, stretches = 0, scanned = 0;
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    write_numbers(fd, readings[_i].longest, &want);
    ck_assert_int_eq(close(fd), 0);
    struct el_source *s = el_source_open(name, &err);
    ck_assert_ptr_nonnull(s);
    struct el_lines *l = el_lines_new(s, 65536, true, keep_scan, &scans);
    while (el_lines_next(l, line, 7, &count, &err) == EL_LINE_READ) {
        for (size_t i = 0; i < count; i++) {
            scanned += use_scan(&scans, &line[i]);
            put_line(&out, &line[i]);
        }
        stretches += run_some_errands(l, readings[_i].every, readings[_i].forward);
    }
    ck_assert_uint_eq(out.len, want.len);
    ck_assert_mem_eq(out.ptr, want.ptr, want.len);
    ck_assert(readings[_i].every == 0 || stretches >= 9);
    ck_assert_uint_ge(scanned, readings[_i].scanned);
    el_lines_free(l);
    el_source_free(s);
    for (size_t i = 0; i < EL_SCANS; i++)
        el_buf_release(&scans.text[i]);
    el_buf_release(&want);
    el_buf_release(&out);
    (void)unlink(name);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

Suite *lines(void) {
    Suite *s = suite_create("lines");
    TCase *t = tcase_create("lines");
    tcase_add_loop_test(t, reads_lines_in_chunks, 0, ROWS(rows));
    tcase_add_loop_test(t, chunks_make_no_difference, 0, ROWS(open_cases));
    tcase_add_test(t, reads_long_lines);
    tcase_add_loop_test(t, reads_a_file_in_pieces, 0, ROWS(readings));
    suite_add_tcase(s, t);
    return s;
}
