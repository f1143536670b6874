/*
 * model.h: a simulated host before anything happens on it: what exists, who loads it, what goes
 * wrong, and what the right answer is. A scenario fills a struct host; the engine only reads it.
 * Cross references are indices into the arrays of the host, -1 for none. Times count from the
 * first row of the capture; a window is empty unless from_s < to_s.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <stdbool.h>

enum {
    MAX_ADAPTERS = 6,
    MAX_DEVICES = 24,
    MAX_LUNS = 24,
    MAX_PATHS = 4,
    MAX_PARTITIONS = 4,
    MAX_WORLDS = 48, /* of a LUN */
    MAX_VMS = 44,
    MAX_DISKS = 176,
    MAX_VM_DISKS = 16,
    MAX_CONTROLLERS = 4, /* of a VM */
    MAX_LOADS = 512,
    MAX_TRAFFIC = 64,
    MAX_PCPUS = 64,
    VM_NAMES = 16, /* further VMs are numbered */
    NAME_SIZE = 96
};

enum layer {
    LAYER_NONE,
    LAYER_GUEST,
    LAYER_VMKERNEL,
    LAYER_DEVICE,
    LAYER_MIXED,
    LAYER_UNKNOWN,
    LAYER_COUNT
};

/* An answer, and those that count as right too: bits 1u << layer. */
struct label {
    enum layer layer;
    unsigned also;
};

struct window {
    double from_s, to_s;
};

enum shape { SHAPE_CONSTANT, SHAPE_EXPONENTIAL, SHAPE_LOGNORMAL, SHAPE_BIMODAL };

/* How long the backing of a LUN works on a command. */
struct service {
    enum shape shape;
    double read_ms, write_ms;   /* means, while a server is held */
    double spread;              /* sigma of lognormal, share of slow ones of bimodal */
    double ms_per_mb;           /* transfer time on top */
    double delay_ms;            /* fabric and controller: waits, holds no server */
    double hang_share, hang_ms; /* commands that go astray for a while */
};

struct device {
    int servers; /* commands it works on at the same time; further ones wait inside, as DAVG */
    struct service normal, trouble;
    struct window troubled;
    double timeout_ms; /* a command older than this is aborted; 0: never */
};

struct adapter {
    char name[24];
    int depth;
};

struct world {
    unsigned id;
    int vm; /* -1: a world of the host */
};

/* A SCSI device or, if nfs, an NFS datastore. */
struct lun {
    char name[NAME_SIZE];
    bool nfs;
    int adapter, device;
    int depth;           /* device queue */
    int competing_depth; /* of it, once two VMs are active (DSNRO) */
    char paths[MAX_PATHS][64];
    int path_count;
    bool round_robin;
    int partitions[MAX_PARTITIONS];
    int partition_count; /* guests use the first */
    struct world worlds[MAX_WORLDS];
    int world_count;
    double conflict_share,
        conflict_ms; /* reservation conflicts: how often, how long until the retry */
    struct window conflicted;
    int throttle_floor; /* depth goes down to this and up again within the period */
    double throttle_period_s;
    struct window throttled;
    struct label label;
};

struct vm {
    char name[NAME_SIZE];
    unsigned gid, vmx, leader;
    const char *scsi; /* "PVSCSI" or "LSI", as in the names of its worlds */
    bool nic;
    int vcpus, disk_count;
    int disk_depth, controller_depth; /* what the virtual adapter takes, per disk and in all */
    double used_pct, ready_pct;       /* per vCPU */
    double busy_ready_pct;            /* %RDY while the host's CPUs are short */
};

struct disk {
    int vm, lun, controller;
    char unit[16];     /* "scsi0:1" */
    double iops_limit; /* 0: none */
    bool limit_by_32k; /* a command counts once for every 32 KB */
    struct label label;
};

/* What a guest does on one disk. */
struct load {
    int disk;
    int threads;     /* closed loop; 0: open loop at rate_per_s */
    double think_ms; /* of a thread between two requests, exponential; 0: none */
    double rate_per_s;
    double read_share;
    double kb;
    double on_s, off_s; /* bursts; on_s 0: steady */
    struct window when;
};

enum vaai { VAAI_NONE, VAAI_ATS, VAAI_CLONE, VAAI_ZERO };

/* Commands that no virtual disk sends: the host's own, TUR, ATS, clone. */
struct traffic {
    int lun, world; /* world: index in the LUN */
    double rate_per_s;
    double read_share, other_share; /* the rest are writes */
    double kb;
    double device_ms; /* 0: as any command of the device; else it needs no server */
    double kernel_ms; /* bookkeeping in the kernel, not a queue */
    enum vaai vaai;
    struct window when;
};

struct answer {
    struct label label;
    const char *cause;
    struct window window; /* empty: all the time */
    int culprit;          /* disk, or -1 */
};

struct host {
    char name[64];
    unsigned base; /* first world id of the host */
    int pcpus;
    double util_pct, busy_util_pct;
    double overhead_ms;  /* of the kernel, per command */
    double cpu_delay_ms; /* wait for a CPU, while they are short */
    struct window cpu_short;
    struct adapter adapters[MAX_ADAPTERS];
    int adapter_count;
    struct device devices[MAX_DEVICES];
    int device_count;
    struct lun luns[MAX_LUNS];
    int lun_count;
    struct vm vms[MAX_VMS];
    int vm_count;
    struct disk disks[MAX_DISKS];
    int disk_count;
    struct load loads[MAX_LOADS];
    int load_count;
    struct traffic traffic[MAX_TRAFFIC];
    int traffic_count;
    int vm_names[VM_NAMES]; /* shuffled name numbers, for build.c */
    struct answer answer;
};

static inline bool window_holds(struct window w, double t_s) {
    return w.from_s <= t_s && t_s < w.to_s;
}

#endif
