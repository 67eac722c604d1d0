/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function's text up to the place where it would make its first task, for callers that would rather run a call that
 * makes none than hand it on. If it gets to that place it returns 0, and nobody must be able to tell that it began:
 * before that it may only change variables of its own.
 */
#include "pool.h"

static bool makes(struct region *r, struct node *n) {
    if (site_of(r->pool->u, n) && site_is(site_of(r->pool->u, n), DIRECTIVE_TASK | DIRECTIVE_TASKLOOP))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (makes(r, c))
            return true;
    return false;
}

static bool returns(const struct node *n) {
    return n && (n->kind == CXCursor_ReturnStmt || (n->kind == CXCursor_CompoundStmt && returns(n->last)));
}

static bool is_loop(const struct node *n) {
    return n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt;
}

static bool has_effects(struct region *r, struct node *n) {
    const bool own = n->kind == CXCursor_OMPAtomicDirective;
    return own || (clang_isExpression(n->kind) && worker_effects(r, n) & (EFFECT_STORE | EFFECT_ONCE | EFFECT_WORKER));
}

/* `before`: a task may be made after n. */
static bool is_clean(struct region *r, struct node *n, bool before) {
    const struct site *m = site_of(r->pool->u, n);
    if (m && site_is(m, DIRECTIVE_TASKLOOP | DIRECTIVE_LANES))
        return false;
    if (m && site_is(m, DIRECTIVE_TASK))
        return true;
    if (n->kind == CXCursor_GotoStmt || n->kind == CXCursor_IndirectGotoStmt || n->kind == CXCursor_LabelStmt ||
        n->kind == CXCursor_SwitchStmt || n->kind == CXCursor_StmtExpr)
        return false;
    if (returns(n))
        before = false;
    if (before && has_effects(r, n))
        return false;
    const bool again = is_loop(n) && makes(r, n);
    for (struct node *c = n->first; c; c = c->next) {
        bool later = before || again;
        for (struct node *o = c->next; o && !later; o = o->next)
            later = makes(r, o);
        if (!is_clean(r, c, later))
            return false;
    }
    return true;
}

void pool_find_leaf(struct pool *p, struct called *c) {
    struct region *r = &c->c->r;
    if (r->scratch || r->calls.n || !makes(r, r->root) || !is_clean(r, r->root, false))
        return;
    c->leaf = mem_alloc(sizeof *c->leaf);
    *c->leaf = (struct copy){.f = c->c->f};
    c->leaf->r = (struct region){.pool = p,
                                 .f = r->f,
                                 .leaf = true,
                                 .root = r->root,
                                 .b = r->b,
                                 .e = r->e,
                                 .name = mem_printf("leaf_%s", r->f->name)};
    if (!region_collect(&c->leaf->r) || !worker_edits(&c->leaf->r))
        c->leaf = NULL;
}
