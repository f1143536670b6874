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

enum strength { STRENGTH_MILD, STRENGTH_CLEAR, STRENGTH_SEVERE, STRENGTH_COUNT };

struct range {
    double lo, hi;
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
    bool hang_reads_only;
};

struct device {
    int servers; /* commands it works on at the same time; further ones wait inside, as DAVG */
    struct service normal, trouble;
    struct window troubled;
    double timeout_ms;     /* a command older than this is aborted; 0: never */
    int port_slots;        /* further commands are answered with QUEUE FULL; 0: no such limit */
    int link;              /* 1 + index of the link its data travel on; 0: a fast one */
    double qos_per_s;      /* the array admits no more commands while troubled; 0: no limit */
    struct window stalled; /* nothing completes, until just before the end */
    double outlier_at_s, outlier_ms; /* one single command takes so long; 0: none */
};

/* A link that carries one transfer after the other, in each direction. */
struct link {
    double mb_s;
};

/* Other hosts at the same device: so many commands always under way or thought of. */
struct foreign {
    int device, threads;
    double think_ms, read_share, kb;
    double own_ms; /* that such a command takes; 0: as the device pleases */
    struct window when;
};

struct adapter {
    char name[24];
    int depth;
};

struct world {
    unsigned id;
    int vm; /* -1: a world of the host */
};

/* What is wrong with one path of a LUN. */
struct path_trouble {
    int path;
    double delay_ms;            /* on top */
    double loss_share, loss_ms; /* frames lost: the command waits for its retransmission */
    double up_s, down_s;        /* a link that comes and goes; down_s 0: it stays up */
    double notice_ms;           /* until commands on a dead path fail and are sent elsewhere */
    struct window when;
};

/* Storage I/O control: every four seconds the depth follows threshold / latency (PARDA). */
struct sioc {
    double threshold_ms,
        share; /* share: the depth it may keep is share / (1 - threshold/latency) */
    int floor;
    struct window when;
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
    int path_turn; /* commands before round robin changes; 0: the default of 1000 */
    struct path_trouble bad_path;
    struct sioc sioc;
    int partitions[MAX_PARTITIONS];
    int partition_count; /* guests use the first */
    struct world worlds[MAX_WORLDS];
    int world_count;
    double conflict_share,
        conflict_ms; /* reservation conflicts: how often, how long until the retry */
    struct window conflicted;
    int throttle_floor; /* depth goes down to this and up again within the period */
    double throttle_period_s, throttle_from_s;
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
    double starved_ready_pct, starved_costop_pct; /* of the one VM, in its window */
    double starved_ms;                            /* how long a vCPU is away, on the mean */
    struct window starved;
};

/* Work between the virtual disk and the device: each command may need others before it. */
struct above {
    int levels;        /* of redo logs */
    double miss_share; /* how often a level has to be looked up on disk, for a read */
    double zero_share; /* writes whose block has to be zeroed first */
    double zero_ms;
    struct window when;
};

struct disk {
    int vm, lun, controller;
    char unit[16];     /* "scsi0:1" */
    double iops_limit; /* 0: none */
    bool limit_by_32k; /* a command counts once for every 32 KB */
    struct above above;
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

enum vaai { VAAI_NONE, VAAI_ATS, VAAI_CLONE, VAAI_ZERO, VAAI_UNMAP };

/* Commands that no virtual disk sends: the host's own, TUR, ATS, clone. */
struct traffic {
    int lun, world; /* world: index in the LUN */
    int threads;    /* always so many under way; 0: rate_per_s of them start */
    double rate_per_s;
    double read_share, other_share; /* the rest are writes */
    double kb;
    double device_ms; /* 0: as any command of the device */
    bool in_server;   /* those device_ms keep a server busy */
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
    struct foreign foreign[MAX_DEVICES];
    int foreign_count;
    struct link links[MAX_ADAPTERS];
    int link_count;
    int swap_lun, swap_world; /* the world whose I/O is swapping; lun 0: the host does not swap */
    int swap_vm;
    enum strength strength;
    struct window part; /* when the trouble is asked for; empty: all the time */
    struct answer answer;
};

static inline bool window_holds(struct window w, double t_s) {
    return w.from_s <= t_s && t_s < w.to_s;
}

#endif
