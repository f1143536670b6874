#include "groups.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_FILLER_WORLD = 4000 }; /* offset of filler world ids, above all worlds of VMs */

/* A world of a system group; ids are offsets to the host's base. */
struct member {
    unsigned offset;
    const char *name;
};

struct system_group {
    unsigned gid;
    const char *name;
    bool service; /* named after its cartel, has memory columns */
    bool lean;    /* kept in a lean capture */
    struct member members[8];
};

static const struct system_group SYSTEM_GROUPS[] = {
    { 1,
      "system",
      false,
      true,
      { { 7, "idle0" },
        { 8, "idle1" },
        { 41, "BCFlush-0" },
        { 55, "CmdCompl-0" },
        { 62, "tq:NMP" } } },
    { 8,
      "helper",
      false,
      false,
      { { 111, "fssAIO-27-0" },
        { 112, "HELPER_SCSI_QUEUE-9-0" },
        { 113, "TCP/IP net event Helper-49-0" },
        { 114, "SCSI periodic path probe-35-0" } } },
    { 9, "drivers", false, false, { { 120, "AsyncTimeout" }, { 121, "reset-handler" } } },
    { 10, "ft", false, false, { { 130, "DVS sync world" } } },
    { 11, "vmotion", false, false, { { 140, "vmotionServer" } } },
    { 1245, "vobd", true, false, { { 200, "vobd" } } },
    { 1301, "vmsyslogd", true, false, { { 210, "vmsyslogd" } } },
    { 5481, "hostd", true, true, { { 300, "hostd" }, { 301, "hostd-worker" } } },
    { 5618, "storageRM", true, false, { { 320, "storageRM" } } },
    { 10851, "vpxa", true, false, { { 400, "vpxa" }, { 401, "vpxa-worker" } } },
};

enum { GROUP_COUNT = sizeof SYSTEM_GROUPS / sizeof SYSTEM_GROUPS[0] };

static const char *const FILLER_NAMES[] = {
    "tq:scsiPath-%ld",         "fssAIO-%ld-1",
    "HELPER_MISC_QUEUE-%ld-0", "SCSI periodic device probe-%ld-0",
    "netCoalesce2World-%ld",   "vmnic-%ld-tx",
    "Cmpl-vmhba-%ld",          "memMap-%ld",
};

enum { FILLER_KINDS = sizeof FILLER_NAMES / sizeof FILLER_NAMES[0] };

static void idle_times(struct sketch *s, bool vm_wait, unsigned members) {
    char wait[32];
    snprintf(wait, sizeof wait, "%u.00", 100 * members);
    for (const char *const *name = CPU_FIRST; *name != NULL; name++) {
        bool is_wait = strcmp(*name, "% Wait") == 0, is_used = strcmp(*name, "% Used") == 0;
        if (vm_wait || strcmp(*name, "% VmWait") != 0)
            sketch_one(s, *name, is_wait ? wait : is_used ? "0.31" : "0.00");
    }
}

static void lay_world(struct sketch *s, const char *group, unsigned id, const char *name) {
    sketch_at(s, "Vcpu(%s:%u:%s)", group, id, name);
    idle_times(s, true, 1);
    sketch_usual(s, CPU_REST);
    if (s->options->style == STYLE_ALL)
        sketch_usual(s, VCPU_END);
}

static void lay_filler(struct sketch *s, const char *group, long first, long count) {
    for (long i = first; i < first + count; i++) {
        char name[64];
        /* the number stands behind a fixed text, so the format need not be taken from the table */
        const char *form = FILLER_NAMES[i % FILLER_KINDS], *mark = strstr(form, "%ld");
        snprintf(name, sizeof name, "%.*s%ld%s", (int)(mark - form), form, i / FILLER_KINDS,
                 mark + 3);
        lay_world(s, group, s->host->base + FIRST_FILLER_WORLD + (unsigned)i, name);
    }
}

static void name_group(char *out, size_t size, const struct system_group *g, unsigned base) {
    if (g->service)
        snprintf(out, size, "%u:%s.%u", g->gid, g->name, base + g->members[0].offset);
    else
        snprintf(out, size, "%u:%s", g->gid, g->name);
}

static unsigned member_count(const struct system_group *g) {
    unsigned count = 0;
    while (count < sizeof g->members / sizeof g->members[0] && g->members[count].name != NULL)
        count++;
    return count;
}

static void lay_members_cell(struct sketch *s, unsigned members) {
    char text[16];
    snprintf(text, sizeof text, "%u", members);
    sketch_one(s, "Members", text);
}

