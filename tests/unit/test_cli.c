/* Options, configuration, environment, help and progress, without a process. */
#include "unit.h"

#include "esxlat/cli/help.h"
#include "esxlat/cli/options.h"
#include "esxlat/cli/progress.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Every row of the table keeps the house's manners. */
START_TEST(option_is_well_formed) {
    const struct el_option_info *o = el_option_info((enum el_option)_i);
    ck_assert_uint_gt(strlen(o->name), 1);
    for (const char *p = o->name; *p; p++)
        ck_assert_msg(islower((unsigned char)*p) || *p == '-', "--%s", o->name);
    ck_assert_msg((o->sort == EL_SORT_FLAG) == (*o->argument == '\0'), "--%s", o->name);
    ck_assert_msg((o->sort == EL_SORT_CHOICE) == (strchr(o->words, '|') != NULL), "--%s", o->name);
    ck_assert_msg(strlen(o->help) <= 50, "--%s: help is too long", o->name);
    ck_assert_msg(o->manual[strlen(o->manual) - 1] == '.', "--%s: a sentence ends in a full stop",
                  o->name);
    ck_assert_msg(o->commands != 0, "--%s", o->name);
    for (int k = 0; k < _i; k++) {
        const struct el_option_info *other = el_option_info((enum el_option)k);
        ck_assert_str_ne(o->name, other->name);
        ck_assert_msg(!o->letter || o->letter != other->letter, "-%c twice", o->letter);
    }
}
END_TEST

/* Command lines and what they come to: a message, or command, operands and some settings. */
static const struct {
    const char *line;
    const char *wrong; /* NULL: fine */
    enum el_command command;
    size_t operands;
    const char *format, *output;
} command_lines[] = {
    { "x.csv", NULL, EL_C_REPORT, 1, NULL, NULL },
    { "report x.csv y.csv", NULL, EL_C_REPORT, 2, NULL, NULL },
    { "list x.csv", NULL, EL_C_LIST, 1, NULL, NULL },
    { "-q list x.csv -v", NULL, EL_C_LIST, 1, NULL, NULL },
    { "-- list", NULL, EL_C_REPORT, 1, NULL, NULL },
    { "report list", NULL, EL_C_REPORT, 1, NULL, NULL },
    { "report -- --format", NULL, EL_C_REPORT, 1, NULL, NULL },
    { "-", NULL, EL_C_REPORT, 1, NULL, NULL },
    { "--format=json x", NULL, EL_C_REPORT, 1, "json", NULL },
    { "--format json x", NULL, EL_C_REPORT, 1, "json", NULL },
    { "-fjson x", NULL, EL_C_REPORT, 1, "json", NULL },
    { "-qvf json x", NULL, EL_C_REPORT, 1, "json", NULL },
    { "-f text -f json x", NULL, EL_C_REPORT, 1, "json", NULL },
    { "-o -x", NULL, EL_C_REPORT, 0, NULL, "-x" },
    { "--output=a=b x", NULL, EL_C_REPORT, 1, NULL, "a=b" },
    { "-qo out x", NULL, EL_C_REPORT, 1, NULL, "out" },
    { "--format= x", "bad value ''", 0, 0, NULL, NULL },
    { "--format", "needs a value", 0, 0, NULL, NULL },
    { "-qo", "needs a value", 0, 0, NULL, NULL },
    { "--formt=x", "did you mean '--format'", 0, 0, NULL, NULL },
    { "--no-color x", "unknown option '--no-color'", 0, 0, NULL, NULL },
    { "-z", "unknown option '-z'", 0, 0, NULL, NULL },
    { "--threads 1025 x", "from 0 to 1024", 0, 0, NULL, NULL },
    { "--threads 0x1 x", "from 0 to 1024", 0, 0, NULL, NULL },
    { "--from 25:00 x", "must be a time", 0, 0, NULL, NULL },
    { "rules list -o x", "does not go with", 0, 0, NULL, NULL },
};

enum { WORDS = 16 };
static int split(char *text, char **argv) {
    int argc = 0;
    argv[argc++] = text; /* stands for the program's name */
    for (char *word = strtok(text, " "); word && argc < WORDS; word = strtok(NULL, " "))
        argv[argc++] = word;
    return argc;
}

