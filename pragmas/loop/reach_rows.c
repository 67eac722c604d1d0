/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places that are elements side by side: at[i] of all iterations, and column[k] of the rows of a sparse matrix, where
 * each one begins where the one before it ends. The least and the greatest of so many numbers in one piece are found
 * several at a time, which turns of a few elements each are too short for.
 */
#include "reach_walk.h"

#include "analysis/capture.h"

#include <string.h>

static bool is_variable(struct node *n, CXCursor d) {
    n = ast_strip(n);
    return n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), d);
}

/* i + 1 */
static bool is_next(struct node *n, CXCursor i) {
    long one;
    n = ast_strip(n);
    return ast_binary(n) == CXBinaryOperator_Add && is_variable(ast_child(n, 0), i) &&
           ast_constant(ast_child(n, 1), &one) && one == 1;
}

/* The array of integers whose element n is, with the subscript i, or i + 1; else NULL. */
static const struct var *array_at(const struct reach *r, struct node *n, CXCursor i, bool next) {
    n = ast_strip(n);
    if (n->kind != CXCursor_ArraySubscriptExpr || !ast_is_integer(ast_type(n)))
        return NULL;
    struct node *array = ast_strip(ast_child(n, 0)), *sub = ast_child(n, 1);
    if (array->kind != CXCursor_DeclRefExpr || !(next ? is_next(sub, i) : is_variable(sub, i)))
        return NULL;
    return capture_lookup(&r->f->w, clang_getCursorReferenced(array->c));
}

static CXCursor loop_variable(const struct reach *r) { return r->f->w.loop[0].var; }

/* A variable that is declared with it, and keeps it. */
static struct node *declared_as(const struct reach *r, struct node *n) {
    n = ast_strip(n);
    const int i = n->kind == CXCursor_DeclRefExpr ? reach_needed(r, clang_getCursorReferenced(n->c)) : -1;
    if (i >= 0 && r->value[i] && !node_changes(r->f->w.body, r->needed[i], NULL) &&
        clang_getCanonicalType(clang_getCursorType(r->needed[i])).kind == ast_type(r->value[i]).kind)
        return ast_strip(r->value[i]);
    return n;
}

bool reach_enter_rows(struct reach *r, struct node *loop) {
    struct node *init = ast_child(loop, 0), *test = ast_child(loop, 1), *step = ast_child(loop, 2),
                *d = init->kind == CXCursor_DeclStmt ? init->first : NULL;
    const enum CXUnaryOperatorKind up = ast_unary(step);
    if (r->turned || r->rows.begin || !d || d->next || !d->first || ast_binary(test) != CXBinaryOperator_LT ||
        (up != CXUnaryOperator_PostInc && up != CXUnaryOperator_PreInc) || !is_variable(ast_child(step, 0), d->c) ||
        !is_variable(ast_child(test, 0), d->c) || node_changes(ast_child(loop, 3), d->c, NULL))
        return false;
    const struct var *begin = array_at(r, d->last, loop_variable(r), false),
                     *end = array_at(r, ast_child(test, 1), loop_variable(r), true);
    if (!begin || begin != end || ast_type(ast_strip(d->last)).kind != ast_type(d).kind)
        return false;
    r->rows.begin = begin;
    r->rows.turn = d->c;
    return true;
}

void reach_leave_rows(struct reach *r) { r->rows.begin = NULL; }

static struct reach_row *row_of(struct reach *r, const struct var *at, const struct var *begin, bool is_int) {
    const struct reach_row row = {.at = at, .begin = begin, .is_int = is_int};
    for (size_t i = 0; i < r->rows.all.n; i++)
        if (r->rows.all.at[i].at == row.at && r->rows.all.at[i].begin == row.begin)
            return &r->rows.all.at[i];
    vec_push(&r->rows.all, row);
    return &r->rows.all.at[r->rows.all.n - 1];
}

void reach_add_row(struct reach *r, const struct var *v, struct node *sub) {
    struct node *place = declared_as(r, sub);
    const bool each = is_variable(place, loop_variable(r)),
               itself = each || (r->rows.begin && is_variable(place, r->rows.turn));
    const struct var *at = array_at(r, place, r->rows.begin ? r->rows.turn : loop_variable(r), false);
    if (r->turned || (!at && !itself)) {
        r->rows.none = true;
        return;
    }
    struct reach_row *row = row_of(r, at, each ? NULL : r->rows.begin, ast_type(place).kind == CXType_Int);
    for (size_t i = 0; i < row->reached.n; i++)
        if (row->reached.at[i] == v)
            return;
    vec_push(&row->reached, v);
}
