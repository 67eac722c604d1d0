/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets' regression programs share: the targets without libFuzzer, files named on the command line, then
 * seeded mutations of a few inputs. */
#ifndef TESTS_APPS_FUZZ_H
#define TESTS_APPS_FUZZ_H

#include "app.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz_style {
    const char *marks; /* bytes that mean something to the reader */
    size_t mark_count; /* zeros may be among them */
    unsigned changes_least, changes_most;
    size_t keep_first; /* so many bytes at the start stay as they are */
    bool cut;          /* now and then the rest is missing */
    bool digits;       /* digits become others more often than they become something else */
};
#define FUZZ_MARKS(text) .marks = (text), .mark_count = sizeof(text) - 1

/* `size` is at least 1 and at least keep_first + 1, and stays so. */
void fuzz_mutate(const struct fuzz_style *style, struct app_random *random, uint8_t *data, size_t *size);

/* Every file, up to `room` bytes of it, to the target. */
void fuzz_files(int count, char **paths, size_t room);

#endif
