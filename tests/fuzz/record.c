/* Any bytes as a file of records, cut into reads of several sizes: the fields must be the same. */
#include "fuzz.h"

#include "esxlat/input/record.h"

#include <stdlib.h>

/* A hash over every record and field; reading stops at the first failure. */
static uint64_t digest(struct el_str bytes, size_t chunk) {
    struct el_error err;
    struct el_line line;
    struct el_record record;
    uint64_t hash = 0;
    struct el_source *source = el_source_memory("fuzz.csv", bytes.ptr, bytes.len, &err);
    if (!source)
        return 1;
    struct el_lines *lines = el_lines_new(source, chunk);
    struct el_records *records = el_records_new();
    enum el_fed fed = EL_FED_MORE;
    for (bool open = true; open && fed != EL_FED_FAILED;) {
        open = el_lines_next(lines, &line, &err) == EL_LINE_READ;
        do {
            fed = open ? el_records_feed(records, &line, &record, &err)
                       : el_records_finish(records, &record, &err);
            if (fed == EL_FED_RECORD || fed == EL_FED_AGAIN)
                for (size_t i = 0; i < record.fields; i++)
                    hash = hash * 31 + el_str_hash(record.field[i]) + record.line;
        } while (fed == EL_FED_AGAIN);
    }
    el_records_free(records);
    el_lines_free(lines);
    el_source_free(source);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct el_str text = { (const char *)bytes, size };
    uint64_t whole = digest(text, 0);
    if (digest(text, 1) != whole || digest(text, 7) != whole)
        abort();
    return 0;
}
