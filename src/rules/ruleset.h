/* ruleset.h - rule files after reading (sections) and after compiling (rules, thresholds, vendors,
 * plans).
 *
 * ruleset.c reads files into sections; declare.c gives the sections their meaning; formula.c and
 * template.c compile conditions and texts; plan.c says what each kind of entity has to compute. */
#ifndef RULES_RULESET_H
#define RULES_RULESET_H

#include "esxlat/base/pattern.h"
#include "esxlat/rules/judge.h"

#include "aggregate.h"

#define EL_FILE_BYTES (1u << 20) /* longest rule file */
#define EL_SECTIONS   1000u      /* most rules, thresholds, vendors each */
#define EL_LINES      100u       /* most lines of one key */
#define EL_NAME_BYTES 40u        /* longest id or name */
#define EL_LEAVES     64u        /* most aggregates, hits and members in one expression */
#define EL_MEASURES   256u       /* most different aggregates of one rule on its own hits */

enum el_sort { EL_RULE, EL_THRESHOLD, EL_VENDOR, EL_SORTS };

/* Keys of all sorts of section; which sort knows which is in the table of ruleset.c. */
enum el_key {
    EL_K_ON,
    EL_K_MATCH,
    EL_K_WHEN,
    EL_K_FOR,
    EL_K_IF,
    EL_K_UNLESS,
    EL_K_CONFIRM,
    EL_K_LAYER,
    EL_K_SEVERITY,
    EL_K_OVERRIDES,
    EL_K_TITLE,
    EL_K_BECAUSE,
    EL_K_CHECK,
    EL_K_DO,
    EL_K_ALSO,
    EL_K_SEE,
    EL_K_SOURCE,
    EL_K_HDD,
    EL_K_FLASH,
    EL_K_NVME,
    EL_K_NFS,
    EL_K_VSAN,
    EL_K_UNIT,
    EL_K_HELP,
    EL_K_NAME,
    EL_K_PROFILE,
    EL_KEYS
};

struct el_section {
    const char *name;     /* rule id, threshold name, vendor prefix */
    struct el_line *head; /* its [line]; `value` is the name in it */
    struct el_value_lines key[EL_KEYS];
};

struct el_leaf {            /* an input of a formula */
    enum el_node_kind kind; /* EL_N_AGGREGATE, EL_N_HITS, EL_N_MEMBERS */
    enum el_aggregate aggregate;
    bool shared;    /* the measure is one of the ruleset, not of the rule */
    unsigned index; /* measure; rule; kind */
    const struct el_node *node;
};

struct el_formula { /* an expression that is judged once */
    const struct el_node *root;
    struct el_program program;
    struct el_leaf *leaf;
    size_t leaves;
};

struct el_part { /* of a text: a piece as it stands, a label, or a formula */
    const char *text, *label;
    struct el_formula *formula;
    bool percent;
};
struct el_template {
    struct el_part *part;
    size_t parts;
};
struct el_templates {
    struct el_template *item;
    size_t count;
};

struct el_condition {
    struct el_formula formula;
    struct el_condition *next;
};
enum { EL_JUDGE_IF, EL_JUDGE_UNLESS, EL_JUDGE_CONFIRM, EL_JUDGES };

struct el_told { /* what --why tells of a metric in `when` */
    enum el_metric metric;
    struct el_formula mean, most;
    struct el_told *next;
};

struct el_advice { /* what a vendor adds to a rule's `do` */
    uint32_t vendor;
    struct el_templates texts;
    struct el_advice *next;
};

struct el_rule {
    struct el_section section;
    unsigned kinds;
    enum el_layer layer;
    enum el_severity severity;
    struct el_pattern *match;
    struct el_node *when; /* NULL: none */
    struct el_program when_program;
    bool late; /* `when` asks for what is known only at the end */
    uint64_t for_samples;
    int64_t for_ms;
    uint32_t *override; /* rules */
    size_t overrides;
    struct el_condition *judged[EL_JUDGES];
    struct el_told *told;                      /* if the ruleset explains */
    struct el_templates text[EL_K_SOURCE + 1]; /* by key, EL_K_TITLE and up */
    struct el_advice *advice;
    struct el_measure **measure; /* those that look at `hit` */
    size_t measures, measure_room;
    bool eager;        /* one of them changes in samples that are not hit */
    uint32_t *depends; /* rules named in hits() */
    size_t depend_count, depend_room;
    unsigned lanes; /* profiles that judge alike share a lane */
    unsigned char lane_of[EL_PROFILES];
    enum el_profile lane_profile[EL_PROFILES];     /* one of each lane */
    unsigned char lanes_of_set[1u << EL_PROFILES]; /* bits of the lanes of a set of profiles */
};

