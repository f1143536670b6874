#include "utf8.h"

#define REPLACE "\xef\xbf\xbd"

/* Bytes of the broken UTF-8 sequence at `s` that one U+FFFD stands for: as long as it could still have
 * become a character (Unicode 15, 3.9, "maximal subpart"), at least one. */
static size_t broken_length(struct el_str s) {
    char probe[4];
    size_t n = 0, longest = 1;
    for (; n < 3 && n < s.len; n++) {
        probe[n] = s.ptr[n];
        bool could = false;
        for (size_t total = n + 2; total <= 4 && !could; total++)
            for (int tail = 0x80; tail <= 0xb0 && !could; tail += 0x10) {
                for (size_t k = n + 1; k < total; k++)
                    probe[k] = (char)tail;
                could = el_utf8_length((struct el_str){ probe, total }) == total;
            }
        if (!could)
            break;
        longest = n + 1;
    }
    return longest;
}

void el_utf8_mend(struct el_buf *out, struct el_str s) {
    while (s.len) {
        size_t n = el_utf8_length(s);
        if (n)
            el_buf_add(out, s.ptr, n);
        else
            el_buf_text(out, REPLACE);
        s = el_str_from(s, n ? n : broken_length(s));
    }
}
