/* SPDX-License-Identifier: Apache-2.0 */
/* lex.c: C tokens of one directive line */
#ifndef HEDDLE_FRONT_LEX_H
#define HEDDLE_FRONT_LEX_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_LITERAL, TOKEN_PUNCT };
struct token {
    enum token_kind kind;
    size_t b, e;
};
struct lexer {
    const char *text;
    size_t pos, end;
    struct token tok; /* the current token */
};
void lexer_init(struct lexer *lx, const char *text, size_t begin, size_t end);
void lexer_next(struct lexer *lx);
bool lexer_is(const struct lexer *lx, char punct);
bool lexer_is_word(const struct lexer *lx, const char *word);
size_t lexer_skip_blank(const char *text, size_t pos, size_t end); /* blanks, comments, \-newline */

#endif
