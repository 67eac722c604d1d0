/* SPDX-License-Identifier: Apache-2.0 */
/*
 * May a strip of j go inside? Its iterations have to be independent by the proof that a `for` needs. Arrays under
 * different names are different objects there: the run time looks whether those that the directive maps overlap, and
 * runs the loop as written then. What it does not see is not taken to be apart, whatever `independent` says, which is
 * about another loop.
 */
#include "analysis/capture.h"
#include "analysis/proof.h"
#include "exchange.h"

#include <stdint.h>
#include <string.h>

/* ---- statements ---- */

static bool is_odd(const struct node *n) {
    switch (n->kind) {
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_ReturnStmt:
    case CXCursor_LabelStmt:
    case CXCursor_SwitchStmt:
    case CXCursor_StmtExpr:
    case CXCursor_AddrLabelExpr:
    case CXCursor_CompoundLiteralExpr:
    case CXCursor_AsmStmt:
        return true;
    default:
        return ast_is_openmp(n) || ast_unary(n) == CXUnaryOperator_AddrOf || ast_unary(n) == CXUnaryOperator_Deref;
    }
}

static bool is_declared_oddly(const struct node *n) {
    return n->kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(n->c) != CX_SC_None &&
           clang_Cursor_getStorageClass(n->c) != CX_SC_Auto && clang_Cursor_getStorageClass(n->c) != CX_SC_Register;
}

static bool is_watched(const struct node *n) {
    const CXType t = clang_getCursorType(n->c);
    return t.kind != CXType_Invalid &&
           (clang_isVolatileQualifiedType(t) || clang_isVolatileQualifiedType(ast_type(n)) ||
            ast_type(n).kind == CXType_Atomic);
}

/* ---- arrays ---- */

static bool is_seen(const struct for_loop *f, CXCursor decl) {
    const struct var *v = capture_lookup((struct nest *)&f->w, decl);
    for (size_t i = 0; v && i < f->maps.n; i++)
        if (f->maps.at[i].v == v && !*f->maps.at[i].member)
            return !v->joined && !v->reduced;
    return false;
}

static bool in_body(const struct for_loop *f, CXCursor decl) {
    struct span s;
    return ast_span(f->w.u, decl, &s) && s.b >= f->w.body_begin && s.b < f->w.body_end;
}

/* A name of an array: the run time sees whether it overlaps others, or it is an object of the body's. */
static bool is_array(const struct for_loop *f, const struct node *n) {
    const CXCursor decl = clang_getCursorReferenced(n->c);
    if (n->kind != CXCursor_DeclRefExpr)
        return false;
    return in_body(f, decl) ? clang_getCursorKind(decl) == CXCursor_VarDecl && ast_is_array(ast_type(n))
                            : is_seen(f, decl);
}

/* Pointers only as the names of arrays that are subscripted. */
static bool is_plain_pointer(const struct for_loop *f, const struct node *n) {
    const CXType t = ast_type(n);
    if (t.kind != CXType_Pointer && !ast_is_array(t))
        return true;
    if (n->kind == CXCursor_UnexposedExpr || n->kind == CXCursor_ParenExpr)
        return n->first && !n->first->next && ast_type(n->first).kind != CXType_Invalid;
    if (n->kind == CXCursor_DeclRefExpr) {
        const struct node *up = n->up, *below = n;
        while (up && (up->kind == CXCursor_UnexposedExpr || up->kind == CXCursor_ParenExpr))
            below = up, up = up->up;
        return up && up->kind == CXCursor_ArraySubscriptExpr && up->first == below && is_array(f, n);
    }
    /* a row; what is found in memory is no row */
    return ast_is_array(t) && (n->kind == CXCursor_ArraySubscriptExpr || n->kind == CXCursor_MemberRefExpr);
}

bool exchange_is_simple(const struct for_loop *f, const struct node *n) {
    if (is_odd(n) || is_declared_oddly(n) || is_watched(n))
        return false;
    if (n->kind == CXCursor_CallExpr) { /* a known function of values */
        const CXCursor callee = function_callee((struct node *)(uintptr_t)n);
        if (clang_Cursor_isNull(callee) || !function_is_pure(callee))
            return false;
        n = n->first;
        while (n && (n = n->next))
            if (!exchange_is_simple(f, n))
                return false;
        return true;
    }
    if (n->kind == CXCursor_MemberRefExpr && n->first && ast_type(n->first).kind == CXType_Pointer)
        return false;
    if (clang_isExpression(n->kind) && n->kind != CXCursor_UnaryExpr && !is_plain_pointer(f, n))
        return false;
    for (const struct node *c = n->first; c; c = c->next)
        if (!exchange_is_simple(f, c))
            return false;
    return true;
}

