/* Counter paths and spellings. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "esxlat/capture/counter.h"
#include "esxlat/capture/kind.h"

static const struct {
    const char *cell, *host, *object, *instance /* NULL: has none */, *counter;
} paths[] = {
    { "\\\\esx1\\Physical Disk Adapter(vmhba0)\\Commands/sec", "esx1", "Physical Disk Adapter",
      "vmhba0", "Commands/sec" },
    { "\\\\esx1.example.com\\Memory\\Free MBytes", "esx1.example.com", "Memory", NULL,
      "Free MBytes" },
    { "\\\\192.168.18.5\\VSAN\\Enabled?", "192.168.18.5", "VSAN", NULL, "Enabled?" },
    { "\\\\h\\Memory\\Memory Overcommit (1 Minute Avg)", "h", "Memory", NULL,
      "Memory Overcommit (1 Minute Avg)" },
    { "\\\\h\\Physical Cpu Load\\Cpu Load (1 Minute Avg)", "h", "Physical Cpu Load", NULL,
      "Cpu Load (1 Minute Avg)" },
    { "\\\\h\\Group Cpu(7:web)\\Effective Min (MHz)", "h", "Group Cpu", "7:web",
      "Effective Min (MHz)" },
    { "\\\\h\\Virtual Disk(SQL02 (df09cdf2-1e74):scsi0:0)\\Reads/sec", "h", "Virtual Disk",
      "SQL02 (df09cdf2-1e74):scsi0:0", "Reads/sec" },
    { "\\\\h\\Virtual Disk(a(b)c)\\Reads/sec", "h", "Virtual Disk", "a(b)c", "Reads/sec" },
    { "\\\\h\\Virtual Disk(a)b)\\Reads/sec", "h", "Virtual Disk", "a)b", "Reads/sec" },
    { "\\\\h\\Virtual Disk((a)\\Reads/sec", "h", "Virtual Disk", "(a", "Reads/sec" },
    { "\\\\h\\Virtual Disk(a\\b)\\Reads/sec", "h", "Virtual Disk", "a\\b", "Reads/sec" },
    { "\\\\h\\Virtual Disk(a)\\b)\\Reads/sec", "h", "Virtual Disk", "a)\\b", "Reads/sec" },
    { "\\\\h\\Virtual Disk(a, b;c%2fd)\\Reads/sec", "h", "Virtual Disk", "a, b;c%2fd",
      "Reads/sec" },
    { "\\\\h\\Virtual Disk()\\Reads/sec", "h", "Virtual Disk", "", "Reads/sec" },
    { "\\\\h\\Virtual Disk(\xff \"x\")\\Reads/sec", "h", "Virtual Disk", "\xff \"x\"",
      "Reads/sec" },
    { "\\\\h\\Physical Disk(vmhba0:vmhba0:C0:T4:L0)\\Adapter Q Depth", "h", "Physical Disk",
      "vmhba0:vmhba0:C0:T4:L0", "Adapter Q Depth" },
    { "\\\\h\\Vcpu(8:helper:65:TCP/IP net event Helper-49-0)\\% Used", "h", "Vcpu",
      "8:helper:65:TCP/IP net event Helper-49-0", "% Used" },
    { "\\\\h\\Network Port(vSwitch0:33:44:vm)\\Average Packet Size  Transmitted (Bytes)", "h",
      "Network Port", "vSwitch0:33:44:vm", "Average Packet Size  Transmitted (Bytes)" },
    { "\\h\\Memory\\Free MBytes", "h", "Memory", NULL, "Free MBytes" },
    { "\\h\\Physical Disk Path(vmhba0:C0:T4:L0)\\Reads/sec", "h", "Physical Disk Path",
      "vmhba0:C0:T4:L0", "Reads/sec" },
};

START_TEST(splits_paths) {
    struct el_counter_names *n = el_counter_names_new();
    struct el_counter_path p;
    ck_assert(el_counter_split(n, el_str(paths[_i].cell), &p));
    ck_assert(el_str_is(p.host, paths[_i].host));
    ck_assert_msg(el_str_is(p.object, paths[_i].object), "%.*s", (int)p.object.len, p.object.ptr);
    ck_assert_int_eq(p.has_instance, paths[_i].instance != NULL);
    if (p.has_instance)
        ck_assert_msg(el_str_is(p.instance, paths[_i].instance), "%.*s", (int)p.instance.len,
                      p.instance.ptr);
    ck_assert(el_str_is(p.counter, paths[_i].counter));
    ck_assert_int_eq(p.one_backslash, paths[_i].cell[1] != '\\');
    el_counter_names_free(n);
}
END_TEST

