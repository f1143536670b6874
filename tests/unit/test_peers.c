/* Metrics from what stands beside an entity, against values worked out by hand. */
#include "test_reader_made.h"

#include "esxlat/base/num.h"
#include "esxlat/metrics/derive.h"

struct beside {
    struct cap c;
    struct cap_reading r;
    struct el_surroundings around;
    struct el_derived scratch;
    struct el_samples out;
};

/* A LUN with two paths, three worlds (of VM a with two virtual CPUs, of VM b, of the host itself), a second LUN on
 * which a has a world too.  Ten seconds. */
static void one_host(struct beside *x) {
    *x = (struct beside){ 0 };
    cap_begin(&x->c, "esx1", NULL);
    cap_object(&x->c, "Memory", "swap_rd swap_wr");
    cap_object(&x->c, "Physical Disk Adapter(vmhba1)", "cmds davg aqlen");
    cap_cell(&x->c, "Group Cpu(1:system)\\% Ready");
    cap_cell(&x->c, "Vcpu(1:system:900:swapper)\\% Used");
    cap_cell(&x->c, "Group Cpu(7:a)\\% VmWait");
    cap_object(&x->c, "Group Cpu(7:a)", "used_sum");
    cap_cell(&x->c, "Vcpu(7:a:101:vmx-vcpu-0:a)\\% Used");
    cap_cell(&x->c, "Vcpu(7:a:102:vmx-vcpu-1:a)\\% Used");
    cap_object(&x->c, "Physical Disk SCSI Device(naa.1)", "cmds davg qavg dqlen zero");
    cap_object(&x->c, "Physical Disk Path(vmhba1:C0:T0:L1)", "cmds davg fcmds abrts resets");
    cap_object(&x->c, "Physical Disk Path(vmhba2:C0:T0:L1)", "cmds davg fcmds abrts resets");
    cap_object(&x->c, "Physical Disk Per-Device-Per-World(naa.1-100)", "cmds gavg");
    cap_object(&x->c, "Physical Disk Per-Device-Per-World(naa.1-200)", "cmds gavg");
    cap_object(&x->c, "Physical Disk Per-Device-Per-World(naa.1-900)", "cmds gavg");
    cap_object(&x->c, "Physical Disk SCSI Device(naa.2)", "cmds davg qavg dqlen zero");
    cap_object(&x->c, "Physical Disk Per-Device-Per-World(naa.2-100)", "cmds gavg");
    cap_object(&x->c, "Virtual Disk(a)", "cmds reads writes lat_rd lat_wr");
    cap_object(&x->c, "Virtual Disk(b)", "cmds reads writes lat_rd lat_wr");
    cap_cell(&x->c, "Network Port(v:3:100:a)\\Port");
    cap_cell(&x->c, "Network Port(v:4:200:b)\\Port");
    cap_row(&x->c, 0,
            "0 0  0 0 0  0 0  0 0 0 0  0 0 0 32 0  0 0 0 0 0  0 0 0 0 0  0 0 0 0 0 0  0 0 0 64 0  "
            "0 0  0 0 0 0 0  0 0 0 0 0  0 0");
    /*                 swap   adapter  system a      cpus  lun 1           paths             worlds                  lun 2          a      */
    cap_row(
        &x->c, 10,
        "2 3  400 8 16  0 0  0 104  52 52  400 8 4 32 7  300 4 0 0 0  100 20 3 1 1  100 30  60 10  "
        "240 5  100 16 "
        "0 64 0  300 1  400 200 200 9 9  60 60 0 9 9  0 0");
    cap_row(
        &x->c, 20,
        "_ 3  400 8 0  0 0  0 104  52 52  400 8 4 0 _  0 4 0 0 0  400 20 5 0 0  100 30  0 10  0 5  "
        "0 16 0 64 9  "
        "0 1  0 0 0 0 0  0 0 0 0 0  0 0");
    cap_open(&x->r, cap_bytes(&x->c), NULL);
    const struct el_block *b = cap_next(&x->r);
    ck_assert_ptr_nonnull(b);
    cap_link(&x->r);
    x->around = (struct el_surroundings){ x->r.catalog, &x->r.links, b, EL_NOTHING };
}

