/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directives that _Pragma gives, as it stands in the file or comes out of a macro: HEDDLE_FOR, PRAGMA(heddle for).
 * libclang shows neither, so macros whose bodies lead to _Pragma are expanded here. The directives' text is put behind
 * the end of the file's, where spans may name it like any other.
 */
#include "front/unit.h"

#include <stdint.h>
#include <string.h>

enum { DEPTH = 16 };

struct definition {
    const char *name, *body;
    bool like_function;
    VEC(const char *) parameters;
};
static VEC(struct definition) definitions;
typedef VEC(const char *) arguments;

static const struct definition *find(const char *name, size_t n) {
    for (size_t i = definitions.n; i-- > 0;)
        if (strncmp(definitions.at[i].name, name, n) == 0 && !definitions.at[i].name[n])
            return &definitions.at[i];
    return NULL;
}

/* ---- definitions ---- */

static const char *slice(const char *text, struct token t) { return mem_strndup(text + t.b, t.e - t.b); }

/* NAME(a, b) body, as it is written; its extent has no continuation that matters to the lexer. */
static void read_definition(const char *text, bool like_function, struct definition *d) {
    struct lexer lx;
    const size_t n = strlen(text);
    lexer_init(&lx, text, 0, n);
    d->name = slice(text, lx.tok);
    d->like_function = like_function;
    lexer_next(&lx);
    for (; like_function && lx.tok.kind != TOKEN_END && !lexer_is(&lx, ')'); lexer_next(&lx))
        if (lx.tok.kind == TOKEN_NAME)
            vec_push(&d->parameters, slice(text, lx.tok));
    if (like_function && strstr(mem_strndup(text, lx.tok.b), "..."))
        vec_push(&d->parameters, "__VA_ARGS__");
    if (like_function)
        lexer_next(&lx);
    d->body = mem_strndup(text + lx.tok.b, n - lx.tok.b);
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct unit *u = data;
    struct definition d = {0};
    CXToken *tokens = NULL;
    unsigned n = 0;
    struct buf text = {0};
    if (clang_getCursorKind(c) != CXCursor_MacroDefinition || clang_Cursor_isMacroBuiltin(c) ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(c)))
        return CXChildVisit_Continue;
    clang_tokenize(u->tu, clang_getCursorExtent(c), &tokens, &n);
    for (unsigned i = 0; i < n; i++) {
        CXString s = clang_getTokenSpelling(u->tu, tokens[i]);
        buf_printf(&text, "%s%s", i ? " " : "", clang_getCString(s));
        clang_disposeString(s);
    }
    clang_disposeTokens(u->tu, tokens, n);
    if (text.n) {
        read_definition(text.s, clang_Cursor_isMacroFunctionLike(c), &d);
        vec_push(&definitions, d);
    }
    return CXChildVisit_Continue;
}

static bool leads_to_pragma(const char *text, int depth) {
    struct lexer lx;
    for (lexer_init(&lx, text, 0, strlen(text)); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        const struct definition *d =
            lx.tok.kind == TOKEN_NAME && depth < DEPTH ? find(text + lx.tok.b, lx.tok.e - lx.tok.b) : NULL;
        if (lexer_is_word(&lx, "_Pragma") || (d && leads_to_pragma(d->body, depth + 1)))
            return true;
    }
    return false;
}

void operator_gather(struct unit *u) {
    definitions.n = 0;
    clang_visitChildren(clang_getTranslationUnitCursor(u->tu), visit, u);
    bool any = false;
    for (size_t i = 0; !any && i < definitions.n; i++)
        any = strstr(definitions.at[i].body, "_Pragma") != NULL;
    if (!any)
        definitions.n = 0;
}

bool operator_begins(const char *name, size_t n) {
    if (n == strlen("_Pragma") && !memcmp(name, "_Pragma", n))
        return true;
    const struct definition *d = find(name, n);
    return d && leads_to_pragma(d->body, 0);
}

/* ---- expansion ---- */

static const char *expand(const char *text, int depth);

static bool is_hash(const char *text, const struct lexer *lx) { return lexer_is(lx, '#') && text[lx->tok.e] != '#'; }

static const char *quoted(const char *text) {
    struct buf b = {0};
    buf_puts(&b, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_puts(&b, "\\");
        buf_add(&b, text, 1);
    }
    buf_puts(&b, "\"");
    return b.s;
}

static const char *argument(const struct definition *d, const arguments *args, const struct lexer *lx) {
    for (size_t i = 0; lx->tok.kind == TOKEN_NAME && i < d->parameters.n; i++)
        if (lexer_is_word(lx, d->parameters.at[i]))
            return i < args->n ? args->at[i] : "";
    return NULL;
}

static void append(struct buf *out, const char *text, bool apart) { buf_printf(out, "%s%s", apart ? " " : "", text); }

