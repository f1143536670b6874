/* show.h - parts of rules as text, for list.c and why.c. */
#ifndef RULES_SHOW_H
#define RULES_SHOW_H

#include "ruleset.h"

/* As in the file if it stands on one line, else in one canonical line. */
void el_show_node(const struct el_node *node, struct el_buf *out);
/* "3 samples", "60 s" */
void el_show_for(const struct el_rule *rule, struct el_buf *out);
/* "lun, vm" */
void el_show_kinds(unsigned kinds, struct el_buf *out);
/* Words of `text` in lines of at most 80 columns, those after the first indented. */
void el_show_wrapped(struct el_str text, size_t column, size_t indent, struct el_buf *out);

#endif
