#include "text.h"

#include <stdio.h>

#include "esxlat/base/mem.h"
#include "esxlat/base/num.h"
#include "rank.h"
#include "table.h"

#define ROWS 12
#define MOST 9999 /* rows with --verbose: their number has four digits */

/* What the worst of all kinds are chosen from: an adapter, a path and a VM only add up others. */
#define SHOWN                                                                                      \
    (EL_KIND_BIT(EL_LUN) | EL_KIND_BIT(EL_NFS) | EL_KIND_BIT(EL_VDISK) | EL_KIND_BIT(EL_VSAN))

static const struct el_column waiting[] = {
    { "#", 4, false },        { "kind", 9, true },       { "entity", 22, true },
    { "commands", 8, false }, { "mean ms", 7, false },   { "p95 ms", 6, false },
    { "max ms", 6, false },   { "at (UTC)", 11, false },
};
static const struct el_column details[] = {
    { "#", 4, false },
    { "DAVG", 6, false },
    { "KAVG", 6, false },
    { "QAVG", 6, false },
    { "GAVG", 6, false },
    { "ACTV av/max", 11, false },
    { "QUED av/max", 11, false },
    { "DQLEN", 9, false },
    { "KB/IO", 6, false },
    { "IOPS", 6, false },
};
static const struct el_column more[] = {
    { "#", 4, false },      { "rd ms", 6, false },  { "wr ms", 6, false }, { "D rd", 6, false },
    { "D wr", 6, false },   { "K rd", 6, false },   { "K wr", 6, false },  { "MB/s", 6, false },
    { "aborts", 6, false }, { "resets", 6, false }, { "confl", 5, false }, { "failed", 6, false },
};
#define COUNT(table) (sizeof(table) / sizeof *(table))

static double mean_of(const struct el_entity_report *e, enum el_latency l) {
    return e->has_latency[l] && e->latency[l].there ? e->latency[l].mean : EL_NAN;
}

/* "11-30 09:05" in the width of the last column: the year and the seconds are in --format json. */
static void put_moment(struct el_page *p, int64_t at) {
    char text[EL_CLOCK_ROOM];
    el_clock_text(at, text);
    el_buf_print(p->out, " %11.11s", at == EL_NO_TIME ? "-" : text + 5);
}

static void waiting_row(struct el_page *p, size_t number, const struct el_entity_report *e) {
    const struct el_figure *f = el_rank_figure(e);
    el_table_count(p, waiting, 0, (double)number);
    el_table_name(p, waiting, 1, el_str(el_kind_name(e->kind)));
    el_table_name(p, waiting, 2, e->name);
    el_table_count(p, waiting, 3, e->commands);
    el_table_number(p, waiting, 4, f ? f->mean : EL_NAN);
    el_table_number(p, waiting, 5, f ? f->p95 : EL_NAN);
    el_table_number(p, waiting, 6, f ? f->max : EL_NAN);
    put_moment(p, f ? f->max_at : EL_NO_TIME);
    el_buf_char(p->out, '\n');
}

static void details_row(struct el_page *p, size_t number, const struct el_entity_report *e) {
    el_table_count(p, details, 0, (double)number);
    el_table_number(p, details, 1, mean_of(e, EL_L_DAVG));
    el_table_number(p, details, 2, mean_of(e, EL_L_KAVG));
    el_table_number(p, details, 3, mean_of(e, EL_L_QAVG));
    el_table_number(p, details, 4, mean_of(e, EL_L_GAVG));
    el_table_pair(p, details, 5, e->actv.there, e->actv.mean, e->actv.max, '/');
    el_table_pair(p, details, 6, e->qued.there, e->qued.mean, e->qued.max, '/');
    el_table_pair(p, details, 7, e->dqlen.there, e->dqlen.min, e->dqlen.max, '-');
    el_table_number(p, details, 8, e->io_kb);
    el_table_count(p, details, 9, e->iops.there ? e->iops.mean : EL_NAN);
    el_buf_char(p->out, '\n');
}

static void more_row(struct el_page *p, size_t number, const struct el_entity_report *e) {
    bool virtual = el_kind_is_virtual(e->kind);
    el_table_count(p, more, 0, (double)number);
    el_table_number(p, more, 1, mean_of(e, virtual ? EL_L_LAT_RD : EL_L_GAVG_RD));
    el_table_number(p, more, 2, mean_of(e, virtual ? EL_L_LAT_WR : EL_L_GAVG_WR));
    el_table_number(p, more, 3, mean_of(e, EL_L_DAVG_RD));
    el_table_number(p, more, 4, mean_of(e, EL_L_DAVG_WR));
    el_table_number(p, more, 5, mean_of(e, EL_L_KAVG_RD));
    el_table_number(p, more, 6, mean_of(e, EL_L_KAVG_WR));
    el_table_number(p, more, 7, e->mb_s.there ? e->mb_s.mean : EL_NAN);
    el_table_count(p, more, 8, e->aborts);
    el_table_count(p, more, 9, e->resets);
    el_table_count(p, more, 10, e->conflicts);
    el_table_count(p, more, 11, e->failed);
    el_buf_char(p->out, '\n');
}

static void table(struct el_page *p, const struct el_column *column, size_t columns,
                  void (*row)(struct el_page *, size_t, const struct el_entity_report *),
                  const struct el_report *r, const uint32_t *order, size_t rows) {
    el_table_head(p, column, columns);
    for (size_t i = 0; i < rows; i++)
        row(p, i + 1, &r->entity[order[i]]);
}

/* Names that were shortened, in full. */
static void full_names(struct el_page *p, const struct el_report *r, const uint32_t *order,
                       size_t rows) {
    for (size_t i = 0; i < rows; i++) {
        char lead[EL_NUM_ROOM];
        (void)snprintf(lead, sizeof lead, "%4u", (unsigned)(i + 1) % (MOST + 1));
        if (r->entity[order[i]].name.len > waiting[2].width)
            el_page_wrap(p, lead, 6, r->entity[order[i]].name);
    }
}

void el_text_evidence(struct el_page *p, const struct el_report *r, bool verbose) {
    uint32_t *order = NULL;
    size_t count = el_rank(r, verbose ? ~0u : SHOWN, &order), most = verbose ? MOST : ROWS;
    size_t rows = count < most ? count : most;
    el_page_heading(p, "Worst entities, by the time their commands waited");
    if (rows == 0)
        el_page_line(p, "  ", EL_STR("no entity carried I/O"));
    if (rows) {
        el_page_line(p, "  ",
                     EL_STR("LAT for virtual disks, else GAVG; means weighted by commands; ms"));
        table(p, waiting, COUNT(waiting), waiting_row, r, order, rows);
        if (rows < count)
            el_buf_print(p->out, "     and %zu more, see --format json\n", count - rows);
        el_buf_char(p->out, '\n');
        table(p, details, COUNT(details), details_row, r, order, rows);
    }
    if (rows && verbose) {
        el_buf_char(p->out, '\n');
        table(p, more, COUNT(more), more_row, r, order, rows);
        el_buf_text(p->out, "\n     Names in full\n");
        full_names(p, r, order, rows);
    }
    el_free(order);
}
