/* Where settings and rules are found: the files and folders around the program and the user. */
#include "esxlat/cli/command.h"
#include "esxlat/cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CONFIG_MAX = 1 << 20 };

const char *el_config_path(struct el_arena *a, const char *name) {
    const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (base && base[0] == '/')
        return el_arena_print(a, "%s/esxlat/%s", base, name);
    if (home && home[0] == '/')
        return el_arena_print(a, "%s/.config/esxlat/%s", home, name);
    return NULL;
}

static bool read_config(struct el_cli *c, struct el_error *err) {
    const char *path = el_config_path(&c->arena, "config");
    FILE *f = path ? fopen(path, "rb") : NULL;
    if (!f && path && errno != ENOENT && errno != ENOTDIR)
        return el_fail(err, EL_SYSTEM, "cannot read '%s': %s", path, strerror(errno));
    if (!f)
        return true;
    struct el_buf text = { .limit = CONFIG_MAX };
    char chunk[4096];
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
        el_buf_add(&text, chunk, n);
    bool good = !ferror(f) && !text.full;
    (void)fclose(f);
    if (!good)
        (void)el_fail(err, EL_SYSTEM, "cannot read '%s'", path);
    else
        good = el_cli_config(c, path, (struct el_str){ text.ptr, text.len }, err);
    el_buf_release(&text);
    return good;
}

bool el_settings_read(struct el_cli *c, int argc, char *const *argv, struct el_error *err) {
    if (!el_cli_parse(c, argc, argv, err))
        return false;
    if (el_cli_flag(c, EL_O_HELP) || el_cli_flag(c, EL_O_VERSION) || el_cli_flag(c, EL_O_NO_CONFIG))
        return true;
    return el_cli_environment(c, getenv, err) && read_config(c, err);
}

static bool is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The folder of the running program, from the system or else from how it was called; NULL when
 * neither tells. */
static char *program_folder(const struct el_cli *c, struct el_arena *a) {
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    char *folder = NULL;
    if (n > 0 && (size_t)n < sizeof path)
        folder = el_arena_text(a, path, (size_t)n);
    else if (c->program && strchr(c->program, '/'))
        folder = el_arena_text(a, c->program, strlen(c->program));
    if (folder)
        *strrchr(folder, '/') = '\0';
    return folder;
}

/* The shipped rules are known by one of their files. */
static bool holds_rules(struct el_arena *a, const char *folder) {
    return access(el_arena_print(a, "%s/thresholds.ini", folder), R_OK) == 0;
}

/* The shipped rules, by where the program lies: in PREFIX/bin, in the build folder of a source tree
 * (or one folder deeper there, for a build with sanitizers), else where it was built to be installed. */
static const char *shipped_rules(const struct el_cli *c, struct el_arena *a) {
    const char *const installed = EL_PREFIX "/share/esxlat/rules";
    const char *folder = program_folder(c, a);
    if (!folder)
        return holds_rules(a, installed) ? installed : NULL;
    const char *const candidates[] = {
        el_arena_print(a, "%s/../share/esxlat/rules", folder),
        el_arena_print(a, "%s/../rules", folder),
        el_arena_print(a, "%s/../../rules", folder),
        installed,
    };
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
        if (holds_rules(a, candidates[i]))
            return candidates[i];
    return NULL;
}

static bool load(const struct el_cli *c, struct el_ruleset *rs, const char *path,
                 struct el_error *err) {
    if (el_cli_flag(c, EL_O_VERBOSE))
        el_out_say("rules from '%s'", path);
    return el_ruleset_load(rs, path, err);
}

static bool load_usual(const struct el_cli *c, struct el_ruleset *rs, struct el_error *err) {
    struct el_arena a = { 0 };
    const char *shipped = shipped_rules(c, &a), *own = NULL;
    if (!el_cli_flag(c, EL_O_NO_CONFIG))
        own = el_config_path(&a, "rules.d");
    bool good = true;
    if (!shipped)
        good = el_fail(err, EL_RULES, "cannot find the shipped rules in '%s'; name them by --rules",
                       EL_PREFIX "/share/esxlat/rules");
    good = good && load(c, rs, shipped, err);
    if (good && own && is_folder(own))
        good = load(c, rs, own, err);
    el_arena_release(&a);
    return good;
}

bool el_rules_find(const struct el_cli *c, const char *const *more, size_t count,
                   struct el_ruleset *rs, struct el_error *err) {
    const struct el_setting *rules = &c->setting[EL_O_RULES], *set = &c->setting[EL_O_SET];
    if (rules->count == 0 && !load_usual(c, rs, err))
        return false;
    for (size_t i = 0; i < rules->count; i++)
        if (!load(c, rs, rules->text[i], err))
            return false;
    for (size_t i = 0; i < count; i++)
        if (!load(c, rs, more[i], err))
            return false;
    for (size_t i = 0; i < set->count; i++)
        if (!el_ruleset_set(rs, set->text[i], err))
            return false;
    return el_ruleset_compile(rs, err);
}
