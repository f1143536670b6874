/* Every derived metric against values worked out by hand. */
#include "test_reader_made.h"

#include "esxlat/base/num.h"
#include "esxlat/metrics/derive.h"

#define LUN(name)   "Physical Disk SCSI Device(" name ")"
#define WORLD(name) "Physical Disk Per-Device-Per-World(" name ")"

struct derived {
    struct cap c;
    struct cap_reading r;
    struct el_surroundings around;
    struct el_derived scratch;
    struct el_samples out;
};

static void read_made(struct derived *d) {
    cap_open(&d->r, cap_bytes(&d->c), NULL);
    const struct el_block *b = cap_next(&d->r);
    ck_assert_ptr_nonnull(b);
    cap_link(&d->r);
    d->around = (struct el_surroundings){ d->r.catalog, &d->r.links, b, EL_NOTHING };
}

static void release(struct derived *d) {
    el_derived_release(&d->scratch);
    cap_close(&d->r);
    cap_release(&d->c);
}

static void derive(struct derived *d, enum el_kind kind, const char *name) {
    bool wanted[EL_METRICS];
    for (size_t m = 0; m < EL_METRICS; m++)
        wanted[m] = true;
    el_derive(&d->around, cap_id(&d->r, kind, name), wanted, &d->scratch, &d->out);
}

static double value(const struct derived *d, enum el_metric m, size_t row) {
    ck_assert_msg(d->out.column[m] != NULL, "no %s", el_metric_info(m)->name);
    ck_assert_uint_lt(row, d->out.rows);
    return d->out.column[m][row];
}

#define LATENCIES                                                                                  \
    "davg kavg gavg qavg davg_rd kavg_rd gavg_rd qavg_rd davg_wr kavg_wr gavg_wr qavg_wr"

static void one_lun(struct derived *d) {
    *d = (struct derived){ 0 };
    cap_begin(&d->c, "esx1", NULL);
    cap_cell(&d->c, "Physical Cpu(_Total)\\% Util Time");
    cap_object(&d->c, LUN("naa.1"),
               "cmds reads writes mb_rd mb_wr " LATENCIES
               " actv qued dqlen clone_rd clone_wr zero delete");
    /*                                        per command  per read        per write */
    cap_row(&d->c, 0,
            "10  0   0  0  0 0   0 0 0 0      0 0 0 0        0 0 0 0         3 0 32  0 0 0 0");
    cap_row(&d->c, 5,
            "40 100 60 20 6 2   5 1 6 .5     4 .5 4.5 .2    2 2 4 1         3 1 32  1 2 3 4");
    cap_row(&d->c, 15,
            "41  10 10  0 1 0   8 2 10 1     8 2 10 1       0 0 0 0         0 0 32  0 0 0 0");
    cap_row(&d->c, 20,
            "42   0  0  0 0 0   0 0 0 0      0 0 0 0        0 0 0 0         2 0 32  0 0 0 0");
    cap_row(&d->c, 25,
            "43   0  0  0 0 0   _ 0 0 0      0 0 0 0        0 0 0 0         0 0 32  0 0 0 0");
    cap_row(&d->c, 30,
            "_    _  5  5 1 _   7 _ 9 0      7 0 7 0        7 0 7 0         _ 1 32  _ 1 1 1");
    cap_row(&d->c, 35,
            "44   5  5  0 0 0   _ 1 9 0      _ 0 7 0        _ 0 _ 0         1 1 32  0 0 0 0");
    read_made(d);
    derive(d, EL_LUN, "naa.1");
}

/* Seconds waited: commands x latency. */
START_TEST(sums_waiting_of_a_lun) {
    struct derived d;
    one_lun(&d);
    ck_near(value(&d, EL_M_wait_device, 0), 500 * 0.005);
    ck_near(value(&d, EL_M_wait_vmkernel, 0), 500 * 0.001);
    ck_near(value(&d, EL_M_wait_device, 1), 100 * 0.008); /* ten a second for ten seconds */
    ck_near(value(&d, EL_M_wait_device, 2), 0);           /* no commands */
    ck_near(value(&d, EL_M_wait_device, 4), 0);           /* how many is missing */
    ck_near(value(&d, EL_M_wait_device, 5), 0);           /* DAVG is missing */
    ck_near(value(&d, EL_M_wait_vmkernel, 5), 25 * 0.001);
    release(&d);
}
END_TEST

