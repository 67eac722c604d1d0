/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heads of loops, for all directives: for (T i = n; i-- > 0;) counts from n to 1, and its body has one less; so does
 * for (T i = n - 1; i != (T)-1; i--), where T has no sign; `!=` is the comparison that it stands for where the loop
 * counts by one.
 */
#include "analysis/capture.h"
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

struct head_variable {
    CXCursor decl;
    struct node *value; /* the first one */
};

/* Declared in the head, or before it. `forgets`: what it is behind the loop is not read. */
static bool read_variable(const struct prepare *s, struct node *loop, bool forgets, struct head_variable *v) {
    struct node *init = ast_child(loop, 0);
    if (init && init->kind == CXCursor_DeclStmt) {
        if (!init->first || init->first->next || !init->first->last || !clang_isExpression(init->first->last->kind))
            return false;
        *v = (struct head_variable){init->first->c, init->first->last};
    } else {
        struct node *name = init && ast_binary(init) == CXBinaryOperator_Assign ? ast_strip(init->first) : NULL;
        if (!name || name->kind != CXCursor_DeclRefExpr)
            return false;
        *v = (struct head_variable){clang_getCursorReferenced(name->c), init->last};
        const enum CXCursorKind kind = clang_getCursorKind(v->decl);
        if ((kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl) || node_is_global(v->decl) ||
            capture_is_shown(s->tree, v->decl) || (forgets && live_after(loop, v->decl)))
            return false;
    }
    return ast_is_integer(clang_getCanonicalType(clang_getCursorType(v->decl)));
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
    struct node *test = ast_child(loop, 1), *body = ast_child(loop, 2);
    struct head_variable v;
    const char *text = s->u->src.text;
    edit_list edits = {0};
    if (ast_children(loop) != 3 || !read_variable(s, loop, true, &v) || !counts_in_test(test, v.decl) ||
        node_changes(body, v.decl, NULL) || is_named(s, loop, ast_name(v.decl)))
        return;
    const size_t semicolon = lexer_skip_blank(text, test->e, s->u->src.size);
    const size_t end = lexer_skip_blank(text, semicolon + 1, s->u->src.size);
    const char *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(v.decl))), *name = ast_name(v.decl);
    if (text[semicolon] != ';' || text[end] != ')' || memchr(text + test->b, '\n', test->e - test->b) ||
        !normal_mentions(s->u, body, v.decl, mem_printf("((%s)(%s - 1))", type, name), &edits))
        return;
    const struct node *t = ast_strip(test);
    vec_push(&s->edits, (struct edit){test->b, ast_binary(t) == CXBinaryOperator_GT ? t->first->e : test->e,
                                      ast_binary(t) == CXBinaryOperator_GT ? name : mem_printf("%s > 0", name)});
    vec_push(&s->edits, (struct edit){end, end, mem_printf(" %s--", name)});
    for (size_t i = 0; i < edits.n; i++)
        vec_push(&s->edits, edits.at[i]);
}

/* ---- down to zero, and round ---- */

/* The variable's largest value, as it is compared. */
static bool is_last(struct node *n, CXType var) {
    const CXType t = ast_type(ast_strip(n));
    const long long bytes = clang_Type_getSizeOf(t);
    long k;
    if (!ast_constant(ast_strip(n), &k) || bytes > clang_Type_getSizeOf(var))
        return false;
    if (type_is_signed(t) || bytes < (long long)sizeof(int))
        return k == -1;
    return bytes == clang_Type_getSizeOf(var) && (bytes == 4 ? (unsigned)k == ~0u : k == -1);
}

/* x of x - 1, in a type that holds what the subtraction does, or goes round where the variable does; else NULL. */
static struct node *one_more(struct node *value, CXType var) {
    const CXType t = ast_type(value = ast_strip(value));
    long k;
    return ast_binary(value) == CXBinaryOperator_Sub && ast_constant(value->last, &k) && k == 1 &&
                   (type_is_signed(t) || clang_Type_getSizeOf(t) == clang_Type_getSizeOf(var))
               ? value->first
               : NULL;
}

