#include "esxlat/cli/output.h"

#include "esxlat/base/mem.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file being written; a signal handler reads it, so it is a buffer that never moves. */
static char temporary[4096];
static volatile sig_atomic_t temporary_there;

static void on_signal(int number) {
    if (temporary_there)
        (void)unlink(temporary);
    (void)raise(number); /* SA_RESETHAND: now it ends us */
}

void el_out_guard(void) {
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old, new = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
        (void)sigemptyset(&new.sa_mask);
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            (void)sigaction(numbers[i], &new, NULL);
    }
}

void el_out_answer(const struct el_buf *text) {
    if (text->len > 0)
        (void)fwrite(text->ptr, 1, text->len, stdout);
}

bool el_out_finish(struct el_error *err) {
    bool bad = ferror(stdout) != 0;
    errno = 0;
    bad |= fflush(stdout) != 0;
    int why = errno;
    bad |= fclose(stdout) != 0;
    if (!bad)
        return true;
    return el_fail(err, EL_SYSTEM, "cannot write standard output: %s",
                   why ? strerror(why) : "an earlier write failed");
}

bool el_out_folder(const char *path, struct el_error *err) {
    struct stat st;
    if (mkdir(path, 0777) == 0)
        return true;
    int why = errno;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return true;
    return el_fail(err, EL_SYSTEM, "cannot make the folder '%s': %s", path, strerror(why));
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

bool el_out_file(const char *folder, const char *name, const struct el_buf *text,
                 struct el_error *err) {
    char path[sizeof temporary - 8];
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (n < 0 || (size_t)n >= sizeof path)
        return el_fail(err, EL_SYSTEM, "cannot write '%s': its name is too long", name);
    (void)snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int fd = mkstemp(temporary);
    if (fd < 0)
        return el_fail(err, EL_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
    temporary_there = 1;
    bool good = write_all(fd, text->ptr, text->len) && fchmod(fd, plain_mode()) == 0;
    int why = errno;
    if (close(fd) != 0 && good) {
        good = false;
        why = errno;
    }
    if (good && rename(temporary, path) != 0) {
        good = false;
        why = errno;
    }
    if (!good)
        (void)unlink(temporary);
    temporary_there = 0;
    return good || el_fail(err, EL_SYSTEM, "cannot write '%s': %s", path, strerror(why));
}

/* Names of files and entities are foreign: control characters do not reach the terminal, line ends of our own do. */
static void put_visible(struct el_str text) {
    struct el_buf line = { 0 };
    while (text.len) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t n = end ? (size_t)(end - text.ptr) : text.len;
        (void)el_buf_visible(&line, (struct el_str){ text.ptr, n });
        el_buf_text(&line, end ? "\n" : "");
        text = el_str_from(text, n + 1);
    }
    (void)fprintf(stderr, "esxlat: %s\n", line.ptr ? line.ptr : "");
    el_buf_release(&line);
}

void el_out_error(const struct el_error *e) {
    put_visible(el_str(e->text));
    if (e->status == EL_USAGE)
        (void)fputs("Try 'esxlat --help'.\n", stderr);
}

void el_out_say(const char *format, ...) {
    struct el_error e;
    va_list args;
    va_start(args, format);
    (void)el_vfail(&e, EL_OK, format, args);
    va_end(args);
    put_visible(el_str(e.text));
}

bool el_out_colour(int stream, int64_t when) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if (when != 0)
        return when == 1;
    return isatty(stream) && (!no || !*no) && term && strcmp(term, "dumb") != 0;
}
