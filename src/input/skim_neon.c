/* NEON: every 64-bit ARM has it. */
#if defined(__aarch64__)

#include <arm_neon.h>

#include "skim.h"

#define TARGET

/* 64 comparison results to 64 bits: keep one bit of each byte, then add neighbours three times. */
static inline uint64_t gather(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
    static const uint8_t bit[16] = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
    uint8x16_t weight = vld1q_u8(bit);
    uint8x16_t ab = vpaddq_u8(vandq_u8(a, weight), vandq_u8(b, weight));
    uint8x16_t cd = vpaddq_u8(vandq_u8(c, weight), vandq_u8(d, weight));
    uint8x16_t all = vpaddq_u8(ab, cd);
    all = vpaddq_u8(all, all);
    return vgetq_lane_u64(vreinterpretq_u64_u8(all), 0);
}

static inline struct el_masks masks(const char *p) {
    const uint8_t *q = (const uint8_t *)p;
    uint8x16_t a = vld1q_u8(q), b = vld1q_u8(q + 16), c = vld1q_u8(q + 32), d = vld1q_u8(q + 48);
    uint8x16_t quote = vdupq_n_u8('"'), comma = vdupq_n_u8(',');
    return (struct el_masks){
        gather(vceqq_u8(a, quote), vceqq_u8(b, quote), vceqq_u8(c, quote), vceqq_u8(d, quote)),
        gather(vceqq_u8(a, comma), vceqq_u8(b, comma), vceqq_u8(c, comma), vceqq_u8(d, comma))
    };
}

#include "skim_plain.h"
#include "skim_walk.h"

bool el_walk_neon(struct el_walk *w) {
    return walk(w);
}

#else
typedef int el_no_neon; /* an empty file is no C */
#endif
