/* From hits and waiting times to layers, consequences and shares: hand-made attributions.
 *
 * The host: LUNs naa.1 and naa.2 behind vmhba1, VM a with its worlds on both and two disks; a:scsi0:0 is
 * known to lie on naa.1, a:scsi0:1 is not known.  VM b has worlds on both, too, and a disk on naa.2. */
#include "test_reader_made.h"

#include <math.h>
#include <string.h>

#include "../../src/verdict/verdict.h"
#include "esxlat/base/num.h"

/* Which rules fire on an entity is fed as counters: d by cmds, k by reads, g by writes, r by mb_rd. */
#define A_RULE(id, metric, layer)                                                                  \
    "[" id "]\non = adapter lun world vm vdisk\nwhen = " metric " >= 1\nlayer = " layer            \
    "\nseverity = warning\ntitle = t\n"
static const char rules_text[] = A_RULE("d", "cmds", "device") A_RULE("k", "reads", "vmkernel")
    A_RULE("g", "writes", "guest") A_RULE("r", "mb_rd", "device") "overrides = k\n"
                                                                  "[threshold davg_bad]\nhdd = 30\n"
                                                                  "unit = ms\nhelp = h\nsource = "
                                                                  "s\n";

enum { MOST = 4 };
static const struct scene {
    const char *story;
    struct {
        const char *name, *rules;
    } fired[MOST];
    struct {
        double device, vmkernel, davg;
    } lun[2]; /* waiting of naa.1 and naa.2 in s; DAVG in ms */
    double adapter_commands;
    enum el_layer layer;
    double device_share;
    const char *roots; /* "entity/rule ..." in the order of the report */
    struct {
        const char *name;
        enum el_layer layer;
    } entity[MOST];
} scenes[] = {
    { "nothing fired: shares are those of all LUNs", .lun = { { 2, 1, 1 }, { 1, 0, 1 } },
      .layer = EL_NONE, .device_share = 0.75, .roots = "", .entity = { { "naa.1", EL_NONE } } },
    { "one LUN in trouble: shares are its own", .fired = { { "naa.1", "d" } },
      .lun = { { 9, 1, 40 }, { 0, 90, 1 } }, .layer = EL_DEVICE, .device_share = 0.9,
      .roots = "naa.1/d", .entity = { { "naa.1", EL_DEVICE }, { "naa.2", EL_NONE } } },
    { "two LUNs, two layers: the larger waiting wins",
      .fired = { { "naa.1", "d" }, { "naa.2", "k" } }, .lun = { { 1, 0, 40 }, { 0, 9, 1 } },
      .layer = EL_VMKERNEL, .device_share = 0.1, .roots = "naa.2/k naa.1/d",
      .entity = { { "naa.1", EL_DEVICE }, { "naa.2", EL_VMKERNEL } } },
    { "two LUNs, two layers, neither small", .fired = { { "naa.1", "d" }, { "naa.2", "k" } },
      .lun = { { 3, 0, 40 }, { 0, 7, 1 } }, .layer = EL_MIXED, .device_share = 0.3,
      .roots = "naa.2/k naa.1/d", .entity = { { "naa.1", EL_DEVICE }, { "naa.2", EL_VMKERNEL } } },
    { "both on one LUN, little in the VMkernel", .fired = { { "naa.1", "dk" } },
      .lun = { { 8, 2, 40 }, { 0, 0, 0 } }, .layer = EL_DEVICE, .device_share = 0.8,
      .roots = "naa.1/d naa.1/k", .entity = { { "naa.1", EL_DEVICE } } },
    { "both on one LUN, much of both", .fired = { { "naa.1", "dk" } },
      .lun = { { 5, 5, 40 }, { 0, 0, 0 } }, .layer = EL_MIXED, .device_share = 0.5,
      .roots = "naa.1/d naa.1/k", .entity = { { "naa.1", EL_MIXED } } },
    { "little at the device, which is fast", .fired = { { "naa.1", "dk" } },
      .lun = { { 2, 8, 29 }, { 0, 0, 0 } }, .layer = EL_VMKERNEL, .device_share = 0.2,
      .roots = "naa.1/k naa.1/d", .entity = { { "naa.1", EL_VMKERNEL } } },
    { "little at the device, but bad by itself", .fired = { { "naa.1", "dk" } },
      .lun = { { 2, 8, 30 }, { 0, 0, 0 } }, .layer = EL_MIXED, .device_share = 0.2,
      .roots = "naa.1/k naa.1/d", .entity = { { "naa.1", EL_MIXED } } },
    { "what a rule folds says nothing more", .fired = { { "naa.1", "rk" } },
      .lun = { { 5, 5, 40 }, { 0, 0, 0 } }, .layer = EL_DEVICE, .device_share = 0.5,
      .roots = "naa.1/r", .entity = { { "naa.1", EL_DEVICE } } },
    { "a VM on a slow LUN is a consequence",
      .fired = { { "naa.2", "d" }, { "a", "d" }, { "b", "d" } },
      .lun = { { 0, 0, 1 }, { 9, 1, 40 } }, .layer = EL_DEVICE, .device_share = 0.9,
      .roots = "naa.2/d", .entity = { { "a", EL_DEVICE }, { "b", EL_DEVICE } } },
    { "another layer than the LUN's is none", .fired = { { "naa.2", "d" }, { "b", "k" } },
      .lun = { { 0, 0, 1 }, { 9, 1, 40 } }, .layer = EL_DEVICE, .device_share = 0.9,
      .roots = "naa.2/d b/k", .entity = { { "b", EL_VMKERNEL } } },
    { "a disk on another LUN is none", .fired = { { "naa.2", "d" }, { "a:scsi0:0", "d" } },
      .lun = { { 0, 0, 1 }, { 9, 1, 40 } }, .layer = EL_DEVICE, .device_share = 0.9,
      .roots = "naa.2/d a:scsi0:0/d", .entity = { { "a:scsi0:0", EL_DEVICE } } },
    { "a disk that may be on the LUN is one", .fired = { { "naa.2", "d" }, { "a:scsi0:1", "d" } },
      .lun = { { 0, 0, 1 }, { 9, 1, 40 } }, .layer = EL_DEVICE, .device_share = 0.9,
      .roots = "naa.2/d", .entity = { { "a:scsi0:1", EL_DEVICE } } },
    { "a disk tells it better than its VM", .fired = { { "a", "k" }, { "a:scsi0:1", "k" } },
      .lun = { { 1, 0, 1 }, { 1, 0, 1 } }, .layer = EL_VMKERNEL, .device_share = 1,
      .roots = "a:scsi0:1/k", .entity = { { "a", EL_VMKERNEL }, { "naa.1", EL_NONE } } },
    { "a guest's queue alone", .fired = { { "b", "g" } }, .lun = { { 3, 1, 1 }, { 0, 0, 0 } },
      .layer = EL_GUEST, .device_share = 0.75, .roots = "b/g", .entity = { { "b", EL_GUEST } } },
    { "an adapter whose LUNs carry its commands is not asked", .fired = { { "vmhba1", "d" } },
      .lun = { { 3, 1, 1 }, { 0, 0, 0 } }, .adapter_commands = 4000, .layer = EL_NONE,
      .device_share = 0.75, .roots = "", .entity = { { "vmhba1", EL_NONE } } },
    { "an adapter that carries more speaks for itself", .fired = { { "vmhba1", "d" } },
      .lun = { { 3, 1, 1 }, { 0, 0, 0 } }, .adapter_commands = 4001, .layer = EL_DEVICE,
      .device_share = 1, .roots = "vmhba1/d", .entity = { { "vmhba1", EL_DEVICE } } },
    { "a world shares its LUN's trouble from a fifth of the commands on",
      .fired = { { "naa.1", "d" } }, .lun = { { 9, 1, 40 }, { 0, 0, 1 } }, .layer = EL_DEVICE,
      .device_share = 0.9, .roots = "naa.1/d",
      .entity = { { "naa.1-100", EL_DEVICE }, { "naa.1-200", EL_NONE } } },
};

