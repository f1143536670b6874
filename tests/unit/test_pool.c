/* Pooling of rows with few commands. */
#include "unit.h"

#include <string.h>

#include "esxlat/base/num.h"
#include "esxlat/metrics/pool.h"

enum { MOST = EL_BLOCK_ROWS };

/* Rows of 5 s each; row i ends at 5000 x (i + 1). */
struct rows {
    double commands[MOST], cmds[MOST], reads[MOST], writes[MOST], seconds[MOST], davg[MOST],
        davg_rd[MOST], actv[MOST], ats[MOST];
    int64_t from[MOST], to[MOST];
    struct el_samples in;
};

static void prepare(struct rows *r, size_t rows, const double *commands) {
    memset(r, 0, sizeof *r);
    for (size_t i = 0; i < rows; i++) {
        r->commands[i] = commands[i];
        r->cmds[i] = commands[i] / 5;
        r->reads[i] = commands[i] / 20;
        r->writes[i] = 3 * r->reads[i];
        r->seconds[i] = 5;
        r->davg[i] = commands[i] > 0 ? (double)(i + 1) : EL_NAN;
        r->davg_rd[i] = commands[i] > 0 ? (double)(2 * i + 1) : EL_NAN;
        r->ats[i] = (double)i;
        r->from[i] = (int64_t)i * 5000;
        r->to[i] = r->from[i] + 5000;
    }
    r->in = (struct el_samples){ .rows = rows, .from = r->from, .to = r->to };
    r->in.column[EL_M_commands] = r->commands;
    r->in.column[EL_M_cmds] = r->cmds;
    r->in.column[EL_M_reads] = r->reads;
    r->in.column[EL_M_writes] = r->writes;
    r->in.column[EL_M_seconds] = r->seconds;
    r->in.column[EL_M_davg] = r->davg;
    r->in.column[EL_M_davg_rd] = r->davg_rd;
    r->in.column[EL_M_actv] = r->actv;
    r->in.column[EL_M_ats] = r->ats;
}

/* Samples as "from-to:commands,davg,actv ", times in rows. */
static void put(struct el_buf *out, const struct el_samples *s) {
    for (size_t i = 0; i < s->rows; i++)
        el_buf_print(out, "%g-%g:%g,%.4g,%.3g ", (double)s->from[i] / 5000, (double)s->to[i] / 5000,
                     s->column[EL_M_commands][i], s->column[EL_M_davg][i], s->column[EL_M_actv][i]);
}

static struct el_samples part(const struct rows *r, size_t at, size_t count) {
    struct el_samples p = r->in;
    p.rows = count;
    p.from += at;
    p.to += at;
    for (size_t m = 0; m < EL_METRICS; m++)
        if (p.column[m])
            p.column[m] += at;
    return p;
}

/* The rows in pieces of `step`. */
static void pool_rows(const struct rows *r, size_t step, struct el_buf *out) {
    struct el_pool pool = { 0 };
    struct el_pooled scratch = { 0 };
    struct el_samples got;
    for (size_t at = 0; at < r->in.rows; at += step) {
        struct el_samples in = part(r, at, at + step < r->in.rows ? step : r->in.rows - at);
        el_pool_feed(&pool, &in, &scratch, &got);
        put(out, &got);
    }
    el_pool_finish(&pool, &scratch, &got);
    put(out, &got);
    el_pool_finish(&pool, &scratch, &got);
    ck_assert_uint_eq(got.rows, 0);
    el_pool_release(&pool);
    el_pooled_release(&scratch);
}

/* davg of row i is i + 1. */
static const struct {
    size_t rows;
    double commands[16], actv[16];
    const char *samples;
} tables[] = {
    { 3, { 100, 20, 50 }, { 0 }, "0-1:100,1,0 1-2:20,2,0 2-3:50,3,0 " },
    { 3, { 10, 9, 1 }, { 1, 2, 3 }, "0-3:20,1.55,2 " }, /* (10 x 1 + 9 x 2 + 1 x 3) / 20 */
    { 3, { 10, 9, 0.5 }, { 0 }, "0-3:19.5,1.513,0 " },  /* what is left at the end */
    { 4, { 4, 8, 12, 30 }, { 3, 0, 0, 5 }, "0-3:24,2.333,1 3-4:30,4,5 " },
    { 2, { 19.99, 0.01 }, { 0 }, "0-2:20,1,0 " },
    { 5, { 0, 0, 0, 0, 0 }, { 0 }, "" },
    { 4, { 0, 0, 25, 0 }, { 0 }, "2-3:25,3,0 " },
    { 4,
      { 0, 0, 10, 10 },
      { 0 },
      "2-4:20,3.5,0 " }, /* idle rows before the first command are dropped */
    { 3,
      { 0, 0, 25 },
      { 3, 4, 0 },
      "0-1:0,nan,3 1-2:0,nan,4 2-3:25,3,0 " }, /* a stall is passed on */
    { 3, { 0, 0, 25 }, { 3, 0, 0 }, "0-1:0,nan,3 2-3:25,3,0 " },
    { 3, { 5, 0, 15 }, { 0, 6, 0 }, "0-3:20,2.5,2 " }, /* once pooled, empty rows count too */
    { 14, { 1 }, { 12 }, "0-12:1,1,1 " },              /* 12 rows went by; then idle again */
    { 13, { 0, 1 }, { 0 }, "1-13:1,2,0 " },
    { 14, { 1, [11] = 18, [12] = 30 }, { 0 }, "0-12:19,11.42,0 12-13:30,13,0 " },
};

