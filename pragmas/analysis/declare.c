/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `#pragma omp declare reduction(name : type, … : combiner) initializer(…)`: libclang shows no trace of it, so it is
 * read from the text of the file, where it has to stand before the directive that names it.
 */
#include "analysis/capture.h"

#include <string.h>

/* ---- the directive's text ---- */

static bool word(struct lexer *lx, const char *text) {
    const bool is = lexer_is_word(lx, text);
    if (is)
        lexer_next(lx);
    return is;
}

static bool punct(struct lexer *lx, char c) {
    const bool is = lexer_is(lx, c);
    if (is)
        lexer_next(lx);
    return is;
}

/* Up to a `:`, a comma if that ends it too, or a parenthesis that was opened before; outside of all others. */
static struct span part(struct lexer *lx, bool comma) {
    struct span s = {lx->tok.b, lx->tok.b};
    int depth = 0;
    bool choice = false; /* a ? b : c */
    for (; lx->tok.kind != TOKEN_END; lexer_next(lx)) {
        if (!depth && (lexer_is(lx, ')') || (comma && (lexer_is(lx, ',') || lexer_is(lx, ':')))))
            break;
        choice |= lexer_is(lx, '?');
        if (!depth && !comma && !choice && lexer_is(lx, ':'))
            break;
        depth += lexer_is(lx, '(') || lexer_is(lx, '[') || lexer_is(lx, '{');
        depth -= lexer_is(lx, ')') || lexer_is(lx, ']') || lexer_is(lx, '}');
        s.e = lx->tok.e;
    }
    return s;
}

/* ---- types ---- */

struct typedef_search {
    const char *name;
    CXType found;
};

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct typedef_search *s = data;
    if (clang_getCursorKind(c) == CXCursor_TypedefDecl && strcmp(ast_name(c), s->name) == 0)
        s->found = clang_getCanonicalType(clang_getTypedefDeclUnderlyingType(c));
    return CXChildVisit_Continue;
}

/* unsigned long, long unsigned int: as clang spells it; NULL: other words are in it. */
static const char *arithmetic_type(const char *text) {
    static const char *const words[] = {"unsigned", "signed", "short", "long", "int", "char", "float", "double"};
    int n[8] = {0};
    struct lexer lx;
    for (lexer_init(&lx, text, 0, strlen(text)); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        size_t k = 0;
        while (k < 8 && !lexer_is_word(&lx, words[k]))
            k++;
        if (k == 8)
            return NULL;
        n[k]++;
    }
    if (n[6] || n[7])
        return n[6] ? "float" : n[3] ? "long double" : "double";
    const char *sign = n[0] ? "unsigned " : n[1] && n[5] ? "signed " : "";
    return mem_printf("%s%s", sign, n[5] ? "char" : n[2] ? "short" : n[3] > 1 ? "long long" : n[3] ? "long" : "int");
}

static bool is_type(const struct unit *u, struct span s, CXType type) {
    const CXType plain = clang_getUnqualifiedType(type), canonical = clang_getCanonicalType(plain);
    const char *text = source_flat(&u->src, s);
    if (strcmp(text, ast_spelling(plain)) == 0 || strcmp(text, ast_spelling(canonical)) == 0)
        return true;
    const char *words = arithmetic_type(text);
    if (words && strcmp(words, ast_spelling(canonical)) == 0)
        return true;
    struct typedef_search t = {text, {.kind = CXType_Invalid}};
    clang_visitChildren(clang_getTranslationUnitCursor(u->tu), visit, &t);
    return t.found.kind != CXType_Invalid && clang_equalTypes(t.found, canonical);
}

/* ---- one of them ---- */

static bool names(const struct unit *u, struct span s, const char *name) {
    return strcmp(source_flat(&u->src, s), name) == 0;
}

/* At a '#': is it such a directive, of that name? Its types are compared. */
static bool read(const struct unit *u, size_t at, const char *name, CXType type, struct declared *out, bool *other) {
    struct lexer lx;
    lexer_init(&lx, u->src.text, at, scan_directive_end(&u->src, at));
    bool typed = false;
    if (!punct(&lx, '#') || !word(&lx, "pragma") || !word(&lx, "omp") || !word(&lx, "declare") ||
        !word(&lx, "reduction") || !punct(&lx, '('))
        return false;
    *out = (struct declared){.at = at};
    if (!names(u, part(&lx, true), name) || !punct(&lx, ':'))
        return false;
    do
        typed |= is_type(u, part(&lx, true), type);
    while (punct(&lx, ','));
    *other |= !typed;
    if (!typed || !punct(&lx, ':'))
        return false;
    out->combiner = part(&lx, false);
    if (!punct(&lx, ')'))
        return false;
    if (word(&lx, "initializer") && punct(&lx, '('))
        out->initializer = part(&lx, false);
    return out->combiner.e > out->combiner.b;
}

const struct declared *declared_find(const struct unit *u, const char *name, size_t before, CXType type, bool *other) {
    struct declared d, *found = NULL;
    *other = false;
    for (const char *p = memchr(u->src.text, '#', before); p;
         p = memchr(p + 1, '#', before - (size_t)(p + 1 - u->src.text))) {
        const size_t at = (size_t)(p - u->src.text);
        if (!read(u, at, name, type, &d, other))
            continue;
        found = mem_alloc(sizeof *found);
        *found = d;
    }
    return found;
}
