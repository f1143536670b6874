#include "lang.h"

#define PLAIN(name, args, op, usage, help)                                                         \
    { name, EL_F_PLAIN, args, args, op, EL_AGGREGATES, usage, help }
#define AGGREGATE(name, aggregate, usage, help)                                                    \
    { name, EL_F_AGGREGATE, 1, 2, EL_OPS, aggregate, usage, help }

/* Everything that is called with parentheses.  The order of the aggregates is that of enum
 * el_aggregate. */
static const struct el_function table[] = {
    AGGREGATE("mean", EL_A_MEAN, "mean(X [, C])", "weighted mean"),
    AGGREGATE("p10", EL_A_P10, "p10(X [, C])", "weighted 10th percentile: the floor"),
    AGGREGATE("p50", EL_A_P50, "p50(X [, C])", "weighted median"),
    AGGREGATE("p95", EL_A_P95, "p95(X [, C])", "weighted 95th percentile"),
    AGGREGATE("p99", EL_A_P99, "p99(X [, C])", "weighted 99th percentile"),
    AGGREGATE("max", EL_A_MAX, "max(X [, C])", "largest sample"),
    AGGREGATE("min", EL_A_MIN, "min(X [, C])", "smallest sample"),
    AGGREGATE("sum", EL_A_SUM, "sum(X [, C])", "sum over the samples"),
    AGGREGATE("share", EL_A_SHARE, "share(C [, C2])",
              "part of the samples (0-1) in which C holds, of those in which it is known"),
    AGGREGATE("count", EL_A_COUNT, "count(C [, C2])", "number of samples in which C holds"),
    AGGREGATE("stdev", EL_A_STDEV, "stdev(X [, C])", "weighted standard deviation"),
    AGGREGATE("cv", EL_A_CV, "cv(X [, C])", "standard deviation divided by the mean"),
    AGGREGATE("slope", EL_A_SLOPE, "slope(X [, C])", "change a minute, by least squares"),
    PLAIN("min", 2, EL_OP_MIN, "min(A, B)", "the smaller of two numbers"),
    PLAIN("max", 2, EL_OP_MAX, "max(A, B)", "the larger of two numbers"),
    PLAIN("abs", 1, EL_OP_ABS, "abs(A)", "the number without its sign"),
    PLAIN("round", 1, EL_OP_ROUND, "round(A)", "to the nearest whole number, halves away from 0"),
    PLAIN("ceil", 1, EL_OP_CEIL, "ceil(A)", "up to a whole number"),
    PLAIN("known", 1, EL_OP_KNOWN, "known(X)", "whether the number is there; never unknown"),
    { "hits", EL_F_HITS, 1, 1, EL_OPS, EL_AGGREGATES, "hits(\"RULE-ID\")",
      "on how many entities that hang together with this one the other rule fired" },
    { "members", EL_F_MEMBERS, 1, 1, EL_OPS, EL_AGGREGATES, "members(KIND)",
      "how many such entities of that kind carried at least 20 commands" },
    { "pct", EL_F_PCT, 1, 1, EL_OPS, EL_AGGREGATES, "{pct(X)}",
      "in texts: 100 x mean(X) and \" %\"" },
};

size_t el_function_count(void) {
    return sizeof table / sizeof *table;
}

const struct el_function *el_function(size_t row) {
    return &table[row];
}

size_t el_function_find(struct el_str name, enum el_function_kind kind) {
    size_t row = 0;
    while (row < el_function_count() &&
           (table[row].kind != kind || !el_str_is(name, table[row].name)))
        row++;
    return row;
}

bool el_function_known(struct el_str name) {
    for (size_t row = 0; row < el_function_count(); row++)
        if (el_str_is(name, table[row].name))
            return true;
    return false;
}

const char *el_function_name(const void *ctx, size_t row) {
    (void)ctx;
    return table[row].name;
}
