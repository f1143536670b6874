#include "esxlat/cli/output.h"

#include "esxlat/base/file.h"
#include "esxlat/base/mem.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void on_signal(int number) {
    el_file_abandon();
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

static int why_not; /* errno of the first answer that could not be written; 0: none */

void el_out_answer(const struct el_buf *text) {
    errno = 0;
    if (text->len > 0 && fwrite(text->ptr, 1, text->len, stdout) < text->len && !why_not)
        why_not = errno;
}

bool el_out_finish(struct el_error *err) {
    bool bad = ferror(stdout) != 0;
    errno = 0;
    bad |= fflush(stdout) != 0;
    int why = why_not ? why_not : errno;
    bad |= fclose(stdout) != 0;
    if (!bad)
        return true;
    return el_fail(err, EL_SYSTEM, "cannot write standard output: %s",
                   why ? strerror(why) : "an earlier write failed");
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
