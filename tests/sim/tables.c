#include "tables.h"

#include <stddef.h>

const struct counter ADAPTER_DEPTH[] = { { "Adapter Q Depth", KEY_AQLEN, 'd', false }, { 0 } };
const struct counter SHARES[] = { { "Shares", KEY_SHARES, 'd', false }, { 0 } };

const struct counter QUEUE[] = {
    { "Device Q Depth", KEY_DQLEN, 'd', true },
    { "World Q Depth", KEY_NOTHING, 'd', true },
    { "Active Commands", KEY_ACTV, 'd', true },
    { "Queued Commands", KEY_QUED, 'd', true },
    { "% Used", KEY_USED, 'f', true },
    { "Load", KEY_LOAD, 'f', true },
    { 0 },
};

const struct counter RATES[] = {
    { "Commands/sec", KEY_CMDS, 'f', true },       { "Reads/sec", KEY_READS, 'f', true },
    { "Writes/sec", KEY_WRITES, 'f', true },       { "MBytes Read/sec", KEY_MBRD, 'f', true },
    { "MBytes Written/sec", KEY_MBWR, 'f', true }, { 0 },
};

const struct counter RESERVES[] = {
    { "Reserves/sec", KEY_NOTHING, 'f', false },
    { "Conflicts/sec", KEY_CONS, 'f', false },
    { 0 },
};

const struct counter LATENCIES[] = {
    { "Average Driver MilliSec/Command", KEY_DAVG, 'f', true },
    { "Average Kernel MilliSec/Command", KEY_KAVG, 'f', true },
    { "Average Guest MilliSec/Command", KEY_GAVG, 'f', true },
    { "Average Queue MilliSec/Command", KEY_QAVG, 'f', true },
    { "Average Driver MilliSec/Read", KEY_DAVG_RD, 'f', false },
    { "Average Kernel MilliSec/Read", KEY_KAVG_RD, 'f', false },
    { "Average Guest MilliSec/Read", KEY_GAVG_RD, 'f', false },
    { "Average Queue MilliSec/Read", KEY_QAVG_RD, 'f', false },
    { "Average Driver MilliSec/Write", KEY_DAVG_WR, 'f', false },
    { "Average Kernel MilliSec/Write", KEY_KAVG_WR, 'f', false },
    { "Average Guest MilliSec/Write", KEY_GAVG_WR, 'f', false },
    { "Average Queue MilliSec/Write", KEY_QAVG_WR, 'f', false },
    { 0 },
};

const struct counter FAILURES[] = {
    { "Failed Commands/sec", KEY_FCMDS, 'f', false },
    { "Failed Reads/sec", KEY_FREADS, 'f', false },
    { "Failed Writes/sec", KEY_FWRITES, 'f', false },
    { "Failed Bytes Read/sec", KEY_FMBRD, 'f', false },
    { "Failed Bytes Written/sec", KEY_FMBWR, 'f', false },
    { "Failed Reserves/sec", KEY_NOTHING, 'f', false },
    { "Aborts/sec", KEY_ABRTS, 'f', false },
    { "Resets/sec", KEY_RESETS, 'f', false },
    { 0 },
};

const struct counter SPLITS[] = {
    { "PAE Commands/sec", KEY_NOTHING, 'f', false },
    { "PAE Copies/sec", KEY_NOTHING, 'f', false },
    { "Split Commands/sec", KEY_NOTHING, 'f', false },
    { "Split Copies/sec", KEY_NOTHING, 'f', false },
    { 0 },
};

