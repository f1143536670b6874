/* pattern.h - regular expressions (PCRE2 with JIT; only pattern.c knows it).
 *
 * Patterns work on bytes.  Every match runs under a match limit and a heap limit, so that no
 * pattern of a rule file can hang the program. */
#ifndef ESXLAT_BASE_PATTERN_H
#define ESXLAT_BASE_PATTERN_H

#include "esxlat/base/error.h"
#include "esxlat/base/str.h"

struct el_pattern;

#define EL_PATTERN_GROUPS 8

/* Compile; on failure EL_RULES with the offset and reason, and NULL. */
struct el_pattern *el_pattern_new(const char *pattern, struct el_error *err);
void el_pattern_free(struct el_pattern *p);

/* 1: matches, `group` (may be NULL) receives whole match and captured groups, those that did not
 * take part are {NULL, 0}; 0: does not match; -1: the match limit was exceeded. */
int el_pattern_match(const struct el_pattern *p, struct el_str subject,
                     struct el_str group[EL_PATTERN_GROUPS]);

#endif
