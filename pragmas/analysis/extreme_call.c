/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a function of two numbers return the greater one, or the less? Where its body only compares its parameters and
 * hands them on, there are three cases, a < b, a > b and a == b, and each is gone through.
 */
#include "extreme_call.h"

enum { MAX_NAMES = 8, UNSET = 0, LESS = 1, MORE = 2 };

struct frame {
    CXType type; /* of all names */
    CXCursor name[MAX_NAMES];
    int value[MAX_NAMES], n;
    int result;
    bool failed;
};

static CXType plain_type(CXCursor c) {
    return clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(c)));
}

static int fail(struct frame *f) {
    f->failed = true;
    return UNSET;
}

static void declare(struct frame *f, CXCursor c, int value) {
    if (f->n == MAX_NAMES || !clang_equalTypes(plain_type(c), f->type)) {
        f->failed = true;
        return;
    }
    f->name[f->n] = c;
    f->value[f->n++] = value;
}

static int *named(struct frame *f, struct node *n) {
    n = ast_strip(n);
    for (int i = 0; n->kind == CXCursor_DeclRefExpr && i < f->n; i++)
        if (clang_equalCursors(f->name[i], clang_getCursorReferenced(n->c)))
            return &f->value[i];
    return NULL;
}

static int value_of(struct frame *f, struct node *n);

static bool holds(struct frame *f, struct node *n) {
    n = ast_strip(n);
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (ast_unary(n) == CXUnaryOperator_LNot)
        return !holds(f, n->first);
    if (op < CXBinaryOperator_LT || op > CXBinaryOperator_NE)
        return fail(f);
    const int l = value_of(f, n->first), r = value_of(f, n->last);
    switch ((int)op) {
    case CXBinaryOperator_LT:
        return l < r;
    case CXBinaryOperator_GT:
        return l > r;
    case CXBinaryOperator_LE:
        return l <= r;
    case CXBinaryOperator_GE:
        return l >= r;
    case CXBinaryOperator_EQ:
        return l == r;
    default:
        return l != r;
    }
}

static int value_of(struct frame *f, struct node *n) {
    n = ast_strip(n);
    const int *value = named(f, n);
    if (value)
        return *value == UNSET ? fail(f) : *value;
    if (n->kind == CXCursor_ConditionalOperator && ast_children(n) == 3)
        return value_of(f, ast_child(n, holds(f, n->first) ? 1 : 2));
    return fail(f);
}

static void run(struct frame *f, struct node *n) {
    if (f->failed || f->result)
        return;
    if (n->kind == CXCursor_CompoundStmt) {
        for (struct node *c = n->first; c; c = c->next)
            run(f, c);
    } else if (n->kind == CXCursor_DeclStmt) {
        for (struct node *d = n->first; d; d = d->next)
            declare(f, d->c, d->last && clang_isExpression(d->last->kind) ? value_of(f, d->last) : UNSET);
    } else if (n->kind == CXCursor_IfStmt) {
        struct node *branch = ast_child(n, holds(f, n->first) ? 1 : 2);
        if (branch)
            run(f, branch);
    } else if (ast_binary(n) == CXBinaryOperator_Assign && named(f, n->first)) {
        *named(f, n->first) = value_of(f, n->last);
    } else if (n->kind == CXCursor_ReturnStmt && n->first) {
        f->result = value_of(f, n->first);
    } else if (n->kind != CXCursor_NullStmt) {
        f->failed = true;
    }
}

static int result_of(struct function *g, int a, int b) {
    struct frame f = {.type = clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorResultType(g->c)))};
    declare(&f, clang_Cursor_getArgument(g->c, 0), a);
    declare(&f, clang_Cursor_getArgument(g->c, 1), b);
    run(&f, g->body);
    return f.failed ? UNSET : f.result;
}

enum extreme_kind extreme_of_call(struct unit *u, struct node *call) {
    struct function *g = function_called(u, call);
    if (!g || clang_Cursor_getNumArguments(g->c) != 2 || !result_of(g, LESS, LESS))
        return EXTREME_UNKNOWN;
    const int up = result_of(g, LESS, MORE), down = result_of(g, MORE, LESS);
    return up != down || !up ? EXTREME_UNKNOWN : up == MORE ? EXTREME_MAX : EXTREME_MIN;
}
