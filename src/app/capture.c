#include "capture.h"

#include <string.h>

#define HOW_TO                                                                                     \
    "\nCapture with: esxtop -b -a -d 5 -n 720 | gzip > host.csv.gz\n"                              \
    "(a vm-support bundle is replayed with: esxtop -R FOLDER -b -a)"

/* A counter whose absence costs something. */
struct need {
    enum el_kind kind;
    enum el_counter counter;
    const char *object, *needed_for;
};
static const struct need needs[] = {
    { EL_LUN, EL_C_cmds, "Physical Disk SCSI Device",
      "counting commands: without them nothing can be weighted" },
    { EL_LUN, EL_C_davg, "Physical Disk SCSI Device", "the device's part of the latency" },
    { EL_LUN, EL_C_kavg, "Physical Disk SCSI Device", "the VMkernel's part of the latency" },
    { EL_LUN, EL_C_qavg, "Physical Disk SCSI Device",
      "telling a full queue from other VMkernel time" },
    { EL_LUN, EL_C_gavg, "Physical Disk SCSI Device", "the check that GAVG is DAVG + KAVG" },
    { EL_LUN, EL_C_reads, "Physical Disk SCSI Device", "telling I/O from polling" },
    { EL_LUN, EL_C_writes, "Physical Disk SCSI Device", "telling I/O from polling" },
    { EL_LUN, EL_C_mb_rd, "Physical Disk SCSI Device",
      "the size of commands, which excuses some latency" },
    { EL_LUN, EL_C_mb_wr, "Physical Disk SCSI Device",
      "the size of commands, which excuses some latency" },
    { EL_LUN, EL_C_davg_rd, "Physical Disk SCSI Device",
      "reads and writes apart, and commands that are neither" },
    { EL_LUN, EL_C_dqlen, "Physical Disk SCSI Device", "full device queues, throttling and DSNRO" },
    { EL_LUN, EL_C_actv, "Physical Disk SCSI Device", "commands at the device" },
    { EL_LUN, EL_C_qued, "Physical Disk SCSI Device", "commands queued in the VMkernel" },
    { EL_LUN, EL_C_cons, "Physical Disk SCSI Device", "reservation conflicts" },
    { EL_LUN, EL_C_abrts, "Physical Disk SCSI Device", "aborted commands" },
    { EL_LUN, EL_C_resets, "Physical Disk SCSI Device", "device resets" },
    { EL_LUN, EL_C_clone_rd, "Physical Disk SCSI Device", "VAAI activity, which skews averages" },
    { EL_ADAPTER, EL_C_aqlen, "Physical Disk", "full adapter queues" },
    { EL_NFS, EL_C_gavg, "Physical Disk NFS Volume", "the latency of NFS datastores" },
    { EL_VM, EL_C_cmds, "Virtual Disk", "counting commands of virtual machines" },
    { EL_VM, EL_C_lat_rd, "Virtual Disk", "the latency that virtual machines see" },
    { EL_VM, EL_C_lat_wr, "Virtual Disk", "the latency that virtual machines see" },
    { EL_VM, EL_C_ready_sum, "Group Cpu", "CPU pressure as a competing cause" },
};
#define NEEDS (sizeof needs / sizeof *needs)

/* Objects without any entity: the whole screen was left out. */
static const struct need screens[] = {
    { EL_LUN, EL_C_davg, "Physical Disk SCSI Device",
      "devices at all: DAVG, KAVG, QAVG and queues of each LUN" },
    { EL_WORLD, EL_C_cmds, "Physical Disk Per-Device-Per-World",
      "which virtual machine sends the commands of a LUN" },
    { EL_VM, EL_C_lat_rd, "Virtual Disk",
      "the latency that virtual machines see, queues pinned in a guest" },
};
#define SCREENS (sizeof screens / sizeof *screens)

static bool kind_has(const struct el_catalog *c, enum el_kind kind, enum el_counter counter,
                     bool *any) {
    bool has = false;
    *any = false;
    for (size_t i = 0; i < c->entities; i++)
        if (c->entity[i].kind == kind) {
            *any = true;
            has |= el_entity_has(&c->entity[i], counter);
        }
    return has;
}

static void list_missing(const struct el_catalog *c, struct el_arena *arena,
                         struct el_capture_report *out) {
    struct el_absent *list = el_arena_alloc(arena, (NEEDS + SCREENS) * sizeof *list);
    bool any;
    out->missing = list;
    for (size_t i = 0; i < SCREENS; i++)
        if (!kind_has(c, screens[i].kind, screens[i].counter, &any) && !any)
            list[out->missing_count++] =
                (struct el_absent){ el_counter_spelling(screens[i].counter), screens[i].object,
                                    screens[i].needed_for };
    for (size_t i = 0; i < NEEDS; i++)
        if (!kind_has(c, needs[i].kind, needs[i].counter, &any) && any)
            list[out->missing_count++] = (struct el_absent){ el_counter_spelling(needs[i].counter),
                                                             needs[i].object, needs[i].needed_for };
}

static void list_quality(const struct el_quality *q, struct el_arena *arena,
                         struct el_capture_report *out) {
    struct el_note *list = el_arena_alloc(arena, EL_QUALITY_CODES * sizeof *list);
    out->quality = list;
    for (int i = 0; i < EL_QUALITY_CODES; i++) {
        const struct el_quality_info *info = el_quality_info((enum el_quality_code)i);
        if (q->count[i])
            list[out->quality_count++] =
                (struct el_note){ info->code, q->count[i], q->first_line[i], info->text,
                                  info->harmless };
    }
}

