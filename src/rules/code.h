/* code.h - the instructions of a program; program.c writes them, eval.c runs them. */
#ifndef RULES_CODE_H
#define RULES_CODE_H

#include "lang.h"

enum {
    /* 0 .. EL_OPS - 1: the operators, `to` = a op b */
    EL_CODE_CONSTANT = EL_OPS, /* + operator: `to` = a op constant b */
    EL_CODE_FILL = 2 * EL_OPS, /* `to` = constant b */
    EL_CODE_SKIP_TRUE,         /* go to step b if every row of a is 1 */
    EL_CODE_SKIP_FALSE,        /* ... is 0 */
    EL_CODE_SKIP_NONE,         /* ... is 0 or NaN */
    EL_CODES
};

#endif
