/* help.h - texts made from the option table: --help, --version, the man page's OPTIONS and the
 * shells' completions. */
#ifndef ESXLAT_CLI_HELP_H
#define ESXLAT_CLI_HELP_H

#include "esxlat/base/str.h"

void el_help_text(struct el_buf *out);    /* one screen of 24 x 80 */
void el_help_version(struct el_buf *out); /* the program, then its libraries */

/* roff: OPTIONS, the commands, and the words of the rule language. */
void el_help_man_options(struct el_buf *out);
void el_help_man_commands(struct el_buf *out);
void el_help_man_metrics(struct el_buf *out);

/* "bash", "zsh" or "fish"; false for another shell. */
bool el_help_completion(const char *shell, struct el_buf *out);

#endif
