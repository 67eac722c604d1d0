/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does it pay? Counted is what the innermost loop touches in one of its turns: nothing for what stays the same, one for
 * the next element, eight for one in another cache line. What several turns of k change is loaded and stored once. A
 * strip of few iterations reads rows of j one beside the other: there an element counts as the next one if it is so in
 * j or in k.
 */
#include "analysis/capture.h"
#include "exchange.h"

#include <string.h>

enum { SAME, NEXT, FAR }; /* where the next turn's element lies */
enum { COST_FAR = 8 };

bool exchange_mentions(const struct node *n, CXCursor var) {
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), var))
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (exchange_mentions(c, var))
            return true;
    return false;
}

/* By how much the number grows with the variable: 0, 1 or -1, or something else. */
static int slope(struct node *n, CXCursor var) {
    n = ast_strip(n);
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (!exchange_mentions(n, var))
        return SAME;
    if (n->kind == CXCursor_DeclRefExpr)
        return NEXT;
    if (n->kind == CXCursor_CStyleCastExpr && n->last)
        return slope(n->last, var);
    if ((op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub) &&
        (!exchange_mentions(n->first, var) || !exchange_mentions(n->last, var)))
        return slope(exchange_mentions(n->first, var) ? n->first : n->last, var);
    return FAR;
}

/* The same of an element: of the array's subscripts, the last one counts neighbours. */
static int distance(struct node *n, CXCursor var) {
    const long long bytes = clang_Type_getSizeOf(ast_type(n));
    int last = slope(n->last, var);
    if (last == NEXT && bytes > 16)
        last = FAR;
    for (struct node *base = ast_strip(n->first); base && last != FAR; base = ast_strip(base->first)) {
        if (base->kind == CXCursor_ArraySubscriptExpr && exchange_mentions(base->last, var))
            last = FAR;
        if (base->kind != CXCursor_ArraySubscriptExpr && base->kind != CXCursor_MemberRefExpr)
            break;
    }
    return last;
}

static int times(struct node *n) {
    const unsigned access = capture_access(n);
    return access & ACCESS_UNEVALUATED ? 0 : ((access & ACCESS_READ) != 0) + ((access & ACCESS_WRITE) != 0);
}

struct sums {
    const struct exchange *x;
    CXCursor k;
    int in_k, in_j, narrow;
    int held; /* of in_j: elements that all turns of k change */
};

static int cost(int d) { return d == SAME ? 0 : d == NEXT ? 1 : COST_FAR; }

static bool is_local(const struct exchange *x, const struct node *n) {
    struct span s;
    return n->kind == CXCursor_DeclRefExpr &&
           clang_getCursorKind(clang_getCursorReferenced(n->c)) == CXCursor_VarDecl &&
           ast_span(x->f->w.u, clang_getCursorReferenced(n->c), &s) && s.b >= x->body->b && s.b < x->body->e;
}

static void add(struct sums *s, struct node *n) {
    if (n->kind == CXCursor_ForStmt) /* another one is innermost there */
        return;
    if (n->kind == CXCursor_ArraySubscriptExpr && !ast_is_array(ast_type(n))) {
        const int in_k = distance(n, s->k), in_j = distance(n, s->x->count.var), n_times = times(n);
        s->in_k += n_times * cost(in_k);
        s->in_j += n_times * cost(in_j);
        s->narrow += n_times * (in_k == FAR && in_j == FAR ? COST_FAR : in_k != SAME || in_j != SAME);
        s->held += in_k == SAME && in_j == NEXT && n_times == 2 ? 2 : 0;
    }
    if (is_local(s->x, n) && !clang_equalCursors(clang_getCursorReferenced(n->c), s->k)) {
        s->in_j += times(n);
        s->narrow += times(n);
    }
    for (struct node *c = n->first; c; c = c->next)
        add(s, c);
}

static struct sums sums_of(const struct exchange *x, const struct exchange_piece *p) {
    struct loop_count c;
    struct sums s = {.x = x};
    loop_counts(p->loop, &c);
    s.k = c.var;
    for (size_t i = 0; i < p->statements.n; i++)
        add(&s, p->statements.at[i]);
    for (size_t i = 0; i < p->inside.n; i++)
        for (size_t k = 0; !p->inside.at[i]->loop && k < p->inside.at[i]->statements.n; k++)
            add(&s, p->inside.at[i]->statements.at[k]);
    return s;
}

/* Opens what pays in this width; the sum over all loops. */
static int choose(struct exchange *x, struct exchange_piece *p, int width, bool *any) {
    int total = 0;
    if (!p->loop)
        return 0;
    bool below = false;
    for (size_t i = 0; i < p->inside.n; i++)
        total += choose(x, p->inside.at[i], width, &below);
    const struct sums s = sums_of(x, p);
    const int before = EXCHANGE_JAM * (x->narounds ? s.in_j : s.in_k);
    const int after =
        width == EXCHANGE_WIDE ? EXCHANGE_JAM * s.in_j - (EXCHANGE_JAM - 1) * s.held : EXCHANGE_JAM * s.narrow;
    p->open = below || after < before;
    *any |= p->open;
    return total + (after < before ? after : before);
}

static int choose_all(struct exchange *x, int width, bool *any) {
    int total = 0;
    *any = false;
    for (size_t i = 0; i < x->pieces.n; i++)
        total += choose(x, x->pieces.at[i], width, any);
    return total;
}

bool exchange_pays(struct exchange *x) {
    bool narrow, wide;
    const int few = choose_all(x, EXCHANGE_NARROW, &narrow), many = choose_all(x, EXCHANGE_WIDE, &wide);
    x->width = EXCHANGE_WIDE;
    if (narrow && (!wide || few < many)) {
        x->width = EXCHANGE_NARROW;
        choose_all(x, EXCHANGE_NARROW, &wide);
    }
    return narrow || wide;
}

bool exchange_is_unit(const struct exchange *x, struct node *n) {
    if (n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt ||
        (n->kind == CXCursor_ArraySubscriptExpr && !ast_is_array(ast_type(n)) && distance(n, x->count.var) == FAR))
        return false;
    for (struct node *c = n->first; c; c = c->next)
        if (!exchange_is_unit(x, c))
            return false;
    return true;
}
