/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets share: promises, inputs as files, and the regression programs, which run a target without
 * libFuzzer over the files named on the command line and over seeded mutations of them. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

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

/* Of the target, for replay.c. */
extern const struct fuzz_style fuzz_style;

/* `size` is at least 1 and at least keep_first + 1, and stays so. */
void fuzz_mutate(const struct fuzz_style *style, struct app_random *random, uint8_t *data, size_t *size);

/* A target's regression run: the files named on the command line, nothing, the seeds, and `rounds` mutations of them in
 * turn. Returns the exit status. */
struct fuzz_seed {
    const char *bytes;
    size_t size;
};
#define FUZZ_SEED(text) {(text), sizeof(text) - 1}
struct fuzz_run {
    struct fuzz_style style;
    const struct fuzz_seed *seeds;
    int count, rounds;
};
int fuzz_run(const struct fuzz_run *run, int argc, char **argv);

/* file.c: the input as a file of this name ("a.csv") in a folder that goes at exit; valid until the next call. */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);

/* What a reader has to keep whatever it reads. */
#define FUZZ_PROMISE(kept) ((kept) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #kept))
_Noreturn void fuzz_broken(const char *file, int line, const char *promise);

#endif
