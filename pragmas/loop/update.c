/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Updates of reduced arrays as devices do them, whose threads have no copies of their own: each changes one element,
 * atomically. What adds is added by the hardware; any other update is computed from the element's value and stored if
 * that is still there, else computed again, so it must change and call nothing else.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "loop.h"

#include <string.h>

struct update {
    struct for_loop *f;
    const struct var *v;
    struct node *element, *n, *statement; /* h[k]; h[k] += x; the same, or the `if` around it */
    size_t end;                           /* of the statement's text, with its ';' */
};

static bool refuse(const struct update *p, const char *why) {
    diag_error(p->f->w.u, p->element->b, "devices update an element of '%s' atomically, which is not known of this: %s",
               p->v->name, why);
    return false;
}

static struct span text_of(const struct node *n) { return (struct span){n->b, n->e}; }
static const char *copied(const struct update *p, struct span s) {
    return mem_strndup(p->f->w.u->src.text + s.b, s.e - s.b);
}

/* ---- what it looks like ---- */

static bool is_statement(const struct for_loop *f, const struct node *n) {
    const struct node *up = n->up;
    if (n == f->w.body)
        return true;
    switch ((int)up->kind) {
    case CXCursor_CompoundStmt:
        return true;
    case CXCursor_IfStmt:
        return up->first != n;
    case CXCursor_DoStmt:
        return up->first == n;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_LabelStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        return !n->next;
    default:
        return false;
    }
}

static bool mentions(const struct update *p, const struct node *n) {
    for (size_t i = 0; i < p->f->w.uses.n; i++)
        if (p->f->w.uses.at[i].v == p->v && ast_contains(n, p->f->w.uses.at[i].n))
            return true;
    return false;
}

/* `if (x > h[k]) h[k] = x;`: the test belongs to it. */
static struct node *statement_of(const struct update *p) {
    struct node *n = p->n;
    if (ast_binary(n) != CXBinaryOperator_Assign || n->kind == CXCursor_CompoundAssignOperator || mentions(p, n->last))
        return n;
    while (n->kind != CXCursor_IfStmt) /* analysis/reduction.c has seen it */
        n = n->up;
    return n;
}

/* Does its text stand in the file, name to bracket? */
static bool is_text(const struct update *p, const struct node *element) {
    const char *text = p->f->w.u->src.text + element->b;
    const size_t n = strlen(p->v->name);
    return element->e > element->b + n && strncmp(text, p->v->name, n) == 0 && strchr(" \t[", text[n]) &&
           text[element->e - element->b - 1] == ']';
}

/* Directives between its lines would end up in a macro's argument. */
static bool has_directive(const struct update *p) {
    const char *text = p->f->w.u->src.text;
    for (size_t k = p->statement->b; k < p->end; k++)
        if (text[k] == '\n' && text[lexer_skip_blank(text, k, p->end)] == '#')
            return true;
    return false;
}

/* Where the text behind the operator begins, which follows the element's; 0: something else does. */
static size_t behind(const struct update *p, size_t at, const char *operator) {
    const char *text = p->f->w.u->src.text;
    at = lexer_skip_blank(text, at, p->end);
    return strncmp(text + at, operator, strlen(operator)) == 0 ? lexer_skip_blank(text, at + strlen(operator), p->end)
                                                               : 0;
}

/* ---- sums ---- */

static bool adds_at_once(CXType t) {
    t = clang_getCanonicalType(t);
    switch ((int)t.kind) {
    case CXType_Int:
    case CXType_UInt:
    case CXType_Long:
    case CXType_ULong:
    case CXType_LongLong:
    case CXType_ULongLong:
    case CXType_Float:
    case CXType_Double:
        return true;
    default:
        return false;
    }
}

static bool can_add(const struct update *p, const struct node *value) {
    return adds_at_once(p->v->elem_type) &&
           (!ast_is_integer(p->v->elem_type) || !value || ast_is_integer(clang_getCursorType(value->c)));
}

