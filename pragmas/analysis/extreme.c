/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is an update that of a maximum or a minimum, whatever the order? What the variable gets has to be what it is compared
 * with, and its type has to keep that value's order: an unsigned char beside an int does not. A test that only leaves
 * updates out, if (bound(i) > best), is taken for one behind which none would succeed.
 */
#include "analysis/capture.h"
#include "analysis/extreme_call.h"
#include "function.h"
#include "prepare.h"

#include <string.h>

struct extreme {
    const struct nest *w;
    const struct var *v;
    bool types; /* only these are wrong */
};

/* ---- what an expression is ---- */

/* The first value of a variable of ({ … }) that keeps it. */
static struct node *initial(const struct extreme *x, struct node *n) {
    struct node *decl = ast_declaration(x->w->body, clang_getCursorReferenced(n->c));
    const struct node *up = decl;
    while (up && up->kind != CXCursor_StmtExpr)
        up = up->up;
    if (!up || decl->kind != CXCursor_VarDecl || !decl->last || !clang_isExpression(decl->last->kind) ||
        node_changes(x->w->body, decl->c, NULL))
        return NULL;
    const CXType to = clang_getUnqualifiedType(ast_type(n)),
                 from = clang_getUnqualifiedType(ast_type(ast_strip(decl->last)));
    return clang_equalTypes(to, from) || type_holds(to, from) ? decl->last : NULL;
}

static bool mentions(const struct extreme *x, struct node *n) {
    for (size_t i = 0; i < x->w->uses.n; i++)
        if (x->w->uses.at[i].v == x->v && ast_contains(n, x->w->uses.at[i].n))
            return true;
    struct node *first = n->kind == CXCursor_DeclRefExpr ? initial(x, n) : NULL;
    if (first && mentions(x, first))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (mentions(x, c))
            return true;
    return false;
}

/* Through parentheses, ({ … }) and its variables, and t of (t = f(i)) */
static struct node *resolve(const struct extreme *x, struct node *n) {
    for (;;) {
        n = ast_strip(n);
        struct node *next = NULL;
        if (n->kind == CXCursor_StmtExpr && n->first && n->first->last)
            next = n->first->last;
        else if (n->kind == CXCursor_DeclRefExpr)
            next = initial(x, n);
        else if (ast_binary(n) == CXBinaryOperator_Assign && ast_strip(n->first)->kind == CXCursor_DeclRefExpr)
            next = n->first;
        if (!next)
            return n;
        n = next;
    }
}

static struct node *core(const struct extreme *x, struct node *n) {
    n = resolve(x, n);
    while (n->kind == CXCursor_CStyleCastExpr && n->last)
        n = resolve(x, n->last);
    return n;
}

static bool same(const struct extreme *x, struct node *a, struct node *b) {
    long k, m;
    a = resolve(x, a);
    b = resolve(x, b);
    if (ast_constant(a, &k) && ast_constant(b, &m))
        return k == m;
    if (a->kind != b->kind || ast_children(a) != ast_children(b) || ast_unary(a) != ast_unary(b) ||
        ast_binary(a) != ast_binary(b) || ast_is_assignment(a) || a->kind == CXCursor_StmtExpr)
        return false;
    if (ast_unary(a) != CXUnaryOperator_Invalid && ast_unary(a) <= CXUnaryOperator_PreDec)
        return false;
    if ((a->kind == CXCursor_DeclRefExpr || a->kind == CXCursor_MemberRefExpr) &&
        !clang_equalCursors(clang_getCursorReferenced(a->c), clang_getCursorReferenced(b->c)))
        return false;
    if (a->kind == CXCursor_CStyleCastExpr && !clang_equalTypes(ast_type(a), ast_type(b)))
        return false;
    if (!a->first && a->kind != CXCursor_DeclRefExpr && strcmp(unit_text(x->w->u, a), unit_text(x->w->u, b)) != 0)
        return false;
    for (struct node *c = a->first, *d = b->first; c; c = c->next, d = d->next)
        if (!same(x, c, d))
            return false;
    return true;
}

static bool is_own(const struct extreme *x, struct node *n) {
    return n->kind == (x->v->joined ? CXCursor_ArraySubscriptExpr : CXCursor_DeclRefExpr) && mentions(x, n);
}

/* ---- types ---- */

/* Only values that the type holds, as far as can be seen. */
static bool is_small(const struct extreme *x, struct node *n, CXType t) {
    const long long bits = 8 * clang_Type_getSizeOf(t) - (type_is_signed(t) ? 1 : 0);
    const long most = bits < 63 ? (1l << bits) - 1 : 0x7fffffffffffffffl;
    const enum CXBinaryOperatorKind op = ast_binary(n = resolve(x, n));
    long k;
    if (ast_constant(n, &k))
        return k <= most && k >= (type_is_signed(t) ? -most - 1 : 0);
    if (op == CXBinaryOperator_And)
        return (ast_constant(n->first, &k) && k >= 0 && k <= most) ||
               (ast_constant(n->last, &k) && k >= 0 && k <= most);
    if (op == CXBinaryOperator_Rem && !type_is_signed(ast_type(n)))
        return ast_constant(n->last, &k) && k > 0 && k - 1 <= most;
    if (n->kind == CXCursor_ConditionalOperator)
        return is_small(x, ast_child(n, 1), t) && is_small(x, ast_child(n, 2), t);
    return (op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE) || op == CXBinaryOperator_LAnd ||
           op == CXBinaryOperator_LOr || type_holds(t, ast_type(n));
}

