/* catalog.h - inside capture/: the catalogue's own data, and a header while it is read. */
#ifndef EL_CAPTURE_CATALOG_H
#define EL_CAPTURE_CATALOG_H

#include "esxlat/capture/catalog.h"
#include "groups.h"

#define EL_OBJECTS_KEPT 64

struct el_catalog_private {
    struct el_counter_names *names;
    struct el_map index;                   /* key of an entity -> its id */
    struct el_str object[EL_OBJECTS_KEPT]; /* names of objects in the order met */
    size_t objects;
    uint64_t header_hash; /* of the newest header's cells */
    struct el_column *wanted;
    size_t wanted_room, slot_room;
};

struct el_group_column { /* a counter of a VM's group, placed when its VM's entity is known */
    struct el_str host;
    struct el_str group;
    enum el_counter counter;
    uint32_t column;
};

struct el_host_groups {
    struct el_str host;
    struct el_groups of;
};

struct el_reading {
    struct el_catalog *c;
    struct el_quality *q;
    uint64_t line;
    struct el_host_groups *groups;    /* one a host: nearly always one */
    size_t hosts, host_room, current; /* current: of the last column of a group */
    struct el_group_column *later;
    size_t laters, later_room;
    uint32_t (*times)[EL_COUNTERS]; /* how often a first-choice column was met */
    size_t times_room;
    struct el_str cell;          /* the last one that was a counter path; {NULL, 0}: none yet */
    struct el_counter_path path; /* and how it was split */
    struct el_str host;          /* of the last cell */
    struct el_str object;        /* likewise */
    int object_kind;
    struct el_map blocks;  /* storage blocks met: host, object and instance as in the cell */
    struct el_str block;   /* the current one */
    uint32_t block_entity; /* its entity, again = 1 */
    uint32_t lun;          /* the SCSI Device block that following blocks belong to */
    struct {
        uint32_t path, lun;
    } * by_order;
    size_t orders, order_room;
    bool scattered;
    uint64_t bare, one_backslash, again, hash;
};

uint32_t el_catalog_find_or_add(struct el_catalog *c, struct el_str host, enum el_kind kind,
                                uint32_t again, struct el_str name, bool add);
/* Does the name end in :letters digits:digits, as "web 01:scsi0:0" does?  Then the length without it, else all of it. */
size_t el_without_disk(struct el_str name);
/* The groups of a host; NULL if none were met. */
struct el_groups *el_reading_groups(const struct el_reading *r, struct el_str host);
/* After the last column: everything that hangs together by name or by the order of columns. */
void el_reading_link(struct el_reading *r);

#endif
