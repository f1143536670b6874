/* Eight bytes a step: table k holds what a byte does to the checksum when k bytes follow it. */
#include "crc32.h"

#define POLYNOMIAL 0xedb88320u

void el_crc32_init(struct el_crc32 *c) {
    c->sum = 0;
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t sum = i;
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ POLYNOMIAL : sum >> 1;
        c->table[0][i] = sum;
    }
    for (int k = 1; k < 8; k++)
        for (int i = 0; i < 256; i++)
            c->table[k][i] = c->table[k - 1][i] >> 8 ^ c->table[0][c->table[k - 1][i] & 0xff];
}

void el_crc32_add(struct el_crc32 *c, const char *bytes, size_t length) {
    const unsigned char *p = (const unsigned char *)bytes;
    uint32_t sum = ~c->sum;
    for (; length >= 8; length -= 8, p += 8)
        sum = c->table[7][p[0] ^ (sum & 0xff)] ^ c->table[6][p[1] ^ (sum >> 8 & 0xff)] ^
              c->table[5][p[2] ^ (sum >> 16 & 0xff)] ^ c->table[4][p[3] ^ sum >> 24] ^
              c->table[3][p[4]] ^ c->table[2][p[5]] ^ c->table[1][p[6]] ^ c->table[0][p[7]];
    for (; length; length--, p++)
        sum = sum >> 8 ^ c->table[0][(sum ^ *p) & 0xff];
    c->sum = ~sum;
}
