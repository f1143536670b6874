/* memory.h: memory that is there or ends the program; a test tool has nothing better to do. */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include <stddef.h>

void *memory_new(size_t count, size_t size); /* zeroed */
void *memory_resize(void *old, size_t count, size_t size);
void memory_free(void *p);

#endif
