/* JSON, schema esxlat.report/1.  Keys come in a fixed order; new ones are added at the end of their
 * object, none is ever renamed.  Elements of lists are printed one a line and freed at once, so that
 * a report with many thousand entities needs little memory beyond its text. */
#include "esxlat/report/report.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "esxlat/base/num.h"
#include "utf8.h"

#define DIGITS 9
#define WHOLE  1e15  /* integers below are exact in a double and print as such */
#define SAME   1e-12 /* relative: the noise of sums; a thousandth of what DIGITS tell apart */

static json_t *text(struct el_str s) {
    struct el_buf b = { 0 };
    el_utf8_mend(&b, s);
    json_t *value = json_stringn(b.len ? b.ptr : "", b.len);
    el_buf_release(&b);
    return value;
}

/* Texts that are missing or empty are null. */
static json_t *name(struct el_str s) {
    return s.len ? text(s) : json_null();
}

static json_t *word(const char *s) {
    return s ? text(el_str(s)) : json_null();
}

/* A sum may miss a whole number by its last bits, far behind the digits that are written: it is one. */
static json_t *number(double value) {
    double nearest = round(value);
    if (!isfinite(value))
        return json_null();
    if (fabs(value) < WHOLE && fabs(value - nearest) <= SAME * fabs(value))
        return json_integer((json_int_t)nearest);
    return json_real(value);
}

static json_t *count(uint64_t value) {
    return json_integer((json_int_t)value);
}

static json_t *moment(int64_t at) {
    char out[EL_CLOCK_ROOM];
    return at == EL_NO_TIME ? json_null() : json_string(el_clock_rfc3339(at, out));
}

static void put(json_t *object, const char *key, json_t *value) {
    (void)json_object_set_new(object, key, value);
}

static json_t *words(const char *const *item, size_t items) {
    json_t *list = json_array();
    for (size_t i = 0; i < items; i++)
        (void)json_array_append_new(list, word(item[i]));
    return list;
}

static json_t *texts(struct el_texts t) {
    return words(t.item, t.count);
}

/* ---- captures ---- */

static json_t *missing(const struct el_capture_report *c) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->missing_count; i++) {
        json_t *o = json_object();
        put(o, "counter", word(c->missing[i].counter));
        put(o, "object", word(c->missing[i].object));
        put(o, "needed_for", word(c->missing[i].needed_for));
        (void)json_array_append_new(list, o);
    }
    return list;
}

static json_t *quality(const struct el_capture_report *c) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->quality_count; i++) {
        json_t *o = json_object();
        put(o, "code", word(c->quality[i].code));
        put(o, "count", count(c->quality[i].count));
        put(o, "first_line",
            c->quality[i].first_line ? count(c->quality[i].first_line) : json_null());
        put(o, "text", word(c->quality[i].text));
        put(o, "harmless", json_boolean(c->quality[i].harmless));
        (void)json_array_append_new(list, o);
    }
    return list;
}

static json_t *capture(const struct el_capture_report *c) {
    json_t *o = json_object();
    put(o, "file", word(c->file));
    put(o, "host", name(c->host));
    put(o, "start", moment(c->start));
    put(o, "end", moment(c->end));
    put(o, "interval_s", number(c->interval_s));
    put(o, "rows", count(c->rows));
    put(o, "samples", count(c->samples));
    put(o, "runs", count(c->runs));
    put(o, "columns", count(c->columns));
    put(o, "storage_columns", count(c->storage_columns));
    put(o, "missing", missing(c));
    put(o, "quality", quality(c));
    return o;
}

/* ---- verdict ---- */

static json_t *layers(const char *const key[3], const double value[3]) {
    json_t *o = json_object();
    for (int i = 0; i < 3; i++)
        put(o, key[i], number(value[i]));
    return o;
}

static const char *const layer_keys[3] = { "guest", "vmkernel", "device" };

static json_t *verdict(const struct el_verdict *v) {
    json_t *o = json_object();
    put(o, "layer", word(el_layer_name(v->layer)));
    put(o, "confidence", word(el_confidence_name(v->confidence)));
    put(o, "cause", word(v->cause));
    put(o, "summary", word(v->summary));
    put(o, "share",
        layers(layer_keys, (double[]){ v->share_guest, v->share_vmkernel, v->share_device }));
    put(o, "healthy", words(v->healthy, v->healthy_count));
    put(o, "cannot", words(v->cannot, v->cannot_count));
    return o;
}

/* ---- findings ---- */

