/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that only read memory: whatever they read may overlap. */
#include "analysis/function.h"
#include "analysis/capture.h"
#include "loop.h"

/* A variable of the loop's own, or a scalar that is reduced, or a part of one. */
static bool is_own(struct for_loop *f, struct node *n) {
    for (n = ast_strip(n); n && n->kind != CXCursor_DeclRefExpr; n = ast_strip(n->first)) {
        const bool part = (n->kind == CXCursor_ArraySubscriptExpr || n->kind == CXCursor_MemberRefExpr) && n->first;
        if (!part || ast_type(ast_strip(n->first)).kind == CXType_Pointer)
            return false;
    }
    const CXCursor decl = n ? clang_getCursorReferenced(n->c) : clang_getNullCursor();
    const struct var *v = n ? capture_lookup(&f->w, decl) : NULL;
    return n && (capture_is_inside(&f->w, decl) || (v && v->kind == VAR_SCALAR && v->reduced));
}

static bool only_reads(struct for_loop *f, struct node *n) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    const bool writes = ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec);
    if ((writes && !is_own(f, n->first)) || n->kind == CXCursor_GCCAsmStmt || n->kind == CXCursor_MSAsmStmt ||
        n->kind == CXCursor_StmtExpr || ast_is_openmp(n))
        return false;
    if (n->kind == CXCursor_CallExpr && !function_only_reads(f->w.u, n))
        return false;
    for (struct node *c = n->first; c; c = c->next)
        if (!only_reads(f, c))
            return false;
    return true;
}

bool for_only_reads(struct for_loop *f) {
    for (size_t i = 0; i < f->w.vars.n; i++)
        if (f->w.vars.at[i]->joined)
            return false;
    return !f->hidden.n && !f->hidden_text.n && only_reads(f, f->w.body);
}
