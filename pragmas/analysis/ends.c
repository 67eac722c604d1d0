/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loop's first value and bound as numbers of type long. The first value is converted to the variable's type, and the
 * test compares in a type that may have no sign: for (int i = n - 1; i >= 0; i--) with an unsigned n of 0 has no turn,
 * and for (int i = -1; i < n; i++) has none either.
 */
#include "analysis/capture.h"
#include "front/macros.h"
#include "function.h"

/* Not below zero, and the same in type t. */
static bool is_small(struct node *n, CXType t) {
    const long long bytes = clang_Type_getSizeOf(t);
    long k;
    return ast_constant(n, &k) && k >= 0 && k <= (bytes == 1 ? 0x7fl : bytes == 2 ? 0x7fffl : 0x7fffffffl);
}

/* Names alone: what has no sign and comes out of a subtraction may have gone round. */
static bool is_plain(struct node *n) {
    n = ast_strip(n);
    return n->kind == CXCursor_DeclRefExpr && !type_is_signed(type_number(ast_type(n)));
}

/* What the test compares in; where both are small, that is int. */
static CXType compared(CXType var, CXType bound) {
    const bool wide = clang_Type_getSizeOf(bound) >= (long long)sizeof(int);
    if (clang_Type_getSizeOf(var) < (long long)sizeof(int) || (wide && type_holds(bound, var)))
        return bound;
    if (!wide || type_holds(var, bound))
        return var;
    return type_is_signed(var) ? bound : var; /* the wider one, or the one without a sign */
}

static bool compares_with_sign(CXType var, CXType bound) {
    const CXType in = compared(var, bound);
    return type_is_signed(in) || clang_Type_getSizeOf(in) < (long long)sizeof(int);
}

static const char *text(const struct unit *u, struct node *n) { return macros_guard(u, (struct span){n->b, n->e}); }

static const char *as(CXType t, const struct unit *u, struct node *n) {
    return mem_printf("(%s)(%s)", ast_spelling(clang_getUnqualifiedType(t)), text(u, n));
}

const char *count_first(const struct unit *u, const struct loop_count *c) {
    const CXType var = type_number(clang_getCursorType(c->var));
    if (is_small(c->first, var) || type_holds(var, type_number(ast_type(ast_strip(c->first)))))
        return text(u, c->first);
    return as(var, u, c->first);
}

const char *count_bound(const struct unit *u, const struct loop_count *c) {
    const CXType var = type_number(clang_getCursorType(c->var)), bound = type_number(ast_type(ast_strip(c->bound)));
    const CXType in = compared(var, bound);
    /* beside a variable with a sign that begins below zero, a large bound is one below zero, too */
    if (type_is_signed(var) && !compares_with_sign(var, bound) && !is_small(c->bound, var) &&
        !(is_plain(c->bound) && is_small(c->first, var)))
        return as(var, u, c->bound);
    if (is_small(c->bound, in) || compares_with_sign(var, bound) || type_holds(in, bound))
        return text(u, c->bound);
    return as(in, u, c->bound);
}

const char *count_test(const struct unit *u, const struct loop_count *c) {
    const CXType var = type_number(clang_getCursorType(c->var));
    const bool same = clang_equalTypes(var, ast_type(ast_strip(c->first)));
    const char *first = same ? text(u, c->first) : as(var, u, c->first);
    return mem_printf("(%s) %s (%s)", first, c->down ? c->open ? ">" : ">=" : c->open ? "<" : "<=", text(u, c->bound));
}

/* Both are less than LONG_MAX; without a sign, 64 bits hold what comes below zero as a large number. */
static bool needs_test(const struct loop_count *c) {
    const CXType var = type_number(clang_getCursorType(c->var)), bound = type_number(ast_type(ast_strip(c->bound)));
    const bool wide = clang_Type_getSizeOf(compared(var, bound)) > (long long)sizeof(int);
    if (compares_with_sign(var, bound))
        return false;
    return ((wide || type_is_signed(var)) && !is_small(c->first, var) && !is_plain(c->first)) ||
           (wide && c->down && !is_small(c->bound, bound) && !is_plain(c->bound));
}

