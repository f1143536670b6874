#include "test_report_made.h"

#include <math.h>
#include <string.h>

#include "esxlat/base/num.h"

#define START   1764493200000 /* 2025-11-30T09:00:00Z */
#define BUCKETS 240
#define WIDTH   15000

/* With NULs inside. */
#define BYTES(literal)                                                                             \
    { literal, sizeof(literal) - 1 }
const struct el_str nasty_names[] = {
    BYTES("it's a \"test\" $(touch pwned1) `touch pwned2` {_^}&% %d %s @term #"),
    BYTES("back\\slash\\"),
    BYTES("<script>alert('&amp;')</script>"),
    BYTES("line\nbreak\r\ttab\033[31mred\x7f"),
    BYTES("bad \xff\xfe utf-8 \xc3( \xe2\x82"),
    BYTES("nul\0inside"),
    BYTES("naa."
          "60060e80056f110000006f110000001f00000000000000000000000000000000000000000000000000000000"
          "0000"
          "00"),
    BYTES("t10.NVMe____Dell_Ent_NVMe_P5600_MU_U.2_1.6TB________________00015A5AE4D25C00"),
    BYTES("\xe4\xbb\xae\xe6\x83\xb3\xe3\x83\x9e\xe3\x82\xb7\xe3\x83\xb3\xe4\xbb\xae\xe6\x83\xb3\xe3"
          "\x83"
          "\x9e\xe3\x82\xb7"
          "\xe3\x83\xb3\xe4\xbb\xae\xe6\x83\xb3\xe3\x83\x9e\xe3\x82\xb7\xe3\x83\xb3\xe4\xbb\xae\xe6"
          "\x83"
          "\xb3\xe3\x83\x9e"),
    BYTES("{ [ ( \" $x << EOD ... @term @macro } } \\"),
    BYTES("'"),
    BYTES("right \xe2\x80\xaeto left"),
    BYTES("'; system('touch pwned3'); print '"),
};
const size_t nasty_count = sizeof nasty_names / sizeof *nasty_names;

static float *row(struct el_report *r) {
    float *v = el_arena_alloc(&r->arena, BUCKETS * sizeof *v);
    for (size_t i = 0; i < BUCKETS; i++)
        v[i] = (float)EL_NAN;
    return v;
}

/* How far the incident at bucket i is under way, 0-1. */
static double incident(size_t i) {
    return i < 100 || i >= 150 ? 0 : sin((double)(i - 100) / 50 * 3.14159265);
}

static void make_series(struct el_report *r, struct el_entity_report *e, size_t number, bool hurt) {
    float *track[EL_TRACKS], *max[EL_TRACKS];
    for (size_t t = 0; t < EL_TRACKS; t++) {
        track[t] = row(r);
        max[t] = row(r);
    }
    for (size_t i = 0; i < BUCKETS; i++) {
        double bad = hurt ? incident(i) : 0,
               wave = 0.5 + 0.5 * sin((double)(i * (number + 3)) / 17);
        if ((i >= 40 && i < 50) || (number % 5 == 4 && i % 7 == 0))
            continue; /* nothing was measured */
        double d = 0.6 + 0.5 * wave + 40 * bad, k = 0.02 + 6 * bad,
               q = 0.01 + 5 * bad + (i == 120 ? 9 : 0);
        double iops = 900 + 700 * wave - 300 * bad;
        double value[EL_TRACKS] = { d,
                                    k,
                                    q,
                                    d + k,
                                    iops,
                                    iops * d / 1000,
                                    iops * d / 1100,
                                    20 * bad,
                                    bad > 0.5 ? 32 : 64,
                                    (d + k) * 0.8 };
        for (size_t t = 0; t < EL_TRACKS; t++) {
            track[t][i] = (float)value[t];
            max[t][i] = (float)(value[t] * 1.4);
        }
    }
    e->series = (struct el_series){ .buckets = BUCKETS, .start = START, .width = WIDTH };
    for (size_t t = 0; t < EL_TRACKS; t++) {
        e->series.mean[t] = track[t];
        e->series.min[t] = track[t];
        e->series.max[t] = max[t];
    }
}

static struct el_figure figure(double mean) {
    return (struct el_figure){ true,     mean,         mean * 0.8,     mean * 2.25,
                               mean * 3, mean * 7.125, START + 1860000 };
}

static struct el_str name_of(struct el_report *r, bool nasty, size_t i, const char *prefix) {
    if (nasty)
        return nasty_names[i % nasty_count];
    return el_str(el_arena_print(&r->arena, "%s%04zx", prefix, 0x1f00 + i));
}

