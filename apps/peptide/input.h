/* SPDX-License-Identifier: Apache-2.0 */
/* Files, plain or gzip, "-" for standard input. Functions that can fail return false and leave a message that
 * names the file. */
#ifndef PEPTIDE_INPUT_H
#define PEPTIDE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Where a message goes; the first one stays, since it is the cause. */
struct note {
    char text[512];
};
bool note_fail(struct note *note, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct input;
struct input *input_open(const char *path, struct note *note);
const char *input_name(const struct input *input);
/* Bytes read, 0 at the end, -1 with a message. */
long input_read(struct input *input, void *bytes, size_t room, struct note *note);
void input_close(struct input *input);

/* The whole file, followed by a zero byte; the caller frees *bytes. */
bool input_read_all(const char *path, char **bytes, size_t *length, struct note *note);

#endif
