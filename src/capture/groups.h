/* groups.h - whose is a world?  Scheduling groups, their worlds and network ports of one header.
 * Slices are borrowed from the header record. */
#ifndef EL_CAPTURE_GROUPS_H
#define EL_CAPTURE_GROUPS_H

#include "esxlat/base/str.h"
#include "esxlat/capture/counter.h"

struct el_group {
    struct el_str id;   /* "GID:NAME" */
    struct el_str name; /* NAME */
    bool is_vm;         /* has the counter "% VmWait" */
    uint32_t vcpus;
};

struct el_world {
    uint64_t id;
    uint32_t group;     /* index, or EL_NO_GROUP for a network port */
    struct el_str name; /* world's name; of a port: the VM's name */
};
#define EL_NO_GROUP UINT32_MAX

struct el_groups {
    struct el_group *group;
    size_t groups, group_room;
    struct el_world *port, *leader, *vcpu; /* in the order met */
    size_t ports, leaders, vcpus, port_room, leader_room, vcpu_room;
    struct el_map by_id; /* "GID:NAME" -> group */
    uint32_t current;    /* the group whose worlds are being listed */
};

void el_groups_release(struct el_groups *g);
/* Note a column of the objects Group Cpu, Vcpu or Network Port; `again`: of the same instance as the last one. */
void el_groups_note(struct el_groups *g, const struct el_counter_path *path, bool again);
/* Make lookups possible: after the last column. */
void el_groups_sort(struct el_groups *g);

/* Whose is world `id`?  By network port, else by the leader's number in a world's name, else by a Vcpu.
 * `*vm`: the VM's name; or `*group` and `*world` of a world of the host itself. */
bool el_groups_owner(const struct el_groups *g, uint64_t id, struct el_str *vm,
                     struct el_str *group, struct el_str *world);
/* The only VM group of that name; NULL if there is none or several. */
const struct el_group *el_groups_vm(const struct el_groups *g, struct el_str name);

#endif