static void release(struct beside *x) {
    el_derived_release(&x->scratch);
    cap_close(&x->r);
    cap_release(&x->c);
}

static void derive(struct beside *x, enum el_kind kind, const char *name) {
    bool wanted[EL_METRICS];
    for (size_t m = 0; m < EL_METRICS; m++)
        wanted[m] = true;
    el_derive(&x->around, cap_id(&x->r, kind, name), wanted, &x->scratch, &x->out);
}

static double value(const struct beside *x, enum el_metric m, size_t row) {
    ck_assert_msg(x->out.column[m] != NULL, "no %s", el_metric_info(m)->name);
    return x->out.column[m][row];
}

START_TEST(compares_paths) {
    struct beside x;
    one_host(&x);
    derive(&x, EL_PATH, "vmhba1:C0:T0:L1");
    ck_near(value(&x, EL_M_peer_cmds, 0), 100);
    ck_near(value(&x, EL_M_peer_davg, 0), 20);
    ck_near(value(&x, EL_M_peer_errors, 0), 5);
    derive(&x, EL_PATH, "vmhba2:C0:T0:L1");
    ck_near(value(&x, EL_M_peer_cmds, 0), 300);
    ck_near(value(&x, EL_M_peer_davg, 0), 4);
    ck_missing(value(&x, EL_M_peer_davg, 1)); /* the other one is idle */
    ck_near(value(&x, EL_M_peer_cmds, 1), 0);
    release(&x);
}
END_TEST

START_TEST(compares_worlds) {
    struct beside x;
    one_host(&x);
    derive(&x, EL_LUN, "naa.1");
    ck_near(value(&x, EL_M_paths, 0), 2);
    ck_near(value(&x, EL_M_paths_used, 0), 2);
    ck_near(value(&x, EL_M_paths_used, 1), 1);
    ck_near(value(&x, EL_M_adapter_used, 0), 0.2); /* 400 x 8 ms = 3.2 of 16 */
    ck_near(value(&x, EL_M_adapter_used, 1), 0);
    /* waiting 3000, 600, 1200: without the first 1800 by 300 commands */
    ck_near(value(&x, EL_M_rest_gavg, 0), 6);
    ck_missing(value(&x, EL_M_rest_gavg, 1)); /* nobody else */
    ck_near(value(&x, EL_M_system_part, 0), 0.6);
    ck_near(value(&x, EL_M_system_part, 1), 0);
    ck_near(value(&x, EL_M_host_swap, 0), 5);
    ck_missing(value(&x, EL_M_host_swap, 1));
    derive(&x, EL_LUN, "naa.2");
    ck_assert_ptr_null(x.out.column[EL_M_paths]);
    release(&x);
}
END_TEST

START_TEST(looks_at_all_on_the_luns_of_a_vm) {
    struct beside x;
    one_host(&x);
    derive(&x, EL_VM, "a");
    ck_near(value(&x, EL_M_all_qavg, 0), 1); /* (100 x 4 + 300 x 0) / 400 */
    /* 400 x 8 ms = 3.2 of 32 slots, 100 x 16 ms = 1.6 of 64: (100 x .1 + 300 x .025) / 400 */
    ck_near(value(&x, EL_M_all_used, 0), 0.04375);
    ck_missing(value(&x, EL_M_all_used, 1)); /* a depth of 0 */
    ck_near(value(&x, EL_M_lun_zero, 0), 7);
    ck_near(value(&x, EL_M_lun_zero, 1), 9);
    ck_near(value(&x, EL_M_vcpus, 0), 2);
    ck_near(value(&x, EL_M_used_sum, 0), 104);
    derive(&x, EL_VM, "b");
    ck_near(value(&x, EL_M_all_qavg, 0), 4);
    ck_assert_ptr_null(x.out.column[EL_M_vcpus]);
    release(&x);
}
END_TEST

Suite *suite_peers(void) {
    Suite *s = suite_create("peers");
    TCase *t = tcase_create("metrics");
    tcase_add_test(t, compares_paths);
    tcase_add_test(t, compares_worlds);
    tcase_add_test(t, looks_at_all_on_the_luns_of_a_vm);
    suite_add_tcase(s, t);
    return s;
}
