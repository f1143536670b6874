/* Moments; expected values were computed by another program. */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "esxlat/base/clock.h"

#define NOV30 INT64_C(1796029205000) /* 2026-11-30T09:00:05Z */

static const struct {
    const char *text;
    int west;
    int64_t ms;
    bool seconds;
} stamps[] = {
    { "11/30/2026 09:00:05", 0, NOV30, true },
    { "  11/30/2026 09:00:05\t", 0, NOV30, true },
    { "2026-11-30 09:00:05", 0, NOV30, true },
    { "2026-11-30T09:00:05", 0, NOV30, true },
    { "2026-11-30T09:00:05Z", 0, NOV30, true },
    { "2026-11-30T09:00:05.250Z", 0, NOV30 + 250, true },
    { "11/30/2026 09:00", 0, NOV30 - 5000, false },
    { "2026-11-30T09:00Z", 0, NOV30 - 5000, false },
    { "11/30/2026 9:00:05", 0, NOV30, true },
    { "3/26/2015 22:42", 0, INT64_C(1427409720000), false },
    { "11/30/2026 09:00:05.5", 0, NOV30 + 500, true },
    { "11/30/2026 09:00:05.05", 0, NOV30 + 50, true },
    { "11/30/2026 09:00:05.007", 0, NOV30 + 7, true },
    { "11/30/2026 09:00:05.1234", 0, NOV30 + 123, true },
    { "11/30/2026 04:00:05", 300, NOV30, true },
    { "11/30/2026 10:00:05", -60, NOV30, true },
    { "11/30/2026 14:30:05", -330, NOV30, true },
    { "02/29/2024 23:59:59", 0, INT64_C(1709251199000), true },
    { "02/29/2000 00:00:00", 0, INT64_C(951782400000), true },
    { "03/01/2100 00:00:00", 0, INT64_C(4107542400000), true },
    { "12/31/1969 23:59:59", 0, -1000, true },
    { "01/01/1970 00:00:00", 0, 0, true },
    { "01/01/1970 00:00:00", -1, -60000, true },
};

START_TEST(reads_timestamps) {
    bool seconds = !stamps[_i].seconds;
    int64_t ms = el_clock_parse(el_str(stamps[_i].text), stamps[_i].west, &seconds);
    ck_assert_int_eq(ms, stamps[_i].ms);
    ck_assert_int_eq(seconds, stamps[_i].seconds);
    ck_assert_int_eq(el_clock_parse(el_str(stamps[_i].text), stamps[_i].west, NULL), ms);
}
END_TEST

static const char *const refused[] = {
    "",
    " ",
    "x",
    "11/30/2026",
    "2026-11-30",
    "09:00:05",
    "22:42:26",
    "13/01/2026 09:00:05",
    "00/10/2026 09:00:05",
    "11/00/2026 09:00:05",
    "11/31/2026 09:00:05",
    "02/29/2025 09:00:05",
    "02/30/2024 09:00:05",
    "02/29/1900 09:00:05",
    "02/29/2100 09:00:05",
    "11/30/2026 24:00:00",
    "11/30/2026 09:60:00",
    "11/30/2026 09:00:60",
    "11/30/2026 09:00:05 x",
    "11/30/2026 09:00:05.",
    "11/30/2026 09:00:05,5",
    "11/30/2026  09:00:05",
    "11/30/2026T09:00:05",
    "11/30/2026 09:00:05Z",
    "11/30/26 09:00:05",
    "11-30-2026 09:00:05",
    "2026/11/30 09:00:05",
    "2026-13-01 09:00:05",
    "2026-11-31T09:00:05",
    "2026-1-30 09:00:05",
    "-1/30/2026 09:00:05",
    "+1/30/2026 09:00:05",
    "111/30/2026 09:00:05",
    "11/30/20260 09:00:05",
    "11/30/2026 09",
    "11/30/2026 09:",
    "11/30/2026 09:00:",
    "11/30/2026 09:0:05",
    "11/30/2026 09:00:5",
    "11/30/2026 -9:00:05",
    "0x/30/2026 09:00:05",
    "2026-11-30T09:00:05ZZ",
    "2026-11-30T09:00:05+01:00",
    "(PDH-CSV 4.0) (UTC)(0)",
    "11/30/2026 09:00:05.x",
};

