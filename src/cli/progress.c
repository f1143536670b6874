#include "esxlat/cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { QUIET_MS = 1000, REDRAW_MS = 100, NAME_MAX_SHOWN = 30 };

static int64_t now_ms(void) {
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0)
        return 0;
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void el_progress_start(struct el_progress *p, bool quiet) {
    *p = (struct el_progress){ .wanted = !quiet && isatty(STDERR_FILENO) };
    p->start_ms = now_ms();
}

static void add_size(struct el_buf *out, double bytes) {
    static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
    size_t u = 0;
    for (; bytes >= 1000 && u + 1 < sizeof units / sizeof *units; u++)
        bytes /= 1000;
    el_buf_print(out, "%.*f %s", bytes < 10 && u > 0 ? 1 : 0, bytes, units[u]);
}

static void add_duration(struct el_buf *out, double seconds) {
    if (seconds < 100)
        el_buf_print(out, "%.0f s", seconds);
    else
        el_buf_print(out, "%.0f min", seconds / 60);
}

void el_progress_line(struct el_buf *out, const char *file, uint64_t done, uint64_t total,
                      int64_t elapsed_ms) {
    double seconds = (double)elapsed_ms / 1000, rate = seconds > 0 ? (double)done / seconds : 0;
    const char *slash = strrchr(file, '/');
    struct el_str name = el_str(slash ? slash + 1 : file);
    if (name.len > NAME_MAX_SHOWN)
        name.len = NAME_MAX_SHOWN;
    el_buf_visible(out, name);
    el_buf_text(out, ": ");
    add_size(out, (double)done);
    if (total > 0 && done <= total) {
        el_buf_text(out, " of ");
        add_size(out, (double)total);
        el_buf_print(out, " (%.0f %%)", 100 * (double)done / (double)total);
    }
    if (rate <= 0)
        return;
    el_buf_text(out, ", ");
    add_size(out, rate);
    el_buf_text(out, "/s");
    if (total > done) {
        el_buf_text(out, ", ");
        add_duration(out, (double)(total - done) / rate);
        el_buf_text(out, " left");
    }
}

void el_progress_update(struct el_progress *p, const char *file, uint64_t done, uint64_t total) {
    if (!p->wanted)
        return;
    int64_t now = now_ms();
    if (now - p->start_ms < QUIET_MS || now - p->last_ms < REDRAW_MS)
        return;
    struct el_buf line = { .limit = 200 };
    el_progress_line(&line, file, done, total, now - p->start_ms);
    (void)fprintf(stderr, "\r\033[K%s", line.ptr);
    el_buf_release(&line);
    p->drawn = true;
    p->last_ms = now;
}

void el_progress_erase(struct el_progress *p) {
    if (p->drawn)
        (void)fputs("\r\033[K", stderr);
    p->drawn = false;
}
