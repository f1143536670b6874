/* rules.h - the rule files: rules, thresholds by profile, array vendors.
 *
 * One INI topic a file (inih; only ruleset.c knows it).  Three sorts of section:
 *
 *   [device-queue-full]            a rule; its id is lower case letters, digits and '-'
 *   on = lun                       one or more kinds, separated by blanks or commas
 *   match = ^naa\.                 PCRE2 on the entity's name, optional
 *   when = CONDITION               judged for each sample; may be left out where there is an `if`
 *   for = 3 samples                how long `when` must hold without a break; also "60 s", "2 min";
 *                                  default 1 sample
 *   if = CONDITION                 judged once, over the whole capture; all must hold
 *   unless = CONDITION             judged once; none may hold
 *   confirm = CONDITION            a second, independent sign: makes the confidence high
 *   layer = device|vmkernel|guest|mixed|none       severity = critical|warning|info
 *   overrides = RULE-ID ...        findings of these rules on the same entity (for kinds host,
 *                                  adapter, array: on their members) are folded into this one
 *   title because check do also see source         texts; several lines of one key make a list
 *                                  (`also`: what it could be too and how to tell); those of title
 *                                  are joined with a blank, those of because with "; "
 * An indented line goes on with the key above it, and a key may be repeated. In when, if, unless
 * and confirm a line that cannot go on with the expression before it (it does not begin with an
 * operator) is a condition of its own. Comments are lines that begin with # or ;, nothing else is
 * one.
 *
 *   [threshold davg_warn]          hdd = 15  flash = 2  nvme = 1  nfs = 15  vsan = 5  unit = ms
 *                                  help = ...  source = ...     (a profile left out: never reached,
 *                                  comparisons with it are unknown; unit: ms 1/s MB/s KB count %
 *                                  ratio s, or number, the default)
 *   [vendor naa.514f0c5]           name = EMC XtremIO  profile = flash  do.RULE-ID = added advice
 * Each key stands on a line of its own.
 *
 * Expressions: or, and, not, comparisons (< <= > >= = !=), + - * /, parentheses, numbers, metrics
 * (metric.def), thresholds, min(a,b) max(a,b) abs(a) round(a) ceil(a), and known(a), which is a condition. Truth is three-valued: a
 * missing value makes a comparison unknown, and what is unknown never fires. So does division by
 * 0.
 *
 * Aggregates, in if, unless, confirm and texts:
 *   mean p10 p50 p95 p99 max min sum share count stdev cv slope of (EXPRESSION [, CONDITION])
 * With a condition only samples in which it holds count; `hit` is the condition that the rule's
 * own `when` holds (never unknown). mean p10 p50 p95 p99 stdev cv weight by the metric's weight
 * (metric.def; of an expression: that of its first per-command metric). share(C) is the part of
 * samples (0-1) in which C holds among those in which it is known, count(C) the number in which
 * it holds, slope the change a minute. min and max of two numbers are the functions, those of a
 * number and a condition aggregates.
 * hits("RULE-ID"): on how many entities that hang together with this one the other rule fired;
 * members(KIND): how many such entities carried at least 20 commands. Both in if, unless, confirm
 * and texts.
 *
 * In texts {EXPRESSION} is replaced; there aggregates without a condition of their own run over the
 * hit samples (without `when`: over all), a bare metric means its mean, {pct(X)} prints 100 x
 * mean(X) and " %"; {name} {kind} {lun} {adapter} {vm} {vendor} {profile} are names, {why} says why
 * the profile is this one, {{ is a brace. What is missing is printed as "-".
 *
 * Units are checked: adding or comparing ms with 1/s is an error; plain numbers fit everything,
 * and so do products without a unit of their own; counts and ratios fit each other.
 * Limits: 40 levels of nesting, 4096 bytes an expression, 64 aggregates in one, 100 lines a key,
 * names of 40 bytes, 1000 rules, 1 MiB a file. A rule must not count its own hits, or override
 * itself, not even by detours.
 *
 * Every error names file and line, shows the text with a caret and the nearest known name. */
#ifndef ESXLAT_RULES_RULES_H
#define ESXLAT_RULES_RULES_H

