/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of directives. A new one is a file with its translate function, a bit in translate.h
 * (which the clause table refers to) and one line here.
 */
#include "translate.h"

#include <string.h>

static const struct directive directives[] = {
    {"wavefront", DIRECTIVE_WAVEFRONT, wavefront_translate},
    {"pool", DIRECTIVE_POOL, pool_translate},
    {"task", DIRECTIVE_TASK, pool_translate},
    {"taskloop", DIRECTIVE_TASKLOOP, pool_translate},
    {"taskwait", DIRECTIVE_TASKWAIT, pool_translate},
    {"lanes", DIRECTIVE_LANES, pool_translate},
    {"for", DIRECTIVE_FOR, for_translate},
    {"variant", DIRECTIVE_VARIANT, variant_translate},
};
enum { DIRECTIVES = sizeof directives / sizeof *directives };

const struct directive *directive_find(const char *name, size_t n) {
    for (int i = 0; i < DIRECTIVES; i++)
        if (strlen(directives[i].name) == n && memcmp(directives[i].name, name, n) == 0)
            return &directives[i];
    return NULL;
}

const char *directive_names(void) {
    struct buf b = {0};
    for (int i = 0; i < DIRECTIVES; i++)
        buf_printf(&b, "%s%s", i ? ", " : "", directives[i].name);
    return b.s;
}
