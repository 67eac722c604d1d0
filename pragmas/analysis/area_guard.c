/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions around a reference, which may keep it inside its array: if (i > 0) x[i - 1]. Comparisons of the parallel
 * loop's variable leave out iterations; what only looks at values says nothing about places. All others are not
 * understood.
 */
#include "area.h"

void area_clip(struct area *a, const struct poly *p) {
    struct poly c, rest, zero;
    long k;
    if (!affine_split(p, ATOM_I, &c, &rest) || !affine_is_constant(&c, &k) || (k != 1 && k != -1))
        return;
    affine_constant(&zero, 0);
    affine_add(&zero, &rest, -k);
    vec_push(&a->clips, (struct clip){k < 0, zero});
}

/* A variable that counts stands there, other than in a subscript: it may be compared with what the array has. */
static bool counts(struct look *k, struct node *n) {
    struct poly p;
    if (n->kind == CXCursor_ArraySubscriptExpr || n->kind == CXCursor_CallExpr ||
        ast_binary(n) == CXBinaryOperator_Rem || ast_binary(n) == CXBinaryOperator_And)
        return false;
    if (n->kind == CXCursor_DeclRefExpr) {
        struct node *value = area_value(k, n);
        area_poly(k, n, &p);
        if (p.ok || !affine_is_integer(clang_getCursorType(n->c)))
            return p.ok && (area_holds(&p, ATOM_I) || area_holds_inner(k, &p));
        return !value || counts(k, value);
    }
    for (struct node *c = n->first; c; c = c->next)
        if (counts(k, c))
            return true;
    return false;
}

static bool is_fixed(const struct look *k, const struct poly *p) {
    return p->ok && !area_holds(p, ATOM_I) && !area_holds_inner(k, p);
}

/* The larger of a loop's first value and where it comes from then on, or the smaller of its last one and until when. */
static bool clamp(const struct look *k, struct poly *side, const struct poly *limit, bool least) {
    struct poly d = *limit;
    long by;
    affine_add(&d, side, -1);
    if (!side->ok || !limit->ok)
        return false;
    if (affine_is_constant(&d, &by)) {
        if (least ? by > 0 : by < 0)
            *side = *limit;
        return true;
    }
    if (!is_fixed(k, side) || !is_fixed(k, limit))
        return false;
    affine_atom(side, mem_printf("heddle_%s(%s, %s)", least ? "most" : "least", affine_text(side, "", ""),
                                 affine_text(limit, "", "")));
    return true;
}

/* p >= 0 where p holds the variable of one loop inside, once: it comes there from then on, or until then. False: it is
   not known that this is later, or sooner, than what its bounds say. */
bool area_tighten(struct look *k, const struct poly *p) {
    struct poly c, rest, limit;
    long factor;
    for (size_t i = k->inner.n; i-- > 0;) {
        struct inner *in = &k->inner.at[i];
        if (!area_holds(p, in->atom))
            continue;
        if (!affine_split(p, in->atom, &c, &rest) || !affine_is_constant(&c, &factor) ||
            (factor != 1 && factor != -1) || area_holds_inner(k, &rest) || area_holds(&rest, ATOM_I))
            return false;
        affine_constant(&limit, 0);
        affine_add(&limit, &rest, -factor);
        return clamp(k, factor > 0 ? &in->least : &in->most, &limit, factor > 0);
    }
    return false;
}

static bool has_no_sign(CXType t) { return t.kind >= CXType_Char_U && t.kind <= CXType_UInt128; }

/* A loop's variable that begins, or counting down ends, at a number. */
static bool is_never_negative_variable(const struct look *k, CXCursor var) {
    long n;
    for (size_t i = 0; i < k->inner.n; i++)
        if (clang_equalCursors(k->inner.at[i].var, var))
            return affine_is_constant(&k->inner.at[i].least, &n) && n >= 0;
    for (int l = 0; l < 2 && k->w->loop[l].stmt; l++) {
        const struct loop *loop = &k->w->loop[l];
        if (clang_equalCursors(loop->var, var))
            return ast_constant(loop->down ? loop->bound : loop->first, &n) && n >= 0;
    }
    return false;
}

/* Sums and products of what has no sign. */
static bool is_never_negative(const struct look *k, struct node *n) {
    long value;
    n = ast_strip(n);
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (ast_constant(n, &value))
        return value >= 0;
    if (op == CXBinaryOperator_Add || op == CXBinaryOperator_Mul || op == CXBinaryOperator_Div)
        return is_never_negative(k, n->first) && is_never_negative(k, n->last);
    if (n->kind == CXCursor_CStyleCastExpr)
        return is_never_negative(k, n->last);
    if (n->kind == CXCursor_DeclRefExpr && is_never_negative_variable(k, clang_getCursorReferenced(n->c)))
        return true;
    return has_no_sign(ast_type(n)) && op != CXBinaryOperator_Sub && ast_unary(n) != CXUnaryOperator_Minus &&
           n->kind != CXCursor_ConditionalOperator;
}

