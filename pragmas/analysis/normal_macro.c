/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accessors: #define A(i, j) a[(i) * n + (j)]. An element whose subscripts come out of a macro's body has no text of
 * its own in the file, so the use is expanded, as the preprocessor does it.
 */
#include "front/macros.h"
#include "normal.h"

#include <string.h>

enum { MAX_PARAMETERS = 8, DEPTH = 8 };

static bool has_subscript(const struct unit *u, const char *name, size_t n, int depth);

struct deeper {
    const struct unit *u;
    int depth;
};

static bool deeper(const char *name, size_t n, void *data) {
    const struct deeper *d = data;
    return has_subscript(d->u, name, n, d->depth + 1);
}

static bool has_subscript(const struct unit *u, const char *name, size_t n, int depth) {
    const char *body = depth < DEPTH ? macros_body(u, name, n) : NULL;
    return body && (strchr(body, '[') || macros_each_name(u, body, (struct span){0, strlen(body)}, DEPTH + 16, deeper,
                                                          &(struct deeper){u, depth}));
}

struct expansion_use {
    const char *parameter[MAX_PARAMETERS], *argument[MAX_PARAMETERS];
    int parameters, arguments;
};

static bool read_arguments(struct unit *u, size_t at, size_t end, struct expansion_use *use) {
    struct lexer lx;
    int depth = 0;
    size_t from = 0;
    for (lexer_init(&lx, u->src.text, at, end); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        const bool open = lexer_is(&lx, '('), close = lexer_is(&lx, ')');
        if (!depth && !open)
            return false;
        depth += open;
        if (open && depth == 1)
            from = lx.tok.e;
        if ((close && depth == 1) || (lexer_is(&lx, ',') && depth == 1)) {
            if (use->arguments == MAX_PARAMETERS)
                return false;
            use->argument[use->arguments++] = source_flat(&u->src, (struct span){from, lx.tok.b});
            from = lx.tok.e;
        }
        depth -= close;
        if (close && !depth)
            return true;
    }
    return false;
}

/* g->x has no blanks, so that it reads as it would in the file. */
static bool is_member(const char *text) { return strcmp(text, "->") == 0 || strcmp(text, ".") == 0; }

static bool add_token(const struct expansion_use *use, const char *text, struct buf *out) {
    if (text[0] == '#' || strcmp(text, "__VA_ARGS__") == 0)
        return false;
    for (int k = 0; k < use->parameters; k++)
        if (strcmp(text, use->parameter[k]) == 0)
            text = use->argument[k];
    const bool joins = is_member(text) || !out->n || (out->n > 1 && is_member(out->s + out->n - 2)) ||
                       (out->n && out->s[out->n - 1] == '.');
    buf_printf(out, "%s%s", joins ? "" : " ", text);
    return true;
}

static const char *expanded(struct unit *u, CXCursor macro, struct span s, size_t name) {
    CXToken *tokens = NULL;
    unsigned n = 0, i = 1;
    struct expansion_use use = {.parameters = 0};
    struct buf out = {0};
    bool ok = true;
    clang_tokenize(u->tu, clang_getCursorExtent(macro), &tokens, &n);
    if (clang_Cursor_isMacroFunctionLike(macro)) {
        for (i = 2; ok && i < n; i++) {
            CXString t = clang_getTokenSpelling(u->tu, tokens[i]);
            const char *text = clang_getCString(t);
            const bool last = strcmp(text, ")") == 0;
            ok = use.parameters < MAX_PARAMETERS && strcmp(text, "...") != 0;
            if (ok && !last && strcmp(text, ",") != 0)
                use.parameter[use.parameters++] = mem_strndup(text, strlen(text));
            clang_disposeString(t);
            if (last)
                break;
        }
        i++;
        ok = ok && read_arguments(u, s.b + name, s.e, &use) && use.arguments == use.parameters;
    }
    for (; ok && i < n; i++) {
        CXString t = clang_getTokenSpelling(u->tu, tokens[i]);
        ok = add_token(&use, clang_getCString(t), &out);
        clang_disposeString(t);
    }
    clang_disposeTokens(u->tu, tokens, n);
    return ok ? out.s : NULL;
}

/* NULL: another definition may be the one that is used */
static const struct macro *only_one(const struct unit *u, const char *name, size_t n) {
    const struct macro *m = macros_find(u, name, n);
    for (size_t i = 0; m && i < u->defined.n; i++)
        if (&u->defined.at[i] != m && strcmp(u->defined.at[i].name, m->name) == 0)
            return NULL;
    return m;
}

const char *normal_expanded(struct unit *u, struct span s) {
    const size_t n = strspn(u->src.text + s.b, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz0123456789");
    const struct macro *m = only_one(u, u->src.text + s.b, n);
    return m ? expanded(u, m->c, s, n) : NULL;
}

bool normal_macros(struct normal *x) {
    struct unit *u = x->u;
    bool any = false;
    for (size_t i = 0; i < u->expansions.n; i++) {
        const struct span s = u->expansions.at[i].s;
        const size_t n = strspn(u->src.text + s.b, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz0123456789");
        if (s.b < x->root->b || s.e > x->end || u->expansions.at[i].outer != i ||
            !has_subscript(u, u->src.text + s.b, n, 0))
            continue;
        const char *text = normal_expanded(u, s);
        if (!text)
            continue;
        normal_put(x, s, text);
        any = true;
    }
    return any;
}
