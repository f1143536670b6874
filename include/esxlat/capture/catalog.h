/* catalog.h - what a capture's headers say: entities, how they hang together, and where their
 * counters stand.
 *
 *   new -> open_run, choose (for each header)
 *
 * Entities are joined over runs by host, kind and name; ids are indices and never change.  Names are
 * copied into the catalogue as written in the capture (bytes; %2f is not decoded). */
#ifndef ESXLAT_CAPTURE_CATALOG_H
#define ESXLAT_CAPTURE_CATALOG_H

#include "esxlat/base/mem.h"
#include "esxlat/capture/counter.h"
#include "esxlat/capture/kind.h"
#include "esxlat/capture/quality.h"
#include "esxlat/input/record.h"

#define EL_NOTHING UINT32_MAX /* no entity, no slot */

enum el_certainty { EL_UNLINKED, EL_BY_ORDER, EL_BY_NAME, EL_BY_RATE };

struct el_entity {
    enum el_kind kind;
    struct el_str name, host;
    uint32_t again;   /* 1; 2 for the second entity of the same host, kind and name, ... */
    uint32_t lun;     /* path, world, partition: the LUN, or EL_NOTHING */
    uint32_t adapter; /* path: its adapter */
    uint32_t vm;      /* vdisk, world: the virtual machine's entity, or EL_NOTHING */
    struct el_str
        vm_name; /* world: name of its VM, also when the VM has no row of its own; {NULL,0} if none */
    struct el_str owner; /* world of the host itself: "group: world name" */
    enum el_certainty lun_by;
    double lun_sure; /* vdisk: how sure its LUN is, 0-1 */
    uint32_t vcpus;  /* vm: virtual CPUs, 0 if not known */
    const uint32_t
        *member; /* lun: paths and worlds; vm: its virtual disks and worlds; adapter: its LUNs */
    size_t members;
    uint64_t counters; /* bit set of the counters that any header has; see el_entity_has */
};

/* A column whose values are wanted. */
struct el_column {
    uint32_t column; /* index of the field in a row */
    uint32_t entity;
    enum el_counter counter;
};

/* One header: the columns of a run.  Only the newest run is kept. */
struct el_run {
    size_t width; /* fields of a regular row, a trailing empty one not counted */
    int minutes_west;
    const struct el_column *wanted; /* by column, ascending; the index is the slot in a block */
    size_t slots;
    size_t storage_columns;
    uint32_t (*slot)
        [EL_COUNTERS]; /* [entity][counter] -> slot or EL_NOTHING; before columns are chosen, the column */
    size_t entities; /* rows of `slot`: entities known when this run was opened */
};

struct el_catalog {
    struct el_arena arena;
    struct el_entity *entity;
    size_t entities, entity_room;
    struct el_run run;
    size_t runs;            /* headers met */
    size_t columns;         /* width of the first header */
    size_t storage_columns; /* likewise */
    struct el_str host;     /* of the first header */
    bool
        scattered; /* a header whose storage columns are out of order: paths have no link by order */
    struct el_catalog_private *own;
};

struct el_catalog *el_catalog_new(void);
void el_catalog_free(struct el_catalog *c);

/* A new file: what is told per file (runs, columns, host) starts again, entities stay. */
void el_catalog_begin_file(struct el_catalog *c);

/* Is this record a header, i.e. does its first field start with "(PDH-CSV"? */
bool el_header_is(const struct el_record *r);
/* Read a header: its entities and what hangs together, of c->run its width and zone; a header without any storage column
 * is fine here (the caller decides).  Oddities go to `q`. */
void el_catalog_open_run(struct el_catalog *c, const struct el_record *header,
                         struct el_quality *q);
/* Then, before its rows are read: choose the columns whose values are wanted, [kind][counter], NULL: all.  That sets the
 * rest of c->run. */
void el_catalog_choose(struct el_catalog *c, const bool (*wanted)[EL_COUNTERS]);
/* Find or add an entity that stands in no header (a host's arrays). Not between runs' rows. */
uint32_t el_catalog_add(struct el_catalog *c, struct el_str host, enum el_kind kind,
                        struct el_str name);

bool el_entity_has(const struct el_entity *e, enum el_counter counter);
/* Names of the first objects met, at most `most`: what a capture without disk counters holds. */
void el_catalog_objects(const struct el_catalog *c, size_t most, struct el_buf *out);
uint32_t el_catalog_find(const struct el_catalog *c, struct el_str host, enum el_kind kind,
                         struct el_str name);

#endif