static json_t *who(const struct el_who *item, size_t length) {
    json_t *list = json_array();
    for (size_t i = 0; i < length; i++) {
        json_t *o = json_object();
        put(o, "vm", name(item[i].vm));
        put(o, "vdisk", name(item[i].vdisk));
        put(o, "world", name(item[i].world));
        put(o, "share", number(item[i].share));
        put(o, "load", number(item[i].load));
        put(o, "rise", number(item[i].rise));
        (void)json_array_append_new(list, o);
    }
    return list;
}

static void put_peak(json_t *o, double peak, int64_t at) {
    put(o, "peak_ms", number(peak));
    put(o, "peak_at", moment(at));
}

static json_t *windows(const struct el_finding *f) {
    json_t *list = json_array();
    for (size_t i = 0; i < f->windows; i++) {
        json_t *o = json_object();
        put(o, "from", moment(f->window[i].from));
        put(o, "to", moment(f->window[i].to));
        put(o, "samples", count(f->window[i].samples));
        put_peak(o, f->window[i].peak > 0 ? f->window[i].peak : EL_NAN, f->window[i].peak_at);
        (void)json_array_append_new(list, o);
    }
    return list;
}

static json_t *concerned(const struct el_finding *f) {
    json_t *e = json_object();
    put(e, "kind", word(el_kind_name(f->kind)));
    put(e, "name", text(f->name));
    return e;
}

static json_t *basis(const struct el_basis *b) {
    json_t *o = json_object();
    put(o, "samples", count(b->samples));
    put(o, "commands", number(b->commands));
    put(o, "agreed", count(b->agreed));
    put(o, "asked", count(b->asked));
    put(o, "margin", number(b->margin));
    return o;
}

static json_t *finding(const struct el_finding *f) {
    json_t *o = json_object();
    put(o, "rule", word(f->rule));
    put(o, "layer", word(el_layer_name(f->layer)));
    put(o, "severity", word(el_severity_name(f->severity)));
    put(o, "confidence", word(el_confidence_name(f->confidence)));
    put(o, "entity", concerned(f));
    put(o, "host", name(f->host));
    put(o, "from", moment(f->from));
    put(o, "to", moment(f->to));
    put(o, "samples", count(f->samples));
    put(o, "title", word(f->title));
    put(o, "because", word(f->because));
    put(o, "check", texts(f->check));
    put(o, "do", texts(f->act));
    put(o, "see", texts(f->see));
    put(o, "who", who(f->who, f->who_count));
    put(o, "also", texts(f->also));
    put(o, "windows", windows(f));
    put(o, "root", json_boolean(f->root));
    put(o, "basis", basis(&f->basis));
    return o;
}

/* ---- episodes ---- */

static json_t *episode(const struct el_report *r, const struct el_episode *e) {
    json_t *o = json_object();
    put(o, "from", moment(e->from));
    put(o, "to", moment(e->to));
    put(o, "samples", count(e->samples));
    put(o, "layer", word(el_layer_name(e->layer)));
    put(o, "rule", word(r->finding[e->finding].rule));
    put(o, "entity", concerned(&r->finding[e->finding]));
    put(o, "others", count(e->others));
    put_peak(o, e->peak, e->peak_at);
    put(o, "time_s",
        layers(layer_keys, (double[]){ e->wait_guest, e->wait_vmkernel, e->wait_device }));
    put(o, "who", who(e->who, e->who_count));
    put(o, "held_s", number(e->held_s));
    return o;
}

/* ---- why ---- */

/* The lines of a text. */
static json_t *lines(const char *at) {
    json_t *list = json_array();
    for (size_t n; *at; at += n + (at[n] == '\n')) {
        n = strcspn(at, "\n");
        (void)json_array_append_new(list, text((struct el_str){ at, n }));
    }
    return list;
}

static json_t *why(const struct el_why *w) {
    json_t *o = json_object(), *e = json_object();
    put(e, "kind", word(el_kind_name(w->kind)));
    put(e, "name", text(w->name));
    put(o, "entity", e);
    put(o, "host", name(w->host));
    put(o, "rules", lines(w->text));
    return o;
}

/* ---- entities ---- */

static json_t *spread(struct el_spread s) {
    if (!s.there)
        return json_null();
    json_t *o = json_object();
    put(o, "mean", number(s.mean));
    put(o, "max", number(s.max));
    return o;
}

static json_t *range(struct el_range r) {
    if (!r.there)
        return json_null();
    json_t *o = json_object();
    put(o, "min", number(r.min));
    put(o, "max", number(r.max));
    return o;
}

static json_t *figure(const struct el_figure *f) {
    if (!f->there)
        return json_null();
    json_t *o = json_object();
    put(o, "mean", number(f->mean));
    put(o, "p50", number(f->p50));
    put(o, "p95", number(f->p95));
    put(o, "p99", number(f->p99));
    put(o, "max", number(f->max));
    put(o, "max_at", moment(f->max_at));
    return o;
}

