/* judge_time.h: the times of truth and report as numbers. */
#ifndef BENCH_JUDGE_TIME_H
#define BENCH_JUDGE_TIME_H

#include <math.h>
#include <stdio.h>

/* Seconds since 1970 of "2024-01-31T23:59:59Z"; NaN where the text is no such time. */
static inline double judge_time(const char *text) {
    int y, mo, d, h, mi;
    double s;
    if (sscanf(text, "%d-%d-%dT%d:%d:%lfZ", &y, &mo, &d, &h, &mi, &s) != 6)
        return (double)NAN;
    /* the civil calendar, counted from 1 March so that leap days come last */
    int year = mo > 2 ? y : y - 1, month = mo > 2 ? mo - 3 : mo + 9;
    long days = 365L * year + year / 4 - year / 100 + year / 400 + (153L * month + 2) / 5 + d - 1;
    return 86400.0 * (double)(days - 719468) + 3600 * h + 60 * mi + s;
}

#endif
