#include "esxlat/base/clock.h"

#include <stdio.h>

/* Days since 1970-01-01 of a proleptic Gregorian date; Howard Hinnant, "chrono-compatible low-level
 * date algorithms". */
static int64_t days_from_civil(int64_t year, int month, int day) {
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void civil_from_days(int64_t days, int64_t *year, int *month, int *day) {
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t of_era = days - era * 146097;
    int64_t y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * y + y / 4 - y / 100);
    int64_t m = (5 * of_year + 2) / 153;
    *day = (int)(of_year - (153 * m + 2) / 5 + 1);
    *month = (int)(m < 10 ? m + 3 : m - 9);
    *year = y + era * 400 + (*month <= 2);
}

static bool is_leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_month(int year, int month) {
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return days[month - 1] + (month == 2 && is_leap(year));
}

/* Takes `least` to `most` digits off the front of *t. */
static bool take_number(struct el_str *t, size_t least, size_t most, int *out) {
    size_t n = 0;
    int value = 0;
    while (n < t->len && n < most && t->ptr[n] >= '0' && t->ptr[n] <= '9')
        value = value * 10 + (t->ptr[n++] - '0');
    if (n < least)
        return false;
    *out = value;
    *t = el_str_from(*t, n);
    return true;
}

static bool take_char(struct el_str *t, const char *any_of) {
    for (; t->len && *any_of; any_of++)
        if (t->ptr[0] == *any_of) {
            *t = el_str_from(*t, 1);
            return true;
        }
    return false;
}

/* [.fff...]: milliseconds, further digits are read over. */
static bool take_fraction(struct el_str *t, int *ms) {
    *ms = 0;
    if (!take_char(t, "."))
        return true;
    size_t n = 0;
    for (int scale = 100; n < t->len && t->ptr[n] >= '0' && t->ptr[n] <= '9'; n++, scale /= 10)
        *ms += scale * (t->ptr[n] - '0');
    *t = el_str_from(*t, n);
    return n > 0;
}

struct date {
    int year, month, day;
    bool iso;
};

/* MM/DD/YYYY and a blank, or YYYY-MM-DD and a blank or T. */
static bool take_date(struct el_str *t, struct date *d) {
    struct el_str us = *t, iso = *t;
    if (take_number(&us, 1, 2, &d->month) && take_char(&us, "/") &&
        take_number(&us, 1, 2, &d->day) && take_char(&us, "/") &&
        take_number(&us, 4, 4, &d->year) && take_char(&us, " ")) {
        *t = us;
        d->iso = false;
        return true;
    }
    if (take_number(&iso, 4, 4, &d->year) && take_char(&iso, "-") &&
        take_number(&iso, 2, 2, &d->month) && take_char(&iso, "-") &&
        take_number(&iso, 2, 2, &d->day) && take_char(&iso, "T ")) {
        *t = iso;
        d->iso = true;
        return true;
    }
    return false;
}

int64_t el_clock_parse(struct el_str text, int minutes_west, bool *has_seconds) {
    struct el_str t = el_str_trim(text);
    struct date d = { 0 };
    int hour, minute, second = 0, ms = 0;
    if (!take_date(&t, &d) || !take_number(&t, d.iso ? 2 : 1, 2, &hour) || !take_char(&t, ":") ||
        !take_number(&t, 2, 2, &minute))
        return EL_NO_TIME;
    bool seconds = take_char(&t, ":");
    if (seconds && (!take_number(&t, 2, 2, &second) || !take_fraction(&t, &ms)))
        return EL_NO_TIME;
    if (d.iso)
        (void)take_char(&t, "Z");
    if (t.len || d.year < 1 || d.month < 1 || d.month > 12 || d.day < 1 ||
        d.day > days_in_month(d.year, d.month) || hour > 23 || minute > 59 || second > 59)
        return EL_NO_TIME;
    if (has_seconds)
        *has_seconds = seconds;
    int64_t minutes =
        (days_from_civil(d.year, d.month, d.day) * 24 + hour) * 60 + minute + minutes_west;
    return (minutes * 60 + second) * 1000 + ms;
}

struct moment {
    int64_t year;
    int month, day, hour, minute, second, ms;
};

static struct moment split(int64_t ms) {
    int64_t of_day = ms % 86400000, days = ms / 86400000;
    if (of_day < 0) {
        of_day += 86400000;
        days--;
    }
    int seconds = (int)(of_day / 1000);
    struct moment m = { .hour = seconds / 3600,
                        .minute = seconds / 60 % 60,
                        .second = seconds % 60 };
    m.ms = (int)(of_day % 1000);
    civil_from_days(days, &m.year, &m.month, &m.day);
    return m;
}

static char *print(int64_t ms, char between, const char *end, char out[EL_CLOCK_ROOM]) {
    char fraction[8] = "";
    struct moment m = split(ms);
    if (m.ms)
        (void)snprintf(fraction, sizeof fraction, ".%03d", m.ms);
    (void)snprintf(out, EL_CLOCK_ROOM, "%04d-%02d-%02d%c%02d:%02d:%02d%s%s", (int)m.year, m.month,
                   m.day, between, m.hour, m.minute, m.second, fraction, end);
    return out;
}

static char *print_none(char out[EL_CLOCK_ROOM]) {
    (void)snprintf(out, EL_CLOCK_ROOM, "-");
    return out;
}

char *el_clock_rfc3339(int64_t ms, char out[EL_CLOCK_ROOM]) {
    return ms == EL_NO_TIME ? print_none(out) : print(ms, 'T', "Z", out);
}

char *el_clock_text(int64_t ms, char out[EL_CLOCK_ROOM]) {
    return ms == EL_NO_TIME ? print_none(out) : print(ms - (ms % 1000 + 1000) % 1000, ' ', "", out);
}