/* "Delete" but "Deletes Failed": esxtop's own. */
const struct counter OFFLOADS[] = {
    { "CReads", KEY_CLONE_RD, 'd', false },
    { "CWrites", KEY_CLONE_WR, 'd', false },
    { "CFailed", KEY_NOTHING, 'd', false },
    { "MBytes CReads/sec", KEY_MBC_RD, 'f', false },
    { "MBytes CWrites/sec", KEY_MBC_WR, 'f', false },
    { "ATS", KEY_ATS, 'd', false },
    { "ATS Failed", KEY_NOTHING, 'd', false },
    { "Zeros", KEY_ZEROS, 'd', false },
    { "Zeros Failed", KEY_NOTHING, 'd', false },
    { "MBytes Zeroed/sec", KEY_MBZERO, 'f', false },
    { "Delete", KEY_UNMAPS, 'd', false },
    { "Deletes Failed", KEY_NOTHING, 'd', false },
    { "MBytes Deletes/sec", KEY_MBUNMAP, 'f', false },
    { "Average Success Latency ms/Clone", KEY_CLONE_MS, 'f', false },
    { "Average Failure Latency ms/Clone", KEY_NOTHING, 'f', false },
    { "Average Success Latency ms/ATS", KEY_ATS_MS, 'f', false },
    { "Average Failure Latency ms/ATS", KEY_NOTHING, 'f', false },
    { "Average Success Latency ms/Zero", KEY_ZERO_MS, 'f', false },
    { "Average Failure Latency ms/Zero", KEY_NOTHING, 'f', false },
    { 0 },
};

const struct counter NFS_VOLUME[] = {
    { "Active Commands", KEY_ACTV, 'd', true },
    { "Commands/sec", KEY_CMDS, 'f', true },
    { "Reads/sec", KEY_READS, 'f', true },
    { "Writes/sec", KEY_WRITES, 'f', true },
    { "MBytes Read/sec", KEY_MBRD, 'f', true },
    { "MBytes Written/sec", KEY_MBWR, 'f', true },
    { "Average Guest MilliSec/Command", KEY_GAVG, 'f', true },
    { "Average Guest MilliSec/Read", KEY_GAVG_RD, 'f', false },
    { "Average Guest MilliSec/Write", KEY_GAVG_WR, 'f', false },
    { "Failed Commands/sec", KEY_FCMDS, 'f', false },
    { "Failed Reads/sec", KEY_FREADS, 'f', false },
    { "Failed Writes/sec", KEY_FWRITES, 'f', false },
    { "Failed MBytes Read/sec", KEY_FMBRD, 'f', false },
    { "Failed MBytes Written/sec", KEY_FMBWR, 'f', false },
    { "Failed Reserves/sec", KEY_NOTHING, 'f', false },
    { "Aborts/sec", KEY_ABRTS, 'f', false },
    { "Resets/sec", KEY_RESETS, 'f', false },
    { 0 },
};

const struct counter VIRTUAL_DISK[] = {
    { "FailedIOs", KEY_NOTHING, 'd', false },
    { "TotalIOs", KEY_NOTHING, 'd', false },
    { "Latency", KEY_NOTHING, 'd', false },
    { "Commands/sec", KEY_CMDS, 'f', true },
    { "Reads/sec", KEY_READS, 'f', true },
    { "Writes/sec", KEY_WRITES, 'f', true },
    { "MBytes Read/sec", KEY_MBRD, 'f', true },
    { "MBytes Written/sec", KEY_MBWR, 'f', true },
    { "Average MilliSec/Read", KEY_LAT_RD, 'f', true },
    { "Average MilliSec/Write", KEY_LAT_WR, 'f', true },
    { 0 },
};

const struct usual OVERCOMMIT[] = {
    { "Memory Overcommit (1 Minute Avg)", "0.15", true },
    { "Memory Overcommit (5 Minute Avg)", "0.15", true },
    { "Memory Overcommit (15 Minute Avg)", "0.15", true },
    { 0 },
};

const struct usual CPU_LOAD[] = {
    { "Cpu Load (1 Minute Avg)", "0.21", true },
    { "Cpu Load (5 Minute Avg)", "0.20", true },
    { "Cpu Load (15 Minute Avg)", "0.19", true },
    { 0 },
};