static void make_numbers(struct el_entity_report *e, size_t i, bool hurt) {
    double base = hurt ? 12.0625 : 0.5 + (double)(i % 10) / 8;
    e->samples = 1800;
    e->active = 1799;
    e->has_reads = e->has_writes = true;
    e->commands = 1234567.5 / (double)(i + 1);
    e->reads = e->commands * 0.75;
    e->writes = e->commands * 0.25;
    e->iops = (struct el_spread){ true, 342.9, 2210 };
    e->mb_s = (struct el_spread){ true, 10.7, 69 };
    e->actv = (struct el_spread){ true, 4.2, 32 };
    e->qued = (struct el_spread){ true, 0.75, 21 };
    e->inflight = (struct el_spread){ true, 3.5, 31.5 };
    e->io_kb = 32;
    e->aborts = 3;
    e->resets = e->conflicts = 0;
    e->failed = EL_NAN;
    e->has_time = true;
    e->time_guest = 0;
    e->time_vmkernel = base * e->commands / 8000;
    e->time_device = base * e->commands / 1000;
}

static void make_lun(struct el_report *r, size_t i, bool hurt, bool nasty) {
    struct el_entity_report *e = &r->entity[r->entities++];
    double base = hurt ? 12.0625 : 0.5 + (double)(i % 10) / 8;
    e->kind = EL_LUN;
    e->name = name_of(r, nasty, i, "naa.60060e80056f110000006f110000");
    e->host = nasty ? nasty_names[(i + 3) % nasty_count] : EL_STR("esx01.example.com");
    e->layer = hurt ? EL_DEVICE : EL_NONE;
    e->profile = EL_FLASH;
    make_numbers(e, i, hurt);
    for (size_t l = 0; l < EL_L_LAT; l++) {
        e->has_latency[l] = true;
        e->latency[l] = figure(l < EL_L_KAVG ? base : l < EL_L_GAVG ? base / 8 : base * 1.125);
    }
    e->latency[EL_L_QAVG].there = i % 3 != 2;
    e->dqlen = (struct el_range){ true, 32, 64 };
    e->adapter = EL_STR("vmhba2");
    e->paths = &e->name;
    e->path_count = 1;
    make_series(r, e, i, hurt);
}

static void make_disk(struct el_report *r, size_t i, bool nasty) {
    struct el_entity_report *e = &r->entity[r->entities++];
    e->kind = EL_VDISK;
    e->name = name_of(r, nasty, i, "database-server-with-a-long-name:scsi0:");
    e->host = EL_STR("esx01.example.com");
    e->layer = EL_DEVICE;
    e->profile = EL_AUTO;
    make_numbers(e, i + 4, true);
    for (size_t l = EL_L_LAT; l < EL_LATENCIES; l++) {
        e->has_latency[l] = true;
        e->latency[l] = figure(14);
    }
    e->actv.there = e->qued.there = false;
    e->aborts = e->resets = e->conflicts = EL_NAN;
    e->lun = r->entity[i].name;
    e->vm = name_of(r, nasty, i, "database-server-with-a-long-name");
    e->link = EL_LINK_MATCHED;
    e->link_certainty = 0.9875;
    make_series(r, e, i, true);
}

static const char *const checks[] = {
    "esxcli storage core device stats get -d "
    "naa.60060e80056f110000006f1100001f00000000000000000000000000000000",
    "grep -i 'latency' /var/log/vmkernel.log  # device latency warnings name the LUN and how much "
    "it got worse",
    "Ask the storage team for the response time of the array's front-end ports and of the disk "
    "group "
    "behind the LUN in the same window.",
};
static const char *const acts[] = {
    "Open a ticket with the storage team; give them the LUN, the window and the figures."
};
static const char *const also[] = {
    "A congested fabric: then LUNs of other arrays on the same HBA are slow as well."
};
static const char *const see[] = { "https://knowledge.broadcom.com/external/article/309140/"
                                   "vsphere-storage-device-latency-performan.html" };
static const char *const healthy[] = { "The host's CPU: no world waited to run.",
                                       "Other LUNs on vmhba2 answered within 1.2 ms (p95)." };
static const char *const cannot[] = { "Waits inside the guest's operating system." };

