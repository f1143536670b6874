/* Headers: kinds, names, slots, and how entities hang together. */
#include "test_reader_made.h"

#include <stdio.h>
#include <string.h>

#define LUN   "Physical Disk SCSI Device"
#define PATH  "Physical Disk Path"
#define WORLD "Physical Disk Per-Device-Per-World"
#define PART  "Physical Disk Partition"

/* A header of `cells`, one a line, on host esx1. */
static void open_header(struct cap_reading *r, struct cap *c, const char *cells) {
    cap_begin(c, "esx1", NULL);
    while (*cells) {
        char cell[200];
        size_t length = strcspn(cells, "\n");
        memcpy(cell, cells, length);
        cell[length] = '\0';
        cap_cell(c, cell);
        cells += length + (cells[length] != '\0');
    }
    cap_text(c, "\n");
    cap_open(r, cap_bytes(c), NULL);
    ck_assert_uint_eq(cap_read_all(r), 0);
    cap_link(r);
}

static void close_header(struct cap_reading *r, struct cap *c) {
    cap_close(r);
    cap_release(c);
}

static uint32_t find(const struct cap_reading *r, enum el_kind kind, const char *name) {
    return el_catalog_find(r->catalog, EL_STR("esx1"), kind, el_str(name));
}

static const struct {
    const char *cell;
    enum el_kind kind;
    const char *name;
} kinds[] = {
    { "Physical Disk Adapter(vmhba0)\\Commands/sec", EL_ADAPTER, "vmhba0" },
    { "Physical Disk(vmhba64)\\Adapter Q Depth", EL_ADAPTER, "vmhba64" },
    { "Physical Disk(vmhba0:vmhba0:C0:T4:L0)\\Commands/sec", EL_PATH, "vmhba0:C0:T4:L0" },
    { "Physical Disk Path(vmhba0:C0:T4:L0)\\Commands/sec", EL_PATH, "vmhba0:C0:T4:L0" },
    { LUN "(naa.1)\\Commands/sec", EL_LUN, "naa.1" },
    { LUN "(t10.ATA_____A-B____)\\Commands/sec", EL_LUN, "t10.ATA_____A-B____" },
    { LUN "(mpx.vmhba0:C0:T5:L0)\\Commands/sec", EL_LUN, "mpx.vmhba0:C0:T5:L0" },
    { WORLD "(naa.1-65544)\\Commands/sec", EL_WORLD, "naa.1-65544" },
    { PART "(naa.1-3)\\Commands/sec", EL_PARTITION, "naa.1-3" },
    { "Physical Disk NFS Volume(my store (old))\\Commands/sec", EL_NFS, "my store (old)" },
    { "Virtual Disk(styx)\\Commands/sec", EL_VM, "styx" },
    { "Virtual Disk(a%2fb)\\Commands/sec", EL_VM, "a%2fb" },
    { "Virtual Disk(styx:scsi0)\\Commands/sec", EL_VM, "styx:scsi0" },
    { "Virtual Disk(styx:0:0)\\Commands/sec", EL_VM, "styx:0:0" },
    { "Virtual Disk(styx:SCSI0:0)\\Commands/sec", EL_VM, "styx:SCSI0:0" },
    { "Virtual Disk(styx:scsi0:0)\\Commands/sec", EL_VDISK, "styx:scsi0:0" },
    { "Virtual Disk(styx:nvme0:12)\\Commands/sec", EL_VDISK, "styx:nvme0:12" },
    { "Virtual Disk(a:b:ide1:0)\\Commands/sec", EL_VDISK, "a:b:ide1:0" },
    { "Virtual Disk(SQL02 (df-1):scsi0:0)\\Commands/sec", EL_VDISK, "SQL02 (df-1):scsi0:0" },
    { "Virtual Disk(\xff\xc3:sata0:0)\\Commands/sec", EL_VDISK, "\xff\xc3:sata0:0" },
    { "VSAN(Owner)\\Avg Read Latency in ms", EL_VSAN, "Owner" },
};

