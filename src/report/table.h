/* table.h - columns of fixed width; what does not fit its cell is shortened, so that lines never grow. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "page.h"

/* Cells are separated by one blank.  `left`: text, shortened in the middle; else numbers, right-aligned. */
struct el_column {
    const char *title;
    size_t width;
    bool left;
};
void el_table_head(struct el_page *p, const struct el_column *column, size_t columns);
/* One cell; `at` is its column's index, 0 starts the line.  The caller ends the line. */
void el_table_name(struct el_page *p, const struct el_column *column, size_t at,
                   struct el_str name);
void el_table_number(struct el_page *p, const struct el_column *column, size_t at, double value);
/* A number of things: 812, 9999, 12.3k, 4.56M. */
void el_table_count(struct el_page *p, const struct el_column *column, size_t at, double value);
/* mean/max or min-max; one number when both print the same. */
void el_table_pair(struct el_page *p, const struct el_column *column, size_t at, bool there,
                   double a, double b, char between);

/* 12.3k: a number of things in at most six columns. */
#define EL_COUNT_ROOM 32
char *el_table_count_text(double value, char out[EL_COUNT_ROOM]);

#endif