/* A variable of the function that nothing in the loop changes. */
static bool is_fixed(const struct prepare *s, struct node *n) {
    const CXCursor d = n->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(n->c) : clang_getNullCursor();
    const enum CXCursorKind kind = clang_getCursorKind(d);
    return (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) && !node_is_global(d) &&
           !node_changes(s->root, d, NULL) && !capture_is_shown(s->tree, d);
}

/* i != (T)-1, or i < n where it begins with n - 1 */
static bool goes_round(const struct prepare *s, struct node *test, const struct head_variable *v, CXType t) {
    struct node *n = one_more(v->value, t);
    test = ast_strip(test);
    if (!test->first || !nest_is_variable(test->first, v->decl))
        return false;
    if (ast_binary(test) == CXBinaryOperator_NE)
        return is_last(test->last, t);
    struct node *bound = ast_strip(test->last);
    n = n ? ast_strip(n) : NULL;
    return ast_binary(test) == CXBinaryOperator_LT && n && is_fixed(s, n) && bound->kind == CXCursor_DeclRefExpr &&
           clang_equalCursors(clang_getCursorReferenced(n->c), clang_getCursorReferenced(bound->c)) &&
           clang_equalTypes(ast_type(n), t);
}

static void round_down(struct prepare *s, struct node *loop) {
    struct node *test = ast_child(loop, 1), *body = loop->last;
    struct head_variable v;
    const char *text = s->u->src.text;
    struct loop_count c = {.step = NULL};
    edit_list edits = {0};
    bool goes_down;
    long k;
    if (ast_children(loop) != 4 || !read_variable(s, loop, true, &v))
        return;
    const CXType t = type_number(clang_getCursorType(v.decl));
    c.var = v.decl;
    if (type_is_signed(t) || clang_Type_getSizeOf(t) < (long long)sizeof(int) || !goes_round(s, test, &v, t) ||
        !loop_step(ast_child(loop, 2), &c, &goes_down) || !goes_down ||
        (c.step && !(ast_constant(c.step, &k) && k == 1)) || node_changes(body, v.decl, NULL) ||
        is_named(s, loop, ast_name(v.decl)) || memchr(text + v.value->b, '\n', test->e - v.value->b))
        return;
    const char *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(v.decl))), *name = ast_name(v.decl);
    if (!normal_mentions(s->u, body, v.decl, mem_printf("((%s)(%s - 1))", type, name), &edits))
        return;
    const struct node *value = ast_strip(v.value), *n = one_more(v.value, t);
    if (n) {
        vec_push(&s->edits, (struct edit){n->e, value->e, ""});
    } else {
        vec_push(&s->edits, (struct edit){value->b, value->b, mem_printf("(%s)((%s)(", type, type)});
        vec_push(&s->edits, (struct edit){value->e, value->e, ") + 1)"});
    }
    vec_push(&s->edits, (struct edit){test->b, test->e, mem_printf("%s > 0", name)});
    for (size_t i = 0; i < edits.n; i++)
        vec_push(&s->edits, edits.at[i]);
}

static void compare(struct prepare *s, struct node *loop) {
    struct node *test = ast_strip(ast_child(loop, 1));
    struct head_variable v;
    struct loop_count c = {.step = NULL};
    bool goes_down;
    if (ast_children(loop) != 4 || ast_binary(test) != CXBinaryOperator_NE || !read_variable(s, loop, false, &v))
        return;
    c.var = v.decl;
    const bool turned = nest_is_variable(test->last, v.decl);
    struct node *bound = turned ? test->first : test->last;
    if ((!turned && !nest_is_variable(test->first, v.decl)) || !loop_step(ast_child(loop, 2), &c, &goes_down) ||
        test->first->e > test->last->b)
        return;
    /* without a sign, a loop may come to its end by going round */
    const bool sign = is_signed(clang_getCursorType(v.decl));
    if (!sign && c.step)
        return;
    long k;
    if (sign ? !is_signed(ast_type(ast_strip(bound))) && !ast_constant(bound, &k)
             : !is_zero(goes_down ? bound : v.value))
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
    round_down(s, loop);
    compare(s, loop);
    struct node *body = loop->last;
    for (struct node *n = body->kind == CXCursor_CompoundStmt ? body->first : body; depth && n; n = n->next)
        if (n->kind == CXCursor_ForStmt)
            each(s, n, depth - 1);
}

void prepare_heads(struct prepare *s) { each(s, s->root, 2); }
