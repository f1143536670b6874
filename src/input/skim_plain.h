/* skim_plain.h - for instruction sets without carry-less multiplication and bit deposit. */
#ifndef EL_INPUT_SKIM_PLAIN_H
#define EL_INPUT_SKIM_PLAIN_H

#include <stdint.h>

static inline uint64_t prefix_xor(uint64_t x) {
    for (int s = 1; s < 64; s *= 2)
        x ^= x << s;
    return x;
}

static inline uint64_t select_bit(uint64_t m, unsigned k) {
    while (k--)
        m &= m - 1;
    return m & -m;
}

#endif