/* A disk on NFS: what LAT has above its datastore is not the server's, of reads and writes apart. */
START_TEST(splits_waiting_on_nfs) {
    struct derived d = { 0 };
    cap_begin(&d.c, "esx1", NULL);
    cap_object(&d.c, "Physical Disk NFS Volume(nfs)", "cmds reads writes gavg gavg_rd gavg_wr");
    cap_object(&d.c, "Virtual Disk(a:scsi0:0)", "cmds reads writes lat_rd lat_wr");
    cap_row(&d.c, 0, "0 0 0 0 0 0  0 0 0 0 0");
    cap_row(&d.c, 5, "40 20 20 6 2 10  40 20 20 5 9");
    cap_row(&d.c, 10, "0 0 0 0 0 0  40 20 20 5 9"); /* the volume is idle: nothing to split by */
    read_made(&d);
    derive(&d, EL_VDISK, "a:scsi0:0");
    ck_near(value(&d, EL_M_wait_device, 0), 100 * 0.002 + 100 * 0.009);
    ck_near(value(&d, EL_M_wait_vmkernel, 0), 100 * 0.003);
    ck_near(value(&d, EL_M_wait_device, 1), 100 * 0.005 + 100 * 0.009);
    release(&d);
}
END_TEST

/* On a LUN DAVG of its own reads and writes counts: what VMFS zeroes or unmaps is not the disk's. */
START_TEST(splits_waiting_by_transfers) {
    struct derived d = { 0 };
    cap_begin(&d.c, "esx1", NULL);
    cap_object(&d.c, LUN("naa.1"), "cmds davg");
    cap_object(&d.c, WORLD("naa.1-100"), "cmds reads writes davg davg_rd davg_wr");
    cap_object(&d.c, "Virtual Disk(a)", "cmds reads writes lat_rd lat_wr");
    cap_object(&d.c, "Virtual Disk(a:scsi0:0)", "cmds reads writes lat_rd lat_wr");
    cap_cell(&d.c, "Network Port(v:3:100:a)\\Port");
    cap_row(&d.c, 0, "0 0  0 0 0 0 0 0  0 0 0 0 0  0 0 0 0 0 0");
    cap_row(&d.c, 5, "80 50  80 20 20 50 2 4  40 20 20 10 30  40 20 20 10 30 0");
    read_made(&d);
    derive(&d, EL_VDISK, "a:scsi0:0");
    ck_near(value(&d, EL_M_lun_davg, 0), 50);
    ck_near(value(&d, EL_M_wait_device, 0), 200 * 0.003);
    ck_near(value(&d, EL_M_wait_vmkernel, 0), 200 * (0.020 - 0.003));
    release(&d);
}
END_TEST

START_TEST(passes_counters_on) {
    struct derived d;
    one_lun(&d);
    ck_assert_uint_eq(d.out.rows, 6);
    ck_near(value(&d, EL_M_cmds, 0), 100);
    ck_near(value(&d, EL_M_davg, 0), 5);
    ck_near(value(&d, EL_M_qavg_wr, 0), 1);
    ck_near(value(&d, EL_M_dqlen, 3), 32);
    ck_near(value(&d, EL_M_actv, 2), 2);
    ck_missing(value(&d, EL_M_actv, 4));
    ck_assert_ptr_null(d.out.column[EL_M_wqlen]);
    ck_assert_ptr_null(d.out.column[EL_M_lat_rd]);
    ck_assert_int_eq(d.out.from[1], CAP_START + 5000);
    ck_assert_int_eq(d.out.to[1], CAP_START + 15000);
    release(&d);
}
END_TEST

/* 0.00 ms without a command of that sort is no data. */
START_TEST(latency_without_commands_is_missing) {
    struct derived d;
    one_lun(&d);
    ck_near(value(&d, EL_M_davg_wr, 0), 2);
    ck_missing(value(&d, EL_M_davg_wr, 1)); /* reads only */
    ck_near(value(&d, EL_M_davg_rd, 1), 8);
    ck_missing(value(&d, EL_M_davg, 2)); /* no command at all */
    ck_missing(value(&d, EL_M_gavg, 2));
    ck_missing(value(&d, EL_M_gavg_rd, 2));
    ck_missing(value(&d, EL_M_davg, 4)); /* the rate is missing */
    ck_near(value(&d, EL_M_davg_rd, 4), 7);
    release(&d);
}
END_TEST

