#include "out.h"

#include <string.h>

void out_open(struct out *o, FILE *file) {
    o->file = file;
    o->failed = false;
    o->used = 0;
}

void out_flush(struct out *o) {
    if (fwrite(o->bytes, 1, o->used, o->file) != o->used || fflush(o->file) != 0)
        o->failed = true;
    o->used = 0;
}

static char *room(struct out *o, size_t size) {
    if (o->used + size > sizeof o->bytes)
        out_flush(o);
    return &o->bytes[o->used];
}

void out_char(struct out *o, char c) {
    *room(o, 1) = c;
    o->used++;
}

void out_text(struct out *o, const char *text) {
    for (size_t left = strlen(text); left > 0;) {
        size_t part = left < OUT_ROOM ? left : OUT_ROOM;
        memcpy(room(o, part), text, part);
        o->used += part;
        text += part;
        left -= part;
    }
}

void out_int(struct out *o, int64_t n) {
    char digits[24];
    size_t i = sizeof digits;
    uint64_t u = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    do
        digits[--i] = (char)('0' + u % 10);
    while ((u /= 10) > 0);
    if (n < 0)
        digits[--i] = '-';
    memcpy(room(o, sizeof digits - i), &digits[i], sizeof digits - i);
    o->used += sizeof digits - i;
}

void out_centi(struct out *o, int64_t hundredths) {
    if (hundredths < 0) {
        out_char(o, '-');
        hundredths = -hundredths;
    }
    out_int(o, hundredths / 100);
    char *p = room(o, 3);
    p[0] = '.';
    p[1] = (char)('0' + hundredths / 10 % 10);
    p[2] = (char)('0' + hundredths % 10);
    o->used += 3;
}

/* The civil calendar, counted from 1 March of year 0 so that leap days come last. */
struct moment moment_of(int64_t epoch_s) {
    int64_t days = epoch_s / 86400 + 719468, rest = epoch_s % 86400;
    int64_t era = days / 146097, of_era = days % 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100), m = (5 * of_year + 2) / 153;
    struct moment t = {
        .month = (int)(m < 10 ? m + 3 : m - 9),
        .day = (int)(of_year - (153 * m + 2) / 5 + 1),
        .hour = (int)(rest / 3600),
        .minute = (int)(rest / 60 % 60),
        .second = (int)(rest % 60),
    };
    t.year = (int)(year + era * 400) + (t.month <= 2);
    return t;
}
