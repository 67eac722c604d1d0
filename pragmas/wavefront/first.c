/* SPDX-License-Identifier: Apache-2.0 */
/* The statements in front of a batch's nest: which of them give a problem's arrays their first values. */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "analysis/batch.h"
#include "analysis/function.h"

#include <string.h>

static bool fail(const struct nest *w, const struct node *n, const char *what) {
    diag_error(w->u, n->b,
               "%s; in front of the nest a problem's arrays are set to zero (= {0}, or memset), or "
               "element by element, in a loop that counts by one: A[j] = value",
               what);
    return false;
}

static bool mentions_array(const struct nest *w, const struct node *n) {
    if (batch_local(w, n))
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (mentions_array(w, c))
            return true;
    return false;
}

static bool is_zero(const struct nest *w, struct node *n) {
    long value;
    if (n->kind == CXCursor_InitListExpr)
        return !n->first || (!n->first->next && is_zero(w, n->first));
    n = ast_strip(n);
    if (n->kind == CXCursor_FloatingLiteral)
        return strspn(unit_text(w->u, n), "0.fF") == n->e - n->b;
    return ast_constant(n, &value) && !value;
}

/* short H[2][m + 1] = {0}; */
static bool declaration(struct nest *w, struct node *stmt, bool *dropped) {
    int arrays = 0, others = 0;
    for (struct node *d = stmt->first; d; d = d->next) {
        struct var *v = d->kind == CXCursor_VarDecl ? capture_lookup(w, d->c) : NULL;
        if (!v || !v->local) {
            if (mentions_array(w, d))
                return fail(w, d, mem_printf("'%s' begins with an array of the problem", ast_name(d->c)));
            others++;
            continue;
        }
        arrays++;
        struct node *first = d->last;
        if (!first || first->kind != CXCursor_InitListExpr)
            continue;
        if (!is_zero(w, first))
            return fail(w, first, mem_printf("'%s' begins with other values than zero", v->name));
        vec_push(&w->batch->firsts, (struct first_value){.array = v->decl, .stmt = stmt, .zero = true});
    }
    if (arrays && others) {
        diag_error(w->u, stmt->b,
                   "arrays and other variables of a problem in one declaration; give the others one of their own");
        return false;
    }
    *dropped = arrays;
    return true;
}

/* memset(H, 0, sizeof H) */
static bool cleared(struct nest *w, struct node *call) {
    struct node *name = call->first ? ast_strip(call->first) : NULL;
    struct node *array = call->first ? call->first->next : NULL, *value = array ? array->next : NULL;
    struct node *bytes = value ? value->next : NULL;
    if (!name || !bytes || bytes->next || strcmp(ast_name(clang_getCursorReferenced(name->c)), "memset") != 0)
        return fail(w, call, "a call with an array of the problem");
    struct var *v = batch_local(w, ast_strip(array));
    long zero;
    if (!v || !ast_constant(ast_strip(value), &zero) || zero || ast_strip(bytes)->kind != CXCursor_UnaryExpr ||
        !strstr(unit_text(w->u, bytes), v->name))
        return fail(w, call, "this is not memset(array, 0, sizeof array)");
    vec_push(&w->batch->firsts, (struct first_value){.array = v->decl, .stmt = call, .zero = true});
    return true;
}

/* A[0][j] = B[1][j] = value; */
static bool assignment(struct nest *w, struct node *stmt, struct node *n, const struct loop *loop) {
    n = ast_strip(n);
    if (ast_binary(n) != CXBinaryOperator_Assign)
        return fail(w, n, "this is no plain assignment");
    struct node *value = ast_strip(n->last);
    if (ast_binary(value) == CXBinaryOperator_Assign && !assignment(w, stmt, value, loop))
        return false;
    while (ast_binary(value) == CXBinaryOperator_Assign)
        value = ast_strip(value->last);
    struct node *base = ast_strip(n->first);
    while (base && base->kind == CXCursor_ArraySubscriptExpr)
        base = ast_strip(base->first);
    struct var *v = base ? batch_local(w, base) : NULL;
    struct ref r = {.v = v};
    if (!v || !refs_subscripts(v, base, &r))
        return fail(w, n, "this is no element of an array that the problem declares");
    if (mentions_array(w, value))
        return fail(w, value, "the value is that of another element");
    struct first_value f = {.array = v->decl, .stmt = stmt, .nsubs = r.nsubs, .value = value};
    for (int d = 0; d < r.nsubs; d++) {
        f.sub[d] = r.sub[d];
        if (loop && nest_is_mentioned(r.sub[d], loop->var) && !nest_is_variable(r.sub[d], loop->var))
            return fail(w, r.sub[d], mem_printf("the subscript is not '%s' itself", loop->name));
    }
    if (loop)
        f.loop = *loop;
    vec_push(&w->batch->firsts, f);
    return true;
}

static bool counted(struct nest *w, struct node *stmt) {
    struct loop loop = {0};
    if (!nest_loop(w, stmt, &loop))
        return false;
    struct node *body = stmt->last;
    if (body->kind != CXCursor_CompoundStmt)
        return assignment(w, stmt, body, &loop);
    for (struct node *n = body->first; n; n = n->next)
        if (!assignment(w, stmt, n, &loop))
            return false;
    return true;
}

static bool statement(struct nest *w, struct node *stmt, bool *dropped) {
    if (stmt->kind == CXCursor_DeclStmt)
        return declaration(w, stmt, dropped);
    if (!mentions_array(w, stmt))
        return true;
    *dropped = true;
    if (stmt->kind == CXCursor_CallExpr)
        return cleared(w, stmt);
    if (stmt->kind == CXCursor_ForStmt)
        return counted(w, stmt);
    return assignment(w, stmt, stmt, NULL);
}

bool batch_before(struct nest *w) {
    for (struct node *n = w->batch->body->first; n && n != w->batch->nest; n = n->next) {
        bool dropped = false;
        if (!statement(w, n, &dropped))
            return false;
        if (dropped)
            vec_push(&w->batch->dropped, (struct span){n->b, ast_statement_end(w->u, n, n->b)});
    }
    return true;
}
