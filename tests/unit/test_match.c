/* Links that only rates tell. */
#include "test_reader_made.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "esxlat/base/num.h"
#include "esxlat/stats/match.h"

enum { ROWS_READ = 100 };

/* Rates that never repeat: 1 to 1000. */
static unsigned rate(unsigned track, unsigned row) {
    return 1 + (row * 7919u + track * 104729u + row * row * 31u * (track + 1)) % 1000;
}

static void print_rates(struct el_buf *row, unsigned n, bool plain) {
    el_buf_print(row, "%u ", n);
    if (!plain)
        el_buf_print(row, "%u %u ", n / 2, n - n / 2);
}

/* `disks` virtual disks of VM a; disk d lies on LUN lun_of[d]; worlds carry the sums.  With `noise` the disks' rates
 * differ by what lies in flight at the end of an interval.  `plain`: reads and writes are not told apart. */
static void make(struct cap *c, unsigned luns, unsigned disks, const unsigned *lun_of, bool same,
                 bool noise, bool plain) {
    struct el_buf row = { 0 };
    const char *counters = plain ? "cmds" : "cmds reads writes";
    char object[80];
    cap_begin(c, "esx1", NULL);
    for (unsigned l = 0; l < luns; l++) {
        snprintf(object, sizeof object, "Physical Disk SCSI Device(naa.%u)", l);
        cap_object(c, object, counters);
        snprintf(object, sizeof object, "Physical Disk Per-Device-Per-World(naa.%u-100)", l);
        cap_object(c, object, counters);
    }
    cap_object(c, "Virtual Disk(a)", counters);
    for (unsigned d = 0; d < disks; d++) {
        snprintf(object, sizeof object, "Virtual Disk(a:scsi0:%u)", d);
        cap_object(c, object, counters);
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
                print_rates(&row, on, plain);
            sum += on;
        }
        print_rates(&row, sum, plain);
        for (unsigned d = 0; d < disks; d++) {
            unsigned n = rate(same ? 0 : d, r) + (noise ? (r + d) % 3 : 0);
            print_rates(&row, n, plain);
        }
        el_buf_text(&row, "0");
        cap_row(c, (int)r * 5, row.ptr);
    }
    el_buf_release(&row);
}

static void match(struct cap *c, struct cap_reading *r) {
    struct el_crew *crew = el_crew_new(2);
    struct el_match *m = el_match_new(crew);
    size_t runs = 0;
    cap_open(r, cap_bytes(c), NULL);
    for (const struct el_block *b; (b = cap_next(r)) != NULL;) {
        if (r->catalog->runs != runs) {
            cap_link(r);
            el_match_open(m, r->catalog, &r->links);
            runs = r->catalog->runs;
        }
        el_match_take(m, r->catalog, b);
    }
    el_match_disks(m, r->catalog, &r->links);
    el_match_free(m);
    el_crew_free(crew);
}

static const struct {
    unsigned luns, disks, lun_of[9];
    bool same, noise;
    enum el_certainty by;
    bool plain;
} rows[] = {
    { 1, 1, { 0 }, false, false, EL_BY_NAME, false },
    { 1, 2, { 0, 0 }, false, false, EL_BY_NAME, false },
    { 2, 2, { 0, 1 }, false, false, EL_BY_RATE, false },
    { 2, 2, { 1, 0 }, false, false, EL_BY_RATE, false },
    { 2, 2, { 1, 0 }, false, true, EL_BY_RATE, false },
    { 2, 3, { 0, 1, 0 }, false, false, EL_BY_RATE, false },
    { 2, 3, { 1, 0, 0 }, false, true, EL_BY_RATE, false },
    { 3, 3, { 2, 0, 1 }, false, false, EL_BY_RATE, false },
    { 2, 4, { 1, 0, 0, 1 }, false, true, EL_BY_RATE, false },
    { 2, 3, { 1, 0, 0 }, false, true, EL_BY_RATE, true },
    /* too many assignments to look at all */
    { 5, 8, { 0, 1, 2, 3, 4, 0, 1, 2 }, false, true, EL_BY_RATE, false },
    { 4, 9, { 3, 1, 2, 1, 0, 0, 1, 2, 3 }, false, true, EL_BY_RATE, false },
    { 3, 7, { 0, 1, 2, 1, 0, 0, 1 }, true, false, EL_UNLINKED, false },
    { 2, 2, { 0, 1 }, true, false, EL_UNLINKED, false }, /* both disks do the same */
};

