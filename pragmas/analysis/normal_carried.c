/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scalars that a row carries from cell to cell: e = start; for (j …) { e = …e…; }. Each becomes an element of an array
 * over rows, which the register form keeps in registers. What stands in front of the inner loop sets it: in a loop of
 * its own before the nest, or, where that reads memory, in the row's first cell. The array is nobody else's, so none
 * of its elements has to be kept.
 */
#include "analysis/capture.h"
#include "normal.h"
#include "prepare.h"

#include <string.h>

struct carried { /* a variable that the statements in front of the inner loop declare */
    CXCursor c;
    const char *name, *type;
    const char *array; /* NULL: each cell has its own */
};

struct row {
    struct normal *x;
    struct loop_count outer, inner;
    struct node *loop; /* the inner one, last in the row */
    VEC(struct carried) vars;
    bool reads_memory;
};

/* ---- the row ---- */

static bool counts_up(const struct normal *x, struct node *loop, struct loop_count *c) {
    long k = 1;
    return loop->kind == CXCursor_ForStmt && ast_children(loop) == 4 && loop->first->kind == CXCursor_DeclStmt &&
           loop_counts(loop, c) && normal_is_apart(loop, c) && !c->sooner && !c->down &&
           (!c->step || (ast_constant(c->step, &k) && k == 1)) && normal_is_plain(x, c->first) &&
           normal_is_plain(x, c->bound);
}

static bool is_number(CXType t) {
    t = clang_getCanonicalType(t);
    return t.kind >= CXType_Bool && t.kind <= CXType_LongDouble && !clang_isVolatileQualifiedType(t);
}

static bool is_declared_in(const struct row *r, CXCursor decl) {
    for (size_t i = 0; i < r->vars.n; i++)
        if (clang_equalCursors(r->vars.at[i].c, decl))
            return true;
    return false;
}

static bool add(struct row *r, struct node *d) {
    if (d->kind != CXCursor_VarDecl || !is_number(clang_getCursorType(d->c)) ||
        clang_Cursor_getStorageClass(d->c) != CX_SC_None)
        return false;
    vec_push(&r->vars, (struct carried){.c = d->c,
                                        .name = ast_name(d->c),
                                        .type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(d->c)))});
    return true;
}

/* Somebody sees that it runs: such a statement stays where it is, as often as it is reached. */
static bool is_seen(struct row *r, struct node *n) {
    if (n->kind == CXCursor_DeclRefExpr || n->kind == CXCursor_MemberRefExpr || n->kind == CXCursor_ArraySubscriptExpr)
        return clang_isVolatileQualifiedType(clang_getCursorType(n->c));
    return n->kind == CXCursor_GCCAsmStmt || (n->kind == CXCursor_CallExpr && !function_only_reads(r->x->u, n));
}

/* A number from outside that cells change, such as a sum: what the row reads is not what it was before the nest. */
static bool is_changed(const struct row *r, const struct node *n) {
    const CXCursor d = n->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(n->c) : clang_getNullCursor();
    return clang_getCursorKind(d) != CXCursor_FunctionDecl && is_number(clang_getCursorType(d)) &&
           !is_declared_in(r, d) && node_changes(r->loop, d, NULL);
}

/* Nothing but values of these variables comes out of it. */
static bool only_sets(struct row *r, struct node *n) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    if ((ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec)) &&
        !(ast_strip(n->first)->kind == CXCursor_DeclRefExpr &&
          is_declared_in(r, clang_getCursorReferenced(ast_strip(n->first)->c))))
        return false;
    if (unary == CXUnaryOperator_AddrOf || n->kind == CXCursor_StmtExpr || ast_is_openmp(n) || is_seen(r, n) ||
        is_changed(r, n))
        return false;
    r->reads_memory |= n->kind == CXCursor_ArraySubscriptExpr || n->kind == CXCursor_MemberRefExpr ||
                       unary == CXUnaryOperator_Deref ||
                       (n->kind == CXCursor_CallExpr && !function_is_pure(function_callee(n)));
    for (struct node *c = n->first; c; c = c->next)
        if (!only_sets(r, c))
            return false;
    return true;
}

