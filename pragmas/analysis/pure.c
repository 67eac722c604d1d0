/* SPDX-License-Identifier: Apache-2.0 */
/*
 * May the body be run for cells that do not exist, with arbitrary values, and its result be thrown
 * away? Only when nothing in it can fault or be seen: no memory accesses left after replacement, no
 * integer division by what is not known, no loops (they might not end), no calls but to functions for which the same
 * holds.
 */
#include "analysis/refs.h"

#include <string.h>

static const char *const math[] = {"fmax",  "fmin",  "fabs",  "sqrt",  "exp",   "exp2",     "log",   "log2",
                                   "log10", "pow",   "sin",   "cos",   "tan",   "atan",     "atan2", "floor",
                                   "ceil",  "round", "trunc", "rint",  "hypot", "copysign", "fma",   "abs",
                                   "labs",  "cbrt",  "tanh",  "expm1", "log1p", "fmod"};

static bool is_math(const char *name) {
    if (strncmp(name, "__builtin_", 10) == 0)
        name += 10;
    for (size_t i = 0; i < sizeof math / sizeof *math; i++) {
        size_t n = strlen(math[i]);
        if (strncmp(name, math[i], n) == 0 && (name[n] == '\0' || (name[n] == 'f' && name[n + 1] == '\0')))
            return true;
    }
    return false;
}

static bool pure(struct nest *w, struct node *n, int depth);

static bool pure_call(struct nest *w, struct node *n, int depth) {
    struct node *callee = ast_strip(n->first);
    if (!callee || callee->kind != CXCursor_DeclRefExpr)
        return false;
    CXCursor f = clang_getCursorReferenced(callee->c);
    CXCursor definition = clang_getCursorDefinition(f);
    if (is_math(ast_name(f)))
        return true;
    /* Recursion ends in "not pure" through the depth limit. */
    return !clang_Cursor_isNull(definition) && depth < 8 && pure(w, ast_tree(w->u, definition), depth + 1);
}

static bool pure_reference(struct nest *w, struct node *n, int depth) {
    CXCursor d = clang_getCursorReferenced(n->c);
    if (depth == 0 || clang_getCursorKind(d) != CXCursor_VarDecl)
        return true;
    /* Inside a called function: its own variables, but no globals. */
    (void)w;
    return clang_Cursor_getStorageClass(d) != CX_SC_Static &&
           clang_getCursorKind(clang_getCursorSemanticParent(d)) == CXCursor_FunctionDecl;
}

/* By nothing, or by -1 of the least number, which overflows: a processor's trap. */
static bool divides_safely(struct node *n) {
    long by;
    return n->last && ast_constant(ast_strip(n->last), &by) && by != 0 && by != -1;
}

static bool harmless(struct node *n) {
    enum CXBinaryOperatorKind op = ast_binary(n);
    CXType t = clang_getCanonicalType(clang_getCursorType(n->c));
    bool floating = t.kind >= CXType_Float && t.kind <= CXType_LongDouble;
    if ((op == CXBinaryOperator_Div || op == CXBinaryOperator_Rem || op == CXBinaryOperator_DivAssign ||
         op == CXBinaryOperator_RemAssign) &&
        !floating && !divides_safely(n))
        return false;
    switch (n->kind) {
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
        return false;
    case CXCursor_UnaryOperator:
        return ast_unary(n) != CXUnaryOperator_Deref;
    case CXCursor_MemberRefExpr: {
        struct node *base = n->first;
        return !base || clang_getCanonicalType(clang_getCursorType(base->c)).kind != CXType_Pointer;
    }
    default:
        return true;
    }
}

/* Hoisted references, constants and arithmetic on them. */
static bool hoisted_only(struct nest *w, struct node *n) {
    const struct ref *r = n->kind == CXCursor_ArraySubscriptExpr ? refs_at(w, n) : NULL;
    if (r)
        return r->role == ROLE_ROW || r->role == ROLE_COL;
    if (n->kind == CXCursor_DeclRefExpr || n->kind == CXCursor_CallExpr || !harmless(n))
        return false;
    for (struct node *c = n->first; c; c = c->next)
        if (!hoisted_only(w, c))
            return false;
    return true;
}

/* A table looked up by hoisted row and column values alone: speculative lanes hold the values of some real
   row and some real column, so the element exists. */
static bool safe_table(struct nest *w, const struct ref *r) {
    if (r->role != ROLE_MEMORY || r->conditional || r->v->write)
        return false;
    for (int i = 0; i < r->nsubs; i++)
        if (!hoisted_only(w, r->sub[i]))
            return false;
    return true;
}

/* Speculative sweeps of an in-place stencil are sweeps past the last one, at cells that exist: all that could fault is
   an element chosen by the sweep's number. */
static bool in_stencil(struct nest *w, const struct ref *r) {
    for (int i = 0; i < r->nsubs; i++)
        if (!r->poly[i].ok)
            return r->v->write != NULL;
    return r->v->write || !nest_sweep_chooses(w, r);
}

/* Kept: the first node of the body that is not. */
static bool impure(struct nest *w, struct node *n, int depth) {
    if (!depth && !w->impure)
        w->impure = n;
    return false;
}

static bool pure(struct nest *w, struct node *n, int depth) {
    if (n->kind == CXCursor_UnaryExpr) /* sizeof: not evaluated */
        return true;
    if (depth == 0 && n->kind == CXCursor_ArraySubscriptExpr) {
        const struct ref *r = refs_at(w, n);
        if (r && (w->in_place_pure ? in_stencil(w, r)
                                   : r->role != ROLE_MEMORY || safe_table(w, r) || (w->early_pure && r->early)))
            return true;
    }
    if (n->kind == CXCursor_CallExpr && !pure_call(w, n, depth))
        return impure(w, n, depth);
    if (n->kind == CXCursor_DeclRefExpr && !pure_reference(w, n, depth))
        return impure(w, n, depth);
    if (!harmless(n))
        return impure(w, n, depth);
    for (struct node *c = n->first; c; c = c->next)
        if (!pure(w, c, depth))
            return false;
    return true;
}

bool refs_pure(struct nest *w) {
    for (size_t i = 0; i < w->vars.n; i++)
        if (w->vars.at[i]->preload && w->vars.at[i]->field == FIELD_FULL)
            return false; /* the old value comes from memory */
    return pure(w, w->body, 0);
}

bool refs_early_pure(struct nest *w) {
    for (size_t i = 0; i < w->vars.n; i++)
        if (w->vars.at[i]->preload && w->vars.at[i]->field == FIELD_FULL && !w->vars.at[i]->old)
            return false;
    w->early_pure = true; /* as which references count */
    return w->early_pure = pure(w, w->body, 0);
}

bool refs_in_place_pure(struct nest *w) {
    w->in_place_pure = true; /* as which references count */
    return w->in_place_pure = w->in_place && pure(w, w->body, 0);
}