void el_capture_describe(const struct el_catalog *c, const struct el_quality *q,
                         const struct el_totals *t, const char *file, struct el_arena *arena,
                         struct el_capture_report *out) {
    *out = (struct el_capture_report){ .file = el_arena_text(arena, file, strlen(file)),
                                       .host = c->host,
                                       .start = t->start,
                                       .end = t->end,
                                       .from = t->from,
                                       .to = t->to,
                                       .measured_s = t->measured_s,
                                       .interval_s = t->interval_s,
                                       .rows = t->rows,
                                       .samples = t->samples,
                                       .runs = c->runs,
                                       .columns = c->columns,
                                       .storage_columns = c->storage_columns };
    list_missing(c, arena, out);
    list_quality(q, arena, out);
}

/* ---- unusable ---- */

/* What a file without a header is, by its first bytes. */
static const char *what_it_is(struct el_str bytes) {
    static const struct {
        const char *magic, *what;
    } known[] = { { "\x89PNG", "a PNG picture" },
                  { "\xff\xd8\xff", "a JPEG picture" },
                  { "%PDF", "a PDF document" },
                  { "\x7f"
                    "ELF",
                    "a program" },
                  { "PK\x03\x04", "a zip archive" },
                  { "<?xml", "an XML document" },
                  { "<!DOCTYPE", "an HTML page" },
                  { "<html", "an HTML page" },
                  { "{", "a JSON document" },
                  { "\xd0\xcf\x11\xe0", "an old Office document" } };
    if (bytes.len == 0)
        return "empty";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (el_str_starts(bytes, known[i].magic))
            return known[i].what;
    for (size_t i = 0; i < bytes.len; i++)
        if (bytes.ptr[i] == '\0')
            return "binary data";
    return "text of another kind";
}

static bool refuse(const char *file, const char *why, struct el_error *err) {
    return el_fail(err, EL_CAPTURE, "cannot use '%s': %s" HOW_TO, file, why);
}

/* A header, but nothing of an ESXi host's storage in it. */
static bool refuse_objects(const struct el_catalog *c, const char *file, struct el_error *err) {
    struct el_buf b = { 0 }, objects = { 0 };
    el_catalog_objects(c, 6, &objects);
    const char *names = objects.ptr ? objects.ptr : "none";
    bool windows =
        strstr(names, "PhysicalDisk") || strstr(names, "LogicalDisk") || strstr(names, "Processor");
    if (windows)
        el_buf_print(
            &b,
            "it is a perfmon log of a Windows machine (objects: %s), not a capture of an ESXi host",
            names);
    else
        el_buf_print(&b,
                     "it has no disk counters (objects: %s); the disk screens were switched off or "
                     "filtered out",
                     names);
    bool result = refuse(file, b.ptr, err);
    el_buf_release(&b);
    el_buf_release(&objects);
    return result;
}

/* Why no row was a measurement. */
static void say_why_none(const struct el_quality *q, const struct el_totals *t, struct el_buf *b) {
    unsigned long long rows = (unsigned long long)t->rows;
    if (q->count[EL_Q_SHORT_ROW] || q->count[EL_Q_LONG_ROW])
        el_buf_print(b,
                     "its %llu rows have %s fields than the header: a program that edited the file "
                     "lost or split some",
                     rows, q->count[EL_Q_LONG_ROW] ? "more" : "fewer");
    else if (q->count[EL_Q_OPEN_QUOTE])
        el_buf_print(b, "a quote that is never closed swallows its rows (first in line %llu)",
                     (unsigned long long)q->first_line[EL_Q_OPEN_QUOTE]);
    else if (q->count[EL_Q_NO_INTERVAL])
        el_buf_print(b, "none of its %llu rows is later than the one before", rows);
    else
        el_buf_print(b,
                     "of its %llu rows none is a measurement: the first row of a run is only the "
                     "baseline, so at least "
                     "two whole rows are needed (and --from, --to must leave some)",
                     rows);
}

static bool refuse_rows(const struct el_quality *q, const struct el_totals *t, const char *file,
                        struct el_error *err) {
    struct el_buf b = { 0 };
    if (t->rows == 0 && t->junk) {
        el_buf_text(&b, "no row begins with a date and time; the first begins with '");
        (void)el_buf_visible(&b, el_str(t->junk_field));
        el_buf_text(
            &b,
            "' (esxtop writes MM/DD/YYYY HH:MM:SS; spreadsheet programs change or cut that off)");
    } else if (t->rows == 0) {
        el_buf_text(&b, "it ends after the header: esxtop was stopped before its first sample");
    } else {
        say_why_none(q, t, &b);
    }
    bool result = refuse(file, b.ptr, err);
    el_buf_release(&b);
    return result;
}

static bool no_storage(const struct el_catalog *c) {
    for (size_t i = 0; i < c->run.slots; i++) {
        enum el_kind kind = c->entity[c->run.wanted[i].entity].kind;
        if (kind != EL_HOST)
            return false;
    }
    return true;
}

bool el_capture_usable(const struct el_catalog *c, const struct el_quality *q,
                       const struct el_totals *t, const char *file, struct el_str first_bytes,
                       struct el_error *err) {
    struct el_buf b = { 0 };
    if (c->runs == 0) {
        el_buf_print(
            &b, "it is %s; no line begins with \"(PDH-CSV, the header of an esxtop batch capture",
            what_it_is(first_bytes));
        bool result = refuse(file, b.ptr, err);
        el_buf_release(&b);
        return result;
    }
    if (no_storage(c))
        return refuse_objects(c, file, err);
    return t->samples > 0 ? true : refuse_rows(q, t, file, err);
}
