/* Rule files and folders of them. */
#include "ruleset.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILES 1000u /* most rule files in a folder */

static bool fail_system(struct el_error *err, const char *path) {
    return el_fail(err, EL_SYSTEM, "cannot read '%s': %s", path, strerror(errno));
}

/* The whole file; one byte more than allowed is enough to know that it is too large. */
static bool read_file(const char *path, struct el_buf *out, struct el_error *err) {
    char piece[8192];
    size_t n;
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail_system(err, path);
    while (out->len <= EL_FILE_BYTES && (n = fread(piece, 1, sizeof piece, file)) > 0)
        el_buf_add(out, piece, n);
    bool good = !ferror(file);
    if (!good)
        (void)fail_system(err, path);
    (void)fclose(file);
    return good;
}

static bool load_file(struct el_ruleset *rs, const char *path, struct el_error *err) {
    struct el_buf text = { 0 };
    bool done = read_file(path, &text, err) &&
                el_ruleset_parse(rs, path, (struct el_str){ text.ptr, text.len }, err);
    el_buf_release(&text);
    return done;
}

static bool is_rule_file(const char *name) {
    size_t length = strlen(name);
    return length > 4 && name[0] != '.' && strcmp(name + length - 4, ".ini") == 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct names {
    char **item;
    size_t count, room;
};

/* Paths of the rule files in the folder, in the order of their names. */
static bool list_folder(struct el_arena *arena, const char *path, struct names *out,
                        struct el_error *err) {
    DIR *folder = opendir(path);
    if (!folder)
        return fail_system(err, path);
    size_t length = strlen(path);
    const char *slash = length && path[length - 1] == '/' ? "" : "/";
    for (const struct dirent *entry; out->count <= FILES && (entry = readdir(folder));)
        if (is_rule_file(entry->d_name))
            *EL_PUSH(out->item, out->count, out->room) =
                el_arena_print(arena, "%s%s%s", path, slash, entry->d_name);
    (void)closedir(folder);
    if (out->count > FILES)
        return el_fail(err, EL_RULES, "more than %u rule files in '%s'", FILES, path);
    if (out->count == 0)
        return el_fail(err, EL_RULES, "no rule files (*.ini) in '%s'", path);
    qsort(out->item, out->count, sizeof *out->item, by_name);
    return true;
}

bool el_ruleset_load(struct el_ruleset *rs, const char *path, struct el_error *err) {
    struct stat status;
    errno = 0;
    if (stat(path, &status) != 0)
        return fail_system(err, path);
    if (!S_ISDIR(status.st_mode))
        return load_file(rs, path, err);
    struct names files = { 0 };
    bool done = list_folder(&rs->arena, path, &files, err);
    for (size_t i = 0; done && i < files.count; i++)
        done = load_file(rs, files.item[i], err);
    el_free(files.item);
    return done;
}
