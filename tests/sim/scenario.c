#include "scenario.h"

#include <stddef.h>
#include <string.h>

const struct scenario SCENARIOS[] = {
    { "healthy", "mixed load on spinning disks, nothing wrong: none", scenario_healthy, false },
    { "healthy-flash", "busy all-flash array, nothing wrong: none", scenario_healthy_flash, false },
    { "slow-array", "all LUNs of one array slow, the other array fine: device", scenario_slow_array,
      true },
    { "slow-lun", "one LUN of several slow: device", scenario_slow_lun, true },
    { "slow-window", "the array is slow for part of the time: device", scenario_slow_window, true },
    { "queue-full", "device fast, its queue too small for one VM: vmkernel", scenario_queue_full,
      true },
    { "queue-full-slow", "queue full because the device is slow: device", scenario_queue_full_slow,
      true },
    { "adapter-full", "several LUNs fill the queue of a small adapter: vmkernel",
      scenario_adapter_full, true },
    { "iops-limit", "a virtual disk at its IOPS limit: vmkernel", scenario_iops_limit, true },
    { "iops-limit-32k", "the same with 320 KB I/O that counts as ten: vmkernel",
      scenario_iops_limit_32k, true },
    { "dsnro", "depth drops to DSNRO when a second VM starts: vmkernel", scenario_dsnro, true },
    { "guest-queue", "more threads than the virtual adapter takes: guest", scenario_guest_queue,
      true },
    { "guest-serial", "one request at a time, all calm: none (or guest)", scenario_guest_serial,
      false },
    { "reservation-conflicts", "reads retried after SCSI-2 conflicts: vmkernel",
      scenario_reservation_conflicts, true },
    { "nfs-slow", "one NFS server slow: device", scenario_nfs_slow, true },
    { "nfs-healthy", "NFS datastores, nothing wrong: none", scenario_nfs_healthy, false },
    { "mixed", "one LUN slow, another VM at its IOPS limit: mixed", scenario_mixed, true },
    { "noisy-neighbour", "one VM saturates a shared device: device", scenario_noisy_neighbour,
      true },
    { "few-slow", "hardly any commands, seconds each, with aborts: device", scenario_few_slow,
      true },
    { "idle", "nearly no I/O: none", scenario_idle, false },
    { "cdrom-poll", "healthy, an empty CD-ROM drive answers slowly: none", scenario_cdrom_poll,
      false },
    { "vaai-clone", "offloaded clone makes KAVG look high: none", scenario_vaai_clone, false },
    { "write-cache-off", "writes 20-30 ms one by one, reads fine: device", scenario_write_cache_off,
      true },
    { "throttle", "device depth throttled down and up again: vmkernel", scenario_throttle, true },
    { "kernel-cpu", "host CPUs short, KAVG on all devices: vmkernel", scenario_kernel_cpu, true },
    { "many-disks", "40 VMs, 1 to 4 disks each, on 12 LUNs, nothing wrong: none",
      scenario_many_disks, false },
    { "guest-bursts", "jobs that overfill the virtual adapter, then rest: guest",
      scenario_guest_bursts, false },
    { "aborts", "commands of one LUN time out: device", scenario_aborts, true },
    { NULL, NULL, NULL, false },
};

const struct scenario *scenario_find(const char *name) {
    for (const struct scenario *s = SCENARIOS; s->name != NULL; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}
