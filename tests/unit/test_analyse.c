/* Captures in, report out. */
#include "test_reader_made.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "esxlat/app/analyse.h"
#include "esxlat/base/num.h"

static const char rules_text[] =
    "[slow]\non = lun\nwhen = davg > 20\nfor = 3 samples\nlayer = device\n"
    "severity = critical\ntitle = {lun} is slow\nbecause = {p95(davg)} ms\n"
    "[kernel]\non = lun\nwhen = kavg > 5\nlayer = vmkernel\nseverity = warning\ntitle = k\n";

static struct el_ruleset *rules_of(const char *text) {
    struct el_error err;
    struct el_ruleset *rules = el_ruleset_new();
    ck_assert_msg(el_ruleset_parse(rules, "t.ini", el_str(text), &err), "%s", err.text);
    ck_assert_msg(el_ruleset_compile(rules, &err), "%s", err.text);
    return rules;
}

struct result {
    struct el_ruleset *rules;
    struct el_report report;
    struct el_error err;
    bool done;
};

static void analyse(struct result *x, struct el_str bytes, const struct el_options *with) {
    static const char *const name = "made.csv";
    struct el_options o = *with;
    *x = (struct result){ .rules = rules_of(rules_text) };
    o.file = &name;
    o.files = 1;
    o.rules = x->rules;
    o.profile = EL_AUTO;
    o.data = bytes.ptr;
    o.data_length = bytes.len;
    x->done = el_analyse(&o, NULL, &x->report, &x->err);
}

static void release(struct result *x) {
    el_report_release(&x->report);
    el_ruleset_free(x->rules);
}

static const struct el_entity_report *find(const struct el_report *r, enum el_kind kind,
                                           const char *name) {
    for (size_t i = 0; i < r->entities; i++)
        if (r->entity[i].kind == kind && el_str_is(r->entity[i].name, name))
            return &r->entity[i];
    ck_abort_msg("no %s %s", el_kind_name(kind), name);
}

/* LUN naa.1 slow in the device from the third of ten samples on, naa.2 fast; a virtual machine on each. */
static void two_luns(struct cap *c, const char *host) {
    cap_begin(c, host, NULL);
    cap_object(c, "Physical Disk Adapter(vmhba1)", "cmds davg kavg gavg");
    cap_object(c, "Physical Disk Adapter(vmhba2)", "cmds davg kavg gavg");
    for (unsigned l = 1; l <= 2; l++) {
        char object[80];
        snprintf(object, sizeof object, "Physical Disk SCSI Device(naa.%u)", l);
        cap_object(c, object, "dqlen actv cmds reads writes mb_rd mb_wr davg kavg gavg qavg");
        snprintf(object, sizeof object, "Physical Disk Path(vmhba%u:C0:T0:L%u)", l, l);
        cap_object(c, object, "cmds davg kavg gavg");
        snprintf(object, sizeof object, "Physical Disk Per-Device-Per-World(naa.%u-%u00)", l, l);
        cap_object(c, object, "cmds reads writes davg kavg gavg");
    }
    static const char *const disks[] = { "(web)", "(web:scsi0:0)", "(db)", "(db:scsi0:0)" };
    for (size_t i = 0; i < 4; i++) {
        char object[80];
        snprintf(object, sizeof object, "Virtual Disk%s", disks[i]);
        cap_object(c, object, "cmds reads writes lat_rd lat_wr");
    }
    cap_cell(c, "Network Port(v:3:100:web)\\Port");
    cap_cell(c, "Network Port(v:4:200:db)\\Port");
    for (int i = 0; i <= 10; i++) {
        struct el_buf row = { 0 };
        int d = i >= 3 ? 50 : 2;
        el_buf_print(&row, "100 %d 0.5 %d.5 %d 1 0 1 ", d, d, i * 10);
        el_buf_print(&row, "32 4 100 60 40 4 2 %d 0.5 %d.5 0.25 ", d, d);
        el_buf_print(&row, "100 %d 0.5 %d.5 100 60 40 %d 0.5 %d.5 ", d, d, d, d);
        el_buf_print(&row, "64 1 %d 10 10 1 1 1 0 1 0 100 1 0 1 100 50 50 1 0 1 ", i * 10);
        for (int disk = 0; disk < 2; disk++)
            el_buf_print(&row, "100 60 40 %d %d ", d + 2, d + 2);
        el_buf_text(&row, "100 50 50 2 2 100 50 50 2 2 0 0");
        cap_row(c, i * 5, row.ptr);
        el_buf_release(&row);
    }
}

