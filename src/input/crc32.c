/* Eight bytes a step: table k holds what a byte does to the checksum when k bytes follow it. */
#include "crc32.h"

#include <pthread.h>

#define POLYNOMIAL 0xedb88320u

static uint32_t table[8][256];

static void make_table(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? c >> 1 ^ POLYNOMIAL : c >> 1;
        table[0][i] = c;
    }
    for (int k = 1; k < 8; k++)
        for (int i = 0; i < 256; i++)
            table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 0xff];
}

uint32_t el_crc32(uint32_t crc, const char *bytes, size_t length) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const unsigned char *p = (const unsigned char *)bytes;
    (void)pthread_once(&once, make_table);
    crc = ~crc;
    for (; length >= 8; length -= 8, p += 8)
        crc = table[7][p[0] ^ (crc & 0xff)] ^ table[6][p[1] ^ (crc >> 8 & 0xff)] ^
              table[5][p[2] ^ (crc >> 16 & 0xff)] ^ table[4][p[3] ^ crc >> 24] ^ table[3][p[4]] ^
              table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
    for (; length; length--, p++)
        crc = crc >> 8 ^ table[0][(crc ^ *p) & 0xff];
    return ~crc;
}
