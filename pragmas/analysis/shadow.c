/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A variable that hides another one of its name in the directive's loop or block gets a name of its own: expressions
 * are put in other places later, where they have to mean what they meant.
 */
#include "analysis/refs.h"
#include "front/macros.h"
#include "prepare.h"

#include <string.h>

struct shadow {
    struct prepare *s;
    struct node *tree; /* where the hiding name is known */
    CXCursor decl;
    size_t at; /* of its name */
    const char *name, *other;
};

/* Where the name of the declaration is known. */
static struct node *scope_of(const struct node *declaration) {
    struct node *n = declaration->up;
    return n && n->kind == CXCursor_DeclStmt ? n->up : n;
}

/* A mention of another one of the name, which is known at the declaration too. */
static bool hides(const struct shadow *x, struct node *n) {
    if (n->kind == CXCursor_DeclRefExpr && strcmp(ast_name(n->c), x->name) == 0) {
        const CXCursor other = clang_getCursorReferenced(n->c);
        struct node *declared = clang_equalCursors(other, x->decl) ? NULL : ast_declaration(x->s->root, other);
        if (!clang_equalCursors(other, x->decl) && (!declared || ast_contains(scope_of(declared), x->tree)))
            return true;
    }
    for (struct node *c = n->first; c; c = c->next)
        if (hides(x, c))
            return true;
    return false;
}

/* The names in the text are its own, or of one of the name within, and all of them are seen. */
static size_t own_names(const struct shadow *x, struct node *n, edit_list *edits) {
    size_t count = 0;
    if (n->kind == CXCursor_DeclRefExpr && strcmp(ast_name(n->c), x->name) == 0 &&
        refs_is_whole_text(x->s->u, n, x->name)) {
        count++;
        if (clang_equalCursors(clang_getCursorReferenced(n->c), x->decl))
            vec_push(edits, (struct edit){n->b, n->b + strlen(x->name), x->other});
    }
    count += n->kind == CXCursor_VarDecl && strcmp(ast_name(n->c), x->name) == 0;
    for (struct node *c = n->first; c; c = c->next)
        count += own_names(x, c, edits);
    return count;
}

static size_t names_in_text(const struct shadow *x) {
    const char *text = x->s->u->src.text;
    struct lexer lx;
    bool member = false;
    size_t count = 0;
    for (lexer_init(&lx, text, x->tree->b, x->tree->e); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        count += !member && lexer_is_word(&lx, x->name);
        member = lexer_is(&lx, '.') || (lexer_is(&lx, '>') && lx.tok.b && text[lx.tok.b - 1] == '-');
    }
    return count;
}

static bool find_name(struct shadow *x) {
    CXFile file = NULL;
    unsigned at = 0;
    clang_getFileLocation(clang_getCursorLocation(x->decl), &file, NULL, NULL, &at);
    x->at = at;
    return file && clang_File_isEqual(file, x->s->u->file) &&
           refs_is_whole_text(x->s->u, &(struct node){.b = at}, x->name);
}

static bool is_named(const struct shadow *x) {
    const struct prepare *s = x->s;
    for (size_t i = 0; i < s->u->pragmas->n; i++) {
        const struct pragma *p = &s->u->pragmas->at[i];
        if (p->b > x->tree->b && p->b < x->tree->e && macros_name(s->u, (struct span){p->name.e, p->e}, x->name))
            return true;
    }
    return false;
}

static bool is_taken(const struct prepare *s, const char *name) {
    for (size_t i = 0; i < s->edits.n; i++)
        if (strcmp(s->edits.at[i].text, name) == 0)
            return true;
    return strstr(s->u->src.text, name);
}

static const char *other_name(const struct shadow *x) {
    const char *name;
    int k = 2;
    do
        name = mem_printf("%s_%d", x->name, k++);
    while (is_taken(x->s, name));
    return name;
}

/* Not where an OpenMP directive stands: of its statement libclang shows some names, and for some of them others. */
static void rename_one(struct prepare *s, struct node *n) {
    struct shadow x = {.s = s, .tree = scope_of(n), .decl = n->c, .name = ast_name(n->c)};
    edit_list edits = {0};
    if (!*x.name || clang_Cursor_getStorageClass(n->c) == CX_SC_Extern || !x.tree || ast_has_openmp(x.tree) ||
        !hides(&x, s->root) || !find_name(&x) || is_named(&x))
        return;
    x.other = other_name(&x);
    if (own_names(&x, x.tree, &edits) != names_in_text(&x) || edits.n != (size_t)ast_mentions(s->root, n->c))
        return;
    vec_push(&s->edits, (struct edit){x.at, x.at + strlen(x.name), x.other});
    for (size_t i = 0; i < edits.n; i++)
        vec_push(&s->edits, edits.at[i]);
}

static void rename_in(struct prepare *s, struct node *n) {
    if (n->kind == CXCursor_VarDecl)
        rename_one(s, n);
    for (struct node *c = n->first; c; c = c->next)
        rename_in(s, c);
}

void prepare_shadows(struct prepare *s) { rename_in(s, s->root); }
