/* pass FILE.csv - one pass of libcsv over a file, without callbacks: what splitting alone costs with it. */
#include <csv.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const char *why) {
    (void)fprintf(stderr, "pass: %s: %s\n", what, why);
    exit(1);
}

int main(int argc, char **argv) {
    static char bytes[1 << 18];
    struct csv_parser parser;
    size_t got;
    FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!f)
        fail(argc == 2 ? argv[1] : "usage", argc == 2 ? strerror(errno) : "pass FILE.csv");
    if (csv_init(&parser, 0))
        fail("libcsv", "cannot start");
    (void)setvbuf(f, NULL, _IONBF, 0);
    while ((got = fread(bytes, 1, sizeof bytes, f)) > 0)
        if (csv_parse(&parser, bytes, got, NULL, NULL, NULL) != got)
            fail(argv[1], csv_strerror(csv_error(&parser)));
    if (ferror(f) || csv_fini(&parser, NULL, NULL, NULL))
        fail(argv[1], "cannot read to the end");
    csv_free(&parser);
    (void)fclose(f);
    return 0;
}
