/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heads of loops: `!=` becomes the comparison that it stands for; what counts down or by more than one gets a variable
 * that counts up from 0, and the old one is written as an expression of it.
 */
#include "normal.h"

#include <string.h>

static bool is_signed(CXType t) {
    t = clang_getCanonicalType(t);
    return t.kind == CXType_Int || t.kind == CXType_Long || t.kind == CXType_LongLong;
}

static bool is_signed_value(struct node *n) {
    long k;
    return ast_constant(n, &k) || is_signed(ast_type(ast_strip(n)));
}

/* ---- i != n ---- */

static bool is_zero(struct node *n) {
    long k;
    return ast_constant(n, &k) && k == 0;
}

static bool compare(struct normal *x, struct node *loop) {
    struct node *init = ast_child(loop, 0), *test = ast_strip(ast_child(loop, 1));
    struct node *var = init->kind == CXCursor_DeclStmt ? init->first : NULL;
    struct loop_count c = {.step = NULL};
    bool down;
    if (!var || var->next || !var->last || ast_binary(test) != CXBinaryOperator_NE)
        return false;
    c.var = var->c;
    const bool turned = nest_is_variable(test->last, var->c);
    if ((!turned && !nest_is_variable(test->first, var->c)) || !loop_step(ast_child(loop, 2), &c, &down))
        return false;
    /* without a sign, a loop may come to its end by going round */
    if (!is_signed(clang_getCursorType(var->c)) && (down || c.step || !is_zero(var->last)))
        return false;
    struct node *bound = turned ? test->first : test->last;
    if (!(test->first->e <= test->last->b))
        return false;
    if (is_signed(clang_getCursorType(var->c)) && !is_signed_value(bound))
        return false;
    struct lexer lx;
    for (lexer_init(&lx, x->u->src.text, test->first->e, test->last->b); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        if (lexer_is(&lx, '!') && x->u->src.text[lx.tok.b + 1] == '=') {
            vec_push(x->edits, (struct edit){lx.tok.b, lx.tok.b + 2, down != turned ? ">" : "<"});
            return true;
        }
    }
    return false;
}

/* ---- counting up from 0 ---- */

/* How many times the loop runs, where that is more than 0. */
static const char *count_text(struct unit *u, const struct loop_count *c) {
    const char *first = normal_text(u, c->first), *bound = normal_text(u, c->bound);
    const char *step = c->step ? normal_text(u, c->step) : "1";
    long k;
    const char *span = c->down ? mem_printf("(%s) - (%s)%s", first, bound, c->open ? "" : " + 1")
                               : mem_printf("(%s) - (%s)%s", bound, first, c->open ? "" : " + 1");
    if (!c->step)
        return span;
    if (ast_constant(c->step, &k))
        return mem_printf("(%s + %ld) / %ld", span, (k < 0 ? -k : k) - 1, k < 0 ? -k : k);
    return mem_printf("(%s + (%s) - 1) / (%s)", span, step, step);
}

static const char *value_text(struct unit *u, const struct loop_count *c, const char *turn) {
    const char *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(c->var)));
    long k;
    const char *by = turn;
    if (c->step && ast_constant(c->step, &k))
        by = mem_printf("%ld * %s", k < 0 ? -k : k, turn);
    else if (c->step)
        by = mem_printf("(%s) * %s", normal_text(u, c->step), turn);
    if (!c->down && ast_constant(c->first, &k) && k == 0)
        return mem_printf("(%s)", by);
    return mem_printf("((%s)((%s) %c %s))", type, normal_text(u, c->first), c->down ? '-' : '+', by);
}

static bool is_counting_up(const struct loop_count *c) {
    long k = 1;
    return !c->down && (!c->step || (ast_constant(c->step, &k) && k == 1));
}

static bool turn_round(struct normal *x, struct node *loop) {
    struct loop_count c;
    if (loop->first->kind != CXCursor_DeclStmt || !loop_counts(loop, &c) || c.sooner || is_counting_up(&c) ||
        !normal_is_apart(loop, &c) || !is_signed(clang_getCursorType(c.var)) || !is_signed_value(c.first) ||
        !is_signed_value(c.bound) || (c.step && !is_signed_value(c.step)) || !normal_is_plain(x, c.first) ||
        !normal_is_plain(x, c.bound) || (c.step && !normal_is_plain(x, c.step)))
        return false;
    const char *turn = normal_name(x->u, mem_printf("%s_turn", ast_name(c.var))), *count = count_text(x->u, &c);
    const size_t body = ast_loop_body(x->u, loop);
    if (!normal_replace(x, loop->last, c.var, value_text(x->u, &c, turn)))
        return false;
    const char *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(c.var)));
    normal_put(x, (struct span){loop->b, body},
               mem_printf("for (%s %s = 0; %s < %s; %s++) ", type, turn, turn, count, turn));
    return true;
}

/* ---- all ---- */

static bool is_spine(const struct normal *x, const struct node *loop) {
    if (loop == x->outer)
        return true;
    const struct node *up = loop->up;
    if (up->kind == CXCursor_CompoundStmt)
        up = up->up;
    return up == x->outer;
}

/* The first loop of the two, or in the first's body, that has another form. */
static bool each(struct normal *x, struct node *n, bool (*step)(struct normal *, struct node *)) {
    if (n->kind == CXCursor_ForStmt && ast_children(n) == 4 && is_spine(x, n) && step(x, n))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (each(x, c, step))
            return true;
    return false;
}

bool normal_heads(struct normal *x) {
    if (!x->outer || clause_find(x->p, CLAUSE_SINK))
        return false;
    return each(x, x->outer, compare) || each(x, x->outer, turn_round);
}
