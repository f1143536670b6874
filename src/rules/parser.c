#include "lang.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "esxlat/base/num.h"

/* How strongly an operator binds its operands.  Operators of one level group to the left,
 * comparisons do not group at all. */
enum { BIND_NONE, BIND_OR, BIND_AND, BIND_NOT, BIND_COMPARE, BIND_ADD, BIND_MUL, BIND_SIGN };
static const unsigned char binds[EL_OPERATORS] = {
    [EL_OP_OR] = BIND_OR,      [EL_OP_AND] = BIND_AND,    [EL_OP_LT] = BIND_COMPARE,
    [EL_OP_LE] = BIND_COMPARE, [EL_OP_GT] = BIND_COMPARE, [EL_OP_GE] = BIND_COMPARE,
    [EL_OP_EQ] = BIND_COMPARE, [EL_OP_NE] = BIND_COMPARE, [EL_OP_ADD] = BIND_ADD,
    [EL_OP_SUB] = BIND_ADD,    [EL_OP_MUL] = BIND_MUL,    [EL_OP_DIV] = BIND_MUL,
};

struct parser {
    struct el_arena *arena;
    struct el_lexer lexer;
    struct el_token token; /* the next one */
    unsigned depth;
    struct el_error *err;
};

static bool advance(struct parser *p) {
    return el_lex(&p->lexer, &p->token, p->err);
}

static struct el_node *new_node(struct parser *p, enum el_node_kind kind, struct el_span span) {
    struct el_node *node = el_arena_alloc(p->arena, sizeof *node);
    node->kind = kind;
    node->span = span;
    return node;
}

static bool fail_token(struct parser *p, const char *expected) {
    char shown[EL_WORD_ROOM];
    if (p->token.kind == EL_T_END)
        return el_fail_at(p->err, p->token.span, NULL, "expected %s at the end", expected);
    return el_fail_at(p->err, p->token.span, NULL, "expected %s before '%s'", expected,
                      el_word_text(el_span_text(p->token.span), shown));
}

static bool expression(struct parser *p, unsigned limit, struct el_node **out);

/* arguments: [ expression { "," expression } ] ")" */
static bool arguments(struct parser *p, struct el_node *call) {
    while (p->token.kind != EL_T_CLOSE) {
        struct el_node *argument;
        if (call->arguments > 0) {
            if (p->token.kind != EL_T_COMMA)
                return fail_token(p, "',' or ')'");
            if (!advance(p))
                return false;
        }
        if (!expression(p, BIND_NONE, &argument))
            return false;
        if (call->arguments == 2)
            return el_fail_at(p->err, argument->span, NULL,
                              "no function takes more than 2 arguments");
        *(call->arguments ? &call->right : &call->left) = argument;
        call->arguments++;
    }
    call->span = el_span_join(call->span, p->token.span);
    return advance(p);
}

/* name: word [ "(" arguments ] */
static bool name(struct parser *p, struct el_node **out) {
    struct el_node *node = new_node(p, EL_N_NAME, p->token.span);
    node->word = el_span_text(p->token.span);
    *out = node;
    if (!advance(p))
        return false;
    if (p->token.kind != EL_T_OPEN || p->token.first)
        return true;
    node->kind = EL_N_CALL;
    return advance(p) && arguments(p, node);
}

/* group: "(" expression ")" */
static bool group(struct parser *p, struct el_node **out) {
    struct el_span open = p->token.span;
    if (!advance(p) || !expression(p, BIND_NONE, out))
        return false;
    if (p->token.kind != EL_T_CLOSE)
        return fail_token(p, "')'");
    (*out)->span = el_span_join(open, p->token.span);
    return advance(p);
}

/* prefix: ( "not" | "-" ) expression */
static bool prefix(struct parser *p, enum el_op op, unsigned bind, struct el_node **out) {
    struct el_node *node = new_node(p, EL_N_UNARY, p->token.span);
    node->op = op;
    *out = node;
    if (!advance(p) || !expression(p, bind, &node->left))
        return false;
    node->span = el_span_join(node->span, node->left->span);
    return true;
}

/* operand: number | text | name | group | prefix */
static bool operand(struct parser *p, struct el_node **out) {
    switch (p->token.kind) {
    case EL_T_NUMBER:
        *out = new_node(p, EL_N_NUMBER, p->token.span);
        (*out)->number = p->token.number;
        return advance(p);
    case EL_T_STRING:
        *out = new_node(p, EL_N_STRING, p->token.span);
        (*out)->word = el_span_text(p->token.span);
        (*out)->word = (struct el_str){ (*out)->word.ptr + 1, (*out)->word.len - 2 };
        return advance(p);
    case EL_T_NAME: return name(p, out);
    case EL_T_OPEN: return group(p, out);
    case EL_T_OPERATOR:
        if (p->token.op == EL_OP_NOT)
            return prefix(p, EL_OP_NOT, BIND_NOT, out);
        if (p->token.op == EL_OP_SUB)
            return prefix(p, EL_OP_NEG, BIND_SIGN, out);
        break;
    case EL_T_END:
    case EL_T_CLOSE:
    case EL_T_COMMA: break;
    }
    return fail_token(p, "a metric, a number or '('");
}