/* Does each iteration come to this element, as far as can be seen? It counts by loops of its own, and nothing else. */
static bool is_common(const struct update *p, const struct node *n) {
    if (n->kind == CXCursor_CallExpr || (n->kind == CXCursor_ArraySubscriptExpr && !mentions(p, n)))
        return false;
    if (n->kind == CXCursor_DeclRefExpr) {
        const CXCursor d = clang_getCursorReferenced(n->c);
        const struct var *v = capture_lookup(&p->f->w, d);
        if (v)
            return v->kind != VAR_LOOP;
        if (clang_getCursorKind(d) == CXCursor_EnumConstantDecl)
            return true;
        for (const struct node *up = n; up && up != p->f->w.root; up = up->up)
            if (up->kind == CXCursor_ForStmt && up->first && up->first->first &&
                clang_equalCursors(up->first->first->c, d))
                return true;
        return false;
    }
    for (const struct node *c = n->first; c; c = c->next)
        if (!is_common(p, c))
            return false;
    return true;
}

static void replace(const struct update *p, const char *text) {
    vec_push(&p->f->updates, (struct edit){p->statement->b, p->end, text});
}

static bool call(const struct update *p, const char *name, struct span value) {
    if (value.b >= value.e)
        return false;
    replace(p, mem_printf("HEDDLE_REDUCE_%s%s((%s), (%s));", name, is_common(p, p->element) ? "_SAME" : "",
                          copied(p, text_of(p->element)), copied(p, value)));
    return true;
}

static bool is_element(const struct update *p, struct node *n) {
    return n->kind == CXCursor_ArraySubscriptExpr && mentions(p, n) && is_text(p, n) && n->e - n->b;
}

/* h[k] = h[k] + x, h[k] = x + h[k], h[k] = h[k] - x */
static bool plain_sum(const struct update *p) {
    struct node *sum = ast_strip(p->n->last), *l = sum->first ? ast_strip(sum->first) : NULL,
                *r = sum->last ? ast_strip(sum->last) : NULL;
    const enum CXBinaryOperatorKind op = ast_binary(sum);
    const char *text = p->f->w.u->src.text;
    const size_t from = behind(p, p->element->e, "="), last = p->end - 1;
    if ((op != CXBinaryOperator_Add && op != CXBinaryOperator_Sub) || !from || !l || !r)
        return false;
    if (is_element(p, l) && !mentions(p, r) && can_add(p, r) && from == l->b) {
        const size_t value = behind(p, l->e, op == CXBinaryOperator_Add ? "+" : "-");
        return value && call(p, op == CXBinaryOperator_Add ? "ADD" : "SUB", (struct span){value, last});
    }
    size_t plus = r->b;
    while (plus > from && text[plus] != '+')
        plus--;
    return op == CXBinaryOperator_Add && is_element(p, r) && !mentions(p, l) && can_add(p, l) &&
           lexer_skip_blank(text, r->e, p->end) == last && behind(p, plus, "+") == r->b &&
           call(p, "ADD", (struct span){from, plus});
}

static bool step(const struct update *p) {
    const enum CXUnaryOperatorKind op = ast_unary(p->n);
    const bool down = op == CXUnaryOperator_PostDec || op == CXUnaryOperator_PreDec;
    if (!can_add(p, NULL))
        return false;
    replace(p, mem_printf("HEDDLE_REDUCE_%s%s((%s), 1);", down ? "SUB" : "ADD", is_common(p, p->element) ? "_SAME" : "",
                          copied(p, text_of(p->element))));
    return true;
}

