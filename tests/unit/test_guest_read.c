/* What guests wrote: times, perfmon, iostat, and what is neither. */
#include "unit.h"

#include <string.h>

#include "esxlat/base/clock.h"
#include "esxlat/base/num.h"
#include "esxlat/guest/guest.h"

#define ck_near(value, want) ck_assert_double_eq_tol(value, want, 1e-6)

/* ---- times ---- */

static const struct {
    const char *text, *utc;
    bool zone;
} stamps[] = {
    { "11/30/2026 08:00:00 PM", "2026-11-30T20:00:00Z", false },
    { "11/30/2026 12:00:00 AM", "2026-11-30T00:00:00Z", false },
    { "11/30/2026 12:30:00 PM", "2026-11-30T12:30:00Z", false },
    { "11/30/26 20:00:00", "2026-11-30T20:00:00Z", false },
    { "30/11/2026 20:00:00", "2026-11-30T20:00:00Z", false },
    { "30.11.2026 20:00:00", "2026-11-30T20:00:00Z", false },
    { "30-11-26 20:00:00", "2026-11-30T20:00:00Z", false },
    { "2026-11-30T20:00:00+0100", "2026-11-30T19:00:00Z", true },
    { "2026-11-30T20:00:00-05:00", "2026-12-01T01:00:00Z", true },
    { "2026-11-30T20:00:00Z", "2026-11-30T20:00:00Z", true },
    { "2026-11-30 20:00:00", "2026-11-30T20:00:00Z", false },
    { "13/13/2026 20:00:00", NULL, false },
    { "11/30-2026 20:00:00", NULL, false },
    { "11/30/2026 20:00", NULL, false },
    { "11/30/2026 20:00:00 PM", NULL, false },
    { "2026-11-30T20:00:00+1500", NULL, false },
    { "2026-11-30T20:00:00 noon", NULL, false },
    { "", NULL, false },
};

START_TEST(stamp) {
    bool zone = true;
    char text[EL_CLOCK_ROOM];
    int64_t at = el_stamp_parse(el_str(stamps[_i].text), &zone);
    if (stamps[_i].utc) {
        ck_assert_str_eq(el_clock_rfc3339(at, text), stamps[_i].utc);
        ck_assert_int_eq(zone, stamps[_i].zone);
    } else {
        ck_assert_int_eq(at, EL_NO_TIME);
    }
}
END_TEST

/* ---- files ---- */

static bool take(const char *text, struct el_guest *g, struct el_error *err) {
    struct el_source *s = el_source_memory("guest", text, strlen(text), err);
    ck_assert_ptr_nonnull(s);
    bool good = el_guest_take(s, "guest", g, err);
    el_source_free(s);
    return good;
}

#define HOST "\"\\\\WEB01\\PhysicalDisk"
#define PERFMON                                                                                    \
    "\"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)\"," HOST "(0 C:)\\Disk Reads/sec\"," HOST      \
    "(0 C:)\\Disk Writes/sec\"," HOST "(0 C:)\\Avg. Disk sec/Read\"," HOST                         \
    "(0 C:)\\Avg. Disk sec/Write\"," HOST "(1 D:)\\Disk Transfers/sec\"," HOST                     \
    "(1 D:)\\Avg. Disk Queue Length\"," HOST "(_Total)\\Disk Reads/sec\",\"\\\\WEB01\\LogicalDisk" \
    "(C:)\\Disk Reads/sec\"\r\n"                                                                   \
    "\"11/30/2026 20:00:00.000\",\" \",\" \",\" \",\" \",\" \",\" \",\" \",\" \"\r\n"

/* 5 s: 100 reads of 2 ms and 50 writes of 10 ms a second; on D: 40 a second with 0.4 outstanding, so 10 ms each. */
START_TEST(perfmon) {
    struct el_guest g;
    struct el_error err;
    ck_assert_msg(
        take(PERFMON "\"11/30/2026 20:00:05.000\",\"100\",\"50\",\"0.002\",\"0.01\",\"40\",\"0.4\","
                     "\"100\",\"100\"\r\n",
             &g, &err),
        "%s", err.text);
    ck_assert_str_eq(g.kind, "perfmon");
    ck_assert(el_str_is(g.host, "WEB01") && g.has_zone && !g.cut);
    ck_assert_uint_eq(g.disks, 2);
    ck_assert_uint_eq(g.samples, 1);
    ck_assert(el_str_is(g.disk[0].name, "0 C:") && el_str_is(g.disk[1].name, "1 D:"));
    ck_assert_uint_eq(g.disk[0].trace.count, 1);
    const struct el_flow *c = &g.disk[0].trace.item[0], *d = &g.disk[1].trace.item[0];
    char text[EL_CLOCK_ROOM];
    ck_assert_str_eq(el_clock_rfc3339(c->to, text), "2026-11-30T19:00:05Z");
    ck_assert_int_eq(c->to - c->from, 5000);
    ck_near(c->reads, 500);
    ck_near(c->writes, 250);
    ck_near(c->ios, 750);
    ck_near(c->wait, 500 * 2 + 250 * 10);
    ck_near(d->ios, 200);
    ck_near(d->wait, 200 * 10);
    ck_assert(el_missing(d->reads));
    el_guest_release(&g);
}
END_TEST