START_TEST(matches_disks) {
    struct cap c = { 0 };
    struct cap_reading r;
    make(&c, rows[_i].luns, rows[_i].disks, rows[_i].lun_of, rows[_i].same, rows[_i].noise,
         rows[_i].plain);
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

/* ---- hosts with many disks ---- */

/* 40 VMs with 1 to 4 disks each on 12 LUNs, an NFS volume, and what makes it hard: disks that do the same, that rest or
 * that work once; commands counted at the disk in one interval and at the LUN in the next; snapshots, which
 * read more from the LUN than the disk asks for; swap files; disks on NFS, which no world carries. */
enum { VMS = 40, LUNS = 12, MOST_DISKS = 4, SAMPLES = 60, NOWHERE = LUNS, SEEDS = 20 };

struct made_disk {
    unsigned vm, lun, number;
    unsigned load; /* 0 steady, 1 on and off, 2 one job, 3 hardly any */
    double rate, read_share, kb, snapshot;
    unsigned twin;                          /* does what that disk does; itself: what it likes */
    double reads[SAMPLES], writes[SAMPLES]; /* completed at the disk */
};

struct made_host {
    uint64_t random;
    struct made_disk disk[VMS * MOST_DISKS];
    unsigned disks;
    bool uses[VMS][LUNS];
    double reads[VMS][LUNS][SAMPLES], writes[VMS][LUNS][SAMPLES], mb[2][VMS][LUNS][SAMPLES];
};

static double unit(struct made_host *h) { /* xorshift64* (Vigna 2016), 0 to 1 */
    h->random ^= h->random >> 12;
    h->random ^= h->random << 25;
    h->random ^= h->random >> 27;
    return (double)(h->random * UINT64_C(2685821657736338717) >> 11) / 9007199254740992.0;
}

static unsigned below(struct made_host *h, unsigned n) {
    return (unsigned)(unit(h) * n);
}

/* A count with the mean and variance of Poisson's: sum of uniform draws. */
static double around(struct made_host *h, double mean) {
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += unit(h);
    if (mean < 4)
        return unit(h) < mean / 4 ? below(h, 7) + 1 : 0;
    double n = floor(mean + sqrt(mean) * sum + 0.5);
    return n > 0 ? n : 0;
}

static void make_load(struct made_host *h, struct made_disk *d) {
    unsigned start = below(h, SAMPLES), length = 5 + below(h, 15);
    bool on = true;
    for (unsigned t = 0; t < SAMPLES; t++) {
        on = d->load == 1   ? (unit(h) < 0.2 ? !on : on)
             : d->load == 2 ? t >= start && t < start + length
                            : true;
        double n = on ? around(h, d->load == 3 ? 0.1 : d->rate * 5) : 0;
        d->reads[t] = floor(n * d->read_share + unit(h));
        d->reads[t] = d->reads[t] > n ? n : d->reads[t];
        d->writes[t] = n - d->reads[t];
    }
}

static void make_disks(struct made_host *h) {
    for (unsigned vm = 0; vm < VMS; vm++) {
        unsigned home = below(h, LUNS), first = h->disks, count = 1 + below(h, MOST_DISKS);
        for (unsigned k = 0; k < count; k++) {
            struct made_disk *d = &h->disk[h->disks];
            *d = (struct made_disk){ .vm = vm, .number = k, .twin = h->disks++ };
            d->lun = unit(h) < 0.05 ? NOWHERE : unit(h) < 0.4 ? home : below(h, LUNS);
            d->load = below(h, 10) ? below(h, 3) : 3;
            d->rate = 2 + unit(h) * unit(h) * 300;
            d->read_share = unit(h);
            d->kb = 4 << below(h, 5);
            d->snapshot = unit(h) < 0.1 ? 0.3 * unit(h) : 0;
            if (k && unit(h) < 0.03)
                d->twin = first;
            make_load(h, d);
        }
    }
}

/* What the LUN counts of a disk: commands at the end of an interval come one later, snapshots read more. */
static void book(struct made_host *h, const struct made_disk *d) {
    const struct made_disk *does = &h->disk[d->twin];
    double late[2] = { 0 };
    h->uses[d->vm][d->lun] = true;
    for (unsigned t = 0; t < SAMPLES; t++) {
        const double count[2] = { does->reads[t], does->writes[t] };
        double *to[2] = { &h->reads[d->vm][d->lun][t], &h->writes[d->vm][d->lun][t] };
        for (int k = 0; k < 2; k++) {
            double held = count[k] > 3 ? below(h, 3) : 0,
                   more = k == 0 ? floor(count[0] * d->snapshot) : 0;
            double n = count[k] + late[k] - held + more;
            late[k] = held;
            *to[k] += n;
            h->mb[k][d->vm][d->lun][t] += n * d->kb / 1024;
        }
    }
}

static void make_luns(struct made_host *h) {
    for (unsigned i = 0; i < h->disks; i++)
        if (h->disk[i].lun != NOWHERE)
            book(h, &h->disk[i]);
    for (unsigned vm = 0; vm < VMS; vm++) /* swap */
        for (unsigned lun = 0; lun < LUNS && vm % 8 == 0; lun++)
            for (unsigned t = 20; t < 30 && h->uses[vm][lun]; t++)
                h->reads[vm][lun][t] += around(h, 80);
}

static void print_host(const struct made_host *h, struct cap *c, unsigned t, struct el_buf *row) {
    char object[80];
    for (unsigned lun = 0; lun < LUNS; lun++) {
        snprintf(object, sizeof object, "Physical Disk SCSI Device(naa.%u)", lun);
        if (t == 0)
            cap_object(c, object, "cmds");
        el_buf_text(row, "0 ");
        for (unsigned vm = 0; vm < VMS; vm++) {
            if (!h->uses[vm][lun])
                continue;
            snprintf(object, sizeof object, "Physical Disk Per-Device-Per-World(naa.%u-%u)", lun,
                     100 + vm);
            if (t == 0)
                cap_object(c, object, "reads writes mb_rd mb_wr");
            el_buf_print(row, "%.2f %.2f %.2f %.2f ", h->reads[vm][lun][t] / 5,
                         h->writes[vm][lun][t] / 5, h->mb[0][vm][lun][t] / 5,
                         h->mb[1][vm][lun][t] / 5);
        }
    }
    for (unsigned i = 0; i < h->disks; i++) {
        const struct made_disk *d = &h->disk[i], *does = &h->disk[d->twin];
        snprintf(object, sizeof object, "Virtual Disk(v%u:scsi0:%u)", d->vm, d->number);
        if (t == 0)
            cap_object(c, object, "reads writes mb_rd mb_wr");
        el_buf_print(row, "%.2f %.2f %.2f %.2f ", does->reads[t] / 5, does->writes[t] / 5,
                     does->reads[t] * d->kb / 5120, does->writes[t] * d->kb / 5120);
    }
}

static void make_many(struct made_host *h, struct cap *c) {
    struct el_buf row = { 0 }, ports = { 0 };
    char object[80];
    cap_begin(c, "esx1", NULL);
    for (unsigned t = 0; t < SAMPLES; t++) {
        el_buf_clear(&row);
        print_host(h, c, t, &row);
        for (unsigned vm = 0; t == 0 && vm < VMS; vm++) {
            snprintf(object, sizeof object, "Virtual Disk(v%u)", vm);
            cap_object(c, object, "reads");
            snprintf(object, sizeof object, "Network Port(v:%u:%u:v%u)\\Port", vm, 100 + vm, vm);
            cap_cell(c, object);
            el_buf_text(&ports, "0 0 ");
        }
        el_buf_print(&row, "%s", ports.ptr);
        if (t == 0)
            cap_row(c, 0, row.ptr);
        cap_row(c, (int)t * 5 + 5, row.ptr);
    }
    el_buf_release(&row);
    el_buf_release(&ports);
}

struct tally {
    unsigned disks, right, uncertain, wrong; /* of the disks with at least 100 commands */
    unsigned idle_wrong;
};

static void count_disks(const struct made_host *h, const struct cap_reading *r, struct tally *t) {
    for (unsigned i = 0; i < h->disks; i++) {
        const struct made_disk *d = &h->disk[i], *does = &h->disk[d->twin];
        char disk[40], lun[20];
        double commands = 0;
        for (unsigned s = 0; s < SAMPLES; s++)
            commands += does->reads[s] + does->writes[s];
        snprintf(disk, sizeof disk, "v%u:scsi0:%u", d->vm, d->number);
        snprintf(lun, sizeof lun, "naa.%u", d->lun);
        const struct el_entity *e = cap_entity(r, EL_VDISK, disk);
        bool right = d->lun == NOWHERE ? e->lun == EL_NOTHING : e->lun == cap_id(r, EL_LUN, lun),
             wrong = !right && e->lun != EL_NOTHING;
        if (commands < 100) {
            t->idle_wrong += wrong && e->lun_by == EL_BY_RATE;
            continue;
        }
        t->disks++;
        t->right += right;
        t->wrong += wrong;
        t->uncertain += !right && !wrong;
        if (wrong)
            printf("%s: on %s, truly on %u, %g commands, twin %u of %u, certain %g\n", disk,
                   e->lun == EL_NOTHING ? "none" : r->catalog->entity[e->lun].name.ptr, d->lun,
                   commands, d->twin, i, e->lun_sure);
    }
}

/* At least 95 % right, and what is wrong is marked. */
START_TEST(matches_many_disks) {
    struct tally all = { 0 };
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        struct made_host *h = el_calloc(1, sizeof *h);
        struct cap c = { 0 };
        struct cap_reading r;
        h->random = UINT64_C(0x9e3779b97f4a7c15) * seed;
        make_disks(h);
        make_luns(h);
        make_many(h, &c);
        match(&c, &r);
        count_disks(h, &r, &all);
        cap_close(&r);
        cap_release(&c);
        el_free(h);
    }
    if (getenv("MATCH_FIGURES"))
        printf("%u disks: %u right, %u uncertain, %u wrong and certain; idle and wrong %u\n",
               all.disks, all.right, all.uncertain, all.wrong, all.idle_wrong);
    ck_assert_uint_gt(all.disks, 1500);
    ck_assert_msg(all.right * 100 >= all.disks * 95, "%u of %u right", all.right, all.disks);
    ck_assert_uint_eq(all.wrong + all.idle_wrong, 0);
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
    struct el_arena memory = { 0 };
    for (const struct el_block *b; (b = cap_next(&r)) != NULL;) {
        stats = el_calloc(r.catalog->entities, sizeof *stats);
        for (uint32_t e = 0; e < r.catalog->entities; e++)
            el_stats_take(&stats[e], &r.catalog->entity[e], e,
                          (struct el_stats_kept){ EL_S_ALL, EL_S_ALL }, b, &r.catalog->run,
                          &memory);
    }
    el_match_paths(r.catalog, stats);
    ck_assert(r.catalog->scattered);
    ck_assert_uint_eq(cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L1")->lun, cap_id(&r, EL_LUN, "naa.1"));
    ck_assert_uint_eq(cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L2")->lun, cap_id(&r, EL_LUN, "naa.2"));
    ck_assert_int_eq(cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L2")->lun_by, EL_BY_RATE);
    ck_assert_uint_eq(cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L9")->lun, EL_NOTHING);
    el_arena_release(&memory);
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
    t = tcase_create("many");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, matches_many_disks);
    suite_add_tcase(s, t);
    return s;
}
