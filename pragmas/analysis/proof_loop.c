/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that count: the variable is its first value and a multiple of the step, between its bounds. */
#include "proof.h"

/* ---- form ---- */

static bool find_first(struct node *init, struct proof_count *c) {
    if (init->kind == CXCursor_DeclStmt && init->first && !init->first->next && init->first->kind == CXCursor_VarDecl) {
        c->var = init->first->c;
        c->first = init->first->last;
        return c->first && clang_isExpression(c->first->kind);
    }
    if (ast_binary(init) != CXBinaryOperator_Assign || ast_strip(init->first)->kind != CXCursor_DeclRefExpr)
        return false;
    c->var = clang_getCursorReferenced(ast_strip(init->first)->c);
    c->first = init->last;
    return true;
}

static bool find_bound(struct node *test, struct proof_count *c) {
    test = ast_strip(test);
    enum CXBinaryOperatorKind op = ast_binary(test);
    if (op == CXBinaryOperator_LAnd)
        return find_bound(test->first, c) || find_bound(test->last, c);
    if (op < CXBinaryOperator_LT || op > CXBinaryOperator_GE)
        return false;
    const bool turned = nest_is_variable(test->last, c->var);
    c->bound = turned ? test->first : test->last;
    c->open = op == CXBinaryOperator_LT || op == CXBinaryOperator_GT;
    c->down = (op == CXBinaryOperator_GT || op == CXBinaryOperator_GE) != turned;
    return (turned || nest_is_variable(test->first, c->var)) && !nest_is_mentioned(c->bound, c->var);
}

/* i = i + c, i = i - c */
static bool assigned_step(struct node *value, struct proof_count *c, bool *down) {
    value = ast_strip(value);
    const enum CXBinaryOperatorKind op = ast_binary(value);
    *down = op == CXBinaryOperator_Sub;
    if ((op != CXBinaryOperator_Add && op != CXBinaryOperator_Sub) || !nest_is_variable(value->first, c->var))
        return false;
    c->step = value->last;
    return !nest_is_mentioned(c->step, c->var);
}

static bool find_step(struct node *inc, struct proof_count *c) {
    bool down = false, known = false;
    long k;
    inc = ast_strip(inc);
    const enum CXUnaryOperatorKind unary = ast_unary(inc);
    const enum CXBinaryOperatorKind op = ast_binary(inc);
    if (!inc->first || !nest_is_variable(inc->first, c->var))
        return false;
    if (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec) {
        known = true;
        down = unary == CXUnaryOperator_PostDec || unary == CXUnaryOperator_PreDec;
    } else if (op == CXBinaryOperator_AddAssign || op == CXBinaryOperator_SubAssign) {
        c->step = inc->last;
        known = !nest_is_mentioned(c->step, c->var);
        down = op == CXBinaryOperator_SubAssign;
    } else if (op == CXBinaryOperator_Assign) {
        known = assigned_step(inc->last, c, &down);
    }
    if (c->step && ast_constant(c->step, &k) && k <= 0)
        return false;
    return known && down == c->down;
}

bool proof_counts(struct node *loop, struct proof_count *out) {
    const enum CXTypeKind kind = CXType_Invalid;
    *out = (struct proof_count){.step = NULL};
    if (ast_children(loop) != 4 || !find_first(ast_child(loop, 0), out))
        return false;
    const CXType t = clang_getCanonicalType(clang_getCursorType(out->var));
    return t.kind != kind && t.kind >= CXType_Char_U && t.kind <= CXType_Int128 &&
           find_bound(ast_child(loop, 1), out) && find_step(ast_child(loop, 2), out) &&
           !proof_changes(loop->last, out->var, NULL);
}

/* ---- values ---- */

/* What a loop's head computes once has one value for all its iterations. */
static void head(struct proof *o, struct node *n, const char *parallel, struct poly *out) {
    proof_int(o, n, out);
    if (parallel && proof_top(out))
        affine_atom(out, mem_printf("%zu%s", n->b, parallel + 1));
}

void proof_enter(struct proof *o, const struct proof_count *c, const char *parallel) {
    struct poly first, bound, step, one, turn, span, left;
    long k;
    const int sign = c->down ? -1 : 1;
    head(o, c->first, parallel, &first);
    head(o, c->bound, parallel, &bound);
    affine_constant(&one, 1);
    step = one;
    if (c->step)
        head(o, c->step, parallel, &step);
    if (affine_is_constant(&step, &k) && k < 0)
        affine_constant(&step, -k);
    affine_atom(&turn, parallel ? parallel : proof_axis(o));
    span = bound;
    affine_add(&span, &first, -1);
    for (int i = 0; i < span.n; i++)
        span.t[i].k *= sign;
    affine_add(&span, &one, -c->open); /* from the first value to the last one */
    proof_limit(o, &span);
    proof_limit(o, &turn);
    left = step;
    affine_add(&left, &one, -1);
    proof_limit(o, &left); /* a loop that ends */
    affine_multiply(&step, &turn, &turn);
    left = span;
    affine_add(&left, &turn, -1);
    proof_limit(o, &left);
    affine_add(&first, &turn, sign);
    if (!first.ok)
        proof_opaque(o, clang_getCursorType(c->var), &first);
    proof_bind(o, c->var, clang_getNullCursor(), &(struct proof_value){.kind = VALUE_INT, .is = proof_pack(&first)});
}
