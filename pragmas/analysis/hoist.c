/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constants, types and constant tables that a function declares for itself: what becomes of its loops stands before it,
 * and has to see them. They are moved there, under another name where the file has something that is called so.
 */
#include "front/macros.h"
#include "analysis/capture.h"
#include "prepare.h"

#include <string.h>

struct names {
    VEC(const char *) at;
};

static bool has(const struct names *s, const char *name) {
    for (size_t i = 0; i < s->at.n; i++)
        if (strcmp(s->at.at[i], name) == 0)
            return true;
    return false;
}

/* ---- what is declared ---- */

static bool is_type(enum CXCursorKind kind) {
    return kind == CXCursor_EnumDecl || kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl ||
           kind == CXCursor_TypedefDecl;
}

static bool is_constant(const struct node *n) {
    return n->kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(n->c) == CX_SC_Static && node_is_table(n->c);
}

/* Names of the declaration; those of enumerators, too. */
static void add_names(const struct node *n, struct names *out) {
    const char *name = ast_name(n->c);
    if (clang_Cursor_isAnonymous(n->c) == 0 && *name && !strpbrk(name, " (") && !has(out, name))
        vec_push(&out->at, name);
    for (const struct node *c = n->first; c && n->kind == CXCursor_EnumDecl; c = c->next)
        if (c->kind == CXCursor_EnumConstantDecl)
            vec_push(&out->at, ast_name(c->c));
}

/* What it refers to stays where it is: variables, types that are not moved. */
static bool refers(const struct prepare *s, const struct node *n, const struct names *moved) {
    if (n->kind == CXCursor_DeclRefExpr || n->kind == CXCursor_TypeRef) {
        const CXCursor d = clang_getCursorReferenced(n->c);
        struct span at, f;
        const enum CXCursorKind kind = clang_getCursorKind(d);
        const bool here = ast_span(s->u, d, &at) && ast_span(s->u, s->function, &f) && at.b >= f.b && at.b < f.e;
        if (here && !has(moved, ast_name(d)))
            return true;
        if (kind == CXCursor_VarDecl && !here && !node_is_table(d))
            return true;
    }
    for (const struct node *c = n->first; c; c = c->next)
        if (refers(s, c, moved))
            return true;
    return false;
}

static bool is_written_out(const struct prepare *s, const struct node *n) {
    static const char *const words[] = {"enum", "struct", "union", "typedef", "static", "const"};
    const char *text = s->u->src.text + n->b;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(text, words[i], strlen(words[i])) == 0)
            return s->u->src.text[n->e - 1] == ';' && !memchr(text, '#', n->e - n->b);
    return false;
}

static bool may_move(const struct prepare *s, const struct node *n, struct names *names, const struct names *moved) {
    *names = (struct names){{0}};
    for (const struct node *d = n->first; d; d = d->next) {
        if (!is_type(d->kind) && !is_constant(d))
            return false;
        add_names(d, names);
    }
    struct names known = {{0}};
    for (size_t i = 0; i < moved->at.n; i++)
        vec_push(&known.at, moved->at.at[i]);
    for (size_t i = 0; i < names->at.n; i++)
        vec_push(&known.at, names->at.at[i]);
    return n->first && is_written_out(s, n) && !refers(s, n, &known);
}

/* ---- names that are taken ---- */

struct search {
    const char *name;
    bool found;
};

static enum CXChildVisitResult file_visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct search *s = data;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    if ((clang_isDeclaration(kind) || kind == CXCursor_MacroDefinition) && strcmp(ast_name(c), s->name) == 0)
        s->found = true;
    return s->found ? CXChildVisit_Break : kind == CXCursor_EnumDecl ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

static bool is_tag(const struct node *n) {
    return n->kind == CXCursor_EnumDecl || n->kind == CXCursor_StructDecl || n->kind == CXCursor_UnionDecl;
}

/* Tags are called apart from other names. */
static int declarations(const struct node *n, const char *name, bool tag) {
    int count = clang_isDeclaration(n->kind) && n->kind != CXCursor_FieldDecl && is_tag(n) == tag &&
                strcmp(ast_name(n->c), name) == 0;
    for (const struct node *c = n->kind == CXCursor_TypedefDecl ? NULL : n->first; c; c = c->next)
        count += declarations(c, name, tag); /* a typedef's structure stands before it, too */
    return count;
}

static bool is_once(const struct prepare *s, const char *name) {
    return declarations(s->tree, name, false) < 2 && declarations(s->tree, name, true) < 2;
}

static bool in_macros(const struct unit *u, const char *name) {
    for (size_t i = 0; i < u->macros.n; i++) {
        const char *body = macros_body(u, u->macros.at[i], strlen(u->macros.at[i]));
        struct lexer lx;
        for (lexer_init(&lx, body ? body : "", 0, body ? strlen(body) : 0); lx.tok.kind != TOKEN_END; lexer_next(&lx))
            if (lexer_is_word(&lx, name))
                return true;
    }
    return false;
}

/* From the declaration on, to the end of the block around it. */
static void rename_all(struct prepare *s, const struct node *n, const char *name, const char *other) {
    struct lexer lx;
    bool skip = false;
    for (lexer_init(&lx, s->u->src.text, n->e, n->up->e); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        if (!skip && lexer_is_word(&lx, name))
            vec_push(&s->edits, (struct edit){lx.tok.b, lx.tok.e, other});
        skip = lexer_is(&lx, '.') || (lexer_is(&lx, '>') && lx.tok.b && s->u->src.text[lx.tok.b - 1] == '-') ||
               lexer_is_word(&lx, "struct") || lexer_is_word(&lx, "union") || lexer_is_word(&lx, "enum");
    }
}

