#include "sketch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

void sketch_at(struct sketch *s, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(s->where, sizeof s->where, format, args);
    va_end(args);
}

/* Copies a text into the layout's own; offsets stay valid when it grows. */
static size_t keep(struct layout *l, const char *text) {
    size_t size = strlen(text) + 1, at = l->text_used;
    if (at + size > l->text_room) {
        l->text_room = 2 * (at + size) + 4096;
        l->text = memory_resize(l->text, l->text_room, 1);
    }
    memcpy(&l->text[at], text, size);
    l->text_used += size;
    return at;
}

static struct column *add(struct sketch *s, const char *counter, enum column_kind kind) {
    struct layout *l = s->layout;
    char path[512];
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 4096;
        l->columns = memory_resize(l->columns, l->room, sizeof l->columns[0]);
    }
    snprintf(path, sizeof path, "\\\\%s\\%s\\%s", s->host->name, s->where, counter);
    struct column *c = &l->columns[l->count++];
    *c = (struct column){ .kind = kind, .path = keep(l, path) };
    return c;
}

void sketch_counters(struct sketch *s, const struct counter *table, const struct cells *cells) {
    for (const struct counter *t = table; t->name != NULL; t++) {
        if (!t->brief && s->options->style == STYLE_DEFAULT)
            continue;
        struct column *c = add(s, t->name, t->form == 'd' ? COLUMN_INT : COLUMN_FLOAT);
        c->cell = &cells->v[t->key];
        c->in_baseline = t->key == KEY_DQLEN || t->key == KEY_AQLEN;
    }
}

void sketch_block(struct sketch *s, const struct cells *cells,
                  const struct counter *const *tables) {
    for (; *tables != NULL; tables++)
        sketch_counters(s, *tables, cells);
}

void sketch_one(struct sketch *s, const char *counter, const char *value) {
    const char *point = strchr(value, '.');
    int64_t centi = 0;
    if (point != NULL) {
        long whole = strtol(value, NULL, 10), part = strtol(point + 1, NULL, 10);
        centi = 100 * whole + part;
    }
    bool moves = centi != 0 && centi != 10000;
    struct column *c = add(s, counter, moves ? COLUMN_NUMBER : COLUMN_FIXED);
    c->in_baseline = true;
    c->centi = centi;
    if (!moves)
        c->value = keep(s->layout, value);
}

void sketch_swap(struct sketch *s, bool on) {
    const struct host *h = s->host;
    const struct cells *cells = &s->books->luns[h->swap_lun].world_cells[h->swap_world];
    on = on && h->swap_lun > 0;
    s->swap_in = on ? &cells->v[KEY_MBRD] : NULL;
    s->swap_out = on ? &cells->v[KEY_MBWR] : NULL;
}

/* The cell behind a counter that tells of swapping, NULL for all others. */
static const double *swap_cell(const struct sketch *s, const char *counter) {
    bool in = strcmp(counter, "Swap MBytes Read/sec") == 0 ||
              strcmp(counter, "Swap Read MBytes/sec") == 0;
    bool out = strcmp(counter, "Swap MBytes Write/sec") == 0 ||
               strcmp(counter, "Swap Written MBytes/sec") == 0;
    return in ? s->swap_in : out ? s->swap_out : NULL;
}

void sketch_usual(struct sketch *s, const struct usual *table) {
    for (const struct usual *t = table; t->name != NULL; t++) {
        if (!t->brief && s->options->style != STYLE_ALL)
            continue;
        const double *cell = swap_cell(s, t->name);
        if (cell != NULL)
            sketch_live(s, t->name, cell);
        else
            sketch_one(s, t->name, t->value);
    }
}

void sketch_live(struct sketch *s, const char *counter, const double *cell) {
    struct column *c = add(s, counter, COLUMN_FLOAT);
    c->cell = cell;
    c->in_baseline = true;
}

void sketch_bare(struct sketch *s, int tenths) {
    struct column *c = add(s, "", COLUMN_BARE);
    c->centi = tenths;
}