START_TEST(finds_the_slow_device) {
    struct cap c = { 0 };
    struct result x;
    two_luns(&c, "esx1");
    analyse(&x, cap_bytes(&c), &(struct el_options){ 0 });
    ck_assert_msg(x.done, "%s", x.err.text);
    ck_assert_int_eq(x.err.status, EL_OK);
    ck_assert_int_eq(x.report.verdict.layer, EL_DEVICE);
    ck_assert_pstr_eq(x.report.verdict.cause, "slow");
    ck_assert_double_gt(x.report.verdict.share_device, .9);
    ck_assert_uint_eq(x.report.findings, 1);
    const struct el_finding *f = &x.report.finding[0];
    ck_assert_str_eq(f->rule, "slow");
    ck_assert_int_eq(f->layer, EL_DEVICE);
    ck_assert(el_str_is(f->name, "naa.1") && el_str_is(f->host, "esx1"));
    ck_assert_str_eq(f->title, "naa.1 is slow");
    ck_assert_int_eq(f->from, CAP_START + 10000);
    ck_assert_int_eq(f->to, CAP_START + 50000);
    ck_assert_uint_eq(f->samples, 8);
    ck_assert_int_eq(find(&x.report, EL_LUN, "naa.1")->layer, EL_DEVICE);
    ck_assert_int_eq(find(&x.report, EL_LUN, "naa.2")->layer, EL_NONE);
    release(&x);
    cap_release(&c);
}
END_TEST

static void check_lun(const struct el_entity_report *e) {
    ck_assert_ptr_nonnull(e);
    ck_assert_uint_eq(e->samples, 10);
    ck_assert_uint_eq(e->active, 10);
    ck_near(e->commands, 5000);
    ck_near(e->reads, 3000);
    ck_near(e->writes, 2000);
    ck_near(e->iops.mean, 100);
    ck_near(e->mb_s.mean, 6);
    ck_near(e->io_kb, 1024 * 300 / 5000.0);
    ck_near(e->latency[EL_L_DAVG].mean, (2 * 2 + 8 * 50) / 10.0);
    ck_near(e->latency[EL_L_GAVG].mean, 40.9);
    ck_near(e->latency[EL_L_QAVG].mean, .25);
    ck_assert_double_eq_tol(e->latency[EL_L_DAVG].p50, 50, .25);
    ck_near(e->latency[EL_L_DAVG].max, 50);
    ck_assert_int_eq(e->latency[EL_L_DAVG].max_at, CAP_START + 15000);
    ck_assert(!e->has_latency[EL_L_DAVG_RD] && !e->has_latency[EL_L_LAT]);
    ck_near(e->dqlen.min, 32);
    ck_near(e->inflight.mean, 4.04);
    ck_near(e->inflight.max, 5);
    ck_near(e->actv.mean, 4);
    ck_near(e->time_device, 5000 * 40.4 / 1000);
    ck_near(e->time_vmkernel, 2.5);
    ck_assert(el_missing(e->aborts) && !e->aqlen.there);
}

START_TEST(figures_are_those_by_hand) {
    struct cap c = { 0 };
    struct result x;
    two_luns(&c, "esx1");
    analyse(&x, cap_bytes(&c), &(struct el_options){ 0 });
    check_lun(find(&x.report, EL_LUN, "naa.1"));
    const struct el_entity_report *two = find(&x.report, EL_LUN, "naa.2"),
                                  *disk = find(&x.report, EL_VDISK, "web:scsi0:0");
    ck_near(two->commands, 5 * 10 * 55);
    ck_near(two->iops.max, 100);
    ck_near(disk->latency[EL_L_LAT].mean, 42.4);
    ck_near(disk->inflight.max, 5.2);
    ck_assert_int_eq(disk->link, EL_LINK_EXACT);
    ck_assert(el_str_is(disk->lun, "naa.1"));
    ck_assert(el_str_is(find(&x.report, EL_WORLD, "naa.2-200")->vm, "db"));
    ck_assert(el_str_is(find(&x.report, EL_PATH, "vmhba1:C0:T0:L1")->lun, "naa.1"));
    const struct el_capture_report *cap = &x.report.capture[0];
    ck_assert_uint_eq(cap->rows, 11);
    ck_assert_uint_eq(cap->samples, 10);
    ck_assert_uint_eq(cap->runs, 1);
    ck_assert_uint_eq(cap->columns, 1 + 8 + 2 * 21 + 20 + 2);
    ck_assert_uint_eq(cap->storage_columns, 8 + 2 * 21 + 20);
    ck_near(cap->interval_s, 5);
    ck_assert_int_eq(cap->start, CAP_START);
    ck_assert_int_eq(cap->end, CAP_START + 50000);
    ck_assert(el_str_is(cap->host, "esx1"));
    ck_assert_uint_eq(cap->quality_count, 0);
    release(&x);
    cap_release(&c);
}
END_TEST