/* Machines of other languages write a decimal comma; the last row is cut off; a row lacks figures, another its time. */
START_TEST(perfmon_oddities) {
    struct el_guest g;
    struct el_error err;
    ck_assert(
        take(PERFMON
             "\"11/30/2026 20:00:05.000\",\"100,5\",\"50\",\"0,002\",\"0,01\",\"\",\"\",\"\",\"\"\n"
             "\"11/30/2026 20:00:10.000\",\" \",\" \",\" \",\" \",\" \",\" \",\" \",\" \"\n"
             "\"noon\",\"1\",\"1\",\"1\",\"1\",\"1\",\"1\",\"1\",\"1\"\n"
             "\"11/30/2026 20:00:15.000\",\"10",
             &g, &err));
    ck_assert_uint_eq(g.samples, 1);
    ck_assert_uint_eq(g.unused, 2);
    ck_assert(g.cut);
    ck_near(g.disk[0].trace.item[0].reads, 502.5);
    ck_near(g.disk[0].trace.item[0].wait, 502.5 * 2 + 250 * 10);
    el_guest_release(&g);
}
END_TEST

#define IOSTAT                                                                                     \
    "{\"sysstat\": {\n\t\"hosts\": [\n\t\t{\n\t\t\t\"nodename\": \"web[01]\", \"date\": "          \
    "\"11/30/26\",\n\t\t\t\"statistics\": [\n"
#define ELEMENT(stamp, disks)                                                                      \
    "{\"timestamp\": \"" stamp "\", \"avg-cpu\": {\"user\": 1.00}, \"disk\": [" disks "]}"
#define SDA(r, w, ra, wa)                                                                          \
    "{\"disk_device\": \"sda\", \"r/s\": " r ", \"w/s\": " w ", \"r_await\": " ra                  \
    ", \"w_await\": " wa ", \"aqu-sz\": 1.00}"
#define END "]}]}}\n"

/* The first element is the average since boot and only starts the clock; dm-0 is sda once more. */
START_TEST(iostat) {
    struct el_guest g;
    struct el_error err;
    ck_assert_msg(take(IOSTAT ELEMENT(
                           "2026-11-30T20:00:00+0100",
                           SDA("9.00", "9.00", "99.00",
                               "99.00")) ",\n" ELEMENT("2026-11-30T20:00:10+0100",
                                                       SDA("100.00", "50.00", "2.00",
                                                           "10.00") ", {\"disk_device\": \"dm-0\", "
                                                                    "\"r/s\": 1.00, \"w/s\": 1.00}")
                           END,
                       &g, &err),
                  "%s", err.text);
    ck_assert_str_eq(g.kind, "iostat");
    ck_assert(el_str_is(g.host, "web[01]") && g.has_zone && !g.cut);
    ck_assert_uint_eq(g.disks, 1);
    ck_assert_uint_eq(g.samples, 1);
    const struct el_flow *f = &g.disk[0].trace.item[0];
    ck_near(f->ios, 1500);
    ck_near(f->wait, 1000 * 2 + 500 * 10);
    char text[EL_CLOCK_ROOM];
    ck_assert_str_eq(el_clock_rfc3339(f->from, text), "2026-11-30T19:00:00Z");
    el_guest_release(&g);
}
END_TEST

/* Short form, decimal commas, and a brace in a name. */
START_TEST(iostat_short) {
    struct el_guest g;
    struct el_error err;
    ck_assert(take(
        IOSTAT ELEMENT("11/30/26 20:00:00",
                       "{\"disk_device\": \"s}a\\\"\", \"tps\": "
                       "1,00, \"await\": 1,00}") "," ELEMENT("11/30/26 20:00:05",
                                                             "{\"disk_device\": \"s}a\\\"\", "
                                                             "\"tps\": 30,50, \"await\": 4,00}")
            END,
        &g, &err));
    ck_assert(!g.has_zone && el_str_is(g.disk[0].name, "s}a\""));
    ck_near(g.disk[0].trace.item[0].ios, 152.5);
    ck_near(g.disk[0].trace.item[0].wait, 610);
    el_guest_release(&g);
}
END_TEST

