#include "memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void *checked(void *p) {
    if (p == NULL) {
        fputs("esxsim: out of memory\n", stderr);
        exit(5);
    }
    return p;
}

void *memory_new(size_t count, size_t size) {
    return checked(calloc(count, size));
}

void *memory_resize(void *old, size_t count, size_t size) {
    return checked(count > SIZE_MAX / size ? NULL : realloc(old, count * size));
}

void memory_free(void *p) {
    free(p);
}
