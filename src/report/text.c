#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the waiting arises, in words that need no knowledge of esxtop. */
static const char *const shouted[] = { "DEVICE", "VMKERNEL", "GUEST", "MIXED", "NONE", "UNKNOWN" };
static const enum el_ink layer_ink[] = { EL_INK_RED, EL_INK_RED,   EL_INK_RED,
                                         EL_INK_RED, EL_INK_GREEN, EL_INK_YELLOW };

static size_t columns_of(struct el_str name) {
    struct el_buf scratch = { 0 };
    el_buf_visible(&scratch, name);
    size_t columns = el_page_columns((struct el_str){ scratch.ptr, scratch.len });
    el_buf_release(&scratch);
    return columns;
}

/* The scope: the entity of the cause, else the host (of two causes as well: the summary names both).
 * Names are shortened only as far as `room` columns demand. */
static void put_scope(struct el_page *p, const struct el_report *r, size_t room) {
    enum { LEAST = 15 }; /* columns of a host's name */
    const struct el_finding *f = el_report_cause(r);
    enum el_layer layer = r->verdict.layer;
    bool named =
        f && f->kind != EL_HOST && layer != EL_NONE && layer != EL_UNKNOWN && layer != EL_MIXED;
    struct el_str host = f             ? f->host
                         : r->captures ? r->capture[0].host
                                       : (struct el_str){ NULL, 0 };
    size_t whole = columns_of(host), part = whole;
    if (named) {
        size_t name = columns_of(f->name);
        room -= strlen(" |  ") + strlen(el_kind_name(f->kind)) + strlen(" on ");
        if (name + whole > room)
            part = name + LEAST > room ? LEAST : room - name;
        part = part > whole ? whole : part;
        el_buf_print(p->out, " | %s ", el_kind_name(f->kind));
        el_page_short(p->out, f->name, room - part);
    }
    if (host.len) {
        el_buf_text(p->out, named ? " on " : " | host ");
        el_page_short(p->out, host, named ? part < 8 ? 8 : part : room - strlen(" | host "));
    }
}

static void put_headline(struct el_page *p, const struct el_report *r) {
    enum el_layer layer = r->verdict.layer;
    const char *sure = el_confidence_name(r->verdict.confidence);
    size_t used = strlen(shouted[layer]) + strlen(" | confidence ") + strlen(sure);
    el_page_ink(p, layer_ink[layer], shouted[layer]);
    put_scope(p, r, EL_PAGE_COLUMNS - used);
    el_buf_print(p->out, " | confidence %s\n", sure);
}

static void put_share(struct el_page *p, const char *name, double share) {
    int filled = share <= 0 ? 0 : share >= 1 ? 40 : (int)(share * 40 + 0.5);
    static const char bar[] = "########################################";
    el_buf_print(p->out, "  %-9s %5.1f %%  |%.*s%*s|\n", name, 100 * share, filled, bar,
                 40 - filled, "");
}

static void put_shares(struct el_page *p, const struct el_verdict *v) {
    el_page_heading(p, "Where commands waited");
    if (!isfinite(v->share_vmkernel) || !isfinite(v->share_device)) {
        el_page_line(p, "  ", EL_STR("no waiting was measured"));
        return;
    }
    if (isfinite(v->share_guest))
        put_share(p, "guest", v->share_guest);
    else
        el_page_line(p, "  ", EL_STR("guest     cannot be measured on the host"));
    put_share(p, "vmkernel", v->share_vmkernel);
    put_share(p, "device", v->share_device);
}

static void put_sentences(struct el_page *p, const char *heading, const char *const *item,
                          size_t count) {
    if (count)
        el_page_heading(p, heading);
    for (size_t i = 0; i < count; i++)
        el_page_wrap(p, "  -", 4, el_str(item[i]));
}

void el_report_text(const struct el_report *r, const struct el_text_style *style,
                    struct el_buf *out) {
    struct el_page page = { out, style->colour };
    const struct el_verdict *v = &r->verdict;
    put_headline(&page, r);
    if (v->summary && *v->summary) {
        el_buf_char(out, '\n');
        el_page_wrap(&page, "", 0, el_str(v->summary));
    }
    el_text_next(&page, r);
    put_shares(&page, v);
    el_text_when(&page, r);
    el_text_guests(&page, r);
    el_text_evidence(&page, r, style->verbose);
    el_text_findings(&page, r, style->verbose);
    el_text_consequences(&page, r, style->verbose);
    el_text_why(&page, r);
    put_sentences(&page, "What was healthy", v->healthy, v->healthy_count);
    el_text_quality(&page, r, style->verbose);
    el_text_missing(&page, r);
    put_sentences(&page, "What this capture cannot show", v->cannot, v->cannot_count);
    el_text_captures(&page, r);
}
