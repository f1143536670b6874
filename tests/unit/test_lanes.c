/* Disks of a virtual machine on two LUNs, judged by the figures of their own. */
#include "test_reader_made.h"

#include <stdio.h>
#include <string.h>

#include "esxlat/app/analyse.h"
#include "esxlat/base/num.h"

static const char rules_text[] =
    "[slow]\non = vdisk\nwhen = lun_davg >= 20\nlayer = device\nseverity = warning\ntitle = t\n"
    "because = {mean(lun_davg)} {mean(above)} {mean(lun_cmds)}\n";

/* Commands per second that never repeat. */
static unsigned rate(unsigned disk, unsigned row) {
    return 100 + (row * row * (disk + 3) + 37 * row + 11 * disk) % 97;
}

/* Disk 0 on naa.1, where the device takes 50 ms, disk 1 on naa.2, where it takes 1 ms; KAVG is 0.5 ms, and 1.5 ms
 * lie above.  From row `moved` on disk 0 is on naa.2. */
static void make(struct cap *c, unsigned rows, bool twins, unsigned moved) {
    cap_begin(c, "esx1", NULL);
    cap_object(c, "Physical Disk SCSI Device(naa.1)", "cmds");
    cap_object(c, "Physical Disk Per-Device-Per-World(naa.1-100)",
               "cmds reads writes davg kavg gavg");
    cap_object(c, "Physical Disk SCSI Device(naa.2)", "cmds");
    cap_object(c, "Physical Disk Per-Device-Per-World(naa.2-100)",
               "cmds reads writes davg kavg gavg");
    cap_object(c, "Virtual Disk(a)", "cmds");
    cap_object(c, "Virtual Disk(a:scsi0:0)", "cmds reads writes lat_rd lat_wr");
    cap_object(c, "Virtual Disk(a:scsi0:1)", "cmds reads writes lat_rd lat_wr");
    cap_cell(c, "Network Port(v:3:100:a)\\Port");
    for (unsigned r = 0; r <= rows; r++) {
        char row[300];
        unsigned n[2] = { rate(0, r), rate(twins ? 0 : 1, r) };
        unsigned on[2] = { r < moved ? n[0] : 0, r < moved ? n[1] : n[0] + n[1] };
        snprintf(row, sizeof row,
                 "0 %u %u %u 50 0.5 50.5 0 %u %u %u 1 0.5 1.5 0 %u %u %u 52 52 %u %u %u 3 3 0",
                 on[0], on[0] / 3, on[0] - on[0] / 3, on[1], on[1] / 3, on[1] - on[1] / 3, n[0],
                 n[0] / 3, n[0] - n[0] / 3, n[1], n[1] / 3, n[1] - n[1] / 3);
        cap_row(c, (int)r * 5, row);
    }
}

struct result {
    struct el_ruleset *rules;
    struct el_report report;
};

static void analyse(struct result *x, const struct cap *c, bool only_verdict) {
    static const char *const name = "made.csv";
    struct el_error err = { 0 };
    *x = (struct result){ .rules = el_ruleset_new() };
    ck_assert_msg(el_ruleset_parse(x->rules, "t.ini", el_str(rules_text), &err) &&
                      el_ruleset_compile(x->rules, &err),
                  "%s", err.text);
    const struct el_options o = { .file = &name,
                                  .files = 1,
                                  .rules = x->rules,
                                  .profile = EL_HDD,
                                  .threads = 2,
                                  .verdict_only = only_verdict,
                                  .data = cap_bytes(c).ptr,
                                  .data_length = cap_bytes(c).len };
    ck_assert_msg(el_analyse(&o, NULL, &x->report, &err), "%s", err.text);
}

static void release(struct result *x, struct cap *c) {
    el_report_release(&x->report);
    el_ruleset_free(x->rules);
    cap_release(c);
}

static const struct el_entity_report *disk_of(const struct result *x, const char *name) {
    for (size_t i = 0; i < x->report.entities; i++)
        if (x->report.entity[i].kind == EL_VDISK && el_str_is(x->report.entity[i].name, name))
            return &x->report.entity[i];
    ck_abort_msg("no disk %s", name);
}

