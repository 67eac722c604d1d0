/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Macros of the user, `#define rows 100`, -DN=64: heddle's headers are included below them and would be rewritten. They
 * are put aside around each, with what is emitted to expand heddle's own macros; the few names that emitted text uses
 * elsewhere are refused. tests/pragmas/strict/run-macros compiles with every name in headers and emitted text as a
 * macro that is no C.
 */
#include "front/macros.h"
#include "front/ast.h"

#include <stdint.h>
#include <string.h>

/* What emitted text outside of headers says, by directive. */
static const struct {
    unsigned directives;
    const char *names;
} said[] = {
    {DIRECTIVE_WAVEFRONT | DIRECTIVE_FOR | DIRECTIVE_POOL,
     " base bytes device env first kind maps name nmaps row schedule slope slot "},
    {DIRECTIVE_WAVEFRONT, " at_once i0 i1 j0 j1 layout loop_rows loops nest nkept reach red size t0 t1 tile_h tile_w "},
    {DIRECTIVE_FOR, " chunk closed count file from function gpu hi host host_env inner kernel line lo map nest red "
                    "sections step to type value assume_safety full unroll unroll( vectorize vectorize( "},
    {DIRECTIVE_JOBS, " before list lists loop nlists noutputs outputs parameter record types "},
    {DIRECTIVE_GRAPH, " device env_bytes file function held host kind line nheld open parameter probe schedule site "},
    {DIRECTIVE_POOL, " count dims idle memory scratch sink sinks type "},
};

static bool is_said(const struct unit *u, const char *name, bool like_function) {
    unsigned directives = 0;
    for (size_t i = 0; i < u->pragmas->n; i++)
        directives |= u->pragmas->at[i].directive->bit;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if ((said[i].directives & directives) &&
            strstr(said[i].names, mem_printf(like_function ? " %s( " : " %s ", name)))
            return true;
    return false;
}

/* What may stand before heddle's headers; not what the compiler defines itself, nor headers of the system, which
 * heddle's own include. */
static bool is_users(CXCursor c) {
    CXString file;
    if (clang_Cursor_isMacroBuiltin(c) || clang_Location_isInSystemHeader(clang_getCursorLocation(c)))
        return false;
    clang_getPresumedLocation(clang_getCursorLocation(c), &file, NULL, NULL);
    const char *name = clang_getCString(file);
    const bool own = name && strcmp(name, "<built-in>") != 0;
    clang_disposeString(file);
    return own;
}

/* Of the standard: what a user defines in its place means the same, and headers that have been read do not define it
 * again. */
static bool is_standard(const char *name) {
    static const char *const names[] = {"NULL",     "INT32_MAX", "LONG_MAX", "SIZE_MAX",
                                        "UINT64_C", "bool",      "true",     "false"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool is_noted(const struct unit *u, const char *name) {
    for (size_t i = 0; i < u->macros.n; i++)
        if (strcmp(u->macros.at[i], name) == 0)
            return true;
    return false;
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct unit *u = data;
    struct span place;
    const char *name = clang_getCursorKind(c) == CXCursor_MacroDefinition ? ast_name(c) : "";
    if (*name)
        vec_push(&u->defined, (struct macro){name, c});
    if (!*name || *name == '_' || strncmp(name, "heddle_", 7) == 0 || strncmp(name, "HEDDLE_", 7) == 0 ||
        is_standard(name) || !is_users(c))
        return CXChildVisit_Continue;
    const bool here = ast_span(u, c, &place);
    if (is_said(u, name, clang_Cursor_isMacroFunctionLike(c)) &&
        (!here || place.b < u->pragmas->at[u->pragmas->n - 1].b))
        diag_error(u, here ? place.b : u->pragmas->at[0].b,
                   "macro '%s' would rewrite a name in what heddle makes of the directive; write it in capitals, or as "
                   "an enum constant",
                   name);
    if (!is_noted(u, name))
        vec_push(&u->macros, name);
    return CXChildVisit_Continue;
}

void macros_gather(struct unit *u) { clang_visitChildren(clang_getTranslationUnitCursor(u->tu), visit, u); }

const struct macro *macros_find(const struct unit *u, const char *name, size_t n) {
    for (size_t i = u->defined.n; i-- > 0;)
        if (strncmp(u->defined.at[i].name, name, n) == 0 && !u->defined.at[i].name[n])
            return &u->defined.at[i];
    return NULL;
}

const char *macros_body(const struct unit *u, const char *name, size_t n) {
    const struct macro *m = macros_find(u, name, n);
    CXToken *tokens = NULL;
    unsigned count = 0;
    struct buf out = {0};
    if (!m)
        return NULL;
    buf_add(&out, "", 0);
    clang_tokenize(u->tu, clang_getCursorExtent(m->c), &tokens, &count);
    bool parameters = clang_Cursor_isMacroFunctionLike(m->c);
    for (unsigned i = 1; i < count; i++) { /* behind its name */
        CXString s = clang_getTokenSpelling(u->tu, tokens[i]);
        if (!parameters)
            buf_printf(&out, "%s ", clang_getCString(s));
        parameters = parameters && strcmp(clang_getCString(s), ")") != 0;
        clang_disposeString(s);
    }
    clang_disposeTokens(u->tu, tokens, count);
    return out.s;
}

const char *macros_guard(const struct unit *u, struct span s) {
    const char *text = source_flat(&u->src, s);
    return macros_find(u, text, strlen(text)) ? mem_printf("(%s)", text) : text;
}

void macros_include(const struct unit *u, struct buf *out, const char *lines) {
    for (size_t i = 0; i < u->macros.n; i++)
        buf_printf(out, "#pragma push_macro(\"%s\")\n#undef %s\n", u->macros.at[i], u->macros.at[i]);
    buf_puts(out, lines);
    for (size_t i = u->macros.n; i > 0; i--)
        buf_printf(out, "#pragma pop_macro(\"%s\")\n", u->macros.at[i - 1]);
}

/* ---- names in expressions ---- */

bool macros_each_name(const struct unit *u, const char *text, struct span s, int depth, macros_visit visit,
                      void *data) {
    enum { DEPTH = 16 };
    struct lexer lx;
    bool member = false;
    for (lexer_init(&lx, text, s.b, s.e); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        const size_t n = lx.tok.e - lx.tok.b;
        const char *body =
            lx.tok.kind == TOKEN_NAME && !member && depth < DEPTH ? macros_body(u, text + lx.tok.b, n) : NULL;
        if (lx.tok.kind == TOKEN_NAME && !member && visit(text + lx.tok.b, n, data))
            return true;
        if (body && macros_each_name(u, body, (struct span){0, strlen(body)}, depth + 1, visit, data))
            return true;
        member = lexer_is(&lx, '.') || (lexer_is(&lx, '>') && lx.tok.b && text[lx.tok.b - 1] == '-');
    }
    return false;
}

static bool is_name(const char *text, size_t n, void *data) {
    const char *name = data;
    return strncmp(text, name, n) == 0 && !name[n];
}

bool macros_name(const struct unit *u, struct span s, const char *name) {
    return macros_each_name(u, u->src.text, s, 0, is_name, (void *)(uintptr_t)name);
}
