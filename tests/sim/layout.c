#include "layout.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "memory.h"
#include "sketch.h"
#include "tables.h"

static void lay_adapter(struct sketch *s, int index) {
    const struct cells *cells = &s->books->adapter_cells[index];
    const char *name = s->host->adapters[index].name;
    sketch_at(s, "Physical Disk(%s)", name);
    sketch_counters(s, ADAPTER_DEPTH, cells);
    sketch_at(s, "Physical Disk Adapter(%s)", name);
    sketch_block(
        s, cells,
        (const struct counter *const[]){ RATES, RESERVES, LATENCIES, FAILURES, SPLITS, NULL });
}

struct path_ref {
    const char *name;
    const struct cells *cells;
};

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct path_ref *)a)->name, ((const struct path_ref *)b)->name);
}

/* The adapter screen expanded by path: names in order, the adapter's name twice. */
static void lay_adapter_paths(struct sketch *s, int index) {
    struct path_ref refs[MAX_LUNS * MAX_PATHS];
    size_t count = 0;
    for (int i = 0; i < s->host->lun_count; i++) {
        const struct lun *l = &s->host->luns[i];
        for (int p = 0; !l->nfs && l->adapter == index && p < l->path_count; p++)
            refs[count++] = (struct path_ref){ l->paths[p], &s->books->luns[i].path_cells[p] };
    }
    qsort(refs, count, sizeof refs[0], by_name);
    for (size_t i = 0; i < count; i++) {
        sketch_at(s, "Physical Disk(%s:%s)", s->host->adapters[index].name, refs[i].name);
        sketch_block(s, refs[i].cells,
                     (const struct counter *const[]){ ADAPTER_DEPTH, RATES, RESERVES, LATENCIES,
                                                      FAILURES, SPLITS, NULL });
    }
}

static void lay_worlds(struct sketch *s, int index) {
    const struct lun *l = &s->host->luns[index];
    const struct lun_books *b = &s->books->luns[index];
    unsigned last = 0;
    for (int n = 0; n < l->world_count; n++) {
        int next = -1; /* the smallest id above the last one */
        for (int i = 0; i < l->world_count; i++)
            if (l->worlds[i].id > last && (next < 0 || l->worlds[i].id < l->worlds[next].id))
                next = i;
        assert(next >= 0); /* ids are unique on a LUN */
        last = l->worlds[next].id;
        sketch_at(s, "Physical Disk Per-Device-Per-World(%s-%u)", l->name, last);
        sketch_block(s, &b->world_cells[next],
                     (const struct counter *const[]){ SHARES, QUEUE, RATES, RESERVES, LATENCIES,
                                                      FAILURES, NULL });
    }
}

/* What belongs to a device follows it: the file's only link from a LUN to its paths. */
static void lay_lun(struct sketch *s, int index) {
    const struct lun *l = &s->host->luns[index];
    const struct lun_books *b = &s->books->luns[index];
    sketch_at(s, "Physical Disk SCSI Device(%s)", l->name);
    sketch_block(s, &b->cells,
                 (const struct counter *const[]){ QUEUE, RATES, RESERVES, LATENCIES, FAILURES,
                                                  OFFLOADS, NULL });
    for (int p = 0; p < l->path_count; p++) {
        sketch_at(s, "Physical Disk Path(%s)", l->paths[p]);
        sketch_block(
            s, &b->path_cells[p],
            (const struct counter *const[]){ RATES, RESERVES, LATENCIES, FAILURES, SPLITS, NULL });
    }
    lay_worlds(s, index);
    for (int p = 0; p < l->partition_count; p++) {
        sketch_at(s, "Physical Disk Partition(%s-%d)", l->name, l->partitions[p]);
        sketch_block(s, p == 0 ? &b->partition_cells : &b->no_cells,
                     (const struct counter *const[]){ RATES, LATENCIES, NULL });
    }
}

static void lay_luns(struct sketch *s) {
    bool done[MAX_LUNS] = { false };
    for (int n = 0; n < s->host->lun_count; n++) {
        int next = -1;
        for (int i = 0; i < s->host->lun_count; i++)
            if (!done[i] && !s->host->luns[i].nfs &&
                (next < 0 || strcmp(s->host->luns[i].name, s->host->luns[next].name) < 0))
                next = i;
        if (next < 0)
            break;
        done[next] = true;
        lay_lun(s, next);
    }
    for (int i = 0; i < s->host->lun_count; i++) {
        if (!s->host->luns[i].nfs)
            continue;
        sketch_at(s, "Physical Disk NFS Volume(%s)", s->host->luns[i].name);
        sketch_counters(s, NFS_VOLUME, &s->books->luns[i].cells);
    }
}

