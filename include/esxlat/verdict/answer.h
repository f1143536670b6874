/* answer.h - the answer as data: what verdict/ fills and every renderer reads.
 *
 * Everything lives in the report's arena, names are bytes as in the capture.  Missing numbers are NaN, missing
 * times EL_NO_TIME, missing texts {NULL, 0}. */
#ifndef ESXLAT_VERDICT_ANSWER_H
#define ESXLAT_VERDICT_ANSWER_H

#include "esxlat/base/clock.h"
#include "esxlat/base/mem.h"
#include "esxlat/base/str.h"
#include "esxlat/capture/kind.h"
#include "esxlat/rules/judge.h"

#define EL_NO_ENTITY UINT32_MAX

/* Command-weighted figures of a latency, ms; `there` is false when no sample entered (JSON null). */
struct el_figure {
    bool there;
    double mean, p50, p95, p99, max;
    int64_t max_at; /* ms since 1970 */
};
struct el_spread {
    bool there;
    double mean, max;
}; /* over samples */
struct el_range {
    bool there;
    double min, max;
};

/* Latencies of an entity, in JSON order. */
enum el_latency {
    EL_L_DAVG,
    EL_L_DAVG_RD,
    EL_L_DAVG_WR,
    EL_L_KAVG,
    EL_L_KAVG_RD,
    EL_L_KAVG_WR,
    EL_L_QAVG,
    EL_L_QAVG_RD,
    EL_L_QAVG_WR,
    EL_L_GAVG,
    EL_L_GAVG_RD,
    EL_L_GAVG_WR,
    EL_L_LAT,
    EL_L_LAT_RD,
    EL_L_LAT_WR,
    EL_LATENCIES
};
const char *el_latency_name(enum el_latency l); /* "davg" ... "lat_wr" */

enum el_link { EL_LINK_NONE, EL_LINK_EXACT, EL_LINK_MATCHED, EL_LINK_UNKNOWN };
const char *el_link_name(enum el_link link); /* "exact" "matched" "unknown" */

/* What a picture needs of an entity: `buckets` equal stretches of time, means over them (commands-
 * weighted for latencies), NaN where there is nothing; and the least and the largest value in it. */
enum el_track {
    EL_T_DAVG,
    EL_T_KAVG,
    EL_T_QAVG,
    EL_T_GAVG /* vm, vdisk: LAT */,
    EL_T_IOPS,
    EL_T_INFLIGHT,
    EL_T_ACTV,
    EL_T_QUED,
    EL_T_DQLEN,
    EL_T_LUN_GAVG /* vm, vdisk */,
    EL_TRACKS
};
struct el_series {
    size_t buckets;               /* 0: no series was kept */
    int64_t start;                /* ms since 1970 of the first bucket's begin */
    int64_t width;                /* ms a bucket */
    const float *mean[EL_TRACKS]; /* buckets values, or NULL */
    const float *min[EL_TRACKS];
    const float *max[EL_TRACKS];
};

struct el_entity_report {
    enum el_kind kind;
    struct el_str name, host;
    enum el_layer layer;
    enum el_profile profile;
    uint64_t samples, active;
    bool has_reads, has_writes;     /* the capture has such columns (else JSON null) */
    double commands, reads, writes; /* over usable samples; NaN without a Commands/sec column */
    struct el_spread iops, mb_s, actv, qued, inflight;
    double io_kb; /* NaN: null */
    bool has_latency
        [EL_LATENCIES]; /* the capture (or the model) has it; if not the key is left out */
    struct el_figure latency[EL_LATENCIES];
    struct el_range dqlen, aqlen;
    double aborts, resets, conflicts, failed;      /* counts; NaN: the capture lacks the counter */
    struct el_str lun, adapter, vm, owner, vendor; /* owner: "group: world" of a host's own world */
    const struct el_str *paths;
    size_t path_count;
    enum el_link link;     /* certainty of `lun` for vm and vdisk */
    double link_certainty; /* vdisk: 0-1, of `lun` or of the likeliest one; NaN: nothing to go by */
    bool has_time;
    double time_guest, time_vmkernel, time_device; /* s of waiting; guest: NaN unless measured */
    struct el_series series;
};

struct el_who {
    struct el_str vm, vdisk, world; /* those that apply */
    double share;                   /* 0-1 of the waiting time on the entity, meanwhile */
    double load;                    /* 0-1 of the commands on it; NaN: not counted */
    double
        rise; /* commands per second then over those of the rest of the time; NaN: there is no rest */
};

