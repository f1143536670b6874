/* gen - at build time: `gen man` copies a man page from standard input and fills in what comes from
 * the program's tables, `gen bash|zsh|fish` writes a completion. */
#include "esxlat/cli/help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void version(struct el_buf *out) {
    el_buf_text(out, ".ds version " EL_VERSION "\n");
}

static const struct {
    const char *line;
    void (*write)(struct el_buf *out);
} fills[] = {
    { ".\\\" @VERSION@\n", version },
    { ".\\\" @COMMANDS@\n", el_help_man_commands },
    { ".\\\" @OPTIONS@\n", el_help_man_options },
    { ".\\\" @METRICS@\n", el_help_man_metrics },
};

static void man(struct el_buf *out) {
    char line[1024];
    while (fgets(line, sizeof line, stdin)) {
        size_t i = 0;
        while (i < sizeof fills / sizeof *fills && strcmp(line, fills[i].line) != 0)
            i++;
        if (i < sizeof fills / sizeof *fills)
            fills[i].write(out);
        else
            el_buf_text(out, line);
    }
}

int main(int argc, char **argv) {
    struct el_buf out = { 0 };
    const char *what = argc == 2 ? argv[1] : "";
    if (strcmp(what, "man") == 0)
        man(&out);
    else if (!el_help_completion(what, &out))
        return EXIT_FAILURE;
    bool good = fwrite(out.ptr, 1, out.len, stdout) == out.len && fclose(stdout) == 0;
    el_buf_release(&out);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
