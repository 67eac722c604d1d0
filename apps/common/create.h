/* SPDX-License-Identifier: Apache-2.0 */
/* Files that an app writes: complete under their name, or not there; what was there before stays until then. Pipes,
 * devices and /dev/stdout are written as they are. */
#ifndef HEDDLE_APP_CREATE_H
#define HEDDLE_APP_CREATE_H

#include <stdbool.h>
#include <stdio.h>

/* "-" is standard output. NULL: errno says why. */
FILE *app_create(const char *path);
/* Closes it (standard output: writes what is buffered), and puts it in its place if `good` and if all could be written.
 * False: errno says why, and the file from before is still there. NULL is allowed: false. */
bool app_finish(FILE *file, bool good);

#endif
