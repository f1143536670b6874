/* judge: is what esxlat said of a simulated host right? See judge.h. */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

static int line(char **argv) {
    struct line l = { 0 };
    char *texts[] = { l.scenario, l.seed, l.strength, l.variant };
    for (int i = 0; i < 4; i++)
        snprintf(texts[i], LINE_TEXT, "%s", argv[2 + i]);
    if (!judge_line(&l, argv[6], argv[7])) {
        fprintf(stderr, "judge: %s or %s is not JSON\n", argv[6], argv[7]);
        return EXIT_FAILURE;
    }
    printf("%s\t%s\t%s\t%s\t%s\t%s\t%s", l.scenario, l.seed, l.strength, l.variant, l.truth, l.said,
           l.cause);
    for (int i = 0; i < ASK_COUNT; i++)
        printf("\t%d", (int)l.marks[i]);
    printf("\t%d\t%d\t%d\t%s\n", l.links_right, l.links_unsure, l.links_wrong, l.note);
    return EXIT_SUCCESS;
}

static int table(const char *path) {
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        fprintf(stderr, "judge: cannot read %s\n", path);
        return EXIT_FAILURE;
    }
    int good = judge_tables(f, stdout);
    fclose(f);
    if (!good)
        fprintf(stderr, "judge: %s holds a line that is none, or none at all\n", path);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv) {
    if (argc == 8 && strcmp(argv[1], "line") == 0)
        return line(argv);
    if (argc == 3 && strcmp(argv[1], "table") == 0)
        return table(argv[2]);
    fputs("usage: judge line SCENARIO SEED STRENGTH VARIANT TRUTH REPORT | judge table LINES\n",
          stderr);
    return 2;
}
