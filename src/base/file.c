#include "esxlat/base/file.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file that is being written: a signal handler must find it. */
static char temporary[4096];
static volatile sig_atomic_t temporary_there;

void el_file_abandon(void) {
    if (temporary_there)
        (void)unlink(temporary);
}

static bool is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool el_folder_make(const char *folder, struct el_error *err) {
    struct el_buf path = { 0 };
    bool done = true;
    int why = 0;
    el_buf_text(&path, folder);
    for (size_t i = 1; done && i <= path.len; i++) {
        char c = path.ptr[i];
        if (c != '/' && c != '\0')
            continue;
        path.ptr[i] = '\0';
        done = mkdir(path.ptr, 0777) == 0;
        why = errno == EEXIST ? ENOTDIR : errno;
        done = done || is_folder(path.ptr);
        path.ptr[i] = c;
    }
    el_buf_release(&path);
    return done ||
           el_fail(err, EL_SYSTEM, "cannot make the folder '%s': %s", folder, strerror(why));
}

static bool write_all(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t n = write(fd, bytes, length);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            bytes += n;
            length -= (size_t)n;
        }
    }
    return true;
}

/* The mode a plain open() would have given. */
static mode_t plain_mode(void) {
    mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

/* Into the temporary file, closed; 0 or errno. */
static int write_temporary(int fd, const struct el_buf *text) {
    bool good = write_all(fd, text->ptr, text->len) && fchmod(fd, plain_mode()) == 0;
    int why = good ? 0 : errno;
    if (close(fd) != 0 && good)
        why = errno;
    return why;
}

bool el_file_write(const char *folder, const char *name, const struct el_buf *text,
                   struct el_error *err) {
    char path[sizeof temporary - 8];
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (n < 0 || (size_t)n >= sizeof path)
        return el_fail(err, EL_SYSTEM, "cannot write '%s': its name is too long", name);
    if (text->full)
        return el_fail(err, EL_SYSTEM, "cannot write '%s': it is too large", path);
    (void)snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int fd = mkstemp(temporary);
    if (fd < 0)
        return el_fail(err, EL_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
    temporary_there = 1;
    int why = write_temporary(fd, text);
    if (why == 0 && rename(temporary, path) != 0)
        why = errno;
    if (why)
        (void)unlink(temporary);
    temporary_there = 0;
    return why == 0 || el_fail(err, EL_SYSTEM, "cannot write '%s': %s", path, strerror(why));
}

void el_folder_clear(const char *folder, bool (*ours)(struct el_str name)) {
    struct el_buf path = { 0 };
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        if (!ours(el_str(e->d_name)))
            continue;
        el_buf_clear(&path);
        el_buf_print(&path, "%s/%s", folder, e->d_name);
        (void)unlink(path.ptr);
    }
    if (d)
        (void)closedir(d);
    el_buf_release(&path);
}
