/* counter.h - counter paths and spellings.
 *
 * \\HOST\Object(Instance)\Counter or \\HOST\Object\Counter.  The instance ends at the last `)` before a
 * backslash, since names of VMs may hold parentheses; parentheses belong to an instance only right
 * behind the object's name. */
#ifndef ESXLAT_CAPTURE_COUNTER_H
#define ESXLAT_CAPTURE_COUNTER_H

#include "esxlat/base/error.h"
#include "esxlat/base/str.h"

enum el_counter {
#define EL_COUNTER(name, class, spelling) EL_C_##name,
#define EL_ALSO(name, class, spelling)
#include "esxlat/capture/counter.def"
#undef EL_COUNTER
#undef EL_ALSO
    EL_COUNTERS
};

/* Where a spelling may occur. */
enum el_counter_class {
    EL_CLASS_STORAGE,
    EL_CLASS_CPU,
    EL_CLASS_GROUP_CPU,
    EL_CLASS_MEMORY,
    EL_CLASS_GROUP_MEMORY,
    EL_CLASS_VSAN
};

struct el_counter_path {
    struct el_str host, object, instance, counter;
    bool has_instance, one_backslash;
};

struct el_counter_names; /* the compiled pattern and the table of spellings */
struct el_counter_names *el_counter_names_new(void);
void el_counter_names_free(struct el_counter_names *n);

/* Split a header cell; false when it is no counter path. */
bool el_counter_split(const struct el_counter_names *n, struct el_str cell,
                      struct el_counter_path *out);
/* EL_COUNTERS when the spelling is not known in that class. */
enum el_counter el_counter_find(const struct el_counter_names *n, enum el_counter_class class,
                                struct el_str spelling);
const char *el_counter_spelling(enum el_counter counter);

#endif
