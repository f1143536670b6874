/* How sure is a finding?  From four things that were measured; rules.h says how they are weighed. */
#include <math.h>

#include "state.h"

/* ---- margin ---- */

struct row { /* one sample under the thresholds of one profile */
    const struct el_ruleset *rs;
    enum el_profile profile;
    const struct el_samples *samples;
    size_t at;
};

static double value_of(const struct row *r, const struct el_node *n);

/* The arithmetic that limits are told from; of all else NaN. */
static double computed(const struct row *r, const struct el_node *n) {
    double a = value_of(r, n->left), b = n->kind == EL_N_BINARY ? value_of(r, n->right) : 0;
    if (n->op == EL_OP_ADD)
        return a + b;
    if (n->op == EL_OP_SUB)
        return a - b;
    if (n->op == EL_OP_MUL)
        return a * b;
    if (n->op == EL_OP_DIV)
        return (b < 0) || (b > 0) ? a / b : (double)NAN;
    if (n->op == EL_OP_MIN)
        return a < b ? a : b;
    if (n->op == EL_OP_MAX)
        return a > b ? a : b;
    if (n->op == EL_OP_ABS)
        return fabs(a);
    return n->op == EL_OP_NEG ? -a : (double)NAN;
}

static double value_of(const struct row *r, const struct el_node *n) {
    if (n->kind == EL_N_NUMBER)
        return n->number;
    if (n->kind == EL_N_THRESHOLD)
        return r->rs->threshold[n->index]->value[r->profile];
    if (n->kind == EL_N_UNARY || n->kind == EL_N_BINARY)
        return computed(r, n);
    const double *column = n->kind == EL_N_METRIC ? r->samples->column[n->index] : NULL;
    return column ? column[r->at] : (double)NAN;
}

/* Is there a measured value in it?  How much I/O there was does not count: that is weighed by itself. */
static bool is_measured(const struct el_node *n) {
    if (!n)
        return false;
    bool load = n->index == EL_M_cmds || n->index == EL_M_reads || n->index == EL_M_writes ||
                n->index == EL_M_ios || n->index == EL_M_commands || n->index == EL_M_lun_cmds;
    return n->kind == EL_N_METRIC ? !load : is_measured(n->left) || is_measured(n->right);
}

static bool is_fixed(const struct el_node *n) {
    return !n || (n->kind != EL_N_METRIC && is_fixed(n->left) && is_fixed(n->right));
}

/* How far a measured value is beyond a fixed limit; NaN where the comparison is none of that kind, or does not hold (a
 * side of an `or` that carries nothing). */
static double beyond(const struct row *r, const struct el_node *n) {
    bool up = n->op == EL_OP_GE || n->op == EL_OP_GT, down = n->op == EL_OP_LE || n->op == EL_OP_LT;
    if (!(up || down) || !is_measured(n->left) || !is_fixed(n->right))
        return (double)NAN;
    double value = value_of(r, n->left), limit = value_of(r, n->right);
    double ratio = up ? value / limit : limit / value;
    return limit > 0 && ratio >= 1 ? ratio : (double)NAN;
}

/* `and` is as near to failing as its nearer side, `or` as its farther one. */
static double margin_of(const struct row *r, const struct el_node *n) {
    if (n->kind != EL_N_BINARY)
        return (double)NAN;
    if (n->op != EL_OP_AND && n->op != EL_OP_OR)
        return beyond(r, n);
    double a = margin_of(r, n->left), b = margin_of(r, n->right);
    return n->op == EL_OP_AND ? fmin(a, b) : fmax(a, b); /* of a NaN and a number: the number */
}

double el_margin(const struct el_ruleset *rs, const struct el_rule *rule, enum el_profile profile,
                 const struct el_samples *samples, size_t row) {
    const struct row r = { rs, profile, samples, row };
    return margin_of(&r, rule->when);
}

/* ---- weighing ---- */

/* 1 from `much` on, 1/2 from `some` on, 0 below; 1/2 where it is not known. */
static double points(double value, double some, double much) {
    return isnan(value) ? 0.5 : value >= much ? 1 : value >= some ? 0.5 : 0;
}

enum el_confidence el_confidence_of(const struct el_question *q, const struct el_rule *rule,
                                    struct el_basis *basis) {
    *basis = (struct el_basis){ .commands = (double)NAN, .margin = (double)NAN };
    for (const struct el_condition *c = rule->judged[EL_JUDGE_CONFIRM]; c; c = c->next) {
        basis->asked++;
        basis->agreed += el_ask_value(q, &c->formula) >= 1;
    }
    bool all = basis->asked && basis->agreed == basis->asked;
    if (!rule->when)
        return all ? EL_HIGH : EL_MEDIUM;
    basis->samples = q->track->samples;
    basis->margin = q->track->margin;
    if (q->track->counts_commands)
        basis->commands = q->track->commands;
    double sum = points((double)basis->samples, EL_SOME_SAMPLES, EL_MANY_SAMPLES) +
                 points(basis->commands, EL_ENOUGH_COMMANDS, EL_MANY_COMMANDS) +
                 points(basis->margin, EL_CLEAR_MARGIN, EL_WIDE_MARGIN) +
                 (basis->asked ? (double)basis->agreed / basis->asked : 0.5);
    if (basis->commands < EL_ENOUGH_COMMANDS || sum < EL_LOW_BELOW)
        return EL_LOW;
    return all && sum >= EL_HIGH_FROM ? EL_HIGH : EL_MEDIUM;
}

void el_confidence_text(const struct el_basis *b, struct el_buf *out) {
    el_buf_print(out, "%llu sample%s", (unsigned long long)b->samples, b->samples == 1 ? "" : "s");
    if (!isnan(b->commands))
        el_buf_print(out, ", %.0f commands", b->commands);
    if (b->asked > 1)
        el_buf_print(out, ", %u of %u other signs confirm it", b->agreed, b->asked);
    else if (b->asked)
        el_buf_text(out, b->agreed ? ", a second sign confirms it"
                                   : ", the second sign does not confirm it");
    else
        el_buf_text(out, ", no second sign to confirm it");
    if (!isnan(b->margin))
        el_buf_print(out, ", worst sample %.3g times the rule's limit", b->margin);
}