/* All casts to types that hold what they are given. */
static bool casts_hold(const struct extreme *x, struct node *n, CXType value) {
    for (n = resolve(x, n); n->kind == CXCursor_CStyleCastExpr && n->last; n = resolve(x, n->last))
        if (!type_holds(ast_type(n), value))
            return false;
    return true;
}

/* `kept` is compared as `seen`, in the type `in`. */
static bool keeps_order(const struct extreme *x, struct node *seen, struct node *kept, CXType in) {
    const CXType own = x->v->elem_type, value = ast_type(core(x, kept));
    if (!ast_is_integer(own))
        return true; /* rounding keeps the order */
    if (!ast_is_integer(value)) {
        const CXType cast = ast_type(resolve(x, kept));
        return !ast_is_integer(cast) || type_holds(own, cast);
    }
    if (clang_equalTypes(type_number(ast_type(resolve(x, seen))), type_number(own)) && casts_hold(x, kept, value))
        return true; /* compared as it is kept */
    if (!same(x, seen, kept))
        return type_holds(own, value) && casts_hold(x, seen, value) && casts_hold(x, kept, value);
    const bool sign = type_is_signed(own) == type_is_signed(in) || !ast_is_integer(in);
    return is_small(x, kept, own) ? sign || type_is_signed(in) || !type_is_signed(own)
                                  : sign && clang_Type_getSizeOf(own) == clang_Type_getSizeOf(in);
}

/* ---- conditions ---- */

static bool update_value(struct extreme *x, struct node *n);

/* Where the comparison holds, `other` is greater than the variable, or less, as `greater` says. */
static bool points(const struct extreme *x, enum CXBinaryOperatorKind op, bool own_left, bool holds) {
    const bool less = op == CXBinaryOperator_LT || op == CXBinaryOperator_LE,
               greater = op == CXBinaryOperator_GT || op == CXBinaryOperator_GE;
    const bool other_greater = less == own_left;
    return (less || greater) && (other_greater == holds) == (x->v->op == RED_MAX);
}

/* One of what has to be true, the rest of which knows nothing of the variable. */
static bool in_chain(struct extreme *x, struct node *n, bool *holds, struct node **l, struct node **r) {
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (op != (*holds ? CXBinaryOperator_LAnd : CXBinaryOperator_LOr))
        return false;
    *l = n->first;
    *r = n->last;
    return mentions(x, *l) != mentions(x, *r);
}

/* The comparison, and whether it has to hold; NULL: none that decides by itself. */
static struct node *comparison(struct extreme *x, struct node *n, bool *holds) {
    struct node *l, *r;
    for (;;) {
        n = resolve(x, n);
        if (ast_unary(n) == CXUnaryOperator_LNot) {
            *holds = !*holds;
            n = n->first;
        } else if (in_chain(x, n, holds, &l, &r)) {
            n = mentions(x, l) ? l : r;
        } else {
            return ast_binary(n) >= CXBinaryOperator_LT && ast_binary(n) <= CXBinaryOperator_GE ? n : NULL;
        }
    }
}

static bool is_left(struct extreme *x, struct node *compare) {
    struct node *l = core(x, compare->first);
    return is_own(x, l) || mentions(x, l) ||
           (l->kind == CXCursor_ConditionalOperator && update_value(x, compare->first));
}

/* The condition asks for `kept`, and for nothing else that the variable decides. */
static bool decides(struct extreme *x, struct node *condition, struct node *kept, bool holds) {
    struct node *compare = comparison(x, condition, &holds);
    if (!compare)
        return false;
    const bool left = is_left(x, compare);
    struct node *own = left ? compare->first : compare->last, *other = left ? compare->last : compare->first;
    if (!points(x, ast_binary(compare), left, holds) || mentions(x, core(x, other)) || !update_value(x, core(x, own)) ||
        !same(x, core(x, other), core(x, kept)))
        return false;
    if (casts_hold(x, own, x->v->elem_type) && keeps_order(x, other, kept, ast_type(compare->first)))
        return true;
    x->types = true;
    return false;
}

static bool is_fixed(const struct extreme *x, struct node *n) {
    if (n->kind == CXCursor_DeclRefExpr) {
        const CXCursor decl = clang_getCursorReferenced(n->c);
        for (int l = 0; l < 2; l++)
            if (x->w->loop[l].stmt && clang_equalCursors(decl, x->w->loop[l].var))
                return false;
        if (capture_is_inside(x->w, decl))
            return false;
    }
    for (struct node *c = n->first; c; c = c->next)
        if (!is_fixed(x, c))
            return false;
    return true;
}

