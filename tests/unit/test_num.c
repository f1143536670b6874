/* Numbers as text, against the C library's strtod. */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "esxlat/base/num.h"

static uint64_t bits(double value) {
    uint64_t b;
    memcpy(&b, &value, sizeof b);
    return b;
}

static void same_as_strtod(const char *text) {
    double got = el_num_parse(el_str(text)), want = strtod(text, NULL);
    if (bits(got) != bits(want)) /* a plain `if`: asked more than 300,000 times */
        ck_abort_msg("'%.60s' is %a, not %a", text, want, got);
}

static const char *const numbers[] = {
    "0",
    "-0",
    "+0",
    "0.00",
    "-0.00",
    "00012",
    "000.50",
    "+5",
    "-5",
    "5.",
    ".5",
    "-.5",
    "+.5",
    "5.e3",
    ".5e1",
    "1e5",
    "1E5",
    "1e+5",
    "1e-5",
    "1.5e007",
    "0e999999",
    "18446744073709551615",
    "18446744073709551616",
    "4294967295",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "90071992547409935",
    "9007199254740993.00",
    "900719925474099.35",
    "12345678901234567",
    "1234567890123456789",
    "12345678901234567890",
    "123456789012345678901",
    "1234567890123456789012345",
    "0.1000000000000000055511151231257827021181583404541015625",
    "0.10000000000000000555111512312578270211815834045410156250001",
    "1e22",
    "1e23",
    "8.5e22",
    "1e308",
    "1.7976931348623157e308",
    "1e-320",
    "4.9e-324",
    "2.4703282292062328e-324",
    "1e-400",
    "2.2250738585072011e-308",
    "2.2250738585072014e-308",
    "0.000001",
    "0.0000000000000000000000001",
    "99999999999999999999.99",
    "1000000000000000000000000000000000000000.5",
    "0.30000000000000004",
    "7450580596923828125e-27",
    "6.02214076e23",
    "-22263.64",
    "100.8",
};

START_TEST(equals_strtod) {
    same_as_strtod(numbers[_i]);
}
END_TEST

/* Every hundredth up to 1000 and a sample above: what esxtop prints with %.2f. */
START_TEST(equals_strtod_on_hundredths) {
    char text[32];
    for (long n = 0; n <= 9999999; n += n < 100000 ? 1 : 97) {
        snprintf(text, sizeof text, "%ld.%02ld", n / 100, n % 100);
        same_as_strtod(text);
        snprintf(text, sizeof text, "-%ld.%02ld", n / 100, n % 100);
        same_as_strtod(text);
    }
}
END_TEST

static uint64_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 11;
}

/* Numbers of 1 to 40 digits with the point anywhere, half of them with an exponent. */
START_TEST(equals_strtod_on_made_numbers) {
    uint64_t state = (uint64_t)_i + 1;
    for (int n = 0; n < 20000; n++) {
        char text[64];
        size_t digits = 1 + next(&state) % 40, point = next(&state) % (digits + 2), at = 0;
        for (size_t i = 0; i < digits; i++) {
            if (i == point)
                text[at++] = '.';
            text[at++] = (char)('0' + next(&state) % 10);
        }
        text[at] = '\0';
        if (next(&state) % 2)
            snprintf(text + at, sizeof text - at, "e%d", (int)(next(&state) % 700) - 350);
        double want = strtod(text, NULL);
        if (!isinf(want))
            same_as_strtod(text);
        else
            ck_assert_msg(isnan(el_num_parse(el_str(text))), "%s", text);
    }
}
END_TEST

/* Halfway between two doubles, a digit above and a digit below. */
START_TEST(rounds_ties_to_even) {
    uint64_t state = 99;
    for (int n = 0; n < 5000; n++) {
        char text[80];
        uint64_t odd = (UINT64_C(1) << 53) + 2 * (next(&state) >> 2) + 1;
        snprintf(text, sizeof text, "%" PRIu64, odd);
        same_as_strtod(text);
        snprintf(text, sizeof text, "%" PRIu64 ".00000000000000000000001", odd);
        same_as_strtod(text);
        snprintf(text, sizeof text, "%" PRIu64 ".99999999999999999999999", odd - 1);
        same_as_strtod(text);
    }
}
END_TEST

static const char *const missing[] = {
    "",     " ",        "\t \t", "nan",          "-nan",   "NaN",   "nan(1)",  "inf",
    "-inf", "infinity", "Inf",   "0x10",         "0X1",    "1e",    "1e+",     "e5",
    ".",    "-",        "+",     "-.",           "+-1",    "--1",   "1,5",     "0/1",
    "1 2",  "1.2.3",    "1e5.",  "1e5e5",        "5x",     "x5",    "1.-2",    "- 1",
    "1e 5", "1_000",    "5%",    "1e999",        "-1e999", "1e400", "1.8e308", "\"1\"",
    "0b1",  "1f",       "1d5",   "\xc2\xa0\x31", "1;",     ".e1",   "$1",      "1'000",
};

