/* SPDX-License-Identifier: Apache-2.0 */
#include "create.h"

#include "app.h"
#include "core/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct created {
    struct heddle__replace replace;
    struct created *next;
};

static struct created *all; /* of one thread: files are opened and closed by main */

FILE *app_create(const char *path) {
    if (!strcmp(path, "-"))
        return stdout;
    struct created *o = app_alloc(1, sizeof *o);
    if (!heddle__replace_begin(&o->replace, path, HEDDLE__REPLACE_NAMED)) {
        free(o);
        return NULL;
    }
    o->next = all;
    all = o;
    return o->replace.file;
}

bool app_finish(FILE *file, bool good) {
    if (!file)
        return false;
    struct created **link = &all;
    while (*link && (*link)->replace.file != file)
        link = &(*link)->next;
    if (!*link) { /* standard output */
        errno = 0;
        const bool whole = !fflush(file) && !ferror(file);
        errno = errno ? errno : EIO;
        return whole && good;
    }
    struct created *o = *link;
    *link = o->next;
    const bool done = heddle__replace_end(&o->replace, good);
    const int cause = errno;
    free(o);
    errno = cause ? cause : EIO;
    return done;
}
