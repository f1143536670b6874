/* test_reader_made.h - made-up captures as bytes, and reading them.
 *
 *   cap_begin, cap_object or cap_cell for each column, cap_row for each row, cap_bytes */
#ifndef TEST_READER_MADE_H
#define TEST_READER_MADE_H

#include "unit.h"

#include "esxlat/capture/links.h"
#include "esxlat/metrics/reader.h"

#define CAP_START INT64_C(1796029200000) /* 2026-11-30T09:00:00Z: second 0 of the rows */

struct cap {
    struct el_buf text;
    const char *host;
    bool in_header;
};
/* A header with the first field "(PDH-CSV 4.0) ZONE", "(UTC)(0)" if NULL. */
void cap_begin(struct cap *c, const char *host, const char *zone);
/* Columns of an object; counters by their names of counter.def: "cmds davg". */
void cap_object(struct cap *c, const char *object, const char *counters);
/* One column: OBJECT(INSTANCE)\COUNTER. */
void cap_cell(struct cap *c, const char *path);
/* A row `second` seconds behind the start; values are set apart by blanks, _ is an empty value. */
void cap_row(struct cap *c, int second, const char *values);
void cap_text(struct cap *c, const char *text); /* bytes as they are */
struct el_str cap_bytes(const struct cap *c);
void cap_release(struct cap *c);

struct cap_reading {
    struct el_source *source;
    struct el_catalog *catalog;
    struct el_quality quality;
    struct el_reader *reader;
    struct el_links links; /* after cap_link */
};
void cap_open(struct cap_reading *r, struct el_str bytes, const struct el_reader_options *options);
const struct el_block *cap_next(struct cap_reading *r); /* NULL at the end */
/* To the end; the number of samples. */
size_t cap_read_all(struct cap_reading *r);
void cap_link(struct cap_reading *r);
void cap_close(struct cap_reading *r);
/* By host esx1; a missing one fails the test. */
uint32_t cap_id(const struct cap_reading *r, enum el_kind kind, const char *name);
const struct el_entity *cap_entity(const struct cap_reading *r, enum el_kind kind,
                                   const char *name);
double cap_value(const struct cap_reading *r, const struct el_block *b, uint32_t entity,
                 enum el_counter counter, size_t row);

#define ck_missing(value)                                                                          \
    ck_assert_msg(el_missing(value), "%s is %g, not missing", #value, (double)(value))
#define ck_near(value, want) ck_assert_double_eq_tol(value, want, 1e-9)

#endif
