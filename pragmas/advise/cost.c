/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one run of a loop takes on one core, from the text alone: turns times what the body does. Turns are known where
 * the head has constants; else no more than the arrays that the variable counts through have elements; else assumed.
 */
#include "advise.h"
#include "analysis/function.h"

#include <string.h>

static const double ACCESS = 0.25e-9, OPERATION = 0.25e-9, LONG = 2e-9 /* a division */, CALL = 10e-9; /* seconds */
static const double ASSUMED = 100; /* turns of a loop inside of others */
enum { DEEP = 6 };                 /* functions in functions */

struct cost {
    struct unit *u;
    int depth;
};

static double of(struct cost *x, struct node *n);

/* i, i + 1, 1 - i: one more or less in each turn */
static bool counts_by_one(struct node *n, CXCursor var) {
    n = ast_strip(n);
    if (!n)
        return false;
    if (n->kind == CXCursor_DeclRefExpr)
        return clang_equalCursors(clang_getCursorReferenced(n->c), var);
    const enum CXBinaryOperatorKind op = ast_binary(n);
    return (op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub) &&
           (counts_by_one(n->first, var) != counts_by_one(n->last, var));
}

/* The fewest elements of a dimension that the variable counts through; -1: none is known. */
static long extent(struct node *n, CXCursor var) {
    long least = -1;
    if (n->kind == CXCursor_ArraySubscriptExpr && counts_by_one(n->last, var)) {
        const long size = clang_getArraySize(clang_getCanonicalType(clang_getCursorType(ast_strip(n->first)->c)));
        least = size > 0 ? size : -1;
    }
    for (struct node *c = n->first; c; c = c->next) {
        const long other = extent(c, var);
        least = other >= 0 && (least < 0 || other < least) ? other : least;
    }
    return least;
}

static double turns(struct node *loop, bool *known) {
    struct loop_count c;
    long first, bound, step = 1;
    *known = true;
    if (loop->kind != CXCursor_ForStmt || !loop_counts(loop, &c)) {
        *known = false;
        return ASSUMED;
    }
    if (ast_constant(c.first, &first) && ast_constant(c.bound, &bound) && (!c.step || ast_constant(c.step, &step)) &&
        step) {
        const double n = ((double)bound - (double)first) / (double)step + !c.open;
        return n > 0 ? n : n < 0 ? -n : 0;
    }
    const long size = extent(loop->last, c.var);
    *known = size >= 0;
    return size >= 0 ? (double)size : ASSUMED;
}

static double of_call(struct cost *x, struct node *n) {
    struct function *f = function_called(x->u, n);
    double sum = CALL;
    if (f && x->depth < DEEP) {
        x->depth++;
        sum += of(x, f->body);
        x->depth--;
    }
    return sum;
}

static double of_itself(struct cost *x, struct node *n) {
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (n->kind == CXCursor_CallExpr)
        return of_call(x, n);
    if (n->kind == CXCursor_ArraySubscriptExpr)
        return ast_is_array(clang_getCanonicalType(clang_getCursorType(n->c))) ? 0 : ACCESS;
    if (op == CXBinaryOperator_Div || op == CXBinaryOperator_Rem)
        return LONG;
    const bool counted =
        (op != CXBinaryOperator_Invalid && op != CXBinaryOperator_Assign && op != CXBinaryOperator_Comma) ||
        ast_unary(n) == CXUnaryOperator_Deref || ast_is_assignment(n);
    return counted ? OPERATION : 0;
}

/* Both branches of a condition are counted: work is rather overestimated, so that no line is lost. */
static double of(struct cost *x, struct node *n) {
    const bool loop = n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt;
    double sum = of_itself(x, n);
    bool known;
    if (n->kind == CXCursor_UnaryExpr)
        return 0;
    if (n->kind == CXCursor_ArraySubscriptExpr) { /* what computes the place is of little weight */
        for (struct node *c = n->first; c; c = c->next)
            sum += c->kind == CXCursor_ArraySubscriptExpr ? of(x, c) : 0;
        return sum;
    }
    for (struct node *c = n->first; c; c = c->next)
        sum += of(x, c);
    return loop ? turns(n, &known) * sum : sum;
}

double advise_cost(struct unit *u, struct node *loop, bool outermost) {
    struct cost x = {u, 0};
    bool known;
    turns(loop, &known);
    return known || !outermost ? of(&x, loop) : 0;
}
