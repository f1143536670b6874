/* grow IN.csv COPIES BYTES OUT.csv - a capture of real size from a small one: every column COPIES times, each copy on
 * a host of its own name, and the rows again and again, five seconds apart, until OUT.csv has BYTES.  The hosts are at
 * different rows at the same time: a row that repeated its own text would be too easy to compress. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct text {
    char *bytes;
    size_t length;
};

struct rows {
    struct text *row;
    size_t count;
};

static void fail(const char *what, const char *why) {
    (void)fprintf(stderr, "grow: %s: %s\n", what, why);
    exit(1);
}

static struct text read_file(const char *name) {
    struct text t = { NULL, 0 };
    size_t room = 0, got;
    FILE *f = fopen(name, "rb");
    if (!f)
        fail(name, strerror(errno));
    do {
        if (room - t.length < 1u << 20) {
            room = 2 * room + (2u << 20);
            t.bytes = realloc(t.bytes, room);
            if (!t.bytes)
                fail(name, "no memory");
        }
        got = fread(t.bytes + t.length, 1, room - t.length, f);
        t.length += got;
    } while (got);
    if (ferror(f))
        fail(name, "cannot read");
    (void)fclose(f);
    return t;
}

/* The next line without its end and without a comma that ends it; false after the last. */
static bool next_line(struct text *rest, struct text *line) {
    char *end = rest->length ? memchr(rest->bytes, '\n', rest->length) : NULL;
    if (!end)
        return false;
    *line = (struct text){ rest->bytes, (size_t)(end - rest->bytes) };
    rest->length -= line->length + 1;
    rest->bytes = end + 1;
    if (line->length && line->bytes[line->length - 1] == ',')
        line->length--;
    return true;
}

/* From the first comma on: all but the timestamp. */
static struct text body_of(struct text line) {
    char *comma = line.length ? memchr(line.bytes, ',', line.length) : NULL;
    if (!comma)
        fail("a line", "has one column only");
    return (struct text){ comma, line.length - (size_t)(comma - line.bytes) };
}

/* Copy k of the header's cells, on host HOST.ck; copy 0 as it is. */
static void put_header(FILE *out, struct text body, size_t copy) {
    static const char start[] = { '"', '\\', '\\' };
    for (size_t i = 0; i < body.length; i++) {
        (void)putc(body.bytes[i], out);
        if (copy == 0 || i < 2 || memcmp(body.bytes + i - 2, start, sizeof start) != 0)
            continue;
        for (i++; i < body.length && body.bytes[i] != '\\'; i++)
            (void)putc(body.bytes[i], out);
        (void)fprintf(out, ".c%zu\\", copy);
    }
}

/* Every row but its timestamp. */
static struct rows rows_of(struct text rest) {
    struct rows r = { NULL, 0 };
    struct text line;
    size_t room = 0;
    while (next_line(&rest, &line)) {
        if (r.count == room) {
            room = 2 * room + 64;
            r.row = realloc(r.row, room * sizeof *r.row);
            if (!r.row)
                fail("the rows", "no memory");
        }
        r.row[r.count++] = body_of(line);
    }
    if (r.count < 2)
        fail("the capture", "has no row after the baseline");
    return r;
}

/* Row 0 is the baseline of all hosts; from then on host k is k/copies of the rows behind host 0. */
static void put_row(FILE *out, const struct rows *r, size_t number, size_t copies) {
    time_t when = 1700000000 + 5 * (time_t)number; /* from 2023-11-14 22:13:20 UTC */
    size_t repeated = r->count - 1;
    char stamp[32];
    (void)strftime(stamp, sizeof stamp, "\"%m/%d/%Y %H:%M:%S\"", gmtime(&when));
    (void)fputs(stamp, out);
    for (size_t k = 0; k < copies; k++) {
        size_t i = number ? 1 + (number - 1 + k * repeated / copies) % repeated : 0;
        (void)fwrite(r->row[i].bytes, 1, r->row[i].length, out);
    }
    (void)putc('\n', out);
}

static long number(const char *text, const char *what) {
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (errno || end == text || *end || n < 1)
        fail(what, "must be a whole number above 0");
    return n;
}

int main(int argc, char **argv) {
    if (argc != 5)
        fail("usage", "grow IN.csv COPIES BYTES OUT.csv");
    size_t copies = (size_t)number(argv[2], "COPIES");
    long bytes = number(argv[3], "BYTES");
    struct text rest = read_file(argv[1]), header;
    if (!next_line(&rest, &header))
        fail(argv[1], "has no header");
    struct text body = body_of(header);
    FILE *out = fopen(argv[4], "wb");
    if (!out)
        fail(argv[4], strerror(errno));
    (void)fwrite(header.bytes, 1, header.length - body.length, out);
    for (size_t k = 0; k < copies; k++)
        put_header(out, body, k);
    (void)putc('\n', out);
    const struct rows rows = rows_of(rest);
    for (size_t i = 0; ftell(out) < bytes && !ferror(out); i++)
        put_row(out, &rows, i, copies);
    int bad = ferror(out);
    if (fclose(out) || bad)
        fail(argv[4], "cannot write");
    free(rows.row);
    return 0;
}