const struct usual MEMORY[] = {
    { "Machine MBytes", "262035", true },
    { "Kernel MBytes", "5122", true },
    { "NonKernel MBytes", "121040", true },
    { "Free MBytes", "135873", true },
    { "Kernel Managed MBytes", "261120", true },
    { "Kernel MinFree MBytes", "4210", true },
    { "Kernel Reserved MBytes", "9120", true },
    { "Kernel Unreserved MBytes", "250010", true },
    { "Kernel State", "0", true },
    { "PShare Shared MBytes", "1732", true },
    { "PShare Common MBytes", "225", true },
    { "PShare Savings MBytes", "1507", true },
    { "Swap Used MBytes", "0", true },
    { "Swap Target MBytes", "0", true },
    { "Swap MBytes Read/sec", "0.00", true },
    { "Swap MBytes Write/sec", "0.00", true },
    { "Total Compressed MBytes", "0", true },
    { "Total Saved By Compression MBytes", "0", true },
    { "Memctl Current MBytes", "0", true },
    { "Memctl Target MBytes", "0", true },
    { "Memctl Max MBytes", "90420", true },
    { 0 },
};

const char *const CPU_FIRST[] = {
    "% Used", "% Run",     "% System", "% Wait",        "% VmWait",    "% Ready",
    "% Idle", "% Overlap", "% CoStop", "% Max Limited", "% Swap Wait", NULL,
};

const struct usual CPU_REST[] = {
    { "Switches/sec", "180.40", false },
    { "Migrates/sec", "1.20", false },
    { "Quantum Expires/sec", "0.00", false },
    { "Wakeups/sec", "170.10", false },
    { "Alloc Min", "0", false },
    { "Alloc Max", "-1", false },
    { "Alloc Shares", "1000", false },
    { "Alloc Min Limited", "-1", false },
    { "% CPU Latency", "0.35", false },
    { "% Memory Latency", "0.00", false },
    { "% Demand", "4", false },
    { "Effective Min (MHz)", "0", false },
    { 0 },
};

const struct usual GROUP_END[] = { { "Timers/sec", "0.00", false },
                                   { "Power Usage Watts", "0", false },
                                   { 0 } };
const struct usual VCPU_END[] = { { "Physical Cpu", "1", false }, { 0 } };

const struct usual GROUP_MEMORY[] = {
    { "Members", "1", false },
    { "Alloc Min", "0", false },
    { "Alloc Max", "-1", false },
    { "Alloc Shares", "-3", false },
    { "Alloc Min Limited", "-1", false },
    { "Numa Home Nodes", "0", false },
    { "Numa Rebalance Count Delta", "0", false },
    { "Numa Remote Memory MBytes", "0.00", false },
    { "Numa Local Memory MBytes", "0.00", false },
    { "Numa % Local", "0", false },
    { "Memory Size MBytes", "2.54", true },
    { "Memory Granted Size MBytes", "0.08", true },
    { "Memory Consumed Size MBytes", "0.37", true },
    { "Target Size MBytes", "0.38", true },
    { "Touched MBytes", "0.38", true },
    { "Touched Write MBytes", "0.09", true },
    { "% Active Estimate", "0", false },
    { "% Active Slow Estimate", "0", false },
    { "% Active Fast Estimate", "0", false },
    { "% Active Next Estimate", "0", false },
    { "Memctl?", "0", false },
    { "Memctl MBytes", "0.00", false },
    { "Memctl Target MBytes", "0.00", false },
    { "Memctl Max MBytes", "0.00", false },
    { "Swapped MBytes", "0.00", true },
    { "Swap Target MBytes", "0.00", true },
    { "Swap Read MBytes/sec", "0.00", true },
    { "Swap Written MBytes/sec", "0.00", true },
    { "Llswap Read MBytes/sec", "0.00", true },
    { "Llswap Written MBytes/sec", "0.00", true },
    { "Checkpoint Read MBytes", "0.00", false },
    { "Checkpoint Target MBytes", "0.00", false },
    { "Zero MBytes", "0.00", false },
    { "Shared MBytes", "0.06", false },
    { "Shared Saved MBytes", "0.00", false },
    { "Copy On Write Hint MBytes", "0.00", false },
    { "Overhead UW MBytes", "0.00", true },
    { "Overhead MBytes", "0.00", true },
    { "Overhead Max MBytes", "0.00", true },
    { "Min Commit Target MBytes", "0.00", false },
    { "Commit Target MBytes", "0.09", false },
    { "Commit Charged MBytes", "0.00", false },
    { "Commit Pages Per Share", "-1", false },
    { "Compressed Memory MBytes", "0.00", false },
    { "Used Compressed Memory MBytes", "0.00", false },
    { "Compression MBytes/sec", "0.00", false },
    { "Decompression MBytes/sec", "0.00", false },
    { 0 },
};