START_TEST(tells_kinds) {
    struct cap c = { 0 };
    struct cap_reading r;
    open_header(&r, &c, kinds[_i].cell);
    uint32_t id = cap_id(&r, kinds[_i].kind, kinds[_i].name);
    ck_assert(el_str_is(r.catalog->entity[id].host, "esx1"));
    ck_assert_uint_eq(r.catalog->entity[id].again, 1);
    for (unsigned k = 0; k < EL_KINDS; k++)
        if (k != kinds[_i].kind)
            ck_assert_uint_eq(find(&r, k, kinds[_i].name), EL_NOTHING);
    close_header(&r, &c);
}
END_TEST

START_TEST(places_columns) {
    struct cap c = { 0 };
    struct cap_reading r;
    open_header(
        &r, &c,
        "Memory\\Free MBytes\n" LUN "(naa.1)\\Commands/sec\n" LUN "(naa.1)\\Failed Reads/sec\n" LUN
        "(naa.1)\\Average Driver MilliSec/Command\nPhysical Disk Adapter(vmhba1)\\Reads/sec\n"
        "Interrupt Cookie(1)\\Interrupts/sec\nVirtual Disk(styx)\\Reads/sec");
    const struct el_run *run = &r.catalog->run;
    uint32_t lun = cap_id(&r, EL_LUN, "naa.1"), adapter = cap_id(&r, EL_ADAPTER, "vmhba1");
    ck_assert_uint_eq(run->width, 8);
    ck_assert_uint_eq(r.catalog->columns, 8);
    ck_assert_uint_eq(run->storage_columns, 5);
    ck_assert_uint_eq(run->slots, 4);
    for (size_t i = 0; i < run->slots; i++) {
        ck_assert_uint_eq(run->slot[run->wanted[i].entity][run->wanted[i].counter], i);
        if (i > 0)
            ck_assert_uint_gt(run->wanted[i].column, run->wanted[i - 1].column);
    }
    ck_assert_uint_eq(run->wanted[run->slot[lun][EL_C_cmds]].column, 2);
    ck_assert_uint_eq(run->wanted[run->slot[lun][EL_C_davg]].column, 4);
    ck_assert_uint_eq(run->wanted[run->slot[adapter][EL_C_reads]].column, 5);
    ck_assert_uint_eq(run->slot[lun][EL_C_reads], EL_NOTHING);
    ck_assert(el_entity_has(&r.catalog->entity[lun], EL_C_davg));
    ck_assert(!el_entity_has(&r.catalog->entity[lun], EL_C_kavg));
    ck_assert(el_str_is(r.catalog->host, "esx1"));
    ck_assert_uint_eq(r.catalog->runs, 1);
    close_header(&r, &c);
}
END_TEST

/* CPU and memory belong to the host or to a virtual machine. */
START_TEST(joins_cpu_and_memory) {
    struct cap c = { 0 };
    struct cap_reading r;
    open_header(&r, &c,
                "Memory\\Swap MBytes Read/sec\nPhysical Cpu(0)\\% Util Time\nPhysical "
                "Cpu(_Total)\\% Util Time\n"
                "Group Cpu(10:styx)\\% VmWait\nGroup Cpu(10:styx)\\% "
                "Ready\nVcpu(10:styx:11:vmx-vcpu-0:styx)\\% Ready\n"
                "Vcpu(10:styx:12:vmx-vcpu-1:styx)\\% Ready\nGroup Cpu(1:system)\\% Ready\n"
                "Group Memory(10:styx)\\Swap Read MBytes/sec\nVirtual Disk(styx)\\Reads/sec");
    const struct el_run *run = &r.catalog->run;
    uint32_t vm = cap_id(&r, EL_VM, "styx"), host = r.links.host[vm];
    ck_assert_int_eq(r.catalog->entity[host].kind, EL_HOST);
    ck_assert_uint_eq(run->wanted[run->slot[host][EL_C_swap_rd]].column, 1);
    ck_assert_uint_eq(run->wanted[run->slot[host][EL_C_pcpu_util]].column, 3);
    ck_assert_uint_eq(run->wanted[run->slot[vm][EL_C_ready_sum]].column, 5);
    ck_assert_uint_eq(run->wanted[run->slot[vm][EL_C_swap_rd]].column, 9);
    ck_assert_uint_eq(r.catalog->entity[vm].vcpus, 2);
    ck_assert_uint_eq(find(&r, EL_VM, "system"), EL_NOTHING);
    ck_assert_uint_eq(run->storage_columns, 1);
    close_header(&r, &c);
}
END_TEST