/* A key that every entity of these kinds has, and others where there is something to say. */
static void put_for(json_t *o, const struct el_entity_report *e, unsigned kinds, const char *key,
                    json_t *value) {
    if ((kinds & EL_KIND_BIT(e->kind)) || !json_is_null(value))
        put(o, key, value);
    else
        json_decref(value);
}

static json_t *paths(const struct el_entity_report *e) {
    if (e->path_count == 0 && e->kind != EL_LUN)
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; i < e->path_count; i++)
        (void)json_array_append_new(list, text(e->paths[i]));
    return list;
}

static void put_links(json_t *o, const struct el_entity_report *e) {
    unsigned virtual = EL_KIND_BIT(EL_VM) | EL_KIND_BIT(EL_VDISK);
    unsigned below = EL_KIND_BIT(EL_PATH) | EL_KIND_BIT(EL_WORLD) | EL_KIND_BIT(EL_PARTITION);
    put_for(o, e, virtual | below, "lun", name(e->lun));
    put_for(o, e, EL_KIND_BIT(EL_LUN) | EL_KIND_BIT(EL_PATH), "adapter", name(e->adapter));
    put_for(o, e, EL_KIND_BIT(EL_LUN), "paths", paths(e));
    put_for(o, e, EL_KIND_BIT(EL_WORLD) | EL_KIND_BIT(EL_VDISK), "vm", name(e->vm));
    put_for(o, e, virtual, "link",
            e->link == EL_LINK_NONE ? json_null() : word(el_link_name(e->link)));
    put_for(o, e, EL_KIND_BIT(EL_VDISK), "link_certainty",
            e->kind == EL_VDISK ? number(e->link_certainty) : json_null());
}

static void put_load(json_t *o, const struct el_entity_report *e) {
    put(o, "commands", number(e->commands));
    put(o, "reads", e->has_reads ? number(e->reads) : json_null());
    put(o, "writes", e->has_writes ? number(e->writes) : json_null());
    put(o, "iops", spread(e->iops));
    put(o, "mb_s", spread(e->mb_s));
    put(o, "io_kb", number(e->io_kb));
}

static json_t *waiting(const struct el_entity_report *e) {
    if (!e->has_time)
        return json_null();
    return layers(layer_keys, (double[]){ e->time_guest, e->time_vmkernel, e->time_device });
}

static json_t *entity(const struct el_entity_report *e) {
    json_t *o = json_object();
    put(o, "kind", word(el_kind_name(e->kind)));
    put(o, "name", text(e->name));
    put(o, "host", name(e->host));
    put(o, "layer", word(el_layer_name(e->layer)));
    put(o, "samples", count(e->samples));
    put(o, "active", count(e->active));
    put_load(o, e);
    for (enum el_latency l = 0; l < EL_LATENCIES; l++)
        if (e->has_latency[l])
            put(o, el_latency_name(l), figure(&e->latency[l]));
    put_for(o, e, EL_KIND_BIT(EL_LUN), "dqlen", range(e->dqlen));
    put_for(o, e, EL_KIND_BIT(EL_ADAPTER), "aqlen", range(e->aqlen));
    put_for(o, e, EL_KIND_BIT(EL_LUN), "actv", spread(e->actv));
    put_for(o, e, EL_KIND_BIT(EL_LUN), "qued", spread(e->qued));
    put(o, "inflight", spread(e->inflight));
    put(o, "aborts", number(e->aborts));
    put(o, "resets", number(e->resets));
    put(o, "conflicts", number(e->conflicts));
    put(o, "failed", number(e->failed));
    put_links(o, e);
    put(o, "time_s", waiting(e));
    put_for(o, e, 0, "owner", name(e->owner));
    put_for(o, e, 0, "vendor", name(e->vendor));
    put_for(o, e, 0, "profile",
            e->profile < EL_PROFILES ? word(el_profile_name(e->profile)) : json_null());
    return o;
}

/* ---- guests ---- */

static json_t *guest_disk(const struct el_guest_disk_report *d) {
    json_t *o = json_object();
    put(o, "name", text(d->name));
    put(o, "vdisk", name(d->vdisk));
    put(o, "link", word(el_link_name(d->link)));
    put(o, "latency_ms", number(d->latency_ms));
    put(o, "lat_ms", number(d->lat_ms));
    put(o, "queue_ms", number(d->queue_ms));
    put(o, "commands", number(d->commands));
    put(o, "seconds", number(d->seconds));
    return o;
}

