/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds `#pragma heddle` and _Pragma("heddle …") in the token stream: libclang has no cursor for pragmas it does not
 * know. Tokens keep strings and comments apart; ranges that the preprocessor skipped are left alone.
 */
#include "front/unit.h"

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

static CXSourceRangeList *skipped_ranges(struct unit *u) { return clang_getSkippedRanges(u->tu, u->file); }

/* The end of the range that the preprocessor skipped around an offset; 0: none did. */
static size_t skipped(size_t offset, const CXSourceRangeList *ranges) {
    for (unsigned i = 0; ranges && i < ranges->count; i++) {
        unsigned b, e;
        clang_getFileLocation(clang_getRangeStart(ranges->ranges[i]), NULL, NULL, NULL, &b);
        clang_getFileLocation(clang_getRangeEnd(ranges->ranges[i]), NULL, NULL, NULL, &e);
        if (offset >= b && offset < e)
            return e;
    }
    return 0;
}

static size_t token_offset(struct unit *u, CXToken t) {
    unsigned offset;
    clang_getFileLocation(clang_getTokenLocation(u->tu, t), NULL, NULL, NULL, &offset);
    return offset;
}

static bool begins_line(const struct source *src, size_t at) {
    while (at > 0 && (src->text[at - 1] == ' ' || src->text[at - 1] == '\t'))
        at--;
    return at == 0 || src->text[at - 1] == '\n';
}

/* ---- directives ---- */

static bool is_heddle(const struct unit *u, size_t b, size_t e) {
    struct lexer lx;
    lexer_init(&lx, u->src.text, b, e);
    lexer_next(&lx);
    if (!lexer_is_word(&lx, "pragma"))
        return false;
    lexer_next(&lx);
    return lexer_is_word(&lx, "heddle");
}

static void keep(struct unit *u, struct pragma *p, bool read, pragma_list *out) {
    if (read)
        vec_push(out, *p);
    else
        u->unread = true;
}

/* Several directives share the text that they come out of: each gets a character, the last one what is left. */
static void from_operator(struct unit *u, const struct operator_use *use, pragma_list *out) {
    if (use->more || use->directives.n > use->s.e - use->s.b) {
        diag_error(u, use->s.b,
                   "'%s' holds a directive of heddle's and more; let the macro hold directives only, before the loop, "
                   "or write '#pragma heddle …'",
                   source_flat(&u->src, use->s));
        u->unread = true;
        return;
    }
    for (size_t i = 0; i < use->openmp.n; i++) {
        if (!view_is_parallel(use->openmp.at[i])) {
            diag_error(u, use->s.b, "'%s' beside a directive of heddle's; only 'omp parallel for' may stand there",
                       use->openmp.at[i]);
            u->unread = true;
            return;
        }
        u->look_again = true;
        view_hide(u, use->s);
    }
    for (size_t i = 0; i < use->directives.n; i++) {
        struct pragma p;
        const char *text = mem_printf("#pragma %s", use->directives.at[i]);
        const size_t at = source_more(&u->src, text, use->s.b);
        const bool read = pragma_parse(u, at, at + strlen(text), &p);
        p.b = use->s.b + i;
        p.e = i + 1 < use->directives.n ? p.b + 1 : use->s.e;
        keep(u, &p, read, out);
    }
}

static bool is_directive(const pragma_list *all, size_t at) {
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].b == at)
            return true;
    return false;
}

/* The next directive of heddle's, or the token that is none of the preprocessor's: #endif and other pragmas may stand
 * between a directive and its loop. */
static size_t next_of(const struct unit *u, size_t at, const pragma_list *all, const CXSourceRangeList *ranges) {
    for (;;) {
        at = lexer_skip_blank(u->src.text, at, u->src.size);
        const size_t end = skipped(at, ranges);
        struct lexer lx;
        struct operator_use use;
        if (at >= u->src.size || is_directive(all, at))
            return at;
        if (end) {
            at = scan_directive_end(&u->src, end);
            continue;
        }
        lexer_init(&lx, u->src.text, at, u->src.size);
        if (lexer_is(&lx, '#')) {
            at = scan_directive_end(&u->src, at);
        } else if (lx.tok.kind == TOKEN_NAME && operator_begins(u->src.text + at, lx.tok.e - at)) {
            operator_read(u, at, &use);
            if (use.more || use.s.e <= at)
                return at;
            at = use.s.e;
        } else {
            return at;
        }
    }
}

void scan_pragmas(struct unit *u, pragma_list *out) {
    CXSourceRange all = clang_getRange(clang_getLocationForOffset(u->tu, u->file, 0),
                                       clang_getLocationForOffset(u->tu, u->file, (unsigned)u->src.size));
    CXToken *tok = NULL;
    unsigned n = 0;
    operator_gather(u);
    clang_tokenize(u->tu, all, &tok, &n);
    CXSourceRangeList *ranges = skipped_ranges(u);
    size_t done = 0;
    for (unsigned i = 0; i < n; i++) {
        const size_t b = token_offset(u, tok[i]);
        struct lexer lx;
        if (b < done || clang_getTokenKind(tok[i]) == CXToken_Comment || skipped(b, ranges))
            continue;
        lexer_init(&lx, u->src.text, b, u->src.size);
        if (lexer_is(&lx, '#') && begins_line(&u->src, b)) {
            struct pragma p;
            done = scan_directive_end(&u->src, b);
            if (is_heddle(u, b, done))
                keep(u, &p, pragma_parse(u, b, done, &p), out);
        } else if (lx.tok.kind == TOKEN_NAME && operator_begins(u->src.text + b, lx.tok.e - b)) {
            struct operator_use use;
            operator_read(u, b, &use);
            done = use.s.e;
            if (use.directives.n)
                from_operator(u, &use, out);
        }
    }
    for (size_t i = 0; i < out->n; i++)
        out->at[i].next = next_of(u, out->at[i].e, out, ranges);
    if (ranges)
        clang_disposeSourceRangeList(ranges);
    clang_disposeTokens(u->tu, tok, n);
}
