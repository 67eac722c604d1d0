/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C tokens of one directive line, with line continuations and comments skipped. Needs no libclang,
 * so that the clause grammar can be fuzzed on its own.
 */
#include "front/lex.h"

#include <ctype.h>
#include <string.h>

static size_t skip_continuation(const char *text, size_t pos, size_t end) {
    if (pos + 1 < end && text[pos] == '\\') {
        size_t p = pos + 1;
        while (p < end && (text[p] == ' ' || text[p] == '\t' || text[p] == '\r'))
            p++;
        if (p < end && text[p] == '\n')
            return p + 1;
    }
    return pos;
}

size_t lexer_skip_blank(const char *text, size_t pos, size_t end) {
    while (pos < end) {
        size_t next = skip_continuation(text, pos, end);
        if (next == pos && isspace((unsigned char)text[pos]))
            next = pos + 1;
        if (next == pos && text[pos] == '/' && pos + 1 < end && text[pos + 1] == '*') {
            next = pos + 2;
            while (next < end && !(text[next] == '/' && text[next - 1] == '*' && next > pos + 2))
                next++;
            if (next < end)
                next++;
        }
        if (next == pos && text[pos] == '/' && pos + 1 < end && text[pos + 1] == '/')
            for (next = pos; next < end && text[next] != '\n';) {
                size_t joined = skip_continuation(text, next, end);
                next = joined > next ? joined : next + 1;
            }
        if (next == pos)
            break;
        pos = next;
    }
    return pos;
}

static size_t literal_end(const char *text, size_t pos, size_t end) {
    char quote = text[pos++];
    while (pos < end && text[pos] != quote && text[pos] != '\n')
        pos += text[pos] == '\\' && pos + 1 < end ? 2 : 1;
    return pos < end ? pos + 1 : end;
}

void lexer_next(struct lexer *lx) {
    size_t p = lexer_skip_blank(lx->text, lx->pos, lx->end);
    lx->tok.b = p;
    if (p >= lx->end) {
        lx->tok = (struct token){TOKEN_END, lx->end, lx->end};
        lx->pos = lx->end;
        return;
    }
    unsigned char ch = (unsigned char)lx->text[p];
    if (isalnum(ch) || ch == '_' || ch >= 0x80) {
        lx->tok.kind = isdigit(ch) ? TOKEN_NUMBER : TOKEN_NAME;
        const bool number = lx->tok.kind == TOKEN_NUMBER;
        while (p < lx->end &&
               (isalnum((unsigned char)lx->text[p]) || lx->text[p] == '_' || (unsigned char)lx->text[p] >= 0x80 ||
                (number && lx->text[p] == '.') ||
                (number && lx->text[p] == '\'' && p + 1 < lx->end && isalnum((unsigned char)lx->text[p + 1]))))
            p++; /* C23: 1'000 */
    } else if (ch == '"' || ch == '\'') {
        lx->tok.kind = TOKEN_LITERAL;
        p = literal_end(lx->text, p, lx->end);
    } else {
        lx->tok.kind = TOKEN_PUNCT;
        p++;
    }
    lx->tok.e = lx->pos = p;
}

void lexer_init(struct lexer *lx, const char *text, size_t begin, size_t end) {
    *lx = (struct lexer){.text = text, .pos = begin, .end = end};
    lexer_next(lx);
}

bool lexer_is(const struct lexer *lx, char punct) {
    return lx->tok.kind == TOKEN_PUNCT && lx->text[lx->tok.b] == punct;
}

bool lexer_is_word(const struct lexer *lx, const char *word) {
    size_t n = strlen(word);
    return lx->tok.kind == TOKEN_NAME && lx->tok.e - lx->tok.b == n && memcmp(lx->text + lx->tok.b, word, n) == 0;
}
