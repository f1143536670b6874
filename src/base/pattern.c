#include "esxlat/base/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "esxlat/base/mem.h"

/* Enough for any sane name; a pattern such as (a+)+$ stops here instead of running for hours. */
#define MATCH_LIMIT    200000u
#define HEAP_LIMIT_KIB 4096u

struct el_pattern {
    pcre2_general_context *memory;
    pcre2_code *code;
    pcre2_match_context *limits;
    pcre2_match_data *match; /* scratch: a pattern is used by one thread at a time */
};

static void *allocate(size_t size, void *ctx) {
    (void)ctx;
    return el_alloc(size);
}

static void release(void *p, void *ctx) {
    (void)ctx;
    el_free(p);
}

struct el_pattern *el_pattern_new(const char *pattern, struct el_error *err) {
    struct el_pattern *p = el_calloc(1, sizeof *p);
    int code = 0;
    PCRE2_SIZE offset = 0;
    p->memory = pcre2_general_context_create(allocate, release, NULL);
    pcre2_compile_context *compile = pcre2_compile_context_create(p->memory);
    p->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, PCRE2_DOTALL, &code,
                            &offset, compile);
    pcre2_compile_context_free(compile);
    if (!p->code) {
        PCRE2_UCHAR reason[160];
        (void)pcre2_get_error_message(code, reason, sizeof reason);
        (void)el_fail(err, EL_RULES, "bad pattern '%s': %s at offset %zu", pattern,
                      (const char *)reason, (size_t)offset);
        el_pattern_free(p);
        return NULL;
    }
    (void)pcre2_jit_compile(p->code,
                            PCRE2_JIT_COMPLETE); /* without JIT the interpreter does the same */
    p->limits = pcre2_match_context_create(p->memory);
    (void)pcre2_set_match_limit(p->limits, MATCH_LIMIT);
    (void)pcre2_set_heap_limit(p->limits, HEAP_LIMIT_KIB);
    p->match = pcre2_match_data_create_from_pattern(p->code, p->memory);
    return p;
}

void el_pattern_free(struct el_pattern *p) {
    if (!p)
        return;
    pcre2_match_data_free(p->match);
    pcre2_match_context_free(p->limits);
    pcre2_code_free(p->code);
    pcre2_general_context_free(p->memory);
    el_free(p);
}

int el_pattern_match(const struct el_pattern *p, struct el_str subject,
                     struct el_str group[EL_PATTERN_GROUPS]) {
    const char *text = subject.ptr ? subject.ptr : "";
    int found = pcre2_match(p->code, (PCRE2_SPTR)text, subject.len, 0, 0, p->match, p->limits);
    if (found == PCRE2_ERROR_NOMATCH)
        return 0;
    if (found < 0)
        return -1;
    if (!group)
        return 1;
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(p->match);
    for (int i = 0; i < EL_PATTERN_GROUPS; i++) {
        bool took_part = i < found && at[2 * i] != PCRE2_UNSET;
        group[i] = took_part ? (struct el_str){ text + at[2 * i], at[2 * i + 1] - at[2 * i] }
                             : (struct el_str){ NULL, 0 };
    }
    return 1;
}
