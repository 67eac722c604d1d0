/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an iteration of j keeps from one piece to the next: scalars of its body, which become arrays over the strip, and
 * elements that all turns of a loop add to, which are copied to such an array while it runs. No other name leads to
 * them, so the compiler keeps them in registers.
 */
#include "front/macros.h"
#include "analysis/normal.h"
#include "exchange.h"

#include <string.h>

static bool is_number(CXType t) {
    if (!exchange_is_named(t))
        return false;
    t = clang_getCanonicalType(t);
    return ast_is_integer(t) || t.kind == CXType_Float || t.kind == CXType_Double || t.kind == CXType_LongDouble;
}

/* ---- scalars ---- */

static bool leaves(const struct exchange_piece *p, CXCursor var, const struct exchange_piece *own) {
    for (size_t i = 0; p != own && i < p->statements.n; i++)
        if (exchange_mentions(p->statements.at[i], var))
            return true;
    for (size_t i = 0; i < p->inside.n; i++)
        if (leaves(p->inside.at[i], var, own))
            return true;
    return false;
}

static bool is_used_elsewhere(const struct exchange *x, CXCursor var, const struct exchange_piece *own) {
    for (size_t i = 0; i < x->pieces.n; i++)
        if (leaves(x->pieces.at[i], var, own))
            return true;
    return false;
}

static bool expand(struct exchange *x, struct node *declaration, const struct exchange_piece *own) {
    bool any = false;
    for (struct node *v = declaration->first; v; v = v->next)
        any |= v->kind != CXCursor_VarDecl || is_used_elsewhere(x, v->c, own);
    for (struct node *v = declaration->first; any && v; v = v->next) {
        edit_list edits = {0};
        const CXType t = clang_getCursorType(v->c);
        const struct node *value = v->last && clang_isExpression(v->last->kind) ? v->last : NULL;
        if (v->kind != CXCursor_VarDecl || !is_number(t) || (value && value->kind == CXCursor_InitListExpr) ||
            !normal_mentions(x->f->w.u, x->body, v->c, "", &edits))
            return false;
        vec_push(&x->locals, (struct exchange_local){v->c, mem_printf("heddle_x%zu_%s", x->locals.n, ast_name(v->c)),
                                                     ast_spelling(clang_getUnqualifiedType(t))});
    }
    return true;
}

static bool expand_all(struct exchange *x, struct exchange_piece *p) {
    for (size_t i = 0; i < p->statements.n; i++)
        if (p->statements.at[i]->kind == CXCursor_DeclStmt && !expand(x, p->statements.at[i], p))
            return false;
    for (size_t i = 0; i < p->inside.n; i++)
        if (!expand_all(x, p->inside.at[i]))
            return false;
    return true;
}

/* ---- elements ---- */

/* It is the same for all turns of the loop, and the statements in it do not change it. */
static bool is_steady(const struct exchange *x, const struct node *loop, struct node *n) {
    if (n->kind == CXCursor_DeclRefExpr) {
        struct span s;
        const CXCursor d = clang_getCursorReferenced(n->c);
        return clang_equalCursors(d, x->count.var) ||
               (ast_span(x->f->w.u, d, &s) && (s.b < loop->b || s.b >= loop->e) && exchange_is_fixed(x, n));
    }
    if (n->kind == CXCursor_ArraySubscriptExpr || n->kind == CXCursor_CallExpr || ast_is_assignment(n) ||
        (ast_unary(n) >= CXUnaryOperator_PostInc && ast_unary(n) <= CXUnaryOperator_PreDec))
        return false;
    for (struct node *c = n->first; c; c = c->next)
        if (clang_isExpression(c->kind) && !is_steady(x, loop, c))
            return false;
    return true;
}

static bool is_steady_element(const struct exchange *x, const struct node *loop, struct node *n) {
    for (; n->kind == CXCursor_ArraySubscriptExpr; n = ast_strip(n->first))
        if (!is_steady(x, loop, n->last))
            return false;
    return n->kind == CXCursor_DeclRefExpr;
}

static CXCursor array_of(const struct node *n) {
    while (n->kind != CXCursor_DeclRefExpr && n->first)
        n = n->first;
    return clang_getCursorReferenced(n->c);
}

/* Every element of the array in there is that one. */
static bool is_only(const struct exchange *x, struct node *n, CXCursor array, const char *text) {
    if (n->kind == CXCursor_ArraySubscriptExpr && clang_equalCursors(array_of(n), array) &&
        strcmp(unit_text(x->f->w.u, n), text) == 0 && !expansion_begins(x->f->w.u, n))
        return true;
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), array))
        return false;
    for (struct node *c = n->first; c; c = c->next)
        if (!is_only(x, c, array, text))
            return false;
    return true;
}

static bool is_simple(const struct node *n) {
    if (n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt)
        return false;
    for (const struct node *c = n->first; c; c = c->next)
        if (!is_simple(c))
            return false;
    return true;
}

static void hold(struct exchange *x, struct exchange_piece *p, struct node *statement) {
    const struct exchange_piece *leaf = p->inside.at[0];
    struct node *n = ast_is_assignment(statement) ? ast_strip(statement->first) : NULL;
    if (!n || n->kind != CXCursor_ArraySubscriptExpr || !is_number(ast_type(n)) || !is_steady_element(x, p->loop, n))
        return;
    const char *text = unit_text(x->f->w.u, n);
    for (size_t i = 0; i < p->held.n; i++)
        if (strcmp(p->held.at[i].text, text) == 0)
            return;
    for (size_t i = 0; i < leaf->statements.n; i++)
        if (!is_only(x, leaf->statements.at[i], array_of(n), text))
            return;
    vec_push(&p->held, (struct exchange_held){text, mem_printf("heddle_h%zu_%s", p->held.n, ast_name(array_of(n))),
                                              ast_spelling(clang_getUnqualifiedType(clang_getCursorType(n->c)))});
}

/* Four turns at once, where that spares loads and stores; what turns add up stays in its order. */
static bool jams(const struct exchange *x, const struct exchange_piece *p, const struct loop_count *c) {
    const struct exchange_piece *leaf = p->inside.at[0];
    long k;
    for (size_t i = 0; i < leaf->statements.n; i++)
        if (!is_simple(leaf->statements.at[i]))
            return false;
    return x->width == EXCHANGE_WIDE && !c->down && (!c->step || (ast_constant(c->step, &k) && k == 1)) &&
           leaf->statements.n <= EXCHANGE_JAM && (p->held.n || x->locals.n);
}

static void hold_all(struct exchange *x, struct exchange_piece *p) {
    struct loop_count c;
    for (size_t i = 0; i < p->inside.n; i++)
        hold_all(x, p->inside.at[i]);
    if (!p->loop || p->inside.n != 1 || p->inside.at[0]->loop || !loop_counts(p->loop, &c))
        return;
    for (size_t i = 0; !c.down && i < p->inside.at[0]->statements.n; i++)
        hold(x, p, p->inside.at[0]->statements.at[i]);
    p->jams = jams(x, p, &c);
}

bool exchange_scalars(struct exchange *x) {
    for (size_t i = 0; i < x->pieces.n; i++)
        if (!expand_all(x, x->pieces.at[i]))
            return false;
    for (size_t i = 0; i < x->pieces.n; i++)
        hold_all(x, x->pieces.at[i]);
    return true;
}
