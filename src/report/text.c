#include "text.h"

#include <math.h>
#include <stdio.h>

/* Where the waiting arises, in words that need no knowledge of esxtop. */
static const char *const shouted[] = { "DEVICE", "VMKERNEL", "GUEST", "MIXED", "NONE", "UNKNOWN" };
static const enum el_ink layer_ink[] = { EL_INK_RED, EL_INK_RED,   EL_INK_RED,
                                         EL_INK_RED, EL_INK_GREEN, EL_INK_YELLOW };

static const struct el_finding *first_root(const struct el_report *r) {
    for (size_t i = 0; i < r->findings; i++)
        if (r->finding[i].root && r->finding[i].severity != EL_INFO)
            return &r->finding[i];
    return NULL;
}

/* The scope: the entity of the leading finding, else the host. */
static void put_scope(struct el_page *p, const struct el_report *r) {
    const struct el_finding *f = first_root(r);
    bool calm = r->verdict.layer == EL_NONE || r->verdict.layer == EL_UNKNOWN;
    struct el_str host = f             ? f->host
                         : r->captures ? r->capture[0].host
                                       : (struct el_str){ NULL, 0 };
    if (f && !calm && f->kind != EL_HOST) {
        el_buf_print(p->out, " | %s ", el_kind_name(f->kind));
        el_page_short(p->out, f->name, 24);
    }
    if (host.len) {
        el_buf_text(p->out, f && !calm && f->kind != EL_HOST ? " on " : " | host ");
        el_page_short(p->out, host, 15);
    }
}

static void put_headline(struct el_page *p, const struct el_report *r) {
    enum el_layer layer = r->verdict.layer;
    el_page_ink(p, layer_ink[layer], shouted[layer]);
    put_scope(p, r);
    el_buf_print(p->out, " | confidence %s\n", el_confidence_name(r->verdict.confidence));
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