#include "esxlat/base/error.h"
#include "esxlat/base/mem.h"
#include "esxlat/base/str.h"
#include "esxlat/metrics/metric.h"

enum el_profile {
    EL_HDD,
    EL_FLASH,
    EL_NVME,
    EL_NFS_PROFILE,
    EL_VSAN_PROFILE,
    EL_PROFILES,
    EL_AUTO = EL_PROFILES
};
const char *el_profile_name(enum el_profile p); /* "hdd" ... "auto" */
bool el_profile_find(struct el_str word, enum el_profile *out);

/* Words of the verdict. */
enum el_layer { EL_DEVICE, EL_VMKERNEL, EL_GUEST, EL_MIXED, EL_NONE, EL_UNKNOWN, EL_LAYERS };
const char *el_layer_name(enum el_layer layer);
enum el_severity { EL_INFO, EL_WARNING, EL_CRITICAL };
const char *el_severity_name(enum el_severity s);
enum el_confidence { EL_LOW, EL_MEDIUM, EL_HIGH };
const char *el_confidence_name(enum el_confidence c);

struct el_texts { /* a list of texts of a rule */
    const char *const *item;
    size_t count;
};

struct el_rule; /* compiled; see the accessors */
const char *el_rule_id(const struct el_rule *r);
enum el_layer el_rule_layer(const struct el_rule *r);
enum el_severity el_rule_severity(const struct el_rule *r);
unsigned el_rule_kinds(const struct el_rule *r);

struct el_vendor {
    const char *prefix; /* of the device name: "naa.514f0c5" */
    const char *name;
    enum el_profile profile; /* EL_AUTO: not told */
};

struct el_ruleset;
struct el_ruleset *el_ruleset_new(void);
void el_ruleset_free(struct el_ruleset *rs);
/* Read a rule file, or every *.ini of a folder in the order of names.  Errors: EL_RULES, or
 * EL_SYSTEM when it cannot be read.  A rule with the id of an earlier one replaces it. */
bool el_ruleset_load(struct el_ruleset *rs, const char *path, struct el_error *err);
/* As above from memory; `name` stands for the file in messages. */
bool el_ruleset_parse(struct el_ruleset *rs, const char *name, struct el_str text,
                      struct el_error *err);
/* --set NAME=VALUE: override a threshold for every profile. */
bool el_ruleset_set(struct el_ruleset *rs, const char *assignment, struct el_error *err);
/* Keep what `report --why` tells; before el_ruleset_compile.  Judging takes longer then. */
void el_ruleset_explain(struct el_ruleset *rs);
/* Resolve names, check units, compile.  Once, after everything is loaded and set. */
bool el_ruleset_compile(struct el_ruleset *rs, struct el_error *err);
/* Does every rule and threshold say where it comes from?  (`rules check` asks; loading does not.) */
bool el_ruleset_sourced(const struct el_ruleset *rs, struct el_error *err);

size_t el_ruleset_count(const struct el_ruleset *rs);
const struct el_rule *el_ruleset_rule(const struct el_ruleset *rs,
                                      size_t i); /* in order of files */
const struct el_rule *el_ruleset_find(const struct el_ruleset *rs, struct el_str id);
double el_ruleset_threshold(const struct el_ruleset *rs, const char *name,
                            enum el_profile p); /* NaN: none */
/* Longest matching prefix; NULL if none. */
const struct el_vendor *el_ruleset_vendor(const struct el_ruleset *rs, struct el_str device);
/* Does any rule on `kind` use `metric`?  (What need not be computed is not.) */
bool el_ruleset_needs(const struct el_ruleset *rs, enum el_kind kind, enum el_metric metric);

/* Texts for `esxlat rules ...`, 80 columns. */
void el_rules_list(const struct el_ruleset *rs, struct el_buf *out);
bool el_rules_explain(const struct el_ruleset *rs, const char *id, struct el_buf *out,
                      struct el_error *err);
void el_rules_metrics(const struct el_ruleset *rs,
                      struct el_buf *out); /* metrics, aggregates, functions, thresholds */

#endif
