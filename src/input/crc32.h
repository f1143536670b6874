/* crc32.h - inside input/: the checksum of gzip. */
#ifndef EL_INPUT_CRC32_H
#define EL_INPUT_CRC32_H

#include <stddef.h>
#include <stdint.h>

struct el_crc32 {
    uint32_t sum; /* of what was added so far */
    uint32_t table[8][256];
};
void el_crc32_init(struct el_crc32 *c);
void el_crc32_add(struct el_crc32 *c, const char *bytes, size_t length);

#endif
