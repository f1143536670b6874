/*
 * judge.h: one line for each simulated host that esxlat was asked about; lines become tables.
 *
 *   judge line SCENARIO SEED STRENGTH VARIANT TRUTH.json REPORT.json    prints a line
 *   judge table LINES                                                  prints Markdown
 */
#ifndef BENCH_JUDGE_H
#define BENCH_JUDGE_H

#include <stdio.h>

/* A question and whether it was answered rightly. */
enum mark { MARK_NONE, MARK_WRONG, MARK_RIGHT };

enum question {
    ASK_LAYER,        /* one of the layers that are right */
    ASK_CAUSE,        /* a rule that names it */
    ASK_QUIET,        /* nothing wrong, and none said to be; only asked where nothing is wrong */
    ASK_WINDOW,       /* start and end within one sample; only where trouble has a part */
    ASK_SHARE,        /* of the waiting time by layer, within five points */
    ASK_GUEST_OFFSET, /* clock of a guest within one sample */
    ASK_GUEST_QUEUE,  /* its queue within ten percent, disk by disk */
    ASK_COUNT
};

enum { LINE_TEXT = 48, LINE_NOTE = 400 };

struct line {
    char scenario[LINE_TEXT], seed[LINE_TEXT], strength[LINE_TEXT], variant[LINE_TEXT];
    char truth[LINE_TEXT], said[LINE_TEXT], cause[LINE_TEXT]; /* layers, and esxlat's cause */
    enum mark marks[ASK_COUNT];
    int links_right, links_unsure, links_wrong; /* of virtual disks with I/O */
    char note[LINE_NOTE];                       /* what was wrong, for who looks after it */
};

/* judge_line.c: compares; "l" holds scenario to variant. False where a file is no JSON object. */
int judge_line(struct line *l, const char *truth_path, const char *report_path);

/* judge_table.c: reads lines, prints the tables; false where a line is none. */
int judge_tables(FILE *lines, FILE *out);

#endif
