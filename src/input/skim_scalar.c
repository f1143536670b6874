/* Plain C: the twin of the vector paths, for every machine. */
#include "skim.h"

#define TARGET

/* Bit i: is byte i of the word equal to the byte repeated in `pattern`?  (x ^ pattern has a zero byte there; the
 * exact zero-byte test of H. S. Warren, "Hacker's Delight", 6-1; the multiplication gathers the eight top bits.) */
static inline uint64_t equal_bytes(uint64_t x, uint64_t pattern) {
    const uint64_t low7 = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t v = x ^ pattern;
    uint64_t zero = ~(((v & low7) + low7) | v | low7);
    return ((zero >> 7) * UINT64_C(0x0102040810204080)) >> 56;
}

static inline struct el_masks masks(const char *p) {
    struct el_masks m = { 0, 0 };
    for (int i = 0; i < 8; i++) {
        uint64_t x = 0;
        for (int k = 7; k >= 0; k--) /* little-endian on every machine */
            x = x << 8 | (unsigned char)p[8 * i + k];
        m.quotes |= equal_bytes(x, UINT64_C(0x2222222222222222)) << (8 * i);
        m.commas |= equal_bytes(x, UINT64_C(0x2c2c2c2c2c2c2c2c)) << (8 * i);
    }
    return m;
}

#include "skim_plain.h"
#include "skim_walk.h"

bool el_walk_scalar(struct el_walk *w) {
    return walk(w);
}
