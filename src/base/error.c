#include "esxlat/base/error.h"

#include <stdio.h>

bool el_vfail(struct el_error *err, enum el_status status, const char *format, va_list args) {
    err->status = status;
    (void)vsnprintf(err->text, sizeof err->text, format, args);
    return false;
}

bool el_fail(struct el_error *err, enum el_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    (void)el_vfail(err, status, format, args);
    va_end(args);
    return false;
}
