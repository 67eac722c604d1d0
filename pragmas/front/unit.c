/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of a file and its tree together. */
#include "front/ast.h"

#include <string.h>

const char *unit_text(const struct unit *u, const struct node *n) {
    return source_flat(&u->src, (struct span){n->b, n->e});
}

bool unit_types_alias(const char *const *args, size_t n) {
    bool alias = false; /* the last word counts, as in clang */
    for (size_t i = 0; i < n; i++)
        if (!strcmp(args[i], "-fno-strict-aliasing") || !strcmp(args[i], "-fstrict-aliasing"))
            alias = args[i][2] == 'n';
    return alias;
}
