/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds `#pragma heddle` in the token stream: libclang has no cursor for pragmas it does not know.
 * Tokens keep strings and comments apart; ranges that the preprocessor skipped are left alone.
 */
#include "translate.h"

#include <stdlib.h>
#include <string.h>

/* The end of a directive's logical line: the newline that no backslash or comment hides. */
size_t scan_directive_end(const struct source *src, size_t pos) {
    while (pos < src->size && src->text[pos] != '\n') {
        char ch = src->text[pos];
        if (ch == '\\' ||
            (ch == '/' && pos + 1 < src->size && (src->text[pos + 1] == '*' || src->text[pos + 1] == '/'))) {
            size_t next = lexer_skip_blank(src->text, pos, src->size);
            if (ch == '/' && src->text[pos + 1] == '/') {
                next = pos; /* up to its newline only */
                while (next < src->size && src->text[next] != '\n')
                    next += src->text[next] == '\\' && next + 1 < src->size ? 2 : 1;
                return next < src->size ? next : src->size;
            }
            if (next > pos && ch == '\\')
                next = pos + (size_t)(strchr(src->text + pos, '\n') - (src->text + pos)) + 1;
            else if (next > pos) {
                const char *close = strstr(src->text + pos + 2, "*/");
                next = close ? (size_t)(close - src->text) + 2 : src->size;
            }
            pos = next > pos ? next : pos + 1;
            continue;
        }
        pos++;
    }
    return pos;
}

bool pragma_parse(struct unit *u, size_t begin, size_t end, struct pragma *out) {
    struct lexer lx;
    lexer_init(&lx, u->src.text, begin, end);
    *out = (struct pragma){.b = begin, .e = end};
    if (lexer_is(&lx, '#'))
        lexer_next(&lx);
    if (lexer_is_word(&lx, "pragma"))
        lexer_next(&lx);
    if (lexer_is_word(&lx, "heddle"))
        lexer_next(&lx);
    if (lx.tok.kind == TOKEN_END) {
        diag_error(u, lx.tok.b, "expected a directive after '#pragma heddle'; known: %s", directive_names());
        return false;
    }
    out->name = (struct span){lx.tok.b, lx.tok.e};
    out->directive = directive_find(u->src.text + lx.tok.b, lx.tok.e - lx.tok.b);
    if (!out->directive) {
        diag_error(u, lx.tok.b, "unknown directive '%.*s'; known: %s", (int)(lx.tok.e - lx.tok.b),
                   u->src.text + lx.tok.b, directive_names());
        return false;
    }
    if (out->directive->bit != DIRECTIVE_VARIANT) /* whose name is its first clause's, too */
        lexer_next(&lx);
    return clause_parse(u, out->directive->bit, &lx, &out->clauses);
}

static bool skipped(const struct unit *u, size_t offset, CXSourceRangeList *ranges) {
    (void)u;
    for (unsigned i = 0; ranges && i < ranges->count; i++) {
        unsigned b, e;
        clang_getFileLocation(clang_getRangeStart(ranges->ranges[i]), NULL, NULL, NULL, &b);
        clang_getFileLocation(clang_getRangeEnd(ranges->ranges[i]), NULL, NULL, NULL, &e);
        if (offset >= b && offset < e)
            return true;
    }
    return false;
}

static size_t token_offset(struct unit *u, CXToken t) {
    unsigned offset;
    clang_getFileLocation(clang_getTokenLocation(u->tu, t), NULL, NULL, NULL, &offset);
    return offset;
}

static bool token_is(struct unit *u, CXToken t, const char *text) {
    CXString s = clang_getTokenSpelling(u->tu, t);
    bool same = strcmp(clang_getCString(s), text) == 0;
    clang_disposeString(s);
    return same;
}

static void check_operator(struct unit *u, CXToken *tok, unsigned n, unsigned i) {
    if (i + 2 >= n || !token_is(u, tok[i], "_Pragma"))
        return;
    CXString s = clang_getTokenSpelling(u->tu, tok[i + 2]);
    if (strncmp(clang_getCString(s), "\"heddle", 7) == 0)
        diag_error(u, token_offset(u, tok[i]), "_Pragma(\"heddle …\") is not translated; write it as a #pragma line");
    clang_disposeString(s);
}

void scan_pragmas(struct unit *u, pragma_list *out) {
    CXSourceRange all = clang_getRange(clang_getLocationForOffset(u->tu, u->file, 0),
                                       clang_getLocationForOffset(u->tu, u->file, (unsigned)u->src.size));
    CXToken *tok = NULL;
    unsigned n = 0;
    clang_tokenize(u->tu, all, &tok, &n);
    CXSourceRangeList *ranges = clang_getSkippedRanges(u->tu, u->file);
    for (unsigned i = 0; i < n; i++) {
        size_t b = token_offset(u, tok[i]);
        if (!skipped(u, b, ranges))
            check_operator(u, tok, n, i);
        if (i + 2 >= n || !token_is(u, tok[i], "#") || !token_is(u, tok[i + 1], "pragma") ||
            !token_is(u, tok[i + 2], "heddle") || skipped(u, b, ranges))
            continue;
        struct pragma p;
        size_t e = scan_directive_end(&u->src, b);
        if (token_offset(u, tok[i + 2]) >= e)
            continue;
        if (pragma_parse(u, b, e, &p)) {
            p.next = lexer_skip_blank(u->src.text, e, u->src.size);
            vec_push(out, p);
        } else {
            u->unread = true;
        }
    }
    if (ranges)
        clang_disposeSourceRangeList(ranges);
    clang_disposeTokens(u->tu, tok, n);
}