START_TEST(counts_commands) {
    struct derived d;
    one_lun(&d);
    ck_near(value(&d, EL_M_commands, 0), 500);
    ck_near(value(&d, EL_M_commands, 1), 100);
    ck_near(value(&d, EL_M_commands, 2), 0);
    ck_missing(value(&d, EL_M_commands, 4));
    ck_near(value(&d, EL_M_seconds, 0), 5);
    ck_near(value(&d, EL_M_seconds, 1), 10);
    ck_near(value(&d, EL_M_other, 0), 20);
    ck_near(value(&d, EL_M_other, 1), 0);
    ck_missing(value(&d, EL_M_other, 4));
    release(&d);
}
END_TEST

/* Row 0: 100 x 5 = 60 x 4 + 20 x 2 + 20 x 11;  100 x 1 = 60 x .5 + 20 x 2 + 20 x 1.5. */
START_TEST(splits_latency) {
    struct derived d;
    one_lun(&d);
    ck_near(value(&d, EL_M_davg_oth, 0), 11);
    ck_near(value(&d, EL_M_kavg_oth, 0), 1.5);
    ck_missing(value(&d, EL_M_davg_oth, 1)); /* no other commands */
    ck_near(value(&d, EL_M_davg_rw, 0), 3.5);
    ck_near(value(&d, EL_M_kavg_rw, 0), (60 * .5 + 20 * 2) / 80);
    ck_near(value(&d, EL_M_gavg_rw, 0), (60 * 4.5 + 20 * 4) / 80);
    ck_near(value(&d, EL_M_davg_rw, 1), 8);
    ck_missing(value(&d, EL_M_davg_rw, 2));
    ck_missing(value(&d, EL_M_davg_rw, 5)); /* reads without a value */
    ck_near(value(&d, EL_M_kshare, 0), 1.0 / 6);
    ck_near(value(&d, EL_M_kshare, 1), .2);
    ck_missing(value(&d, EL_M_kshare, 2));
    release(&d);
}
END_TEST

START_TEST(moves_bytes) {
    struct derived d;
    one_lun(&d);
    ck_near(value(&d, EL_M_mb, 0), 8);
    ck_near(value(&d, EL_M_io_kb, 0), 1024 * 8 / 80.0);
    ck_near(value(&d, EL_M_io_kb, 1), 102.4);
    ck_missing(value(&d, EL_M_io_kb, 2));
    ck_missing(value(&d, EL_M_mb, 4)); /* one direction is missing */
    ck_missing(value(&d, EL_M_io_kb, 4));
    ck_near(value(&d, EL_M_vaai, 0), 10);
    ck_near(value(&d, EL_M_vaai, 1), 0);
    release(&d);
}
END_TEST

/* Little's law: 100/s x 5 ms = 0.5 at the device. */
START_TEST(counts_outstanding) {
    struct derived d;
    one_lun(&d);
    ck_near(value(&d, EL_M_inflight, 0), .5);
    ck_near(value(&d, EL_M_inkernel, 0), .1);
    ck_near(value(&d, EL_M_inflight, 1), .08);
    ck_near(value(&d, EL_M_inflight, 2), 0); /* nothing is outstanding of nothing */
    ck_near(value(&d, EL_M_inflight, 3), 0); /* even without a latency */
    ck_missing(value(&d, EL_M_inflight, 4));
    ck_near(value(&d, EL_M_stalled, 0), 0);
    ck_near(value(&d, EL_M_stalled, 2), 1); /* 2 at the device, none completes */
    ck_near(value(&d, EL_M_stalled, 3), 0);
    ck_near(value(&d, EL_M_host_cpu, 0), 40);
    ck_missing(value(&d, EL_M_host_cpu, 4));
    release(&d);
}
END_TEST

static void derive_only(struct derived *d, enum el_metric m) {
    bool wanted[EL_METRICS] = { false };
    wanted[m] = true;
    el_derive(&d->around, cap_id(&d->r, EL_LUN, "naa.1"), wanted, &d->scratch, &d->out);
}

/* One metric alone has the value it has among all. */
START_TEST(wanted_alone_is_the_same) {
    struct derived d;
    one_lun(&d);
    for (unsigned m = 0; m < EL_METRICS; m++) {
        double all[6];
        derive(&d, EL_LUN, "naa.1");
        bool there = d.out.column[m] != NULL;
        for (size_t i = 0; there && i < 6; i++)
            all[i] = d.out.column[m][i];
        derive_only(&d, m);
        ck_assert_msg((d.out.column[m] != NULL) == there, "%s", el_metric_info(m)->name);
        for (size_t i = 0; there && i < 6; i++)
            ck_assert_msg(d.out.column[m][i] == all[i] ||
                              (el_missing(all[i]) && el_missing(d.out.column[m][i])),
                          "%s", el_metric_info(m)->name);
    }
    release(&d);
}
END_TEST

