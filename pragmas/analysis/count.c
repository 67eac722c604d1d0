/* SPDX-License-Identifier: Apache-2.0 */
/* The form of loops that count. */
#include "analysis/nest.h"
#include "function.h"

static bool find_first(struct node *init, struct loop_count *c) {
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

bool loop_bound(struct node *test, struct loop_count *c) {
    test = ast_strip(test);
    const enum CXBinaryOperatorKind op = ast_binary(test);
    if (op < CXBinaryOperator_LT || op > CXBinaryOperator_GE)
        return false;
    const bool turned = nest_is_variable(test->last, c->var); /* n > i is i < n read backwards */
    c->variable = turned ? test->last : test->first;
    c->bound = turned ? test->first : test->last;
    c->open = op == CXBinaryOperator_LT || op == CXBinaryOperator_GT;
    c->down = (op == CXBinaryOperator_GT || op == CXBinaryOperator_GE) != turned;
    return turned || nest_is_variable(c->variable, c->var);
}

static bool find_bound(struct node *test, struct loop_count *c) {
    test = ast_strip(test);
    c->sooner |= ast_binary(test) == CXBinaryOperator_LAnd;
    if (ast_binary(test) == CXBinaryOperator_LAnd)
        return find_bound(test->first, c) || find_bound(test->last, c);
    return loop_bound(test, c) && ast_is_integer(ast_type(ast_strip(c->bound))) && !nest_is_mentioned(c->bound, c->var);
}

/* i = i + c, i = c + i, i = i - c */
static struct node *assigned_step(struct node *value, CXCursor var, bool *down) {
    value = ast_strip(value);
    const enum CXBinaryOperatorKind op = ast_binary(value);
    *down = op == CXBinaryOperator_Sub;
    if (op == CXBinaryOperator_Add && nest_is_variable(value->last, var))
        return value->first;
    return (op == CXBinaryOperator_Add || *down) && nest_is_variable(value->first, var) ? value->last : NULL;
}

bool loop_step(struct node *inc, struct loop_count *c, bool *down) {
    long k;
    inc = ast_strip(inc);
    const enum CXUnaryOperatorKind unary = ast_unary(inc);
    const enum CXBinaryOperatorKind op = ast_binary(inc);
    c->step = NULL;
    *down = unary == CXUnaryOperator_PostDec || unary == CXUnaryOperator_PreDec || op == CXBinaryOperator_SubAssign;
    if (!inc->first || !nest_is_variable(inc->first, c->var))
        return false;
    if (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec)
        return true;
    if (op == CXBinaryOperator_AddAssign || op == CXBinaryOperator_SubAssign)
        c->step = inc->last;
    else if (op == CXBinaryOperator_Assign)
        c->step = assigned_step(inc->last, c->var, down);
    if (c->step && ast_constant(c->step, &k))
        *down = *down != (k < 0);
    return c->step && ast_is_integer(ast_type(ast_strip(c->step))) && !nest_is_mentioned(c->step, c->var);
}

static bool find_step(struct node *inc, struct loop_count *c) {
    bool down;
    long k;
    return loop_step(inc, c, &down) && down == c->down && !(c->step && ast_constant(c->step, &k) && !k);
}

bool loop_counts(struct node *loop, struct loop_count *out) {
    const enum CXTypeKind kind = CXType_Invalid;
    *out = (struct loop_count){.step = NULL};
    if (ast_children(loop) != 4 || !find_first(ast_child(loop, 0), out))
        return false;
    const CXType t = clang_getCanonicalType(clang_getCursorType(out->var));
    return t.kind != kind && t.kind >= CXType_Char_U && t.kind <= CXType_Int128 &&
           find_bound(ast_child(loop, 1), out) && find_step(ast_child(loop, 2), out) &&
           !node_changes(loop->last, out->var, NULL);
}
