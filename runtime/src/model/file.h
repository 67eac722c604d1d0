/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file.h - a file in the models' folder
 *
 * Each process reads it when it first needs it, and merges what it measured: under a lock, into a new file that takes
 * the old one's place at once. A file of another version or with a row that makes no sense is set aside with a message;
 * a folder that cannot be written to is left alone. The run goes on in any case.
 */
#ifndef HEDDLE_MODEL_FILE_H
#define HEDDLE_MODEL_FILE_H

#include "table.h"

struct heddle__store {
    const char *suffix, *what;                   /* what is kept, for messages: "loops" */
    unsigned kinds;                              /* its rows: a set of HEDDLE__ROW_BIT */
    void (*forget)(void);                        /* (optional) drops what an earlier reading brought */
    bool (*take)(const struct heddle__row *row); /* false: that makes no sense */
    void (*write)(FILE *f);                      /* all rows */
    char path[4096];                             /* "": nothing is kept */
};
MODEL_HIDDEN bool heddle__store_load(struct heddle__store *s); /* false: nothing is kept */
MODEL_HIDDEN bool heddle__store_save(struct heddle__store *s); /* false: it was not kept; HEDDLE_VERBOSE says why */

#endif
