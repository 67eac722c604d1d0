/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libclang shows the variables that an OpenMP directive captures, but not the statement behind it, unless the directive
 * is `atomic`. What code there calls, and which variables of file scope it names, is found by the names in its text.
 */
#include "analysis/capture.h"
#include "front/macros.h"
#include "loop.h"

#include <string.h>

struct name {
    const char *text;
    size_t at;
    bool called;
};

struct search {
    struct for_loop *f;
    VEC(struct name) names;
};

static void add(struct search *s, struct name n) {
    for (size_t i = 0; i < s->names.n; i++)
        if (s->names.at[i].called == n.called && strcmp(s->names.at[i].text, n.text) == 0)
            return;
    vec_push(&s->names, n);
}

static void read_names(struct search *s, struct span span) {
    const char *text = s->f->w.u->src.text;
    struct lexer lx, after;
    bool member = false;
    for (lexer_init(&lx, text, span.b, span.e); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        after = lx;
        lexer_next(&after);
        if (lx.tok.kind == TOKEN_NAME && !member)
            add(s, (struct name){mem_strndup(text + lx.tok.b, lx.tok.e - lx.tok.b), lx.tok.b, lexer_is(&after, '(')});
        member = lexer_is(&lx, '.') || (lexer_is(&lx, '>') && lx.tok.b && text[lx.tok.b - 1] == '-');
    }
}

static void look(struct search *s, struct node *n) {
    if (ast_is_openmp(n) && n->kind != CXCursor_OMPAtomicDirective) {
        const struct span span = ast_openmp_statement(s->f->w.u, n);
        vec_push(&s->f->hidden_text, span);
        read_names(s, span);
        return;
    }
    for (struct node *c = n->first; c; c = c->next)
        look(s, c);
}

/* A variable of the function hides one of file scope. */
static bool is_local(const struct node *n, const char *name) {
    if ((n->kind == CXCursor_VarDecl || n->kind == CXCursor_ParmDecl) && strcmp(ast_name(n->c), name) == 0)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (is_local(c, name))
            return true;
    return false;
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct search *s = data;
    enum CXCursorKind kind = clang_getCursorKind(c);
    if (kind != CXCursor_FunctionDecl && kind != CXCursor_VarDecl)
        return CXChildVisit_Continue;
    const char *name = ast_name(c);
    for (size_t i = 0; i < s->names.n; i++) {
        const struct name *n = &s->names.at[i];
        if (strcmp(n->text, name) != 0 || (kind == CXCursor_FunctionDecl) != n->called)
            continue;
        bool again = false;
        for (size_t k = 0; k < s->f->hidden.n; k++)
            again |= clang_equalCursors(clang_getCanonicalCursor(s->f->hidden.at[k].c), clang_getCanonicalCursor(c));
        if (!again)
            vec_push(&s->f->hidden, (struct for_hidden){c, n->at});
    }
    return CXChildVisit_Continue;
}

static void find(struct search *s) {
    struct for_loop *f = s->f;
    if (!s->names.n)
        return;
    clang_visitChildren(clang_getTranslationUnitCursor(f->w.u->tu), visit, s);
    struct node *tree = ast_tree(f->w.u, f->w.function);
    for (size_t i = 0; i < f->hidden.n; i++)
        if (clang_getCursorKind(f->hidden.at[i].c) == CXCursor_VarDecl && is_local(tree, ast_name(f->hidden.at[i].c)))
            f->hidden.at[i] = f->hidden.at[--f->hidden.n], i--;
}

void for_hidden(struct for_loop *f) {
    struct search s = {.f = f};
    look(&s, f->w.body);
    find(&s);
}

/* What declared reductions call and name. */
void for_hidden_declared(struct for_loop *f) {
    struct search s = {.f = f};
    for (size_t i = 0; i < f->w.vars.n; i++)
        if (f->w.vars.at[i]->user) {
            read_names(&s, f->w.vars.at[i]->user->combiner);
            read_names(&s, f->w.vars.at[i]->user->initializer);
        }
    find(&s);
}

/* ---- stores, by their looks: x = …, x[…].y += …, x++, ++x ---- */

static void skip_element(struct lexer *lx) {
    for (;;) {
        if (lexer_is(lx, '[')) {
            int depth = 0;
            do {
                depth += lexer_is(lx, '[');
                depth -= lexer_is(lx, ']');
                lexer_next(lx);
            } while (depth && lx->tok.kind != TOKEN_END);
        } else if (lexer_is(lx, '.') || (lexer_is(lx, '-') && lx->text[lx->tok.e] == '>')) {
            if (lexer_is(lx, '-'))
                lexer_next(lx);
            lexer_next(lx);
            lexer_next(lx);
        } else {
            return;
        }
    }
}

static bool stores(const char *s) {
    if (*s == '=')
        return s[1] != '=';
    if ((*s == '+' || *s == '-') && s[1] == *s)
        return true;
    if ((*s == '<' || *s == '>') && s[1] == *s)
        return s[2] == '=';
    return strchr("+-*/%&|^", *s) && s[1] == '=';
}

bool for_hidden_writes(const struct for_loop *f, const struct var *v, size_t *at) {
    const char *text = f->w.u->src.text;
    for (size_t i = 0; i < f->hidden_text.n; i++) {
        struct lexer lx;
        struct token last = {TOKEN_END, 0, 0}, before = last;
        for (lexer_init(&lx, text, f->hidden_text.at[i].b, f->hidden_text.at[i].e); lx.tok.kind != TOKEN_END;) {
            const struct token name = lx.tok;
            const bool member = last.kind == TOKEN_PUNCT && (text[last.b] == '.' || text[last.b] == '>');
            const bool counted = last.kind == TOKEN_PUNCT && before.e == last.b && text[before.b] == text[last.b] &&
                                 (text[last.b] == '+' || text[last.b] == '-');
            const bool mine = lexer_is_word(&lx, v->name) && !member;
            before = last;
            last = name;
            lexer_next(&lx);
            struct lexer after = lx;
            if (mine)
                skip_element(&after);
            if (mine && (counted || (after.tok.kind == TOKEN_PUNCT && stores(text + after.tok.b)))) {
                *at = name.b;
                return true;
            }
        }
    }
    return false;
}

/* Is the array named there at all? Then nobody knows what else is done with it. */
bool for_hidden_uses(const struct for_loop *f, const struct var *v) {
    for (size_t i = 0; i < f->hidden_text.n; i++)
        if (macros_name(f->w.u, f->hidden_text.at[i], v->name))
            return true;
    return false;
}