/* Is there one finding on the disk, of so many samples, whose `because` begins so? */
static bool is_found(const struct result *x, const char *disk, uint64_t samples,
                     const char *because) {
    size_t count = 0;
    bool fits = false;
    for (size_t i = 0; i < x->report.findings; i++) {
        const struct el_finding *f = &x->report.finding[i];
        if (!el_str_is(f->name, disk))
            continue;
        count++;
        fits = f->samples == samples && strncmp(f->because, because, strlen(because)) == 0;
    }
    return count == 1 && fits;
}

/* Fewer samples than the first look at links needs, and more. */
static const unsigned lengths[] = { 12, 32, 33, 64, 65, 150 };

START_TEST(judges_by_the_own_lun) {
    unsigned rows = lengths[_i / 2];
    struct cap c = { 0 };
    struct result x;
    double sent[2] = { 0 };
    for (unsigned r = 1; r <= rows; r++) {
        sent[0] += 5.0 * rate(0, r);
        sent[1] += 5.0 * rate(1, r);
    }
    make(&c, rows, false, rows + 1);
    analyse(&x, &c, _i % 2);
    const struct el_entity_report *slow = disk_of(&x, "a:scsi0:0"),
                                  *fast = disk_of(&x, "a:scsi0:1");
    ck_assert(el_str_is(slow->lun, "naa.1") && el_str_is(fast->lun, "naa.2"));
    ck_assert_int_eq(slow->link, EL_LINK_MATCHED);
    ck_assert(slow->link_certainty > 0.95 && slow->link_certainty <= 1);
    ck_near(slow->latency[EL_L_DAVG].mean, 50);
    ck_near(slow->latency[EL_L_GAVG].max, 50.5);
    ck_near(fast->latency[EL_L_KAVG].mean, 0.5);
    ck_near(fast->latency[EL_L_DAVG].mean, 1);
    ck_assert(!fast->has_latency[EL_L_QAVG]);
    ck_near(slow->time_device, sent[0] * 50 / 1000);
    ck_near(slow->time_vmkernel, sent[0] * 2 / 1000);
    ck_near(fast->time_device, sent[1] * 1 / 1000);
    ck_near(fast->time_vmkernel, sent[1] * 2 / 1000);
    ck_assert_int_eq(slow->layer, EL_DEVICE);
    ck_assert_int_eq(fast->layer, EL_NONE);
    ck_assert_uint_eq(x.report.findings, 1);
    ck_assert(is_found(&x, "a:scsi0:0", rows, "50 1.50 ")); /* from the first sample on */
    release(&x, &c);
}
END_TEST

/* Disks that do the same have no LUN: averages over both, and nothing is told of what lies above. */
START_TEST(averages_where_the_lun_is_unknown) {
    struct cap c = { 0 };
    struct result x;
    make(&c, 70, true, 71);
    analyse(&x, &c, false);
    const struct el_entity_report *disk = disk_of(&x, "a:scsi0:1");
    ck_assert_int_eq(disk->link, EL_LINK_UNKNOWN);
    ck_assert(!disk->lun.ptr && !disk->has_latency[EL_L_DAVG]);
    ck_assert_double_eq_tol(disk->link_certainty, 0.5, 0.01);
    ck_assert(is_found(&x, "a:scsi0:1", 70, "25.5 - "));
    release(&x, &c);
}
END_TEST

/* A disk that moves to another LUN is on neither; what was found while it was on the first stays found. */
START_TEST(a_disk_that_moves_has_no_lun) {
    struct cap c = { 0 };
    struct result x;
    make(&c, 200, false, 101);
    analyse(&x, &c, false);
    ck_assert_int_eq(disk_of(&x, "a:scsi0:0")->link, EL_LINK_UNKNOWN);
    ck_assert_int_eq(disk_of(&x, "a:scsi0:1")->link, EL_LINK_MATCHED);
    ck_assert(is_found(&x, "a:scsi0:0", 100, "50 1.50 "));
    release(&x, &c);
}
END_TEST

Suite *disk_lanes(void) {
    Suite *s = suite_create("disk_lanes");
    TCase *t = tcase_create("lanes");
    tcase_add_loop_test(t, judges_by_the_own_lun, 0, 2 * (int)(sizeof lengths / sizeof *lengths));
    tcase_add_test(t, averages_where_the_lun_is_unknown);
    tcase_add_test(t, a_disk_that_moves_has_no_lun);
    suite_add_tcase(s, t);
    return s;
}
