/* A guest over a capture: which disk is which, and how long commands waited in the guest. */
#include "test_reader_made.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "esxlat/base/num.h"
#include "esxlat/guest/join.h"

enum { ROWS = 200, SECONDS = 5 };

/* Rates that never repeat: 100 to 1099; always the same where `steady`. */
static unsigned rate(unsigned track, unsigned row, bool steady) {
    unsigned n = (row * 7919u + track * 104729u + row * row * 31u * (track + 1)) % 1000;
    return steady ? 500 + 200 * track : 100 + n;
}

/* VM "web01" has disks 0 and 1, VM "other" has disk 2, with LAT of 2, 4 and 3 ms. */
static void make_host(struct cap *c, bool steady) {
    struct el_buf row = { 0 };
    cap_begin(c, "esx1", NULL);
    cap_object(c, "Virtual Disk(web01)", "cmds");
    cap_object(c, "Virtual Disk(web01:scsi0:0)", "reads writes lat_rd lat_wr");
    cap_object(c, "Virtual Disk(web01:scsi0:1)", "reads writes lat_rd lat_wr");
    cap_object(c, "Virtual Disk(other)", "cmds");
    cap_object(c, "Virtual Disk(other:scsi0:0)", "reads writes lat_rd lat_wr");
    for (unsigned r = 0; r < ROWS; r++) {
        unsigned a = rate(0, r, steady), b = rate(1, r, steady), d = rate(2, r, steady);
        el_buf_clear(&row);
        el_buf_print(&row, "%u %u %u 2 2 %u %u 4 4 %u %u %u 3 3", a + b, a, a / 4, b, b / 4, d, d,
                     d / 4);
        cap_row(c, (int)r * SECONDS, row.ptr);
    }
    el_buf_release(&row);
}

/* The guest's disks are swapped: "sda" is disk 1.  Its clock is `ahead` seconds ahead; commands take `queue` ms longer. */
static void make_guest(struct el_guest *g, const char *host, int ahead, double queue, bool steady) {
    static const char *const names[] = { "sdb", "sda" };
    *g = (struct el_guest){ .kind = "iostat", .has_zone = true };
    g->host = el_str(host);
    for (unsigned d = 2; d-- > 0;) {
        struct el_guest_disk *disk = EL_PUSH(g->disk, g->disks, g->room);
        *disk = (struct el_guest_disk){ .name = el_str(names[d]) };
        for (unsigned r = 1; r < ROWS; r++) {
            int64_t to = CAP_START + ((int64_t)r * SECONDS + ahead) * 1000;
            unsigned reads = rate(d, r, steady), writes = reads / 4;
            double ios = SECONDS * (double)(reads + writes);
            const struct el_flow f = { to - 1000 * SECONDS,
                                       to,
                                       ios,
                                       SECONDS * (double)reads,
                                       SECONDS * (double)writes,
                                       ios,
                                       ios * (2 + 2 * d + queue) };
            el_trace_add(&disk->trace, &f);
        }
    }
}

struct joining {
    struct cap cap;
    struct cap_reading reading;
    struct el_guest guest;
    struct el_guest_wish wish;
    struct el_watch *watch;
    struct el_join join;
};

static void join(struct joining *j, const char *vm, const char *host, int ahead, double queue,
                 bool steady) {
    *j = (struct joining){ 0 };
    make_host(&j->cap, steady);
    make_guest(&j->guest, host, ahead, queue, steady);
    j->wish = (struct el_guest_wish){ vm ? el_str(vm) : (struct el_str){ NULL, 0 }, j->guest.host };
    j->watch = el_watch_new(&j->wish, 1);
    cap_open(&j->reading, cap_bytes(&j->cap), NULL);
    size_t runs = 0;
    for (const struct el_block *b; (b = cap_next(&j->reading)) != NULL;) {
        if (j->reading.catalog->runs != runs)
            el_watch_open(j->watch, j->reading.catalog);
        runs = j->reading.catalog->runs;
        el_watch_take(j->watch, b, &j->reading.catalog->run);
    }
    el_watch_finish(j->watch);
    el_join(&j->guest, &j->wish, j->reading.catalog, j->watch, &j->join);
}

static void release(struct joining *j) {
    el_join_release(&j->join);
    el_watch_free(j->watch);
    cap_close(&j->reading);
    cap_release(&j->cap);
    for (size_t i = 0; i < j->guest.disks; i++)
        el_trace_release(&j->guest.disk[i].trace);
    el_free(j->guest.disk);
}

static const struct {
    const char *vm, *host;
    int ahead;
    double queue;
    enum el_vm_by by;
} rows[] = {
    { "web01", "localhost", 1234, 10, EL_VM_GIVEN },
    { "web01", "localhost", -3600, 0.5, EL_VM_GIVEN },
    { NULL, "WEB01.example.com", 3600, 3, EL_VM_BY_HOST_NAME },
    { NULL, "localhost", -17, 25, EL_VM_BY_RATES },
    { NULL, "", 0, 0, EL_VM_BY_RATES },
};

