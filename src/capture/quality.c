#include "esxlat/capture/quality.h"

#define EL_QUALITY(id, code, harmless, text) { code, harmless, text },
static const struct el_quality_info table[] = {
#include "esxlat/capture/quality.def"
};
#undef EL_QUALITY
_Static_assert(sizeof table / sizeof *table == EL_QUALITY_CODES, "one row for each code");

void el_quality_add(struct el_quality *q, enum el_quality_code code, uint64_t line,
                    uint64_t count) {
    if (count && (!q->count[code] || line < q->first_line[code]))
        q->first_line[code] = line;
    q->count[code] += count;
}

void el_quality_note(struct el_quality *q, enum el_quality_code code, uint64_t line) {
    el_quality_add(q, code, line, 1);
}

const struct el_quality_info *el_quality_info(enum el_quality_code code) {
    return &table[code];
}
