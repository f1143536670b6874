#include "esxlat/capture/kind.h"

static const char *const names[] = { "host", "adapter", "path",  "lun",  "world", "partition",
                                     "nfs",  "vm",      "vdisk", "vsan", "array" };
_Static_assert(sizeof names / sizeof *names == EL_KINDS, "one name for each kind");

const char *el_kind_name(enum el_kind kind) {
    return names[kind];
}

enum el_kind el_kind_find(struct el_str word) {
    for (int i = 0; i < EL_KINDS; i++)
        if (el_str_is(word, names[i]))
            return (enum el_kind)i;
    return EL_KINDS;
}