START_TEST(joins) {
    struct joining j;
    join(&j, rows[_i].vm, rows[_i].host, rows[_i].ahead, rows[_i].queue, false);
    ck_assert_str_eq(j.join.reason, "");
    ck_assert_uint_eq(j.join.vm, cap_id(&j.reading, EL_VM, "web01"));
    ck_assert_int_eq(j.join.vm_by, rows[_i].by);
    ck_assert_int_eq(j.join.clock.sure, EL_SURE_HIGH);
    ck_assert_double_eq_tol(j.join.clock.offset, 1000.0 * rows[_i].ahead, 1000);
    ck_assert_uint_eq(j.join.disks, 2);
    ck_assert_uint_eq(j.join.joined, 2);
    for (unsigned d = 0; d < 2; d++) { /* sda is scsi0:1 */
        const struct el_joined_disk *k = &j.join.disk[d];
        ck_assert_uint_eq(k->vdisk,
                          cap_id(&j.reading, EL_VDISK, d ? "web01:scsi0:0" : "web01:scsi0:1"));
        ck_assert_int_eq(k->link, EL_BY_RATE);
        ck_assert_double_eq_tol(k->lat, d ? 2 : 4, 1e-6);
        ck_assert_double_eq_tol(k->queue, rows[_i].queue, 1e-6);
        ck_assert_double_eq_tol(k->seconds, (ROWS - 1) * SECONDS, 2);
    }
    release(&j);
}
END_TEST

struct seen {
    size_t rows;
    double commands, wait, device, vmkernel;
};

static void see(void *ctx, const struct el_samples *s) {
    struct seen *seen = ctx;
    for (size_t i = 0; i < s->rows; i++) {
        seen->commands += s->column[EL_M_commands][i];
        seen->wait += s->column[EL_M_commands][i] * s->column[EL_M_guest_queue][i];
        seen->device += s->column[EL_M_wait_device][i];
        seen->vmkernel += s->column[EL_M_wait_vmkernel][i];
        ck_assert_int_eq(s->to[i] - s->from[i], 1000 * SECONDS);
        ck_assert_double_eq_tol(s->column[EL_M_lat][i], 4, 1e-6);
    }
    seen->rows += s->rows;
}

/* What the rules see adds up to what was measured. */
START_TEST(gives_samples) {
    struct joining j;
    struct seen seen = { 0 };
    bool steady = _i == 1;
    join(&j, "web01", "", 300, 6, steady);
    const struct el_joined_disk *d = &j.join.disk[0];
    el_join_samples(&j.join, d, 0.75, see, &seen);
    ck_assert_uint_ge(seen.rows, ROWS - 3);
    ck_assert_double_eq_tol(seen.wait / seen.commands, 6, 1e-6);
    ck_assert_double_eq_tol(1000 * seen.device / seen.commands, 3, 1e-6); /* 0.75 of LAT */
    ck_assert_double_eq_tol(1000 * seen.vmkernel / seen.commands, 1, 1e-6);
    double from = CAP_START + 1000 * 100, to = from + 1000 * 100; /* a part of the time */
    struct el_flow f;
    (void)el_trace_between(d->host, from, to, &(size_t){ 0 }, &f);
    ck_assert_double_eq_tol(el_join_wait(&j.join, d, from, to), 0.006 * f.ios, 1e-6 * f.ios);
    release(&j);
}
END_TEST

/* Guest and host do not name each other: the load of nobody here, and a load that tells no clocks apart. */
START_TEST(refuses_what_is_unclear) {
    struct joining j;
    join(&j, NULL, "localhost", 100, 5, true);
    ck_assert_uint_eq(j.join.joined, 0);
    ck_assert_int_eq(j.join.clock.sure, EL_SURE_NOT);
    ck_assert_uint_gt(strlen(j.join.reason), 0);
    release(&j);
    join(&j, "other", "localhost", 100, 5, false); /* the wrong machine was named */
    ck_assert_uint_eq(j.join.joined, 0);
    ck_assert_uint_gt(strlen(j.join.reason), 0);
    release(&j);
}
END_TEST

static const struct {
    const char *given, *host, *vm;
    bool fits;
} names[] = {
    { "web01", "x", "web01", true },
    { "web01", "web02", "web02", false },
    { "Web01", "", "web01", false },
    { NULL, "WEB01", "web01", true },
    { NULL, "web01.example.com", "web01", true },
    { NULL, "CRMTEST2", "CRM Test 2", true },
    { NULL, "SQL02DF09CDF2-1", "SQL02 (df09cdf2-1e74)", true }, /* cut at 15 */
    { NULL, "SQL02", "SQL02 (df09cdf2-1e74)", false },
    { NULL, "", "", false },
    { NULL, "", "web01", false },
};

START_TEST(fits) {
    const struct el_guest_wish w = { names[_i].given ? el_str(names[_i].given)
                                                     : (struct el_str){ NULL, 0 },
                                     el_str(names[_i].host) };
    ck_assert_int_eq(el_guest_fits(&w, el_str(names[_i].vm)), names[_i].fits);
}
END_TEST

Suite *guest_join_suite(void) {
    Suite *s = suite_create("guest_join");
    TCase *t = tcase_create("join");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, joins, 0, sizeof rows / sizeof *rows);
    tcase_add_loop_test(t, gives_samples, 0, 2);
    tcase_add_test(t, refuses_what_is_unclear);
    tcase_add_loop_test(t, fits, 0, sizeof names / sizeof *names);
    suite_add_tcase(s, t);
    return s;
}
