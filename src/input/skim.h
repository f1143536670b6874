/* skim.h - inside input/: a walk along a row, and the walks that exist for each instruction set. */
#ifndef EL_INPUT_SKIM_H
#define EL_INPUT_SKIM_H

#include <string.h>

#include "esxlat/input/skim.h"

struct el_masks {
    uint64_t quotes, commas;
};

struct el_walk {
    const struct el_skim_plan *plan;
    struct el_str row;
    double *out;
    size_t stride;
    struct el_skim_tally *tally;
    size_t next;    /* wanted column that comes next */
    size_t commas;  /* separators passed */
    size_t start;   /* of the wanted field that is open */
    bool open;      /* a wanted field has begun */
    bool irregular; /* a wanted field is not quoted */
};

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* A number of at most 8 bytes at p, digits or digits.dd, of which 8 bytes may be read: the eight ASCII digits are
 * folded pairwise (D. Lemire, "Quickly parsing eight digits").  Both operands of the one division are exact, so the
 * result is el_num_parse's.  False: another spelling. */
__attribute__((always_inline)) static inline bool el_eight_bytes(const char *p, size_t n,
                                                                 double *value) {
    const uint64_t zeros = UINT64_C(0x3030303030303030), sixes = UINT64_C(0x0606060606060606),
                   high = UINT64_C(0xf0f0f0f0f0f0f0f0);
    uint64_t x;
    memcpy(&x, p, 8);
    x = n == 8 ? x : x << (64 - 8 * n) | zeros >> (8 * n);
    bool point = n >= 3 && (x >> 40 & 0xff) == '.';
    if (point)
        x = (x & UINT64_C(0xffff000000000000)) | (x & UINT64_C(0xffffffffff)) << 8 | '0';
    if (((x & high) ^ zeros) | (((x + sixes) & high) ^ zeros))
        return false;
    x = ((x & UINT64_C(0x0f0f0f0f0f0f0f0f)) * 2561) >> 8;
    x = ((x & UINT64_C(0x00ff00ff00ff00ff)) * 6553601) >> 16;
    x = ((x & UINT64_C(0x0000ffff0000ffff)) * UINT64_C(42949672960001)) >> 32;
    *value = point ? (double)x / 100 : (double)x;
    return true;
}
#else
static inline bool el_eight_bytes(const char *p, size_t n, double *value) {
    (void)p;
    (void)n;
    (void)value;
    return false;
}
#endif

static inline bool el_is_zero(const char *p) { /* the most frequent value by far */
    return memcmp(p, "0.00", 4) == 0;
}

/* The wanted field number `next`, [start, end) of the row, is complete. */
__attribute__((always_inline)) static inline void el_walk_field(struct el_walk *w, size_t next,
                                                                size_t start, size_t end) {
    const char *p = w->row.ptr + start;
    size_t n = end - start;
    double *out = &w->out[next * w->stride];
    if (n < 2 || p[0] != '"' || p[n - 1] != '"')
        w->irregular = true;
    else if (n == 6 && el_is_zero(p + 1))
        *out = 0;
    else if (n == 2 || n > 10 || start + 9 > w->row.len || !el_eight_bytes(p + 1, n - 2, out))
        *out = el_skim_value((struct el_str){ p + 1, n - 2 }, w->tally);
}

bool el_walk_scalar(struct el_walk *w);
#if defined(__x86_64__)
bool el_walk_sse2(struct el_walk *w);
bool el_walk_avx2(struct el_walk *w);
bool el_walk_avx512(struct el_walk *w);
#elif defined(__aarch64__)
bool el_walk_neon(struct el_walk *w);
#endif

#endif