/* As PowerShell redirects: UTF-16 of either byte order, with its mark. */
START_TEST(iostat_utf16) {
    static const char text[] =
        IOSTAT ELEMENT("2026-11-30T20:00:00Z", SDA("9.00", "9.00", "99.00", "99.00")) ",\n" ELEMENT(
            "2026-11-30T20:00:10Z", SDA("100.00", "50.00", "2.00", "10.00")) END;
    char wide[2 * sizeof text] = { 0 };
    struct el_guest g;
    struct el_error err;
    memcpy(wide, _i ? "\xfe\xff" : "\xff\xfe", 2);
    for (size_t i = 0; i + 1 < sizeof text; i++)
        wide[2 + 2 * i + (size_t)_i] = text[i];
    struct el_source *s = el_source_memory("guest", wide, sizeof wide, &err);
    ck_assert_msg(s && el_guest_take(s, "guest", &g, &err), "%s", err.text);
    el_source_free(s);
    ck_assert(el_str_is(g.host, "web[01]") && !g.cut && g.disks == 1);
    ck_near(g.disk[0].trace.item[0].ios, 1500);
    ck_near(g.disk[0].trace.item[0].wait, 1000 * 2 + 500 * 10);
    el_guest_release(&g);
}
END_TEST

/* Cut off anywhere behind the second element: what came before is there.  The cut is told, but for the very end. */
START_TEST(iostat_cut) {
    static const char whole[] =
        IOSTAT ELEMENT("11/30/26 20:00:00", SDA("1", "1", "1", "1")) "," ELEMENT(
            "11/30/26 20:00:05", SDA("8", "2", "3", "3")) "," ELEMENT("11/30/26 20:00:10",
                                                                      SDA("8", "2", "3", "3")) END;
    size_t second = (size_t)(strstr(whole, "20:00:10") - whole);
    for (size_t n = 0; n < sizeof whole - 1; n++) {
        struct el_guest g;
        struct el_error err;
        struct el_source *s = el_source_memory("guest", whole, n, &err);
        bool good = s && el_guest_take(s, "guest", &g, &err);
        ck_assert_msg(good || n < second, "%zu bytes: %s", n, err.text);
        if (n >= second && n < sizeof whole - sizeof END)
            ck_assert(g.cut && g.samples >= 1 && g.disk[0].trace.count == g.samples);
        if (s)
            el_guest_release(&g);
        el_source_free(s);
    }
}
END_TEST

static const struct {
    const char *text, *says;
} refused[] = {
    { "", "is empty" },
    { "Linux 6.1 (web01)\n\nDevice r/s\n", "-o JSON" },
    { "hello\n", "is nothing that a guest measured" },
    { "{\"a\": [1, 2]}", "not that of iostat" },
    { IOSTAT ELEMENT("", SDA("1", "1", "1", "1")) END, "run iostat with -t" },
    { IOSTAT ELEMENT("11/30/26 20:00:00", "{\"disk_device\": \"sda\", \"r/s\": 1, \"w/s\": 1}") END,
      "run iostat with -x" },
    { IOSTAT ELEMENT("11/30/26 20:00:00", SDA("1", "1", "1", "1")) END, "no sample" },
    { PERFMON, "no sample" },
    { "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\A\\Memory\\Pages\"\n\"11/30/2026 20:00:00\",\"1\"\n",
      "no counters of PhysicalDisk" },
    { "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\A\\LogicalDisk(C:)\\Disk Reads/sec\"\n",
      "none of PhysicalDisk" },
    { "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\A\\PhysicalDisk(0)\\Avg. Disk sec/Read\"\n",
      "no Disk Transfers/sec" },
    { "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\A\\PhysicalDisk(0)\\Disk Reads/sec\"\n",
      "no Avg. Disk sec/Transfer" },
};

START_TEST(refuses) {
    struct el_guest g;
    struct el_error err = { 0 };
    ck_assert(!take(refused[_i].text, &g, &err));
    ck_assert_int_eq(err.status, EL_CAPTURE);
    ck_assert_msg(strstr(err.text, refused[_i].says), "%s", err.text);
    ck_assert_msg(strstr(err.text, "expected"), "%s", err.text);
    el_guest_release(&g);
}
END_TEST

/* An element that never ends does not fill the memory. */
START_TEST(endless_element) {
    struct el_guest g;
    struct el_error err;
    struct el_buf b = { 0 };
    el_buf_text(&b, IOSTAT "{\"timestamp\": \"");
    for (int i = 0; i < 40000; i++)
        el_buf_text(&b, "0123456789012345678901234567890123456789");
    ck_assert(!take(b.ptr, &g, &err));
    ck_assert_msg(strstr(err.text, "1 MiB"), "%s", err.text);
    el_buf_release(&b);
    el_guest_release(&g);
}
END_TEST

Suite *guest_read_suite(void) {
    Suite *s = suite_create("guest_read");
    TCase *t = tcase_create("read");
    tcase_add_loop_test(t, stamp, 0, sizeof stamps / sizeof *stamps);
    tcase_add_test(t, perfmon);
    tcase_add_test(t, perfmon_oddities);
    tcase_add_test(t, iostat);
    tcase_add_test(t, iostat_short);
    tcase_add_loop_test(t, iostat_utf16, 0, 2);
    tcase_add_test(t, iostat_cut);
    tcase_add_loop_test(t, refuses, 0, sizeof refused / sizeof *refused);
    tcase_add_test(t, endless_element);
    suite_add_tcase(s, t);
    return s;
}