static bool jumps(const struct node *n) {
    if (n->kind == CXCursor_ReturnStmt || n->kind == CXCursor_GotoStmt || n->kind == CXCursor_LabelStmt ||
        n->kind == CXCursor_ContinueStmt || n->kind == CXCursor_BreakStmt || n->kind == CXCursor_IndirectGotoStmt)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (jumps(c))
            return true;
    return false;
}

static bool is_shown(struct node *n, CXCursor var) {
    if (nest_is_variable(n, var) && n->kind == CXCursor_DeclRefExpr && (capture_access(n) & ACCESS_ADDRESS))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (is_shown(c, var))
            return true;
    return false;
}

static bool read(struct row *r) {
    struct node *body = r->x->outer->last;
    if (body->kind != CXCursor_CompoundStmt || !body->first || body->first == body->last ||
        !counts_up(r->x, r->x->outer, &r->outer) || !counts_up(r->x, body->last, &r->inner))
        return false;
    r->loop = body->last;
    for (struct node *n = body->first; n != r->loop; n = n->next)
        for (struct node *d = n->kind == CXCursor_DeclStmt ? n->first : NULL; d; d = d->next)
            if (!add(r, d))
                return false;
    for (struct node *n = body->first; n != r->loop; n = n->next)
        if (jumps(n) || !only_sets(r, n))
            return false;
    for (size_t i = 0; i < r->vars.n; i++)
        for (struct node *n = r->loop->first; n != r->loop->last; n = n->next)
            if (nest_is_mentioned(n, r->vars.at[i].c))
                return false;
    return true;
}

/* ---- as text ---- */

static bool replace(struct row *r, struct carried *v) {
    struct normal *x = r->x;
    if (!live_reads_first(r->loop->last, v->c))
        return true;
    v->array = normal_name(x->u, mem_printf("%s_of_row", v->name));
    return !is_shown(r->loop->last, v->c) &&
           normal_replace(
               x, r->loop->last, v->c,
               mem_printf("%s[%s - (%s)]", v->array, ast_name(r->outer.var), unit_text(x->u, r->outer.first)));
}

/* The statements in front of the inner loop, and what they leave. */
static const char *start_text(const struct row *r) {
    struct node *first = r->x->outer->last->first, *last = first;
    struct buf out = {0};
    while (last->next != r->loop)
        last = last->next;
    const size_t end = last->kind == CXCursor_DeclStmt ? last->e : ast_statement_end(r->x->u, last, last->b);
    buf_printf(&out, "{ %s", source_flat(&r->x->u->src, (struct span){first->b, end}));
    for (size_t i = 0; i < r->vars.n; i++)
        if (r->vars.at[i].array)
            buf_printf(&out, " %s[%s - (%s)] = %s;", r->vars.at[i].array, ast_name(r->outer.var),
                       unit_text(r->x->u, r->outer.first), r->vars.at[i].name);
        else
            buf_printf(&out, " (void)%s;", r->vars.at[i].name);
    buf_puts(&out, " }");
    normal_put(r->x, (struct span){first->b, end}, "");
    return out.s;
}

static void put_cell(struct row *r, const char *start) {
    struct buf out = {0};
    struct node *body = r->loop->last;
    const bool block = body->kind == CXCursor_CompoundStmt;
    const size_t begin = block ? body->b + 1 : ast_loop_body(r->x->u, r->loop);
    buf_puts(&out, block ? "" : "{ ");
    for (size_t i = 0; i < r->vars.n; i++)
        if (!r->vars.at[i].array && nest_is_mentioned(body, r->vars.at[i].c))
            buf_printf(&out, " %s %s;", r->vars.at[i].type, r->vars.at[i].name);
    if (r->reads_memory)
        buf_printf(&out, " if (%s == (%s)) %s ", ast_name(r->inner.var), unit_text(r->x->u, r->inner.first), start);
    if (*out.s)
        vec_push(r->x->edits, (struct edit){begin, begin, out.s});
    if (!block) {
        const size_t end = ast_statement_end(r->x->u, body, begin);
        vec_push(r->x->edits, (struct edit){end, end, " }"});
    }
}