/* h[k] op= x: the value is computed once. */
static bool compound(const struct update *p) {
    static const struct {
        enum CXBinaryOperatorKind kind;
        const char *text, *sum;
    } operators[] = {{CXBinaryOperator_AddAssign, "+", "ADD"}, {CXBinaryOperator_SubAssign, "-", "SUB"},
                     {CXBinaryOperator_MulAssign, "*", NULL},  {CXBinaryOperator_AndAssign, "&", NULL},
                     {CXBinaryOperator_OrAssign, "|", NULL},   {CXBinaryOperator_XorAssign, "^", NULL}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (ast_binary(p->n) != operators[i].kind)
            continue;
        const size_t from = behind(p, p->element->e, mem_printf("%s=", operators[i].text));
        const struct span value = {from, p->end - 1};
        if (!from)
            return false;
        if (operators[i].sum && can_add(p, p->n->last))
            return call(p, operators[i].sum, value);
        replace(p, mem_printf("HEDDLE_REDUCE_BY((%s), %s, (%s));", copied(p, text_of(p->element)), operators[i].text,
                              copied(p, value)));
        return true;
    }
    return false;
}

/* ---- any other ---- */

static bool changes_nothing_else(const struct update *p, struct node *n) {
    const enum CXUnaryOperatorKind op = ast_unary(n);
    if ((ast_is_assignment(n) || (op >= CXUnaryOperator_PostInc && op <= CXUnaryOperator_PreDec)) && n != p->n)
        return false;
    if (n->kind == CXCursor_CallExpr && !function_is_pure(function_callee(n)))
        return false;
    for (struct node *c = n->first; c; c = c->next)
        if (!changes_nothing_else(p, c))
            return false;
    return true;
}

/* The statement, with the element's value in place of the element. */
static bool again(const struct update *p) {
    edit_list edits = {0};
    if (!changes_nothing_else(p, p->statement))
        return refuse(p, "it may be computed several times, but changes or calls something else; compute that before");
    for (size_t i = 0; i < p->f->w.uses.n; i++) {
        const struct use *use = &p->f->w.uses.at[i];
        struct ref r = {0};
        if (use->v != p->v || !ast_contains(p->statement, use->n))
            continue;
        if (!refs_subscripts(p->v, use->n, &r) || !is_text(p, r.n))
            return refuse(p, "its text comes out of a macro; write it out");
        vec_push(&edits, (struct edit){r.n->b, r.n->e, "heddle_v"});
    }
    replace(p, mem_printf("HEDDLE_REDUCE_EACH((%s), %s);", copied(p, text_of(p->element)),
                          source_edited(&p->f->w.u->src, (struct span){p->statement->b, p->end}, &edits)));
    return true;
}

/* ---- all of them ---- */

static bool update(struct for_loop *f, const struct use *use) {
    struct ref r = {0};
    struct update p = {.f = f, .v = use->v};
    if (!refs_subscripts(use->v, use->n, &r) || !(capture_access(r.n) & ACCESS_WRITE))
        return true;
    p.element = r.n;
    p.n = r.n->up;
    if (clang_Type_getSizeOf(clang_getCanonicalType(use->v->elem_type)) > 8)
        return refuse(&p, "it has more than 8 bytes");
    while (p.n->kind == CXCursor_ParenExpr)
        p.n = p.n->up;
    p.statement = statement_of(&p);
    if (!is_statement(f, p.statement))
        return refuse(&p, "it is a part of another expression; make it a statement of its own");
    p.end = ast_statement_end(f->w.u, p.statement, p.statement->b);
    const bool brace = f->w.u->src.text[p.end - 1] == '}';
    if (!is_text(&p, p.element) || (p.element->b != p.n->b && p.element->e != p.n->e) || has_directive(&p) ||
        (!brace && f->w.u->src.text[p.end - 1] != ';'))
        return refuse(&p, "its text comes out of a macro, or has directives in it; write it out");
    if (p.n->kind == CXCursor_UnaryOperator            ? step(&p)
        : p.n->kind == CXCursor_CompoundAssignOperator ? compound(&p)
                                                       : p.statement == p.n && plain_sum(&p))
        return true;
    return again(&p);
}

bool for_updates(struct for_loop *f) {
    bool ok = true;
    f->updates.n = 0;
    for (size_t i = 0; ok && i < f->w.uses.n; i++)
        if (f->w.uses.at[i].v->joined)
            ok = update(f, &f->w.uses.at[i]);
    return ok;
}
