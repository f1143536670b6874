#include "esxlat/base/mem.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arena chunks start at 16 KiB and double up to 256 KiB, for which the system is asked seldom; larger requests get a
 * chunk of their own size. */
#define FIRST_CHUNK ((size_t)16 * 1024)
#define LAST_CHUNK  ((size_t)256 * 1024)

struct el_arena_chunk {
    struct el_arena_chunk *older;
    alignas(max_align_t) char bytes[];
};

/* The one mutable global of the library: what to do when memory is gone. Set once, at start. */
static void (*on_failure)(void) = NULL;

static _Noreturn void give_up(void) {
    if (on_failure)
        on_failure();
    abort();
}

void el_mem_on_failure(void (*handler)(void)) {
    on_failure = handler;
}

void *el_alloc(size_t size) {
    void *p = malloc(size ? size : 1);
    if (!p)
        give_up();
    return p;
}

void *el_calloc(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        give_up();
    return p;
}

void *el_resize(void *old, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size)
        give_up();
    size_t bytes = count * size;
    void *p = realloc(old, bytes ? bytes : 1);
    if (!p)
        give_up();
    return p;
}

void el_free(void *p) {
    free(p);
}

void el_grow(void **items, size_t *room, size_t need, size_t size) {
    if (need <= *room)
        return;
    size_t next = *room < 8 ? 8 : *room + *room / 2;
    if (next < need)
        next = need;
    *items = el_resize(*items, next, size);
    *room = next;
}

/* The start of a fresh chunk with `size` usable bytes, which the arena does not carve from. */
static char *new_chunk(struct el_arena *a, size_t size) {
    if (size > SIZE_MAX - sizeof(struct el_arena_chunk))
        give_up();
    struct el_arena_chunk *c = el_alloc(sizeof *c + size);
    c->older = a->chunks;
    a->chunks = c;
    return c->bytes;
}

static void *take_piece(struct el_arena *a, size_t size) {
    if (size > FIRST_CHUNK / 4)
        return new_chunk(a, size);
    if (size > a->left) {
        a->carved = a->carved == 0           ? FIRST_CHUNK
                    : a->carved < LAST_CHUNK ? 2 * a->carved
                                             : LAST_CHUNK;
        a->next = new_chunk(a, a->carved);
        a->left = a->carved;
    }
    void *p = a->next;
    a->next += size;
    a->left -= size;
    return p;
}

/* Cleared here, not by calloc: a page that is read before it is written costs a second fault, and with several threads a
 * word to all processors. */
void *el_arena_alloc(struct el_arena *a, size_t size) {
    const size_t step = alignof(max_align_t);
    if (size > SIZE_MAX - step)
        give_up();
    size = (size + step - 1) / step * step;
    return memset(take_piece(a, size), 0, size);
}

char *el_arena_text(struct el_arena *a, const char *bytes, size_t length) {
    char *p = el_arena_alloc(a, length + 1);
    if (length)
        memcpy(p, bytes, length);
    return p;
}

char *el_arena_print(struct el_arena *a, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t room = length < 0 ? 1 : (size_t)length + 1;
    char *p = el_arena_alloc(a, room);
    (void)vsnprintf(p, room, format, again);
    va_end(again);
    return p;
}

void el_arena_adopt(struct el_arena *a, struct el_arena *from) {
    struct el_arena_chunk **last = &a->chunks;
    while (*last)
        last = &(*last)->older;
    *last = from->chunks;
    *from = (struct el_arena){ 0 };
}

void el_arena_release(struct el_arena *a) {
    while (a->chunks) {
        struct el_arena_chunk *older = a->chunks->older;
        el_free(a->chunks);
        a->chunks = older;
    }
    *a = (struct el_arena){ 0 };
}
