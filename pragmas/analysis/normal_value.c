/* SPDX-License-Identifier: Apache-2.0 */
/* int k = i * n + j; a[k]: an index that the body computes first is written where it is used as a subscript. */
#include "analysis/affine.h"
#include "normal.h"

#include <string.h>

static bool is_subscript(const struct node *n) {
    for (const struct node *up = n->up; up; n = up, up = up->up)
        if (up->kind == CXCursor_ArraySubscriptExpr && up->last == n)
            return true;
    return false;
}

static bool used_as_subscript(const struct node *n, CXCursor var) {
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), var) && is_subscript(n))
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (used_as_subscript(c, var))
            return true;
    return false;
}

static bool replace(struct normal *x, struct node *n, CXCursor var, const char *by) {
    if (n->kind == CXCursor_ArraySubscriptExpr && !normal_replace(x, n->last, var, by))
        return false;
    for (struct node *c = n->first; c; c = c->next)
        if (!(n->kind == CXCursor_ArraySubscriptExpr && c == n->last) && !replace(x, c, var, by))
            return false;
    return true;
}

static bool put(struct normal *x, const struct node *declaration, struct node *var) {
    struct node *value = var->last;
    if (var->kind != CXCursor_VarDecl || !value || !clang_isExpression(value->kind) ||
        declaration->up->kind != CXCursor_CompoundStmt || !affine_is_integer(clang_getCursorType(var->c)) ||
        clang_Cursor_getStorageClass(var->c) != CX_SC_None || !affine_is_integer(ast_type(ast_strip(value))) ||
        node_changes(x->root, var->c, NULL) || !normal_is_plain(x, value) || value->b <= var->b ||
        !used_as_subscript(x->root, var->c) || ast_hides_any(x->root, value))
        return false;
    const size_t before = x->edits->n;
    const char *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(var->c)));
    if (!replace(x, x->root, var->c, mem_printf("((%s)(%s))", type, unit_text(x->u, value)))) {
        x->edits->n = before;
        return false;
    }
    vec_push(x->edits, (struct edit){declaration->e, declaration->e, mem_printf(" (void)%s;", ast_name(var->c))});
    return true;
}

static bool find(struct normal *x, struct node *n) {
    for (struct node *var = n->kind == CXCursor_DeclStmt ? n->first : NULL; var; var = var->next)
        if (put(x, n, var))
            return true;
    for (struct node *c = n->first; c; c = c->next)
        if (find(x, c))
            return true;
    return false;
}

bool normal_values(struct normal *x) { return x->outer && find(x, x->root->last); }
