/* Which pictures there are, and writing and drawing them. */
#include "esxlat/report/report.h"

#include <stdio.h>

#include "draw.h"
#include "esxlat/base/file.h"
#include "gnuplot.h"

/* Entities with pictures of their own: those of the first findings. */
#define ENTITIES 24

#define DEVICES (EL_KIND_BIT(EL_LUN) | EL_KIND_BIT(EL_NFS) | EL_KIND_BIT(EL_VSAN))

static const struct el_gp_picture *const pictures[] = { &el_gp_stack, &el_gp_queue, &el_gp_disk,
                                                        &el_gp_scatter };
#define PICTURES (sizeof pictures / sizeof *pictures)

static const struct overview {
    const char *base;
    unsigned kinds;
    bool (*script)(struct el_buf *out, const struct el_report *r, unsigned kinds, const char *base);
} overviews[] = {
    { "heat-devices", DEVICES, el_gp_heat },
    { "heat-disks", EL_KIND_BIT(EL_VDISK), el_gp_heat },
    { "spread-devices", DEVICES, el_gp_spread },
    { "spread-disks", EL_KIND_BIT(EL_VDISK), el_gp_spread },
};
#define OVERVIEWS (sizeof overviews / sizeof *overviews)

struct work {
    const char *folder;
    const char *program; /* NULL: no gnuplot */
    size_t written, drawn;
    struct el_buf failed; /* names of scripts that could not be drawn */
};

/* Write one script and draw it; only a script that cannot be written ends the work. */
static bool finish_script(struct work *w, const char *base, const struct el_buf *script,
                          struct el_error *err) {
    char name[EL_GP_FILE_ROOM + 8];
    (void)snprintf(name, sizeof name, "%s.gp", base);
    if (!el_file_write(w->folder, name, script, err))
        return false;
    w->written++;
    if (!w->program)
        return true;
    bool svg = el_gnuplot_draw(w->program, w->folder, base, "svg");
    bool png = el_gnuplot_draw(w->program, w->folder, base, "png");
    w->drawn += svg && png;
    if (!svg || !png)
        el_buf_print(&w->failed, "%s%s", w->failed.len ? ", " : "", name);
    return true;
}

static bool write_overviews(struct work *w, const struct el_report *r, struct el_error *err) {
    bool good = true;
    for (size_t i = 0; good && i < OVERVIEWS; i++) {
        struct el_buf script = { 0 };
        if (overviews[i].script(&script, r, overviews[i].kinds, overviews[i].base))
            good = finish_script(w, overviews[i].base, &script, err);
        el_buf_release(&script);
    }
    return good;
}

static bool write_pictures(struct work *w, const struct el_report *r, uint32_t entity,
                           struct el_error *err) {
    const struct el_entity_report *e = &r->entity[entity];
    bool good = true;
    for (size_t i = 0; good && i < PICTURES; i++) {
        char base[EL_GP_FILE_ROOM];
        struct el_buf script = { 0 };
        if (!pictures[i]->applies(e))
            continue;
        (void)snprintf(base, sizeof base, "%s-%u%s", el_kind_name(e->kind), (unsigned)entity,
                       pictures[i]->suffix);
        pictures[i]->script(&script, r, entity, base);
        good = finish_script(w, base, &script, err);
        el_buf_release(&script);
    }
    return good;
}

static bool named_before(const struct el_report *r, size_t finding) {
    for (size_t i = 0; i < finding; i++)
        if (r->finding[i].entity == r->finding[finding].entity)
            return true;
    return false;
}

static bool write_findings(struct work *w, const struct el_report *r, struct el_error *err) {
    size_t drawn = 0;
    for (size_t i = 0; i < r->findings && drawn < ENTITIES; i++) {
        uint32_t entity = r->finding[i].entity;
        if (entity >= r->entities || r->entity[entity].series.buckets == 0 || named_before(r, i))
            continue;
        drawn++;
        if (!write_pictures(w, r, entity, err))
            return false;
    }
    return true;
}

static bool ends_like_ours(struct el_str rest) {
    return el_str_is(rest, ".gp") || el_str_is(rest, ".svg") || el_str_is(rest, ".png");
}

/* A name that an earlier report may have left: OVERVIEW.gp, KIND-NUMBER.gp, KIND-NUMBER-word.gp, or a picture of it. */
static bool is_ours(struct el_str name) {
    size_t dot = name.len;
    while (dot && name.ptr[dot - 1] != '.')
        dot--;
    if (dot < 2 || !ends_like_ours(el_str_from(name, dot - 1)))
        return false;
    struct el_str base = { name.ptr, dot - 1 };
    for (size_t i = 0; i < sizeof overviews / sizeof *overviews; i++)
        if (el_str_is(base, overviews[i].base))
            return true;
    size_t dash = 0;
    while (dash < base.len && base.ptr[dash] != '-')
        dash++;
    bool kind = el_kind_find((struct el_str){ base.ptr, dash }) != EL_KINDS;
    struct el_str number = el_str_from(base, dash + 1);
    return kind && number.len && number.ptr[0] >= '0' && number.ptr[0] <= '9';
}

bool el_report_plots(const struct el_report *r, const char *folder, size_t *written, size_t *drawn,
                     struct el_error *err) {
    struct el_buf program = { 0 };
    struct work w = { .folder = folder };
    if (el_gnuplot_find(&program))
        w.program = program.ptr;
    el_folder_clear(folder, is_ours); /* pictures of another report would mislead */
    bool good =
        el_folder_make(folder, err) && write_overviews(&w, r, err) && write_findings(&w, r, err);
    if (good && w.failed.len)
        good = el_fail(err, EL_SYSTEM, "gnuplot could not draw %s; the scripts are in '%s'",
                       w.failed.ptr, folder);
    *written = w.written;
    *drawn = w.drawn;
    el_buf_release(&w.failed);
    el_buf_release(&program);
    return good;
}
