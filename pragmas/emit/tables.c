/* SPDX-License-Identifier: Apache-2.0 */
/* Constants of file scope that code for devices reads: OpenMP is told about each, once. */
#include "front/macros.h"
#include "emit.h"

static VEC(CXCursor) declared;

/* Code on a device finds a constant of file scope only when OpenMP is told about it. */
static void declare_table(struct unit *u, CXCursor decl, size_t at, struct buf *out) {
    CXCursor c = clang_getCanonicalCursor(decl);
    const char *line = mem_printf("#pragma omp declare target(%s)\n", ast_name(decl));
    struct span s;
    for (size_t i = 0; i < declared.n; i++)
        if (clang_equalCursors(declared.at[i], c))
            return;
    vec_push(&declared, c);
    if (clang_Cursor_isNull(clang_getCursorDefinition(decl))) {
        diag_error(
            u, at,
            "constant '%s' is used by code for devices, but its value is in another file, so they cannot find it; "
            "define it in this file or in a header",
            ast_name(decl));
        return;
    }
    if (!ast_span(u, decl, &s)) {
        macros_include(u, out, line);
        return;
    }
    struct lexer lx;
    for (lexer_init(&lx, u->src.text, s.e, u->src.size); lx.tok.kind != TOKEN_END && !lexer_is(&lx, ';');)
        lexer_next(&lx);
    struct buf text = {0};
    buf_puts(&text, "\n");
    macros_include(u, &text, line);
    worker_resume(u, &text, lx.tok.e);
    vec_push(&u->edits, (struct edit){lx.tok.e, lx.tok.e, text.s});
}

static void tables_of(struct unit *u, struct function *f, unsigned visit, size_t at, struct buf *out) {
    if (function_seen(f, visit))
        return;
    for (size_t i = 0; i < f->tables.n; i++)
        declare_table(u, f->tables.at[i], at, out);
    for (size_t i = 0; i < f->calls.n; i++)
        tables_of(u, f->calls.at[i], visit, at, out);
}

static void tables_in(struct unit *u, struct node *n, unsigned visit, struct buf *out) {
    struct function *f = n->kind == CXCursor_CallExpr ? function_called(u, n) : NULL;
    if (f)
        tables_of(u, f, visit, n->b, out);
    if (n->kind == CXCursor_DeclRefExpr && node_is_global(clang_getCursorReferenced(n->c)) &&
        node_is_table(clang_getCursorReferenced(n->c)) &&
        clang_getCursorKind(clang_getCursorSemanticParent(clang_getCursorReferenced(n->c))) != CXCursor_FunctionDecl)
        declare_table(u, clang_getCursorReferenced(n->c), n->b, out);
    for (struct node *c = n->first; c; c = c->next)
        tables_in(u, c, visit, out);
}

void emit_tables(struct unit *u, struct node *n, struct buf *out) { tables_in(u, n, function_visit(), out); }

void emit_tables_of(struct unit *u, CXCursor c, size_t at, struct buf *out) {
    struct function *f = clang_getCursorKind(c) == CXCursor_FunctionDecl ? function_of(u, c) : NULL;
    if (f)
        tables_of(u, f, function_visit(), at, out);
    else if (clang_getCursorKind(c) == CXCursor_VarDecl && node_is_table(c))
        declare_table(u, c, at, out);
}
