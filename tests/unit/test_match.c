/* Links that only rates tell. */
#include "test_reader_made.h"

#include <stdio.h>

#include "esxlat/base/num.h"
#include "esxlat/stats/match.h"

enum { ROWS_READ = 100 };

/* Rates that never repeat: 1 to 1000. */
static unsigned rate(unsigned track, unsigned row) {
    return 1 + (row * 7919u + track * 104729u + row * row * 31u * (track + 1)) % 1000;
}

/* `disks` virtual disks of VM a; disk d lies on LUN lun_of[d]; worlds carry the sums.  With `noise` the disks' rates
 * differ by what lies in flight at the end of an interval. */
static void make(struct cap *c, unsigned luns, unsigned disks, const unsigned *lun_of, bool same,
                 bool noise) {
    struct el_buf row = { 0 };
    char object[80];
    cap_begin(c, "esx1", NULL);
    for (unsigned l = 0; l < luns; l++) {
        snprintf(object, sizeof object, "Physical Disk SCSI Device(naa.%u)", l);
        cap_object(c, object, "cmds reads writes");
        snprintf(object, sizeof object, "Physical Disk Per-Device-Per-World(naa.%u-100)", l);
        cap_object(c, object, "cmds reads writes");
    }
    cap_object(c, "Virtual Disk(a)", "cmds reads writes");
    for (unsigned d = 0; d < disks; d++) {
        snprintf(object, sizeof object, "Virtual Disk(a:scsi0:%u)", d);
        cap_object(c, object, "cmds reads writes");
    }
    cap_cell(c, "Network Port(v:3:100:a)\\Port");
    for (unsigned r = 0; r <= ROWS_READ; r++) {
        unsigned sum = 0;
        el_buf_clear(&row);
        for (unsigned l = 0; l < luns; l++) {
            unsigned on = 0;
            for (unsigned d = 0; d < disks; d++)
                on += lun_of[d] == l ? rate(same ? 0 : d, r) : 0;
            for (unsigned k = 0; k < 2; k++)
                el_buf_print(&row, "%u %u %u ", on, on / 2, on - on / 2);
            sum += on;
        }
        el_buf_print(&row, "%u %u %u ", sum, sum / 2, sum - sum / 2);
        for (unsigned d = 0; d < disks; d++) {
            unsigned n = rate(same ? 0 : d, r) + (noise ? (r + d) % 3 : 0);
            el_buf_print(&row, "%u %u %u ", n, n / 2, n - n / 2);
        }
        el_buf_text(&row, "0");
        cap_row(c, (int)r * 5, row.ptr);
    }
    el_buf_release(&row);
}

static void match(struct cap *c, struct cap_reading *r) {
    struct el_match *m = el_match_new();
    size_t runs = 0;
    cap_open(r, cap_bytes(c), NULL);
    for (const struct el_block *b; (b = cap_next(r)) != NULL;) {
        if (r->catalog->runs != runs) {
            cap_link(r);
            el_match_open(m, r->catalog, &r->links);
            runs = r->catalog->runs;
        }
        el_match_take(m, b, &r->catalog->run);
    }
    el_match_disks(m, r->catalog, &r->links);
    el_match_free(m);
}

static const struct {
    unsigned luns, disks, lun_of[4];
    bool same, noise;
    enum el_certainty by;
} rows[] = {
    { 1, 1, { 0 }, false, false, EL_BY_NAME },
    { 1, 2, { 0, 0 }, false, false, EL_BY_NAME },
    { 2, 2, { 0, 1 }, false, false, EL_BY_RATE },
    { 2, 2, { 1, 0 }, false, false, EL_BY_RATE },
    { 2, 2, { 1, 0 }, false, true, EL_BY_RATE },
    { 2, 3, { 0, 1, 0 }, false, false, EL_BY_RATE },
    { 2, 3, { 1, 0, 0 }, false, true, EL_BY_RATE },
    { 3, 3, { 2, 0, 1 }, false, false, EL_BY_RATE },
    { 2, 4, { 1, 0, 0, 1 }, false, true, EL_BY_RATE },
    { 2, 2, { 0, 1 }, true, false, EL_UNLINKED }, /* both disks do the same */
};

START_TEST(matches_disks) {
    struct cap c = { 0 };
    struct cap_reading r;
    make(&c, rows[_i].luns, rows[_i].disks, rows[_i].lun_of, rows[_i].same, rows[_i].noise);
    match(&c, &r);
    for (unsigned d = 0; d < rows[_i].disks; d++) {
        char disk[40], lun[20];
        snprintf(disk, sizeof disk, "a:scsi0:%u", d);
        snprintf(lun, sizeof lun, "naa.%u", rows[_i].lun_of[d]);
        const struct el_entity *e = cap_entity(&r, EL_VDISK, disk);
        ck_assert_msg(e->lun_by == rows[_i].by, "disk %u: %d", d, (int)e->lun_by);
        uint32_t want = rows[_i].by == EL_UNLINKED ? EL_NOTHING : cap_id(&r, EL_LUN, lun);
        ck_assert_msg(e->lun == want, "disk %u is on entity %u", d, (unsigned)e->lun);
    }
    cap_close(&r);
    cap_release(&c);
}
END_TEST

