/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heads of loops: what counts down or by more than one gets a variable that counts up from 0, and the old one is
 * written as an expression of it.
 */
#include "normal.h"

#include <string.h>

static bool is_signed(CXType t) {
    t = clang_getCanonicalType(t);
    return t.kind == CXType_Int || t.kind == CXType_Long || t.kind == CXType_LongLong;
}

static bool is_signed_value(struct node *n) {
    long k;
    return ast_constant(n, &k) || is_signed(ast_type(ast_strip(n)));
}

/* ---- counting up from 0 ---- */

/* How many times the loop runs, where that is more than 0. */
static const char *count_text(struct unit *u, const struct loop_count *c) {
    const char *first = count_first(u, c), *bound = unit_text(u, c->bound);
    const char *step = c->step ? unit_text(u, c->step) : "1";
    long k;
    const char *span = c->down ? mem_printf("(%s) - (%s)%s", first, bound, c->open ? "" : " + 1")
                               : mem_printf("(%s) - (%s)%s", bound, first, c->open ? "" : " + 1");
    if (c->step && ast_constant(c->step, &k))
        span = mem_printf("(%s + %ld) / %ld", span, (k < 0 ? -k : k) - 1, k < 0 ? -k : k);
    else if (c->step) /* nothing may be divided by a step of 0 that is never made */
        return mem_printf("((%s) > 0 ? (%s + (%s) - 1) / (%s) : 0)", step, span, step, step);
    if (is_signed(clang_getCursorType(c->var)))
        return span;
    return mem_printf("(%s ? (%s)(%s) : 0)", count_test(u, c),
                      ast_spelling(clang_getUnqualifiedType(clang_getCursorType(c->var))), span);
}

static const char *value_text(struct unit *u, const struct loop_count *c, const char *turn) {
    const char *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(c->var)));
    long k;
    const char *by = turn;
    if (c->step && ast_constant(c->step, &k))
        by = mem_printf("%ld * %s", k < 0 ? -k : k, turn);
    else if (c->step)
        by = mem_printf("(%s) * %s", unit_text(u, c->step), turn);
    if (!c->down && ast_constant(c->first, &k) && k == 0)
        return mem_printf("(%s)", by);
    return mem_printf("((%s)((%s) %c %s))", type, unit_text(u, c->first), c->down ? '-' : '+', by);
}

static bool is_counting_up(const struct loop_count *c) {
    long k = 1;
    return !c->down && (!c->step || (ast_constant(c->step, &k) && k == 1));
}

/* No variable goes round. Without a sign: a known step, and an end that is reached above zero. */
static bool goes_straight(const struct loop_count *c) {
    const CXType t = clang_getCanonicalType(clang_getCursorType(c->var)), b = ast_type(ast_strip(c->bound));
    long k;
    if (is_signed(t))
        return is_signed_value(c->first) && is_signed_value(c->bound) && (!c->step || is_signed_value(c->step));
    const bool fits = ast_constant(c->bound, &k) ? k >= 0 : clang_Type_getSizeOf(b) <= clang_Type_getSizeOf(t);
    return fits && ast_is_integer(t) && clang_Type_getSizeOf(t) >= (long long)sizeof(int) && (c->open || !c->down) &&
           (!c->step || ast_constant(c->step, &k));
}

static bool turn_round(struct normal *x, struct node *loop) {
    struct loop_count c;
    if (loop->first->kind != CXCursor_DeclStmt || !loop_counts(loop, &c) || c.sooner || is_counting_up(&c) ||
        !normal_is_apart(loop, &c) || !goes_straight(&c) || !normal_is_plain(x, c.first) ||
        !normal_is_plain(x, c.bound) || (c.step && !normal_is_plain(x, c.step)))
        return false;
    const char *turn = normal_name(x->u, mem_printf("%s_turn", ast_name(c.var))), *count = count_text(x->u, &c);
    const size_t body = ast_loop_body(x->u, loop);
    if (!normal_replace(x, loop->last, c.var, value_text(x->u, &c, turn)))
        return false;
    const char *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(c.var)));
    normal_put(x, (struct span){loop->b, body},
               mem_printf("for (%s %s = 0; %s < %s; %s++) ", type, turn, turn, count, turn));
    return true;
}

/* ---- all ---- */

static bool is_spine(const struct normal *x, const struct node *loop) {
    if (loop == x->outer)
        return true;
    const struct node *up = loop->up;
    if (up->kind == CXCursor_CompoundStmt)
        up = up->up;
    return up == x->outer;
}

/* The first loop of the two, or in the first's body, that has another form. */
static bool each(struct normal *x, struct node *n, bool (*step)(struct normal *, struct node *)) {
    if (n->kind == CXCursor_ForStmt && ast_children(n) == 4 && is_spine(x, n) && step(x, n))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (each(x, c, step))
            return true;
    return false;
}

bool normal_heads(struct normal *x) {
    if (!x->outer || clause_find(x->p, CLAUSE_SINK))
        return false;
    return each(x, x->outer, turn_round);
}
