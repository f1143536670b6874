/* mem.h - memory: allocation that cannot fail, arenas, and a growable array.
 *
 * Policy: when memory runs out the handler is called once and must not return (cli/ installs one
 * that prints a sentence and exits with EL_SYSTEM; the default aborts).  No caller checks for NULL. */
#ifndef ESXLAT_BASE_MEM_H
#define ESXLAT_BASE_MEM_H

#include <stddef.h>

/* Replace what happens when memory runs out.  `handler` must not return. */
void el_mem_on_failure(void (*handler)(void));

void *el_alloc(size_t size);                           /* never NULL, not cleared */
void *el_calloc(size_t count, size_t size);            /* never NULL, cleared */
void *el_resize(void *old, size_t count, size_t size); /* realloc to count * size bytes */
void el_free(void *p);                                 /* NULL is fine */

/* Grow `*items` (elements of `size` bytes, room for `*room`) to hold at least `need` of them. */
void el_grow(void **items, size_t *room, size_t need, size_t size);

/* EL_PUSH(array, count, room) - the new last element of a growing array, uninitialised. */
#define EL_PUSH(array, count, room)                                                                \
    (el_grow((void **)&(array), &(room), (count) + 1, sizeof *(array)), &(array)[(count)++])

/* An arena gives memory that lives until the whole arena is released.  Zero-initialised is empty. */
struct el_arena {
    struct el_arena_chunk *chunks;
    size_t carved; /* bytes of the chunk that pieces are taken from */
    size_t left;   /* of those are free */
    char *next;
};
void *el_arena_alloc(struct el_arena *a, size_t size); /* aligned for any type, cleared */
char *el_arena_text(struct el_arena *a, const char *bytes, size_t length); /* copy + NUL */
char *el_arena_print(struct el_arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What `from` holds lives on in `a`, at the same addresses; `from` is empty afterwards. */
void el_arena_adopt(struct el_arena *a, struct el_arena *from);
void el_arena_release(struct el_arena *a);

#endif
