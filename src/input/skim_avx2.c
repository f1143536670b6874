/* AVX2 with BMI2 and carry-less multiplication: x86-64 since about 2013. */
#if defined(__x86_64__)

#include "skim_x86.h"

#define LANES  4
#define TARGET __attribute__((target("avx2,fma,bmi,bmi2,popcnt,pclmul")))

TARGET static inline uint64_t equal64(__m256i low, __m256i high, char c) {
    __m256i all = _mm256_set1_epi8(c);
    uint32_t a = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, all));
    uint32_t b = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, all));
    return a | (uint64_t)b << 32;
}

TARGET static inline struct el_masks masks(const char *p) {
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
    return (struct el_masks){ equal64(low, high, '"'), equal64(low, high, ',') };
}

TARGET static inline uint64_t prefix_xor(uint64_t x) {
    return clmul_prefix_xor(x);
}

TARGET static inline uint64_t select_bit(uint64_t m, unsigned k) {
    return pdep_select(m, k);
}

#include "skim_walk.h"
#include "skim_wide.h"

bool el_walk_avx2(struct el_walk *w) {
    return walk(w);
}

#else
typedef int el_no_avx2; /* an empty file is no C */
#endif
