/* grow IN.csv COPIES BYTES OUT.csv - a capture of real size from a small one: every column COPIES times, each copy on
 * a host of its own name, and the rows again and again, five seconds apart, until OUT.csv has BYTES. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct text {
    char *bytes;
    size_t length;
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
    (void)fclose(f);
    return t;
}

/* The next line without its end and without a comma that ends it; NULL after the last. */
static char *next_line(struct text *t, size_t *length) {
    char *line = t->bytes, *end = t->length ? memchr(line, '\n', t->length) : NULL;
    if (!end)
        return NULL;
    *length = (size_t)(end - line);
    t->length -= *length + 1;
    t->bytes = end + 1;
    if (*length && line[*length - 1] == ',')
        --*length;
    return line;
}

/* Header cells behind the first comma; copy k > 0 is on host HOST.ck. */
static void put_header(FILE *out, const char *body, size_t length, int copy) {
    static const char start[] = "\"\\\\";
    for (size_t i = 0; i < length; i++) {
        (void)putc(body[i], out);
        if (copy == 0 || i + 1 < sizeof start - 1 || memcmp(body + i - 2, start, 3) != 0)
            continue;
        for (i++; i < length && body[i] != '\\'; i++)
            (void)putc(body[i], out);
        (void)fprintf(out, ".c%d\\", copy);
    }
}

static void put_rows(FILE *out, struct text rows, int copies, long bytes) {
    time_t when = 1700000000; /* 2023-11-14 22:13:20 UTC */
    struct text t = rows;
    while (ftell(out) < bytes) {
        size_t length;
        char stamp[32], *line = next_line(&t, &length), *body = line ? memchr(line, ',', length) : NULL;
        if (!body) {
            t = rows;
            (void)next_line(&t, &length); /* the baseline comes once */
            continue;
        }
        (void)strftime(stamp, sizeof stamp, "\"%m/%d/%Y %H:%M:%S\"", gmtime(&when));
        when += 5;
        (void)fputs(stamp, out);
        for (int k = 0; k < copies; k++)
            (void)fwrite(body, 1, length - (size_t)(body - line), out);
        (void)putc('\n', out);
    }
}

int main(int argc, char **argv) {
    if (argc != 5)
        fail("usage", "grow IN.csv COPIES BYTES OUT.csv");
    size_t length;
    struct text t = read_file(argv[1]);
    char *header = next_line(&t, &length), *body = header ? memchr(header, ',', length) : NULL;
    int copies = atoi(argv[2]);
    FILE *out = fopen(argv[4], "wb");
    if (!body || copies < 1)
        fail(argv[1], "no header, or no copies");
    if (!out)
        fail(argv[4], strerror(errno));
    (void)fwrite(header, 1, (size_t)(body - header), out);
    for (int k = 0; k < copies; k++)
        put_header(out, body, length - (size_t)(body - header), k);
    (void)putc('\n', out);
    put_rows(out, t, copies, atol(argv[3]));
    if (ferror(out) | fclose(out))
        fail(argv[4], "cannot write");
    return 0;
}
