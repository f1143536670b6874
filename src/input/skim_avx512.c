/* AVX-512 BW: 64 bytes in one comparison. */
#if defined(__x86_64__)

#include "skim_x86.h"

#define LANES  8
#define TARGET __attribute__((target("avx512bw,avx512dq,avx512f,avx2,bmi,bmi2,popcnt,pclmul")))

TARGET static inline struct el_masks masks(const char *p) {
    __m512i x = _mm512_loadu_si512((const void *)p);
    return (struct el_masks){ _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8('"')),
                              _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8(',')) };
}

TARGET static inline uint64_t prefix_xor(uint64_t x) {
    return clmul_prefix_xor(x);
}

TARGET static inline uint64_t select_bit(uint64_t m, unsigned k) {
    return pdep_select(m, k);
}

#include "skim_walk.h"
#include "skim_wide.h"

bool el_walk_avx512(struct el_walk *w) {
    return walk(w);
}

#else
typedef int el_no_avx512; /* an empty file is no C */
#endif