/* Before the pragma: behind the statement that it follows, or where its block begins. */
static size_t before(const struct normal *x) {
    const struct node *block = x->root->up;
    struct node *n = block->first;
    if (n == x->root)
        return block->b + 1;
    while (n->next != x->root)
        n = n->next;
    return n->kind == CXCursor_DeclStmt ? n->e : ast_statement_end(x->u, n, n->b);
}

static void put_arrays(struct row *r, const char *start) {
    struct normal *x = r->x;
    struct buf out = {0}, clause = {0}, after = {0};
    const char *lo = unit_text(x->u, r->outer.first), *i = ast_name(r->outer.var);
    const char *bound = mem_printf("%s %s (%s)", i, r->outer.open ? "<" : "<=", unit_text(x->u, r->outer.bound));
    const char *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(r->outer.var)));
    const char *rows = mem_printf("((%s) %s (%s) ? (unsigned long)((%s) - (%s)%s) : 1)", lo,
                                  r->outer.open ? "<" : "<=", unit_text(x->u, r->outer.bound),
                                  unit_text(x->u, r->outer.bound), lo, r->outer.open ? "" : " + 1");
    buf_puts(&out, " {");
    for (size_t k = 0; k < r->vars.n; k++) {
        const struct carried *v = &r->vars.at[k];
        if (!v->array)
            continue;
        buf_printf(&out, " %s *%s = (%s *)__builtin_calloc(%s, sizeof(%s));", v->type, v->array, v->type, rows,
                   v->type);
        buf_printf(&out,
                   " if (!%s) { __builtin_printf(\"%%s:%%d: no memory for '%s' of each row\\n\", __FILE__, %u); "
                   "__builtin_abort(); }",
                   v->array, v->name, source_line(&x->u->src, x->root->b));
        if (r->reads_memory || node_changes(r->loop->last, v->c, NULL)) /* the nest writes it */
            buf_printf(&clause, "%s%s", clause.n ? ", " : " keep(", v->array);
        buf_printf(&after, " __builtin_free(%s);", v->array);
        vec_push(&x->u->row_scalars, (struct row_scalar){v->array, v->name});
    }
    if (!r->reads_memory)
        buf_printf(&out, " for (%s %s = %s; %s; %s++) %s", type, i, lo, bound, i, start);
    buf_puts(&after, " }");
    const size_t at = before(x);
    vec_push(x->edits, (struct edit){at, at, out.s});
    vec_push(x->edits, (struct edit){x->end, x->end, after.s});
    if (clause.n)
        vec_push(x->edits, (struct edit){x->p->name.e, x->p->name.e, mem_printf("%s: none)", clause.s)});
}

bool normal_carried(struct normal *x) {
    struct row r = {.x = x};
    const size_t edits = x->edits->n;
    if (x->outer != x->root || x->root->up->kind != CXCursor_CompoundStmt || x->u->src.text[x->root->up->b] != '{' ||
        memchr(x->u->src.text + x->root->b, '#', x->end - x->root->b) || !read(&r))
        return false;
    for (size_t i = 0; i < r.vars.n; i++)
        if (!replace(&r, &r.vars.at[i])) {
            x->edits->n = edits;
            return false;
        }
    bool any = false;
    for (size_t i = 0; i < r.vars.n; i++)
        any |= r.vars.at[i].array != NULL;
    r.reads_memory &= any;
    const char *start = start_text(&r);
    put_cell(&r, start);
    if (any)
        put_arrays(&r, start);
    return true;
}