const struct usual POWER[] = { { "Power Usage Now Watts", "212", true },
                               { "Power Usage Cap Watts", "0", true },
                               { 0 } };
const struct usual VSAN[] = { { "Enabled?", "0", true }, { 0 } };

/* Two blanks before "Transmitted" and "Received" are esxtop's own. */
const struct usual NETWORK_PORT[] = {
    { "Link Up?", "1", false },
    { "Link Speed (Mb/s)", "10000", false },
    { "Full Duplex?", "1", false },
    { "Packets Transmitted/sec", "41.20", true },
    { "MBits Transmitted/sec", "0.21", true },
    { "Average Packet Size  Transmitted (Bytes)", "512.00", true },
    { "Packets Received/sec", "38.60", true },
    { "MBits Received/sec", "0.18", true },
    { "Average Packet Size  Received (Bytes)", "431.00", true },
    { "% Outbound Packets Dropped", "0.00", true },
    { "% Received Packets Dropped", "0.00", true },
    { "Actions Posted/sec", "0.00", false },
    { "Multicast Packets Transmitted/sec", "0.00", false },
    { "Multicast Packets Received/sec", "0.00", false },
    { "Broadcast Packets Transmitted/sec", "0.00", false },
    { "Broadcast Packets Received/sec", "0.00", false },
    { 0 },
};

const struct usual INTERRUPT[] = {
    { "Interrupts/second", "812.40", true },
    { "Processing Time MicroSec/Interrupt", "1.90", true },
    { 0 },
};

const struct usual POWER_STATES[] = {
    { "%C-State C0", "25.00", true },
    { "%C-State C1", "25.00", true },
    { "%C-State C2", "25.00", true },
    { "%C-State C3", "25.00", true },
    { "%P-State P0", "6.25", true },
    { "%P-State P1", "6.25", true },
    { "%P-State P2", "6.25", true },
    { "%P-State P3", "6.25", true },
    { "%P-State P4", "6.25", true },
    { "%P-State P5", "6.25", true },
    { "%P-State P6", "6.25", true },
    { "%P-State P7", "6.25", true },
    { "%P-State P8", "6.25", true },
    { "%P-State P9", "6.25", true },
    { "%P-State P10", "6.25", true },
    { "%P-State P11", "6.25", true },
    { "%P-State P12", "6.25", true },
    { "%P-State P13", "6.25", true },
    { "%P-State P14", "6.25", true },
    { "%P-State P15", "6.25", true },
    { 0 },
};

const struct usual TIME_STATES[] = {
    { "%T-State T0", "100.00", false },
    { "%T-State T1", "0.00", false },
    { "%T-State T2", "0.00", false },
    { "%T-State T3", "0.00", false },
    { "%T-State T4", "0.00", false },
    { "%T-State T5", "0.00", false },
    { "%T-State T6", "0.00", false },
    { "%T-State T7", "0.00", false },
    { 0 },
};
