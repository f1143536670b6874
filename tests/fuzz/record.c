/* Any bytes as a file of records, cut into reads of several sizes: the fields must be the same. */
#include "fuzz.h"

#include "esxlat/input/record.h"

#include <stdlib.h>

struct how {
    size_t chunk, most; /* bytes a read, lines at a time */
    bool ahead;
};
enum { MOST = 8 };

static uint64_t add(uint64_t hash, const struct el_record *record) {
    for (size_t i = 0; i < record->fields; i++)
        hash = hash * 31 + el_str_hash(record->field[i]) + record->line;
    return hash;
}

/* A line into records, NULL: the end; false when a limit was exceeded. */
static bool feed(struct el_records *records, const struct el_line *line, uint64_t *hash) {
    struct el_record record;
    struct el_error err;
    enum el_fed fed;
    do {
        fed = line ? el_records_feed(records, line, &record, &err)
                   : el_records_finish(records, &record, &err);
        if (fed == EL_FED_RECORD || fed == EL_FED_AGAIN)
            *hash = add(*hash, &record);
    } while (fed == EL_FED_AGAIN);
    return fed != EL_FED_FAILED;
}

/* A hash over every record and field; reading stops at the first failure. */
static uint64_t digest(struct el_str bytes, struct how how) {
    struct el_error err;
    struct el_line line[MOST];
    size_t count = 0;
    uint64_t hash = 0;
    bool going = true;
    struct el_source *source = el_source_memory("fuzz.csv", bytes.ptr, bytes.len, &err);
    if (!source)
        return 1;
    struct el_lines *lines = el_lines_new(source, how.chunk, how.ahead, NULL, NULL);
    struct el_records *records = el_records_new(true);
    while (going && el_lines_next(lines, line, how.most, &count, &err) == EL_LINE_READ)
        for (size_t i = 0; going && i < count; i++)
            going = feed(records, &line[i], &hash);
    if (going)
        (void)feed(records, NULL, &hash);
    el_records_free(records);
    el_lines_free(lines);
    el_source_free(source);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const struct how ways[] = { { 1, 1, false }, { 7, 3, false }, { 5, MOST, true } };
    struct el_str text = { (const char *)bytes, size };
    uint64_t whole = digest(text, (struct how){ 0, MOST, false });
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (digest(text, ways[i]) != whole)
            abort();
    return 0;
}
