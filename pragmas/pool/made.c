/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A task that waits ends and begins again, so a function that waits cannot be called in the middle of another task. A
 * statement that is nothing but such a call is made a task with a taskwait behind it, as if both stood there. It waits
 * for tasks made before, too, which is right: they come first in the serial program.
 */
#include "front/macros.h"
#include "pool.h"

static bool waits(const struct function *f) {
    for (size_t i = 0; i < f->sites.n; i++)
        if (site_is(f->sites.at[i], DIRECTIVE_TASKWAIT))
            return true;
    return false;
}

/* A statement of a block: f(…); or x = f(…); */
static struct function *called_alone(struct unit *u, struct node *n) {
    const bool assigned = ast_binary(n) == CXBinaryOperator_Assign;
    struct node *call = assigned ? ast_strip(n->last) : n;
    if (!n->up || n->up->kind != CXCursor_CompoundStmt || call->kind != CXCursor_CallExpr || expansion_begins(u, n))
        return NULL;
    struct function *f = function_called(u, call);
    const bool none = f && clang_getCanonicalType(clang_getCursorResultType(f->c)).kind == CXType_Void;
    return f && none != assigned && waits(f) ? f : NULL;
}

/* In the order of the others: the last one of the file first. */
static void insert(site_list *all, struct site *m) {
    vec_push(all, m);
    for (size_t i = all->n - 1; i > 0 && all->at[i - 1]->p->b < m->p->b; i--) {
        all->at[i] = all->at[i - 1];
        all->at[i - 1] = m;
    }
}

static void make(struct function *f, struct node *stmt, size_t b, size_t e, const char *word, size_t n,
                 site_list *all) {
    struct pragma *p = mem_alloc(sizeof *p);
    struct site *m = mem_alloc(sizeof *m);
    *p = (struct pragma){.directive = directive_find(word, n), .b = b, .e = b, .next = b};
    *m = (struct site){.p = p, .f = f, .stmt = stmt, .end = e, .made = true};
    insert(all, m);
    insert(&f->sites, m);
}

static bool is_inside(const struct function *f, const struct node *n, unsigned directive) {
    bool inside = false;
    for (size_t i = 0; i < f->sites.n; i++)
        inside |= site_is(f->sites.at[i], directive) && n->b > f->sites.at[i]->p->b && n->b < f->sites.at[i]->end;
    return inside;
}

static bool holds_pool(const struct function *f) {
    for (size_t i = 0; i < f->sites.n; i++)
        if (site_is(f->sites.at[i], DIRECTIVE_POOL))
            return true;
    return false;
}

static bool visit(struct unit *u, struct function *f, struct node *n, site_list *all) {
    bool any = false;
    struct function *g = called_alone(u, n);
    if (g && !site_of(u, n) && !is_inside(f, n, DIRECTIVE_LANES | DIRECTIVE_TASKLOOP) &&
        (!holds_pool(f) || is_inside(f, n, DIRECTIVE_POOL))) {
        const size_t end = ast_statement_end(u, n, n->b);
        make(f, n, n->b, end, "task", 4, all);
        make(f, NULL, end, end, "taskwait", 8, all);
        return true;
    }
    for (struct node *c = n->first; c; c = c->next)
        any |= visit(u, f, c, all);
    return any;
}

static bool visit_all(struct unit *u, struct function *f, unsigned seen, site_list *all) {
    if (function_seen(f, seen))
        return false;
    bool any = visit(u, f, f->body, all);
    for (size_t i = 0; i < f->calls.n; i++)
        any |= visit_all(u, f->calls.at[i], seen, all);
    return any;
}

void pool_make_waits(struct unit *u, site_list *all) {
    for (bool any = true; any;) { /* a function that then waits is called by others */
        const unsigned seen = function_visit();
        const size_t n = all->n;
        any = false;
        for (size_t i = 0; i < n && !any; i++)
            any = visit_all(u, all->at[i]->f, seen, all);
    }
}