/* Is the next token an operator between operands that binds more than `limit`? */
static bool goes_on(const struct parser *p, unsigned limit) {
    return p->token.kind == EL_T_OPERATOR && p->token.op < EL_OPERATORS &&
           binds[p->token.op] > limit;
}

/* The operand has been read into *out; take the operators behind it that bind more than `limit`. */
static bool operators(struct parser *p, unsigned limit, struct el_node **out) {
    while (goes_on(p, limit)) {
        struct el_node *node = new_node(p, EL_N_BINARY, p->token.span);
        unsigned bind = binds[p->token.op];
        node->op = p->token.op;
        node->left = *out;
        *out = node;
        if (!advance(p) || !expression(p, bind, &node->right))
            return false;
        node->span = el_span_join(node->left->span, node->right->span);
        if (bind == BIND_COMPARE && goes_on(p, BIND_NOT) && binds[p->token.op] == BIND_COMPARE)
            return el_fail_at(p->err, p->token.span, "join two comparisons with 'and'",
                              "comparisons do not chain");
    }
    return true;
}

/* expression: operand { operator expression }, precedence climbing. */
static bool expression(struct parser *p, unsigned limit, struct el_node **out) {
    if (p->depth == EL_DEPTH)
        return el_fail_at(p->err, p->token.span, NULL, "the expression is nested deeper than %u",
                          EL_DEPTH);
    p->depth++;
    bool done = operand(p, out) && operators(p, limit, out);
    p->depth--;
    return done;
}

static bool check_length(const struct el_line *line, size_t lines, struct el_error *err) {
    size_t bytes = 0;
    for (size_t i = 0; i < lines; i++) {
        bytes += line[i].value.len;
        if (bytes > EL_EXPRESSION_BYTES)
            return el_fail_at(err, el_span_value(&line[i]), NULL,
                              "the expression is longer than %u bytes", EL_EXPRESSION_BYTES);
    }
    return true;
}

/* Where the text of a parser begins; reads the first token. */
static bool start(struct parser *p, const struct el_line *line, size_t lines) {
    assert(lines > 0);
    p->lexer = (struct el_lexer){ .line = line, .lines = lines };
    return check_length(line, lines, p->err) && advance(p);
}

bool el_parse(struct el_arena *arena, const struct el_line *line, size_t lines,
              struct el_node **list, struct el_error *err) {
    struct parser p = { .arena = arena, .err = err };
    if (!start(&p, line, lines))
        return false;
    struct el_node **tail = list;
    do {
        if (!expression(&p, BIND_NONE, tail))
            return false;
        tail = &(*tail)->next;
        if (p.token.kind != EL_T_END && !p.token.first)
            return fail_token(&p, "an operator");
    } while (p.token.kind != EL_T_END);
    return true;
}

bool el_parse_one(struct el_arena *arena, const struct el_line *line, size_t lines,
                  struct el_node **out, struct el_error *err) {
    struct parser p = { .arena = arena, .err = err };
    if (!start(&p, line, lines) || !expression(&p, BIND_NONE, out))
        return false;
    return p.token.kind == EL_T_END || fail_token(&p, "an operator");
}

static void print_call(const struct el_node *node, const char *called, struct el_buf *out) {
    el_buf_text(out, called);
    el_buf_char(out, '(');
    if (node->left)
        el_node_print(node->left, out);
    if (node->right) {
        el_buf_text(out, ", ");
        el_node_print(node->right, out);
    }
    el_buf_char(out, ')');
}

static void print_binary(const struct el_node *node, struct el_buf *out) {
    if (node->op >= EL_OPERATORS) {
        print_call(node, el_op_text(node->op), out);
        return;
    }
    el_buf_char(out, '(');
    el_node_print(node->left, out);
    el_buf_print(out, " %s ", el_op_text(node->op));
    el_node_print(node->right, out);
    el_buf_char(out, ')');
}

/* As short as it can be without becoming another number. */
static void print_number(double number, struct el_buf *out) {
    char text[40];
    (void)snprintf(text, sizeof text, "%.15g", number);
    double again = el_num_parse(el_str(text));
    if (again < number || again > number)
        (void)snprintf(text, sizeof text, "%.17g", number);
    el_buf_text(out, text);
}

void el_node_print(const struct el_node *node, struct el_buf *out) {
    switch (node->kind) {
    case EL_N_NUMBER: print_number(node->number, out); break;
    case EL_N_STRING:
        el_buf_char(out, '"');
        el_buf_add(out, node->word.ptr, node->word.len);
        el_buf_char(out, '"');
        break;
    case EL_N_NAME:
    case EL_N_METRIC:
    case EL_N_THRESHOLD:
    case EL_N_HIT: el_buf_add(out, node->word.ptr, node->word.len); break;
    case EL_N_UNARY: print_call(node, el_op_text(node->op), out); break;
    case EL_N_BINARY: print_binary(node, out); break;
    case EL_N_CALL:
    case EL_N_AGGREGATE:
    case EL_N_HITS:
    case EL_N_MEMBERS:
        el_buf_add(out, node->word.ptr, node->word.len);
        print_call(node, "", out);
        break;
    }
}
