/* SPDX-License-Identifier: Apache-2.0 */
/*
 * On single lanes, tasks that are nothing but a call of the same function are one kind: their arguments are computed
 * where the task is made and stand in its record. The kernel then holds the function once, and lanes that run it come
 * together. A call that makes no tasks may run in its maker's place (leaf.c says when).
 */
#include "analysis/capture.h"
#include "pool.h"

#include <string.h>

/* ---- which tasks ---- */

static bool is_address(struct region *r, struct node *n);

/* The same whenever it is computed: no memory is read that another task may change. */
static bool is_value(struct region *r, struct node *n) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    const struct local *l;
    switch ((int)n->kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_UnaryExpr: /* sizeof */
        return true;
    case CXCursor_DeclRefExpr:
        if (clang_getCursorKind(clang_getCursorReferenced(n->c)) == CXCursor_EnumConstantDecl)
            return true;
        l = region_local(r, clang_getCursorReferenced(n->c));
        if (l && l->place == PLACE_DEREF)
            return l->array; /* its address */
        return l && ((l->place == PLACE_VALUE && !l->array) || (l->place == PLACE_ENV && l->env->ndims < 2));
    case CXCursor_UnaryOperator:
        if (unary == CXUnaryOperator_AddrOf)
            return is_address(r, ast_strip(n->first));
        if (unary == CXUnaryOperator_Deref || worker_is_step(n))
            return false;
        break;
    case CXCursor_BinaryOperator:
        if (ast_is_assignment(n))
            return false;
        break;
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_ConditionalOperator:
        break;
    default:
        return n->kind == CXCursor_TypeRef;
    }
    for (struct node *c = n->first; c; c = c->next)
        if (!is_value(r, c))
            return false;
    return true;
}

static bool is_address(struct region *r, struct node *n) {
    if (n->kind == CXCursor_ArraySubscriptExpr)
        return is_value(r, n->first) && is_value(r, n->last);
    const struct local *l = n->kind == CXCursor_DeclRefExpr ? region_local(r, clang_getCursorReferenced(n->c)) : NULL;
    return l && l->place == PLACE_DEREF;
}

static bool is_named(const struct function *f) {
    const int n = clang_Cursor_getNumArguments(f->c);
    for (int i = 0; i < n; i++) {
        const CXCursor c = clang_Cursor_getArgument(f->c, (unsigned)i);
        if (!*ast_name(c) || !env_declaration(clang_getCursorType(c), true, "x", false))
            return false;
    }
    return n > 0 && !clang_isFunctionTypeVariadic(clang_getCursorType(f->c)) &&
           clang_getCanonicalType(clang_getCursorResultType(f->c)).kind == CXType_Void;
}

static struct copy *copy_of(const struct pool *p, const struct function *f) {
    for (size_t i = 0; i < p->copies.n; i++)
        if (p->copies.at[i]->f == f && !p->copies.at[i]->plain)
            return p->copies.at[i];
    return NULL;
}

/* NULL: the task is something else than such a call. */
static struct copy *callee(struct task_type *k) {
    struct node *n = k->m->stmt;
    struct pool *p = k->r.pool;
    if (!site_is(k->m, DIRECTIVE_TASK) || n->kind != CXCursor_CallExpr || !k->r.calls.n || k->r.scratch)
        return NULL;
    struct function *f = function_called(p->u, n);
    struct copy *c = f ? copy_of(p, f) : NULL;
    int arguments = 0;
    for (struct node *a = n->first->next; c && a; a = a->next, arguments++)
        if (!is_value(&k->r, a))
            return NULL;
    return c && is_named(f) && arguments == clang_Cursor_getNumArguments(f->c) ? c : NULL;
}

/* The host's tasks are done when their own code is, so another task in their place must not matter to others. */
static bool may_be_root(const struct pool *p, const struct copy *c) {
    bool ordered = false;
    for (size_t i = 0; i < p->task_types.n; i++)
        ordered |= !p->task_types.at[i]->parent && site_clause(p->task_types.at[i]->m, CLAUSE_DEPEND);
    return c->r.waits.n || !ordered;
}

static struct called *called_of(struct pool *p, struct copy *c, bool make) {
    for (size_t i = 0; i < p->called.n; i++)
        if (p->called.at[i]->c == c)
            return p->called.at[i];
    if (!make)
        return NULL;
    struct called *new = mem_alloc(sizeof *new);
    *new = (struct called){.c = c, .name = mem_printf("call_%s", c->f->name)};
    vec_push(&p->called, new);
    return new;
}

/* ---- their text ---- */

static void set_edit(struct region *r, size_t b, size_t e, const char *text) {
    for (size_t i = 0; i < r->edits.n; i++)
        if (r->edits.at[i].b == b && r->edits.at[i].e == e)
            r->edits.at[i].text = text;
}

/* N_f_f(heddle_w, heddle_e, frame, part, …) becomes N_call_f_make(heddle_w, heddle_e, …). */
static void call_maker(struct task_type *k) {
    struct region *r = &k->r;
    const struct node *to = ast_strip(k->m->stmt->first);
    static const char first[] = "heddle_w, heddle_e";
    set_edit(r, to->b, to->e, mem_printf("%s_%s_make", pool_prefix(r->pool), k->called->name));
    for (size_t i = 0; i < r->edits.n; i++)
        if (r->edits.at[i].b == r->edits.at[i].e && !strncmp(r->edits.at[i].text, first, sizeof first - 1))
            r->edits.at[i].text = mem_printf("%s, ", first);
    if (k->parent)
        set_edit(k->parent, site_has_branches(r->pool->u, k->m) ? k->m->stmt->b : k->m->p->b, k->m->end, emit_spawn(k));
}

static bool changes(const struct region *r, const struct local *l) {
    for (size_t i = 0; i < r->mentions.n; i++)
        if (r->mentions.at[i].l == l && (capture_access(r->mentions.at[i].n) & (ACCESS_WRITE | ACCESS_ADDRESS)))
            return true;
    return false;
}

/* Parameters come with every part from the record, if all tasks of the function are of this kind. */
static void keep_less(struct pool *p, const struct called *c) {
    struct region *r = &c->c->r;
    for (size_t i = 0; i < p->task_types.n; i++)
        if (p->task_types.at[i]->whole == c->c->f && !p->task_types.at[i]->called)
            return;
    for (size_t i = 0; i < r->locals.n; i++) {
        struct local *l = r->locals.at[i];
        if (l->saved && l->param && !l->env && !changes(r, l))
            l->saved = false;
    }
    worker_waits_again(r);
}

void pool_share_calls(struct pool *p) {
    if (pool_worker(p) != HEDDLE_WORKER_LANE)
        return;
    for (int host = 0; host < 2; host++)
        for (size_t i = 0; i < p->task_types.n; i++) {
            struct task_type *k = p->task_types.at[i];
            struct copy *c = (k->parent == NULL) == (host == 1) ? callee(k) : NULL;
            if (c && (!host || may_be_root(p, c)))
                k->called = called_of(p, c, !host);
        }
    for (size_t i = 0; i < p->task_types.n; i++)
        if (p->task_types.at[i]->called)
            call_maker(p->task_types.at[i]);
    for (size_t i = 0; i < p->called.n; i++) {
        keep_less(p, p->called.at[i]);
        pool_find_leaf(p, p->called.at[i]);
    }
}
