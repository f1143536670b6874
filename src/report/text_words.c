#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DATE_LENGTH 10 /* "2026-11-30" */

void el_text_severity(struct el_page *p, enum el_severity severity) {
    static const enum el_ink ink[] = { EL_INK_BLUE, EL_INK_YELLOW, EL_INK_RED };
    static const char *const word[] = { "[INFO]", "[WARNING]", "[CRITICAL]" };
    el_page_ink(p, ink[severity], word[severity]);
}

void el_text_plural(struct el_buf *out, uint64_t count, const char *thing) {
    el_buf_print(out, "%" PRIu64 " %s%s", count, thing, count == 1 ? "" : "s");
}

const char *el_text_lasted(double seconds, char out[EL_TEXT_LASTED]) {
    uint64_t s = seconds > 0 && seconds < 1e15 ? (uint64_t)(seconds + 0.5) : 0;
    if (s < 60)
        (void)snprintf(out, EL_TEXT_LASTED, "%" PRIu64 " s", s);
    else if (s < 3600 && s % 60 == 0)
        (void)snprintf(out, EL_TEXT_LASTED, "%" PRIu64 " min", s / 60);
    else if (s < 3600)
        (void)snprintf(out, EL_TEXT_LASTED, "%" PRIu64 " min %" PRIu64 " s", s / 60, s % 60);
    else
        (void)snprintf(out, EL_TEXT_LASTED, "%" PRIu64 " h %" PRIu64 " min", s / 3600,
                       s % 3600 / 60);
    return out;
}

void el_text_stretch(struct el_buf *out, int64_t from, int64_t to) {
    char begin[EL_CLOCK_ROOM], end[EL_CLOCK_ROOM];
    el_clock_text(from, begin);
    el_clock_text(to, end);
    bool same_day = strlen(begin) > DATE_LENGTH && strlen(end) > DATE_LENGTH &&
                    !strncmp(begin, end, DATE_LENGTH);
    el_buf_print(out, "%s to %s UTC", begin, same_day ? end + DATE_LENGTH + 1 : end);
}