/* Disks of a machine without worlds have no LUN. */
START_TEST(leaves_others_alone) {
    struct cap c = { 0 };
    struct cap_reading r;
    cap_begin(&c, "esx1", NULL);
    cap_object(&c, "Physical Disk SCSI Device(naa.1)", "cmds reads writes");
    cap_object(&c, "Virtual Disk(a:scsi0:0)", "cmds reads writes");
    cap_row(&c, 0, "0 0 0 0 0 0");
    cap_row(&c, 5, "10 5 5 10 5 5");
    match(&c, &r);
    ck_assert_uint_eq(cap_entity(&r, EL_VDISK, "a:scsi0:0")->lun, EL_NOTHING);
    ck_assert_int_eq(cap_entity(&r, EL_VDISK, "a:scsi0:0")->lun_by, EL_UNLINKED);
    cap_close(&r);
    cap_release(&c);
}
END_TEST

/* A machine on two LUNs whose disk is idle, or does not fit what its worlds do: nothing can be told. */
static const char *const apart[] = { "0 0 0", "1000 700 300" };

START_TEST(leaves_what_does_not_fit) {
    struct cap c = { 0 };
    struct cap_reading r;
    cap_begin(&c, "esx1", NULL);
    cap_cell(&c, "Physical Disk SCSI Device(naa.1)\\Load");
    cap_object(&c, "Physical Disk Per-Device-Per-World(naa.1-100)", "cmds reads writes");
    cap_cell(&c, "Physical Disk SCSI Device(naa.2)\\Load");
    cap_object(&c, "Physical Disk Per-Device-Per-World(naa.2-100)", "cmds reads writes");
    cap_object(&c, "Virtual Disk(a)", "reads");
    cap_object(&c, "Virtual Disk(a:scsi0:0)", "cmds reads writes");
    cap_cell(&c, "Network Port(v:3:100:a)\\Port");
    for (int i = 0; i < 30; i++) {
        char row[80];
        snprintf(row, sizeof row, "0 90 60 30 0 50 20 30 0 %s 0", apart[_i]);
        cap_row(&c, i * 5, row);
    }
    match(&c, &r);
    ck_assert_uint_eq(cap_entity(&r, EL_VDISK, "a:scsi0:0")->lun, EL_NOTHING);
    ck_assert_int_eq(cap_entity(&r, EL_VDISK, "a:scsi0:0")->lun_by, EL_UNLINKED);
    cap_close(&r);
    cap_release(&c);
}
END_TEST

/* Columns out of order: paths find the LUN of the same counts; naa.3 differs from naa.1 in its writes only. */
START_TEST(matches_paths) {
    struct cap c = { 0 };
    struct cap_reading r;
    static const char *const objects[] = { "SCSI Device(naa.1)",    "SCSI Device(naa.2)",
                                           "Path(vmhba1:C0:T0:L2)", "Path(vmhba1:C0:T0:L1)",
                                           "Path(vmhba1:C0:T0:L9)", "SCSI Device(naa.3)",
                                           "SCSI Device(naa.1)" };
    cap_begin(&c, "esx1", NULL);
    for (size_t i = 0; i < 7; i++) {
        char object[80];
        snprintf(object, sizeof object, "Physical Disk %s", objects[i]);
        cap_object(&c, object, i < 6 ? "cmds reads writes" : "davg");
    }
    cap_row(&c, 0, "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
    cap_row(&c, 5, "30 20 10 50 20 30 50 20 30 30 20 10 7 3 4 30 20 5 1");
    cap_row(&c, 10, "31 20 11 40 20 20 40 20 20 31 20 11 7 3 4 31 20 5 1");
    cap_open(&r, cap_bytes(&c), NULL);
    struct el_entity_stats *stats = NULL;
    for (const struct el_block *b; (b = cap_next(&r)) != NULL;) {
        stats = el_calloc(r.catalog->entities, sizeof *stats);
        for (uint32_t e = 0; e < r.catalog->entities; e++)
            el_stats_take(&stats[e], &r.catalog->entity[e], e, b, &r.catalog->run);
    }
    el_match_paths(r.catalog, stats);
    ck_assert(r.catalog->scattered);
    ck_assert_uint_eq(cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L1")->lun, cap_id(&r, EL_LUN, "naa.1"));
    ck_assert_uint_eq(cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L2")->lun, cap_id(&r, EL_LUN, "naa.2"));
    ck_assert_int_eq(cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L2")->lun_by, EL_BY_RATE);
    ck_assert_uint_eq(cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L9")->lun, EL_NOTHING);
    for (uint32_t e = 0; e < r.catalog->entities; e++)
        el_stats_release(&stats[e]);
    el_free(stats);
    cap_close(&r);
    cap_release(&c);
}
END_TEST

Suite *matching(void) {
    Suite *s = suite_create("match");
    TCase *t = tcase_create("match");
    tcase_add_loop_test(t, matches_disks, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_test(t, leaves_others_alone);
    tcase_add_loop_test(t, leaves_what_does_not_fit, 0, 2);
    tcase_add_test(t, matches_paths);
    suite_add_tcase(s, t);
    return s;
}
