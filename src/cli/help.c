#include "esxlat/cli/help.h"

#include "esxlat/cli/options.h"
#include "esxlat/rules/rules.h"

/* The options that most people need; the man page has all. */
static const enum el_option usual[] = {
    EL_O_FORMAT, EL_O_OUTPUT, EL_O_FROM,    EL_O_TO,    EL_O_LUN,     EL_O_VM,
    EL_O_GUEST,  EL_O_WHY,    EL_O_FAIL_ON, EL_O_QUIET, EL_O_VERBOSE, EL_O_HELP,
};

static void print_option(struct el_buf *out, const struct el_option_info *info) {
    char letter[] = { '-', info->letter, ',', '\0' };
    struct el_buf name = { 0 };
    el_buf_print(&name, "--%s%s%s", info->name, *info->argument ? " " : "", info->argument);
    el_buf_print(out, "  %3s %-22s %s\n", info->letter ? letter : "", name.ptr, info->help);
    el_buf_release(&name);
}

void el_help_text(struct el_buf *out) {
    el_buf_text(out, "esxlat - say where the storage latency in esxtop batch captures comes from\n"
                     "Usage: esxlat [COMMAND] [OPTION]... CAPTURE...     ('-': standard input)\n");
    for (size_t i = 0; i < EL_COMMANDS; i++)
        el_buf_print(out, "  %-8s %s\n", el_command_info((enum el_command)i)->name,
                     el_command_info((enum el_command)i)->help);
    el_buf_text(out, "Options:\n");
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        print_option(out, el_option_info(usual[i]));
    el_buf_text(out,
                "Examples: esxlat esx01.csv.gz\n"
                "          esxlat report -o report --from 2026-11-30T09:00:00 esx01.csv\n"
                "Exit: 0 analysed, 1 findings (--fail-on), 2 usage, 3 a bad rule or configuration\n"
                "      file, 4 not usable as a capture, 5 the system failed\n"
                "More options: man esxlat; rule files: man esxlat-rules\n");
}

void el_help_version(struct el_buf *out) {
    el_buf_text(out, "esxlat " EL_VERSION "\n" EL_LIBRARIES "\nMIT licence\n");
}

/* Text for roff: hyphens of options and backslashes are escaped. */
static void roff(struct el_buf *out, const char *text) {
    for (; *text; text++) {
        if (*text == '-')
            el_buf_text(out, "\\-");
        else if (*text == '\\')
            el_buf_text(out, "\\e");
        else if (*text == '\'')
            el_buf_text(out, "\\(aq");
        else
            el_buf_char(out, *text);
    }
}

void el_help_man_options(struct el_buf *out) {
    for (size_t i = 0; i < EL_OPTION_COUNT; i++) {
        const struct el_option_info *info = el_option_info((enum el_option)i);
        el_buf_text(out, ".TP\n\\fB");
        if (info->letter)
            el_buf_print(out, "\\-%c\\fR, \\fB", info->letter);
        el_buf_text(out, "\\-\\-");
        roff(out, info->name);
        el_buf_text(out, "\\fR");
        if (*info->argument)
            el_buf_print(out, " \\fI%s\\fR", info->argument);
        el_buf_print(out, "\n%s\n", info->manual);
        if (info->sort != EL_SORT_CHOICE)
            continue;
        el_buf_text(out, "One of");
        struct el_str word;
        for (size_t k = 0; word = el_cli_word(info->words, k), word.ptr; k++)
            el_buf_print(out, "%s \\fB%.*s\\fR", k ? "," : "", (int)word.len, word.ptr);
        el_buf_text(out, ".\n");
    }
}

void el_help_man_commands(struct el_buf *out) {
    for (size_t i = 0; i < EL_COMMANDS; i++) {
        const struct el_command_info *info = el_command_info((enum el_command)i);
        el_buf_print(out, ".TP\n\\fB%s\\fR \\fI%s\\fR\n%s\n", info->name, info->operands,
                     info->help);
    }
}

/* The text of `esxlat rules metrics` with the rules of the source tree, line by line as it is. */
void el_help_man_metrics(struct el_buf *out) {
    struct el_error ignored;
    struct el_buf text = { 0 };
    struct el_ruleset *rs = el_ruleset_new();
    if (el_ruleset_load(rs, "rules", &ignored) && el_ruleset_compile(rs, &ignored))
        el_rules_metrics(rs, &text);
    el_ruleset_free(rs);
    el_buf_text(out, ".nf\n\\&");
    for (const char *p = text.ptr; p && *p; p++) {
        char one[] = { *p, '\0' };
        roff(out, one);
        if (*p == '\n')
            el_buf_text(out, "\\&");
    }
    el_buf_text(out, "\n.fi\n");
    el_buf_release(&text);
}
