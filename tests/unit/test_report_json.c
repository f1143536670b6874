#include <math.h>
#include <string.h>

#include "esxlat/base/num.h"
#include "test_report_made.h"
#include "unit.h"

static const struct {
    struct el_str name;
    const char *json;
} escapes[] = {
    { { "a`'<&%b", 7 }, "\"a`'<&%b\"" },
    { { "a\"\\b", 4 }, "\"a\\\"\\\\b\"" },
    { { "a\n\033b", 4 }, "\"a\\n\\u001Bb\"" },
    { { "a\0b", 3 }, "\"a\\u0000b\"" },
    { { "\xc3\xa9", 2 }, "\"\xc3\xa9\"" },
    { { "a\xff"
        "b",
        3 },
      "\"a\xef\xbf\xbd"
      "b\"" },
    { { "\xe2\x82", 2 }, "\"\xef\xbf\xbd\"" }, /* cut off */
    { { "\xe2\x82"
        "a",
        3 },
      "\"\xef\xbf\xbd"
      "a\"" },
    { { "\xf0\x9f\x92", 3 }, "\"\xef\xbf\xbd\"" },
    { { "\xed\xa0\x80", 3 }, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" }, /* a surrogate */
    { { "\xc0\xaf", 2 }, "\"\xef\xbf\xbd\xef\xbf\xbd\"" },                 /* overlong */
};

/* The report with one entity, as JSON. */
static void render(struct el_entity_report *e, struct el_buf *out) {
    struct el_report r;
    make_empty(&r);
    r.entity = e;
    r.entities = 1;
    el_report_json(&r, out);
    r.entity = NULL;
    el_report_release(&r);
}

START_TEST(escapes_names) {
    struct el_buf out = { 0 }, want = { 0 };
    struct el_entity_report e = { .kind = EL_LUN, .name = escapes[_i].name };
    render(&e, &out);
    el_buf_print(&want, "{\"kind\": \"lun\", \"name\": %s, \"host\": null,", escapes[_i].json);
    ck_assert_msg(strstr(out.ptr, want.ptr) != NULL, "%s is not in %s", want.ptr, out.ptr);
    el_buf_release(&out);
    el_buf_release(&want);
}
END_TEST

static const struct {
    double value;
    const char *json;
} numbers[] = {
    { 0, "0" },
    { 0.1, "0.1" },
    { 1.0 / 3, "0.333333333" },
    { 1234567.5, "1234567.5" },
    { 1e12, "1000000000000" },
    { -2, "-2" },
    { 11243.000000000002, "11243" }, /* a sum's last bit */
    { 11242.999999999998, "11243" },
    { 1e-15, "1e-15" },
    { 123456789.25, "123456789.0" },
    { 1e300, "1e300" },
    { EL_NAN, "null" },
    { HUGE_VAL, "null" },
    { -HUGE_VAL, "null" },
    { 0.004, "0.004" },
};

START_TEST(prints_numbers) {
    struct el_buf out = { 0 }, want = { 0 };
    struct el_entity_report e = { .kind = EL_LUN, .commands = numbers[_i].value };
    render(&e, &out);
    el_buf_print(&want, "\"commands\": %s, \"reads\": null, \"writes\": null,", numbers[_i].json);
    ck_assert_msg(strstr(out.ptr, want.ptr) != NULL, "%s is not in %s", want.ptr, out.ptr);
    el_buf_release(&out);
    el_buf_release(&want);
}
END_TEST

static const char lun_json[] =
    "{\"kind\": \"lun\", \"name\": \"naa.60060e80056f110000006f1100001f00\", \"host\": "
    "\"esx01.example.com\", "
    "\"layer\": \"device\", \"samples\": 1800, \"active\": 1799, \"commands\": 1234567.5, "
    "\"reads\": null, "
    "\"writes\": 308641.875, \"iops\": {\"mean\": 342.9, \"max\": 2210}, \"mb_s\": null, "
    "\"io_kb\": null, "
    "\"davg\": {\"mean\": 12.0625, \"p50\": 9.65, \"p95\": 27.140625, \"p99\": 36.1875, \"max\": "
    "85.9453125, "
    "\"max_at\": \"2025-11-30T09:31:00Z\"}, \"qavg\": null, "
    "\"dqlen\": {\"min\": 32, \"max\": 64}, \"actv\": {\"mean\": 4.2, \"max\": 32}, \"qued\": "
    "null, "
    "\"inflight\": {\"mean\": 3.5, \"max\": 31.5}, \"aborts\": 3, \"resets\": 0, \"conflicts\": 0, "
    "\"failed\": null, "
    "\"adapter\": \"vmhba2\", \"paths\": [\"naa.60060e80056f110000006f1100001f00\"], \"time_s\": "
    "null, "
    "\"profile\": \"flash\"}";
static const char disk_json[] =
    "{\"kind\": \"vdisk\", \"name\": \"database-server-with-a-long-name:scsi0:1f00\", \"host\": "
    "\"esx01.example.com\", "
    "\"layer\": \"device\", \"samples\": 1800, \"active\": 1799, \"commands\": null, \"reads\": "
    "185185.125, "
    "\"writes\": 61728.375, \"iops\": {\"mean\": 342.9, \"max\": 2210}, \"mb_s\": {\"mean\": 10.7, "
    "\"max\": 69}, "
    "\"io_kb\": 32, \"lat\": {\"mean\": 14, \"p50\": 11.2, \"p95\": 31.5, \"p99\": 42, \"max\": "
    "99.75, \"max_at\": null}, "
    "\"inflight\": {\"mean\": 3.5, \"max\": 31.5}, \"aborts\": null, \"resets\": null, "
    "\"conflicts\": null, "
    "\"failed\": null, \"lun\": \"naa.60060e80056f110000006f1100001f00\", \"vm\": "
    "\"database-server-with-a-long-name1f00\", "
    "\"link\": \"matched\", \"link_certainty\": 0.9875, \"time_s\": {\"guest\": 0, \"vmkernel\": "
    "372.299262, \"device\": "
    "2978.39409}}";

/* The last line that begins so is this one, but for what closes the list. */
static void check_line(const struct el_buf *out, const char *begin, const char *want) {
    const char *at = NULL, *next = out->ptr;
    while ((next = strstr(next, begin)))
        at = next++;
    ck_assert_ptr_nonnull(at);
    ck_assert_mem_eq(at, want, strlen(want));
}

/* Keys and their order are a contract: they are pinned by the whole text. */
START_TEST(pins_entities) {
    struct el_report r;
    struct el_buf out = { 0 };
    make_report(&r, 1, 1, false);
    struct el_entity_report *lun = &r.entity[0], *disk = &r.entity[1];
    for (size_t l = 0; l < EL_LATENCIES; l++) {
        lun->has_latency[l] = l == EL_L_DAVG || l == EL_L_QAVG;
        disk->has_latency[l] = l == EL_L_LAT;
    }
    lun->latency[EL_L_QAVG].there = lun->has_reads = lun->mb_s.there = lun->qued.there =
        lun->has_time = false;
    lun->io_kb = EL_NAN;
    disk->commands = EL_NAN;
    disk->latency[EL_L_LAT].max_at = EL_NO_TIME;
    el_report_json(&r, &out);
    check_line(&out, "{\"kind\": \"lun\"", lun_json);
    check_line(&out, "{\"kind\": \"vdisk\"", disk_json);
    el_buf_release(&out);
    el_report_release(&r);
}
END_TEST

/* Keys of the other objects, in this order, each behind the one before. */
START_TEST(pins_the_order_of_keys) {
    static const char *const keys[] = {
        "{ \"schema\": \"esxlat.report/1\"",
        "\"captures\": [",
        "{\"file\": ",
        "\"host\": ",
        "\"start\": ",
        "\"end\": ",
        "\"interval_s\": ",
        "\"rows\": ",
        "\"samples\": ",
        "\"runs\": ",
        "\"columns\": ",
        "\"storage_columns\": ",
        "\"missing\": [{\"counter\": ",
        "\"object\": ",
        "\"needed_for\": ",
        "\"quality\": [{\"code\": ",
        "\"count\": ",
        "\"first_line\": ",
        "\"text\": ",
        "\"harmless\": false",
        "\"verdict\": {\"layer\": ",
        "\"confidence\": ",
        "\"cause\": ",
        "\"summary\": ",
        "\"share\": {\"guest\": ",
        "\"vmkernel\": ",
        "\"device\": ",
        "\"healthy\": [",
        "\"cannot\": [",
        "\"findings\": [",
        "{\"rule\": ",
        "\"layer\": ",
        "\"severity\": ",
        "\"confidence\": ",
        "\"entity\": {\"kind\": ",
        "\"name\": ",
        "\"host\": ",
        "\"from\": ",
        "\"to\": ",
        "\"samples\": ",
        "\"title\": ",
        "\"because\": ",
        "\"check\": [",
        "\"do\": [",
        "\"see\": [",
        "\"who\": [{\"vm\": ",
        "\"vdisk\": ",
        "\"world\": ",
        "\"share\": ",
        "\"also\": [",
        "\"windows\": [{\"from\": ",
        "\"root\": true",
        "\"entities\": [",
    };
    struct el_report r;
    struct el_buf out = { 0 };
    make_report(&r, 1, 1, false);
    el_report_json(&r, &out);
    const char *at = out.ptr;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *found = strstr(at, keys[i]);
        ck_assert_msg(found != NULL, "%s is missing or too early", keys[i]);
        at = found + strlen(keys[i]);
    }
    ck_assert_str_eq(out.ptr + out.len - 4, "] }\n");
    el_buf_release(&out);
    el_report_release(&r);
}
END_TEST

