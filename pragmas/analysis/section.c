/* SPDX-License-Identifier: Apache-2.0 */
/* A clause's expression as a polynomial: + - * ( ), integers, names. */
#include "analysis/affine.h"

#include <stdlib.h>
#include <string.h>

static void sum(struct lexer *lx, struct poly *out);

/* n, s.n, p->n */
static const char *name(struct lexer *lx) {
    struct buf text = {0};
    for (;;) {
        buf_add(&text, lx->text + lx->tok.b, lx->tok.e - lx->tok.b);
        lexer_next(lx);
        const bool arrow = lexer_is(lx, '-') && lx->text[lx->tok.e] == '>';
        if (!arrow && !lexer_is(lx, '.'))
            return text.s;
        buf_puts(&text, arrow ? "->" : ".");
        lexer_next(lx);
        if (arrow)
            lexer_next(lx);
    }
}

static void factor(struct lexer *lx, struct poly *out) {
    *out = (struct poly){.ok = false};
    if (lexer_is(lx, '-')) {
        struct poly p;
        lexer_next(lx);
        factor(lx, &p);
        *out = (struct poly){.ok = true};
        affine_add(out, &p, -1);
    } else if (lexer_is(lx, '(')) {
        lexer_next(lx);
        sum(lx, out);
        out->ok &= lexer_is(lx, ')');
        lexer_next(lx);
    } else if (lx->tok.kind == TOKEN_NUMBER) {
        char *end;
        const char *text = mem_strndup(lx->text + lx->tok.b, lx->tok.e - lx->tok.b);
        *out = (struct poly){.ok = true, .n = 1, .t = {{.k = strtol(text, &end, 0)}}};
        out->n = out->t[0].k != 0;
        out->ok = *end == '\0' || strspn(end, "uUlL") == strlen(end);
        lexer_next(lx);
    } else if (lx->tok.kind == TOKEN_NAME) {
        affine_atom(out, name(lx));
    }
}

static void product(struct lexer *lx, struct poly *out) {
    factor(lx, out);
    while (out->ok && lexer_is(lx, '*')) {
        struct poly p, both;
        lexer_next(lx);
        factor(lx, &p);
        affine_multiply(out, &p, &both);
        *out = both;
    }
}

static void sum(struct lexer *lx, struct poly *out) {
    product(lx, out);
    while (out->ok && (lexer_is(lx, '+') || lexer_is(lx, '-'))) {
        const long sign = lexer_is(lx, '+') ? 1 : -1;
        struct poly p;
        lexer_next(lx);
        product(lx, &p);
        affine_add(out, &p, sign);
    }
}

struct poly section_poly(const struct unit *u, struct span s) {
    struct lexer lx;
    struct poly p = {.ok = true};
    if (s.b == s.e)
        return p;
    lexer_init(&lx, u->src.text, s.b, s.e);
    sum(&lx, &p);
    p.ok &= lx.tok.kind == TOKEN_END;
    return p;
}
