/* SPDX-License-Identifier: Apache-2.0 */
/* Values that subscripts are made of: what of the body can be computed before the loop. */
#include "reach_walk.h"

#include "analysis/capture.h"

int reach_need(struct reach *r, CXCursor d) {
    for (int i = 0; i < r->nneeded; i++)
        if (clang_equalCursors(r->needed[i], d))
            return i;
    if (r->nneeded == MAX_LOOKED) {
        r->failed = true;
        return 0;
    }
    r->needed[r->nneeded] = d;
    return r->nneeded++;
}

int reach_needed(const struct reach *r, CXCursor d) {
    for (int i = 0; i < r->nneeded; i++)
        if (clang_equalCursors(r->needed[i], d))
            return i;
    return -1;
}

/* The array whose element n is. */
static struct var *array_of(const struct reach *r, struct node *n) {
    while (n->kind == CXCursor_ArraySubscriptExpr || n->kind == CXCursor_MemberRefExpr ||
           ast_unary(n) == CXUnaryOperator_Deref)
        n = ast_strip(n->first);
    return n->kind == CXCursor_DeclRefExpr ? capture_lookup(&r->f->w, clang_getCursorReferenced(n->c)) : NULL;
}

bool reach_is_name(struct reach *r, struct node *n) {
    const CXCursor d = clang_getCursorReferenced(n->c);
    const enum CXCursorKind kind = clang_getCursorKind(d);
    const struct var *v = capture_lookup(&r->f->w, d);
    if (kind == CXCursor_EnumConstantDecl)
        return true;
    if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl)
        return false;
    if (v)
        return !v->private && !v->reduced && !v->joined && !node_changes(r->f->w.body, d, NULL);
    if (!capture_is_inside(&r->f->w, d) || ast_type(n).kind == CXType_Pointer)
        return false;
    r->loads = reach_later(r->loads, r->loaded[reach_need(r, d)]);
    return true;
}

static bool are_plain(struct reach *r, struct node *n) {
    const int outer = r->loads;
    int loads = outer;
    for (struct node *c = n->first; c; c = c->next) {
        r->loads = outer;
        if (!reach_is_plain(r, c))
            return false;
        loads = reach_later(loads, r->loads);
    }
    r->loads = loads;
    return true;
}

static bool is_reached(const struct reach *r, const struct var *v) {
    for (size_t i = 0; i < r->f->reached.n; i++)
        if (r->f->reached.at[i].v == v)
            return true;
    return false;
}

/* Whole numbers that are no bytes: those may be of any object. */
static bool is_integer_object(CXType t) {
    return ast_is_integer(t) && t.kind != CXType_Char_S && t.kind != CXType_Char_U && t.kind != CXType_SChar &&
           t.kind != CXType_UChar;
}

static bool is_plain_element(struct reach *r, struct node *n) {
    const struct var *v = array_of(r, n);
    if (!v || for_may_write(r->f, v) || ast_type(n).kind == CXType_Pointer || !are_plain(r, n))
        return false;
    const int place = is_reached(r, v) ? reach_later(r->loads, 1) : r->loads;
    r->follows |= r->loads || !ast_is_integer(ast_type(n));
    r->loads = r->reals && is_integer_object(ast_type(n)) ? reach_later(r->loads, 1) : place + 1;
    return true;
}

bool reach_is_plain(struct reach *r, struct node *n) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    const CXType t = clang_isExpression(n->kind) ? clang_getCursorType(n->c) : (CXType){CXType_Invalid, {0, 0}};
    const bool is_memory =
        n->kind == CXCursor_ArraySubscriptExpr || n->kind == CXCursor_MemberRefExpr || unary == CXUnaryOperator_Deref;
    if (n->kind == CXCursor_UnaryExpr) /* sizeof */
        return true;
    if (ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec) ||
        unary == CXUnaryOperator_AddrOf || n->kind == CXCursor_StmtExpr || clang_isVolatileQualifiedType(t) ||
        (n->kind == CXCursor_CallExpr && !function_is_pure(function_callee(n))))
        return false;
    if (n->kind == CXCursor_DeclRefExpr &&
        clang_getCursorKind(clang_getCursorReferenced(n->c)) != CXCursor_FunctionDecl)
        return reach_is_name(r, n);
    return is_memory ? is_plain_element(r, n) : are_plain(r, n);
}