/* The declaration's text with other names in place of some. */
static const char *text_of(const struct prepare *s, const struct node *n, const struct names *from,
                           const struct names *to) {
    const char *flat = unit_text(s->u, n);
    struct buf out = {0};
    struct lexer lx;
    size_t at = 0;
    for (lexer_init(&lx, flat, 0, strlen(flat)); lx.tok.kind != TOKEN_END; lexer_next(&lx))
        for (size_t i = 0; i < from->at.n; i++)
            if (lexer_is_word(&lx, from->at.at[i])) {
                buf_add(&out, flat + at, lx.tok.b - at);
                buf_puts(&out, to->at.at[i]);
                at = lx.tok.e;
            }
    buf_puts(&out, flat + at);
    return out.s;
}

static bool is_taken(const struct prepare *s, const char *name) {
    struct search at = {name, false};
    clang_visitChildren(clang_getTranslationUnitCursor(s->u->tu), file_visit, &at);
    for (size_t i = 0; i < s->hoisted.n; i++)
        at.found |= strcmp(s->hoisted.at[i], name) == 0;
    return at.found;
}

static const char *only_newlines(const struct prepare *s, const struct node *n) {
    struct buf lines = {0};
    buf_add(&lines, "", 0);
    for (size_t i = n->b; i < n->e; i++)
        if (s->u->src.text[i] == '\n')
            buf_puts(&lines, "\n");
    buf_puts(&lines, ";");
    return lines.s;
}

static bool move(struct prepare *s, const struct node *n, const struct names *names, struct names *from,
                 struct names *to) {
    const size_t before = from->at.n;
    for (size_t i = 0; i < names->at.n; i++) {
        const char *name = names->at.at[i];
        if (!is_once(s, name))
            break;
        if (is_taken(s, name)) {
            const char *other = mem_printf("%s_of_%s", name, ast_name(s->function));
            if (in_macros(s->u, name) || is_taken(s, other) || strstr(s->u->src.text, other))
                break;
            vec_push(&from->at, name);
            vec_push(&to->at, other);
        }
        if (i + 1 == names->at.n) {
            struct span f;
            ast_span(s->u, s->function, &f);
            vec_push(&s->edits, (struct edit){f.b, f.b, mem_printf("%s ", text_of(s, n, from, to))});
            vec_push(&s->edits, (struct edit){n->b, n->e, only_newlines(s, n)});
            for (size_t k = before; k < from->at.n; k++)
                rename_all(s, n, from->at.at[k], to->at.at[k]);
            return true;
        }
    }
    from->at.n = to->at.n = before;
    return false;
}

/* ---- all of a function's ---- */

static bool needs(const struct prepare *s, const struct node *n) {
    if (n->kind == CXCursor_DeclRefExpr || n->kind == CXCursor_TypeRef) {
        const CXCursor d = clang_getCursorReferenced(n->c);
        const enum CXCursorKind kind = clang_getCursorKind(d);
        struct span at;
        const bool here = ast_span(s->u, d, &at) && at.b >= s->tree->b && at.b < s->root->b;
        if (here &&
            (is_type(kind) || kind == CXCursor_EnumConstantDecl || capture_type_is_local(clang_getCursorType(d)) ||
             (kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(d) == CX_SC_Static)))
            return true;
    }
    for (const struct node *c = n->first; c; c = c->next)
        if (needs(s, c))
            return true;
    return false;
}

/* Of a directive, and of what OpenMP's directives stand before, which libclang does not show. */
static bool text_needs(const struct prepare *s, size_t from, size_t end) {
    struct lexer lx;
    for (lexer_init(&lx, s->u->src.text, from, end); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        const struct node *n = lx.tok.kind == TOKEN_NAME
                                   ? names_local(s->tree, s->u->src.text + lx.tok.b, lx.tok.e - lx.tok.b, s->p->b)
                                   : NULL;
        if (n && (n->kind == CXCursor_EnumConstantDecl || is_type(n->kind) || is_constant(n) ||
                  capture_type_is_local(clang_getCursorType(n->c))))
            return true;
    }
    return false;
}

static void walk(struct prepare *s, const struct node *n, struct names *moved, struct names *from, struct names *to) {
    struct names names;
    for (const struct node *c = n->first; c && c->b < s->root->b; c = c->next) {
        if (c->kind == CXCursor_DeclStmt && n->kind == CXCursor_CompoundStmt && may_move(s, c, &names, moved) &&
            move(s, c, &names, from, to))
            for (size_t i = 0; i < names.at.n; i++) {
                vec_push(&moved->at, names.at.at[i]);
                vec_push(&s->hoisted, names.at.at[i]);
            }
        if (c->kind != CXCursor_DeclStmt)
            walk(s, c, moved, from, to);
    }
}

void prepare_declarations(struct prepare *s) {
    struct names moved = {{0}}, from = {{0}}, to = {{0}};
    for (size_t i = 0; i < s->done.n; i++)
        if (clang_equalCursors(s->done.at[i], s->function))
            return;
    const bool graph = s->p->directive->bit == DIRECTIVE_GRAPH;
    if (!needs(s, s->root) && !text_needs(s, s->p->b, s->p->e) && !(graph && text_needs(s, s->root->b, s->root_end)))
        return;
    vec_push(&s->done, s->function);
    walk(s, s->tree, &moved, &from, &to);
}