struct el_threshold {
    struct el_section section;
    double value[EL_PROFILES];
    enum el_unit unit;
    bool set; /* by --set */
    double set_value;
};

struct el_vendor_section {
    struct el_section section;
    struct el_vendor vendor;
};

/* What an entity of a kind has to compute: rules and shared measures with the places of their
 * state. */
struct el_plan {
    struct el_plan_rule {
        uint32_t rule;
        size_t track;
    } * rule;
    size_t rules, tracks;
    struct el_plan_measure {
        uint32_t measure;
        size_t tally;
    } * measure;
    size_t measures, tallies;
    size_t *tally_of; /* by shared measure; those that are not of this kind are never asked for */
    bool needs[EL_METRICS];
};

struct el_ruleset {
    struct el_arena arena; /* texts of files, sections, trees, programs */
    struct el_rule **rule;
    size_t rules, rule_room;
    struct el_threshold **threshold;
    size_t thresholds, threshold_room;
    struct el_vendor_section **vendor;
    size_t vendors, vendor_room;
    struct el_measure **measure; /* shared: no look at `hit` */
    size_t measures, measure_room;
    struct el_plan plan[EL_KINDS];
    uint32_t *order; /* rules, those named in hits() first */
    bool compiled, explains;
};

/* ---- set.c ---- */
void el_section_release(struct el_section *section); /* forget its lines */
uint32_t el_ruleset_vendor_index(const struct el_ruleset *rs, struct el_str prefix);
uint32_t el_ruleset_vendor_of(const struct el_ruleset *rs,
                              struct el_str device); /* longest prefix */
uint32_t el_ruleset_rule_index(const struct el_ruleset *rs,
                               struct el_str id); /* UINT32_MAX: none */
uint32_t el_ruleset_threshold_index(const struct el_ruleset *rs, struct el_str name);
const char *el_ruleset_rule_id(const void *rs, size_t i); /* for el_fail_unknown */
const char *el_ruleset_threshold_name(const void *rs, size_t i);

/* ---- declare.c: everything but expressions and texts ---- */
bool el_declare_threshold(struct el_threshold *t, struct el_error *err);
bool el_declare_vendor(struct el_vendor_section *v, struct el_arena *arena, struct el_error *err);
bool el_declare_rule(const struct el_ruleset *rs, struct el_rule *rule, struct el_arena *arena,
                     struct el_error *err);

/* ---- formula.c ---- */
/* `root` is parsed, not checked.  In a text aggregates run over the hit samples. */
bool el_formula_build(struct el_ruleset *rs, struct el_rule *rule, enum el_place place,
                      enum el_type type, struct el_node *root, struct el_formula *out,
                      struct el_error *err);
/* `when`, `if`, `unless`, `confirm` of a rule. */
bool el_conditions_build(struct el_ruleset *rs, struct el_rule *rule, struct el_error *err);

/* ---- template.c ---- */
bool el_templates_build(struct el_ruleset *rs, struct el_rule *rule, const struct el_line *line,
                        size_t lines, struct el_templates *out, struct el_error *err);
/* What a text asks while it is expanded. */
struct el_expansion {
    double (*value)(const void *ctx, const struct el_formula *formula);
    struct el_str (*label)(const void *ctx, const char *what);
    const void *ctx;
    bool
        for_shell; /* names are quoted where a shell would read more than a word in them: people paste the text */
};
void el_template_expand(const struct el_template *t, const struct el_expansion *x,
                        struct el_buf *out);

/* ---- plan.c ---- */
bool el_plan_build(struct el_ruleset *rs,
                   struct el_error *err); /* also finds cycles of hits() and overrides */
void el_plan_release(struct el_ruleset *rs);

#endif