START_TEST(empty_report) {
    struct el_report r;
    struct el_buf out = { 0 };
    make_empty(&r);
    el_report_json(&r, &out);
    ck_assert_str_eq(
        out.ptr,
        "{ \"schema\": \"esxlat.report/1\",\n"
        "  \"captures\": [],\n"
        "  \"verdict\": {\"layer\": \"unknown\", \"confidence\": \"low\", \"cause\": null, "
        "\"summary\": null, \"share\": {\"guest\": null, \"vmkernel\": null, \"device\": null}, "
        "\"healthy\": [], \"cannot\": []},\n"
        "  \"findings\": [],\n"
        "  \"episodes\": [],\n"
        "  \"entities\": [],\n"
        "  \"guests\": [] }\n");
    el_buf_clear(&out);
    el_report_listing_json(&r, &out);
    ck_assert_str_eq(out.ptr,
                     "{ \"schema\": \"esxlat.list/1\",\n  \"captures\": [],\n  \"kinds\": {},\n"
                     "  \"entities\": [] }\n");
    el_buf_release(&out);
    el_report_release(&r);
}
END_TEST

Suite *suite_report_json(void) {
    Suite *s = suite_create("report json");
    TCase *t = tcase_create("json");
    tcase_add_loop_test(t, escapes_names, 0, sizeof escapes / sizeof *escapes);
    tcase_add_loop_test(t, prints_numbers, 0, sizeof numbers / sizeof *numbers);
    tcase_add_test(t, pins_entities);
    tcase_add_test(t, pins_the_order_of_keys);
    tcase_add_test(t, empty_report);
    suite_add_tcase(s, t);
    return s;
}
