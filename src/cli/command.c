#include "esxlat/cli/command.h"

#include "esxlat/cli/help.h"
#include "esxlat/cli/output.h"

static void show(void (*write)(struct el_buf *out)) {
    struct el_buf out = { 0 };
    write(&out);
    el_out_answer(&out);
    el_buf_release(&out);
}

enum el_status el_command_run(struct el_cli *c) {
    struct el_buf out = { 0 };
    if (el_cli_flag(c, EL_O_HELP)) {
        show(el_help_text);
        return EL_OK;
    }
    if (el_cli_flag(c, EL_O_VERSION)) {
        show(el_help_version);
        return EL_OK;
    }
    if (el_cli_flag(c, EL_O_PRINT_CONFIG)) {
        el_cli_print(c, &out);
        el_out_answer(&out);
        el_buf_release(&out);
        return EL_OK;
    }
    return c->command == EL_C_RULES ? el_command_rules(c) : el_command_report(c);
}