/* A world's id against what names it. */
static const struct {
    const char *world, *cells, *vm, *owner;
} worlds[] = {
    { "naa.1-444768", "Network Port(vSwitch0:33:444768:styx)\\Port", "styx", NULL },
    { "naa.1-444768", "Network Port(a:b:33:444768:st:yx)\\Port", "st:yx", NULL },
    { "t10.A-B___-444768", "Network Port(vSwitch0:33:444768:styx)\\Port", "styx", NULL },
    { "naa.1-444768", "Network Port(vSwitch0:33:4447:styx)\\Port", NULL, NULL },
    { "naa.1-444768", "Network Port(vSwitch0:444768:vmk0)\\Port", NULL, NULL },
    { "naa.1-444768",
      "Group Cpu(10:styx)\\% VmWait\nVcpu(10:styx:444770:NetWorld-VM-444768)\\% Used", "styx",
      NULL },
    { "naa.1-444768", "Group Cpu(10:styx)\\% VmWait\nVcpu(10:styx:444770:vmast.444768)\\% Used",
      "styx", NULL },
    { "naa.1-444768", "Group Cpu(10:styx)\\% VmWait\nVcpu(10:styx:444770:PVSCSI-444768:0)\\% Used",
      "styx", NULL },
    { "naa.1-444768", "Group Cpu(10:styx)\\% VmWait\nVcpu(10:styx:444770:LSI-444768:1)\\% Used",
      "styx", NULL },
    { "naa.1-444768", "Group Cpu(10:styx)\\% VmWait\nVcpu(10:styx:444768:vmx)\\% Used", "styx",
      NULL },
    { "naa.1-444768", "Group Cpu(10:a:b)\\% VmWait\nVcpu(10:a:b:444768:vmx-vcpu-0:a:b)\\% Used",
      "a:b", NULL },
    { "naa.1-444768",
      "Group Cpu(10:b)\\% VmWait\nVcpu(10:b:444770:vmast.444768)\\% Used\nNetwork "
      "Port(v:3:444768:a)\\Port",
      "a", NULL },
    { "naa.1-444768",
      "Group Cpu(10:b)\\% VmWait\nVcpu(10:b:444768:vmx)\\% Used\nGroup Cpu(11:a)\\% VmWait\n"
      "Vcpu(11:a:444770:vmast.444768)\\% Used",
      "a", NULL },
    { "naa.1-65544", "Group Cpu(1:system)\\% Used\nVcpu(1:system:65544:idle0)\\% Used", NULL,
      "system: idle0" },
    { "naa.1-65544", "Group Cpu(8:helper)\\% Used\nVcpu(8:helper:65544:tq:in/c 0)\\% Used", NULL,
      "helper: tq:in/c 0" },
    { "naa.1-65544", "Group Cpu(1:system)\\% Used\nVcpu(1:system:65545:idle1)\\% Used", NULL,
      NULL },
};

START_TEST(tells_whose_world_it_is) {
    struct cap c = { 0 };
    struct cap_reading r;
    char cells[500];
    int length = snprintf(cells, sizeof cells,
                          "%s\n" WORLD "(%s)\\Commands/sec\nVirtual Disk(styx)\\Reads/sec",
                          worlds[_i].cells, worlds[_i].world);
    ck_assert_int_lt(length, (int)sizeof cells);
    open_header(&r, &c, cells);
    const struct el_entity *world = cap_entity(&r, EL_WORLD, worlds[_i].world);
    const char *vm = worlds[_i].vm, *owner = worlds[_i].owner;
    ck_assert_msg(el_str_is(world->vm_name, vm ? vm : ""), "%.*s", (int)world->vm_name.len,
                  world->vm_name.ptr);
    ck_assert_msg(el_str_is(world->owner, owner ? owner : ""), "%.*s", (int)world->owner.len,
                  world->owner.ptr);
    bool has_row = vm && strcmp(vm, "styx") == 0;
    ck_assert_uint_eq(world->vm == cap_id(&r, EL_VM, "styx"), has_row);
    close_header(&r, &c);
}
END_TEST

