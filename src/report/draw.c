#include "draw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Relative entries of PATH are skipped: the child changes its folder. */
bool el_gnuplot_find(struct el_buf *path) {
    const char *list = getenv("PATH");
    while (list && *list) {
        size_t n = strcspn(list, ":");
        el_buf_clear(path);
        el_buf_add(path, list, n);
        el_buf_text(path, "/gnuplot");
        if (list[0] == '/' && access(path->ptr, X_OK) == 0 && !is_folder(path->ptr))
            return true;
        list += n + (list[n] == ':');
    }
    return false;
}

/* In the child: only calls that are safe after fork in a program with threads. */
static _Noreturn void become(const char *program, const char *folder, char *const *argument) {
    int null = open("/dev/null", O_RDWR);
    if (null >= 0 && chdir(folder) == 0) {
        (void)dup2(null, STDIN_FILENO);
        (void)dup2(null, STDOUT_FILENO);
        (void)dup2(null, STDERR_FILENO);
        (void)execv(program, argument);
    }
    _exit(127);
}

static bool run(const char *program, const char *folder, char *const *argument) {
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        become(program, folder, argument);
    if (child < 0)
        return false;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_filled(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && st.st_size > 0;
}

bool el_gnuplot_draw(const char *program, const char *folder, const char *base, const char *term) {
    struct el_buf setup = { 0 }, script = { 0 }, temporary = { 0 }, path = { 0 };
    el_buf_print(&setup, "term='%s'; out='.%s.%s.tmp'", term, base, term);
    el_buf_print(&script, "%s.gp", base);
    el_buf_print(&temporary, "%s/.%s.%s.tmp", folder, base, term);
    el_buf_print(&path, "%s/%s.%s", folder, base, term);
    char name[] = "gnuplot", plain[] = "-d", execute[] = "-e";
    char *argument[] = { name, plain, execute, setup.ptr, script.ptr, NULL };
    (void)unlink(temporary.ptr);
    bool good = run(program, folder, argument) && is_filled(temporary.ptr) &&
                rename(temporary.ptr, path.ptr) == 0;
    if (!good)
        (void)unlink(temporary.ptr);
    el_buf_release(&setup);
    el_buf_release(&script);
    el_buf_release(&temporary);
    el_buf_release(&path);
    return good;
}