/* The same answer, byte for byte, for every chunk, reader and number of threads. */
START_TEST(ways_make_no_difference) {
    static const struct el_options ways[] = {
        { .threads = 1 },
        { .chunk = 1, .threads = 1 },
        { .chunk = 7, .threads = 2 },
        { .chunk = 4096, .threads = 4 },
        { .libcsv_only = true, .threads = 1 },
        { .libcsv_only = true, .chunk = 7, .threads = 3 },
        { .has_level = true, .level = EL_SKIM_SCALAR, .chunk = 333 }
    };
    struct el_buf first = { 0 };
    struct cap c = { 0 };
    two_luns(&c, "esx1");
    cap_text(&c, "junk\n\"11/30/2026 09:01:00\",\"1\"\n");
    two_luns(&c, "esx1");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct result x;
        struct el_buf json = { 0 };
        analyse(&x, cap_bytes(&c), &ways[i]);
        ck_assert_msg(x.done, "%s", x.err.text);
        el_report_json(&x.report, i ? &json : &first);
        if (i)
            ck_assert_str_eq(json.ptr, first.ptr);
        el_buf_release(&json);
        release(&x);
    }
    el_buf_release(&first);
    cap_release(&c);
}
END_TEST

#define HEAD "\"(PDH-CSV 4.0) (UTC)(0)\","
#define CMDS "\"\\\\esx1\\Physical Disk SCSI Device(naa.1)\\Commands/sec\""
#define ROW0 "\n\"11/30/2026 09:00:00\",\"0\"\n"
#define BYTES(literal)                                                                             \
    { literal, sizeof(literal) - 1 }

static const struct {
    const char *what;
    struct el_str bytes;
    const char *says; /* a word of the sentence */
} unusable[] = {
    { "empty", BYTES(""), "empty" },
    { "blank lines", BYTES("\n\n\n"), "" },
    { "header only", BYTES(HEAD CMDS "\n"), "header" },
    { "cut header", BYTES(HEAD "\"\\\\esx1\\Physical Di"), "" },
    { "one row", BYTES(HEAD CMDS ROW0), "" },
    { "same second", BYTES(HEAD CMDS ROW0 "\"11/30/2026 09:00:00\",\"0\"\n"), "" },
    { "no disk counters",
      BYTES(HEAD "\"\\\\esx1\\Memory\\Free MBytes\"" ROW0 "\"11/30/2026 09:00:05\",\"0\"\n"),
      "Memory" },
    { "perfmon",
      BYTES("\"(PDH-CSV 4.0) (GMT Daylight Time)(-60)\",\"\\\\PC\\LogicalDisk(C:)\\Disk "
            "Reads/sec\"\r\n"
            "\"11/30/2026 09:00:00.000\",\" \"\r\n\"11/30/2026 09:00:05.000\",\"1\"\r\n"),
      "LogicalDisk" },
    { "a picture", BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde"),
      "PNG" },
    { "text", BYTES("To be, or not to be,\nthat is the question\n"), "" },
    { "NUL bytes", BYTES("\0\0\0\0\0\0\0\0"), "" },
};

START_TEST(refuses_what_is_no_capture) {
    struct result x;
    analyse(&x, unusable[_i].bytes, &(struct el_options){ 0 });
    ck_assert_msg(!x.done, "%s", unusable[_i].what);
    ck_assert_int_eq(x.err.status, EL_CAPTURE);
    ck_assert_msg(strstr(x.err.text, "made.csv") != NULL, "%s", x.err.text);
    ck_assert_msg(strstr(x.err.text, unusable[_i].says) != NULL, "%s: %s", unusable[_i].what,
                  x.err.text);
    ck_assert_uint_gt(strlen(x.err.text), 25);
    release(&x);
}
END_TEST

static const char *const one = "naa.1", *const web = "web", *const hba = "vmhba2",
                         *const nobody = "naa.9";

static const struct {
    struct el_options options;
    bool lun1, lun2, disk_web, disk_db;
} choices[] = {
    { { .luns = 1, .lun = &one }, true, false, true, false },
    { { .vms = 1, .vm = &web }, true, false, true, false },
    { { .adapters = 1, .adapter = &hba }, false, true, false, true },
};

