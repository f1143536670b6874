/* skim_x86.h - what the x86-64 walks share. */
#ifndef EL_INPUT_SKIM_X86_H
#define EL_INPUT_SKIM_X86_H

#include <immintrin.h>

#include "skim.h"

/* Carry-less multiplication by all ones is a running XOR (G. Langdale, D. Lemire, "Parsing gigabytes of JSON per
 * second", VLDB Journal 2019). */
__attribute__((target("pclmul"))) static inline uint64_t clmul_prefix_xor(uint64_t x) {
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)x), _mm_set1_epi8(-1), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

__attribute__((target("bmi2"))) static inline uint64_t pdep_select(uint64_t m, unsigned k) {
    return _pdep_u64(UINT64_C(1) << k, m);
}

#endif
