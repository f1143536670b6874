/* links.h - for each entity, those that belong to it: a snapshot of a catalogue's links.
 *
 *   lun -> its paths, worlds, partitions    vm -> its virtual disks and worlds    adapter -> its paths
 *
 * Make it anew after every header; the catalogue must not grow meanwhile. */
#ifndef ESXLAT_CAPTURE_LINKS_H
#define ESXLAT_CAPTURE_LINKS_H

#include "esxlat/capture/catalog.h"

struct el_links { /* zero-initialised is empty */
    uint32_t *member;
    size_t *
        start; /* members of entity e: member[start[e]] .. member[start[e + 1] - 1], in catalogue order */
    uint32_t *host; /* [entity] -> the entity of kind host */
    size_t entities;
    uint32_t *volume; /* the NFS volumes, in catalogue order */
    size_t volumes;
    bool
        has_worlds; /* the capture lists worlds per device: only then "no world" means "no I/O on a LUN" */
};

void el_links_build(struct el_links *l, const struct el_catalog *c);
void el_links_release(struct el_links *l);
/* Members of an entity; *count of them. */
const uint32_t *el_links_of(const struct el_links *l, uint32_t entity, size_t *count);

/* The LUN that all worlds of a VM are on; EL_NOTHING if there is none or several. */
uint32_t el_links_only_lun(const struct el_links *l, const struct el_catalog *c, uint32_t vm);

#endif
