/* The figures of an entity against values worked out by hand. */
#include "test_reader_made.h"

#include "esxlat/base/num.h"
#include "esxlat/stats/entity.h"

#define LUN "Physical Disk SCSI Device(naa.1)"

/* What is tested remembers here. */
static struct el_arena memory;

static void take_some(struct cap *c, enum el_kind kind, const char *name, struct el_stats_kept kept,
                      struct el_entity_stats *s) {
    struct cap_reading r;
    *s = (struct el_entity_stats){ 0 };
    cap_open(&r, cap_bytes(c), NULL);
    for (const struct el_block *b; (b = cap_next(&r)) != NULL;) {
        uint32_t id = cap_id(&r, kind, name);
        el_stats_take(s, &r.catalog->entity[id], id, kept, b, &r.catalog->run, &memory);
    }
    cap_close(&r);
    cap_release(c);
}

static void take(struct cap *c, enum el_kind kind, const char *name, struct el_entity_stats *s) {
    take_some(c, kind, name, (struct el_stats_kept){ EL_S_ALL, EL_S_ALL }, s);
}

static double mean(const struct el_weighted *w) {
    return w->sum / w->weight;
}

/* Broadcom KB 309140: some commands of 1 ms and one of 500 ms. */
static const struct {
    const char *fast, *slow;
    double mean;
} vectors[] = { { "4 1", "1 500", 100.8 }, { "9 1", "1 500", 50.9 }, { "19 1", "1 500", 25.95 } };

START_TEST(weighs_by_commands) {
    struct cap c = { 0 };
    struct el_entity_stats s;
    cap_begin(&c, "esx1", NULL);
    cap_object(&c, LUN, "cmds davg");
    cap_row(&c, 0, "999 999");
    cap_row(&c, 1, vectors[_i].fast);
    cap_row(&c, 2, vectors[_i].slow);
    take(&c, EL_LUN, "naa.1", &s);
    ck_near(mean(&s.latency[EL_S_DAVG]), vectors[_i].mean);
    ck_near(s.latency[EL_S_DAVG].max, 500);
    ck_assert_int_eq(s.latency[EL_S_DAVG].max_at, CAP_START + 2000);
    /* 4 of 5 commands are 80 %, though the samples are two */
    ck_assert_double_eq_tol(el_sketch_quantile(&s.latency[EL_S_DAVG].sketch, 0.75), 1, 0.005);
    ck_assert_double_eq_tol(el_sketch_quantile(&s.latency[EL_S_DAVG].sketch, 0.99), 500, 2.5);
    ck_assert_uint_eq(s.samples, 2);
    el_arena_release(&memory);
}
END_TEST

/* 4 commands of 1 ms and 1 of 500: the mean is 100.8 with or without quantiles, of which the median is 1. */
START_TEST(keeps_what_is_asked_for) {
    struct el_stats_kept kept = { EL_S_BIT(EL_S_GAVG) | EL_S_BIT(EL_S_DAVG), EL_S_BIT(EL_S_GAVG) };
    struct cap c = { 0 };
    struct el_entity_stats s;
    cap_begin(&c, "esx1", NULL);
    cap_object(&c, LUN, "cmds davg gavg kavg");
    cap_row(&c, 0, "999 999 999 999");
    cap_row(&c, 1, "4 1 1 1");
    cap_row(&c, 2, "1 500 500 500");
    take_some(&c, EL_LUN, "naa.1", kept, &s);
    ck_near(mean(&s.latency[EL_S_DAVG]), 100.8);
    ck_near(mean(&s.latency[EL_S_GAVG]), 100.8);
    ck_near(s.latency[EL_S_KAVG].weight, 0);
    ck_assert_double_eq_tol(el_sketch_quantile(&s.latency[EL_S_GAVG].sketch, 0.5), 1, 0.005);
    ck_assert(el_missing(el_sketch_quantile(&s.latency[EL_S_DAVG].sketch, 0.5)));
    el_arena_release(&memory);
}
END_TEST

