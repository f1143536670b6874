/* How latency is spread: an even one and one with rare, long waits can have the same mean. */
#include "gnuplot.h"

#include "esxlat/base/mem.h"
#include "rank.h"

#define ROWS 60

static void put_rows(struct el_buf *out, const struct el_report *r, const uint32_t *order,
                     size_t rows) {
    el_buf_text(out, "# Columns: 1 row, 2 mean, 3 p50, 4 p95, 5 p99, 6 max.\n$data << EOD\n");
    for (size_t i = 0; i < rows; i++) {
        const struct el_figure *f = el_rank_figure(&r->entity[order[i]]);
        el_buf_print(out, "%zu %.6g %.6g %.6g %.6g %.6g\n", i, f->mean, f->p50, f->p95, f->p99,
                     f->max);
    }
    el_buf_text(out, "EOD\n\n");
}

static void put_look(struct el_buf *out) {
    el_buf_text(
        out,
        "set xlabel 'latency (ms per command), log'\nset logscale x\nset format x '%g'\n"
        "set grid xtics ytics linecolor '#dddddd' linetype 1\n"
        "# Below 0.01 ms is drawn at 0.01 ms.\n"
        "seen(v) = v < 0.01 ? 0.01 : v\n"
        "plot $data using (seen($3)):1:(seen($3)):(seen($6)) with xerrorbars pointtype 0 "
        "linecolor " EL_GP_LOAD " notitle, \\\n"
        "     $data using (seen($3)):1 with points pointtype 5 pointsize 0.6 "
        "linecolor " EL_GP_DEVICE " title 'p50', \\\n"
        "     $data using (seen($2)):1 with points pointtype 2 pointsize 0.8 linecolor " EL_GP_LIMIT
        " title 'mean', \\\n"
        "     $data using (seen($4)):1 with points pointtype 7 pointsize 0.7 "
        "linecolor " EL_GP_VMKERNEL " title 'p95', \\\n"
        "     $data using (seen($5)):1 with points pointtype 9 pointsize 0.8 linecolor " EL_GP_QUEUE
        " title 'p99', \\\n"
        "     $data using (seen($6)):1 with points pointtype 3 pointsize 0.6 linecolor " EL_GP_LOAD
        " title 'max'\n");
}

bool el_gp_spread(struct el_buf *out, const struct el_report *r, unsigned kinds, const char *base) {
    uint32_t *order = NULL;
    size_t count = el_rank(r, kinds, &order), rows = 0;
    for (size_t i = 0; i < count && rows < ROWS; i++) {
        const struct el_entity_report *e = &r->entity[order[i]];
        if ((kinds & EL_KIND_BIT(e->kind)) && el_rank_figure(e))
            order[rows++] = order[i];
    }
    if (rows) {
        el_gp_begin(out, base, "how the latency of entities is spread", 1100,
                    el_gp_rows_height(rows));
        el_buf_print(out, "set title '%s, weighted by commands'\n",
                     kinds & EL_KIND_BIT(EL_VDISK) ? "Spread of LAT of virtual disks"
                                                   : "Spread of GAVG of devices");
        put_rows(out, r, order, rows);
        el_gp_rows(out, r, order, rows);
        put_look(out);
    }
    el_free(order);
    return rows > 0;
}
