/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heads of loops, for all directives: for (T i = n; i-- > 0;) counts from n to 1, and its body has one less; `!=` is
 * the comparison that it stands for where the loop counts by one.
 */
#include "front/macros.h"
#include "normal.h"
#include "prepare.h"

#include <string.h>

static bool is_signed(CXType t) {
    t = clang_getCanonicalType(t);
    return t.kind == CXType_Int || t.kind == CXType_Long || t.kind == CXType_LongLong;
}

static bool is_zero(struct node *n) {
    long k;
    return ast_constant(n, &k) && k == 0;
}

/* A directive inside the loop names it: its text is not looked through. */
static bool is_named(const struct prepare *s, const struct node *loop, const char *name) {
    for (size_t i = 0; i < s->u->pragmas->n; i++) {
        const struct pragma *p = &s->u->pragmas->at[i];
        if ((p == s->p || (p->b > loop->b && p->b < loop->e)) &&
            macros_name(s->u, (struct span){p->name.e, p->e}, name))
            return true;
    }
    return false;
}

/* i-- > n; i-- != 0, or i-- alone: where i has no sign, they are the same */
static bool counts_in_test(struct node *test, CXCursor var) {
    test = ast_strip(test);
    const enum CXBinaryOperatorKind op = ast_binary(test);
    struct node *step = op == CXBinaryOperator_Invalid ? test : ast_strip(test->first);
    if (ast_unary(step) != CXUnaryOperator_PostDec || !nest_is_variable(step->first, var))
        return false;
    if (op == CXBinaryOperator_GT)
        return !nest_is_mentioned(test->last, var);
    return !is_signed(clang_getCursorType(var)) &&
           (op == CXBinaryOperator_Invalid || (op == CXBinaryOperator_NE && is_zero(test->last)));
}

static void down(struct prepare *s, struct node *loop) {
    struct node *init = ast_child(loop, 0), *test = ast_child(loop, 1), *body = ast_child(loop, 2);
    struct node *var = init && init->kind == CXCursor_DeclStmt ? init->first : NULL;
    const char *text = s->u->src.text;
    edit_list edits = {0};
    if (ast_children(loop) != 3 || !var || var->next || !var->last || !ast_is_integer(clang_getCursorType(var->c)) ||
        !counts_in_test(test, var->c) || node_changes(body, var->c, NULL) || is_named(s, loop, ast_name(var->c)))
        return;
    const size_t semicolon = lexer_skip_blank(text, test->e, s->u->src.size);
    const size_t end = lexer_skip_blank(text, semicolon + 1, s->u->src.size);
    const char *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(var->c))), *name = ast_name(var->c);
    if (text[semicolon] != ';' || text[end] != ')' || memchr(text + test->b, '\n', test->e - test->b) ||
        !normal_mentions(s->u, body, var->c, mem_printf("((%s)(%s - 1))", type, name), &edits))
        return;
    const struct node *t = ast_strip(test);
    vec_push(&s->edits, (struct edit){test->b, ast_binary(t) == CXBinaryOperator_GT ? t->first->e : test->e,
                                      ast_binary(t) == CXBinaryOperator_GT ? name : mem_printf("%s > 0", name)});
    vec_push(&s->edits, (struct edit){end, end, mem_printf(" %s--", name)});
    for (size_t i = 0; i < edits.n; i++)
        vec_push(&s->edits, edits.at[i]);
}

static void compare(struct prepare *s, struct node *loop) {
    struct node *init = ast_child(loop, 0), *test = ast_strip(ast_child(loop, 1));
    struct node *var = init && init->kind == CXCursor_DeclStmt ? init->first : NULL;
    struct loop_count c = {.step = NULL};
    bool goes_down;
    if (ast_children(loop) != 4 || !var || var->next || !var->last || ast_binary(test) != CXBinaryOperator_NE)
        return;
    c.var = var->c;
    const bool turned = nest_is_variable(test->last, var->c);
    struct node *bound = turned ? test->first : test->last;
    if ((!turned && !nest_is_variable(test->first, var->c)) || !loop_step(ast_child(loop, 2), &c, &goes_down) ||
        test->first->e > test->last->b)
        return;
    /* without a sign, a loop may come to its end by going round */
    const bool sign = is_signed(clang_getCursorType(var->c));
    if (!sign && c.step)
        return;
    long k;
    if (sign ? !is_signed(ast_type(ast_strip(bound))) && !ast_constant(bound, &k)
             : !is_zero(goes_down ? bound : var->last))
        return;
    struct lexer lx;
    for (lexer_init(&lx, s->u->src.text, test->first->e, test->last->b); lx.tok.kind != TOKEN_END; lexer_next(&lx))
        if (lexer_is(&lx, '!') && s->u->src.text[lx.tok.b + 1] == '=') {
            vec_push(&s->edits, (struct edit){lx.tok.b, lx.tok.b + 2, goes_down != turned ? ">" : "<"});
            return;
        }
}

/* The loops that a directive may mean: one in the other, and side by side in the first. */
static void each(struct prepare *s, struct node *loop, int depth) {
    down(s, loop);
    compare(s, loop);
    struct node *body = loop->last;
    for (struct node *n = body->kind == CXCursor_CompoundStmt ? body->first : body; depth && n; n = n->next)
        if (n->kind == CXCursor_ForStmt)
            each(s, n, depth - 1);
}

void prepare_heads(struct prepare *s) { each(s, s->root, 2); }
