/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of an array behind its mentions in a body. */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "written.h"

static bool is_const(const struct var *v) { return clang_isConstQualifiedType(clang_getCanonicalType(v->elem_type)); }

/* The mention with the subscripts and members that follow it. */
static struct node *element(struct node *n) {
    for (struct node *up = n->up; up; up = n->up) {
        if (up->kind == CXCursor_ParenExpr || up->kind == CXCursor_UnexposedExpr ||
            ast_unary(up) == CXUnaryOperator_Deref || up->kind == CXCursor_MemberRefExpr ||
            (up->kind == CXCursor_ArraySubscriptExpr && up->first == n))
            n = up;
        else
            break;
    }
    return n;
}

/* ... NULL where nothing but casts follows: the pointer itself. */
struct node *written_element(const struct use *use) {
    struct node *n = element(use->n);
    while (n != use->n && (n->kind == CXCursor_ParenExpr || n->kind == CXCursor_UnexposedExpr))
        n = n->first;
    return n == use->n ? NULL : n;
}

bool written_for_sure(const struct nest *w, const struct var *v, size_t *at) {
    for (size_t i = 0; i < w->uses.n; i++) {
        const struct use *use = &w->uses.at[i];
        struct node *n = use->v == v ? written_element(use) : NULL;
        if (n && (capture_access(n) & ACCESS_WRITE)) {
            *at = use->offset;
            return true;
        }
    }
    return false;
}

/* p->x, (*p).x */
static bool reads_member(struct node *n) {
    for (n = n->up; n && (n->kind == CXCursor_ParenExpr || n->kind == CXCursor_UnexposedExpr);)
        n = n->up;
    return n && (n->kind == CXCursor_MemberRefExpr || ast_unary(n) == CXUnaryOperator_Deref) &&
           capture_access(n) == ACCESS_READ;
}

bool written_perhaps(const struct nest *w, const struct var *v) {
    size_t at;
    if (is_const(v))
        return false;
    if (written_for_sure(w, v, &at))
        return true;
    for (size_t i = 0; i < w->uses.n; i++) {
        const struct use *use = &w->uses.at[i];
        struct ref r = {0};
        if (use->v != v || (capture_access(use->n) & ACCESS_UNEVALUATED))
            continue;
        if (refs_subscripts(v, use->n, &r) && !(capture_access(r.n) & ACCESS_ADDRESS))
            continue; /* an element is read */
        if (reads_member(use->n))
            continue;
        struct node *n = use->n;
        while (n->up && n->up->kind != CXCursor_CallExpr && clang_isExpression(n->up->kind))
            n = n->up;
        if (!n->up || n->up->kind != CXCursor_CallExpr || !function_takes_const(n->up, n))
            return true;
    }
    return false;
}
