/* Completions, made from the tables of commands and options. */
#include "esxlat/cli/help.h"
#include "esxlat/cli/options.h"

#include <string.h>

static void add_words(struct el_buf *out, const char *words) {
    for (; *words; words++)
        el_buf_char(out, *words == '|' ? ' ' : *words);
}

static bool takes_path(const struct el_option_info *info) {
    return strcmp(info->argument, "DIR") == 0 || strcmp(info->argument, "PATH") == 0 ||
           strncmp(info->argument, "FILE", 4) == 0;
}

static void bash_case(struct el_buf *out, const struct el_option_info *info) {
    if (!*info->argument)
        return;
    el_buf_print(out, "    --%s", info->name);
    if (info->letter)
        el_buf_print(out, "|-%c", info->letter);
    el_buf_text(out, ")\n        ");
    if (info->sort == EL_SORT_CHOICE) {
        el_buf_text(out, "mapfile -t COMPREPLY < <(compgen -W '");
        add_words(out, info->words);
        el_buf_text(out, "' -- \"$word\")\n        ");
    } else if (takes_path(info)) {
        el_buf_text(out, "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n        ");
    }
    el_buf_text(out, "return ;;\n");
}

static void bash(struct el_buf *out) {
    el_buf_text(out,
                "# bash completion for esxlat, made from its option table.\n"
                "_esxlat() {\n"
                "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
                "    case $before in\n");
    for (size_t i = 0; i < EL_OPTION_COUNT; i++)
        bash_case(out, el_option_info((enum el_option)i));
    el_buf_text(
        out, "    rules)\n        mapfile -t COMPREPLY < <(compgen -W 'list explain metrics check'"
             " -- \"$word\")\n        return ;;\n"
             "    explain)\n        mapfile -t COMPREPLY < <(compgen -W "
             "\"$(esxlat rules list 2>/dev/null | awk 'NF { print $1 }')\" -- \"$word\")\n"
             "        return ;;\n    esac\n    local words=\n"
             "    if [[ $word == -* ]]; then\n        words='");
    for (size_t i = 0; i < EL_OPTION_COUNT; i++)
        el_buf_print(out, "%s--%s", i ? " " : "", el_option_info((enum el_option)i)->name);
    el_buf_text(out, "'\n    elif [ \"$COMP_CWORD\" -eq 1 ]; then\n        words='");
    for (size_t i = 0; i < EL_COMMANDS; i++)
        el_buf_print(out, "%s%s", i ? " " : "", el_command_info((enum el_command)i)->name);
    el_buf_text(out, "'\n    fi\n    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\"\n"
                     "        [[ $word == -* ]] || compgen -f -- \"$word\")\n"
                     "}\ncomplete -o filenames -F _esxlat esxlat\n");
}

/* 'text' with what zsh and fish treat specially quoted. */
static void quoted(struct el_buf *out, const char *text, const char *special) {
    for (; *text; text++) {
        if (strchr(special, *text))
            el_buf_char(out, '\\');
        el_buf_char(out, *text);
    }
}

static void zsh_option(struct el_buf *out, const struct el_option_info *info) {
    el_buf_text(out, "    ");
    if (info->sort == EL_SORT_LIST)
        el_buf_text(out, "'*'");
    const char *next = *info->argument ? "+" : "", *equals = *info->argument ? "=" : "";
    if (info->letter && info->sort != EL_SORT_LIST)
        el_buf_print(out, "'(-%c --%s)'", info->letter, info->name);
    if (info->letter)
        el_buf_print(out, "{-%c%s,--%s%s}", info->letter, next, info->name, equals);
    else
        el_buf_print(out, "--%s%s", info->name, equals);
    el_buf_text(out, "'[");
    quoted(out, info->help, ":[]\\");
    el_buf_char(out, ']');
    if (*info->argument) {
        el_buf_print(out, ":%.*s:", (int)strcspn(info->argument, "["), info->argument);
        if (info->sort == EL_SORT_CHOICE) {
            el_buf_char(out, '(');
            add_words(out, info->words);
            el_buf_char(out, ')');
        } else if (takes_path(info)) {
            el_buf_text(out, "_files");
        }
    }
    el_buf_text(out, "' \\\n");
}

static void zsh(struct el_buf *out) {
    el_buf_text(out, "#compdef esxlat\n# zsh completion for esxlat, made from its option table.\n"
                     "_arguments -s \\\n");
    for (size_t i = 0; i < EL_OPTION_COUNT; i++)
        zsh_option(out, el_option_info((enum el_option)i));
    el_buf_text(out, "    '1:command or capture:_alternative \"commands:command:(");
    for (size_t i = 0; i < EL_COMMANDS; i++)
        el_buf_print(out, "%s%s", i ? " " : "", el_command_info((enum el_command)i)->name);
    el_buf_text(out, ")\" \"files:capture:_files\"' \\\n    '*:capture:_files'\n");
}

static void fish(struct el_buf *out) {
    el_buf_text(out, "# fish completion for esxlat, made from its option table.\n");
    for (size_t i = 0; i < EL_COMMANDS; i++)
        el_buf_print(out, "complete -c esxlat -n __fish_use_subcommand -a %s -d '%s'\n",
                     el_command_info((enum el_command)i)->name,
                     el_command_info((enum el_command)i)->help);
    for (size_t i = 0; i < EL_OPTION_COUNT; i++) {
        const struct el_option_info *info = el_option_info((enum el_option)i);
        el_buf_print(out, "complete -c esxlat -l %s", info->name);
        if (info->letter)
            el_buf_print(out, " -s %c", info->letter);
        el_buf_text(out, " -d '");
        quoted(out, info->help, "'\\");
        el_buf_char(out, '\'');
        if (info->sort == EL_SORT_CHOICE) {
            el_buf_text(out, " -x -a '");
            add_words(out, info->words);
            el_buf_char(out, '\'');
        } else if (*info->argument) {
            el_buf_text(out, takes_path(info) ? " -r -F" : " -x");
        }
        el_buf_char(out, '\n');
    }
}

bool el_help_completion(const char *shell, struct el_buf *out) {
    static const struct {
        const char *shell;
        void (*write)(struct el_buf *out);
    } table[] = { { "bash", bash }, { "zsh", zsh }, { "fish", fish } };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(shell, table[i].shell) == 0) {
            table[i].write(out);
            return true;
        }
    return false;
}
