#include "esxlat/report/report.h"

#include <stdio.h>

#include "esxlat/base/num.h"
#include "table.h"
#include "text.h"

static const struct el_column columns[] = {
    { "kind", 9, true },    { "entity", 44, true },   { "samples", 7, false },
    { "active", 7, false }, { "commands", 8, false },
};
#define COLUMNS (sizeof columns / sizeof *columns)

/* Entities shown; a host with -a has thousands of worlds and partitions. */
#define ROWS 60

static void put_kinds(struct el_page *p, const struct el_report *r) {
    uint64_t sum[EL_KINDS] = { 0 }, busy[EL_KINDS] = { 0 };
    for (size_t i = 0; i < r->entities; i++) {
        sum[r->entity[i].kind]++;
        busy[r->entity[i].kind] += r->entity[i].active > 0;
    }
    el_page_heading(p, "Kinds");
    if (r->entities == 0)
        el_page_line(p, "  ", EL_STR("none"));
    for (enum el_kind k = 0; k < EL_KINDS; k++)
        if (sum[k])
            el_buf_print(p->out, "  %-9s  %6llu, %llu with I/O\n", el_kind_name(k),
                         (unsigned long long)sum[k], (unsigned long long)busy[k]);
}

static void put_entity(struct el_page *p, const struct el_entity_report *e) {
    el_table_name(p, columns, 0, el_str(el_kind_name(e->kind)));
    el_table_name(p, columns, 1, e->name);
    el_table_count(p, columns, 2, (double)e->samples);
    el_table_count(p, columns, 3, (double)e->active);
    if (e->active == 0 || e->commands <= 0)
        el_buf_text(p->out, "     idle");
    else
        el_table_count(p, columns, 4, e->commands);
    el_buf_char(p->out, '\n');
}

static void put_entities(struct el_page *p, const struct el_report *r, bool verbose) {
    size_t shown = verbose || r->entities < ROWS ? r->entities : ROWS;
    el_page_heading(p, "Entities");
    if (r->entities)
        el_table_head(p, columns, COLUMNS);
    for (size_t i = 0; i < shown; i++)
        put_entity(p, &r->entity[i]);
    if (shown < r->entities)
        el_buf_print(p->out, "and %zu more, see --verbose or --format json\n", r->entities - shown);
}

void el_report_listing(const struct el_report *r, const struct el_text_style *style,
                       struct el_buf *out) {
    struct el_page page = { out, style->colour };
    el_text_captures(&page, r);
    put_kinds(&page, r);
    put_entities(&page, r, style->verbose);
    el_text_quality(&page, r, true);
    el_text_missing(&page, r);
}