/* The body with arguments in place of parameters, #x as a string. */
static const char *substitute(const struct definition *d, const arguments *args, int depth) {
    struct buf out = {0};
    struct lexer lx;
    size_t last = 0;
    buf_add(&out, "", 0);
    for (lexer_init(&lx, d->body, 0, strlen(d->body)); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        const bool apart = lx.tok.b > last, hash = is_hash(d->body, &lx);
        struct lexer next = lx;
        if (hash)
            lexer_next(&next);
        const char *a = argument(d, args, &next);
        if (hash && a)
            lx = next;
        append(&out, !a ? slice(d->body, lx.tok) : hash ? quoted(a) : expand(a, depth + 1), apart);
        last = lx.tok.e;
    }
    return out.s;
}

/* Behind the '(' at lx; leaves lx at the ')'. The last parameter of ... takes all that is left. */
static void read_arguments(const char *text, struct lexer *lx, const struct definition *d, arguments *args) {
    const size_t named = d->parameters.n && !strcmp(d->parameters.at[d->parameters.n - 1], "__VA_ARGS__")
                             ? d->parameters.n - 1
                             : SIZE_MAX;
    int depth = 0;
    lexer_next(lx);
    size_t begin = lx->tok.b;
    for (; lx->tok.kind != TOKEN_END && !(depth == 0 && lexer_is(lx, ')')); lexer_next(lx)) {
        depth += lexer_is(lx, '(');
        depth -= lexer_is(lx, ')');
        if (depth == 0 && lexer_is(lx, ',') && args->n < named) {
            vec_push(args, mem_strndup(text + begin, lx->tok.b - begin));
            begin = lx->tok.e;
        }
    }
    const struct source part = {.text = text};
    vec_push(args, source_flat(&part, (struct span){begin, lx->tok.b}));
}

/* One use of a macro at lx, which then stands at its last token. */
static const char *use(const char *text, struct lexer *lx, const struct definition *d, int depth) {
    arguments args = {0};
    if (!d->like_function)
        return expand(d->body, depth + 1);
    lexer_next(lx);
    read_arguments(text, lx, d, &args);
    return expand(substitute(d, &args, depth), depth + 1);
}

static bool is_use(const struct lexer *lx, const struct definition *d) {
    struct lexer next = *lx;
    lexer_next(&next);
    return d && (!d->like_function || lexer_is(&next, '('));
}

static const char *expand(const char *text, int depth) {
    struct buf out = {0};
    struct lexer lx;
    size_t last = 0;
    buf_add(&out, "", 0);
    for (lexer_init(&lx, text, 0, strlen(text)); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        const struct definition *d =
            lx.tok.kind == TOKEN_NAME && depth < DEPTH ? find(text + lx.tok.b, lx.tok.e - lx.tok.b) : NULL;
        const bool apart = lx.tok.b > last;
        append(&out, is_use(&lx, d) ? use(text, &lx, d, depth) : slice(text, lx.tok), apart);
        last = lx.tok.e;
    }
    return out.s;
}

/* ---- what stands in the file ---- */

/* "text" as the directive's text */
static const char *unquoted(const char *text, struct token t) {
    struct buf b = {0};
    buf_add(&b, "", 0);
    for (size_t i = t.b + 1; i + 1 < t.e; i++) {
        i += text[i] == '\\' && i + 2 < t.e;
        buf_add(&b, text + i, 1);
    }
    return b.s;
}

static void read_pragmas(const char *text, struct operator_use *out) {
    struct lexer lx;
    for (lexer_init(&lx, text, 0, strlen(text)); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        struct lexer inner = lx;
        lexer_next(&inner);
        const bool open = lexer_is_word(&lx, "_Pragma") && lexer_is(&inner, '(');
        lexer_next(&inner);
        if (!open || inner.tok.kind != TOKEN_LITERAL) {
            out->more = true;
            continue;
        }
        const char *directive = unquoted(text, inner.tok);
        struct lexer word;
        lexer_init(&word, directive, 0, strlen(directive));
        if (lexer_is_word(&word, "heddle"))
            vec_push(&out->directives, directive);
        else if (lexer_is_word(&word, "omp"))
            vec_push(&out->openmp, directive);
        lexer_next(&inner);
        lx = inner;
    }
}

void operator_read(const struct unit *u, size_t at, struct operator_use *out) {
    struct lexer lx;
    *out = (struct operator_use){0};
    lexer_init(&lx, u->src.text, at, u->src.size);
    const struct definition *d = find(u->src.text + lx.tok.b, lx.tok.e - lx.tok.b);
    out->s = (struct span){at, lx.tok.e};
    if (d && is_use(&lx, d)) {
        const char *text = use(u->src.text, &lx, d, 0);
        out->s.e = lx.tok.e;
        read_pragmas(text, out);
    } else if (!d) { /* _Pragma("…") */
        for (int k = 0; k < 3 && lx.tok.kind != TOKEN_END; k++)
            lexer_next(&lx);
        out->s.e = lx.tok.e;
        read_pragmas(mem_strndup(u->src.text + at, out->s.e - at), out);
    }
}
