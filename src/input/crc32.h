/* crc32.h - inside input/: the checksum of gzip. */
#ifndef EL_INPUT_CRC32_H
#define EL_INPUT_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of what `crc` is the checksum of (0: nothing) followed by `bytes`. */
uint32_t el_crc32(uint32_t crc, const char *bytes, size_t length);

#endif
