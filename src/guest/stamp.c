/* Moments as strftime's %x %X and ISO 8601 write them. */
#include <stdio.h>

#include "esxlat/base/clock.h"
#include "guest.h"

static bool number(struct el_str *t, size_t most, int *out, size_t *digits) {
    size_t n = 0;
    for (*out = 0; n < t->len && n < most && t->ptr[n] >= '0' && t->ptr[n] <= '9'; n++)
        *out = *out * 10 + (t->ptr[n] - '0');
    *t = el_str_from(*t, n);
    *digits = n;
    return n > 0;
}

static bool one_of(struct el_str *t, const char *any_of, char *out) {
    for (; t->len && *any_of; any_of++)
        if (t->ptr[0] == *any_of) {
            *out = *any_of;
            *t = el_str_from(*t, 1);
            return true;
        }
    return false;
}

struct date {
    int year, month, day;
};

/* Three numbers; the separator and their size tell the order. */
static bool date(struct el_str *t, struct date *d) {
    int a, b, c;
    size_t da, db, dc;
    char first, second;
    if (!number(t, 4, &a, &da) || !one_of(t, "/.-", &first) || !number(t, 2, &b, &db) ||
        !one_of(t, "/.-", &second) || first != second || !number(t, 4, &c, &dc))
        return false;
    if (da == 4)
        *d = (struct date){ a, b, c };
    else if (first == '/' && a <= 12)
        *d = (struct date){ c, a, b };
    else
        *d = (struct date){ c, b, a };
    d->year += d->year < 70 ? 2000 : d->year < 100 ? 1900 : 0;
    return true;
}

/* AM and PM in front of or behind the time; 12 AM is midnight. */
static bool half_of_day(struct el_str *t, int *hour) {
    char c, m;
    struct el_str rest = el_str_trim(*t);
    if (!one_of(&rest, "AaPp", &c) || !one_of(&rest, "Mm", &m))
        return true;
    if (*hour < 1 || *hour > 12)
        return false;
    *hour = *hour % 12 + (c == 'P' || c == 'p' ? 12 : 0);
    *t = rest;
    return true;
}

/* Z, +0100, +01:00, -05; minutes west of UTC. */
static bool zone(struct el_str *t, int *west, bool *there) {
    char sign;
    int hours, minutes = 0;
    size_t digits;
    *west = 0;
    *there = one_of(t, "Zz", &sign);
    if (*there || !one_of(t, "+-", &sign))
        return true;
    if (!number(t, 2, &hours, &digits))
        return false;
    (void)one_of(t, ":", &(char){ 0 });
    (void)number(t, 2, &minutes, &digits);
    *west = (sign == '+' ? -1 : 1) * (hours * 60 + minutes);
    *there = true;
    return hours <= 14 && minutes < 60;
}

int64_t el_stamp_parse(struct el_str text, bool *has_zone) {
    struct el_str t = el_str_trim(text);
    struct date d;
    int hour, minute, second, west;
    size_t digits;
    char c, iso[80];
    *has_zone = false;
    if (!date(&t, &d) || !one_of(&t, "T ", &c) || !number(&t, 2, &hour, &digits) ||
        !one_of(&t, ":.", &c) || !number(&t, 2, &minute, &digits) || !one_of(&t, ":.", &c) ||
        !number(&t, 2, &second, &digits) || !half_of_day(&t, &hour) || !zone(&t, &west, has_zone) ||
        el_str_trim(t).len)
        return EL_NO_TIME;
    (void)snprintf(iso, sizeof iso, "%04d-%02d-%02dT%02d:%02d:%02d", d.year, d.month, d.day, hour,
                   minute, second);
    return el_clock_parse(el_str(iso), west, NULL);
}
