/* x86-64 as every such machine has it. */
#if defined(__x86_64__)

#include "skim_x86.h"

#define TARGET

static inline uint64_t equal16(const char *p, char c) {
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8(c)));
}

static inline uint64_t equal64(const char *p, char c) {
    return equal16(p, c) | equal16(p + 16, c) << 16 | equal16(p + 32, c) << 32 |
           equal16(p + 48, c) << 48;
}

static inline struct el_masks masks(const char *p) {
    return (struct el_masks){ equal64(p, '"'), equal64(p, ',') };
}

#include "skim_plain.h"
#include "skim_walk.h"

bool el_walk_sse2(struct el_walk *w) {
    return walk(w);
}

#else
typedef int el_no_sse2; /* an empty file is no C */
#endif