static json_t *guest(const struct el_guest_report *g) {
    json_t *o = json_object(), *disks = json_array();
    put(o, "file", word(g->file));
    put(o, "kind", word(g->kind));
    put(o, "host", name(g->host));
    put(o, "vm", name(g->vm));
    put(o, "vm_by", g->vm.len ? word(g->vm_by) : json_null());
    put(o, "offset_s", number(g->offset_s));
    put(o, "certainty", word(g->certainty));
    put(o, "samples", count(g->samples));
    for (size_t i = 0; i < g->disks; i++)
        (void)json_array_append_new(disks, guest_disk(&g->disk[i]));
    put(o, "disks", disks);
    put(o, "compared", count(g->compared));
    put(o, "reason", word(g->reason));
    put(o, "note", word(g->note));
    return o;
}

/* ---- the documents ---- */

static int append(const char *bytes, size_t length, void *out) {
    el_buf_add(out, bytes, length);
    return 0;
}

static void dump(struct el_buf *out, json_t *value) {
    int failed = json_dump_callback(value, append, out, JSON_REAL_PRECISION(DIGITS));
    json_decref(value);
    (void)failed; /* the callback cannot fail, and every text was made UTF-8 */
}

/* Element `i` of a list, on a line of its own. */
static void dump_element(struct el_buf *out, size_t i, json_t *value) {
    el_buf_text(out, i ? ",\n    " : "\n    ");
    dump(out, value);
}

/* Memory as everywhere: what cannot be had does not return.  The fixed seed keeps jansson from asking
 * the system for randomness; the keys are ours. */
static void prepare(void) {
    json_set_alloc_funcs(el_alloc, el_free);
    json_object_seed(1);
}

static void dump_captures(struct el_buf *out, const struct el_report *r) {
    el_buf_text(out, "  \"captures\": [");
    for (size_t i = 0; i < r->captures; i++)
        dump_element(out, i, capture(&r->capture[i]));
    el_buf_text(out, "],\n");
}

void el_report_json(const struct el_report *r, struct el_buf *out) {
    prepare();
    el_buf_text(out, "{ \"schema\": \"esxlat.report/1\",\n");
    dump_captures(out, r);
    el_buf_text(out, "  \"verdict\": ");
    dump(out, verdict(&r->verdict));
    el_buf_text(out, ",\n  \"findings\": [");
    for (size_t i = 0; i < r->findings; i++)
        dump_element(out, i, finding(&r->finding[i]));
    el_buf_text(out, "],\n  \"episodes\": [");
    for (size_t i = 0; i < r->episodes; i++)
        dump_element(out, i, episode(r, &r->episode[i]));
    el_buf_text(out, "],\n  \"entities\": [");
    for (size_t i = 0; i < r->entities; i++)
        dump_element(out, i, entity(&r->entity[i]));
    el_buf_text(out, "],\n  \"guests\": [");
    for (size_t i = 0; i < r->guests; i++)
        dump_element(out, i, guest(&r->guest[i]));
    el_buf_text(out, "]");
    if (r->whys)
        el_buf_text(out, ",\n  \"why\": [");
    for (size_t i = 0; i < r->whys; i++)
        dump_element(out, i, why(&r->why[i]));
    el_buf_text(out, r->whys ? "] }\n" : " }\n");
}

static json_t *listed(const struct el_entity_report *e) {
    json_t *o = json_object();
    put(o, "kind", word(el_kind_name(e->kind)));
    put(o, "name", text(e->name));
    put(o, "host", name(e->host));
    put(o, "samples", count(e->samples));
    put(o, "active", count(e->active));
    put(o, "commands", number(e->commands));
    put_links(o, e);
    return o;
}

/* "kinds": how many entities of each kind, in the order of enum el_kind. */
static json_t *kinds(const struct el_report *r) {
    uint64_t sum[EL_KINDS] = { 0 };
    json_t *o = json_object();
    for (size_t i = 0; i < r->entities; i++)
        sum[r->entity[i].kind]++;
    for (enum el_kind k = 0; k < EL_KINDS; k++)
        if (sum[k])
            put(o, el_kind_name(k), count(sum[k]));
    return o;
}

void el_report_listing_json(const struct el_report *r, struct el_buf *out) {
    prepare();
    el_buf_text(out, "{ \"schema\": \"esxlat.list/1\",\n");
    dump_captures(out, r);
    el_buf_text(out, "  \"kinds\": ");
    dump(out, kinds(r));
    el_buf_text(out, ",\n  \"entities\": [");
    for (size_t i = 0; i < r->entities; i++)
        dump_element(out, i, listed(&r->entity[i]));
    el_buf_text(out, "] }\n");
}
