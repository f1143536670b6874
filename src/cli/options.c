#include "esxlat/cli/options.h"

#include "esxlat/base/clock.h"

#include <assert.h>
#include <string.h>

enum { COUNT_MAX = 1024 };

static const struct el_command_info command_table[EL_COMMANDS] = {
#define EL_COMMAND(id, name, operands, help) [EL_C_##id] = { name, operands, help },
#include "esxlat/cli/options.def"
#undef EL_COMMAND
};

#define REPORT   (1u << EL_C_REPORT)
#define LIST     (1u << EL_C_LIST)
#define RULES    (1u << EL_C_RULES)
#define ANYWHERE true
#define HERE     false
static const struct el_option_info option_table[EL_OPTION_COUNT] = {
#define EL_OPTION(id, letter, name, argument, sort, words, commands, scope, help, manual)          \
    [EL_O_##id] = { letter, name, argument, EL_SORT_##sort, words, commands, scope, help, manual },
#include "esxlat/cli/options.def"
#undef EL_OPTION
};

const struct el_command_info *el_command_info(enum el_command command) {
    assert(command < EL_COMMANDS);
    return &command_table[command];
}

const struct el_option_info *el_option_info(enum el_option option) {
    assert(option < EL_OPTION_COUNT);
    return &option_table[option];
}

struct el_str el_cli_word(const char *words, size_t n) {
    for (; n > 0 && words; n--) {
        words = strchr(words, '|');
        words += words ? 1 : 0;
    }
    return (struct el_str){ words, words ? strcspn(words, "|") : 0 };
}

static const char *option_name(const void *ctx, size_t i) {
    (void)ctx;
    return option_table[i].name;
}

/* EL_OPTION_COUNT when there is no such option; names must be exact. */
static enum el_option find_name(struct el_str name) {
    size_t i = 0;
    while (i < EL_OPTION_COUNT && !el_str_is(name, option_table[i].name))
        i++;
    return (enum el_option)i;
}

static enum el_option find_letter(char letter) {
    size_t i = 0;
    while (i < EL_OPTION_COUNT && option_table[i].letter != letter)
        i++;
    return (enum el_option)i;
}

static bool unknown(struct el_arena *a, const char *dashes, struct el_str name,
                    enum el_status status, struct el_error *err) {
    struct el_buf shown = { 0 };
    el_buf_visible(&shown, name);
    const char *word = el_arena_text(a, name.ptr, name.len);
    const char *near = el_nearest(word, EL_OPTION_COUNT, option_name, NULL);
    if (near)
        el_fail(err, status, "unknown option '%s%s'; did you mean '%s%s'?", dashes,
                shown.ptr ? shown.ptr : "", dashes, near);
    else
        el_fail(err, status, "unknown option '%s%s'", dashes, shown.ptr ? shown.ptr : "");
    el_buf_release(&shown);
    return false;
}

static bool flag_value(const char *text, int64_t *out) {
    static const char *const words[] = { "no", "yes", "false", "true", "0", "1" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0) {
            *out = (int64_t)(i % 2);
            return true;
        }
    return false;
}

static bool choice_value(const char *words, const char *text, int64_t *out) {
    struct el_str word;
    for (size_t i = 0; word = el_cli_word(words, i), word.ptr; i++)
        if (el_str_is(word, text)) {
            *out = (int64_t)i;
            return true;
        }
    return false;
}

static bool count_value(const char *text, int64_t *out) {
    int64_t n = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        n = n * 10 + (*text - '0');
        if (n > COUNT_MAX)
            return false;
    }
    *out = n;
    return true;
}

/* "text, json or xml" from "text|json|xml". */
static void list_words(struct el_buf *out, const char *words) {
    for (const char *w = words; *w; w++) {
        if (*w != '|')
            el_buf_char(out, *w);
        else
            el_buf_text(out, strchr(w + 1, '|') ? ", " : " or ");
    }
}

static bool bad_value(const struct el_option_info *info, const char *text, const char *label,
                      enum el_status status, struct el_error *err) {
    struct el_buf range = { 0 }, shown = { 0 };
    switch (info->sort) {
    case EL_SORT_FLAG: el_buf_text(&range, "must be yes or no"); break;
    case EL_SORT_CHOICE:
        el_buf_text(&range, "must be ");
        list_words(&range, info->words);
        break;
    case EL_SORT_COUNT:
        el_buf_print(&range, "must be a whole number from 0 to %d", COUNT_MAX);
        break;
    case EL_SORT_MOMENT: el_buf_text(&range, "must be a time such as 2026-11-30T09:00:05"); break;
    case EL_SORT_TEXT:
    case EL_SORT_LIST: el_buf_text(&range, "must not be empty"); break;
    }
    el_buf_visible(&shown, el_str(text));
    el_fail(err, status, "bad value '%s' of '%s': it %s", shown.ptr ? shown.ptr : "", label,
            range.ptr);
    el_buf_release(&range);
    el_buf_release(&shown);
    return false;
}

