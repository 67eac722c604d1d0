/* SPDX-License-Identifier: Apache-2.0 */
/* What the arguments of clauses are made of: words, names, expressions, sections. */
#include "front/clause_part.h"
#include "front/unit.h"

#include <stdlib.h>
#include <string.h>

bool clause_expect(struct unit *u, struct lexer *lx, char punct, const char *where) {
    if (!lexer_is(lx, punct)) {
        diag_error(u, lx->tok.b, "expected '%c' %s", punct, where);
        return false;
    }
    lexer_next(lx);
    return true;
}

bool clause_keyword(struct unit *u, struct lexer *lx, const struct word *words, const char *what, int *value) {
    const struct word *w = NULL;
    const size_t b = lx->tok.b;
    size_t e = lx->tok.e;
    if (lx->tok.kind == TOKEN_NAME) {
        lexer_next(lx);
        /* two names joined by '-' are one word, as peer-square */
        if (lexer_is(lx, '-') && lx->tok.b == e) {
            lexer_next(lx);
            if (lx->tok.kind == TOKEN_NAME && lx->tok.b == e + 1) {
                e = lx->tok.e;
                lexer_next(lx);
            }
        }
        w = clause_word_find(words, lx->text + b, e - b);
    }
    if (!w) {
        diag_error(u, b, "expected %s: %s", what, clause_word_list(words));
        return false;
    }
    *value = (int)(w - words);
    return true;
}

/* items, joined by commas */
bool clause_items(struct unit *u, struct lexer *lx, struct clause *c,
                  bool (*one)(struct unit *u, struct lexer *lx, struct item *item)) {
    for (;;) {
        struct item item = {0};
        if (!one(u, lx, &item))
            return false;
        vec_push(&c->items, item);
        if (!lexer_is(lx, ','))
            return true;
        lexer_next(lx);
    }
}

/* A C expression up to a ',' ':' ']' or ')' outside brackets; ?: hides its own colon. */
bool clause_expression(struct unit *u, struct lexer *lx, struct span *out) {
    int depth = 0, questions = 0;
    *out = (struct span){lx->tok.b, lx->tok.b};
    for (; lx->tok.kind != TOKEN_END; lexer_next(lx)) {
        if (depth == 0 && (lexer_is(lx, ',') || lexer_is(lx, ')') || lexer_is(lx, ']')))
            break;
        if (depth == 0 && lexer_is(lx, ':') && questions-- <= 0)
            break;
        if (lexer_is(lx, '?') && depth == 0)
            questions++;
        if (lexer_is(lx, '(') || lexer_is(lx, '[') || lexer_is(lx, '{'))
            depth++;
        if (lexer_is(lx, ')') || lexer_is(lx, ']') || lexer_is(lx, '}'))
            depth--;
        out->e = lx->tok.e;
    }
    if (out->e == out->b) {
        diag_error(u, out->b, "expected an expression");
        return false;
    }
    return true;
}

/* An argument that is a plain number: what is wrong with it is known here. */
bool clause_number(struct unit *u, struct span s, double least, const char *otherwise) {
    const char *text = source_flat(&u->src, s);
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end)
        return true;
    if (value < least)
        diag_error(u, s.b, "%s", otherwise);
    else if (value > 0x1p63)
        diag_error(u, s.b, "the number is too large");
    return value >= least && value <= 0x1p63;
}

bool clause_name(struct unit *u, struct lexer *lx, const char *what, struct item *item) {
    *item = (struct item){.name = {lx->tok.b, lx->tok.e}};
    if (lx->tok.kind != TOKEN_NAME) {
        diag_error(u, lx->tok.b, "expected %s", what);
        return false;
    }
    lexer_next(lx);
    return true;
}

bool clause_array(struct unit *u, struct lexer *lx, struct item *item) {
    return clause_name(u, lx, "the name of an array", item);
}

bool clause_variable(struct unit *u, struct lexer *lx, struct item *item) {
    return clause_name(u, lx, "the name of a variable", item);
}

bool clause_section(struct unit *u, struct lexer *lx, struct item *item) {
    while (lexer_is(lx, '[')) {
        if (item->nsections == MAX_DIMS) {
            diag_error(u, lx->tok.b, "too many dimensions (%d at most)", MAX_DIMS);
            return false;
        }
        struct section *s = &item->section[item->nsections++];
        lexer_next(lx);
        if (!lexer_is(lx, ':') && !clause_expression(u, lx, &s->first))
            return false;
        if (lexer_is(lx, ']')) {
            diag_error(u, lx->tok.b, "expected ':' and a length; sections are written [first : count]");
            return false;
        }
        if (!clause_expect(u, lx, ':', "in an array section [first : count]"))
            return false;
        if (!lexer_is(lx, ']') && !clause_expression(u, lx, &s->count))
            return false;
        if (!clause_expect(u, lx, ']', "after an array section"))
            return false;
    }
    return true;
}

/* "." or "->" */
static bool skip_link(struct lexer *lx) {
    const size_t e = lx->tok.b + 2;
    if (lexer_is(lx, '.')) {
        lexer_next(lx);
        return true;
    }
    if (lx->tok.kind == TOKEN_END || strncmp(lx->text + lx->tok.b, "->", 2) != 0)
        return false;
    while (lx->tok.kind != TOKEN_END && lx->tok.b < e)
        lexer_next(lx);
    return true;
}

/* ".x.y", "->x" behind the name of a structure, or of a pointer to one */
bool clause_member(struct unit *u, struct lexer *lx, struct item *item) {
    item->member = (struct span){lx->tok.b, lx->tok.b};
    while (skip_link(lx)) {
        item->member.e = lx->tok.e;
        if (lx->tok.kind != TOKEN_NAME) {
            diag_error(u, lx->tok.b, "expected the name of a member");
            return false;
        }
        lexer_next(lx);
    }
    return true;
}
