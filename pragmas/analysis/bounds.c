/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds and steps are evaluated once. Where they lie in memory, i < *n or i < a[0], the loop must not write there: by
 * the types, since objects of different ones are different, or by different names.
 */
#include "analysis/capture.h"
#include "function.h"
#include "nest.h"

/* What a reference to memory begins with: a variable; else nothing that is known. */
static CXCursor root_of(struct node *n) {
    while (n && n->first && n->kind != CXCursor_DeclRefExpr)
        n = ast_strip(n->first);
    return n && n->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(n->c) : clang_getNullCursor();
}

static bool is_memory(const struct node *n) {
    if (n->kind == CXCursor_ArraySubscriptExpr || ast_unary(n) == CXUnaryOperator_Deref)
        return true;
    return n->kind == CXCursor_MemberRefExpr && n->first && ast_type(ast_strip(n->first)).kind == CXType_Pointer;
}

/* What is read there and an element of type b may be the same object. */
static bool may_alias(const struct node *n, CXType b) {
    const CXType a = ast_type(n);
    b = clang_getUnqualifiedType(clang_getCanonicalType(b));
    if (b.kind == CXType_Record) /* a member of it */
        return n->kind == CXCursor_MemberRefExpr &&
               clang_equalTypes(clang_getUnqualifiedType(ast_pointee(ast_type(ast_strip(n->first)))), b);
    const bool integers = ast_is_integer(a) && ast_is_integer(b);
    if (clang_Type_getSizeOf(a) == 1 || clang_Type_getSizeOf(b) == 1)
        return true;
    return integers && clang_Type_getSizeOf(a) == clang_Type_getSizeOf(b);
}

static bool is_apart(CXCursor root, const struct var *v) {
    if (clang_Cursor_isNull(root))
        return false;
    if (node_is_table(root))
        return true;
    if (clang_isRestrictQualifiedType(clang_getCursorType(root)) ||
        clang_isRestrictQualifiedType(clang_getCursorType(v->decl)))
        return !clang_equalCursors(root, v->decl);
    if (clang_getCursorKind(root) == CXCursor_ParmDecl && clang_getCursorKind(v->decl) == CXCursor_VarDecl &&
        v->kind == VAR_ARRAY && !node_is_global(v->decl))
        return true; /* made after the parameter got its value */
    return ast_is_array(clang_getCanonicalType(clang_getCursorType(root))) &&
           clang_getCursorKind(root) == CXCursor_VarDecl && v->kind == VAR_ARRAY &&
           clang_getCursorKind(v->decl) == CXCursor_VarDecl && !clang_equalCursors(root, v->decl);
}

bool nest_check_bound(struct nest *w, struct node *n, bool (*writes)(const void *of, const struct var *v),
                      const void *of) {
    const char *what = w->p->directive->bit == DIRECTIVE_FOR ? "loop" : "nest";
    if (n->kind == CXCursor_UnaryExpr) /* sizeof */
        return true;
    for (size_t i = 0; is_memory(n) && i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if ((v->kind != VAR_POINTER && v->kind != VAR_ARRAY) || v->joined || v->local || !may_alias(n, v->elem_type) ||
            is_apart(root_of(n), v) || !writes(of, v))
            continue;
        diag_error(
            w->u, n->b,
            "the %s may write what its head reads in memory, through '%s'; copy that to a variable before the %s", what,
            v->name, what);
        return false;
    }
    for (struct node *c = n->first; c; c = c->next)
        if (!nest_check_bound(w, c, writes, of))
            return false;
    return true;
}

/* ---- taskloops, whose variables are not captured ---- */

/* The element that a statement writes, or what a function may write of what it is given; NULL: nothing. */
static struct node *written(struct node *n) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    if (ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec))
        return is_memory(ast_strip(n->first)) ? ast_strip(n->first) : NULL;
    if (!n->up || n->up->kind != CXCursor_CallExpr || n == n->up->first || ast_type(n).kind != CXType_Pointer ||
        clang_isConstQualifiedType(ast_pointee(ast_type(n))))
        return NULL;
    return ast_strip(n);
}

static bool body_writes(struct unit *u, struct node *n, struct node *read) {
    struct node *at = written(n);
    const CXCursor root = at ? root_of(at) : clang_getNullCursor();
    const CXType t = at ? ast_type(at) : (CXType){0};
    if (at && !clang_Cursor_isNull(root)) {
        const struct var *v = capture_var(&(struct nest){.u = u}, root);
        if (may_alias(read, t.kind == CXType_Pointer ? ast_pointee(t) : t) && !is_apart(root_of(read), v)) {
            diag_error(u, read->b,
                       "the tasks may write what the taskloop's head reads in memory, through '%s'; copy that to a "
                       "variable before the taskloop",
                       v->name);
            return true;
        }
    }
    for (struct node *c = n->first; c; c = c->next)
        if (body_writes(u, c, read))
            return true;
    return false;
}

bool taskloop_check_bound(struct unit *u, struct node *n, struct node *body) {
    if (n->kind == CXCursor_UnaryExpr) /* sizeof */
        return true;
    if (is_memory(n) && body_writes(u, body, n))
        return false;
    for (struct node *c = n->first; c; c = c->next)
        if (!taskloop_check_bound(u, c, body))
            return false;
    return true;
}
