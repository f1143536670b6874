#include "esxlat/guest/guest.h"

#include <string.h>

#include "esxlat/base/num.h"
#include "guest.h"

#define ABSURD 1e12 /* commands a second, or ms: no measurement */
#define EXPECTED                                                                                   \
    "\nexpected: a Windows perfmon log (PDH-CSV, counters of PhysicalDisk), or "                   \
    "iostat -x -t -o JSON 5 of Linux"

struct el_guest_disk *el_guest_disk(struct el_guest *g, struct el_str name) {
    for (size_t i = 0; i < g->disks; i++)
        if (el_str_equal(g->disk[i].name, name))
            return &g->disk[i];
    if (g->disks >= EL_GUEST_DISKS)
        return NULL;
    struct el_guest_disk *d = EL_PUSH(g->disk, g->disks, g->room);
    *d = (struct el_guest_disk){
        .name = { el_arena_text(&g->arena, name.ptr, name.len), name.len },
        .trace = { .most = EL_GUEST_ITEMS },
    };
    return d;
}

/* Adds commands and what they waited in all; a latency without commands says nothing. */
static void add_wait(struct el_flow *f, double count, double latency) {
    if (!(count > 0) || !(latency >= 0 && latency <= ABSURD))
        return;
    f->timed += count;
    f->wait += count * latency;
}

bool el_guest_add(struct el_guest_disk *d, int64_t from, int64_t to,
                  const struct el_guest_figures *x) {
    bool apart = x->reads >= 0 && x->writes >= 0;
    double seconds = (double)(to - from) / 1000, rate = apart ? x->reads + x->writes : x->ios;
    if (!(rate >= 0) || !(rate <= ABSURD) || !(seconds > 0))
        return false;
    struct el_flow f = { .from = from, .to = to, .ios = rate * seconds };
    f.reads = apart ? x->reads * seconds : EL_NAN;
    f.writes = apart ? x->writes * seconds : EL_NAN;
    if (apart && (x->read >= 0 || x->write >= 0)) {
        add_wait(&f, f.reads, x->read);
        add_wait(&f, f.writes, x->write);
    } else if (x->all >= 0) {
        add_wait(&f, f.ios, x->all);
    } else if (f.ios > 0) { /* Little's law: outstanding = rate x latency */
        add_wait(&f, f.ios, 1000 * x->queue / rate);
    }
    el_trace_add(&d->trace, &f);
    return true;
}

/* ---- what kind of file it is ---- */

static bool has_text(struct el_str head, const char *text) {
    for (size_t i = 0; i < head.len; i++)
        if (el_str_starts(el_str_from(head, i), text))
            return true;
    return false;
}

/* The first bytes without marks, blanks and NULs (UTF-16). */
static struct el_str plain_head(struct el_str head, char out[64]) {
    size_t n = 0;
    for (size_t i = 0; i < head.len && n < 64; i++) {
        unsigned char c = (unsigned char)head.ptr[i];
        if (c && c < 0x80 && (n > 0 || c > ' '))
            out[n++] = head.ptr[i];
    }
    return (struct el_str){ out, n };
}

static bool is_nothing_known(const char *file, struct el_str head, struct el_error *err) {
    struct el_buf name = { 0 };
    (void)el_buf_visible(&name, el_str(file));
    const char *what = head.len == 0              ? "is empty"
                       : has_text(head, "Linux ") ? "is what iostat prints for people: add -o JSON"
                                                  : "is nothing that a guest measured";
    (void)el_fail(err, EL_CAPTURE, "'%s' %s" EXPECTED, name.ptr ? name.ptr : "", what);
    el_buf_release(&name);
    return false;
}

static bool read_by_kind(struct el_source *source, struct el_guest *out, struct el_error *err) {
    char room[64];
    struct el_str bytes = el_source_head(source), head = plain_head(bytes, room);
    if (el_str_starts(head, "{"))
        return el_iostat_read(source, out, err);
    if (el_str_starts(head, "\"(PDH-") || el_str_starts(head, "(PDH-"))
        return el_perfmon_read(source, out, err);
    return is_nothing_known(out->file, bytes, err);
}

bool el_guest_take(struct el_source *source, const char *file, struct el_guest *out,
                   struct el_error *err) {
    uint64_t flows = 0;
    *out = (struct el_guest){ 0 };
    out->file = el_arena_text(&out->arena, file, strlen(file));
    if (!read_by_kind(source, out, err))
        return false;
    for (size_t i = 0; i < out->disks; i++) {
        el_trace_settle(&out->disk[i].trace);
        flows += out->disk[i].trace.count;
    }
    if (flows)
        return true;
    struct el_buf name = { 0 };
    (void)el_buf_visible(&name, el_str(file));
    (void)el_fail(err, EL_CAPTURE,
                  "'%s' holds no sample of a disk behind its first, which is only the "
                  "baseline" EXPECTED,
                  name.ptr ? name.ptr : "");
    el_buf_release(&name);
    return false;
}

bool el_guest_read(const char *file, struct el_guest *out, struct el_error *err) {
    *out = (struct el_guest){ 0 };
    struct el_source *source = el_source_open(file, err);
    if (!source)
        return false;
    bool good = el_guest_take(source, file, out, err);
    el_source_free(source);
    return good;
}

void el_guest_release(struct el_guest *g) {
    for (size_t i = 0; i < g->disks; i++)
        el_trace_release(&g->disk[i].trace);
    el_free(g->disk);
    el_arena_release(&g->arena);
    *g = (struct el_guest){ 0 };
}