/* ---- heads ---- */

bool exchange_is_fixed(const struct exchange *x, struct node *n) {
    long k;
    if (!n || ast_constant(n, &k))
        return true;
    if (n->kind == CXCursor_DeclRefExpr) {
        const CXCursor d = clang_getCursorReferenced(n->c);
        struct span s;
        if (clang_getCursorKind(d) == CXCursor_EnumConstantDecl)
            return true;
        if ((clang_getCursorKind(d) != CXCursor_VarDecl && clang_getCursorKind(d) != CXCursor_ParmDecl) ||
            !ast_is_integer(clang_getCursorType(d)) || clang_isVolatileQualifiedType(clang_getCursorType(d)) ||
            clang_equalCursors(d, x->count.var) || node_changes(x->body, d, NULL))
            return false;
        /* of j's body: only those of loops, which the strip is inside of */
        if (!ast_span(x->f->w.u, d, &s) || s.b < x->body->b || s.b >= x->body->e)
            return !node_is_global(d) || clang_isConstQualifiedType(clang_getCursorType(d)) ||
                   capture_lookup(&x->f->w, d);
        for (const struct node *up = n->up; up && up != x->body->up; up = up->up) {
            struct loop_count c;
            if (up->kind == CXCursor_ForStmt && loop_counts((struct node *)(uintptr_t)up, &c) &&
                clang_equalCursors(c.var, d))
                return true;
        }
        return false;
    }
    if (n->kind != CXCursor_ParenExpr && n->kind != CXCursor_UnexposedExpr && n->kind != CXCursor_CStyleCastExpr &&
        n->kind != CXCursor_BinaryOperator && n->kind != CXCursor_ConditionalOperator &&
        ast_unary(n) != CXUnaryOperator_Minus && ast_unary(n) != CXUnaryOperator_Plus)
        return false;
    if (ast_is_assignment(n) || !n->first)
        return false;
    /* it may be evaluated where it was not: nothing is divided by what may be 0 */
    if ((ast_binary(n) == CXBinaryOperator_Div || ast_binary(n) == CXBinaryOperator_Rem) &&
        !(ast_constant(n->last, &k) && k))
        return false;
    for (struct node *c = n->first; c; c = c->next)
        if (!clang_isReference(c->kind) && !exchange_is_fixed(x, c))
            return false;
    return true;
}

/* ---- the text ---- */

bool exchange_is_plain(const struct for_loop *f) {
    const struct source *src = &f->w.u->src;
    struct lexer lx;
    for (lexer_init(&lx, src->text, f->w.p->e, f->w.body_end); lx.tok.kind != TOKEN_END; lexer_next(&lx))
        if (lexer_is(&lx, '#') || lexer_is_word(&lx, "_Pragma"))
            return false;
    return true;
}

/* ---- the proof ---- */

static struct loop as_loop(const struct loop_count *c, struct node *stmt) {
    return (struct loop){.stmt = stmt,
                         .var = c->var,
                         .name = ast_name(c->var),
                         .first = c->first,
                         .bound = c->bound,
                         .open = c->open,
                         .step = c->step,
                         .down = c->down};
}

bool exchange_may(const struct exchange *x) {
    struct loop loops[MAX_LOOPS];
    struct proof o = {.u = x->f->w.u, .p = x->f->w.p, .body = x->body};
    if (!exchange_is_simple(x->f, x->body) || x->narounds + 1 > MAX_LOOPS)
        return false;
    loops[0] = as_loop(&x->count, x->loop);
    for (int k = 0; k < x->narounds; k++) {
        struct loop_count c;
        if (!loop_counts(x->around[k], &c))
            return false;
        loops[k + 1] = as_loop(&c, x->around[k]);
    }
    for (o.dims = 0; o.dims <= x->narounds; o.dims++)
        o.loop[o.dims] = &loops[o.dims];
    return proof_apart(&o);
}