/* Entities that were not chosen have no samples. */
static bool measured(const struct result *x, enum el_kind kind, const char *name) {
    const struct el_entity_report *e = find(&x->report, kind, name);
    return e && e->samples > 0;
}

START_TEST(keeps_to_what_is_chosen) {
    struct cap c = { 0 };
    struct result x;
    two_luns(&c, "esx1");
    analyse(&x, cap_bytes(&c), &choices[_i].options);
    ck_assert_msg(x.done, "%s", x.err.text);
    ck_assert_int_eq(measured(&x, EL_LUN, "naa.1"), choices[_i].lun1);
    ck_assert_int_eq(measured(&x, EL_LUN, "naa.2"), choices[_i].lun2);
    ck_assert_int_eq(measured(&x, EL_VDISK, "web:scsi0:0"), choices[_i].disk_web);
    ck_assert_int_eq(measured(&x, EL_VDISK, "db:scsi0:0"), choices[_i].disk_db);
    ck_assert_int_eq(measured(&x, EL_WORLD, "naa.1-100"), choices[_i].lun1);
    ck_assert_int_eq(x.report.verdict.layer == EL_DEVICE, choices[_i].lun1);
    if (choices[_i].lun1)
        check_lun(find(&x.report, EL_LUN, "naa.1"));
    release(&x);
    cap_release(&c);
}
END_TEST

START_TEST(says_that_nothing_is_chosen) {
    struct cap c = { 0 };
    struct result x;
    two_luns(&c, "esx1");
    analyse(&x, cap_bytes(&c), &(struct el_options){ .luns = 1, .lun = &nobody });
    ck_assert(!x.done && x.report.findings == 0);
    ck_assert_int_eq(x.err.status, EL_USAGE);
    ck_assert_msg(strstr(x.err.text, "naa.9") && strstr(x.err.text, "naa.1"), "%s", x.err.text);
    release(&x);
    cap_release(&c);
}
END_TEST

START_TEST(keeps_to_the_window) {
    struct cap c = { 0 };
    struct result x;
    two_luns(&c, "esx1");
    analyse(&x, cap_bytes(&c), &(struct el_options){ .from = CAP_START, .to = CAP_START + 10000 });
    ck_assert_msg(x.done, "%s", x.err.text);
    ck_near(find(&x.report, EL_LUN, "naa.1")->latency[EL_L_DAVG].mean, 2);
    ck_assert_uint_eq(find(&x.report, EL_LUN, "naa.1")->samples, 2);
    ck_assert_int_eq(x.report.verdict.layer, EL_NONE);
    release(&x);
    cap_release(&c);
}
END_TEST

/* For the text only one quantile is kept, of the first latency that was measured, whatever columns there are. */
START_TEST(keeps_the_quantile_that_is_shown) {
    static const struct {
        const char *value; /* of DAVG, KAVG, GAVG */
        enum el_latency shown;
    } rows[] = { { "_ 3 _", EL_L_KAVG }, { "3 0 _", EL_L_DAVG }, { "2 1 3", EL_L_GAVG } };
    struct cap c = { 0 };
    struct result x;
    cap_begin(&c, "esx1", NULL);
    cap_object(&c, "Physical Disk SCSI Device(naa.1)", "cmds davg kavg gavg");
    for (int i = 0; i <= 600; i++) { /* several blocks */
        struct el_buf row = { 0 };
        el_buf_print(&row, "100 %s", rows[_i].value);
        cap_row(&c, i * 5, row.ptr);
        el_buf_release(&row);
    }
    analyse(&x, cap_bytes(&c), &(struct el_options){ .verdict_only = true });
    ck_assert_msg(x.done, "%s", x.err.text);
    const struct el_figure *f = &find(&x.report, EL_LUN, "naa.1")->latency[rows[_i].shown];
    ck_assert(f->there);
    ck_near(f->mean, 3);
    ck_assert_double_eq_tol(f->p95, 3, .015);
    release(&x);
    cap_release(&c);
}
END_TEST

static void temporary_file(char name[64], struct el_str bytes) {
    strcpy(name, "esxlat-unit-XXXXXX"); /* in the working folder */
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes.ptr, bytes.len), (ssize_t)bytes.len);
    close(fd);
}

static void on_trouble(void *ctx, const struct el_error *e) {
    ck_assert_int_eq(e->status, EL_CAPTURE);
    ++*(int *)ctx;
}

