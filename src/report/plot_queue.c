/* How full the queue of a LUN was: commands in the device, waiting in the kernel, and the limit. */
#include "gnuplot.h"

static bool applies(const struct el_entity_report *e) {
    return e->kind == EL_LUN &&
           (el_gp_has(&e->series, EL_T_ACTV) || el_gp_has(&e->series, EL_T_QUED) ||
            el_gp_has(&e->series, EL_T_INFLIGHT));
}

static void script(struct el_buf *out, const struct el_report *r, uint32_t entity,
                   const char *base) {
    static const int track[] = { EL_T_ACTV, EL_T_QUED, EL_T_INFLIGHT, EL_GP_MIN(EL_T_DQLEN),
                                 EL_GP_MAX(EL_T_QUED) };
    const struct el_entity_report *e = &r->entity[entity];
    const struct el_series *s = &e->series;
    el_gp_begin(out, base, "how full the device queue was", 1100, 460);
    el_gp_data(out, s, track, 5);
    el_gp_panel(out, 0.17, 0.90);
    el_gp_time_axis(out, s->start, s->start + (int64_t)s->buckets * s->width);
    el_gp_windows(out, r, entity, 0.20);
    el_gp_title(out, e);
    el_gp_boxes(out, s);
    el_buf_text(out, "set yrange [0:*]\nset ylabel 'commands'\n");
    el_buf_text(
        out,
        "# Columns: 2 ACTV, 3 QUED (instants), 4 CMDS/s x DAVG (average, Little's law), 5 lowest\n"
        "# DQLEN, 6 highest QUED.  2 to 4 are means over a bucket.\n"
        "plot $data using 1:($2 + $3) with boxes linecolor " EL_GP_QUEUE
        " title 'QUED, on top of ACTV', \\\n"
        "     $data using 1:2 with boxes linecolor " EL_GP_LUN " title 'ACTV', \\\n"
        "     $data using 1:4 with lines linewidth 2 linecolor " EL_GP_DEVICE
        " title 'in the device (Little)', \\\n"
        "     $data using 1:6 with lines linewidth 1 linecolor " EL_GP_PEAK
        " title 'highest QUED, from zero', \\\n"
        "     $data using 1:5 with lines linewidth 2 dashtype 2 linecolor " EL_GP_LIMIT
        " title 'lowest DQLEN, the limit'\n");
}

const struct el_gp_picture el_gp_queue = { "-queue", applies, script };
