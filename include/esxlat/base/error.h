/* error.h - the one shape of a failure.
 *
 * A function that can fail returns bool (true: done) and takes a `struct el_error *` as its last
 * parameter.  Whoever fails fills it; it is untouched on success.  The library never prints and
 * never exits: only cli/ turns an error into a message and an exit code. */
#ifndef ESXLAT_BASE_ERROR_H
#define ESXLAT_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

/* Values are the exit codes of the program. */
enum el_status {
    EL_OK = 0,
    EL_FINDINGS = 1, /* analysed, findings at or above --fail-on */
    EL_USAGE = 2,    /* an option or its value is wrong */
    EL_RULES = 3,    /* a rule or configuration file is wrong */
    EL_CAPTURE = 4,  /* the input is not usable as a capture */
    EL_SYSTEM = 5    /* open, read, write or memory failed */
};

struct el_error {
    enum el_status status;
    char text[2048]; /* sentence(s) for people: failure first, lower case, no full stop at the end;
                        may hold several lines (an excerpt with a caret) */
};

/* Fill `err`; a text that does not fit is cut.  Always returns false, so that
 * `return el_fail(err, ...)` reads well. */
bool el_fail(struct el_error *err, enum el_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool el_vfail(struct el_error *err, enum el_status status, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#endif
