/* SPDX-License-Identifier: Apache-2.0 */
/* Which schedule a loop gets: HEDDLE_FOR, else its clause; a name of the table, or a shared object of the user's. */
#include "engine.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Loaded once, and kept. Called with the engine's lock on loops held. */
static const struct heddle_loop_policy *load(const char *path) {
    static char seen[HEDDLE__OPTION_MAX];
    static const struct heddle_loop_policy *loaded;
    if (!strcmp(seen, path))
        return loaded;
    snprintf(seen, sizeof seen, "%s", path);
    loaded = NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct heddle_loop_policy *p = library ? dlsym(library, "heddle_loop_policy") : NULL;
    if (!p)
        heddle__warn(NULL, "HEDDLE_FOR=%s: %s; using the clause's schedule", path,
                     library ? "it has no symbol heddle_loop_policy" : dlerror());
    else if (p->version != HEDDLE_LOOP_VERSION || !p->name || !p->start || !p->next || !p->stop)
        heddle__warn(NULL,
                     "HEDDLE_FOR=%s is made for another heddle (version %d, needed is %d); using the clause's schedule",
                     path, p->version, HEDDLE_LOOP_VERSION);
    else
        loaded = p;
    return loaded;
}

/* HEDDLE_FOR=gss,100 goes over the clause. */
const struct heddle_loop_policy *heddle__loop_choose_schedule(const struct heddle_loop *l, long *chunk) {
    char option[HEDDLE__OPTION_MAX], *end = NULL;
    const char *name = l->schedule ? l->schedule : "auto";
    const struct heddle_loop_policy *clause = heddle__loop_find_policy(name, strlen(name));
    *chunk = l->chunk > 0 ? l->chunk : 0;
    if (!clause) /* of a program that is younger than this library */
        clause = heddle__loop_find_policy("auto", 4);
    heddle__option_read("for", option, sizeof option);
    if (!strcmp(option, "auto"))
        return clause;
    char *comma = strchr(option, ',');
    const long asked = comma ? strtol(comma + 1, &end, 10) : 0;
    const size_t length = comma ? (size_t)(comma - option) : strlen(option);
    const bool number = !comma || (!*end && end != comma + 1 && asked > 0 && asked < LONG_MAX);
    const bool own = memchr(option, '/', length) != NULL;
    const struct heddle_loop_policy *p = own || !number ? NULL : heddle__loop_find_policy(option, length);
    if (own && number) {
        option[length] = 0;
        p = load(option);
    } else if (!p) {
        heddle__option_bad("for", option);
    }
    if (p)
        *chunk = asked;
    return p ? p : clause;
}