START_TEST(pools_rows) {
    for (size_t step = 1; step <= tables[_i].rows; step++) {
        struct rows r;
        struct el_buf out = { 0 };
        prepare(&r, tables[_i].rows, tables[_i].commands);
        memcpy(r.actv, tables[_i].actv, sizeof tables[_i].actv);
        pool_rows(&r, step, &out);
        ck_assert_msg(strcmp(out.ptr ? out.ptr : "", tables[_i].samples) == 0, "step %zu: %s", step,
                      out.ptr ? out.ptr : "");
        el_buf_release(&out);
    }
}
END_TEST

/* Latencies weigh by commands of their sort, rates and gauges by time, counts add up. */
START_TEST(weighs_each_metric) {
    static const double commands[] = { 4, 16 };
    struct rows r;
    struct el_pool pool = { 0 };
    struct el_pooled scratch = { 0 };
    struct el_samples got;
    prepare(&r, 2, commands);
    r.seconds[1] = 15;
    r.cmds[0] = .8;
    r.cmds[1] = 16.0 / 15;
    r.reads[0] = .2; /* 1 read */
    r.reads[1] = .2; /* 3 reads */
    r.actv[0] = 1;
    r.actv[1] = 5;
    el_pool_feed(&pool, &r.in, &scratch, &got);
    ck_assert_uint_eq(got.rows, 1);
    ck_assert_double_eq_tol(got.column[EL_M_commands][0], 20, 1e-9);
    ck_assert_double_eq_tol(got.column[EL_M_seconds][0], 20, 1e-9);
    ck_assert_double_eq_tol(got.column[EL_M_cmds][0], 1, 1e-9);
    ck_assert_double_eq_tol(got.column[EL_M_davg][0], (4 * 1 + 16 * 2) / 20.0, 1e-9);
    ck_assert_double_eq_tol(got.column[EL_M_davg_rd][0], (1 * 1 + 3 * 3) / 4.0, 1e-9);
    ck_assert_double_eq_tol(got.column[EL_M_actv][0], (5 * 1 + 15 * 5) / 20.0, 1e-9);
    ck_assert_double_eq_tol(got.column[EL_M_ats][0], 1, 1e-9);
    ck_assert_ptr_null(got.column[EL_M_kavg]);
    el_pool_release(&pool);
    el_pooled_release(&scratch);
}
END_TEST

START_TEST(leaves_missing_values_out) {
    static const double commands[] = { 8, 8, 8 };
    struct rows r;
    struct el_pool pool = { 0 };
    struct el_pooled scratch = { 0 };
    struct el_samples got;
    prepare(&r, 3, commands);
    r.davg[1] = EL_NAN;
    r.actv[0] = EL_NAN;
    r.actv[1] = 3;
    for (size_t i = 0; i < 3; i++)
        r.davg_rd[i] = EL_NAN;
    el_pool_feed(&pool, &r.in, &scratch, &got);
    ck_assert_uint_eq(got.rows, 1);
    ck_assert_double_eq_tol(got.column[EL_M_davg][0], 2, 1e-9);
    ck_assert_double_eq_tol(got.column[EL_M_actv][0], 1.5, 1e-9);
    ck_assert(el_missing(got.column[EL_M_davg_rd][0]));
    el_pool_release(&pool);
    el_pooled_release(&scratch);
}
END_TEST

/* Busy rows are not copied. */
START_TEST(passes_busy_rows_on) {
    static const double commands[] = { 20, 21, 22 };
    struct rows r;
    struct el_pool pool = { 0 };
    struct el_pooled scratch = { 0 };
    struct el_samples got;
    prepare(&r, 3, commands);
    el_pool_feed(&pool, &r.in, &scratch, &got);
    ck_assert_uint_eq(got.rows, 3);
    ck_assert_ptr_eq(got.column[EL_M_davg], r.davg);
    el_pool_release(&pool);
    el_pooled_release(&scratch);
}
END_TEST

Suite *pool(void) {
    Suite *s = suite_create("pool");
    TCase *t = tcase_create("pool");
    tcase_add_loop_test(t, pools_rows, 0, (int)(sizeof tables / sizeof *tables));
    tcase_add_test(t, weighs_each_metric);
    tcase_add_test(t, leaves_missing_values_out);
    tcase_add_test(t, passes_busy_rows_on);
    suite_add_tcase(s, t);
    return s;
}
