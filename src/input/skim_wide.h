/* skim_wide.h - cells into numbers, LANES at a time, for x86-64 with vectors of so many doubles.  Arithmetic is written
 * with the vectors of gcc and clang, which TARGET turns into instructions. */
#ifndef EL_INPUT_SKIM_WIDE_H
#define EL_INPUT_SKIM_WIDE_H

#include <string.h>

#include "skim_x86.h"

typedef uint64_t el_words __attribute__((vector_size(8 * LANES)));
typedef uint32_t el_halves __attribute__((vector_size(8 * LANES)));
typedef uint16_t el_quarters __attribute__((vector_size(8 * LANES)));
typedef uint8_t el_bytes __attribute__((vector_size(8 * LANES)));
typedef double el_doubles __attribute__((vector_size(8 * LANES)));
typedef int32_t el_integers __attribute__((vector_size(4 * LANES)));

/* Vectors are no arguments of real calls. */
#define WIDE TARGET __attribute__((always_inline))

#define EVERY(x) ((el_words){ 0 } + (x))

/* Eight ASCII digits a lane, the first in the lowest byte, to the number that they spell: neighbours are put together
 * three times. */
WIDE static inline el_integers fold_digits(el_words x) {
    el_quarters pairs = (el_quarters)(x & EVERY(UINT64_C(0x0f0f0f0f0f0f0f0f)));
    pairs = (pairs * 10 + (pairs >> 8)) & 0xff;
    el_halves fours = (el_halves)(pairs * 100) + ((el_halves)pairs >> 16);
    fours &= 0xffff;
    el_words eights = (el_words)(fours * 10000) + ((el_words)fours >> 32);
    return __builtin_convertvector(eights & EVERY(UINT64_C(0xffffffff)), el_integers);
}

/* a / b, where `part` is 1 / b rounded: a step of Newton's method rounds like a division (P. Markstein, "Computation of
 * elementary functions on the IBM RISC System/6000 processor", IBM Journal 1990), which takes several times as long. */
WIDE static inline el_doubles divided(el_doubles a, el_doubles b, el_doubles part) {
#if LANES == 8
    __m512d q = _mm512_mul_pd((__m512d)a, (__m512d)part),
            rest = _mm512_fnmadd_pd(q, (__m512d)b, (__m512d)a);
    return (el_doubles)_mm512_fmadd_pd(rest, (__m512d)part, q);
#else
    __m256d q = _mm256_mul_pd((__m256d)a, (__m256d)part),
            rest = _mm256_fnmadd_pd(q, (__m256d)b, (__m256d)a);
    return (el_doubles)_mm256_fmadd_pd(rest, (__m256d)part, q);
#endif
}

/* Cells whose numbers have `length` bytes each, the last of which are in `x`; as eight_bytes() in skim_plain.h does.
 * Lanes of *other are not 0 where it is another spelling. */
WIDE static inline el_doubles wide_numbers(el_words x, el_words length, el_words *other) {
    const el_words zeros = EVERY(UINT64_C(0x3030303030303030));
    el_words own = EVERY(UINT64_MAX) << ((64 - 8 * length) & 63);
    x = (x & own) | (zeros & ~own);
    el_words point = (el_words)((x >> 40 & 0xff) == '.');
    el_words without =
        (x & EVERY(UINT64_C(0xffff000000000000))) | (x & EVERY(UINT64_C(0xffffffffff))) << 8 | '0';
    x = (x & ~point) | (without & point);
    *other = (el_words)((el_bytes)(x ^ zeros) > 9) | (el_words)(length - 1 >= 8);
    const el_doubles none = { 0 };
    el_doubles unit =
                   (el_doubles)(((el_words)(none + 100) & point) | ((el_words)(none + 1) & ~point)),
               part = (el_doubles)(((el_words)(none + 0.01) & point) |
                                   ((el_words)(none + 1) & ~point));
    return divided(__builtin_convertvector(fold_digits(x), el_doubles), unit, part);
}

/* 8 bytes at each of LANES places behind p; is any bit set? */
#if LANES == 8
WIDE static inline el_words load_words(const char *p, el_words at) {
    return (el_words)_mm512_i64gather_epi64((__m512i)at, p, 1);
}

WIDE static inline bool any_bit(el_words x) {
    return _mm512_test_epi64_mask((__m512i)x, (__m512i)x) != 0;
}
#else
WIDE static inline el_words load_words(const char *p, el_words at) {
    return (el_words)_mm256_i64gather_epi64((const long long *)(const void *)p, (__m256i)at, 1);
}

WIDE static inline bool any_bit(el_words x) {
    return !_mm256_testz_si256((__m256i)x, (__m256i)x);
}
#endif

/* Is one of some fields not between quotes? */
static inline bool any_unquoted(const char *row, const struct el_span *span) {
    unsigned differ = 0;
    for (size_t i = 0; i < LANES; i++)
        differ |= (unsigned)(row[span[i].start] ^ '"') | (unsigned)(row[span[i].end - 1] ^ '"');
    return differ;
}

/* Wanted fields [first, first + LANES), which end behind byte 8 of the row. */
WIDE static inline void convert_lanes(struct el_walk *w, size_t first) {
    const struct el_span *span = &w->span[first % EL_SPANS];
    el_words both, other;
    memcpy(&both, span, sizeof both);
    el_words end = both >> 32, length = end - (both & EVERY(UINT64_C(0xffffffff))) - 2;
    el_doubles value = wide_numbers(load_words(w->row.ptr, end - 9), length, &other);
    memcpy(w->out + first, &value, sizeof value);
    if (!any_bit(other) && !(w->has_bare && any_unquoted(w->row.ptr, span)))
        return;
    for (size_t i = 0; i < LANES; i++)
        el_walk_convert(w, first + i);
}

/* The wanted fields before number `end` that were found become values. */
TARGET static void convert(struct el_walk *w, size_t end) {
    size_t i = w->converted;
    while (i < end) {
        bool whole = end - i >= LANES && w->span[i % EL_SPANS].end >= 9;
        if (whole)
            convert_lanes(w, i);
        else
            el_walk_convert(w, i);
        i += whole ? LANES : 1;
    }
    w->converted = end;
}

#undef EVERY
#undef WIDE
#endif
