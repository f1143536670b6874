/* lang.h - the expression language: tokens, tree, tables, parser, checker.
 *
 * text -> tokens (lexer.c) -> tree (parser.c) -> checked tree (checker.c) -> program (program.h).
 * Trees live in an arena; every node knows the bytes it came from. */
#ifndef RULES_LANG_H
#define RULES_LANG_H

#include "esxlat/base/mem.h"
#include "esxlat/metrics/metric.h"

#include "source.h"

#define EL_EXPRESSION_BYTES 4096u /* longest expression */
#define EL_DEPTH            40u   /* parentheses, arguments and right operands in one another */

/* In the order of the tables in parser.c and program.c. */
enum el_op {
    EL_OP_OR,
    EL_OP_AND,
    EL_OP_LT,
    EL_OP_LE,
    EL_OP_GT,
    EL_OP_GE,
    EL_OP_EQ,
    EL_OP_NE,
    EL_OP_ADD,
    EL_OP_SUB,
    EL_OP_MUL,
    EL_OP_DIV,
    EL_OPERATORS, /* those before are written between their operands */
    EL_OP_MIN = EL_OPERATORS,
    EL_OP_MAX,
    EL_OP_NOT,
    EL_OP_NEG,
    EL_OP_ABS,
    EL_OP_ROUND,
    EL_OP_CEIL,
    EL_OP_KNOWN, /* of a number, and the result is a condition */
    EL_OPS
};

/* ---- lexer.c ---- */

enum el_token_kind {
    EL_T_END,
    EL_T_NUMBER,
    EL_T_NAME,
    EL_T_STRING,
    EL_T_OPERATOR,
    EL_T_OPEN,
    EL_T_CLOSE,
    EL_T_COMMA
};

struct el_token {
    enum el_token_kind kind;
    enum el_op op; /* of an operator; `and` and `or` as well, `not` is EL_OP_NOT */
    struct el_span span;
    double number;
    bool first; /* of its line, and not the first of the text */
};

struct el_lexer {
    const struct el_line *line;
    size_t lines; /* left, this one included */
    size_t at;    /* in the value of the line */
    bool fresh_line;
};
bool el_lex(struct el_lexer *lexer, struct el_token *out, struct el_error *err);
const char *el_op_text(enum el_op op); /* "and", "<=", "min" */

/* ---- parser.c ---- */

enum el_node_kind {
    EL_N_NUMBER,
    EL_N_NAME,
    EL_N_STRING,
    EL_N_CALL,
    EL_N_UNARY,
    EL_N_BINARY, /* what the parser makes */
    EL_N_METRIC,
    EL_N_THRESHOLD,
    EL_N_HIT,
    EL_N_AGGREGATE,
    EL_N_HITS,
    EL_N_MEMBERS /* what the checker makes of it */
};
enum el_type { EL_TYPE_NUMBER, EL_TYPE_TRUTH };

struct el_node {
    enum el_node_kind kind;
    enum el_op op;
    struct el_span span;
    struct el_str word; /* name of a name or call, content of a string */
    double number;
    struct el_node *left, *right; /* operands or arguments */
    unsigned arguments;
    struct el_node *next; /* in a list of conditions */
    /* set by the checker */
    enum el_type type;
    enum el_unit unit;
    unsigned index; /* metric, threshold, function row, rule, kind */
    unsigned leaf;  /* aggregates, hits, members: its number among the inputs of its formula */
};

/* One or more expressions: a new one begins on a line that cannot go on with the one before. */
bool el_parse(struct el_arena *arena, const struct el_line *line, size_t lines,
              struct el_node **list, struct el_error *err);
/* Exactly one. */
bool el_parse_one(struct el_arena *arena, const struct el_line *line, size_t lines,
                  struct el_node **out, struct el_error *err);
/* A canonical spelling: equal for trees that compute the same thing in the same way. */
void el_node_print(const struct el_node *node, struct el_buf *out);

/* ---- function.c ---- */

enum el_function_kind { EL_F_PLAIN, EL_F_AGGREGATE, EL_F_HITS, EL_F_MEMBERS, EL_F_PCT };
enum el_aggregate {
    EL_A_MEAN,
    EL_A_P10,
    EL_A_P50,
    EL_A_P95,
    EL_A_P99,
    EL_A_MAX,
    EL_A_MIN,
    EL_A_SUM,
    EL_A_SHARE,
    EL_A_COUNT,
    EL_A_STDEV,
    EL_A_CV,
    EL_A_SLOPE,
    EL_AGGREGATES
};

struct el_function {
    const char *name;
    enum el_function_kind kind;
    unsigned least, most;        /* arguments */
    enum el_op op;               /* of a plain one */
    enum el_aggregate aggregate; /* of an aggregate */
    const char *usage, *help;
};
size_t el_function_count(void);
const struct el_function *el_function(size_t row);
/* Row of that name and kind, or el_function_count(). */
size_t el_function_find(struct el_str name, enum el_function_kind kind);
bool el_function_known(struct el_str name);
const char *el_function_name(const void *ctx, size_t row); /* for el_fail_unknown */

/* ---- checker.c ---- */

enum el_place {
    EL_IN_WHEN,   /* metrics of a sample, no aggregates */
    EL_IN_JUDGED, /* if, unless, confirm: metrics only inside aggregates */
    EL_IN_TEXT    /* a metric outside an aggregate means its mean */
};

/* What names mean at a place.  The functions give an index, or UINT32_MAX when there is no such
 * thing. */
struct el_scope {
    enum el_place place;
    unsigned kinds; /* of the rule */
    bool has_when;
    struct el_arena *arena;
    uint32_t (*threshold)(const void *ctx, struct el_str name, enum el_unit *unit);
    uint32_t (*rule)(const void *ctx, struct el_str id);
    size_t (*threshold_count)(const void *ctx);
    const char *(*threshold_name)(const void *ctx, size_t i);
    size_t (*rule_count)(const void *ctx);
    const char *(*rule_id)(const void *ctx, size_t i);
    const void *ctx;
};

/* Resolve names, check types, units and places, and set what the checker sets.  The root must be of
 * `type`. */
bool el_check(struct el_node *node, const struct el_scope *scope, enum el_type type,
              struct el_error *err);

#endif
