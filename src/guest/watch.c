#include "esxlat/guest/watch.h"

#include <string.h>

#include "esxlat/base/num.h"

struct watched {
    uint32_t entity;
    struct el_trace trace;
};

struct el_watch {
    const struct el_guest_wish *wish;
    size_t wishes;
    struct watched *disk;
    size_t disks, room;
};

/* ---- names ---- */

#define NETBIOS 15 /* letters of a Windows computer name; more are cut off */
#define NAME    256

/* Letters and digits up to the first dot, in lower case: what a computer's name and a display name have in common. */
static size_t key_of(struct el_str name, char out[NAME]) {
    size_t n = 0;
    for (size_t i = 0; i < name.len && name.ptr[i] != '.' && n < NAME; i++) {
        char c = name.ptr[i];
        if (c >= 'A' && c <= 'Z')
            out[n++] = (char)(c + 32);
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80)
            out[n++] = c;
    }
    return n;
}

bool el_guest_fits(const struct el_guest_wish *w, struct el_str vm) {
    char host[NAME], name[NAME];
    if (w->vm.ptr)
        return el_str_equal(w->vm, vm);
    size_t n = key_of(w->host, host), m = key_of(vm, name);
    bool whole = n == m || (n < m && w->host.len == NETBIOS);
    return n > 0 && whole && memcmp(host, name, n) == 0;
}

bool el_guest_is_named(const struct el_guest_wish *w, const struct el_catalog *c) {
    for (size_t i = 0; i < c->entities; i++)
        if (c->entity[i].kind == EL_VM && el_guest_fits(w, c->entity[i].name))
            return true;
    return false;
}

/* ---- what is watched ---- */

struct el_watch *el_watch_new(const struct el_guest_wish *wish, size_t wishes) {
    struct el_watch *w = el_calloc(1, sizeof *w);
    w->wish = wish;
    w->wishes = wishes;
    return w;
}

void el_watch_free(struct el_watch *w) {
    if (!w)
        return;
    for (size_t i = 0; i < w->disks; i++)
        el_trace_release(&w->disk[i].trace);
    el_free(w->disk);
    el_free(w);
}

static struct watched *find(const struct el_watch *w, uint32_t entity) {
    for (size_t i = 0; i < w->disks; i++)
        if (w->disk[i].entity == entity)
            return &w->disk[i];
    return NULL;
}

static bool is_wanted(const struct el_watch *w, const struct el_catalog *c, uint32_t vm, bool all) {
    for (size_t i = 0; !all && i < w->wishes; i++)
        all = el_guest_fits(&w->wish[i], c->entity[vm].name);
    return all;
}

void el_watch_open(struct el_watch *w, const struct el_catalog *c) {
    bool all = false;
    for (size_t i = 0; i < w->wishes; i++)
        all |= !w->wish[i].vm.ptr && !el_guest_is_named(&w->wish[i], c);
    for (uint32_t i = 0; i < c->entities; i++) {
        const struct el_entity *e = &c->entity[i];
        if (e->kind == EL_VDISK && e->vm != EL_NOTHING && is_wanted(w, c, e->vm, all) &&
            !find(w, i))
            *EL_PUSH(w->disk, w->disks, w->room) = (struct watched){ .entity = i };
    }
    for (size_t i = 0; i < w->disks; i++) {
        size_t most = EL_WATCH_ITEMS / w->disks;
        w->disk[i].trace.most = most > EL_TRACE_MOST    ? EL_TRACE_MOST
                                : most < EL_WATCH_LEAST ? EL_WATCH_LEAST
                                                        : most;
    }
}

/* ---- rows ---- */

static void add_side(struct el_flow *f, double count, const double *latency, size_t row) {
    if (!latency || el_missing(latency[row]) || !(count > 0))
        return;
    f->timed += count;
    f->wait += count * latency[row];
}

void el_watch_take(struct el_watch *w, const struct el_block *b, const struct el_run *run) {
    for (size_t i = 0; i < w->disks; i++) {
        uint32_t id = w->disk[i].entity;
        const double *rd = el_block_column(b, run, id, EL_C_reads),
                     *wr = el_block_column(b, run, id, EL_C_writes),
                     *lat_rd = el_block_column(b, run, id, EL_C_lat_rd),
                     *lat_wr = el_block_column(b, run, id, EL_C_lat_wr);
        for (size_t row = 0; rd && wr && row < b->rows; row++) {
            struct el_flow f = { .from = b->from[row], .to = b->to[row] };
            f.reads = rd[row] * b->seconds[row];
            f.writes = wr[row] * b->seconds[row];
            f.ios = f.reads + f.writes;
            if (el_missing(f.ios))
                continue;
            add_side(&f, f.reads, lat_rd, row);
            add_side(&f, f.writes, lat_wr, row);
            el_trace_add(&w->disk[i].trace, &f);
        }
    }
}

void el_watch_finish(struct el_watch *w) {
    for (size_t i = 0; i < w->disks; i++)
        el_trace_settle(&w->disk[i].trace);
}

const struct el_trace *el_watch_trace(const struct el_watch *w, uint32_t entity) {
    const struct watched *d = find(w, entity);
    return d && d->trace.count ? &d->trace : NULL;
}
