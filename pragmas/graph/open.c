/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a task of the host touches beside its depend items. Where devices take part, the host's copy of data is only
 * brought up to date where an item names it; a task of which that is not known waits until all is. A section says what
 * of the array the task touches; an element, only where the task touches nothing else of it.
 */
#include "analysis/capture.h"
#include "graph.h"

#include <string.h>

static struct node *parent(struct node *n) {
    for (n = n->up; n && (n->kind == CXCursor_ParenExpr || n->kind == CXCursor_UnexposedExpr);)
        n = n->up;
    return n;
}

/* The element of which the mention is the array: a[i][j]. */
static struct node *element(struct node *n) {
    struct node *found = n;
    for (struct node *up = parent(n); up; n = up, up = parent(up)) {
        if (up->kind != CXCursor_ArraySubscriptExpr && ast_unary(up) != CXUnaryOperator_Deref)
            break;
        if (up->kind == CXCursor_ArraySubscriptExpr && !ast_contains(up->first, n))
            break;
        found = up;
    }
    return found;
}

static bool is_text(const struct graph_task *t, const struct node *n, struct span text) {
    const struct source *src = &t->g->u->src;
    return strcmp(source_flat(src, (struct span){n->b, n->e}), source_flat(src, text)) == 0;
}

static bool covers(const struct graph_task *t, const struct graph_item *item, const struct var *v) {
    if (strcmp(item->name, v->name) != 0)
        return false;
    if (item->section || (item->whole && v->kind != VAR_POINTER))
        return true;
    for (size_t i = 0; i < t->w.uses.n; i++)
        if (t->w.uses.at[i].v == v && !is_text(t, element(t->w.uses.at[i].n), item->text))
            return false;
    return true;
}

static bool is_covered(const struct graph_task *t, const struct var *v) {
    const CXType elem = clang_getCanonicalType(v->elem_type);
    if (v->kind == VAR_SCALAR ? !type_holds_pointer(elem) : v->ndims > 0 && node_is_table(v->decl))
        return true;
    if (v->kind != VAR_SCALAR && !type_holds_pointer(elem))
        for (size_t i = 0; i < t->items.n; i++)
            if (covers(t, &t->items.at[i], v))
                return true;
    return false;
}

/* ---- functions that it calls ------------------------------------------------------------------------------------- */
struct walk {
    struct graph_task *t;
    VEC(CXCursor) seen;
};

static bool been_there(struct walk *w, CXCursor c) {
    for (size_t i = 0; i < w->seen.n; i++)
        if (clang_equalCursors(w->seen.at[i], c))
            return true;
    vec_push(&w->seen, c);
    return false;
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor up, CXClientData data);

static void look_into(struct walk *w, CXCursor callee) {
    const CXCursor body = clang_getCursorDefinition(callee);
    if (clang_Cursor_isNull(callee)) {
        w->t->open = "a function that is called through a pointer";
    } else if (!clang_Cursor_isNull(body)) {
        if (!been_there(w, body))
            clang_visitChildren(body, visit, w);
    } else if (!function_is_pure(callee) && !clang_Location_isInSystemHeader(clang_getCursorLocation(callee))) {
        w->t->open = ast_name(callee);
    }
}

/* A function's own variables are its own; what it gets as an argument is the caller's to name. */
static enum CXChildVisitResult visit(CXCursor c, CXCursor up, CXClientData data) {
    struct walk *w = data;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    (void)up;
    if (kind == CXCursor_DeclRefExpr) {
        const CXCursor d = clang_getCursorReferenced(c);
        const CXType type = clang_getCanonicalType(clang_getCursorType(d));
        if (clang_getCursorKind(d) == CXCursor_VarDecl && node_is_global(d) && !node_is_table(d) &&
            (ast_is_array(type) || type_holds_pointer(type)))
            w->t->open = ast_name(d);
    }
    if (kind == CXCursor_CallExpr)
        look_into(w, clang_getCursorReferenced(c));
    return w->t->open ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static void look_for_calls(struct walk *w, struct node *n) {
    if (n->kind == CXCursor_CallExpr)
        look_into(w, function_callee(n));
    for (struct node *c = n->first; c && !w->t->open; c = c->next)
        look_for_calls(w, c);
}

/* ---- the number of the thread -------------------------------------------------------------------------------------
 */
struct numbers {
    struct unit *u;
    VEC(CXCursor) seen;
    bool asked;
};

static bool has_team(struct unit *u, struct span s) {
    omp_list directives = {0};
    omp_scan(u, s, &directives);
    for (size_t i = 0; i < directives.n; i++)
        if (directives.at[i].words & OMP_PARALLEL)
            return true;
    return false;
}

static enum CXChildVisitResult visit_calls(CXCursor c, CXCursor up, CXClientData data);

/* With a parallel region inside, the function may mean the number in that. */
static void look_for_number(struct numbers *w, CXCursor callee) {
    struct span s;
    const CXCursor body = clang_getCursorDefinition(callee);
    w->asked |= !clang_Cursor_isNull(callee) && strcmp(ast_name(callee), "omp_get_thread_num") == 0;
    for (size_t i = 0; i < w->seen.n; i++)
        if (clang_equalCursors(w->seen.at[i], body))
            return;
    vec_push(&w->seen, body);
    if (!w->asked && !clang_Cursor_isNull(body) && ast_span(w->u, body, &s) && !has_team(w->u, s))
        clang_visitChildren(body, visit_calls, w);
}

static enum CXChildVisitResult visit_calls(CXCursor c, CXCursor up, CXClientData data) {
    struct numbers *w = data;
    (void)up;
    if (clang_getCursorKind(c) == CXCursor_CallExpr)
        look_for_number(w, clang_getCursorReferenced(c));
    return w->asked ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static void each_call(struct numbers *w, struct node *n) {
    if (n->kind == CXCursor_CallExpr)
        look_for_number(w, function_callee(n));
    for (struct node *c = n->first; c && !w->asked; c = c->next)
        each_call(w, c);
}

/* Threads of the host that run tasks are no team of OpenMP's, so what is kept by their numbers would be one for all. */
bool task_check_number(struct graph_task *t) {
    struct numbers w = {.u = t->g->u};
    if (!has_team(w.u, (struct span){t->d->e, t->end}))
        each_call(&w, t->w.body);
    if (w.asked)
        diag_error(t->g->u, t->d->b,
                   "this task asks for omp_get_thread_num(), which is 0 on each thread that runs a graph's tasks; give "
                   "the task memory of its own");
    return !w.asked;
}

void task_find_open(struct graph_task *t) {
    struct walk w = {.t = t};
    for (size_t i = 2; i < t->w.vars.n && !t->open; i++)
        if (!is_covered(t, t->w.vars.at[i]))
            t->open = t->w.vars.at[i]->name;
    if (!t->open)
        look_for_calls(&w, t->w.body);
}
