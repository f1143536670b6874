/* file.h - files that appear whole or not at all. */
#ifndef ESXLAT_BASE_FILE_H
#define ESXLAT_BASE_FILE_H

#include "esxlat/base/error.h"
#include "esxlat/base/str.h"

/* Make a folder and those above it; one that is there already is fine. */
bool el_folder_make(const char *folder, struct el_error *err);
/* Write folder/name through a temporary file beside it; an existing file is replaced.  One at a time: not from two threads. */
bool el_file_write(const char *folder, const char *name, const struct el_buf *text,
                   struct el_error *err);
/* For a signal handler: remove the temporary file that is being written, if any. */
void el_file_abandon(void);
/* Remove the files of a folder whose names `ours` knows; a folder that is not there is fine. */
void el_folder_clear(const char *folder, bool (*ours)(struct el_str name));

#endif
