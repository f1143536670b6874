/* kind.h - the kinds of entity a capture holds (design table of the README). */
#ifndef ESXLAT_CAPTURE_KIND_H
#define ESXLAT_CAPTURE_KIND_H

#include "esxlat/base/str.h"

enum el_kind {
    EL_HOST,      /* the host itself: CPU and memory pressure; one a host name */
    EL_ADAPTER,   /* Physical Disk Adapter(vmhbaN), Physical Disk(vmhbaN) */
    EL_PATH,      /* Physical Disk Path(P), Physical Disk(vmhbaN:P) */
    EL_LUN,       /* Physical Disk SCSI Device(D) */
    EL_WORLD,     /* Physical Disk Per-Device-Per-World(D-WORLD) */
    EL_PARTITION, /* Physical Disk Partition(D-N) */
    EL_NFS,       /* Physical Disk NFS Volume(LABEL) */
    EL_VM,        /* Virtual Disk(VM) */
    EL_VDISK,     /* Virtual Disk(VM:scsiC:U) */
    EL_VSAN,      /* VSAN(ROLE) */
    EL_ARRAY,     /* not in the capture: the LUNs of one storage vendor, by NAA prefix */
    EL_KINDS
};
#define EL_KIND_BIT(kind) (1u << (kind))

/* A virtual machine or one of its disks: measured at the vSCSI layer, LAT in place of GAVG. */
static inline bool el_kind_is_virtual(enum el_kind kind) {
    return kind == EL_VM || kind == EL_VDISK;
}

/* The word used in JSON, rule files (`on = lun`) and text: "host", "adapter", ... */
const char *el_kind_name(enum el_kind kind);
/* EL_KINDS when the word names no kind. */
enum el_kind el_kind_find(struct el_str word);

#endif
