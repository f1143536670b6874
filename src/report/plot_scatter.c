/* Latency against load: a knee tells saturation, a cloud that does not lean tells another cause. */
#include "gnuplot.h"

static bool applies(const struct el_entity_report *e) {
    return el_gp_has(&e->series, EL_T_IOPS) && el_gp_has(&e->series, EL_T_GAVG);
}

static void script(struct el_buf *out, const struct el_report *r, uint32_t entity,
                   const char *base) {
    static const int track[] = { EL_T_IOPS, EL_T_DAVG, EL_T_KAVG, EL_T_GAVG };
    const struct el_entity_report *e = &r->entity[entity];
    bool split = el_gp_has(&e->series, EL_T_DAVG) && el_gp_has(&e->series, EL_T_KAVG);
    el_gp_begin(out, base, "latency against commands per second", 900, 560);
    el_gp_data(out, &e->series, track, 4);
    el_gp_panel(out, 0.12, 0.91);
    el_gp_title(out, e);
    el_buf_text(
        out,
        "set xlabel 'IOPS (1/s)'\nset ylabel 'latency (ms per command), log'\n"
        "set xrange [0:*]\nset logscale y\nset format y '%g'\n"
        "# Columns: 2 IOPS, 3 DAVG, 4 KAVG, 5 GAVG or LAT.  Below 0.01 ms is drawn at 0.01 ms.\n"
        "seen(v) = v < 0.01 ? 0.01 : v\n"
        "set style fill transparent solid 0.5\n");
    if (split)
        el_buf_text(out, "plot $data using 2:(seen($3)) with points pointtype 7 pointsize 0.5 "
                         "linecolor " EL_GP_DEVICE " title 'device: DAVG', \\\n"
                         "     $data using 2:(seen($4)) with points pointtype 9 pointsize 0.5 "
                         "linecolor " EL_GP_VMKERNEL " title 'VMkernel: KAVG'\n");
    else
        el_buf_print(out,
                     "plot $data using 2:(seen($5)) with points pointtype 7 pointsize 0.5 "
                     "linecolor " EL_GP_LUN " title '%s'\n",
                     el_kind_is_virtual(e->kind) ? "LAT" : "GAVG");
}

const struct el_gp_picture el_gp_scatter = { "-load", applies, script };