static bool value_of(const struct el_option_info *info, const char *text, int64_t *out) {
    switch (info->sort) {
    case EL_SORT_FLAG: return flag_value(text, out);
    case EL_SORT_CHOICE: return choice_value(info->words, text, out);
    case EL_SORT_COUNT: return count_value(text, out);
    case EL_SORT_MOMENT: *out = el_clock_parse(el_str(text), 0, NULL); return *out != EL_NO_TIME;
    case EL_SORT_TEXT:
    case EL_SORT_LIST: return *text != '\0';
    }
    return false;
}

/* Store a value unless a stronger origin has spoken; `label` names the option in messages. */
static bool put(struct el_cli *c, enum el_option option, const char *text, enum el_origin origin,
                const char *label, struct el_error *err) {
    const struct el_option_info *info = el_option_info(option);
    struct el_setting *s = &c->setting[option];
    int64_t number = 0;
    if (!value_of(info, text, &number))
        return bad_value(info, text, label, origin == EL_BY_CONFIG ? EL_RULES : EL_USAGE, err);
    if (origin < s->origin)
        return true;
    if (origin > s->origin || info->sort != EL_SORT_LIST)
        s->count = 0;
    s->origin = origin;
    s->number = number;
    *EL_PUSH(s->text, s->count, s->room) = text;
    return true;
}

/* The arguments that are left. */
struct walk {
    char *const *arg;
    int left;
};

/* --name, --name=value, --name value */
static bool long_option(struct el_cli *c, const char *arg, struct walk *w, struct el_error *err) {
    struct el_str name = { arg + 2, strcspn(arg + 2, "=") };
    const char *value = arg[2 + name.len] == '=' ? arg + 2 + name.len + 1 : NULL;
    enum el_option option = find_name(name);
    if (option == EL_OPTION_COUNT)
        return unknown(&c->arena, "--", name, EL_USAGE, err);
    const struct el_option_info *info = el_option_info(option);
    const char *label = el_arena_print(&c->arena, "--%s", info->name);
    if (info->sort == EL_SORT_FLAG && value)
        return el_fail(err, EL_USAGE, "option '%s' takes no value", label);
    if (info->sort == EL_SORT_FLAG)
        return put(c, option, "yes", EL_BY_COMMAND_LINE, label, err);
    if (!value && w->left == 0)
        return el_fail(err, EL_USAGE, "option '%s' needs a value (%s)", label, info->argument);
    if (!value) {
        value = *w->arg++;
        w->left--;
    }
    return put(c, option, value, EL_BY_COMMAND_LINE, label, err);
}

/* -qv, -oDIR, -o DIR, -qo DIR */
static bool short_options(struct el_cli *c, const char *arg, struct walk *w, struct el_error *err) {
    for (const char *p = arg + 1; *p; p++) {
        enum el_option option = find_letter(*p);
        if (option == EL_OPTION_COUNT)
            return unknown(&c->arena, "-", (struct el_str){ p, 1 }, EL_USAGE, err);
        const struct el_option_info *info = el_option_info(option);
        const char *label = el_arena_print(&c->arena, "-%c", *p);
        if (info->sort == EL_SORT_FLAG) {
            if (!put(c, option, "yes", EL_BY_COMMAND_LINE, label, err))
                return false;
            continue;
        }
        const char *value = p + 1;
        if (!*value && w->left == 0)
            return el_fail(err, EL_USAGE, "option '%s' needs a value (%s)", label, info->argument);
        if (!*value) {
            value = *w->arg++;
            w->left--;
        }
        return put(c, option, value, EL_BY_COMMAND_LINE, label, err);
    }
    return true;
}

/* The first operand may name the command. */
static void take_operand(struct el_cli *c, const char *arg, bool *command_known) {
    if (!*command_known) {
        *command_known = true;
        for (size_t i = 0; i < EL_COMMANDS; i++)
            if (strcmp(arg, command_table[i].name) == 0) {
                c->command = (enum el_command)i;
                return;
            }
    }
    *EL_PUSH(c->operand, c->operands, c->room) = arg;
}

static bool fits_command(const struct el_cli *c, struct el_error *err) {
    for (size_t i = 0; i < EL_OPTION_COUNT; i++)
        if (c->setting[i].origin == EL_BY_COMMAND_LINE &&
            !(option_table[i].commands & 1u << c->command))
            return el_fail(err, EL_USAGE, "option '--%s' does not go with the command '%s'",
                           option_table[i].name, command_table[c->command].name);
    return true;
}

bool el_cli_parse(struct el_cli *c, int argc, char *const *argv, struct el_error *err) {
    struct walk w = { argv + 1, argc > 0 ? argc - 1 : 0 };
    bool command_known = false, operands_only = false;
    c->program = argc > 0 ? argv[0] : NULL;
    while (w.left > 0) {
        const char *arg = *w.arg++;
        w.left--;
        if (operands_only || arg[0] != '-' || arg[1] == '\0' ||
            arg[1] == ':') { /* also "-:member" */
            take_operand(c, arg, &command_known);
        } else if (strcmp(arg, "--") == 0) {
            operands_only = command_known = true;
        } else if (!(arg[1] == '-' ? long_option : short_options)(c, arg, &w, err)) {
            return false;
        }
        if (el_cli_flag(c, EL_O_HELP) || el_cli_flag(c, EL_O_VERSION))
            return true;
    }
    return fits_command(c, err);
}