bool count_numbers(const struct loop_count *c, long *first, long *bound) {
    const CXType var = type_number(clang_getCursorType(c->var));
    const bool sign = compares_with_sign(var, type_number(ast_type(ast_strip(c->bound))));
    return ast_constant(c->first, first) && ast_constant(c->bound, bound) &&
           (is_small(c->first, var) || (sign && clang_Type_getSizeOf(var) >= (long long)sizeof(int))) &&
           (is_small(c->bound, var) || sign);
}

bool count_has_no_sign(const struct loop_count *c) {
    const CXType var = type_number(clang_getCursorType(c->var)), bound = type_number(ast_type(ast_strip(c->bound)));
    struct node *low = c->down ? c->bound : c->first;
    return !compares_with_sign(var, bound) && !is_small(low, var) && !is_plain(low);
}

/* Sums, products and the like of constants and names: nothing that goes below zero by itself. Of names with a sign that
 * is believed, or not. */
static bool grows(struct node *n, bool signs) {
    const enum CXBinaryOperatorKind op = ast_binary(n = ast_strip(n));
    long k;
    if (ast_constant(n, &k))
        return k >= 0;
    if (ast_unary(n) == CXUnaryOperator_Minus || ast_unary(n) == CXUnaryOperator_Not || op == CXBinaryOperator_Sub)
        return false;
    if (!n->first || n->kind == CXCursor_MemberRefExpr || n->kind == CXCursor_ArraySubscriptExpr ||
        n->kind == CXCursor_CallExpr)
        return signs || !type_is_signed(ast_type(n));
    for (struct node *c = n->first; c; c = c->next)
        if (!grows(c, signs))
            return false;
    return true;
}

/* A variable of int's size or more whose values may go round below zero, if the test does not leave that out. */
static bool goes_round(const struct loop_count *c, bool signs) {
    const CXType var = type_number(clang_getCursorType(c->var));
    return !type_is_signed(var) && clang_Type_getSizeOf(var) >= (long long)sizeof(int) &&
           !compares_with_sign(var, type_number(ast_type(ast_strip(c->bound)))) &&
           !grows(c->down ? c->bound : c->first, signs);
}

bool count_begins_below(const struct loop_count *c) { return goes_round(c, true); }

bool count_goes_round(const struct loop_count *c) {
    return goes_round(c, true) && !grows(c->down ? c->first : c->bound, true);
}

static struct loop_count as_count(const struct loop *l) {
    return (struct loop_count){.var = l->var, .first = l->first, .bound = l->bound, .open = l->open, .down = l->down};
}

const char *loop_first(const struct unit *u, const struct loop *l) {
    const struct loop_count c = as_count(l);
    return affine_long(count_first(u, &c));
}

const char *loop_end(const struct unit *u, const struct loop *l) {
    const struct loop_count c = as_count(l);
    const char *first = loop_first(u, l), *end = affine_long(count_bound(u, &c));
    if (!needs_test(&c))
        return end;
    return mem_printf("(%s ? %s : %s%s)", count_test(u, &c), end, first, c.open ? "" : c.down ? " + 1" : " - 1");
}

bool loop_goes_round(const struct loop *l) {
    const struct loop_count c = as_count(l);
    return count_goes_round(&c);
}

const char *loop_straight(const struct unit *u, const struct loop *l) {
    const struct loop_count c = as_count(l);
    const char *low = l->down ? count_bound(u, &c) : count_first(u, &c);
    const bool wide = clang_Type_getSizeOf(type_number(clang_getCursorType(l->var))) > (long long)sizeof(int);
    if (!goes_round(&c, false) || grows(l->down ? l->first : l->bound, false))
        return NULL;
    return mem_printf("!(%s) || %s %s", count_test(u, &c), affine_long(low), wide ? ">= 0" : "<= 0x7fffffff");
}
