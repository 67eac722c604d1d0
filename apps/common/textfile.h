/* SPDX-License-Identifier: Apache-2.0 */
/* Text files, and what is wrong with them. */
#ifndef HEDDLE_APP_TEXTFILE_H
#define HEDDLE_APP_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>

/* The place and reason of an error: "FILE:LINE: what is wrong", ready to print. */
struct complaint {
    char text[512];
};
/* Always false, so that a reader can return it. line: 0: of the whole file. */
bool complain(struct complaint *c, const char *file, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A whole file in memory with a 0 behind it; NULL: the complaint is set. "-" is standard input. */
char *textfile_load(const char *path, size_t *size, struct complaint *c);
/* The file `name` beside the file `path`, for names that a file mentions. Caller frees. */
char *textfile_beside(const char *path, const char *name, int length);

#endif
