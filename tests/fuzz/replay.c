/* replay - run a fuzz target over files, so that corpora are part of the ordinary tests. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

static bool replay(const char *name) {
    FILE *f = fopen(name, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        return false;
    long size = ftell(f);
    rewind(f);
    uint8_t *bytes = malloc(size > 0 ? (size_t)size : 1); /* exact, so that overruns are seen */
    bool good = bytes && size >= 0 && fread(bytes, 1, (size_t)size, f) == (size_t)size;
    (void)fclose(f);
    if (good)
        (void)LLVMFuzzerTestOneInput(bytes, (size_t)size);
    free(bytes);
    return good;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!replay(argv[i])) {
            (void)fprintf(stderr, "cannot read '%s'\n", argv[i]);
            return EXIT_FAILURE;
        }
    return EXIT_SUCCESS;
}
