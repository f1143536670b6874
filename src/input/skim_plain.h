/* skim_plain.h - for instruction sets without carry-less multiplication and bit deposit. */
#ifndef EL_INPUT_SKIM_PLAIN_H
#define EL_INPUT_SKIM_PLAIN_H

#include <string.h>

#include "skim.h"

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

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The number of 1 to 8 bytes, digits or digits.dd, that ends before `end`, where 8 bytes may be read: the ASCII digits
 * are folded pairwise (D. Lemire, "Quickly parsing eight digits").  Both operands of the one division are exact, so the
 * result is el_num_parse's.  No branch depends on how many digits there are: they vary from cell to cell.  False:
 * another spelling. */
static inline bool eight_bytes(const char *end, size_t n, double *value) {
    static const double unit[2] = { 1, 100 };
    const uint64_t zeros = UINT64_C(0x3030303030303030), sixes = UINT64_C(0x0606060606060606),
                   high = UINT64_C(0xf0f0f0f0f0f0f0f0);
    uint64_t x, own = UINT64_MAX << (64 - 8 * n);
    memcpy(&x, end - 8, 8);
    x = (x & own) | (zeros & ~own);
    uint64_t point = (x >> 40 & 0xff) == '.';
    uint64_t without = (x & UINT64_C(0xffff000000000000)) | (x & UINT64_C(0xffffffffff)) << 8 | '0';
    x ^= (x ^ without) & (0 - point);
    if (((x & high) ^ zeros) | (((x + sixes) & high) ^ zeros))
        return false;
    x = ((x & UINT64_C(0x0f0f0f0f0f0f0f0f)) * 2561) >> 8;
    x = ((x & UINT64_C(0x00ff00ff00ff00ff)) * 6553601) >> 16;
    x = ((x & UINT64_C(0x0000ffff0000ffff)) * UINT64_C(42949672960001)) >> 32;
    *value = (double)x / unit[point];
    return true;
}
#else
static inline bool eight_bytes(const char *end, size_t n, double *value) {
    (void)end;
    (void)n;
    (void)value;
    return false;
}
#endif

/* The wanted fields before number `end` that were found become values. */
static void convert(struct el_walk *w, size_t end) {
    for (size_t i = w->converted; i < end; i++) {
        struct el_span f = w->span[i % EL_SPANS];
        const char *p = w->row.ptr + f.start, *quote = w->row.ptr + f.end - 1;
        size_t n = (size_t)f.end - f.start - 2; /* of the number, if quotes are around it */
        bool may = n - 1 < 8 && f.end >= 9 && *p == '"' && *quote == '"';
        if (!may || !eight_bytes(quote, n, &w->out[i]))
            el_walk_convert(w, i);
    }
    w->converted = end;
}

#endif