static bool same(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

START_TEST(command_line) {
    char text[200];
    char *argv[WORDS];
    struct el_cli c = { 0 };
    struct el_error err = { .status = EL_OK };
    ck_assert_uint_lt(strlen(command_lines[_i].line), sizeof text);
    memcpy(text, command_lines[_i].line, strlen(command_lines[_i].line) + 1);
    bool good = el_cli_parse(&c, split(text, argv), argv, &err);
    ck_assert_msg(good == !command_lines[_i].wrong, "%s", command_lines[_i].line);
    if (good) {
        ck_assert_int_eq(c.command, command_lines[_i].command);
        ck_assert_uint_eq(c.operands, command_lines[_i].operands);
        ck_assert(same(el_cli_text(&c, EL_O_FORMAT), command_lines[_i].format));
        ck_assert(same(el_cli_text(&c, EL_O_OUTPUT), command_lines[_i].output));
    } else {
        ck_assert_int_eq(err.status, EL_USAGE);
        ck_assert_msg(strstr(err.text, command_lines[_i].wrong) != NULL, "%s", err.text);
    }
    el_cli_release(&c);
}
END_TEST

static char *made_up(const char *name) {
    static char three[] = "3", list[] = "env.ini", empty[] = "";
    if (strcmp(name, "ESXLAT_THREADS") == 0)
        return three;
    if (strcmp(name, "ESXLAT_FORMAT") == 0)
        return empty;
    return strcmp(name, "ESXLAT_RULES") == 0 ? list : NULL;
}

/* Whatever the order of reading: command line over environment over file. */
START_TEST(origins_have_their_rank) {
    char program[] = "esxlat", option[] = "--rules", value[] = "line.ini";
    char *argv[] = { program, option, value };
    struct el_cli c = { 0 };
    struct el_error err;
    for (int step = 0; step < 3; step++)
        switch ((step + _i) % 3) {
        case 0: ck_assert(el_cli_parse(&c, 3, argv, &err)); break;
        case 1: ck_assert(el_cli_environment(&c, made_up, &err)); break;
        case 2:
            ck_assert(el_cli_config(
                &c, "config", el_str("threads = 9\nformat=json\nrules=a\nrules=b\nstrict"), &err));
            break;
        default: break;
        }
    ck_assert_int_eq(el_cli_number(&c, EL_O_THREADS), 3);
    ck_assert_int_eq(el_cli_number(&c, EL_O_FORMAT), 1);
    ck_assert(el_cli_flag(&c, EL_O_STRICT));
    ck_assert_uint_eq(c.setting[EL_O_RULES].count, 1);
    ck_assert_str_eq(el_cli_text(&c, EL_O_RULES), "line.ini");
    el_cli_release(&c);
}
END_TEST

START_TEST(configuration_errors_name_the_line) {
    struct el_cli c = { 0 };
    struct el_error err;
    ck_assert(!el_cli_config(&c, "f", el_str("# x\r\n\r\nthreads = 1\r\ncolour = auto\r\n"), &err));
    ck_assert_int_eq(err.status, EL_RULES);
    ck_assert_str_eq(err.text, "f:4: unknown option 'colour'; did you mean 'color'?");
    el_cli_release(&c);
}
END_TEST

static const struct {
    uint64_t done, total;
    int64_t ms;
    const char *line;
} progress_lines[] = {
    { 0, 0, 0, "a\\x1b: 0 B" },
    { 500, 1000, 1000, "a\\x1b: 500 B of 1.0 kB (50 %), 500 B/s, 1 s left" },
    { 1500000, 0, 1000, "a\\x1b: 1.5 MB, 1.5 MB/s" },
    { 2000000000, 1000, 1000, "a\\x1b: 2.0 GB, 2.0 GB/s" },
    { 1000000, 1000000000, 1000, "a\\x1b: 1.0 MB of 1.0 GB (0 %), 1.0 MB/s, 17 min left" },
};

START_TEST(progress_line) {
    struct el_buf out = { 0 };
    el_progress_line(&out, "a\033", progress_lines[_i].done, progress_lines[_i].total,
                     progress_lines[_i].ms);
    ck_assert_str_eq(out.ptr, progress_lines[_i].line);
    el_buf_release(&out);
}
END_TEST

START_TEST(completions_know_every_option) {
    static const char *const shells[] = { "bash", "zsh", "fish" };
    struct el_buf out = { 0 };
    ck_assert(el_help_completion(shells[_i], &out));
    for (size_t i = 0; i < EL_OPTION_COUNT; i++)
        ck_assert(strstr(out.ptr, el_option_info((enum el_option)i)->name) != NULL);
    ck_assert(!el_help_completion("csh", &out));
    el_buf_release(&out);
}
END_TEST

#define COUNT(table) (int)(sizeof table / sizeof *table)

Suite *suite_cli(void) {
    Suite *s = suite_create("cli");
    TCase *t = tcase_create("options");
    tcase_add_loop_test(t, option_is_well_formed, 0, EL_OPTION_COUNT);
    tcase_add_loop_test(t, command_line, 0, COUNT(command_lines));
    tcase_add_loop_test(t, origins_have_their_rank, 0, 3);
    tcase_add_test(t, configuration_errors_name_the_line);
    tcase_add_loop_test(t, progress_line, 0, COUNT(progress_lines));
    tcase_add_loop_test(t, completions_know_every_option, 0, 3);
    suite_add_tcase(s, t);
    return s;
}
