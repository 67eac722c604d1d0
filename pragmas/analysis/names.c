/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Are the names in a directive's expressions declared? Expressions of clauses are text to clang, which meets them in
 * the emitted file only: its message would name a line that the user does not have. Types are left to clang.
 */
#include "analysis/capture.h"
#include "function.h"

#include <string.h>

static bool is_named(CXCursor c, const char *name, size_t n) {
    const char *s = ast_name(c);
    return strlen(s) == n && memcmp(s, name, n) == 0;
}

struct node *names_local(struct node *tree, const char *name, size_t n, size_t offset) {
    struct node *found = NULL;
    for (struct node *c = tree->first; c; c = c->next) {
        if (c->kind == CXCursor_ParmDecl && is_named(c->c, name, n))
            found = c;
        if (c->kind == CXCursor_DeclStmt && c->e <= offset)
            for (struct node *d = c->first; d; d = d->next) {
                if (d->kind == CXCursor_VarDecl && is_named(d->c, name, n))
                    found = d;
                for (struct node *e = d->first; e && d->kind == CXCursor_EnumDecl; e = e->next)
                    if (e->kind == CXCursor_EnumConstantDecl && is_named(e->c, name, n))
                        found = e;
            }
        if (c->b <= offset && offset < c->e) {
            struct node *inner = names_local(c, name, n, offset);
            found = inner ? inner : found;
        }
    }
    return found;
}

struct search {
    const char *name;
    size_t n;
    bool found;
};

/* Declarations and macros of the file and its headers. */
static enum CXChildVisitResult file_visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct search *s = data;
    enum CXCursorKind kind = clang_getCursorKind(c);
    if ((clang_isDeclaration(kind) || kind == CXCursor_MacroDefinition) && is_named(c, s->name, s->n)) {
        s->found = true;
        return CXChildVisit_Break;
    }
    bool inside = kind == CXCursor_EnumDecl || kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl;
    return inside ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

/* Types and functions of a function's own, and what is declared behind the directive: clang judges these. */
static bool declared_below(struct node *n, const struct search *s) {
    for (struct node *c = n->first; c; c = c->next)
        if ((clang_isDeclaration(c->kind) && is_named(c->c, s->name, s->n)) || declared_below(c, s))
            return true;
    return false;
}

static bool is_word(const char *name, size_t n) {
    static const char *const words[] = {"sizeof", "int",    "long", "short", "char",     "unsigned", "signed",
                                        "float",  "double", "void", "const", "volatile", "struct",   "union",
                                        "enum",   "bool",   "true", "false", "restrict", "typeof"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && memcmp(words[i], name, n) == 0)
            return true;
    return name[0] == '_' && n > 1 && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z')); /* of the compiler */
}

static bool declared(struct unit *u, struct node *tree, const char *name, size_t n, size_t offset) {
    struct search s = {name, n, false};
    if (is_word(name, n) || names_local(tree, name, n, offset) || declared_below(tree, &s))
        return true;
    clang_visitChildren(clang_getTranslationUnitCursor(u->tu), file_visit, &s);
    return s.found;
}

static bool check_span(struct unit *u, const struct pragma *p, struct node *tree, struct span s) {
    struct lexer lx;
    bool skip = false; /* a member, or the tag of a type */
    for (lexer_init(&lx, u->src.text, s.b, s.e); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        const char *name = u->src.text + lx.tok.b;
        const size_t n = lx.tok.e - lx.tok.b;
        const bool chunk = p->directive->bit & (DIRECTIVE_FOR | DIRECTIVE_VARIANT) &&
                           (lexer_is_word(&lx, "heddle_lo") || lexer_is_word(&lx, "heddle_count"));
        if (lx.tok.kind == TOKEN_NAME && !skip && !chunk && !declared(u, tree, name, n, p->b)) {
            diag_error(u, lx.tok.b, "'%.*s' is not declared", (int)n, name);
            return false;
        }
        skip = lexer_is(&lx, '.') || (lexer_is(&lx, '>') && lx.tok.b && u->src.text[lx.tok.b - 1] == '-') ||
               lexer_is_word(&lx, "struct") || lexer_is_word(&lx, "union") || lexer_is_word(&lx, "enum");
    }
    return true;
}

/* Words that stand where an expression may. */
static bool is_device_word(struct unit *u, const struct pragma *p, const struct clause *c) {
    const char *text = c->id == CLAUSE_DEVICE ? source_flat(&u->src, c->arg[0]) : "";
    return !strcmp(text, "host") || (!strcmp(text, "all") && !(p->directive->bit & DIRECTIVE_POOL));
}

static bool check_clause(struct unit *u, const struct pragma *p, struct node *tree, const struct clause *c) {
    bool ok = true;
    for (int k = 0; k < c->nargs && !is_device_word(u, p, c); k++)
        ok &= check_span(u, p, tree, c->arg[k]);
    for (size_t i = 0; i < c->items.n; i++) {
        const struct item *item = &c->items.at[i];
        if (c->id == CLAUSE_DEPEND)
            ok &= check_span(u, p, tree, item->name);
        for (int d = 0; d < item->nsections; d++)
            ok &= check_span(u, p, tree, item->section[d].first) && check_span(u, p, tree, item->section[d].count);
    }
    return ok;
}

bool names_check(struct unit *u, const struct pragma *p) {
    struct function *f = function_around(u, p->b);
    bool ok = true;
    for (size_t i = 0; f && i < p->clauses.n; i++)
        ok &= check_clause(u, p, f->tree, &p->clauses.at[i]);
    return ok;
}
