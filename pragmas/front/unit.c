/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of a file and its tree together. */
#include "front/ast.h"

const char *unit_text(const struct unit *u, const struct node *n) {
    return source_flat(&u->src, (struct span){n->b, n->e});
}
