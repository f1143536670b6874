#include "skim.h"

#include <assert.h>

#include "esxlat/base/num.h"

static const struct {
    const char *name;
    bool (*walk)(struct el_walk *); /* NULL: not built */
} levels[EL_SKIM_LEVELS] = {
    [EL_SKIM_SCALAR] = { "scalar", el_walk_scalar },
#if defined(__x86_64__)
    [EL_SKIM_SSE2] = { "sse2", el_walk_sse2 },       [EL_SKIM_AVX2] = { "avx2", el_walk_avx2 },
    [EL_SKIM_AVX512] = { "avx512", el_walk_avx512 }, [EL_SKIM_NEON] = { "neon", NULL },
#elif defined(__aarch64__)
    [EL_SKIM_SSE2] = { "sse2", NULL },
    [EL_SKIM_AVX2] = { "avx2", NULL },
    [EL_SKIM_AVX512] = { "avx512", NULL },
    [EL_SKIM_NEON] = { "neon", el_walk_neon },
#else
    [EL_SKIM_SSE2] = { "sse2", NULL },
    [EL_SKIM_AVX2] = { "avx2", NULL },
    [EL_SKIM_AVX512] = { "avx512", NULL },
    [EL_SKIM_NEON] = { "neon", NULL },
#endif
};

const char *el_skim_name(enum el_skim_level level) {
    return levels[level].name;
}

bool el_skim_can(enum el_skim_level level) {
    if (!levels[level].walk)
        return false;
#if defined(__x86_64__)
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul") &&
                __builtin_cpu_supports("popcnt");
    if (level == EL_SKIM_AVX2)
        return avx2;
    if (level == EL_SKIM_AVX512)
        return avx2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
#endif
    return true;
}

enum el_skim_level el_skim_best(void) {
    static const enum el_skim_level best_first[] = { EL_SKIM_AVX512, EL_SKIM_AVX2, EL_SKIM_NEON,
                                                     EL_SKIM_SSE2 };
    for (size_t i = 0; i < sizeof best_first / sizeof *best_first; i++)
        if (el_skim_can(best_first[i]))
            return best_first[i];
    return EL_SKIM_SCALAR;
}

double el_skim_value(struct el_str field, struct el_skim_tally *tally) {
    double value = el_num_parse(field);
    if (el_missing(value)) {
        if (el_str_trim(field).len == 0)
            tally->empty++;
        else
            tally->text++;
    }
    return value;
}

void el_walk_convert(struct el_walk *w, size_t i) {
    struct el_span f = w->span[i % EL_SPANS];
    const char *p = w->row.ptr + f.start;
    size_t n = (size_t)f.end - f.start;
    if (n < 2 || p[0] != '"' || p[n - 1] != '"')
        w->irregular = true;
    else
        w->out[i] = el_skim_value((struct el_str){ p + 1, n - 2 }, w->tally);
}

bool el_skim_row(const struct el_skim_plan *plan, struct el_str row, double *out,
                 struct el_skim_tally *tally) {
    struct el_walk w;
    w.plan = plan;
    w.row = row;
    w.out = out;
    w.tally = tally;
    w.next = w.converted = w.commas = w.start = 0;
    w.open = w.irregular = w.has_bare = false;
    assert(el_skim_can(plan->level));
    if (row.len == 0 || !levels[plan->level].walk(&w) || w.irregular || w.next != plan->columns)
        return false;
    bool trailing = w.commas == plan->width && row.len > 0 && row.ptr[row.len - 1] == ',';
    return w.commas + 1 == plan->width || trailing;
}