static void put_host(struct cap *c) {
    cap_begin(c, "esx1", NULL);
    cap_object(c, "Physical Disk Adapter(vmhba1)", "cmds davg");
    cap_object(c, "Physical Disk SCSI Device(naa.1)", "cmds davg");
    cap_object(c, "Physical Disk Path(vmhba1:C0:T0:L1)", "cmds");
    cap_object(c, "Physical Disk Path(vmhba1:C0:T1:L1)", "cmds"); /* counts once */
    cap_object(c, "Physical Disk Per-Device-Per-World(naa.1-100)", "cmds davg");
    cap_object(c, "Physical Disk Per-Device-Per-World(naa.1-200)", "cmds davg");
    cap_object(c, "Physical Disk SCSI Device(naa.2)", "cmds davg");
    cap_object(c, "Physical Disk Path(vmhba1:C0:T0:L2)", "cmds");
    cap_object(c, "Physical Disk Per-Device-Per-World(naa.2-100)", "cmds davg");
    cap_object(c, "Physical Disk Per-Device-Per-World(naa.2-200)", "cmds davg");
    cap_object(c, "Virtual Disk(a)", "cmds lat_rd");
    cap_object(c, "Virtual Disk(a:scsi0:0)", "cmds lat_rd");
    cap_object(c, "Virtual Disk(a:scsi0:1)", "cmds lat_rd");
    cap_object(c, "Virtual Disk(b)", "cmds lat_rd");
    cap_object(c, "Virtual Disk(b:scsi0:0)", "cmds lat_rd");
    cap_cell(c, "Network Port(v:3:100:a)\\Port");
    cap_cell(c, "Network Port(v:4:200:b)\\Port");
}

