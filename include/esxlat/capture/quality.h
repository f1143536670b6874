/* quality.h - what was odd about a capture: every oddity is counted and told, none is swallowed. */
#ifndef ESXLAT_CAPTURE_QUALITY_H
#define ESXLAT_CAPTURE_QUALITY_H

#include "esxlat/base/str.h"

enum el_quality_code {
#define EL_QUALITY(id, code, harmless, text) EL_Q_##id,
#include "esxlat/capture/quality.def"
#undef EL_QUALITY
    EL_QUALITY_CODES
};

struct el_quality { /* zero-initialised: nothing odd */
    uint64_t count[EL_QUALITY_CODES];
    uint64_t first_line[EL_QUALITY_CODES];
};

void el_quality_note(struct el_quality *q, enum el_quality_code code, uint64_t line);
void el_quality_add(struct el_quality *q, enum el_quality_code code, uint64_t line, uint64_t count);

struct el_quality_info {
    const char *code;
    bool harmless; /* esxtop's own habit or a mere form; figures are not affected */
    const char *text;
};
const struct el_quality_info *el_quality_info(enum el_quality_code code);

#endif
