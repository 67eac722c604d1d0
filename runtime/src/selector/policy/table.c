/* SPDX-License-Identifier: Apache-2.0 */
/* The table of policies, and policies from a user's shared object. */
#include "selector/selector.h"
#include <dlfcn.h>
#include <string.h>

static const struct heddle_policy *const table[] = {HEDDLE_POLICIES(HEDDLE__POLICY_ROW)};

static const struct heddle_policy *load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct heddle_policy *p = library ? dlsym(library, "heddle_policy") : NULL;
    if (!p)
        heddle__warn(NULL, "HEDDLE_POLICY=%s: %s; using fixed", path,
                     library ? "it has no symbol heddle_policy" : dlerror());
    else if (p->version != HEDDLE_POLICY_VERSION || !p->choose || !p->name)
        heddle__warn(NULL, "HEDDLE_POLICY=%s is made for another heddle (version %d, needed is %d); using fixed", path,
                     p->version, HEDDLE_POLICY_VERSION);
    else
        return p;
    return &heddle__policy_fixed;
}

const struct heddle_policy *heddle__policy_find(const char *name) {
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (!strcmp(table[k]->name, name))
            return table[k];
    if (strchr(name, '/'))
        return load(name);
    heddle__warn(NULL, "HEDDLE_POLICY=%s is not one of %s; using fixed", name,
                 HEDDLE_WORD_TEXTS(HEDDLE_POLICIES, " or ./policy.so"));
    return &heddle__policy_fixed;
}