static void make_host(struct cap *c) {
    put_host(c);
    cap_row(c, 0, "");
}

static enum el_kind kind_of(const char *name) {
    return strncmp(name, "vmhba", 5) == 0  ? EL_ADAPTER
           : strncmp(name, "naa.", 4) == 0 ? (strchr(name, '-') ? EL_WORLD : EL_LUN)
           : strchr(name, ':')             ? EL_VDISK
                                           : EL_VM;
}

/* A sample on which the rules of these letters fire. */
static void fire(struct el_judge *judge, struct el_arena *memory, const struct scene *scene,
                 uint32_t id, const char *name, const char *letters) {
    static const enum el_metric metric[] = { EL_M_cmds, EL_M_reads, EL_M_writes, EL_M_mb_rd };
    const double one = 1, none = 0, commands = 1000, seconds = 5;
    const int64_t from = CAP_START, to = CAP_START + 5000;
    struct el_samples s = { .rows = 1, .from = &from, .to = &to };
    for (size_t i = 0; i < 4; i++)
        s.column[metric[i]] = strchr(letters, "dkgr"[i]) ? &one : &none;
    s.column[EL_M_commands] = &commands;
    s.column[EL_M_seconds] = &seconds;
    s.column[EL_M_wait_device] = &none;
    s.column[EL_M_wait_vmkernel] = &none;
    if (kind_of(name) == EL_LUN) {
        s.column[EL_M_wait_device] = &scene->lun[name[4] - '1'].device;
        s.column[EL_M_wait_vmkernel] = &scene->lun[name[4] - '1'].vmkernel;
    } else if (kind_of(name) == EL_ADAPTER) {
        s.column[EL_M_wait_device] = &one;
    }
    el_judge_samples(judge, memory, id, kind_of(name), el_str(name), 1u << EL_HDD, &s);
}

static void set_stats(const struct cap_reading *r, const struct scene *scene,
                      struct el_entity_stats *stats,
                      struct el_weighted (*latency)[EL_S_LATENCIES]) {
    static const char *const lun[] = { "naa.1", "naa.2" };
    for (size_t i = 0; i < 2; i++) {
        uint32_t id = cap_id(r, EL_LUN, lun[i]);
        latency[i][EL_S_DAVG].weight = 1000;
        latency[i][EL_S_DAVG].sum = 1000 * scene->lun[i].davg;
        stats[id] = (struct el_entity_stats){ .samples = 1,
                                              .active = 1,
                                              .commands = 1000,
                                              .time_device = scene->lun[i].device,
                                              .time_vmkernel = scene->lun[i].vmkernel,
                                              .latency = latency[i] };
    }
    stats[cap_id(r, EL_WORLD, "naa.1-100")].commands = 200;
    stats[cap_id(r, EL_WORLD, "naa.1-200")].commands = 199;
    stats[cap_id(r, EL_WORLD, "naa.2-100")].time_device = 1;
    stats[cap_id(r, EL_WORLD, "naa.2-200")].time_device = 2;
    stats[cap_id(r, EL_WORLD, "naa.2-200")].time_vmkernel = 1;
    stats[cap_id(r, EL_VDISK, "b:scsi0:0")].commands = 1;
    stats[cap_id(r, EL_ADAPTER, "vmhba1")].commands = scene->adapter_commands;
    stats[cap_id(r, EL_ADAPTER, "vmhba1")].time_device = 1;
}

