/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a batch's statements around the nest must not do. Those in front of it run several times, to find sizes, for the
 * nest, and again before those behind it: they may only set variables of the problem. First values and the last cell's
 * place are expressions that are computed later than they stand: nothing in them may change meanwhile.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "analysis/batch.h"
#include "analysis/function.h"

static bool is_dropped(const struct nest *w, const struct node *n) {
    for (size_t i = 0; i < w->batch->dropped.n; i++)
        if (n->b >= w->batch->dropped.at[i].b && n->e <= w->batch->dropped.at[i].e)
            return true;
    return false;
}

static bool declared_in_body(const struct nest *w, const struct node *n) {
    struct span s;
    return n->kind == CXCursor_DeclRefExpr && ast_span(w->u, clang_getCursorReferenced(n->c), &s) &&
           s.b >= w->batch->body->b && s.b < w->batch->body->e;
}

static bool stores_outside(struct nest *w, struct node *n) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    if (ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec)) {
        struct node *to = ast_strip(n->first);
        while (to->kind == CXCursor_MemberRefExpr && to->first &&
               clang_getCanonicalType(clang_getCursorType(to->first->c)).kind != CXType_Pointer)
            to = ast_strip(to->first);
        return !declared_in_body(w, to);
    }
    if (n->kind == CXCursor_CallExpr) {
        const struct function *f = function_called(w->u, n);
        return !function_is_pure(function_callee(n)) && (!f || f->stores);
    }
    return false;
}

static bool check_stores(struct nest *w, struct node *n) {
    bool ok = true;
    if (stores_outside(w, n)) {
        diag_error(
            w->u, n->b,
            "statements in front of a batch's nest run more than once, and this one may change more than variables "
            "that the problem declares; move it behind the nest");
        return false;
    }
    for (struct node *c = n->first; c; c = c->next)
        ok &= check_stores(w, c);
    return ok;
}

/* A variable that `expression` mentions, which statements from `from` up to `to` change. */
static struct node *changed(const struct nest *w, struct node *expression, struct node *from, const struct node *to) {
    if (declared_in_body(w, expression)) {
        const CXCursor var = clang_getCursorReferenced(expression->c);
        for (struct node *n = from; n && n != to; n = n->next)
            if (clang_getCursorKind(var) == CXCursor_VarDecl && node_changes(n, var, NULL))
                return expression;
    }
    for (struct node *c = expression->first; c; c = c->next) {
        struct node *found = changed(w, c, from, to);
        if (found)
            return found;
    }
    return NULL;
}

static bool check_first(struct nest *w, const struct first_value *f) {
    struct node *parts[MAX_DIMS + 3] = {f->value}, *found = NULL;
    struct node *from = f->stmt;
    int n = 1;
    if (f->zero)
        return true;
    for (int d = 0; d < f->nsubs; d++)
        parts[n++] = f->sub[d];
    if (f->loop.stmt) {
        parts[n++] = f->loop.first;
        parts[n++] = f->loop.bound;
        if (node_changes(f->value, f->loop.var, NULL))
            found = f->value;
        from = from->next; /* its own variable counts in it */
    }
    for (int k = 0; k < n && !found; k++)
        found = changed(w, parts[k], from, w->batch->nest);
    if (found)
        diag_error(w->u, found->b, "'%s' changes between this first value and the nest; use a variable of its own",
                   unit_text(w->u, found));
    return !found;
}

/* Behind the nest its bounds still say which cell is the last. */
static bool check_bounds(struct nest *w) {
    for (int l = 0; w->batch->last_cell && l < 2; l++) {
        struct node *found = changed(w, w->loop[l].bound, w->batch->nest->next, NULL);
        if (found) {
            diag_error(w->u, found->b, "'%s' changes behind the nest, where the last cell is read by it; copy it",
                       unit_text(w->u, found));
            return false;
        }
    }
    return true;
}

/* Functions have copies of scalars: what they change is lost. */
static bool check_outer(struct nest *w) {
    const struct nest *o = &w->batch->outer;
    for (size_t i = 0; i < o->uses.n; i++) {
        const struct use *use = &o->uses.at[i];
        const unsigned access = capture_access(use->n);
        if (use->v->kind == VAR_SCALAR && node_is_modified(access) &&
            !(access == ACCESS_ADDRESS && refs_only_shown(use->n))) {
            diag_error(w->u, use->offset,
                       "'%s' is changed by every problem; store what each one adds in an array, or declare it inside "
                       "the loop over '%s'",
                       use->v->name, w->batch->loop.name);
            return false;
        }
    }
    return true;
}

bool batch_around(struct nest *w) {
    bool ok = check_outer(w);
    for (struct node *n = w->batch->body->first; n && n != w->batch->nest; n = n->next)
        if (!is_dropped(w, n))
            ok &= check_stores(w, n);
    for (size_t i = 0; ok && i < w->batch->firsts.n; i++)
        ok = check_first(w, &w->batch->firsts.at[i]);
    return ok && check_bounds(w);
}
