/* SPDX-License-Identifier: Apache-2.0 */
/*
 * double *y = malloc(n * sizeof *y); is a block of its own: nothing that was there before points into it, nor does any
 * other such pointer. So it overlaps no parameter, no array with a name and no other block that the function has got,
 * if each of the pointers has one value and nobody has its address.
 */
#include "analysis/capture.h"
#include "function.h"
#include "nest.h"

#include <string.h>

static bool is_new(struct unit *u, struct node *value) {
    value = ast_strip(value);
    while (value->kind == CXCursor_CStyleCastExpr && value->last)
        value = ast_strip(value->last);
    if (value->kind != CXCursor_CallExpr || function_called(u, value))
        return false;
    const char *name = ast_name(function_callee(value));
    return !strcmp(name, "malloc") || !strcmp(name, "calloc") || !strcmp(name, "aligned_alloc");
}

static bool is_zero(struct node *value) {
    long k;
    value = ast_strip(value);
    while (value->kind == CXCursor_CStyleCastExpr && value->last)
        value = ast_strip(value->last);
    return ast_constant(value, &k) && !k;
}

/* All values that it ever has are such blocks. */
static bool is_fresh(const struct nest *w, struct node *tree, const struct var *v) {
    struct node *assignment = NULL, *declared = ast_declaration(tree, v->decl);
    if (v->kind != VAR_POINTER || !declared || declared->kind != CXCursor_VarDecl || node_is_global(v->decl) ||
        capture_is_shown(tree, v->decl))
        return false;
    struct node *first = declared->last && clang_isExpression(declared->last->kind) ? declared->last : NULL;
    const int changes = node_changes(tree, v->decl, &assignment);
    if (!changes)
        return first && is_new(w->u, first);
    return changes == 1 && assignment && (!first || is_zero(first)) && is_new(w->u, assignment->last) &&
           (assignment->b < w->root->b || assignment->b >= w->root_end);
}

/* What it points to was there when the function began. */
static bool is_older(struct node *tree, const struct var *v) {
    if (v->kind == VAR_ARRAY && v->sized)
        return true;
    return v->kind == VAR_POINTER && clang_getCursorKind(v->decl) == CXCursor_ParmDecl &&
           !node_changes(tree, v->decl, NULL) && !capture_is_shown(tree, v->decl);
}

static enum birth birth_of(const struct nest *w, struct var *v) {
    const struct function *g = v->birth ? NULL : function_of(w->u, w->function); /* whose tree is there */
    if (!v->birth)
        v->birth = !g || w->u->cplusplus /* a reference may be its other name */ ? BIRTH_ELSEWHERE
                   : is_fresh(w, g->tree, v)                                     ? BIRTH_BLOCK
                   : is_older(g->tree, v)                                        ? BIRTH_OLDER
                                                                                 : BIRTH_ELSEWHERE;
    return v->birth;
}

bool nest_are_blocks(const struct nest *w, struct var *a, struct var *b) {
    const enum birth x = birth_of(w, a), y = birth_of(w, b);
    return (x == BIRTH_BLOCK && y != BIRTH_ELSEWHERE) || (y == BIRTH_BLOCK && x != BIRTH_ELSEWHERE);
}