static void one_lun(struct el_entity_stats *s) {
    struct cap c = { 0 };
    cap_begin(&c, "esx1", NULL);
    cap_object(&c, LUN,
               "cmds reads writes mb_rd mb_wr davg kavg gavg qavg davg_rd davg_wr actv qued dqlen "
               "abrts resets cons fcmds");
    /*              cmds r  w  mb   d  k  g  q   rd wr  queue    errors */
    cap_row(&c, 0, "9    9  9  9 9  9  9  9  9   9  9   9 9 99   9 9 9 9");
    cap_row(&c, 5, "100  60 20 6 2  5  1  6  .5  4  2   3 1 32   0 0 1 2");
    cap_row(&c, 15, "10  10 0  1 0  20 2  22 9   20 0   0 5 64   .5 .1 0 0");
    cap_row(&c, 20, "0   0  0  0 0  0  0  0  0   0  0   8 0 16   0 0 0 0");
    cap_row(&c, 25, "40  20 20 _ 3  20 1  21 0   _  20  _ 0 _    0 0 0 _");
    cap_row(&c, 30, "_   5  5  1 1  7  7  14 7   7  7   1 0 32   0 0 0 0");
    cap_row(&c, 35, "2   2  0  1 1  _  1  _  0   1  0   1 0 32   0 0 0 0");
    take(&c, EL_LUN, "naa.1", s);
}

START_TEST(counts_commands) {
    struct el_entity_stats s;
    one_lun(&s);
    ck_assert_uint_eq(s.samples, 5);
    ck_assert_uint_eq(s.active, 3); /* with commands and GAVG */
    ck_near(s.commands, 500 + 100 + 200 + 10);
    ck_near(s.reads, 300 + 100 + 100 + 25 + 10);
    ck_near(s.writes, 100 + 100 + 25);
    ck_near(s.iops.sum / s.iops.weight, 810.0 / 30);
    ck_near(s.iops.max, 100);
    ck_near(s.aborts, 5);
    ck_near(s.resets, 1);
    ck_near(s.conflicts, 5);
    ck_near(s.failed, 10);
    el_arena_release(&memory);
}
END_TEST

/* Over the samples that have commands and both directions. */
START_TEST(counts_bytes) {
    struct el_entity_stats s;
    one_lun(&s);
    ck_near(s.megabytes, 8 * 5 + 1 * 10 + 0 + 2 * 5);
    ck_near(s.mb_s.sum / s.mb_s.weight, 60.0 / 25);
    ck_near(s.mb_s.max, 8);
    el_arena_release(&memory);
}
END_TEST

START_TEST(weighs_latencies) {
    struct el_entity_stats s;
    one_lun(&s);
    ck_near(mean(&s.latency[EL_S_DAVG]), (500 * 5 + 100 * 20 + 200 * 20) / 800.0);
    ck_near(mean(&s.latency[EL_S_KAVG]), (500 * 1 + 100 * 2 + 200 * 1 + 10 * 1) / 810.0);
    ck_near(mean(&s.latency[EL_S_GAVG]), (500 * 6 + 100 * 22 + 200 * 21) / 800.0);
    ck_near(mean(&s.latency[EL_S_QAVG]), (500 * .5 + 100 * 9) / 810.0);
    ck_near(mean(&s.latency[EL_S_DAVG_RD]), (300 * 4 + 100 * 20 + 25 * 7 + 10 * 1) / 435.0);
    ck_near(mean(&s.latency[EL_S_DAVG_WR]), (100 * 2 + 100 * 20 + 25 * 7) / 225.0);
    ck_near(s.latency[EL_S_DAVG].max, 20);
    ck_assert_int_eq(s.latency[EL_S_DAVG].max_at, CAP_START + 15000); /* the first that has it */
    ck_near(s.latency[EL_S_KAVG_RD].weight, 0);
    el_arena_release(&memory);
}
END_TEST

START_TEST(takes_gauges) {
    struct el_entity_stats s;
    one_lun(&s);
    ck_near(s.actv.sum / s.actv.weight, (3 + 0 + 8 + 1 + 1) / 5.0); /* unweighted */
    ck_near(s.actv.max, 8);
    ck_near(s.qued.sum / s.qued.weight, 1);
    ck_near(s.qued.max, 5);
    ck_near(s.dqlen.min, 16);
    ck_near(s.dqlen.max, 64); /* not the baseline's 99 */
    ck_assert_double_eq(s.aqlen.weight, 0);
    el_arena_release(&memory);
}
END_TEST

