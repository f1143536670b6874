#include "causes.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

struct row {
    const char *cause, *rules; /* ids between blanks; "-" for none */
};

/*
 * A rule that only says "slow" stands where the counters cannot tell more, or where what they tell
 * is evidence beside the verdict.
 */
static const struct row ROWS[] = {
    { "healthy", "-" },
    { "idle", "-" },
    { "cdrom-poll", "-" },
    { "vaai-clone", "-" },
    { "vaai-zero", "-" },
    { "large-blocks", "-" },
    { "single-outlier", "-" },
    { "boot-device", "-" },
    { "one-outstanding", "- guest-serial" },
    { "vm-ready", "- vm-cpu guest-measured" },
    { "vm-costop", "- vm-cpu guest-measured" },
    { "virtual-adapter-queue", "guest-queue guest-measured" },
    { "slow-array", "device-slow-array device-slow-adapter device-slow-host" },
    { "slow-lun", "device-slow device-very-slow device-slow-alone device-off-floor" },
    { "slow-adapter", "device-slow-adapter" },
    { "storage-processor", "device-slow device-very-slow single-path" },
    { "queue-full-slow-device", "queue-full-device-slow device-slow device-very-slow" },
    { "slow-nfs", "nfs-slow nfs-slow-host" },
    { "nfs-sync-writes", "nfs-writes-slow" },
    { "nfs-limit", "nfs-limit" },
    { "noisy-neighbour",
      "noisy-neighbour vm-burst device-slow device-very-slow queue-full-device-slow" },
    { "vm-burst", "noisy-neighbour vm-burst device-slow device-very-slow queue-full-device-slow" },
    { "few-slow", "few-slow aborts" },
    { "aborts", "aborts" },
    { "write-cache-off", "writes-slow" },
    { "replication", "writes-slow" },
    { "array-qos", "device-ceiling device-slow device-very-slow" },
    { "delayed-ack", "device-slow device-very-slow" },
    { "unmap", "vaai-activity other-commands device-slow device-very-slow" },
    { "host-swap", "host-swap swap-io host-io vm-swap device-slow device-very-slow" },
    { "link-saturated", "link-saturated device-slow-adapter device-slow-array" },
    { "slow-path", "slow-path path-slow" },
    { "path-loss", "slow-path path-slow path-errors aborts" },
    { "path-flapping", "path-flapping path-errors failed-commands" },
    { "all-paths-down", "stall stall-array" },
    { "device-queue-full", "device-queue-full queue-local" },
    { "shallow-queue", "device-queue-full queue-local queue-full-adapter" },
    { "adapter-queue-full", "queue-full-adapter" },
    { "dsnro", "queue-dsnro" },
    { "depth-throttled", "queue-throttled" },
    { "sioc-threshold", "queue-throttled" },
    { "sioc-congestion", "queue-throttled queue-full-device-slow device-slow device-very-slow" },
    { "queue-full-status", "queue-throttled" },
    { "iops-limit", "iops-limit vm-limit" },
    { "iops-limit-32k", "iops-limit vm-limit" },
    { "slow-lun-and-iops-limit", "device-slow device-very-slow iops-limit vm-limit" },
    { "reservation-conflicts", "reservation-conflicts reservation-locks reservation-stuck" },
    { "cpu-shortage", "kernel-cpu kernel-cpu-host" },
    { "snapshots", "vm-snapshot vscsi-above vdisk-above" },
    { "first-writes", "vm-first-writes vscsi-above vdisk-above" },
    { NULL, NULL },
};

static const struct row *find(const char *cause) {
    const struct row *row = ROWS;
    while (row->cause != NULL && strcmp(row->cause, cause) != 0)
        row++;
    return row;
}

void causes_write(FILE *f, const char *cause) {
    const struct row *row = find(cause);
    assert(row->cause != NULL);
    const char *comma = "";
    fputc('[', f);
    for (const char *p = row->rules; p != NULL && *p != '\0';) {
        int length = (int)strcspn(p, " ");
        if (length == 1 && *p == '-')
            fprintf(f, "%snull", comma);
        else
            fprintf(f, "%s\"%.*s\"", comma, length, p);
        comma = ", ";
        p += length + (p[length] == ' ');
    }
    fputc(']', f);
}