START_TEST(refuses_what_is_no_timestamp) {
    ck_assert_int_eq(el_clock_parse(el_str(refused[_i]), 0, NULL), EL_NO_TIME);
}
END_TEST

START_TEST(stops_at_the_end_of_the_slice) {
    struct el_str text = { "11/30/2026 09:00:059", 19 };
    ck_assert_int_eq(el_clock_parse(text, 0, NULL), NOV30);
    text.len = 18;
    ck_assert_int_eq(el_clock_parse(text, 0, NULL), EL_NO_TIME);
    ck_assert_int_eq(el_clock_parse((struct el_str){ NULL, 0 }, 0, NULL), EL_NO_TIME);
}
END_TEST

static const struct {
    int64_t ms;
    const char *rfc3339;
} printed[] = {
    { NOV30, "2026-11-30T09:00:05Z" },
    { NOV30 + 250, "2026-11-30T09:00:05.250Z" },
    { NOV30 + 7, "2026-11-30T09:00:05.007Z" },
    { 0, "1970-01-01T00:00:00Z" },
    { -1, "1969-12-31T23:59:59.999Z" },
    { -1000, "1969-12-31T23:59:59Z" },
    { -86400000, "1969-12-31T00:00:00Z" },
    { INT64_C(951782400000), "2000-02-29T00:00:00Z" },
    { EL_NO_TIME, "-" },
};

START_TEST(prints_rfc3339) {
    char out[EL_CLOCK_ROOM];
    ck_assert_ptr_eq(el_clock_rfc3339(printed[_i].ms, out), out);
    ck_assert_str_eq(out, printed[_i].rfc3339);
}
END_TEST

START_TEST(prints_for_people) {
    char out[EL_CLOCK_ROOM];
    ck_assert_str_eq(el_clock_text(NOV30, out), "2026-11-30 09:00:05");
    ck_assert_str_eq(el_clock_text(0, out), "1970-01-01 00:00:00");
}
END_TEST

/* Steps of 41 days and some seconds from 1903 to 2160, against gmtime. */
START_TEST(goes_there_and_back) {
    for (int64_t s = INT64_C(-2100000000); s < INT64_C(6000000000); s += 41 * 86400 - 4711) {
        time_t t = (time_t)s;
        struct tm tm;
        char us[64], out[EL_CLOCK_ROOM], want[64];
        ck_assert_ptr_nonnull(gmtime_r(&t, &tm));
        strftime(us, sizeof us, "%m/%d/%Y %H:%M:%S", &tm);
        strftime(want, sizeof want, "%Y-%m-%dT%H:%M:%SZ", &tm);
        ck_assert_msg(el_clock_parse(el_str(us), 0, NULL) == s * 1000, "%s", us);
        ck_assert_str_eq(el_clock_rfc3339(s * 1000, out), want);
        ck_assert_msg(el_clock_parse(el_str(want), 0, NULL) == s * 1000, "%s", want);
    }
}
END_TEST

/* Whatever is asked for is printed within the room. */
START_TEST(prints_extreme_times) {
    static const int64_t extreme[] = { INT64_MAX / 2, INT64_MIN / 2, INT64_C(253402300800000) };
    for (size_t i = 0; i < sizeof extreme / sizeof *extreme; i++) {
        char out[EL_CLOCK_ROOM];
        el_clock_rfc3339(extreme[i], out);
        el_clock_text(extreme[i], out);
    }
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

Suite *base_clock(void) {
    Suite *s = suite_create("clock");
    TCase *t = tcase_create("parse");
    tcase_add_loop_test(t, reads_timestamps, 0, ROWS(stamps));
    tcase_add_loop_test(t, refuses_what_is_no_timestamp, 0, ROWS(refused));
    tcase_add_test(t, stops_at_the_end_of_the_slice);
    suite_add_tcase(s, t);
    t = tcase_create("print");
    tcase_add_loop_test(t, prints_rfc3339, 0, ROWS(printed));
    tcase_add_test(t, prints_for_people);
    tcase_add_test(t, goes_there_and_back);
    tcase_add_test(t, prints_extreme_times);
    suite_add_tcase(s, t);
    return s;
}