/* Little's law, over time; without commands or a value nothing is outstanding. */
START_TEST(takes_time) {
    struct el_entity_stats s;
    one_lun(&s);
    ck_near(s.inflight.sum / s.inflight.weight, (5 * .5 + 10 * .2 + 0 + 5 * .8 + 0) / 30);
    ck_near(s.inflight.max, .8);
    ck_near(s.time_device, (500 * 5 + 100 * 20 + 200 * 20) / 1000.0);
    ck_near(s.time_vmkernel, (500 * 1 + 100 * 2 + 200 * 1 + 10) / 1000.0);
    el_arena_release(&memory);
}
END_TEST

static void sums(const char *first, const char *second, struct el_entity_stats *s) {
    struct cap c = { 0 };
    cap_begin(&c, "esx1", NULL);
    cap_object(&c, LUN, "cmds davg kavg gavg");
    cap_row(&c, 0, "0 9 9 99");
    cap_row(&c, 5, first);
    cap_row(&c, 10, second);
    take(&c, EL_LUN, "naa.1", s);
}

START_TEST(checks_the_sum) {
    static const struct {
        const char *first, *second;
        unsigned broken;
    } rows[] = { { "10 1 2 3", "10 1 2 3.01", 0 },
                 { "10 1 2 3.02", "10 1 2 2.98", 0 },
                 { "10 1 2 3.05", "10 1 2 2.95", 2 },
                 { "0 0 0 5", "10 1 2 3", 0 },
                 { "10 1 _ 5", "10 _ 1 5", 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct el_entity_stats s;
        sums(rows[i].first, rows[i].second, &s);
        ck_assert_msg(s.sum_broken == rows[i].broken, "%s: %u", rows[i].first,
                      (unsigned)s.sum_broken);
        el_arena_release(&memory);
    }
}
END_TEST

START_TEST(weighs_virtual_disks) {
    struct cap c = { 0 };
    struct el_entity_stats s;
    cap_begin(&c, "esx1", NULL);
    cap_object(&c, "Virtual Disk(a:scsi0:0)", "cmds reads writes mb_rd mb_wr lat_rd lat_wr");
    cap_row(&c, 0, "9 9 9 9 9 9 9");
    cap_row(&c, 5, "80 60 20 1 1 10 2");
    cap_row(&c, 10, "10 10 0 1 0 30 0");
    cap_row(&c, 15, "20 10 10 1 0 5 _");
    cap_row(&c, 20, "0 0 0 0 0 0 0");
    take(&c, EL_VDISK, "a:scsi0:0", &s);
    ck_assert_uint_eq(s.samples, 4);
    ck_assert_uint_eq(s.active, 2);
    ck_near(mean(&s.latency[EL_S_LAT]), (400 * 8 + 50 * 30) / 450.0);
    ck_near(mean(&s.latency[EL_S_LAT_RD]), (300 * 10 + 50 * 30 + 50 * 5) / 400.0);
    ck_near(mean(&s.latency[EL_S_LAT_WR]), 2);
    ck_near(s.inflight.sum / s.inflight.weight, (.64 + .3 + .05 + 0) / 4);
    ck_near(s.inflight.max, .64);
    el_arena_release(&memory);
}
END_TEST

START_TEST(keeps_huge_and_negative_values) {
    struct el_entity_stats s;
    sums("10 22263.64 -0.01 22263.63", "10 100 -0.03 99.97", &s);
    ck_near(mean(&s.latency[EL_S_KAVG]), -.02);
    ck_near(s.latency[EL_S_KAVG].max, -.01);
    ck_near(s.latency[EL_S_DAVG].max, 22263.64);
    ck_assert_double_eq_tol(el_sketch_quantile(&s.latency[EL_S_KAVG].sketch, .5), -.03, .0002);
    ck_assert_uint_eq(s.sum_broken, 0);
    el_arena_release(&memory);
}
END_TEST

Suite *entity(void) {
    Suite *s = suite_create("entity");
    TCase *t = tcase_create("figures");
    tcase_add_test(t, keeps_what_is_asked_for);
    tcase_add_loop_test(t, weighs_by_commands, 0, 3);
    tcase_add_test(t, counts_commands);
    tcase_add_test(t, counts_bytes);
    tcase_add_test(t, weighs_latencies);
    tcase_add_test(t, takes_gauges);
    tcase_add_test(t, takes_time);
    tcase_add_test(t, checks_the_sum);
    tcase_add_test(t, weighs_virtual_disks);
    tcase_add_test(t, keeps_huge_and_negative_values);
    suite_add_tcase(s, t);
    return s;
}