static void lay_virtual_disks(struct sketch *s) {
    const struct host *h = s->host;
    for (int v = 0; v < h->vm_count; v++) {
        sketch_at(s, "Virtual Disk(%s)", h->vms[v].name);
        sketch_counters(s, VIRTUAL_DISK, &s->books->vm_cells[v]);
        for (int d = 0; d < h->disk_count; d++) {
            if (h->disks[d].vm != v)
                continue;
            sketch_at(s, "Virtual Disk(%s:%s)", h->vms[v].name, h->disks[d].unit);
            sketch_counters(s, VIRTUAL_DISK, &s->books->disk_cells[d]);
        }
    }
}

static void lay_cpus(struct sketch *s, const struct cpu *cpu) {
    for (int counter = 0; counter < 2; counter++) {
        const double *values = counter == 0 ? cpu->used_pct : cpu->util_pct;
        for (int i = 0; i <= s->host->pcpus; i++) {
            if (i < s->host->pcpus)
                sketch_at(s, "Physical Cpu(%d)", i);
            else
                sketch_at(s, "Physical Cpu(_Total)");
            sketch_live(s, counter == 0 ? "% Processor Time" : "% Util Time", &values[i]);
        }
    }
}

static void lay_top(struct sketch *s, const struct cpu *cpu) {
    char mhz[8];
    sketch_at(s, "Memory");
    sketch_usual(s, OVERCOMMIT);
    sketch_at(s, "Physical Cpu Load");
    sketch_usual(s, CPU_LOAD);
    lay_cpus(s, cpu);
    sketch_at(s, "Memory");
    sketch_swap(s, true);
    sketch_usual(s, MEMORY);
    sketch_swap(s, false);
    sketch_at(s, "Power");
    sketch_usual(s, POWER);
    for (int i = 0; i < 16; i++) {
        sketch_at(s, "Power(%d)", i);
        snprintf(mhz, sizeof mhz, "%d", 2600 - 100 * i);
        sketch_one(s, "P-State MHZ", mhz);
    }
    sketch_at(s, "VSAN");
    sketch_usual(s, VSAN);
}

static void lay_ports(struct sketch *s) {
    static const char *const OWN[] = { "33554433:Management", "33554434:vmnic0", "33554436:vmk0" };
    for (size_t i = 0; i < sizeof OWN / sizeof OWN[0]; i++) {
        sketch_at(s, "Network Port(vSwitch0:%s)", OWN[i]);
        sketch_usual(s, NETWORK_PORT);
    }
    for (int v = 0; v < s->host->vm_count; v++) {
        const struct vm *vm = &s->host->vms[v];
        if (!vm->nic)
            continue;
        sketch_at(s, "Network Port(vSwitch0:%d:%u:%s)", 33554449 + v, vm->leader, vm->name);
        sketch_usual(s, NETWORK_PORT);
    }
}

static void lay_interrupts(struct sketch *s) {
    int cookies = s->options->lean ? 1 : 6;
    for (int i = 0; i < cookies; i++) {
        sketch_at(s, "Interrupt Cookie(0x%x)", (unsigned)i);
        sketch_usual(s, INTERRUPT);
        for (int counter = 0; counter < (s->options->style == STYLE_ALL ? 2 : 1); counter++)
            for (int cpu = 0; cpu < s->host->pcpus; cpu++) {
                sketch_at(s, "Interrupt Cookie(0x%x:CPU%d)", (unsigned)i, cpu);
                sketch_one(s, INTERRUPT[counter].name, INTERRUPT[counter].value);
            }
    }
    for (int cpu = 0; cpu < s->host->pcpus; cpu++) {
        sketch_at(s, "PCPU Power State(PCPU %d)", cpu);
        sketch_usual(s, POWER_STATES);
        sketch_usual(s, TIME_STATES);
        if (s->options->style == STYLE_ALL)
            sketch_bare(s, 731);
    }
}

void layout_build(struct layout *l, const struct host *h, const struct books *b,
                  const struct cpu *cpu, const struct capture_options *options,
                  long filler_worlds) {
    struct sketch s = { .layout = l, .host = h, .books = b, .options = options };
    lay_top(&s, cpu);
    groups_lay(&s, cpu, filler_worlds);
    for (int i = 0; i < h->adapter_count; i++) {
        lay_adapter(&s, i);
        lay_adapter_paths(&s, i);
    }
    lay_luns(&s);
    lay_virtual_disks(&s);
    lay_ports(&s);
    lay_interrupts(&s);
}

void layout_release(struct layout *l) {
    memory_free(l->columns);
    memory_free(l->text);
    *l = (struct layout){ 0 };
}
