/* SPDX-License-Identifier: Apache-2.0 */
/* How many rows an array has by its declaration: `double A[100][n]`, and a parameter `double A[n][n]` while n is what
   it was when the function began. */
#include "analysis/capture.h"
#include "analysis/map.h"
#include "function.h"

/* Changed since the function began, an extent says nothing. */
static bool extent_holds(const struct nest *w, const struct var *v) {
    struct node *tree = ast_tree(w->u, w->function);
    bool ok = true;
    struct lexer lx;
    for (lexer_init(&lx, w->u->src.text, v->extent.b, v->extent.e); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        struct node *n = lx.tok.kind == TOKEN_NAME
                             ? names_local(tree, w->u->src.text + lx.tok.b, lx.tok.e - lx.tok.b, w->p->b)
                             : NULL;
        ok &= lx.tok.kind != TOKEN_NAME || (n && n->kind == CXCursor_ParmDecl && !node_changes(tree, n->c, NULL));
    }
    return ok;
}

/* A parameter that the function does not change. */
static void parameter(void *of, struct node *n, struct poly *out) {
    const CXCursor d = n->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(n->c) : clang_getNullCursor();
    if (clang_getCursorKind(d) == CXCursor_ParmDecl && affine_is_integer(clang_getCursorType(d)) &&
        !node_changes(of, d, NULL))
        affine_atom(out, ast_name(d));
}

const char *map_rows_declared(const struct nest *w, const struct var *v) {
    if (v->dim[0] && v->kind == VAR_ARRAY)
        return mem_printf("%ld", v->dim[0]);
    if (v->rows)
        return mem_printf("%ld", v->rows);
    struct poly rows = {0};
    if (v->extent_tree)
        affine_read(&(struct affine_names){.of = ast_tree(w->u, w->function), .leaf = parameter}, v->extent_tree,
                    &rows);
    if (rows.ok)
        return affine_text(&rows, "", "");
    if (v->extent.e == v->extent.b || !extent_holds(w, v))
        return NULL;
    return affine_span(w->u, v->extent);
}
