/* index.h - inside verdict/: who is under whom, gathered once, so that nothing walks all entities for each hit. */
#ifndef EL_VERDICT_INDEX_H
#define EL_VERDICT_INDEX_H

#include "esxlat/verdict/verdict.h"

struct el_lists { /* zero-initialised is empty */
    size_t *start;
    uint32_t *item; /* of entity e: item[start[e]] .. item[start[e + 1] - 1], ascending */
};

struct el_index {
    size_t entities;
    const struct el_entity *entity;
    /* vm: the LUNs that its worlds are on; adapter: those with a path over it; array: its own;
     * host: its own, and its NFS volumes */
    struct el_lists luns;
    struct el_lists kinds; /* [kind]: all entities of it */
    struct el_lists hits;  /* indices of the hits on an entity */
    uint32_t *array;       /* [lun] -> entity of its array, or EL_NOTHING */
};

/* Everything but the hits, which come when the rules were judged. */
void el_index_build(struct el_index *x, const struct el_evidence *e);
void el_index_add_hits(struct el_index *x, const struct el_hits *hits);
void el_index_release(struct el_index *x);

/* The LUNs under a virtual machine or virtual disk (its own where that is known, else its VM's), or of a group;
 * *count of them. */
const uint32_t *el_index_luns(const struct el_index *x, uint32_t entity, size_t *count);
const uint32_t *el_index_kind(const struct el_index *x, enum el_kind kind, size_t *count);
const uint32_t *el_index_hits(const struct el_index *x, uint32_t entity, size_t *count);

#endif