/* bound(i) > best around the update: none would succeed where it does not hold. */
static bool leaves_out(struct extreme *x, struct node *condition, bool holds) {
    struct node *compare = comparison(x, condition, &holds);
    if (!compare)
        return false;
    const bool left = is_left(x, compare);
    struct node *own = core(x, left ? compare->first : compare->last), *other = left ? compare->last : compare->first;
    return is_own(x, own) && !mentions(x, other) && points(x, ast_binary(compare), left, holds) && !is_fixed(x, other);
}

/* ---- updates ---- */

/* fmax by its name, functions of the program by their bodies; of others the clause asserts it. */
static enum extreme_kind kind_of(const struct extreme *x, struct node *call, const char *name) {
    name += strncmp(name, "__builtin_", 10) == 0 ? 10 : 0;
    if (strncmp(name, "fmax", 4) == 0)
        return EXTREME_MAX;
    return strncmp(name, "fmin", 4) == 0 ? EXTREME_MIN : extreme_of_call(x->w->u, call);
}

/* Arguments of the variable's values become the parameter's, which then have the same order. */
static bool takes(const struct extreme *x, CXType function, unsigned i) {
    const CXType t = clang_getCanonicalType(clang_getArgType(function, i));
    return !ast_is_integer(t) || type_holds(t, x->v->elem_type);
}

static bool call_fits(struct extreme *x, struct node *n) {
    struct node *callee = n->first ? ast_strip(n->first) : NULL;
    if (!callee || callee->kind != CXCursor_DeclRefExpr)
        return false;
    const enum extreme_kind kind = kind_of(x, n, ast_name(callee->c)),
                            other = x->v->op == RED_MAX ? EXTREME_MIN : EXTREME_MAX;
    const CXType t = ast_type(n), function = clang_getCanonicalType(clang_getCursorType(callee->c));
    bool held = !ast_is_integer(x->v->elem_type) || (kind != EXTREME_UNKNOWN && !ast_is_integer(t)) ||
                type_holds(x->v->elem_type, t);
    unsigned own = 0, i = 0;
    for (struct node *c = n->first->next; c; c = c->next, i++) {
        const bool mine = update_value(x, c);
        own += mine ? 1 : mentions(x, c) ? 2 : 0;
        held &= !mine || takes(x, function, i);
    }
    if (own != 1 || kind == other || (kind == EXTREME_UNKNOWN && x->w->u->proposes))
        return false;
    x->types |= !held;
    return held;
}

/* The variable, or what is the greater of it and of something else. */
static bool update_value(struct extreme *x, struct node *n) {
    n = resolve(x, n);
    if (is_own(x, n))
        return true;
    if (n->kind == CXCursor_CallExpr)
        return call_fits(x, n);
    if (n->kind != CXCursor_ConditionalOperator || ast_children(n) != 3)
        return false;
    struct node *then = ast_child(n, 1), *otherwise = ast_child(n, 2);
    if (!mentions(x, core(x, otherwise)) && update_value(x, then))
        return decides(x, n->first, otherwise, false);
    return !mentions(x, core(x, then)) && update_value(x, otherwise) && decides(x, n->first, then, true);
}

/* Something in the branch is written through the variable. */
static bool writes_through(struct node *branch, CXCursor decl) {
    struct node *n = ast_is_assignment(branch) ||
                             (branch->kind == CXCursor_UnaryOperator && ast_unary(branch) <= CXUnaryOperator_PreDec)
                         ? ast_strip(branch->first)
                         : NULL;
    while (n && n->first && n->kind != CXCursor_DeclRefExpr)
        n = ast_strip(n->first);
    if (n && n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), decl))
        return true;
    for (struct node *c = branch->first; c; c = c->next)
        if (writes_through(c, decl))
            return true;
    return false;
}

/* What the value is made of changes between the test and the update. */
static bool changes(const struct node *value, struct node *branch) {
    const CXCursor decl = clang_getCursorReferenced(value->c);
    if (value->kind == CXCursor_DeclRefExpr && (node_changes(branch, decl, NULL) || writes_through(branch, decl)))
        return true;
    for (const struct node *c = value->first; c; c = c->next)
        if (changes(c, branch))
            return true;
    return false;
}

bool extreme_fits(const struct nest *w, struct node *assignment, const struct var *v, bool *types) {
    struct extreme x = {w, v, false};
    struct node *kept = assignment->last;
    bool decided = update_value(&x, kept);
    const bool plain = !decided && !mentions(&x, kept);
    bool ok = decided || plain;
    for (struct node *c = assignment; ok && c != w->body && c->up; c = c->up) {
        struct node *up = c->up;
        if ((up->kind != CXCursor_IfStmt && up->kind != CXCursor_ConditionalOperator) || up->first == c ||
            !mentions(&x, up->first))
            continue;
        const bool holds = ast_child(up, 1) == c;
        if (plain && !decided && !changes(kept, c) && decides(&x, up->first, kept, holds))
            decided = true;
        else
            ok = !w->u->proposes && leaves_out(&x, up->first, holds);
    }
    *types = x.types && !(ok && decided);
    return ok && decided;
}