static const char *const no_paths[] = { "",
                                        "x",
                                        "\\",
                                        "\\\\",
                                        "\\\\h",
                                        "(PDH-CSV 4.0) (UTC)(0)",
                                        "h\\Memory\\Free",
                                        "   -",
                                        "73.1",
                                        "11/30/2026 09:00:00" };

START_TEST(refuses_what_is_no_path) {
    struct el_counter_names *n = el_counter_names_new();
    struct el_counter_path p;
    ck_assert_msg(!el_counter_split(n, el_str(no_paths[_i]), &p), "%s", no_paths[_i]);
    el_counter_names_free(n);
}
END_TEST

/* As real captures have them; spelled out here a second time on purpose. */
static const struct {
    const char *spelling;
    enum el_counter_class class;
    enum el_counter counter;
} spellings[] = {
    { "Commands/sec", EL_CLASS_STORAGE, EL_C_cmds },
    { "Reads/sec", EL_CLASS_STORAGE, EL_C_reads },
    { "Writes/sec", EL_CLASS_STORAGE, EL_C_writes },
    { "MBytes Read/sec", EL_CLASS_STORAGE, EL_C_mb_rd },
    { "MBytes Written/sec", EL_CLASS_STORAGE, EL_C_mb_wr },
    { "Reserves/sec", EL_CLASS_STORAGE, EL_C_resv },
    { "Conflicts/sec", EL_CLASS_STORAGE, EL_C_cons },
    { "Average Driver MilliSec/Command", EL_CLASS_STORAGE, EL_C_davg },
    { "Average Kernel MilliSec/Command", EL_CLASS_STORAGE, EL_C_kavg },
    { "Average Guest MilliSec/Command", EL_CLASS_STORAGE, EL_C_gavg },
    { "Average Queue MilliSec/Command", EL_CLASS_STORAGE, EL_C_qavg },
    { "Average Driver MilliSec/Read", EL_CLASS_STORAGE, EL_C_davg_rd },
    { "Average Kernel MilliSec/Read", EL_CLASS_STORAGE, EL_C_kavg_rd },
    { "Average Guest MilliSec/Read", EL_CLASS_STORAGE, EL_C_gavg_rd },
    { "Average Queue MilliSec/Read", EL_CLASS_STORAGE, EL_C_qavg_rd },
    { "Average Driver MilliSec/Write", EL_CLASS_STORAGE, EL_C_davg_wr },
    { "Average Kernel MilliSec/Write", EL_CLASS_STORAGE, EL_C_kavg_wr },
    { "Average Guest MilliSec/Write", EL_CLASS_STORAGE, EL_C_gavg_wr },
    { "Average Queue MilliSec/Write", EL_CLASS_STORAGE, EL_C_qavg_wr },
    { "Average MilliSec/Read", EL_CLASS_STORAGE, EL_C_lat_rd },
    { "Average MilliSec/Write", EL_CLASS_STORAGE, EL_C_lat_wr },
    { "Failed Commands/sec", EL_CLASS_STORAGE, EL_C_fcmds },
    { "Aborts/sec", EL_CLASS_STORAGE, EL_C_abrts },
    { "Resets/sec", EL_CLASS_STORAGE, EL_C_resets },
    { "PAE Commands/sec", EL_CLASS_STORAGE, EL_C_paecmd },
    { "Split Commands/sec", EL_CLASS_STORAGE, EL_C_spltcmd },
    { "Device Q Depth", EL_CLASS_STORAGE, EL_C_dqlen },
    { "World Q Depth", EL_CLASS_STORAGE, EL_C_wqlen },
    { "Active Commands", EL_CLASS_STORAGE, EL_C_actv },
    { "Queued Commands", EL_CLASS_STORAGE, EL_C_qued },
    { "% Used", EL_CLASS_STORAGE, EL_C_usd },
    { "Load", EL_CLASS_STORAGE, EL_C_load },
    { "Adapter Q Depth", EL_CLASS_STORAGE, EL_C_aqlen },
    { "CReads", EL_CLASS_STORAGE, EL_C_clone_rd },
    { "CWrites", EL_CLASS_STORAGE, EL_C_clone_wr },
    { "CFailed", EL_CLASS_STORAGE, EL_C_clone_f },
    { "ATS", EL_CLASS_STORAGE, EL_C_ats },
    { "ATS Failed", EL_CLASS_STORAGE, EL_C_ats_f },
    { "Zeros", EL_CLASS_STORAGE, EL_C_zero },
    { "Delete", EL_CLASS_STORAGE, EL_C_delete },
    { "MBytes Deletes/sec", EL_CLASS_STORAGE, EL_C_mb_delete },
    { "% Util Time", EL_CLASS_CPU, EL_C_pcpu_util },
    { "Swap MBytes Read/sec", EL_CLASS_MEMORY, EL_C_swap_rd },
    { "Swap MBytes Write/sec", EL_CLASS_MEMORY, EL_C_swap_wr },
    { "% Ready", EL_CLASS_GROUP_CPU, EL_C_ready_sum },
    { "% CoStop", EL_CLASS_GROUP_CPU, EL_C_costop_sum },
    { "% Max Limited", EL_CLASS_GROUP_CPU, EL_C_mlmtd_sum },
    { "% Used", EL_CLASS_GROUP_CPU, EL_C_used_sum },
    { "% Swap Wait", EL_CLASS_GROUP_CPU, EL_C_swpwt },
    { "Swap Read MBytes/sec", EL_CLASS_GROUP_MEMORY, EL_C_swap_rd },
    { "Swap Written MBytes/sec", EL_CLASS_GROUP_MEMORY, EL_C_swap_wr },
    { "Avg Read Latency in ms", EL_CLASS_VSAN, EL_C_lat_rd },
    { "Avg Write Latency in ms", EL_CLASS_VSAN, EL_C_lat_wr },
    /* no spelling, or not in that class */
    { "Commands/sec", EL_CLASS_CPU, EL_COUNTERS },
    { "commands/sec", EL_CLASS_STORAGE, EL_COUNTERS },
    { "Commands/sec ", EL_CLASS_STORAGE, EL_COUNTERS },
    { "Commands", EL_CLASS_STORAGE, EL_COUNTERS },
    { "Latency", EL_CLASS_STORAGE, EL_COUNTERS },
    { "Failed Reads/sec", EL_CLASS_STORAGE, EL_COUNTERS },
    { "% Run", EL_CLASS_GROUP_CPU, EL_COUNTERS },
    { "% Ready", EL_CLASS_STORAGE, EL_COUNTERS },
    { "Swap Read MBytes/sec", EL_CLASS_MEMORY, EL_COUNTERS },
    { "", EL_CLASS_STORAGE, EL_COUNTERS },
};

