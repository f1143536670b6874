/* tables.h: esxtop's spellings and the order of its counters, object by object. */
#ifndef SIM_TABLES_H
#define SIM_TABLES_H

#include <stdbool.h>

#include "books.h"

/* A storage counter. */
struct counter {
    const char *name;
    enum key key;
    char form;  /* 'f' two decimals, 'd' integer */
    bool brief; /* printed without -a */
};

/* A counter of the rest of the host with its usual value as printed; a point means two decimals. */
struct usual {
    const char *name, *value;
    bool brief;
};

/* Lists end with a row without name. */
extern const struct counter QUEUE[], RATES[], RESERVES[], LATENCIES[], FAILURES[], SPLITS[],
    OFFLOADS[];
extern const struct counter ADAPTER_DEPTH[], SHARES[], NFS_VOLUME[], VIRTUAL_DISK[];

extern const struct usual OVERCOMMIT[], CPU_LOAD[], MEMORY[], CPU_REST[], GROUP_END[], VCPU_END[],
    GROUP_MEMORY[];
extern const struct usual POWER[], VSAN[], NETWORK_PORT[], INTERRUPT[], TIME_STATES[],
    POWER_STATES[];
extern const char *const CPU_FIRST[];

#endif
