#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../src/report/gnuplot.h"
#include "test_report_made.h"
#include "unit.h"

static const struct {
    struct el_str name;
    const char *title, *tic;
} escapes[] = {
    { { "a`b$(c)", 7 }, "'x a`b$(c)'", "' a`b$(c)'" },
    { { "it's", 4 }, "'x it''s'", "' it''s'" },
    { { "'", 1 }, "'x '''", "' '''" },
    { { "a\"\\", 3 }, "'x a\"\\'", "' a\"\\'" },
    { { "<&>", 3 }, "'x <&>'", "' <&>'" },
    { { "5%d", 3 }, "'x 5%d'", "' 5%%d'" },
    { { "a\nb", 3 }, "'x a\\x0ab'", "' a\\x0ab'" },
    { { "\033[m", 3 }, "'x \\x1b[m'", "' \\x1b[m'" },
    { { "a\xff", 2 }, "'x a\\xff'", "' a\\xff'" },
    { { "0123456789abcdef0123456789", 26 },
      "'x 0123456789a...f0123456789'",
      "' 0123456789a...f0123456789'" },
};

START_TEST(escapes_names) {
    struct el_buf out = { 0 };
    el_gp_name(&out, "x ", escapes[_i].name, 25, "");
    ck_assert_str_eq(out.ptr, escapes[_i].title);
    el_buf_clear(&out);
    el_gp_tic(&out, escapes[_i].name, 25);
    ck_assert_str_eq(out.ptr, escapes[_i].tic);
    el_buf_release(&out);
}
END_TEST

/* A folder of the test's own, and what was made in it. */
struct place {
    char folder[64];
    size_t written, drawn;
    bool good;
    struct el_error err;
};

static void draw(struct place *p, size_t luns, bool nasty) {
    struct el_report r;
    char plots[80];
    (void)snprintf(plots, sizeof plots, "%s/a/plots", p->folder);
    if (luns)
        make_report(&r, luns, 1, nasty);
    else
        make_empty(&r);
    p->good = el_report_plots(&r, plots, &p->written, &p->drawn, &p->err);
    el_report_release(&r);
}

static void open_place(struct place *p) {
    const char *base = getenv("TMPDIR");
    *p = (struct place){ .good = false };
    (void)snprintf(p->folder, sizeof p->folder, "%.40s/esxlat-XXXXXX", base ? base : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(p->folder));
}

/* Files of the folder whose name ends so; those that begin with a dot are left-overs. */
static size_t files(const struct place *p, const char *end) {
    char plots[80];
    size_t count = 0;
    (void)snprintf(plots, sizeof plots, "%s/a/plots", p->folder);
    DIR *d = opendir(plots);
    ck_assert_ptr_nonnull(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        size_t n = strlen(e->d_name), m = strlen(end);
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        ck_assert_msg(e->d_name[0] != '.', "left over: %s", e->d_name);
        ck_assert_msg(strstr(e->d_name, "pwned") == NULL, "a name was run: %s", e->d_name);
        count += n > m && strcmp(e->d_name + n - m, end) == 0;
    }
    closedir(d);
    return count;
}

static void remove_folder(const char *path) {
    DIR *d = opendir(path);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        char below[400];
        struct stat st;
        (void)snprintf(below, sizeof below, "%s/%s", path, e->d_name);
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (lstat(below, &st) == 0 && S_ISDIR(st.st_mode))
            remove_folder(below);
        else
            (void)unlink(below);
    }
    if (d)
        closedir(d);
    (void)rmdir(path);
}

/* Scripts are written where there is no gnuplot. */
START_TEST(works_without_gnuplot) {
    struct place p;
    open_place(&p);
    ck_assert_int_eq(setenv("PATH", "/nowhere::.", 1), 0);
    draw(&p, 3, true);
    ck_assert_msg(p.good, "%s", p.err.text);
    ck_assert_uint_eq(p.written, 10);
    ck_assert_uint_eq(p.drawn, 0);
    ck_assert_uint_eq(files(&p, ".gp"), p.written);
    ck_assert_uint_eq(files(&p, ".svg"), 0);
    remove_folder(p.folder);
}
END_TEST

/* A gnuplot that fails is told, the scripts are there. */
START_TEST(tells_what_could_not_be_drawn) {
    struct place p;
    char program[96];
    open_place(&p);
    (void)snprintf(program, sizeof program, "%s/gnuplot", p.folder);
    FILE *f = fopen(program, "w");
    ck_assert_ptr_nonnull(f);
    (void)fputs("#!/bin/sh\nexit 1\n", f);
    ck_assert_int_eq(fclose(f), 0);
    ck_assert_int_eq(chmod(program, 0755), 0);
    ck_assert_int_eq(setenv("PATH", p.folder, 1), 0);
    draw(&p, 1, false);
    ck_assert(!p.good);
    ck_assert_int_eq(p.err.status, EL_SYSTEM);
    ck_assert_msg(strstr(p.err.text, "gnuplot could not draw heat-devices.gp, ") != NULL, "%s",
                  p.err.text);
    ck_assert_uint_eq(p.drawn, 0);
    ck_assert_uint_eq(files(&p, ".gp"), p.written);
    remove_folder(p.folder);
}
END_TEST

static bool has_gnuplot(void) {
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}

static const struct {
    size_t luns;
    bool nasty;
    size_t scripts;
} drawings[] = { { 0, false, 0 }, { 1, false, 10 }, { 14, true, 10 } };

START_TEST(draws) {
    struct place p;
    if (!has_gnuplot())
        return;
    open_place(&p);
    draw(&p, drawings[_i].luns, drawings[_i].nasty);
    ck_assert_msg(p.good, "%s", p.err.text);
    ck_assert_uint_eq(p.written, drawings[_i].scripts);
    ck_assert_uint_eq(p.drawn, p.written);
    ck_assert_uint_eq(files(&p, ".svg"), p.written);
    ck_assert_uint_eq(files(&p, ".png"), p.written);
    remove_folder(p.folder);
}
END_TEST

START_TEST(fails_where_nothing_can_be_written) {
    struct el_report r;
    struct el_error err = { 0 };
    size_t written = 7, drawn = 7;
    make_report(&r, 1, 1, false);
    ck_assert(!el_report_plots(&r, "/dev/null/plots", &written, &drawn, &err));
    ck_assert_int_eq(err.status, EL_SYSTEM);
    ck_assert_msg(strstr(err.text, "cannot make the folder '/dev/null/plots': ") == err.text, "%s",
                  err.text);
    ck_assert_uint_eq(written, 0);
    ck_assert_uint_eq(drawn, 0);
    el_report_release(&r);
}
END_TEST

Suite *suite_report_plots(void) {
    Suite *s = suite_create("report plots");
    TCase *t = tcase_create("plots");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, escapes_names, 0, sizeof escapes / sizeof *escapes);
    tcase_add_loop_test(t, draws, 0, sizeof drawings / sizeof *drawings);
    tcase_add_test(t, works_without_gnuplot);
    tcase_add_test(t, tells_what_could_not_be_drawn);
    tcase_add_test(t, fails_where_nothing_can_be_written);
    suite_add_tcase(s, t);
    return s;
}
