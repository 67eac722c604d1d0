/* SPDX-License-Identifier: Apache-2.0 */
/* Rewriting nests into the form that analysis takes: the steps, and what they have in common. */
#include "normal.h"

#include <stdint.h>
#include <string.h>

/* ---- text ---- */

static bool is_whole(struct unit *u, const struct node *n) {
    CXString s = clang_getCursorSpelling(n->c);
    const char *name = clang_getCString(s);
    const bool whole = n->e - n->b == strlen(name) && strncmp(u->src.text + n->b, name, n->e - n->b) == 0;
    clang_disposeString(s);
    return whole;
}

static bool apart(const struct node *a, const struct node *b) { return a->e <= b->b || b->e <= a->b; }

bool normal_is_apart(const struct node *loop, const struct loop_count *c) {
    const struct node *init = ast_child((struct node *)(uintptr_t)loop, 0);
    const struct node *inc = ast_strip(ast_child((struct node *)(uintptr_t)loop, 2));
    return init->kind == CXCursor_DeclStmt && c->first->b > init->first->b && c->variable &&
           apart(c->variable, c->bound) &&
           (!c->step || !inc->first || inc->first == c->step || apart(inc->first, c->step));
}

bool normal_mentions(struct unit *u, struct node *n, CXCursor var, const char *by, edit_list *out) {
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), var)) {
        bool again = false;
        for (size_t i = 0; i < out->n; i++)
            again |= out->at[i].b == n->b;
        if (!is_whole(u, n))
            return false;
        if (!again)
            vec_push(out, (struct edit){n->b, n->e, by});
    }
    for (struct node *c = n->first; c; c = c->next)
        if (!normal_mentions(u, c, var, by, out))
            return false;
    return true;
}

bool normal_replace(struct normal *x, struct node *n, CXCursor var, const char *by) {
    edit_list edits = {0};
    if (!normal_mentions(x->u, n, var, by, &edits))
        return false;
    for (size_t i = 0; i < edits.n; i++)
        vec_push(x->edits, edits.at[i]);
    return true;
}

void normal_put(struct normal *x, struct span s, const char *text) {
    struct buf out = {0};
    size_t blank = s.e;
    buf_puts(&out, text);
    for (size_t i = s.b; i < s.e; i++)
        if (x->u->src.text[i] == '\n')
            buf_puts(&out, "\n"), blank = i + 1;
    for (; blank < s.e && (x->u->src.text[blank] == ' ' || x->u->src.text[blank] == '\t'); blank++)
        buf_add(&out, x->u->src.text + blank, 1);
    vec_push(x->edits, (struct edit){s.b, s.e, out.s});
}

const char *normal_name(const struct unit *u, const char *base) {
    const char *name = base;
    while (strstr(u->src.text, name))
        name = mem_printf("%s_", name);
    return name;
}

/* ---- what does not change ---- */

/* The loop below `n` or around it whose head sets the variable; NULL: none */
static const struct node *loop_around(const struct node *n, CXCursor var) {
    struct loop_count c;
    for (const struct node *up = n; up; up = up->up)
        if (up->kind == CXCursor_ForStmt && loop_counts((struct node *)(uintptr_t)up, &c) &&
            clang_equalCursors(c.var, var))
            return up;
    return NULL;
}

bool normal_is_fixed(const struct normal *x, CXCursor var, const struct node *from) {
    const struct node *loop = loop_around(from, var);
    if (clang_isVolatileQualifiedType(clang_getCursorType(var)))
        return false;
    return node_changes(loop ? loop->last : x->root, var, NULL) == 0;
}

bool normal_is_plain(const struct normal *x, struct node *n) {
    const enum CXBinaryOperatorKind op = ast_binary(n);
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    if (!n)
        return true;
    if (n->kind == CXCursor_DeclRefExpr) {
        const CXCursor d = clang_getCursorReferenced(n->c);
        return clang_getCursorKind(d) == CXCursor_EnumConstantDecl ||
               (ast_is_integer(clang_getCursorType(d)) && normal_is_fixed(x, d, n));
    }
    if (n->kind == CXCursor_IntegerLiteral || n->kind == CXCursor_CharacterLiteral)
        return true;
    if (n->kind != CXCursor_ParenExpr && n->kind != CXCursor_UnexposedExpr && n->kind != CXCursor_CStyleCastExpr &&
        n->kind != CXCursor_ConditionalOperator && unary != CXUnaryOperator_Minus && unary != CXUnaryOperator_Plus &&
        !(n->kind == CXCursor_BinaryOperator && op >= CXBinaryOperator_Mul && op <= CXBinaryOperator_LOr))
        return false;
    for (struct node *c = n->first; c; c = c->next)
        if (!clang_isReference(c->kind) && !normal_is_plain(x, c))
            return false;
    return n->first != NULL;
}

/* ---- the nest ---- */

static bool find(struct normal *x) {
    CXCursor function;
    if (!ast_function_at(x->u, x->p->next, &function))
        return false;
    x->function = ast_tree(x->u, function);
    x->root = x->outer = ast_at(x->function, CXCursor_ForStmt, x->p->next);
    if (!x->root || ast_children(x->root) != 4)
        return false;
    if (clause_find(x->p, CLAUSE_SWEEPS) || clause_find(x->p, CLAUSE_BATCH)) {
        x->outer = x->root->last;
        if (x->outer->kind == CXCursor_CompoundStmt && x->outer->first && !x->outer->first->next)
            x->outer = x->outer->first;
        if (x->outer->kind != CXCursor_ForStmt || ast_children(x->outer) != 4)
            x->outer = NULL;
    }
    x->end = ast_statement_end(x->u, x->root, x->root->b);
    return true;
}

bool normal_round(struct unit *u, const pragma_list *pragmas, edit_list *edits) {
    bool (*const steps[])(struct normal *) = {normal_macros,  normal_heads, normal_values,
                                              normal_carried, normal_rows,  normal_time};
    bool any = false;
    size_t done = 0;
    for (size_t i = 0; i < pragmas->n; i++) {
        struct normal x = {.u = u, .p = &pragmas->at[i], .number = i, .edits = edits};
        if (x.p->bad || x.p->directive->bit != DIRECTIVE_WAVEFRONT || x.p->b < done || !find(&x))
            continue;
        done = x.end;
        bool changed = false;
        for (size_t k = 0; !changed && k < sizeof steps / sizeof *steps; k++)
            changed = steps[k](&x);
        any |= changed;
    }
    return any;
}

const char *normal_steps_reason(struct unit *u, const struct pragma *p, size_t *at) {
    edit_list none = {0};
    struct normal x = {.u = u, .p = p, .edits = &none};
    return find(&x) ? normal_time_reason(&x, at) : NULL;
}