struct el_finding {
    const char *rule;
    enum el_layer layer;
    enum el_severity severity;
    enum el_confidence confidence;
    struct el_basis basis; /* what the confidence was computed from */
    uint32_t
        entity; /* index into entities; EL_NO_ENTITY for kinds without a row there (array, host) */
    enum el_kind kind;
    struct el_str name, host; /* of the entity */
    int64_t from, to;         /* EL_NO_TIME if it has no window */
    uint64_t samples;
    const struct el_window *window;
    size_t windows;
    const char *title, *because;
    struct el_texts check, act, also, see;
    const struct el_who *who; /* largest first */
    size_t who_count;
    bool root; /* false: a consequence of, or folded into, another finding; shown last */
};

/* A stretch of time in which something was wrong: findings that overlap, or follow within a few samples. */
struct el_episode {
    int64_t from, to; /* ms: begin of the first, end of the last sample that a finding holds */
    double held_s;    /* of it in trouble: less where many short stretches were put together */
    uint64_t samples; /* of the leading finding in it */
    enum el_layer layer;
    size_t finding;  /* index of the leading one: most waiting */
    double peak;     /* ms a command, its worst sample; NaN: no command completed */
    int64_t peak_at; /* end of that sample; EL_NO_TIME */
    size_t others;   /* further entities in trouble meanwhile */
    double wait_device, wait_vmkernel; /* s, over all of them */
    double wait_guest;                 /* s; NaN unless measured */
    const struct el_who *who;          /* on the leading finding's entity */
    size_t who_count;
};

/* Every rule that was considered for an entity, with its numbers and which condition failed. */
struct el_why {
    enum el_kind kind;
    struct el_str name, host;
    const char *text; /* el_judge_why */
};

struct el_note {      /* a quality note */
    const char *code; /* stable word: "short-row" */
    uint64_t count, first_line;
    const char *text; /* a sentence */
    bool harmless;    /* esxtop's own habit or a mere form: figures are not affected */
};
struct el_absent {
    const char *counter, *object, *needed_for;
};

struct el_capture_report {
    const char *file;
    struct el_str host;
    int64_t start, end;
    int64_t from, to;  /* of the samples, as struct el_totals has them */
    double measured_s; /* that samples cover */
    double interval_s; /* median; NaN without samples */
    uint64_t rows, samples, runs, columns, storage_columns;
    const struct el_absent *missing;
    size_t missing_count;
    const struct el_note *quality;
    size_t quality_count;
};

/* A disk as its guest measured it, and the virtual disk that it is. */
struct el_guest_disk_report {
    struct el_str name, vdisk;           /* vdisk empty: none has its rates */
    enum el_link link;                   /* unknown: it does not count */
    double latency_ms, lat_ms, queue_ms; /* per command; queue = latency - LAT */
    double commands, seconds;            /* of the time that both cover */
};
struct el_guest_report {
    const char *file, *kind; /* "perfmon", "iostat" */
    struct el_str host,
        vm;            /* as the guest calls itself; the virtual machine, empty if none was found */
    const char *vm_by; /* how it was found: "given", "host name", "rates" */
    double offset_s;   /* the guest's clock is ahead by; NaN if that could not be told */
    const char *certainty; /* of the offset: "high", "medium", "none" */
    uint64_t samples;      /* of the file */
    uint64_t compared;     /* intervals that guest and host have in common */
    bool has_zone;         /* false: the offset holds the guest's zone as well */
    const char *reason;    /* why nothing was joined; NULL: something was */
    const char *note;      /* what was odd about the file; NULL: nothing */
    const struct el_guest_disk_report *disk;
    size_t disks;
};

struct el_verdict {
    enum el_layer layer;
    enum el_confidence confidence;
    const char *cause;   /* rule id or NULL */
    const char *summary; /* one paragraph for a manager, no line breaks */
    double share_guest, share_vmkernel,
        share_device; /* 0-1 of the waiting time; NaN when there was none */
    const char *const *healthy;
    size_t healthy_count; /* sentences: what was fine and so excludes causes */
    const char *const *cannot;
    size_t cannot_count; /* sentences: what the capture could not show */
};

struct el_report {
    struct el_arena arena;
    struct el_capture_report *capture;
    size_t captures;
    struct el_verdict verdict;
    struct el_episode *episode; /* in order of time */
    size_t episodes;
    double time_s,
        troubled_s; /* captured time (what several captures cover counts once), and that in trouble */
    double rest_device,
        rest_vmkernel; /* ms: what commands of the entities in trouble took in the rest; NaN: none */
    struct el_finding *finding; /* roots first, by severity, then waiting time */
    size_t findings;
    struct el_why *why; /* if it was asked for */
    size_t whys;
    struct el_entity_report *entity; /* catalogue order */
    size_t entities;
    const struct el_guest_report *guest; /* in the order of --guest */
    size_t guests;
};
void el_report_release(struct el_report *r);

/* The finding that the verdict names as the cause; NULL if it names none. */
const struct el_finding *el_report_cause(const struct el_report *r);
/* The first finding of a layer that explains others and is a warning or more; NULL if there is none. */
const struct el_finding *el_report_leader(const struct el_report *r, enum el_layer layer);

#endif
