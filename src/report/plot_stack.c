/* Where the commands of an entity waited over time: device, kernel queue, rest of the kernel; below it IOPS. */
#include "gnuplot.h"

#include <math.h>

static bool applies(const struct el_entity_report *e) {
    return el_gp_has(&e->series, EL_T_DAVG) || el_gp_has(&e->series, EL_T_KAVG) ||
           el_gp_has(&e->series, EL_T_GAVG);
}

/* The areas lie behind one another, the largest first; each is drawn from zero. */
static void put_layers(struct el_buf *out) {
    el_buf_text(
        out, "# Columns: 2 DAVG, 3 KAVG, 4 QAVG, 5 GAVG, 6 IOPS.  The data are as captured; QAVG "
             "may exceed KAVG,\n"
             "# since it also counts commands of the host itself: the area shows at most KAVG, the "
             "line all.\n"
             "queue(k, q) = q < k ? q : q >= k ? k : NaN\n"
             "plot $data using 1:($2 + $3) with boxes linecolor " EL_GP_VMKERNEL
             " title 'VMkernel: KAVG, rest', \\\n"
             "     $data using 1:($2 + queue($3, $4)) with boxes linecolor " EL_GP_QUEUE
             " title 'VMkernel: QAVG', \\\n"
             "     $data using 1:2 with boxes linecolor " EL_GP_DEVICE " title 'device: DAVG', \\\n"
             "     $data using 1:($4 > $3 ? $2 + $4 : NaN) with points pointtype 2 pointsize 0.5 "
             "linecolor " EL_GP_QUEUE " title 'QAVG where above KAVG'\n");
}

/* An entity of which only GAVG (or LAT) is known: NFS, virtual disks. */
static void put_total(struct el_buf *out, const struct el_entity_report *e) {
    bool virtual = el_kind_is_virtual(e->kind);
    el_buf_text(out, "# Columns: 2 DAVG, 3 KAVG, 4 QAVG, 5 GAVG or LAT, 6 IOPS.\n");
    el_buf_print(out, "plot $data using 1:5 with boxes linecolor %s title '%s'\n", EL_GP_LUN,
                 virtual ? "LAT, layers not known" : "GAVG, layers not known");
}

static void put_iops(struct el_buf *out, const struct el_entity_report *e) {
    el_gp_panel(out, 0.15, 0.34);
    el_gp_time_axis(out, e->series.start,
                    e->series.start + (int64_t)e->series.buckets * e->series.width);
    el_buf_text(out, "unset title\nset ylabel 'IOPS (1/s)'\n");
    el_buf_print(out, "set ytics %.6g\n", el_gp_tic_step(&e->series, EL_T_IOPS));
    el_buf_text(out,
                "plot $data using 1:6 with boxes linecolor " EL_GP_LOAD " title 'commands/s'\n");
}

static void script(struct el_buf *out, const struct el_report *r, uint32_t entity,
                   const char *base) {
    static const int track[] = { EL_T_DAVG, EL_T_KAVG, EL_T_QAVG, EL_T_GAVG, EL_T_IOPS };
    const struct el_entity_report *e = &r->entity[entity];
    const struct el_series *s = &e->series;
    el_gp_begin(out, base, "where commands waited: device, kernel queue, rest of the kernel", 1100,
                560);
    el_gp_data(out, s, track, 5);
    el_gp_boxes(out, s);
    el_buf_text(out, "set multiplot\n");
    el_gp_panel(out, 0.41, 0.91);
    el_gp_time_axis(out, s->start, s->start + (int64_t)s->buckets * s->width);
    el_buf_text(out, "unset xlabel\nset format x ''\n");
    el_gp_windows(out, r, entity, 0.37);
    el_gp_title(out, e);
    el_buf_text(out, "set yrange [0:*]\nset ylabel 'latency (ms per command)'\n");
    if (el_gp_has(s, EL_T_DAVG) && el_gp_has(s, EL_T_KAVG))
        put_layers(out);
    else
        put_total(out, e);
    el_buf_text(out, "unset label 1\n");
    put_iops(out, e);
    el_buf_text(out, "unset multiplot\n");
}

const struct el_gp_picture el_gp_stack = { "", applies, script };