static void make_finding(struct el_report *r, size_t entity, const char *rule, bool root) {
    struct el_finding *f = &r->finding[r->findings++];
    const struct el_entity_report *e = &r->entity[entity];
    static const struct el_window window[] = {
        { START + 1500000, START + 1900000, 200, 10000, 300, 40, 87.5, START + 1600000, 400000 },
        { START + 1950000, START + 2250000, 150, 5000, 90, 10, 43.25, START + 2000000, 300000 }
    };
    struct el_who *who = el_arena_alloc(&r->arena, 2 * sizeof *who);
    who[0] = (struct el_who){
        e->vm.len ? e->vm : EL_STR("db01"), EL_STR("db01:scsi0:1"), { NULL, 0 }, 0.61, 0.5, 3.25
    };
    who[1] = (struct el_who){ { NULL, 0 }, { NULL, 0 }, e->name, 0.25, 0.5, EL_NAN };
    char *name = el_arena_text(&r->arena, e->name.ptr, e->name.len);
    *f = (struct el_finding){
        .rule = rule,
        .layer = EL_DEVICE,
        .severity = EL_CRITICAL,
        .confidence = EL_HIGH,
        .entity = (uint32_t)entity,
        .kind = e->kind,
        .name = e->name,
        .host = e->host,
        .from = window[0].from,
        .to = window[1].to,
        .samples = 350,
        .window = window,
        .windows = 2,
        .who = who,
        .who_count = 2,
        .root = root,
        .check = { checks, 3 },
        .act = { acts, 1 },
        .also = { also, 1 },
        .see = { see, 1 },
    };
    f->title = el_arena_print(&r->arena, "The device behind %s answers slowly", name);
    f->because =
        el_arena_print(&r->arena,
                       "DAVG 40.2 ms (p95) is 97 %% of what the VMs wait for on %s; KAVG stays at "
                       "0.4 ms, so the host does not hold commands back",
                       name);
}

static void make_capture(struct el_report *r, bool nasty) {
    static const struct el_note note[] = {
        { .code = "short-row",
          .count = 2,
          .first_line = 817,
          .text = "Rows with fewer fields than the header were left out." },
        { .code = "late-row",
          .count = 1,
          .first_line = 0,
          .text = "The recording paused for 150 s.",
          .harmless = true },
    };
    static const struct el_absent absent[] = { { "Queued Commands", "Physical Disk SCSI Device",
                                                 "a full device queue" } };
    r->capture = el_arena_alloc(&r->arena, sizeof *r->capture);
    r->captures = 1;
    *r->capture = (struct el_capture_report){
        .file = nasty ? "dir/it's \033[31m \xff `x`.csv" : "esx01.csv.gz",
        .host = EL_STR("esx01.example.com"),
        .start = START,
        .end = START + (int64_t)BUCKETS * WIDTH,
        .interval_s = 2,
        .rows = 1801,
        .samples = 1800,
        .runs = 1,
        .columns = 17427,
        .storage_columns = 1830,
        .missing = absent,
        .missing_count = 1,
        .quality = note,
        .quality_count = sizeof note / sizeof *note,
    };
}

void make_report(struct el_report *r, size_t luns, size_t findings, bool nasty) {
    *r = (struct el_report){ 0 };
    make_capture(r, nasty);
    r->entity = el_arena_alloc(&r->arena, 2 * luns * sizeof *r->entity);
    for (size_t i = 0; i < luns; i++)
        make_lun(r, i, i < findings, nasty);
    for (size_t i = 0; i < luns; i++)
        make_disk(r, i, nasty);
    r->finding = el_arena_alloc(&r->arena, (findings + 2) * sizeof *r->finding);
    for (size_t i = 0; i < findings; i++)
        make_finding(r, i, "device-slow", true);
    make_finding(r, luns, "vdisk-slow", true);
    make_finding(r, 0, "device-queue-full", false);
    r->verdict = (struct el_verdict){
        .layer = EL_DEVICE,
        .confidence = EL_HIGH,
        .cause = "device-slow",
        .share_guest = 0.004,
        .share_vmkernel = 0.0285,
        .share_device = 0.9675,
        .healthy = healthy,
        .healthy_count = 2,
        .cannot = cannot,
        .cannot_count = 1,
        .summary = "The storage array answers too slowly: 97 % of the time that virtual machines "
                   "waited was spent below "
                   "the host, mostly between 09:25 and 09:37 UTC. The host itself was healthy. The "
                   "storage team should "
                   "look at the array's front-end ports first.",
    };
}

void make_empty(struct el_report *r) {
    *r = (struct el_report){ 0 };
    r->verdict = (struct el_verdict){
        .layer = EL_UNKNOWN, .share_guest = EL_NAN, .share_vmkernel = EL_NAN, .share_device = EL_NAN
    };
}