bool el_cli_environment(struct el_cli *c, char *(*get)(const char *name), struct el_error *err) {
    for (size_t i = 0; i < EL_OPTION_COUNT; i++) {
        if (!option_table[i].anywhere)
            continue;
        char *label = el_arena_print(&c->arena, "ESXLAT_%s", option_table[i].name);
        for (char *p = label; *p; p++)
            *p = *p == '-' ? '_' : *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
        const char *value = get(label);
        if (value && *value && !put(c, (enum el_option)i, value, EL_BY_ENVIRONMENT, label, err))
            return false;
    }
    return true;
}

/* `name = value`, or the bare name of a flag. */
static bool config_line(struct el_cli *c, struct el_str line, struct el_error *err) {
    size_t equals = 0;
    while (equals < line.len && line.ptr[equals] != '=')
        equals++;
    struct el_str name = el_str_trim((struct el_str){ line.ptr, equals });
    enum el_option option = find_name(name);
    if (option == EL_OPTION_COUNT)
        return unknown(&c->arena, "", name, EL_RULES, err);
    const struct el_option_info *info = el_option_info(option);
    if (!info->anywhere)
        return el_fail(err, EL_RULES, "'%s' is for the command line only", info->name);
    if (equals == line.len && info->sort != EL_SORT_FLAG)
        return el_fail(err, EL_RULES, "'%s' needs a value (%s)", info->name, info->argument);
    struct el_str value = EL_STR("yes");
    if (equals < line.len)
        value = el_str_trim(el_str_from(line, equals + 1));
    const char *text = el_arena_text(&c->arena, value.ptr, value.len);
    return put(c, option, text, EL_BY_CONFIG, info->name, err);
}

bool el_cli_config(struct el_cli *c, const char *name, struct el_str text, struct el_error *err) {
    for (size_t number = 1; text.len > 0; number++) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t length = end ? (size_t)(end - text.ptr) : text.len;
        struct el_str line = el_str_trim((struct el_str){ text.ptr, length });
        struct el_error inner;
        if (line.len > 0 && line.ptr[0] != '#' && line.ptr[0] != ';' &&
            !config_line(c, line, &inner))
            return el_fail(err, inner.status, "%s:%zu: %s", name, number, inner.text);
        text = el_str_from(text, length + (end ? 1 : 0));
    }
    return true;
}

void el_cli_release(struct el_cli *c) {
    for (size_t i = 0; i < EL_OPTION_COUNT; i++)
        el_free((void *)c->setting[i].text);
    el_free((void *)c->operand);
    el_arena_release(&c->arena);
    *c = (struct el_cli){ 0 };
}

bool el_cli_given(const struct el_cli *c, enum el_option option) {
    return c->setting[option].origin != EL_BY_DEFAULT;
}

bool el_cli_flag(const struct el_cli *c, enum el_option option) {
    assert(option_table[option].sort == EL_SORT_FLAG);
    return c->setting[option].number != 0;
}

int64_t el_cli_number(const struct el_cli *c, enum el_option option) {
    assert(option_table[option].sort != EL_SORT_TEXT && option_table[option].sort != EL_SORT_LIST);
    return c->setting[option].number;
}

const char *el_cli_text(const struct el_cli *c, enum el_option option) {
    const struct el_setting *s = &c->setting[option];
    return s->count ? s->text[s->count - 1] : NULL;
}

static void print_default(const struct el_option_info *info, struct el_buf *out) {
    struct el_str word = el_cli_word(info->words, 0);
    if (info->sort == EL_SORT_FLAG)
        word = EL_STR("no");
    if (word.len == 0) {
        el_buf_print(out, "# %s is not given\n", info->name);
        return;
    }
    el_buf_print(out, "%s = ", info->name);
    el_buf_add(out, word.ptr, word.len);
    el_buf_text(out, "  # default\n");
}

void el_cli_print(const struct el_cli *c, struct el_buf *out) {
    static const char *const from[] = {
        [EL_BY_DEFAULT] = "default",
        [EL_BY_CONFIG] = "configuration file",
        [EL_BY_ENVIRONMENT] = "environment",
        [EL_BY_COMMAND_LINE] = "command line",
    };
    for (size_t i = 0; i < EL_OPTION_COUNT; i++) {
        const struct el_setting *s = &c->setting[i];
        if (!option_table[i].anywhere)
            continue;
        if (s->count == 0)
            print_default(&option_table[i], out);
        for (size_t k = 0; k < s->count; k++)
            el_buf_print(out, "%s = %s  # %s\n", option_table[i].name, s->text[k], from[s->origin]);
    }
}