/* A conversion that may make another number of it: (long)(u - 2), (int)(k + i) with an unsigned k. */
static bool converts(const struct look *k, const struct node *n, struct node *from) {
    long value;
    const CXType to = ast_type(n), was = ast_type(from);
    const long long more = clang_Type_getSizeOf(to) - clang_Type_getSizeOf(was);
    if (!ast_is_integer(to) || !ast_is_integer(was) || ast_strip(from)->kind == CXCursor_DeclRefExpr ||
        ast_constant(from, &value))
        return false;
    return more < 0 || (has_no_sign(was) && (more ? !is_never_negative(k, from) : !has_no_sign(to)));
}

static bool goes_round(const struct look *k, struct node *n) {
    if ((n->kind == CXCursor_UnexposedExpr || n->kind == CXCursor_CStyleCastExpr) && n->last && converts(k, n, n->last))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (goes_round(k, c))
            return true;
    return false;
}

/* Only where that is not negative. */
static void holds_if(struct look *k, struct area *a, const struct poly *p) {
    if (p->ok && !area_holds_inner(k, p))
        area_clip(a, p);
    else if (!p->ok || !area_tighten(k, p))
        a->conditional = true;
}

static void not_negative(struct look *k, struct area *a, struct node *n) {
    struct poly p;
    area_poly(k, n, &p);
    holds_if(k, a, &p);
}

/* left - right >= least, as a polynomial that is not negative */
static void compare(struct look *k, struct area *a, struct node *left, struct node *right, long least) {
    struct poly p, q, one;
    if ((has_no_sign(ast_type(left)) && !is_never_negative(k, left)) || /* what is below zero compares as more */
        goes_round(k, left) || goes_round(k, right)) {
        a->conditional = true;
        return;
    }
    if (has_no_sign(ast_type(right)) && !is_never_negative(k, right))
        not_negative(k, a, right);
    area_poly(k, left, &p);
    area_poly(k, right, &q);
    affine_add(&p, &q, -1);
    affine_constant(&one, least);
    affine_add(&p, &one, -1);
    holds_if(k, a, &p);
}

static void given(struct look *k, struct area *a, struct node *n, bool holds);

/* i <= p or i >= q: what is between is in the array, too. */
static bool both_ways(struct look *k, struct node *n, bool holds) {
    struct area one = {.conditional = false}, other = one;
    VEC(struct inner) before = {NULL, 0, 0};
    for (size_t i = 0; i < k->inner.n; i++)
        vec_push(&before, k->inner.at[i]);
    given(k, &one, n->first, holds);
    given(k, &other, n->last, holds);
    for (size_t i = 0; i < before.n; i++) /* one of the two alone says nothing of them */
        k->inner.at[i] = before.at[i];
    return one.clips.n == 1 && other.clips.n == 1 && !one.conditional && !other.conditional &&
           one.clips.at[0].most != other.clips.at[0].most;
}

static void given(struct look *k, struct area *a, struct node *n, bool holds) {
    n = ast_strip(n);
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (!counts(k, n))
        return;
    if (ast_unary(n) == CXUnaryOperator_LNot) {
        given(k, a, n->first, !holds);
    } else if (op == (holds ? CXBinaryOperator_LAnd : CXBinaryOperator_LOr)) {
        given(k, a, n->first, holds);
        given(k, a, n->last, holds);
    } else if (op == CXBinaryOperator_LT || op == CXBinaryOperator_GE) {
        if (holds == (op == CXBinaryOperator_LT))
            compare(k, a, n->last, n->first, 1);
        else
            compare(k, a, n->first, n->last, 0);
    } else if (op == CXBinaryOperator_GT || op == CXBinaryOperator_LE) {
        if (holds == (op == CXBinaryOperator_GT))
            compare(k, a, n->first, n->last, 1);
        else
            compare(k, a, n->last, n->first, 0);
    } else if (op == (holds ? CXBinaryOperator_LOr : CXBinaryOperator_LAnd)) {
        a->conditional |= !both_ways(k, n, holds);
    } else {
        a->conditional = true;
    }
}

void area_guards(struct look *k, struct area *a) {
    struct node *n = a->ref.n;
    if (n->b > k->w->continue_at)
        a->conditional = true;
    for (struct node *up = n->up; n != k->w->body && up; n = up, up = up->up) {
        const enum CXBinaryOperatorKind op = ast_binary(up);
        struct loop_count c;
        if ((up->kind == CXCursor_IfStmt || up->kind == CXCursor_ConditionalOperator) && n != up->first)
            given(k, a, up->first, n == up->first->next);
        if ((op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr) && n != up->first)
            given(k, a, up->first, op == CXBinaryOperator_LAnd);
        if (up->kind == CXCursor_SwitchStmt || up->kind == CXCursor_WhileStmt || up->kind == CXCursor_DoStmt ||
            (up->kind == CXCursor_ForStmt && (!loop_counts(up, &c) || c.sooner)))
            a->conditional = true;
    }
}
