/* wide.h - loops over columns of doubles as vector instructions, by what gcc and clang have in common. */
#ifndef ESXLAT_BASE_WIDE_H
#define ESXLAT_BASE_WIDE_H

#include <stdint.h>

/* Before a function: it is compiled for AVX2 and AVX-512 as well, and the machine's own is taken when the program is
 * loaded.  As nothing is fused (-std=c17), all give the same results, bit for bit. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define EL_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EL_WIDE
#endif

typedef double el_four __attribute__((vector_size(32)));
typedef int64_t el_four_bits __attribute__((vector_size(32)));

/* Those of four that are chosen, else 0; the sum of four, in one order. */
#define EL_CHOSEN(bits, four) ((el_four)((el_four_bits)(four) & (bits)))
#define EL_SUM(four)          (((four)[0] + (four)[1]) + ((four)[2] + (four)[3]))

/* Four of eight: 0 to 3 are those of `a`, 4 to 7 those of `b`. */
#if defined(__clang__)
#define EL_PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define EL_PICK(a, b, ...) __builtin_shuffle(a, b, (el_four_bits){ __VA_ARGS__ })
#endif

#endif
