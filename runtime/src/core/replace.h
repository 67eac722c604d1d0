/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that is written beside its place and takes it when it is complete: who reads sees the old file or the new one,
 * whenever the writer is killed, and no piece is left. Until then it has no name where the file system can do that
 * (O_TMPFILE); for the moment in which it takes an old file's place, and on other file systems from the start, it is
 * called `.NAME.new-K`, and is locked as long as its writer lives, so that the next writer removes what a killed one
 * left. Not against loss of power: nothing is synchronised.
 */
#ifndef HEDDLE_REPLACE_H
#define HEDDLE_REPLACE_H

#include <stdbool.h>
#include <stdio.h>

#pragma GCC visibility push(hidden)

enum heddle__replace_how {
    /* A file of ours: a symbolic link is replaced, not followed; what is no plain file is refused (EINVAL, EISDIR). */
    HEDDLE__REPLACE_OWN,
    /* A file that the user named: links are followed; a pipe or device, /dev/stdout, and a file whose folder or owner
       does not allow to replace it are written as they are. */
    HEDDLE__REPLACE_NAMED
};

struct heddle__replace {
    FILE *file; /* to write to; not to be closed by the caller */
    char *path; /* what is replaced; NULL: written as it is */
    int kept;   /* descriptor of the new file, for its lock and name; -1 */
    int number; /* K of its name; -1: it has none */
};

/* False: errno says why, and nothing has changed. */
bool heddle__replace_begin(struct heddle__replace *r, const char *path, enum heddle__replace_how how);
/* Puts the file in its place if `good` and if all that was written is there. False: errno says why, and the old file is
   untouched, unless it was written as it is. */
bool heddle__replace_end(struct heddle__replace *r, bool good);

#pragma GCC visibility pop
#endif