/* Those who own a finding: of naa.2 and of the adapter the worlds, with the one disk that they have there. */
static void check_who(const struct scene *scene, const struct el_finding *f) {
    if (!el_str_is(f->name, "naa.2") && !el_str_is(f->name, "vmhba1"))
        return;
    ck_assert_msg(f->who_count == 2, "%s: %zu own it", scene->story, f->who_count);
    ck_assert(el_str_is(f->who[0].vm, "b") && el_str_is(f->who[1].vm, "a"));
    ck_assert(el_str_is(f->who[0].vdisk, "b:scsi0:0") && !f->who[1].vdisk.ptr);
    ck_near(f->who[0].share, 0.75);
    ck_near(f->who[1].share, 0.25);
}

static void check_report(const struct scene *scene, const struct el_report *report) {
    struct el_buf roots = { 0 };
    for (size_t i = 0; i < report->findings; i++) {
        const struct el_finding *f = &report->finding[i];
        check_who(scene, f);
        if (f->root)
            el_buf_print(&roots, "%s%.*s/%s", roots.len ? " " : "", (int)f->name.len, f->name.ptr,
                         f->rule);
    }
    ck_assert_msg(el_str_is((struct el_str){ roots.ptr, roots.len }, scene->roots),
                  "%s: roots are %s", scene->story, roots.ptr);
    el_buf_release(&roots);
    ck_assert_msg(report->verdict.layer == scene->layer, "%s: %s", scene->story,
                  el_layer_name(report->verdict.layer));
    ck_near(report->verdict.share_device, scene->device_share);
    ck_near(report->verdict.share_vmkernel, 1 - scene->device_share);
    for (size_t i = 0; i < MOST && scene->entity[i].name; i++)
        for (size_t k = 0; k < report->entities; k++)
            if (el_str_is(report->entity[k].name, scene->entity[i].name) &&
                report->entity[k].kind == kind_of(scene->entity[i].name))
                ck_assert_msg(report->entity[k].layer == scene->entity[i].layer, "%s: %s is %s",
                              scene->story, scene->entity[i].name,
                              el_layer_name(report->entity[k].layer));
}

START_TEST(attributes) {
    const struct scene *scene = &scenes[_i];
    struct cap c = { 0 };
    struct cap_reading r;
    struct el_error err = { 0 };
    struct el_report report = { 0 };
    struct el_ruleset *rules = el_ruleset_new();
    struct el_weighted latency[2][EL_S_LATENCIES] = { 0 };
    ck_assert_msg(el_ruleset_parse(rules, "made.ini", el_str(rules_text), &err) &&
                      el_ruleset_compile(rules, &err),
                  "%s", err.text);
    make_host(&c);
    cap_open(&r, cap_bytes(&c), NULL);
    (void)cap_read_all(&r);
    r.catalog->entity[cap_id(&r, EL_VDISK, "a:scsi0:0")].lun = cap_id(&r, EL_LUN, "naa.1");
    r.catalog->entity[cap_id(&r, EL_VDISK, "b:scsi0:0")].lun = cap_id(&r, EL_LUN, "naa.2");
    cap_link(&r);
    struct el_judge *judge = el_judge_new(rules);
    struct el_arena memory = { 0 };
    struct el_entity_stats *stats = el_calloc(r.catalog->entities, sizeof *stats);
    el_judge_reserve(judge, r.catalog->entities);
    set_stats(&r, scene, stats, latency);
    for (size_t i = 0; i < MOST && scene->fired[i].name; i++)
        fire(judge, &memory, scene, cap_id(&r, kind_of(scene->fired[i].name), scene->fired[i].name),
             scene->fired[i].name, scene->fired[i].rules);
    const struct el_evidence e = { .catalog = r.catalog,
                                   .links = &r.links,
                                   .stats = stats,
                                   .rules = rules,
                                   .judge = judge,
                                   .profile = EL_HDD };
    el_verdict_make(&e, &report);
    check_report(scene, &report);
    el_report_release(&report);
    el_judge_free(judge);
    el_arena_release(&memory);
    el_free(stats);
    el_ruleset_free(rules);
    cap_close(&r);
    cap_release(&c);
}
END_TEST