/* A virtual machine of two virtual CPUs with worlds on two LUNs, a second machine on one of them. */
static void two_vms(struct derived *d) {
    *d = (struct derived){ 0 };
    cap_begin(&d->c, "esx1", NULL);
    cap_object(&d->c, LUN("naa.1"), "dqlen cmds gavg");
    cap_object(&d->c, WORLD("naa.1-100"), "cmds reads writes davg kavg gavg qavg actv qued");
    cap_object(&d->c, WORLD("naa.1-200"), "cmds reads writes davg kavg gavg qavg actv qued");
    cap_object(&d->c, LUN("naa.2"), "dqlen cmds");
    cap_object(&d->c, WORLD("naa.2-100"), "cmds reads writes davg kavg gavg qavg actv qued");
    cap_cell(&d->c, "Group Cpu(7:a)\\% VmWait");
    cap_object(&d->c, "Group Cpu(7:a)", "ready_sum costop_sum mlmtd_sum");
    cap_cell(&d->c, "Vcpu(7:a:101:vmx-vcpu-0:a)\\% Used");
    cap_cell(&d->c, "Vcpu(7:a:102:vmx-vcpu-1:a)\\% Used");
    cap_object(&d->c, "Virtual Disk(a)", "cmds reads writes lat_rd lat_wr");
    cap_object(&d->c, "Virtual Disk(b)", "cmds reads writes lat_rd lat_wr");
    cap_cell(&d->c, "Network Port(v:3:100:a)\\Port");
    cap_cell(&d->c, "Network Port(v:4:200:b)\\Port");
    /*                  lun 1  world a             world b            lun 2  world a            cpu      vm a           vm b     ports */
    cap_row(&d->c, 0,
            "32 0 0   0 0 0 0 0 0 0 0 0   0 0 0 0 0 0 0 0 0   64 0  0 0 0 0 0 0 0 0 0  0 0 0 0 0 0 "
            " 0 0 0 0 0  0 0 0 0 0  0 0");
    cap_row(&d->c, 5,
            "32 150 5  100 60 40 5 1 6 .5 3 1  50 50 0 1 2 3 0 4 0  64 100  100 50 50 1 0 1 0 2 0  "
            "9 30 6 4 7 8  200 110 90 10 4  50 50 0 4 0  0 0");
    cap_row(&d->c, 10,
            "32 50 3  0 0 0 0 0 0 0 0 0   50 50 0 1 2 3 0 4 0  64 0  0 0 0 0 0 0 0 0 0  9 _ 6 4 7 "
            "8  0 0 0 0 0  50 50 0 4 0  0 0");
    read_made(d);
}

START_TEST(weighs_worlds) {
    struct derived d;
    two_vms(&d);
    derive(&d, EL_LUN, "naa.1");
    ck_near(value(&d, EL_M_worlds, 0), 2);
    ck_near(value(&d, EL_M_worlds, 1), 1);
    ck_near(value(&d, EL_M_top_world, 0), .8); /* 100 x 6 of 100 x 6 + 50 x 3 */
    ck_near(value(&d, EL_M_top_world, 1), 1);
    ck_near(value(&d, EL_M_lun_lat, 0), 4); /* only b has this LUN as its only one */
    ck_assert_uint_eq(el_links_only_lun(d.around.links, d.around.catalog, cap_id(&d.r, EL_VM, "b")),
                      cap_id(&d.r, EL_LUN, "naa.1"));
    ck_assert_uint_eq(el_links_only_lun(d.around.links, d.around.catalog, cap_id(&d.r, EL_VM, "a")),
                      EL_NOTHING);
    release(&d);
}
END_TEST

START_TEST(looks_below_a_vm) {
    struct derived d;
    two_vms(&d);
    derive(&d, EL_VM, "a");
    ck_near(value(&d, EL_M_lat, 0), (110 * 10 + 90 * 4) / 200.0);
    ck_near(value(&d, EL_M_inflight, 0), 1.46);
    ck_near(value(&d, EL_M_lun_cmds, 0), 200);
    ck_near(value(&d, EL_M_lun_davg, 0), 3); /* (100 x 5 + 100 x 1) / 200 */
    ck_near(value(&d, EL_M_lun_kavg, 0), .5);
    ck_near(value(&d, EL_M_lun_qavg, 0), .25);
    ck_near(value(&d, EL_M_lun_gavg, 0), 3.5);
    ck_near(value(&d, EL_M_above, 0), 7.3 - 3.5);
    ck_near(value(&d, EL_M_lun_actv, 0), 5);
    ck_near(value(&d, EL_M_lun_qued, 0), 1);
    ck_near(value(&d, EL_M_lun_dqlen, 0), 32);
    ck_missing(value(&d, EL_M_lat, 1));
    ck_missing(value(&d, EL_M_lun_gavg, 1));
    ck_missing(value(&d, EL_M_above, 1));
    ck_near(value(&d, EL_M_lun_cmds, 1), 0);
    release(&d);
}
END_TEST

