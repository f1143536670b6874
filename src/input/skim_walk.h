/* skim_walk.h - the walk along a row, written once; each instruction set includes it after defining
 *   TARGET                                    an attribute for its functions, or nothing
 *   struct el_masks masks(const char *p)      quotes and commas among 64 bytes, bit i for byte i
 *   uint64_t prefix_xor(uint64_t x)           bit i of the result: parity of the bits 0..i of x
 *   uint64_t select_bit(uint64_t m, unsigned k)  the k-th set bit (from 0) of m, which has more than k
 *   void convert(struct el_walk *w, size_t end)  the wanted fields before number `end` that were found become values */
#ifndef EL_INPUT_SKIM_WALK_H
#define EL_INPUT_SKIM_WALK_H

#include <string.h>

TARGET static void convert(struct el_walk *w, size_t end);

/* Wanted field number `next` is [start, end) of the row. */
static inline void take_field(struct el_walk *w, size_t next, size_t start, size_t end) {
    w->span[next % EL_SPANS] = (struct el_span){ (uint32_t)start, (uint32_t)end };
}

/* Are the next `count` fields wanted, each of them? */
static inline bool all_wanted(const struct el_walk *w, size_t count) {
    const uint32_t *column = w->plan->column;
    size_t next = w->next;
    return count && next + count <= w->plan->columns &&
           column[next + count - 1] - column[next] == count - 1;
}

/* Commas of a block, each the end of a wanted field. */
TARGET static inline void take_run(struct el_walk *w, size_t base, uint64_t m, size_t count) {
    size_t start = w->start;
    for (size_t next = w->next, end = next + count; next < end; next++) {
        size_t at = base + (size_t)__builtin_ctzll(m);
        take_field(w, next, start, at);
        start = at + 1;
        m &= m - 1;
    }
    w->start = start;
    w->next += count;
    w->commas += count;
}

/* Commas of a block, from the first wanted one on. */
TARGET static void take_some(struct el_walk *w, size_t base, uint64_t m) {
    const uint32_t *column = w->plan->column;
    size_t columns = w->plan->columns, next = w->next, commas = w->commas, start = w->start;
    bool open = w->open;
    while (next < columns) {
        if (!open) {
            size_t need = column[next] - commas, have = (size_t)__builtin_popcountll(m);
            if (have < need)
                break;
            uint64_t bit = select_bit(m, (unsigned)(need - 1));
            m &= ~(bit | (bit - 1));
            commas += need;
            start = base + (size_t)__builtin_ctzll(bit) + 1;
            open = true;
        }
        if (!m)
            break;
        size_t at = base + (size_t)__builtin_ctzll(m);
        m &= m - 1;
        commas++;
        take_field(w, next++, start, at);
        start = at + 1;
        open = next < columns && column[next] == commas;
    }
    w->next = next;
    w->start = start;
    w->open = open;
    w->commas = commas + (size_t)__builtin_popcountll(m);
}

TARGET static void take_commas(struct el_walk *w, size_t base, uint64_t m) {
    const struct el_skim_plan *plan = w->plan;
    size_t count = (size_t)__builtin_popcountll(m);
    if (w->open && all_wanted(w, count)) {
        take_run(w, base, m, count);
        w->open = w->next < plan->columns && plan->column[w->next] == w->commas;
    } else {
        take_some(w, base, m);
    }
    if (w->next - w->converted >= EL_SPANS / 2)
        convert(w, w->converted + EL_SPANS / 2);
}

/* What changes from block to block; kept apart from el_walk so that it stays in registers. */
struct el_walked {
    uint64_t quotes, stops; /* of the block before; before the row there is a stop */
    uint64_t bare;          /* all ones: the block before was not neat up to its end, and then: */
    uint64_t in_quotes;     /* all ones: it ended inside quotes */
    size_t commas;          /* separators passed */
    size_t reach;           /* as many separators lead to the wanted column that comes next */
};

/* The wanted commas of a block, and how many lead to the next one. */
TARGET static void attend(struct el_walk *w, struct el_walked *s, size_t base, uint64_t commas) {
    w->commas = s->commas;
    take_commas(w, base, commas);
    s->commas = w->commas;
    s->reach = w->open ? 0 : w->next < w->plan->columns ? w->plan->column[w->next] : SIZE_MAX;
}

/* Does text that was neat so far end inside quotes behind this block?  Not behind a stop; behind a stop and a byte, if
 * that is a quote; else, if it is none. */
static inline bool ends_inside(uint64_t quotes, uint64_t stops) {
    return !(stops >> 63) && (stops >> 62 & 1) == quotes >> 63;
}

