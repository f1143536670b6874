/* options.h - the settings of a run: what the command line, the environment and the configuration
 * file said.
 *
 * Reading settings only fills `struct el_cli`: nothing is opened, printed or decided here.  The
 * sources may be read in any order, since each value carries its origin and a weaker origin never
 * replaces a stronger one. */
#ifndef ESXLAT_CLI_OPTIONS_H
#define ESXLAT_CLI_OPTIONS_H

#include "esxlat/base/error.h"
#include "esxlat/base/mem.h"
#include "esxlat/base/str.h"

enum el_command {
#define EL_COMMAND(id, name, operands, help) EL_C_##id,
#include "esxlat/cli/options.def"
#undef EL_COMMAND
    EL_COMMANDS
};

enum el_option {
#define EL_OPTION(id, letter, name, argument, sort, words, commands, scope, help, manual) EL_O_##id,
#include "esxlat/cli/options.def"
#undef EL_OPTION
    EL_OPTION_COUNT
};

enum el_sort {
    EL_SORT_FLAG,   /* takes no value on the command line, yes or no elsewhere */
    EL_SORT_TEXT,   /* any text; the last one counts */
    EL_SORT_LIST,   /* any text; all count */
    EL_SORT_CHOICE, /* one of the words */
    EL_SORT_COUNT,  /* a whole number from 0 to 1024 */
    EL_SORT_MOMENT  /* a time */
};

struct el_command_info {
    const char *name, *operands, *help;
};
struct el_option_info {
    char letter; /* 0: none */
    const char *name, *argument;
    enum el_sort sort;
    const char *words;  /* CHOICE: separated by '|'; otherwise the default */
    unsigned commands;  /* 1 << el_command of those that take it */
    bool anywhere;      /* also in the configuration file and the environment */
    const char *help;   /* one line */
    const char *manual; /* sentences, one a line, roff */
};
const struct el_command_info *el_command_info(enum el_command command);
const struct el_option_info *el_option_info(enum el_option option);

enum el_origin { EL_BY_DEFAULT, EL_BY_CONFIG, EL_BY_ENVIRONMENT, EL_BY_COMMAND_LINE };

struct el_setting {
    enum el_origin origin;
    const char **text; /* as given; borrowed or in the arena */
    size_t count, room;
    int64_t number; /* FLAG 0 or 1, CHOICE index of the word, COUNT value, MOMENT ms since 1970 */
};

struct el_cli {
    struct el_arena arena;
    const char *program; /* as it was called: argv[0] */
    enum el_command command;
    const char **operand; /* without the command's name */
    size_t operands, room;
    struct el_setting setting[EL_OPTION_COUNT];
};

/* Read the arguments after the program's name.  --help and --version end the reading.  EL_USAGE
 * when something is wrong. */
bool el_cli_parse(struct el_cli *c, int argc, char *const *argv, struct el_error *err);
/* Read ESXLAT_FORMAT and so on; `get` is getenv or a stand-in.  Empty is unset.  EL_USAGE. */
bool el_cli_environment(struct el_cli *c, char *(*get)(const char *name), struct el_error *err);
/* Read a configuration file's text; `name` stands for it in messages.  EL_RULES. */
bool el_cli_config(struct el_cli *c, const char *name, struct el_str text, struct el_error *err);
void el_cli_release(struct el_cli *c);

bool el_cli_given(const struct el_cli *c, enum el_option option);
bool el_cli_flag(const struct el_cli *c, enum el_option option);
int64_t el_cli_number(const struct el_cli *c, enum el_option option);   /* 0 if not given */
const char *el_cli_text(const struct el_cli *c, enum el_option option); /* NULL if not given */

/* What --print-config shows. */
void el_cli_print(const struct el_cli *c, struct el_buf *out);

/* The n-th word of "a|b|c"; empty if there is none. */
struct el_str el_cli_word(const char *words, size_t n);

#endif
