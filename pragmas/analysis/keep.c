/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that each iteration fills before it reads them, and that are read after the loop or known to other functions:
 * each iteration may have its own if the last one's is what the serial program leaves. So every iteration has to write
 * the same elements, on every way through, and nothing else in the loop may lead to the array.
 */
#include "analysis/capture.h"
#include "assigned.h"
#include "prepare.h"

static bool is_pointer(const struct node *n) {
    const bool value = n->kind == CXCursor_DeclRefExpr || n->kind == CXCursor_MemberRefExpr ||
                       n->kind == CXCursor_CallExpr || n->kind == CXCursor_ArraySubscriptExpr ||
                       n->kind == CXCursor_CStyleCastExpr || ast_unary(n) == CXUnaryOperator_AddrOf ||
                       ast_unary(n) == CXUnaryOperator_Deref;
    if (!value)
        return false;
    const CXType t = clang_getCanonicalType(clang_getCursorType(n->c));
    const CXCursor decl = n->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(n->c) : clang_getNullCursor();
    return t.kind == CXType_Pointer || (clang_getCursorKind(decl) == CXCursor_ParmDecl && ast_is_array(t));
}

/* A pointer leads somewhere in the statement, or in what it calls: to the array, for all that is known. */
static bool follows(const struct prepare *s, struct node *n, unsigned visit) {
    struct function *f = n->kind == CXCursor_CallExpr ? function_called(s->u, n) : NULL;
    if (n->kind == CXCursor_UnaryExpr)
        return false;
    if (is_pointer(n) || (f && !function_seen(f, visit) && follows(s, f->body, visit)))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (follows(s, c, visit))
            return true;
    return false;
}

static bool is_memory(CXCursor callee) { return function_is_memory(ast_name(callee)); }

/* A function of another file, which may know what this file knows; those of the C library do not call back. */
static bool calls_unknown(const struct prepare *s, struct node *n, unsigned visit) {
    if (n->kind == CXCursor_CallExpr) {
        struct function *f = function_called(s->u, n);
        const CXCursor callee = function_callee(n);
        if (!f && (clang_Cursor_isNull(callee) ||
                   !(clang_Location_isInSystemHeader(clang_getCursorLocation(callee)) || function_is_pure(callee))))
            return true;
        if (f && !function_seen(f, visit) && calls_unknown(s, f->body, visit))
            return true;
        for (struct node *c = n->first ? n->first->next : NULL; c && !f; c = c->next) {
            const CXType t = clang_getCanonicalType(clang_getCursorType(c->c));
            if (t.kind == CXType_Pointer && !clang_isConstQualifiedType(ast_pointee(t)) && !is_memory(callee))
                return true; /* written through, or called */
        }
    }
    for (struct node *c = n->first; c; c = c->next)
        if (calls_unknown(s, c, visit))
            return true;
    return false;
}

bool keep_knows_calls(const struct prepare *s) { return !calls_unknown(s, s->root, function_visit()); }

static bool is_number(CXType t) {
    t = clang_getCanonicalType(t);
    return t.kind >= CXType_Bool && t.kind <= CXType_LongDouble;
}

bool own_is_kept(const struct prepare *s, CXCursor decl) {
    struct node *body = s->root->last;
    const struct var *v = capture_var(&(struct nest){.u = s->u}, decl);
    if (!own_is_aggregate(decl) || v->kind != VAR_ARRAY || !v->ndims || !is_number(v->elem_type) ||
        !own_may_be(s, body, decl))
        return false;
    if (node_is_global(decl) && (!keep_knows_calls(s) || own_is_called(s, s->root, decl, function_visit()) ||
                                 follows(s, s->root, function_visit())))
        return false;
    return own_fills(s, body, decl) && assigned_alike(s->u, s->root, v, own_fixed(s));
}
