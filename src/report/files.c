#include "files.h"

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

bool el_folder_make(const char *folder, struct el_error *err) {
    struct el_buf path = { 0 };
    bool done = true;
    el_buf_text(&path, folder);
    for (size_t i = 1; done && i <= path.len; i++) {
        char c = path.ptr[i];
        if (c != '/' && c != '\0')
            continue;
        path.ptr[i] = '\0';
        done = mkdir(path.ptr, 0777) == 0 || is_folder(path.ptr);
        path.ptr[i] = c;
    }
    if (!done)
        el_fail(err, EL_SYSTEM, "cannot make the folder '%s': %s", folder, strerror(errno));
    el_buf_release(&path);
    return done;
}

static bool write_all(int fd, const struct el_buf *text) {
    for (size_t done = 0; done < text->len;) {
        ssize_t n = write(fd, text->ptr + done, text->len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

/* A new file that nobody else can have opened: what bears the name is removed first. */
static int open_new(const char *path) {
    (void)unlink(path);
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

bool el_file_write(const char *folder, const char *name, const struct el_buf *text,
                   struct el_error *err) {
    struct el_buf path = { 0 }, temporary = { 0 };
    el_buf_print(&path, "%s/%s", folder, name);
    el_buf_print(&temporary, "%s/.%s.tmp", folder, name);
    int fd = open_new(temporary.ptr);
    bool good = fd >= 0 && !text->full && write_all(fd, text);
    int reason = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        reason = errno;
        good = false;
    }
    if (good && rename(temporary.ptr, path.ptr) != 0) {
        reason = errno;
        good = false;
    }
    if (!good) {
        if (fd >= 0)
            (void)unlink(temporary.ptr);
        el_fail(err, EL_SYSTEM, "cannot write '%s': %s", path.ptr,
                text->full ? "it is too large" : strerror(reason));
    }
    el_buf_release(&path);
    el_buf_release(&temporary);
    return good;
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
