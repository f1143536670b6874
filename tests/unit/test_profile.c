/* Which thresholds an entity gets, and the reason that its findings tell. */
#include "test_reader_made.h"

#include <stdio.h>
#include <string.h>

#include "esxlat/app/analyse.h"

#define RULES                                                                                      \
    "[seen]\non = lun nfs vm vdisk\nwhen = cmds > 0\nlayer = none\nseverity = info\n"              \
    "title = {profile}, {why}\n"                                                                   \
    "[vendor naa.6006016]\nname = Unity\n"                                                         \
    "[vendor naa.514f0c5]\nname = XtremIO\nprofile = flash\n"

struct seen {
    struct el_ruleset *rules;
    struct el_report report;
};

/* A LUN of `device` ms for each name, 1 MiB/s in 128 commands of 8 KB, four samples. */
static void analyse(struct seen *x, const char *const *lun, const char *const *ms, size_t luns,
                    enum el_profile profile) {
    static const char *const file = "made.csv";
    struct el_error err = { 0 };
    struct cap c = { 0 };
    struct el_buf row = { 0 };
    cap_begin(&c, "esx1", NULL);
    for (size_t i = 0; i < luns; i++) {
        char object[80];
        (void)snprintf(object, sizeof object, "Physical Disk SCSI Device(%s)", lun[i]);
        cap_object(&c, object, "cmds reads writes mb_rd mb_wr davg davg_rd davg_wr");
        el_buf_print(&row, "%s128 128 0 1 0 %s %s 0", i ? " " : "", ms[i], ms[i]);
    }
    for (int second = 0; second <= 20; second += 5)
        cap_row(&c, second, row.ptr);
    *x = (struct seen){ .rules = el_ruleset_new() };
    ck_assert_msg(el_ruleset_parse(x->rules, "t.ini", EL_STR(RULES), &err) &&
                      el_ruleset_compile(x->rules, &err),
                  "%s", err.text);
    struct el_str bytes = cap_bytes(&c);
    const struct el_options o = { .file = &file,
                                  .files = 1,
                                  .rules = x->rules,
                                  .profile = profile,
                                  .data = bytes.ptr,
                                  .data_length = bytes.len };
    ck_assert_msg(el_analyse(&o, NULL, &x->report, &err), "%s", err.text);
    el_buf_release(&row);
    cap_release(&c);
}

static void release(struct seen *x) {
    el_report_release(&x->report);
    el_ruleset_free(x->rules);
}

static const char *title(const struct seen *x, const char *name) {
    for (size_t i = 0; i < x->report.findings; i++)
        if (el_str_is(x->report.finding[i].name, name))
            return x->report.finding[i].title;
    return "nothing";
}

START_TEST(says_what_it_took_and_why) {
    static const char *const lun[] = { "naa.6001", "naa.6002", "naa.514f0c500001",
                                       "t10.NVMe____X" };
    static const char *const ms[] = { "0.5", "4", "4", "4" };
    struct seen x;
    analyse(&x, lun, ms, 4, EL_AUTO);
    ck_assert_str_eq(title(&x, lun[0]),
                     "flash, its fastest tenth takes up to 0.50 ms at 8.00 KB (p10 of DAVG)");
    ck_assert_str_eq(title(&x, lun[1]),
                     "hdd, its fastest tenth takes up to 4.00 ms at 8.00 KB (p10 of DAVG)");
    ck_assert_str_eq(title(&x, lun[2]), "flash, by its vendor, XtremIO");
    ck_assert_str_eq(title(&x, lun[3]), "nvme, by its name");
    release(&x);
    analyse(&x, lun, ms, 2, EL_HDD);
    ck_assert_str_eq(title(&x, lun[0]), "hdd, as asked");
    release(&x);
}
END_TEST

/* Two of 0.5 ms and one of 4: the array is flash.  One beside one, or two of 4 ms, tell nothing. */
START_TEST(siblings_tell_the_media) {
    static const char *const lun[] = { "naa.60060160a1", "naa.60060160a2", "naa.60060160a3",
                                       "naa.60060160a4" };
    static const char *const ms[] = { "4", "0.5", "0.5", "4" };
    struct seen x;
    analyse(&x, lun, ms, 3, EL_AUTO);
    ck_assert_str_eq(title(&x, lun[0]),
                     "flash, as all other LUNs of its array; its own floor is 4.00 ms");
    ck_assert_str_eq(title(&x, lun[1]),
                     "flash, its fastest tenth takes up to 0.50 ms at 8.00 KB (p10 of DAVG)");
    release(&x);
    analyse(&x, lun, ms, 2, EL_AUTO);
    ck_assert_str_eq(title(&x, lun[0]),
                     "hdd, its fastest tenth takes up to 4.00 ms at 8.00 KB (p10 of DAVG)");
    release(&x);
    analyse(&x, lun, ms, 4, EL_AUTO);
    ck_assert_str_eq(title(&x, lun[0]),
                     "hdd, its fastest tenth takes up to 4.00 ms at 8.00 KB (p10 of DAVG)");
    release(&x);
}
END_TEST

Suite *suite_profile(void) {
    Suite *s = suite_create("profile");
    TCase *t = tcase_create("profile");
    tcase_add_test(t, says_what_it_took_and_why);
    tcase_add_test(t, siblings_tell_the_media);
    suite_add_tcase(s, t);
    return s;
}
