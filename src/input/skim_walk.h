/* skim_walk.h - the walk along a row, written once; each instruction set includes it after defining
 *   TARGET                                    an attribute for its functions, or nothing
 *   struct el_masks masks(const char *p)      quotes and commas among 64 bytes, bit i for byte i
 *   uint64_t prefix_xor(uint64_t x)           bit i of the result: parity of the bits 0..i of x
 *   uint64_t select_bit(uint64_t m, unsigned k)  the k-th set bit (from 0) of m, which has more than k */
#ifndef EL_INPUT_SKIM_WALK_H
#define EL_INPUT_SKIM_WALK_H

/* Commas of a block, from the first wanted one on. */
TARGET static void take_commas(struct el_walk *w, size_t base, uint64_t m) {
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
        el_walk_field(w, next++, start, at);
        start = at + 1;
        open = next < columns && column[next] == commas;
    }
    w->next = next;
    w->start = start;
    w->open = open;
    w->commas = commas + (size_t)__builtin_popcountll(m);
}

/* What changes from block to block; kept apart from el_walk so that it stays in registers. */
struct el_walked {
    uint64_t in_quotes; /* all ones: the last block ended inside quotes */
    uint64_t closed;    /* 1: it ended with a closing quote, so a comma must follow */
    size_t commas;      /* separators passed */
    size_t reach;       /* as many separators lead to the wanted column that comes next */
};

/* The wanted commas of a block, and how many lead to the next one. */
TARGET static void attend(struct el_walk *w, struct el_walked *s, size_t base, uint64_t commas) {
    w->commas = s->commas;
    take_commas(w, base, commas);
    s->commas = w->commas;
    s->reach = w->open ? 0 : w->next < w->plan->columns ? w->plan->column[w->next] : SIZE_MAX;
}

/* One block of 64 bytes, `end` set behind the last byte of the row if that is in it.  False: not regular. */
TARGET static inline bool take_block(struct el_walk *w, struct el_walked *s, const char *p,
                                     size_t base, uint64_t end) {
    struct el_masks m = masks(p);
    uint64_t inside = prefix_xor(m.quotes) ^ s->in_quotes;
    uint64_t closing = m.quotes & ~inside, stops = m.commas | end;
    uint64_t wrong = (m.commas & inside) | (closing & ~(stops >> 1) & ~(UINT64_C(1) << 63));
    if (wrong | (s->closed & ~stops))
        return false;
    s->in_quotes = UINT64_C(0) - (inside >> 63);
    s->closed = closing >> 63;
    size_t passed = s->commas + (size_t)__builtin_popcountll(m.commas);
    if (passed >= s->reach)
        attend(w, s, base, m.commas);
    else
        s->commas = passed;
    return true;
}

TARGET static bool walk(struct el_walk *w) {
    struct el_walked s = { .reach = w->plan->columns ? w->plan->column[0] : SIZE_MAX };
    size_t n = w->row.len, base = 0;
    for (; base + 64 <= n; base += 64)
        if (!take_block(w, &s, w->row.ptr + base, base, 0))
            return false;
    char tail[64] = { 0 };
    if (n > base)
        memcpy(tail, w->row.ptr + base, n - base);
    if (!take_block(w, &s, tail, base, UINT64_C(1) << (n - base)))
        return false;
    w->commas = s.commas;
    if (w->open)
        el_walk_field(w, w->next++, w->start, n);
    return !s.in_quotes;
}

#endif
