/* SPDX-License-Identifier: Apache-2.0 */
/* Heads of loops whose test says how it will turn out, __builtin_expect(i < n, 1), also by a macro: the test alone. */
#include "front/macros.h"
#include "normal.h"
#include "prepare.h"

#include <string.h>

static bool is_expected(struct node *n) {
    return n->kind == CXCursor_CallExpr && !strcmp(ast_name(function_callee(n)), "__builtin_expect");
}

/* A comparison is 0 or 1, so that neither the conversion to long nor !! changes it. */
static struct node *test_in(struct node *call) {
    struct node *n = ast_child(call, 1);
    for (n = n ? ast_strip(n) : NULL; n && ast_unary(n) == CXUnaryOperator_LNot;) {
        n = ast_strip(n->first);
        if (ast_unary(n) != CXUnaryOperator_LNot)
            return NULL;
        n = ast_strip(n->first);
    }
    const enum CXBinaryOperatorKind op = n ? ast_binary(n) : CXBinaryOperator_Invalid;
    return op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE ? n : NULL;
}

/* The use of a macro that the test comes out of. */
static void expand(struct prepare *s, const struct node *test) {
    struct unit *u = s->u;
    for (size_t i = 0; i < u->expansions.n; i++) {
        const struct span x = u->expansions.at[i].s;
        const char *text = u->expansions.at[i].outer == i && x.b == test->b ? normal_expanded(u, x) : NULL;
        if (text && strstr(text, "__builtin_expect"))
            normal_put(&(struct normal){.u = u, .edits = &s->edits}, x, text);
    }
}

static void head(struct prepare *s, struct node *test) {
    struct node *call = ast_strip(test), *in = is_expected(call) ? test_in(call) : NULL;
    const char *word = "__builtin_expect";
    if (!in)
        return;
    if (expansion_begins(s->u, call))
        expand(s, call);
    else if (!strncmp(s->u->src.text + call->b, word, strlen(word)))
        normal_put(&(struct normal){.u = s->u, .edits = &s->edits}, (struct span){call->b, call->e},
                   unit_text(s->u, in));
}

static void each(struct prepare *s, struct node *n) {
    if (n->kind == CXCursor_ForStmt && ast_children(n) == 4)
        head(s, ast_child(n, 1));
    for (struct node *c = n->first; c; c = c->next)
        each(s, c);
}

bool prepare_expected(struct prepare *s) {
    const size_t before = s->edits.n;
    each(s, s->root);
    return s->edits.n > before;
}