static void lay_system(struct sketch *s, const struct system_group *g, long first_filler,
                       long filler) {
    char name[64];
    unsigned members = member_count(g);
    name_group(name, sizeof name, g, s->host->base);
    sketch_at(s, "Group Cpu(%s)", name);
    lay_members_cell(s, members + (unsigned)filler);
    idle_times(s, false, members + (unsigned)filler);
    sketch_usual(s, CPU_REST);
    sketch_usual(s, GROUP_END);
    for (unsigned i = 0; i < members; i++)
        lay_world(s, name, s->host->base + g->members[i].offset, g->members[i].name);
    lay_filler(s, name, first_filler, filler);
}

static void live_times(struct sketch *s, const double values[CPU_COLUMNS]) {
    for (int i = 0; CPU_FIRST[i] != NULL; i++)
        sketch_live(s, CPU_FIRST[i], &values[i]);
}

static void lay_vcpus(struct sketch *s, const char *group, int index, const struct cpu *cpu,
                      unsigned id) {
    const struct vm *vm = &s->host->vms[index];
    for (int i = 0; i < vm->vcpus; i++) {
        sketch_at(s, "Vcpu(%s:%u:vmx-vcpu-%d:%s)", group, id + (unsigned)i, i, vm->name);
        live_times(s, cpu->vcpus[index]);
        sketch_usual(s, CPU_REST);
        if (s->options->style == STYLE_ALL)
            sketch_usual(s, VCPU_END);
    }
}

/* The leader world of the group is not among them; its id is in the names of the others. */
static void lay_vm(struct sketch *s, int index, const struct cpu *cpu) {
    const struct vm *vm = &s->host->vms[index];
    char group[NAME_SIZE + 16], name[NAME_SIZE + 32];
    unsigned id = vm->leader + 1;
    snprintf(group, sizeof group, "%u:%s", vm->gid, vm->name);
    sketch_at(s, "Group Cpu(%s)", group);
    lay_members_cell(s, 7 + (unsigned)vm->vcpus);
    live_times(s, cpu->groups[index]);
    sketch_usual(s, CPU_REST);
    sketch_usual(s, GROUP_END);
    lay_world(s, group, vm->vmx, "vmx");
    snprintf(name, sizeof name, "NetWorld-VM-%u", vm->leader);
    lay_world(s, group, id++, name);
    snprintf(name, sizeof name, "vmast.%u", vm->leader);
    lay_world(s, group, id++, name);
    lay_world(s, group, id++, "vmx-vthread-5");
    snprintf(name, sizeof name, "vmx-mks:%s", vm->name);
    lay_world(s, group, id++, name);
    snprintf(name, sizeof name, "vmx-svga:%s", vm->name);
    lay_world(s, group, id++, name);
    lay_vcpus(s, group, index, cpu, id);
    snprintf(name, sizeof name, "%s-%u:0", vm->scsi, vm->leader);
    lay_world(s, group, id + (unsigned)vm->vcpus, name);
}

static void lay_memory(struct sketch *s) {
    char name[64];
    for (int i = 0; i < GROUP_COUNT; i++) {
        const struct system_group *g = &SYSTEM_GROUPS[i];
        if (!g->service || (s->options->lean && !g->lean))
            continue;
        name_group(name, sizeof name, g, s->host->base);
        sketch_at(s, "Group Memory(%s)", name);
        sketch_usual(s, GROUP_MEMORY);
    }
    for (int i = 0; i < s->host->vm_count; i++) {
        sketch_at(s, "Group Memory(%u:%s)", s->host->vms[i].gid, s->host->vms[i].name);
        sketch_swap(s, i == s->host->swap_vm);
        sketch_usual(s, GROUP_MEMORY);
        sketch_swap(s, false);
    }
}

void groups_lay(struct sketch *s, const struct cpu *cpu, long filler) {
    long first = 0;
    for (int i = 0; i < GROUP_COUNT; i++) {
        const struct system_group *g = &SYSTEM_GROUPS[i];
        if (s->options->lean && !g->lean)
            continue;
        bool takes_filler = g->gid == 1 || g->gid == 8 || g->gid == 9;
        long left = filler - first;
        long share = !takes_filler ? 0 : g->gid == 9 || s->options->lean ? left : left / 2;
        lay_system(s, g, first, share);
        first += share;
    }
    for (int i = 0; i < s->host->vm_count; i++)
        lay_vm(s, i, cpu);
    lay_memory(s);
}