/* How many of a kind are related to an entity: of those it is said to be among, or of all. */
static unsigned related_of(const struct el_judge_facts *f, uint32_t entity, enum el_kind kind,
                           bool all) {
    size_t some = f->entities;
    const uint32_t *list = all ? NULL : f->among(f->ctx, entity, kind, &some);
    unsigned count = 0;
    for (uint32_t i = 0; i < some; i++) {
        uint32_t other = all ? i : list[i];
        count += f->kind(f->ctx, other) == kind && f->related(f->ctx, entity, other);
    }
    return count;
}

/* Whoever is related is among those that are listed; and of a group not everybody is. */
START_TEST(lists_whom_to_ask_about) {
    struct cap c = { 0 };
    struct cap_reading r;
    struct el_ruleset *rules = el_ruleset_new();
    struct el_judge_facts f;
    put_host(&c);
    cap_object(&c, "Physical Disk SCSI Device(naa.3)", "cmds davg"); /* nobody's but vmhba2's */
    cap_object(&c, "Physical Disk Path(vmhba2:C0:T0:L3)", "cmds");
    cap_object(&c, "Physical Disk Adapter(vmhba2)", "cmds davg");
    cap_row(&c, 0, "");
    cap_open(&r, cap_bytes(&c), NULL);
    (void)cap_read_all(&r);
    cap_link(&r);
    const struct el_evidence e = { .catalog = r.catalog, .links = &r.links, .rules = rules };
    struct el_work w = { .e = &e };
    el_index_build(&w.index, &e);
    el_facts_of(&w, &f);
    for (uint32_t i = 0; i < f.entities; i++)
        for (int kind = 0; kind < EL_KINDS; kind++)
            ck_assert_uint_eq(related_of(&f, i, (enum el_kind)kind, false),
                              related_of(&f, i, (enum el_kind)kind, true));
    uint32_t lun = cap_id(&r, EL_LUN, "naa.1"), vm = cap_id(&r, EL_VM, "a");
    ck_assert_uint_eq(related_of(&f, lun, EL_WORLD, false), 2); /* of a and of b */
    ck_assert_uint_eq(related_of(&f, lun, EL_PATH, false), 2);
    ck_assert_uint_eq(related_of(&f, vm, EL_VDISK, false), 2);
    ck_assert_uint_eq(related_of(&f, vm, EL_LUN, false), 2);
    ck_assert_uint_eq(related_of(&f, cap_id(&r, EL_ADAPTER, "vmhba1"), EL_LUN, false), 2);
    size_t some;
    (void)f.among(f.ctx, cap_id(&r, EL_LUN, "naa.2"), EL_WORLD, &some);
    ck_assert_uint_eq(some, 3); /* two worlds, a path; the host has four worlds */
    (void)f.among(f.ctx, vm, EL_VDISK, &some);
    ck_assert_uint_eq(some, 4); /* two disks, two worlds */
    (void)f.among(f.ctx, vm, EL_LUN, &some);
    ck_assert_uint_eq(some, 2); /* the host has three */
    (void)f.among(f.ctx, cap_id(&r, EL_ADAPTER, "vmhba1"), EL_LUN, &some);
    ck_assert_uint_eq(some, 2);
    (void)f.among(f.ctx, cap_id(&r, EL_ADAPTER, "vmhba2"), EL_LUN, &some);
    ck_assert_uint_eq(some, 1);
    el_index_release(&w.index);
    el_ruleset_free(rules);
    cap_close(&r);
    cap_release(&c);
}
END_TEST

Suite *verdict(void) {
    Suite *s = suite_create("verdict");
    TCase *t = tcase_create("verdict");
    tcase_add_test(t, lists_whom_to_ask_about);
    tcase_add_loop_test(t, attributes, 0, (int)(sizeof scenes / sizeof *scenes));
    suite_add_tcase(s, t);
    return s;
}
