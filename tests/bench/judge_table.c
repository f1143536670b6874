#include "judge.h"

#include <stdlib.h>
#include <string.h>

enum { LAYERS = 6, MAX_SCENARIOS = 200, FIELDS = 7 + ASK_COUNT + 3 + 1 };

static const char *const LAYER_WORDS[LAYERS] = { "device", "vmkernel", "guest",
                                                 "mixed",  "none",     "unknown" };

struct tally {
    char name[LINE_TEXT];
    long hosts, asked[ASK_COUNT], right[ASK_COUNT];
};

struct result {
    long confusion[LAYERS][LAYERS];
    struct tally all, scenarios[MAX_SCENARIOS];
    struct tally mild, clear, severe, part;
    int scenario_count;
    long links_right, links_unsure, links_wrong;
};

static int layer_of(const char *word) {
    for (int i = 0; i < LAYERS; i++)
        if (strcmp(LAYER_WORDS[i], word) == 0)
            return i;
    return LAYERS - 1;
}

/* Takes the line apart in place; false if it has not its fields. */
static int parse(struct line *l, char *text) {
    char *fields[FIELDS] = { NULL };
    int count = 0;
    text[strcspn(text, "\n")] = '\0';
    for (char *p = text; p != NULL && count < FIELDS; count++) {
        fields[count] = p;
        p = strchr(p, '\t');
        if (p != NULL)
            *p++ = '\0';
    }
    if (count < FIELDS)
        return 0;
    char *texts[] = { l->scenario, l->seed, l->strength, l->variant, l->truth, l->said, l->cause };
    for (int i = 0; i < 7; i++)
        snprintf(texts[i], LINE_TEXT, "%s", fields[i]);
    for (int i = 0; i < ASK_COUNT; i++)
        l->marks[i] = (enum mark)strtol(fields[7 + i], NULL, 10);
    l->links_right = (int)strtol(fields[7 + ASK_COUNT], NULL, 10);
    l->links_unsure = (int)strtol(fields[8 + ASK_COUNT], NULL, 10);
    l->links_wrong = (int)strtol(fields[9 + ASK_COUNT], NULL, 10);
    snprintf(l->note, sizeof l->note, "%s", fields[10 + ASK_COUNT]);
    return 1;
}

static void add(struct tally *t, const struct line *l) {
    t->hosts++;
    for (int i = 0; i < ASK_COUNT; i++) {
        t->asked[i] += l->marks[i] != MARK_NONE;
        t->right[i] += l->marks[i] == MARK_RIGHT;
    }
}

static struct tally *scenario_of(struct result *r, const char *name) {
    for (int i = 0; i < r->scenario_count; i++)
        if (strcmp(r->scenarios[i].name, name) == 0)
            return &r->scenarios[i];
    if (r->scenario_count == MAX_SCENARIOS)
        return NULL;
    struct tally *t = &r->scenarios[r->scenario_count++];
    snprintf(t->name, sizeof t->name, "%s", name);
    return t;
}

static void count(struct result *r, const struct line *l) {
    struct tally *t = scenario_of(r, l->scenario);
    add(&r->all, l);
    if (t != NULL)
        add(t, l);
    add(strcmp(l->strength, "mild") == 0    ? &r->mild
        : strcmp(l->strength, "clear") == 0 ? &r->clear
                                            : &r->severe,
        l);
    if (strcmp(l->variant, "part") == 0)
        add(&r->part, l);
    /* what is right as well stands where the truth is, so that only misses leave the diagonal */
    int truth = layer_of(l->truth);
    r->confusion[truth][l->marks[ASK_LAYER] == MARK_RIGHT ? truth : layer_of(l->said)]++;
    r->links_right += l->links_right;
    r->links_unsure += l->links_unsure;
    r->links_wrong += l->links_wrong;
}

static void put_percent(FILE *out, long right, long asked) {
    if (asked == 0)
        fputs(" - |", out);
    else
        fprintf(out, " %.*f |", right == asked ? 0 : 1, 100.0 * (double)right / (double)asked);
}

static void put_row(FILE *out, const char *name, const struct tally *t) {
    fprintf(out, "| %s | %ld |", name, t->hosts);
    for (int i = 0; i < ASK_COUNT; i++)
        put_percent(out, t->right[i], t->asked[i]);
    fputc('\n', out);
}

static void put_confusion(FILE *out, const struct result *r) {
    fputs("| truth \\ said |", out);
    for (int i = 0; i < LAYERS; i++)
        fprintf(out, " %s |", LAYER_WORDS[i]);
    fputs("\n|---|--:|--:|--:|--:|--:|--:|\n", out);
    for (int i = 0; i < LAYERS - 1; i++) {
        fprintf(out, "| **%s** |", LAYER_WORDS[i]);
        for (int k = 0; k < LAYERS; k++)
            if (r->confusion[i][k] > 0)
                fprintf(out, " %ld |", r->confusion[i][k]);
            else
                fputs(" . |", out);
        fputc('\n', out);
    }
}

static void put_head(FILE *out, const char *what) {
    fprintf(out,
            "\n| %s | hosts | layer %% | cause %% | quiet %% | window %% | share %% | "
            "guest clock %% | guest queue %% |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
            what);
}

static void put_misses(FILE *out, FILE *lines) {
    char text[2048];
    struct line l;
    rewind(lines);
    fputs("\nMisses (scenario, seed, strength, variant: what was wrong):\n\n", out);
    while (fgets(text, sizeof text, lines) != NULL)
        if (parse(&l, text) && l.note[0] != '\0')
            fprintf(out, "    %s %s %s %s: %s\n", l.scenario, l.seed, l.strength, l.variant,
                    l.note);
}

static void put_all(FILE *out, const struct result *r) {
    fprintf(out, "%ld simulated hosts of %d scenarios.\n\n", r->all.hosts, r->scenario_count);
    put_confusion(out, r);
    put_head(out, "");
    put_row(out, "**all**", &r->all);
    put_row(out, "mild", &r->mild);
    put_row(out, "clear", &r->clear);
    put_row(out, "severe", &r->severe);
    put_row(out, "trouble in part of the time", &r->part);
    put_head(out, "scenario");
    for (int i = 0; i < r->scenario_count; i++)
        put_row(out, r->scenarios[i].name, &r->scenarios[i]);
    fprintf(out,
            "\nLUNs of virtual disks with I/O: %ld right, %ld left open or unsure, %ld wrong.\n",
            r->links_right, r->links_unsure, r->links_wrong);
}

int judge_tables(FILE *lines, FILE *out) {
    static struct result r;
    char text[2048];
    struct line l;
    int good = 1;
    while (fgets(text, sizeof text, lines) != NULL) {
        if (parse(&l, text))
            count(&r, &l);
        else
            good = 0;
    }
    put_all(out, &r);
    put_misses(out, lines);
    return good && r.all.hosts > 0;
}