START_TEST(links_disks_to_their_vm) {
    struct cap c = { 0 };
    struct cap_reading r;
    open_header(&r, &c,
                "Virtual Disk(a)\\Reads/sec\nVirtual Disk(a:scsi0:0)\\Reads/sec\nVirtual "
                "Disk(a:scsi0:1)\\Reads/sec\n"
                "Virtual Disk(a:b)\\Reads/sec\nVirtual Disk(a:b:scsi0:0)\\Reads/sec");
    uint32_t a = cap_id(&r, EL_VM, "a"), ab = cap_id(&r, EL_VM, "a:b");
    ck_assert_uint_eq(cap_entity(&r, EL_VDISK, "a:scsi0:0")->vm, a);
    ck_assert_uint_eq(cap_entity(&r, EL_VDISK, "a:scsi0:1")->vm, a);
    ck_assert_uint_eq(cap_entity(&r, EL_VDISK, "a:b:scsi0:0")->vm, ab);
    size_t count;
    const uint32_t *disk = el_links_of(&r.links, a, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(disk[0], cap_id(&r, EL_VDISK, "a:scsi0:0"));
    ck_assert_uint_eq(disk[1], cap_id(&r, EL_VDISK, "a:scsi0:1"));
    close_header(&r, &c);
}
END_TEST

START_TEST(keeps_namesakes_apart) {
    struct cap c = { 0 };
    struct cap_reading r;
    open_header(&r, &c,
                "Virtual Disk(web)\\Reads/sec\nVirtual Disk(web)\\Writes/sec\nVirtual "
                "Disk(web)\\Reads/sec\n"
                "Virtual Disk(web)\\Writes/sec\nVirtual Disk(db)\\Reads/sec");
    const struct el_catalog *catalog = r.catalog;
    uint32_t twin = EL_NOTHING, first = cap_id(&r, EL_VM, "web");
    for (uint32_t e = 0; e < catalog->entities; e++)
        if (catalog->entity[e].kind == EL_VM && el_str_is(catalog->entity[e].name, "web") &&
            e != first)
            twin = e;
    ck_assert_uint_ne(twin, EL_NOTHING);
    ck_assert_uint_eq(catalog->entity[first].again, 1);
    ck_assert_uint_eq(catalog->entity[twin].again, 2);
    ck_assert_uint_eq(catalog->run.wanted[catalog->run.slot[first][EL_C_writes]].column, 2);
    ck_assert_uint_eq(catalog->run.wanted[catalog->run.slot[twin][EL_C_reads]].column, 3);
    ck_assert_uint_eq(catalog->run.wanted[catalog->run.slot[twin][EL_C_writes]].column, 4);
    ck_assert_uint_eq(cap_entity(&r, EL_VM, "db")->again, 1);
    ck_assert_uint_gt(r.quality.count[EL_Q_SAME_NAME], 0);
    ck_assert_uint_eq(r.quality.first_line[EL_Q_SAME_NAME], 1);
    close_header(&r, &c);
}
END_TEST

/* Where Physical Disk(vmhbaN:P) and Physical Disk Path(P) have a counter, the path's counts, in either order. */
static const struct {
    const char *cells;
    unsigned reads, aqlen;
} doubles[] = {
    { "Physical Disk(vmhba0:vmhba0:C0:T4:L0)\\Reads/sec\nPhysical "
      "Disk(vmhba0:vmhba0:C0:T4:L0)\\Adapter Q Depth\n" PATH "(vmhba0:C0:T4:L0)\\Reads/sec",
      3, 2 },
    { PATH "(vmhba0:C0:T4:L0)\\Reads/sec\nPhysical Disk(vmhba0:vmhba0:C0:T4:L0)\\Reads/sec\n"
           "Physical Disk(vmhba0:vmhba0:C0:T4:L0)\\Adapter Q Depth",
      1, 3 },
};

START_TEST(prefers_the_path) {
    struct cap c = { 0 };
    struct cap_reading r;
    open_header(&r, &c, doubles[_i].cells);
    uint32_t path = cap_id(&r, EL_PATH, "vmhba0:C0:T4:L0");
    const struct el_run *run = &r.catalog->run;
    ck_assert_uint_eq(run->wanted[run->slot[path][EL_C_reads]].column, doubles[_i].reads);
    ck_assert_uint_eq(run->wanted[run->slot[path][EL_C_aqlen]].column, doubles[_i].aqlen);
    ck_assert_uint_eq(r.catalog->entity[path].again, 1);
    ck_assert_uint_eq(r.quality.count[EL_Q_SAME_NAME], 0);
    close_header(&r, &c);
}
END_TEST

#define IN_ORDER                                                                                   \
    "Physical Disk Adapter(vmhba1)\\Reads/sec\n" LUN "(naa.1)\\Reads/sec\n" LUN                    \
    "(naa.1)\\Writes/sec\n" PATH "(vmhba1:C0:T0:L1)\\Reads/sec\n" PATH                             \
    "(vmhba2:C0:T0:L1)\\Reads/sec\n" WORLD "(naa.1-100)\\Reads/sec\n" PART                         \
    "(naa.1-1)\\Reads/sec\n" LUN "(naa.2)\\Reads/sec\n" PATH "(vmhba1:C0:T0:L2)\\Reads/sec"

START_TEST(links_by_order) {
    struct cap c = { 0 };
    struct cap_reading r;
    open_header(&r, &c, IN_ORDER);
    uint32_t one = cap_id(&r, EL_LUN, "naa.1"), two = cap_id(&r, EL_LUN, "naa.2");
    const struct el_entity *path = cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L1");
    ck_assert(!r.catalog->scattered);
    ck_assert_uint_eq(path->lun, one);
    ck_assert_int_eq(path->lun_by, EL_BY_ORDER);
    ck_assert_uint_eq(path->adapter, cap_id(&r, EL_ADAPTER, "vmhba1"));
    ck_assert_uint_eq(cap_entity(&r, EL_PATH, "vmhba2:C0:T0:L1")->lun, one);
    ck_assert_uint_eq(cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L2")->lun, two);
    ck_assert_uint_eq(cap_entity(&r, EL_WORLD, "naa.1-100")->lun, one);
    ck_assert_uint_eq(cap_entity(&r, EL_PARTITION, "naa.1-1")->lun, one);
    size_t count;
    const uint32_t *member = el_links_of(&r.links, one, &count);
    ck_assert_uint_eq(count, 4);
    for (size_t i = 1; i < count; i++)
        ck_assert_uint_gt(member[i], member[i - 1]);
    (void)el_links_of(&r.links, cap_id(&r, EL_ADAPTER, "vmhba1"), &count);
    ck_assert_uint_eq(count, 2);
    (void)el_links_of(&r.links, cap_id(&r, EL_PATH, "vmhba1:C0:T0:L2"), &count);
    ck_assert_uint_eq(count, 0);
    close_header(&r, &c);
}
END_TEST

START_TEST(sees_scattered_columns) {
    struct cap c = { 0 };
    struct cap_reading r;
    open_header(&r, &c,
                LUN "(naa.1)\\Reads/sec\n" LUN "(naa.2)\\Reads/sec\n" PATH
                    "(vmhba1:C0:T0:L1)\\Reads/sec\n" PATH "(vmhba1:C0:T0:L2)\\Reads/sec\n" LUN
                    "(naa.1)\\Writes/sec\n" LUN "(naa.2)\\Writes/sec\n" PATH
                    "(vmhba1:C0:T0:L1)\\Writes/sec\n" PATH "(vmhba1:C0:T0:L2)\\Writes/sec");
    ck_assert(r.catalog->scattered);
    ck_assert_uint_eq(r.quality.count[EL_Q_SCATTERED], 1);
    ck_assert_uint_eq(cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L1")->lun, EL_NOTHING);
    ck_assert_int_eq(cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L2")->lun_by, EL_UNLINKED);
    const struct el_run *run = &r.catalog->run;
    ck_assert_uint_eq(run->wanted[run->slot[cap_id(&r, EL_LUN, "naa.1")][EL_C_writes]].column, 5);
    ck_assert_uint_eq(r.quality.count[EL_Q_SAME_NAME], 0);
    close_header(&r, &c);
}
END_TEST

START_TEST(paths_behind_no_lun_are_unlinked) {
    struct cap c = { 0 };
    struct cap_reading r;
    open_header(&r, &c,
                PATH "(vmhba1:C0:T0:L1)\\Reads/sec\n" LUN "(naa.1)\\Reads/sec\n" PATH
                     "(vmhba1:C0:T0:L2)\\Reads/sec");
    ck_assert_uint_eq(cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L1")->lun, EL_NOTHING);
    ck_assert_uint_eq(cap_entity(&r, EL_PATH, "vmhba1:C0:T0:L2")->lun, cap_id(&r, EL_LUN, "naa.1"));
    close_header(&r, &c);
}
END_TEST

START_TEST(a_world_must_be_named_after_its_lun) {
    struct cap c = { 0 };
    struct cap_reading r;
    open_header(&r, &c,
                LUN "(naa.1)\\Reads/sec\n" WORLD "(naa.2-100)\\Reads/sec\n" WORLD
                    "(naa.1-x)\\Reads/sec\n" WORLD "(naa.1-7)\\Reads/sec");
    ck_assert_uint_eq(cap_entity(&r, EL_WORLD, "naa.2-100")->lun, EL_NOTHING);
    ck_assert_uint_eq(cap_entity(&r, EL_WORLD, "naa.1-7")->lun, cap_id(&r, EL_LUN, "naa.1"));
    ck_assert_uint_eq(cap_entity(&r, EL_WORLD, "naa.1-x")->lun, EL_NOTHING);
    close_header(&r, &c);
}
END_TEST

static void begin_two_runs(struct cap *c) {
    cap_begin(c, "esx1", NULL);
    cap_object(c, LUN "(naa.1)", "cmds davg");
    cap_object(c, LUN "(naa.2)", "cmds");
    cap_row(c, 0, "0 0 0");
    cap_row(c, 5, "1 2 3");
    cap_begin(c, "esx1", NULL);
    cap_object(c, LUN "(naa.3)", "cmds");
    cap_object(c, LUN "(naa.1)", "cmds kavg");
    cap_row(c, 60, "0 0 0");
    cap_row(c, 65, "4 5 6");
}

START_TEST(joins_runs_by_name) {
    struct cap c = { 0 };
    struct cap_reading r;
    begin_two_runs(&c);
    cap_open(&r, cap_bytes(&c), NULL);
    const struct el_block *b = cap_next(&r);
    uint32_t one = cap_id(&r, EL_LUN, "naa.1"), two = cap_id(&r, EL_LUN, "naa.2");
    ck_near(cap_value(&r, b, one, EL_C_davg, 0), 2);
    ck_near(cap_value(&r, b, two, EL_C_cmds, 0), 3);
    b = cap_next(&r);
    ck_assert_ptr_nonnull(b);
    ck_assert_uint_eq(b->rows, 1);
    ck_assert_uint_eq(cap_id(&r, EL_LUN, "naa.1"), one);
    ck_near(cap_value(&r, b, one, EL_C_kavg, 0), 6);
    ck_near(cap_value(&r, b, cap_id(&r, EL_LUN, "naa.3"), EL_C_cmds, 0), 4);
    ck_assert_ptr_null(el_block_column(b, &r.catalog->run, one, EL_C_davg));
    ck_assert_ptr_null(el_block_column(b, &r.catalog->run, two, EL_C_cmds));
    ck_assert_ptr_null(cap_next(&r));
    ck_assert(el_entity_has(&r.catalog->entity[one], EL_C_davg) &&
              el_entity_has(&r.catalog->entity[one], EL_C_kavg));
    ck_assert_uint_eq(r.catalog->runs, 2);
    ck_assert_uint_eq(r.catalog->columns, 4);
    ck_assert_uint_eq(r.quality.count[EL_Q_REPEATED_HEADER], 1);
    ck_assert_uint_eq(r.quality.first_line[EL_Q_REPEATED_HEADER], 4);
    ck_assert_uint_eq(r.quality.count[EL_Q_CHANGED_COLUMNS], 1);
    close_header(&r, &c);
}
END_TEST

static const struct {
    const char *zone;
    int west;
} zones[] = { { "(UTC)(0)", 0 },     { "(GMT Daylight Time)(-60)", -60 },
              { "(EST)(300)", 300 }, { "", 0 },
              { "(EST)(0)", 0 },     { "(IST)(-330)", -330 } };

START_TEST(reads_the_zone) {
    struct cap c = { 0 };
    struct cap_reading r;
    cap_begin(&c, "esx1", zones[_i].zone);
    cap_object(&c, LUN "(naa.1)", "cmds");
    cap_row(&c, 0, "0");
    cap_row(&c, 5, "1");
    cap_open(&r, cap_bytes(&c), NULL);
    const struct el_block *b = cap_next(&r);
    ck_assert_int_eq(r.catalog->run.minutes_west, zones[_i].west);
    ck_assert_int_eq(b->to[0], CAP_START + 5000 + zones[_i].west * 60000);
    ck_assert_uint_eq(r.quality.count[EL_Q_FOREIGN_ZONE] > 0, zones[_i].west != 0);
    close_header(&r, &c);
}
END_TEST

START_TEST(lists_objects) {
    struct cap c = { 0 };
    struct cap_reading r;
    struct el_buf out = { 0 };
    open_header(&r, &c,
                "Memory\\Free MBytes\nPhysical Cpu(0)\\% Util Time\nMemory\\Used\nPower\\Watts");
    el_catalog_objects(r.catalog, 2, &out);
    ck_assert_ptr_nonnull(strstr(out.ptr, "Memory"));
    ck_assert_ptr_nonnull(strstr(out.ptr, "Physical Cpu"));
    ck_assert_ptr_null(strstr(out.ptr, "Power"));
    ck_assert_ptr_null(strstr(strstr(out.ptr, "Memory") + 1, "Memory"));
    ck_assert_uint_eq(r.catalog->run.storage_columns, 0);
    el_buf_release(&out);
    close_header(&r, &c);
}
END_TEST

START_TEST(notes_one_backslash) {
    struct cap c = { 0 };
    struct cap_reading r;
    cap_text(&c, "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\esx1\\" LUN "(naa.1)\\Commands/sec\",\n");
    cap_open(&r, cap_bytes(&c), NULL);
    ck_assert_uint_eq(cap_read_all(&r), 0);
    ck_assert_uint_ne(find(&r, EL_LUN, "naa.1"), EL_NOTHING);
    ck_assert_uint_gt(r.quality.count[EL_Q_ONE_BACKSLASH], 0);
    ck_assert_uint_eq(r.catalog->run.width, 2); /* the trailing empty field is none */
    close_header(&r, &c);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

static TCase *link_cases(void) {
    TCase *t = tcase_create("links");
    tcase_add_loop_test(t, tells_whose_world_it_is, 0, ROWS(worlds));
    tcase_add_test(t, links_disks_to_their_vm);
    tcase_add_test(t, keeps_namesakes_apart);
    tcase_add_loop_test(t, prefers_the_path, 0, ROWS(doubles));
    tcase_add_test(t, links_by_order);
    tcase_add_test(t, sees_scattered_columns);
    tcase_add_test(t, paths_behind_no_lun_are_unlinked);
    tcase_add_test(t, a_world_must_be_named_after_its_lun);
    return t;
}

Suite *catalog(void) {
    Suite *s = suite_create("catalog");
    TCase *t = tcase_create("catalog");
    tcase_add_loop_test(t, tells_kinds, 0, ROWS(kinds));
    tcase_add_test(t, places_columns);
    tcase_add_test(t, joins_cpu_and_memory);
    tcase_add_test(t, joins_runs_by_name);
    tcase_add_loop_test(t, reads_the_zone, 0, ROWS(zones));
    tcase_add_test(t, lists_objects);
    tcase_add_test(t, notes_one_backslash);
    suite_add_tcase(s, t);
    suite_add_tcase(s, link_cases());
    return s;
}
