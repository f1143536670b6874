#include "esxlat/base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest text handed to strtod; longer numbers do not occur in captures and read as missing. */
#define LONGEST 4000

static const double power_of_ten[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* What a scan of the text found; `end` is where the number stops. */
struct scan {
    uint64_t digits; /* all digits as one integer, exact while count <= 19 */
    int count;       /* significant digits */
    int fraction;    /* digits behind the point */
    bool negative, any;
    size_t end;
};

static struct scan scan_digits(struct el_str t) {
    struct scan s = { 0 };
    bool point = false;
    size_t i = 0;
    if (i < t.len && (t.ptr[i] == '-' || t.ptr[i] == '+'))
        s.negative = t.ptr[i++] == '-';
    for (; i < t.len; i++) {
        char c = t.ptr[i];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(c))
            break;
        s.any = true;
        s.fraction += point;
        if (s.digits || c != '0')
            s.count++;
        if (s.count <= 19)
            s.digits = s.digits * 10 + (uint64_t)(c - '0');
    }
    s.end = i;
    return s;
}

/* Is t, from `i`, a complete exponent part? */
static bool is_exponent(struct el_str t, size_t i) {
    if (i >= t.len || (t.ptr[i] != 'e' && t.ptr[i] != 'E'))
        return false;
    i++;
    if (i < t.len && (t.ptr[i] == '-' || t.ptr[i] == '+'))
        i++;
    if (i >= t.len)
        return false;
    while (i < t.len && is_digit(t.ptr[i]))
        i++;
    return i == t.len;
}

static double by_strtod(struct el_str t) {
    char text[LONGEST + 1];
    if (t.len > LONGEST)
        return EL_NAN;
    memcpy(text, t.ptr, t.len);
    text[t.len] = '\0';
    double value = strtod(text, NULL);
    return isfinite(value) ? value : EL_NAN;
}

static struct el_str without_blanks(struct el_str t) {
    while (t.len && (t.ptr[0] == ' ' || t.ptr[0] == '\t'))
        t = el_str_from(t, 1);
    while (t.len && (t.ptr[t.len - 1] == ' ' || t.ptr[t.len - 1] == '\t'))
        t.len--;
    return t;
}

double el_num_parse(struct el_str text) {
    struct el_str t = without_blanks(text);
    struct scan s = scan_digits(t);
    if (!s.any)
        return EL_NAN;
    if (s.end != t.len)
        return is_exponent(t, s.end) ? by_strtod(t) : EL_NAN;
    /* Both the digits and the power of ten are exact doubles, and one division rounds once:
     * W. D. Clinger, "How to read floating point numbers accurately", PLDI 1990. */
    if (s.count <= 15 && s.fraction <= 22) {
        double value = (double)s.digits / power_of_ten[s.fraction];
        return s.negative ? -value : value;
    }
    return by_strtod(t);
}

/* Digits behind the point that leave about three significant ones. */
static int decimals(double size) {
    if (size >= 99.95)
        return 0;
    if (size >= 9.995)
        return 1;
    return size == 0 || size >= 0.0995 ? 2 : size >= 0.0005 ? 3 : 1;
}

char *el_num_short(double value, char out[EL_NUM_ROOM]) {
    double size = fabs(value);
    if (el_missing(value))
        (void)snprintf(out, EL_NUM_ROOM, "-");
    else if (size >= 1e9)
        (void)snprintf(out, EL_NUM_ROOM, "%.2e", value);
    else
        (void)snprintf(out, EL_NUM_ROOM, "%.*f", decimals(size), value);
    return out;
}
