/*
 * build.h: the bricks scenarios make hosts of. Everything returns the index of what it made;
 * the arrays of the host have room for any host a scenario can ask for (asserted).
 */
#ifndef SIM_BUILD_H
#define SIM_BUILD_H

#include "model.h"
#include "rng.h"

enum media { MEDIA_HDD, MEDIA_FLASH };

enum scsi { SCSI_LSI, SCSI_PVSCSI, SCSI_PVSCSI_RAISED };

/* A run of LUNs. */
struct span {
    int first, count;
};

/* Name, CPUs, the local disk with a little traffic of the host itself. */
void build_host(struct host *h, struct rng *r);

int build_device(struct host *h, struct device d);
struct device build_media(struct rng *r, enum media media);

/* "count" LUNs of one array behind an adapter of their own, each with its own backing. */
struct span build_array(struct host *h, struct rng *r, enum media media, int count);
int build_lun(struct host *h, const char *name, int adapter, int device, int depth);
int build_nfs(struct host *h, const char *label, int device);
int build_adapter(struct host *h, const char *name, int depth);

int build_vm(struct host *h, struct rng *r, enum scsi scsi);
int build_disk(struct host *h, int vm, int lun);
int build_load(struct host *h, struct load l);
int build_traffic(struct host *h, struct traffic t);

/* The world of a VM or, for vm -1, of the host on a LUN; made if it is new. */
int build_world(struct host *h, int lun, int vm);

/* "count" VMs that keep the LUNs moderately busy, with one disk or two each. */
void build_tenants(struct host *h, struct rng *r, struct span luns, enum media media, int count);

/* TUR, ATS and a little host I/O on every SCSI LUN: call it when all LUNs exist. */
void build_housekeeping(struct host *h, struct rng *r);

/* A closed load that runs all the time. */
struct load build_closed(int disk, int threads, double think_ms, double read_share, double kb);
struct window build_always(void);

/* One number out of the range for the strength asked for: mild, clear, severe. */
double build_by(const struct host *h, struct rng *r, const struct range ranges[STRENGTH_COUNT]);
int build_int_by(const struct host *h, struct rng *r, const struct range ranges[STRENGTH_COUNT]);

/* When the trouble is to be: in the part asked for, else always. */
struct window build_when(const struct host *h);
bool build_is_part(const struct host *h);

/* A load that makes the trouble; where that is a part, the disk has a little to do all the time. */
int build_job(struct host *h, struct load l);

/* Other hosts at the device. */
void build_foreign(struct host *h, struct foreign f);

/* The answer for a LUN, and with it for all disks on it. */
void build_label(struct host *h, int lun, enum layer layer, unsigned also);
void build_label_disk(struct host *h, int disk, enum layer layer, unsigned also);
void build_answer(struct host *h, enum layer layer, unsigned also, const char *cause, int culprit);

/* Commands of the part asked for come back so much later: only then is the trouble over. */
void build_linger(struct host *h, double seconds);

#endif
