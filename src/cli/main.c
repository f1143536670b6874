/* esxlat - say where the storage latency in esxtop batch captures comes from. */
#include "esxlat/cli/command.h"
#include "esxlat/cli/output.h"

#include <stdlib.h>
#include <unistd.h>

static void out_of_memory(void) {
    static const char text[] = "esxlat: out of memory\n";
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(EL_SYSTEM);
}

int main(int argc, char **argv) {
    struct el_cli cli = { 0 };
    struct el_error err = { .status = EL_OK };
    enum el_status status = EL_OK;
    el_mem_on_failure(out_of_memory);
    el_out_guard();
    if (el_settings_read(&cli, argc, argv, &err)) {
        status = el_command_run(&cli);
    } else {
        el_out_error(&err);
        status = err.status;
    }
    if (!el_out_finish(&err)) {
        el_out_error(&err);
        status = err.status;
    }
    el_cli_release(&cli);
    return (int)status;
}
