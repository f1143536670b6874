#include "lang.h"

#include <assert.h>
#include <string.h>

#include "esxlat/base/num.h"

static const char *const op_text[EL_OPS] = { "or",  "and", "<",   "<=",    ">",    ">=",   "=",
                                             "!=",  "+",   "-",   "*",     "/",    "min",  "max",
                                             "not", "-",   "abs", "round", "ceil", "known" };

const char *el_op_text(enum el_op op) {
    assert(op < EL_OPS);
    return op_text[op];
}

/* The same in every locale. */
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* Spellings of other languages, and what to write here. */
static const struct {
    const char *spelling, *advice;
} foreign[] = {
    { "==", "equality is written '='" },
    { "<>", "inequality is written '!='" },
    { "&&", "write 'and'" },
    { "||", "write 'or'" },
    { "!", "write 'not'" },
    { "'", "texts stand in double quotes" },
    { "%", "a percentage is a plain number" },
};

static bool fail_character(struct el_span span, struct el_error *err) {
    char shown[EL_WORD_ROOM];
    struct el_str rest = el_str_from(span.line->whole, span.start);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (!el_str_starts(rest, foreign[i].spelling))
            continue;
        span.length = strlen(foreign[i].spelling);
        return el_fail_at(err, span, foreign[i].advice, "unexpected '%s'", foreign[i].spelling);
    }
    size_t length = el_utf8_length(rest);
    span.length = length ? length : 1;
    return el_fail_at(err, span, NULL, "unexpected character '%s'",
                      el_word_text(el_span_text(span), shown));
}

/* Length of the longest number at the begin of `s`: digits [. digits] [e [+-] digits]. */
static size_t number_length(struct el_str s) {
    size_t n = 0;
    while (n < s.len && (is_digit(s.ptr[n]) || s.ptr[n] == '.'))
        n++;
    if (n + 1 < s.len && (s.ptr[n] == 'e' || s.ptr[n] == 'E')) {
        size_t digits = n + 1 + (s.ptr[n + 1] == '+' || s.ptr[n + 1] == '-');
        size_t end = digits;
        while (end < s.len && is_digit(s.ptr[end]))
            end++;
        if (end > digits)
            n = end;
    }
    return n;
}

static bool lex_number(struct el_str rest, struct el_token *out, struct el_error *err) {
    size_t n = number_length(rest);
    char shown[EL_WORD_ROOM];
    out->kind = EL_T_NUMBER;
    out->span.length = n;
    out->number = el_num_parse((struct el_str){ rest.ptr, n });
    if (el_missing(out->number))
        return el_fail_at(err, out->span, NULL, "'%s' is not a number, or too large",
                          el_word_text(el_span_text(out->span), shown));
    if (n == rest.len || !is_letter(rest.ptr[n]))
        return true;
    while (out->span.length < rest.len && is_letter(rest.ptr[out->span.length]))
        out->span.length++;
    return el_fail_at(err, out->span,
                      "numbers are plain; the unit is that of what they are compared with",
                      "a number cannot carry a unit");
}

static bool lex_name(struct el_str rest, struct el_token *out) {
    size_t n = 1;
    while (n < rest.len && (is_letter(rest.ptr[n]) || is_digit(rest.ptr[n])))
        n++;
    struct el_str word = { rest.ptr, n };
    out->span.length = n;
    out->kind = EL_T_OPERATOR;
    if (el_str_is(word, "and"))
        out->op = EL_OP_AND;
    else if (el_str_is(word, "or"))
        out->op = EL_OP_OR;
    else if (el_str_is(word, "not"))
        out->op = EL_OP_NOT;
    else
        out->kind = EL_T_NAME;
    return true;
}

static bool lex_string(struct el_str rest, struct el_token *out, struct el_error *err) {
    const char *end = memchr(rest.ptr + 1, '"', rest.len - 1);
    out->kind = EL_T_STRING;
    out->span.length = end ? (size_t)(end - rest.ptr) + 1 : rest.len;
    return end || el_fail_at(err, out->span, NULL, "the text is not closed by '\"'");
}

static bool lex_sign(struct el_str rest, struct el_token *out, struct el_error *err) {
    static const char brackets[] = "(),";
    static const enum el_token_kind kinds[] = { EL_T_OPEN, EL_T_CLOSE, EL_T_COMMA };
    const char *bracket = memchr(brackets, rest.ptr[0], 3);
    out->span.length = 1;
    if (bracket) {
        out->kind = kinds[bracket - brackets];
        return true;
    }
    if (el_str_starts(rest, "==") || el_str_starts(rest, "<>"))
        return fail_character(out->span, err);
    size_t best = 0; /* the longest operator wins: "<=" before "<" */
    for (int i = 0; i < EL_OPERATORS; i++) {
        size_t length = strlen(op_text[i]);
        if (is_letter(op_text[i][0]) || length <= best || !el_str_starts(rest, op_text[i]))
            continue;
        out->op = (enum el_op)i;
        best = length;
    }
    if (best == 0)
        return fail_character(out->span, err);
    out->kind = EL_T_OPERATOR;
    out->span.length = best;
    return true;
}

/* To the next character that is no blank; false at the end of the text. */
static bool skip_blanks(struct el_lexer *lexer) {
    for (;;) {
        while (lexer->at < lexer->line->value.len && is_blank(lexer->line->value.ptr[lexer->at]))
            lexer->at++;
        if (lexer->at < lexer->line->value.len)
            return true;
        if (lexer->lines <= 1)
            return false;
        lexer->lines--;
        lexer->line++;
        lexer->at = 0;
        lexer->fresh_line = true;
    }
}

bool el_lex(struct el_lexer *lexer, struct el_token *out, struct el_error *err) {
    *out = (struct el_token){ .kind = EL_T_END };
    bool more = skip_blanks(lexer);
    struct el_str rest = el_str_from(lexer->line->value, lexer->at);
    size_t before = (size_t)(lexer->line->value.ptr - lexer->line->whole.ptr);
    out->span = (struct el_span){ lexer->line, before + lexer->at, 0 };
    out->first = lexer->fresh_line;
    if (!more)
        return true;
    lexer->fresh_line = false;
    bool done;
    if (is_digit(rest.ptr[0]) || (rest.ptr[0] == '.' && rest.len > 1 && is_digit(rest.ptr[1])))
        done = lex_number(rest, out, err);
    else if (is_letter(rest.ptr[0]))
        done = lex_name(rest, out);
    else if (rest.ptr[0] == '"')
        done = lex_string(rest, out, err);
    else
        done = lex_sign(rest, out, err);
    lexer->at += out->span.length;
    return done;
}
