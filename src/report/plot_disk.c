/* LAT of a virtual disk over GAVG of its LUN: what lies between is waiting above the device layer. */
#include "gnuplot.h"

static bool applies(const struct el_entity_report *e) {
    return el_kind_is_virtual(e->kind) && el_gp_has(&e->series, EL_T_GAVG) &&
           el_gp_has(&e->series, EL_T_LUN_GAVG);
}

static void script(struct el_buf *out, const struct el_report *r, uint32_t entity,
                   const char *base) {
    static const int track[] = { EL_T_GAVG, EL_T_LUN_GAVG };
    const struct el_entity_report *e = &r->entity[entity];
    const struct el_series *s = &e->series;
    el_gp_begin(out, base, "what a virtual disk waits, over what its LUN takes", 1100, 460);
    el_gp_data(out, s, track, 2);
    el_gp_panel(out, 0.17, 0.82);
    el_gp_time_axis(out, s->start, s->start + (int64_t)s->buckets * s->width);
    el_gp_windows(out, r, entity, 0.20);
    el_gp_title(out, e);
    el_buf_text(out, "set title offset 0,1\n");
    if (e->lun.len) { /* a virtual machine on several LUNs has none */
        el_buf_text(out, "set label 2 ");
        el_gp_name(out, "its LUN: ", e->lun, 60,
                   e->link == EL_LINK_MATCHED ? " (matched by rates)" : "");
        el_buf_text(out, " at graph 0.0, graph 1.05 textcolor '#666666'\n");
    }
    el_gp_boxes(out, s);
    el_buf_text(
        out, "set yrange [0:*]\nset ylabel 'latency (ms per command)'\n"
             "# Columns: 2 LAT of the disk, 3 GAVG of the LUN (may be above LAT: others share the "
             "LUN).\n"
             "plot $data using 1:2 with boxes linecolor " EL_GP_VMKERNEL
             " title 'LAT above its LUN', \\\n"
             "     $data using 1:($3 < $2 ? $3 : $2) with boxes linecolor " EL_GP_LUN
             " title 'LAT up to its LUN', \\\n"
             "     $data using 1:3 with lines linewidth 1.5 linecolor " EL_GP_DEVICE
             " title 'GAVG of its LUN'\n");
}

const struct el_gp_picture el_gp_disk = { "-lat", applies, script };