/* Any regular block, bare fields included: by the parity of quotes. */
TARGET static bool take_bare(struct el_walk *w, struct el_walked *s, struct el_masks m,
                             uint64_t stops) {
    uint64_t before = s->bare ? s->in_quotes : UINT64_C(0) - ends_inside(s->quotes, s->stops);
    uint64_t inside = prefix_xor(m.quotes) ^ before, closing = m.quotes & ~inside;
    uint64_t closed = s->quotes >> 63 & ~before; /* 1: by the last byte; then a stop must follow */
    uint64_t wrong = (m.commas & inside) | (closing & ~(stops >> 1) & ~(UINT64_C(1) << 63));
    if (wrong | (closed & ~stops))
        return false;
    w->has_bare = true;
    s->in_quotes = UINT64_C(0) - (inside >> 63);
    s->bare = UINT64_C(0) - !(s->in_quotes && ends_inside(m.quotes, stops));
    return true;
}

/* Nearly all of a capture is neat: every field is quoted, and each quote has a stop (comma, or the row's begin or end)
 * on exactly one side.  Then the quotes open and close in turn with a separator between: a quote behind a stop cannot
 * close, as the stop would need a quote before it, which then had stops on both sides.  So neither parity nor
 * a running XOR is needed.  Bit i of the result is 0 if byte i - 1 fits: a quote with a stop on one side, or another byte
 * with none. */
static inline uint64_t not_neat(uint64_t quotes, uint64_t stops, uint64_t quotes_before,
                                uint64_t stops_before) {
    uint64_t quote = quotes << 1 | quotes_before >> 63, behind = stops << 2 | stops_before >> 62;
    return (quote ^ behind ^ stops) | (behind & stops);
}

/* One block of 64 bytes, `end` set behind the last byte of the row if that is in it.  False: not regular. */
__attribute__((always_inline)) TARGET static inline bool take_block(struct el_walk *w,
                                                                    struct el_walked *s,
                                                                    const char *p, size_t base,
                                                                    uint64_t end) {
    struct el_masks m = masks(p);
    struct el_walked seldom; /* whose address may be taken: *s stays in registers */
    uint64_t stops = m.commas | end, odd = not_neat(m.quotes, stops, s->quotes, s->stops);
    if (end)
        odd &= end | (end - 1);
    if (odd | s->bare) {
        seldom = *s;
        if (!take_bare(w, &seldom, m, stops))
            return false;
        *s = seldom;
    }
    s->quotes = m.quotes;
    s->stops = stops;
    size_t passed = s->commas + (size_t)__builtin_popcountll(m.commas);
    if (passed >= s->reach) {
        seldom = *s;
        attend(w, &seldom, base, m.commas);
        *s = seldom;
    } else {
        s->commas = passed;
    }
    return true;
}

/* Two blocks at once, if they are neat and hold nothing that is wanted. */
TARGET static inline bool pass_two(struct el_walked *s, const char *p) {
    struct el_masks a = masks(p), b = masks(p + 64);
    uint64_t odd = not_neat(a.quotes, a.commas, s->quotes, s->stops) |
                   not_neat(b.quotes, b.commas, a.quotes, a.commas);
    size_t passed =
        s->commas + (size_t)__builtin_popcountll(a.commas) + (size_t)__builtin_popcountll(b.commas);
    if ((odd | s->bare) || passed >= s->reach)
        return false;
    s->quotes = b.quotes;
    s->stops = b.commas;
    s->commas = passed;
    return true;
}

TARGET static bool walk(struct el_walk *w) {
    struct el_walked s = { .stops = UINT64_C(1) << 63,
                           .reach = w->plan->columns ? w->plan->column[0] : SIZE_MAX };
    const char *row = w->row.ptr;
    size_t n = w->row.len, base = 0;
    while (base + 64 <= n) {
        if (base + 128 <= n && pass_two(&s, row + base)) {
            base += 128;
            continue;
        }
        if (!take_block(w, &s, row + base, base, 0))
            return false;
        base += 64;
    }
    s.in_quotes &= s.bare; /* neat text tells by its last bytes */
    char tail[64] = { 0 };
    if (n > base)
        memcpy(tail, row + base, n - base);
    if (!take_block(w, &s, tail, base, UINT64_C(1) << (n - base)))
        return false;
    w->commas = s.commas;
    if (w->open)
        take_field(w, w->next++, w->start, n);
    convert(w, w->next);
    return !s.in_quotes;
}

#endif