START_TEST(is_no_number) {
    ck_assert_msg(isnan(el_num_parse(el_str(missing[_i]))), "'%s'", missing[_i]);
    ck_assert(el_missing(el_num_parse(el_str(missing[_i]))));
}
END_TEST

START_TEST(ignores_blanks_around) {
    ck_assert_double_eq(el_num_parse(EL_STR(" \t12.50\t ")), 12.5);
    ck_assert_double_eq(el_num_parse(EL_STR("    73.1")), 73.1);
    ck_assert(!el_missing(0.0) && !el_missing(-1.0) && el_missing(EL_NAN));
}
END_TEST

START_TEST(stops_at_the_end_of_the_slice) {
    ck_assert_double_eq(el_num_parse((struct el_str){ "12345", 2 }), 12);
    ck_assert_double_eq(el_num_parse((struct el_str){ "1.5e9", 3 }), 1.5);
    ck_assert(isnan(el_num_parse((struct el_str){ "1\0", 2 })));
    ck_assert(isnan(el_num_parse((struct el_str){ NULL, 0 })));
}
END_TEST

START_TEST(takes_400_digits) {
    char text[401] = { 0 };
    memset(text, '9', 400);
    ck_assert(isnan(el_num_parse(el_str(text)))); /* 1e400 is no double */
    memset(text, '0', 399);
    same_as_strtod(text);
    text[1] = '.';
    same_as_strtod(text); /* 9e-398 */
    text[300] = '7';
    same_as_strtod(text);
    memset(text, '3', 400);
    text[250] = '.';
    same_as_strtod(text);
    memcpy(text + 395, "e-90", 5);
    same_as_strtod(text);
}
END_TEST

START_TEST(takes_500_digits) {
    char text[501] = { 0 };
    memset(text, '9', 500);
    ck_assert(isnan(el_num_parse(el_str(text))));
    text[200] = '.';
    same_as_strtod(text);
    memset(text, '0', 199);
    same_as_strtod(text);
    text[0] = '3';
    text[200] = '0';
    text[1] = '.';
    same_as_strtod(text);
}
END_TEST

static const struct {
    double value;
    const char *text;
} shorts[] = {
    { 0.004, "0.004" },         { 0.38, "0.38" },        { 12.8, "12.8" },
    { 2245, "2245" },           { 1.23e12, "1.23e+12" }, { EL_NAN, "-" },
    { -0.38, "-0.38" },         { 100.8, "101" },        { 1, "1.00" },
    { -2245, "-2245" },         { 12.84, "12.8" },       { 22263.64, "22264" },
    { 123456789, "123456789" },
};

START_TEST(prints_short) {
    char out[EL_NUM_ROOM];
    ck_assert_ptr_eq(el_num_short(shorts[_i].value, out), out);
    ck_assert_str_eq(out, shorts[_i].text);
}
END_TEST

/* No exponent below 1e9, and about three digits: never further off than half a per cent, a half of the
 * last of two or three places behind the point aside. */
START_TEST(prints_short_over_the_range) {
    for (double v = 0.001; v < 1e9; v *= 1.0137) {
        char out[EL_NUM_ROOM];
        double back = el_num_parse(el_str(el_num_short(v, out)));
        ck_assert_msg(strpbrk(out, "eE") == NULL, "%g is %s", v, out);
        ck_assert_msg(fabs(back - v) <= fmax(0.0051 * v, v < 0.1 ? 0.0005 : 0.005), "%g is %s", v,
                      out);
    }
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

Suite *base_num(void) {
    Suite *s = suite_create("num");
    TCase *t = tcase_create("parse");
    tcase_add_loop_test(t, equals_strtod, 0, ROWS(numbers));
    tcase_add_test(t, equals_strtod_on_hundredths);
    tcase_add_loop_test(t, equals_strtod_on_made_numbers, 0, 5);
    tcase_add_test(t, rounds_ties_to_even);
    tcase_add_loop_test(t, is_no_number, 0, ROWS(missing));
    tcase_add_test(t, ignores_blanks_around);
    tcase_add_test(t, stops_at_the_end_of_the_slice);
    tcase_add_test(t, takes_400_digits);
    tcase_add_test(t, takes_500_digits);
    suite_add_tcase(s, t);
    t = tcase_create("print");
    tcase_add_loop_test(t, prints_short, 0, ROWS(shorts));
    tcase_add_test(t, prints_short_over_the_range);
    suite_add_tcase(s, t);
    return s;
}
