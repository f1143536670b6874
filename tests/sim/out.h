/* out.h: buffered output that formats numbers by hand, since a capture may have 10^8 of them. */
#ifndef SIM_OUT_H
#define SIM_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { OUT_ROOM = 1 << 18 };

struct out {
    FILE *file;
    bool failed; /* sticky: ask once, at the end */
    size_t used;
    char bytes[OUT_ROOM];
};

void out_open(struct out *o, FILE *file);
void out_flush(struct out *o);
void out_char(struct out *o, char c);
void out_text(struct out *o, const char *text);
void out_int(struct out *o, int64_t n);
void out_centi(struct out *o, int64_t hundredths); /* 1234 as 12.34 */

/* Parts of a time, seconds since 1970 in UTC. */
struct moment {
    int year, month, day, hour, minute, second;
};

struct moment moment_of(int64_t epoch_s);

#endif
