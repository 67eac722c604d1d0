/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of a batch: the one over problems, and in its block the nest. */
#include "analysis/refs.h"
#include "batch.h"
#include "function.h"

#include <stdint.h>
#include <string.h>

static bool is_nest(const struct node *n) {
    if (n->kind != CXCursor_ForStmt || !n->last)
        return false;
    const struct node *body = n->last;
    if (body->kind == CXCursor_CompoundStmt)
        body = body->first && !body->first->next ? body->first : NULL;
    return body && body->kind == CXCursor_ForStmt;
}

bool batch_has_statements(const struct nest *w) {
    const struct node *body = w->root->last;
    if (!body || body->kind != CXCursor_CompoundStmt)
        return false;
    return body->first && body->first->next;
}

static struct node *find_nest(struct nest *w, struct node *body) {
    struct node *found = NULL;
    for (struct node *n = body->first; n; n = n->next) {
        if (!is_nest(n))
            continue;
        if (found) {
            diag_error(w->u, n->b, "a second nest in a problem of the batch; make it a batch of its own");
            return NULL;
        }
        found = n;
    }
    if (!found)
        diag_error(w->u, body->b,
                   "no nest of two loops in this block, with nothing between them; each problem of a batch is one");
    return found;
}

bool batch_find(struct nest *w, const struct clause *c) {
    struct batch *b = mem_alloc(sizeof *b);
    struct span s = c->items.at[0].name;
    *b = (struct batch){.root = w->root, .body = w->root->last};
    if (!nest_loop(w, w->root, &b->loop))
        return false;
    if (strcmp(source_flat(&w->u->src, s), b->loop.name) != 0) {
        diag_error(w->u, s.b, "'batch' names the outermost loop's variable, which is '%s'", b->loop.name);
        return false;
    }
    if (refs_first_continue(b->body) != SIZE_MAX) {
        diag_error(w->u, refs_first_continue(b->body),
                   "'continue' leaves a problem of the batch before its end; give the nest empty bounds instead");
        return false;
    }
    b->root_end = ast_statement_end(w->u, b->root, b->root->b);
    if (!(b->nest = find_nest(w, b->body)))
        return false;
    w->batch = b;
    w->root = b->nest;
    if (!nest_find_two(w, b->nest))
        return false;
    b->nest_end = w->root_end;
    return true;
}
