#include "test_reader_made.h"

#include <string.h>

#include "esxlat/base/clock.h"
#include "esxlat/base/num.h"

void cap_begin(struct cap *c, const char *host, const char *zone) {
    c->host = host;
    c->in_header = true;
    el_buf_print(&c->text, "\"(PDH-CSV 4.0) %s\"", zone ? zone : "(UTC)(0)");
}

void cap_cell(struct cap *c, const char *path) {
    el_buf_print(&c->text, ",\"\\\\%s\\%s\"", c->host, path);
}

static const char *spelling_of(const char *name, size_t length) {
    static const char *const names[] = {
#define EL_COUNTER(name, class, spelling) #name,
#define EL_ALSO(name, class, spelling)
#include "esxlat/capture/counter.def"
#undef EL_COUNTER
#undef EL_ALSO
    };
    for (unsigned i = 0; i < EL_COUNTERS; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return el_counter_spelling(i);
    ck_abort_msg("no counter %s", name);
    return NULL;
}

void cap_object(struct cap *c, const char *object, const char *counters) {
    while (*counters) {
        size_t length = strcspn(counters, " ");
        el_buf_print(&c->text, ",\"\\\\%s\\%s\\%s\"", c->host, object,
                     spelling_of(counters, length));
        counters += length + strspn(counters + length, " ");
    }
}

void cap_row(struct cap *c, int second, const char *values) {
    if (c->in_header)
        el_buf_char(&c->text, '\n');
    c->in_header = false;
    el_buf_print(&c->text, "\"11/30/2026 %02d:%02d:%02d\"", 9 + second / 3600, second / 60 % 60,
                 second % 60);
    while (*values) {
        size_t length = strcspn(values, " ");
        el_buf_print(&c->text, ",\"%.*s\"", *values == '_' ? 0 : (int)length, values);
        values += length + strspn(values + length, " ");
    }
    el_buf_char(&c->text, '\n');
}

void cap_text(struct cap *c, const char *text) {
    c->in_header = false;
    el_buf_text(&c->text, text);
}

struct el_str cap_bytes(const struct cap *c) {
    return (struct el_str){ c->text.ptr, c->text.len };
}

void cap_release(struct cap *c) {
    el_buf_release(&c->text);
}

void cap_open(struct cap_reading *r, struct el_str bytes, const struct el_reader_options *options) {
    static const struct el_reader_options none;
    struct el_error err;
    *r = (struct cap_reading){ .catalog = el_catalog_new() };
    r->source = el_source_memory("made.csv", bytes.ptr, bytes.len, &err);
    ck_assert_ptr_nonnull(r->source);
    el_catalog_begin_file(r->catalog);
    r->reader = el_reader_new(r->source, options ? options : &none, r->catalog, &r->quality);
}

const struct el_block *cap_next(struct cap_reading *r) {
    struct el_error err = { EL_OK, "" };
    const struct el_block *b = NULL;
    enum el_read got;
    while ((got = el_reader_next(r->reader, &b, &err)) == EL_READ_RUN)
        el_catalog_choose(r->catalog, NULL);
    ck_assert_msg(got != EL_READ_FAILED, "%s", err.text);
    return got == EL_READ_BLOCK ? b : NULL;
}

size_t cap_read_all(struct cap_reading *r) {
    size_t rows = 0;
    for (const struct el_block *b; (b = cap_next(r)) != NULL;)
        rows += b->rows;
    return rows;
}

void cap_link(struct cap_reading *r) {
    el_links_build(&r->links, r->catalog);
}

void cap_close(struct cap_reading *r) {
    el_links_release(&r->links);
    el_reader_free(r->reader);
    el_catalog_free(r->catalog);
    el_source_free(r->source);
}

uint32_t cap_id(const struct cap_reading *r, enum el_kind kind, const char *name) {
    uint32_t id = el_catalog_find(r->catalog, EL_STR("esx1"), kind, el_str(name));
    ck_assert_msg(id != EL_NOTHING, "no %s %s", el_kind_name(kind), name);
    return id;
}

const struct el_entity *cap_entity(const struct cap_reading *r, enum el_kind kind,
                                   const char *name) {
    return &r->catalog->entity[cap_id(r, kind, name)];
}

double cap_value(const struct cap_reading *r, const struct el_block *b, uint32_t entity,
                 enum el_counter counter, size_t row) {
    const double *column = el_block_column(b, &r->catalog->run, entity, counter);
    ck_assert_msg(column != NULL, "no column of counter %d", (int)counter);
    ck_assert_uint_lt(row, b->rows);
    return column[row];
}