START_TEST(finds_spellings) {
    struct el_counter_names *n = el_counter_names_new();
    ck_assert_int_eq(el_counter_find(n, spellings[_i].class, el_str(spellings[_i].spelling)),
                     spellings[_i].counter);
    el_counter_names_free(n);
}
END_TEST

START_TEST(tells_spellings) {
    struct el_counter_names *n = el_counter_names_new();
    for (unsigned c = 0; c < EL_COUNTERS; c++) {
        struct el_str spelling = el_str(el_counter_spelling(c));
        bool found = false;
        for (unsigned class = EL_CLASS_STORAGE; class <= EL_CLASS_VSAN; class ++)
            found |= el_counter_find(n, class, spelling) == c;
        ck_assert_msg(found, "%s", spelling.ptr);
    }
    el_counter_names_free(n);
    el_counter_names_free(NULL);
}
END_TEST

static const char *const kinds[] = { "host", "adapter", "path",  "lun",  "world", "partition",
                                     "nfs",  "vm",      "vdisk", "vsan", "array" };

START_TEST(names_kinds) {
    ck_assert_int_eq(sizeof kinds / sizeof *kinds, EL_KINDS);
    for (unsigned k = 0; k < EL_KINDS; k++) {
        ck_assert_str_eq(el_kind_name(k), kinds[k]);
        ck_assert_int_eq(el_kind_find(el_str(kinds[k])), k);
    }
    ck_assert_int_eq(el_kind_find(EL_STR("luns")), EL_KINDS);
    ck_assert_int_eq(el_kind_find(EL_STR("")), EL_KINDS);
    ck_assert_int_eq(el_kind_find(EL_STR("LUN")), EL_KINDS);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

Suite *counter(void) {
    Suite *s = suite_create("counter");
    TCase *t = tcase_create("counter");
    tcase_add_loop_test(t, splits_paths, 0, ROWS(paths));
    tcase_add_loop_test(t, refuses_what_is_no_path, 0, ROWS(no_paths));
    tcase_add_loop_test(t, finds_spellings, 0, ROWS(spellings));
    tcase_add_test(t, tells_spellings);
    tcase_add_test(t, names_kinds);
    suite_add_tcase(s, t);
    return s;
}