/* Two hosts and a file that is none: the two are reported, the third is told. */
START_TEST(takes_several_captures) {
    char name[3][64];
    struct cap a = { 0 }, b = { 0 };
    two_luns(&a, "esx1");
    two_luns(&b, "esx2");
    temporary_file(name[0], cap_bytes(&a));
    temporary_file(name[1], EL_STR("nothing\n"));
    temporary_file(name[2], cap_bytes(&b));
    const char *const files[] = { name[0], name[1], name[2] };
    int troubles = 0;
    struct el_observer observer = { .trouble = on_trouble, .ctx = &troubles };
    struct el_ruleset *rules = rules_of(rules_text);
    struct el_options o = { .file = files, .files = 3, .rules = rules, .profile = EL_AUTO };
    struct el_report r = { 0 };
    struct el_error err = { EL_OK, "" };
    bool done = el_analyse(&o, &observer, &r, &err);
    for (size_t i = 0; i < 3; i++)
        unlink(name[i]);
    ck_assert(done);
    ck_assert_int_eq(err.status, EL_CAPTURE);
    ck_assert_int_eq(troubles, 1);
    ck_assert_uint_eq(r.captures, 2);
    ck_assert(el_str_is(r.capture[0].host, "esx1") && el_str_is(r.capture[1].host, "esx2"));
    size_t luns = 0;
    for (size_t i = 0; i < r.entities; i++)
        if (r.entity[i].kind == EL_LUN && el_str_is(r.entity[i].name, "naa.1")) {
            ck_assert(el_str_is(r.entity[i].host, luns++ ? "esx2" : "esx1"));
            check_lun(&r.entity[i]);
        }
    ck_assert_uint_eq(luns, 2);
    ck_assert_uint_eq(r.findings, 2);
    el_report_release(&r);
    el_ruleset_free(rules);
    cap_release(&a);
    cap_release(&b);
}
END_TEST

static bool compile(void *ctx, struct el_error *err) {
    return el_ruleset_compile(ctx, err);
}

static void count_trouble(void *ctx, const struct el_error *e) {
    (void)e;
    ++*(int *)ctx;
}

/* Rules may be compiled while the header is read. If they are wrong, that is all that is said: whatever the files are. */
START_TEST(waits_for_its_rules) {
    static const char wrong[] = "[slow]\non = lun\nlayer = device\nwhen = davg > fast\n"
                                "severity = warning\ntitle = t\n";
    static const char *const name[] = { "a", "b" };
    bool beside = _i & 1, good = _i & 2, capture = _i & 4;
    struct cap c = { 0 };
    two_luns(&c, "esx1");
    struct el_str bytes = capture ? cap_bytes(&c) : EL_STR("nothing\n");
    struct el_ruleset *rules = el_ruleset_new();
    struct el_error err;
    ck_assert(el_ruleset_parse(rules, "t.ini", el_str(good ? rules_text : wrong), &err));
    struct el_task *task = el_task_start(compile, rules, beside);
    int troubles = 0;
    struct el_observer observer = { .trouble = count_trouble, .ctx = &troubles };
    struct el_options o = { .file = name,
                            .files = good ? 1 : 2,
                            .rules = rules,
                            .rules_task = task,
                            .profile = EL_AUTO,
                            .data = bytes.ptr,
                            .data_length = bytes.len };
    struct el_report r = { 0 };
    ck_assert(el_analyse(&o, &observer, &r, &err) == (good && capture));
    ck_assert_int_eq(err.status, !good ? EL_RULES : capture ? EL_OK : EL_CAPTURE);
    ck_assert_msg(good || strstr(err.text, "fast"), "%s", err.text);
    ck_assert_uint_eq(r.findings, good && capture);
    ck_assert_int_eq(troubles, 0);
    el_report_release(&r);
    el_task_free(task);
    el_ruleset_free(rules);
    cap_release(&c);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

Suite *analysis(void) {
    Suite *s = suite_create("analyse");
    TCase *t = tcase_create("analyse");
    tcase_add_test(t, finds_the_slow_device);
    tcase_add_test(t, figures_are_those_by_hand);
    tcase_add_test(t, ways_make_no_difference);
    tcase_add_loop_test(t, refuses_what_is_no_capture, 0, ROWS(unusable));
    tcase_add_loop_test(t, keeps_to_what_is_chosen, 0, ROWS(choices));
    tcase_add_test(t, says_that_nothing_is_chosen);
    tcase_add_test(t, keeps_to_the_window);
    tcase_add_loop_test(t, keeps_the_quantile_that_is_shown, 0, 3);
    tcase_add_test(t, takes_several_captures);
    tcase_add_loop_test(t, waits_for_its_rules, 0, 8);
    suite_add_tcase(s, t);
    return s;
}
