/* command.h - the commands, and where settings and rules come from. */
#ifndef ESXLAT_CLI_COMMAND_H
#define ESXLAT_CLI_COMMAND_H

#include "esxlat/cli/options.h"
#include "esxlat/rules/rules.h"

/* Command line, environment and configuration file into `c`.  EL_USAGE, EL_RULES or EL_SYSTEM. */
bool el_settings_read(struct el_cli *c, int argc, char *const *argv, struct el_error *err);

/* Load, set and compile the rules that these settings ask for:
 *   --rules PATH, as often as given, or else
 *   the shipped rules and then $XDG_CONFIG_HOME/esxlat/rules.d.
 * `more` are files on top.  Progress is told with --verbose. */
bool el_rules_find(const struct el_cli *c, const char *const *more, size_t count,
                   struct el_ruleset *rs, struct el_error *err);
/* $XDG_CONFIG_HOME/esxlat/NAME (default ~/.config), in the arena; NULL without a home. */
const char *el_config_path(struct el_arena *a, const char *name);

/* Run the command; the answer goes to standard output.  The exit code. */
enum el_status el_command_run(struct el_cli *c);
enum el_status el_command_report(struct el_cli *c); /* report, list */
enum el_status el_command_rules(struct el_cli *c);

#endif
