#include "esxlat/capture/counter.h"

#include "esxlat/base/mem.h"
#include "esxlat/base/pattern.h"

/* Host; object; instance up to the last `)` before a backslash; counter.  Possessive where nothing can be
 * given back, so that a wide header costs one pass. */
#define PATH "^(\\\\{1,2})([^\\\\]*+)\\\\([^\\\\(]++)(?:\\((.*)\\))?\\\\(.*+)$"

struct spelling {
    enum el_counter counter;
    enum el_counter_class class;
    const char *text;
};

#define EL_COUNTER(name, class, spelling) { EL_C_##name, EL_CLASS_##class, spelling },
#define EL_ALSO(name, class, spelling)    EL_COUNTER(name, class, spelling)
static const struct spelling spellings[] = {
#include "esxlat/capture/counter.def"
};
#undef EL_COUNTER
#undef EL_ALSO
#define SPELLINGS (sizeof spellings / sizeof *spellings)

struct el_counter_names {
    struct el_pattern *path;
    struct el_map known; /* spelling -> first row with that text */
};

struct el_counter_names *el_counter_names_new(void) {
    struct el_counter_names *n = el_calloc(1, sizeof *n);
    struct el_error err;
    n->path = el_pattern_new(PATH, &err); /* a constant: it compiles */
    for (uint32_t i = 0; i < SPELLINGS; i++)
        (void)el_map_put(&n->known, el_str(spellings[i].text), i);
    return n;
}

void el_counter_names_free(struct el_counter_names *n) {
    if (!n)
        return;
    el_pattern_free(n->path);
    el_map_release(&n->known);
    el_free(n);
}

bool el_counter_split(const struct el_counter_names *n, struct el_str cell,
                      struct el_counter_path *out) {
    struct el_str group[EL_PATTERN_GROUPS];
    if (el_pattern_match(n->path, cell, group) != 1)
        return false;
    *out = (struct el_counter_path){ .host = group[2],
                                     .object = group[3],
                                     .instance = group[4],
                                     .counter = group[5],
                                     .has_instance = group[4].ptr != NULL,
                                     .one_backslash = group[1].len == 1 };
    return true;
}

enum el_counter el_counter_find(const struct el_counter_names *n, enum el_counter_class class,
                                struct el_str spelling) {
    for (uint32_t i = el_map_get(&n->known, spelling); i < SPELLINGS; i++)
        if (spellings[i].class == class && el_str_is(spelling, spellings[i].text))
            return spellings[i].counter;
    return EL_COUNTERS;
}

const char *el_counter_spelling(enum el_counter counter) {
    return spellings[counter].text;
}