/* Only the worlds on one of the LUNs. */
START_TEST(looks_below_on_one_lun) {
    struct derived d;
    two_vms(&d);
    d.around.lun = cap_id(&d.r, EL_LUN, "naa.2");
    derive(&d, EL_VM, "a");
    ck_near(value(&d, EL_M_lun_cmds, 0), 100);
    ck_near(value(&d, EL_M_lun_davg, 0), 1);
    ck_near(value(&d, EL_M_lun_kavg, 0), 0);
    ck_near(value(&d, EL_M_above, 0), 7.3 - 1);
    ck_near(value(&d, EL_M_lun_actv, 0), 2);
    ck_near(value(&d, EL_M_lun_qued, 0), 0);
    ck_near(value(&d, EL_M_lun_dqlen, 0), 64);
    release(&d);
}
END_TEST

START_TEST(shares_cpu_among_vcpus) {
    struct derived d;
    two_vms(&d);
    derive(&d, EL_VM, "a");
    ck_near(value(&d, EL_M_ready, 0), 15);
    ck_near(value(&d, EL_M_costop, 0), 3);
    ck_near(value(&d, EL_M_mlmtd, 0), 2);
    ck_missing(value(&d, EL_M_ready, 1));
    derive(&d, EL_VM, "b");
    ck_near(value(&d, EL_M_lat, 0), 4); /* no writes: their 0.00 does not count */
    ck_near(value(&d, EL_M_above, 0), 1);
    ck_assert(!d.out.column[EL_M_ready] || el_missing(value(&d, EL_M_ready, 0)));
    release(&d);
}
END_TEST

/* A side with commands but no value: no LAT; a missing rate likewise.  GAVG only: NFS. */
START_TEST(misses_what_is_missing) {
    struct derived d = { 0 };
    cap_begin(&d.c, "esx1", NULL);
    cap_object(&d.c, "Virtual Disk(a:scsi0:0)", "cmds reads writes lat_rd lat_wr");
    cap_object(&d.c, "Physical Disk NFS Volume(store)", "cmds gavg actv");
    cap_row(&d.c, 0, "0 0 0 0 0  0 0 0");
    cap_row(&d.c, 5, "20 10 10 5 _  10 20 1");
    cap_row(&d.c, 10, "20 10 _ 5 6  0 0 5");
    cap_row(&d.c, 15, "10 10 0 5 _  0 0 0");
    read_made(&d);
    derive(&d, EL_VDISK, "a:scsi0:0");
    ck_missing(value(&d, EL_M_lat, 0));
    ck_near(value(&d, EL_M_lat, 2), 5);
    ck_near(value(&d, EL_M_inflight, 2), .05);
    derive(&d, EL_NFS, "store");
    ck_near(value(&d, EL_M_gavg, 0), 20);
    ck_missing(value(&d, EL_M_gavg, 1));
    ck_near(value(&d, EL_M_stalled, 1), 1);
    ck_near(value(&d, EL_M_stalled, 2), 0);
    release(&d);
}
END_TEST

Suite *derived(void) {
    Suite *s = suite_create("derive");
    TCase *t = tcase_create("lun");
    tcase_add_test(t, sums_waiting_of_a_lun);
    tcase_add_test(t, splits_waiting_on_nfs);
    tcase_add_test(t, splits_waiting_by_transfers);
    tcase_add_test(t, passes_counters_on);
    tcase_add_test(t, latency_without_commands_is_missing);
    tcase_add_test(t, counts_commands);
    tcase_add_test(t, splits_latency);
    tcase_add_test(t, moves_bytes);
    tcase_add_test(t, counts_outstanding);
    tcase_add_test(t, wanted_alone_is_the_same);
    suite_add_tcase(s, t);
    t = tcase_create("around");
    tcase_add_test(t, weighs_worlds);
    tcase_add_test(t, looks_below_a_vm);
    tcase_add_test(t, looks_below_on_one_lun);
    tcase_add_test(t, shares_cpu_among_vcpus);
    tcase_add_test(t, misses_what_is_missing);
    suite_add_tcase(s, t);
    return s;
}
