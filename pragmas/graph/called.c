/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that the block calls and that make tasks of its graph: time steps written as functions. Each gets a second
 * form beside it, which records its tasks for the caller's graph, and the block's calls are of that form; for other
 * callers the function stays as it is. So it has to be known here what is called, and to be defined before.
 */
#include "analysis/function.h"
#include "analysis/refs.h"
#include "graph.h"

#include <string.h>

/* ---- does it? ---------------------------------------------------------------------------------------------------- */
static bool is_task(const struct unit *u, const struct omp *d) {
    return d->words & (OMP_TASK | OMP_TASKWAIT | OMP_TASKGROUP) ||
           (d->words & OMP_TARGET && (omp_clause_find(u, d, "nowait") || omp_clause_find(u, d, "depend"))) ||
           (d->words & OMP_OTHER && strncmp(source_flat(&u->src, d->text), "taskloop", 8) == 0);
}

struct walk {
    struct unit *u;
    VEC(CXCursor) seen;
    bool found;
};

static enum CXChildVisitResult look(CXCursor c, CXCursor up, CXClientData data);

/* The definition, if it is in this file and is no more looked into: it makes tasks, or calls who does. */
static void look_into(struct walk *w, CXCursor definition) {
    struct span span;
    omp_list directives = {0};
    for (size_t i = 0; i < w->seen.n; i++)
        if (clang_equalCursors(w->seen.at[i], definition))
            return;
    vec_push(&w->seen, definition);
    if (clang_Cursor_isNull(definition) || !ast_span(w->u, definition, &span))
        return;
    omp_scan(w->u, span, &directives);
    for (size_t i = 0; i < directives.n; i++)
        w->found |= is_task(w->u, &directives.at[i]);
    if (!w->found)
        clang_visitChildren(definition, look, w);
}

static enum CXChildVisitResult look(CXCursor c, CXCursor up, CXClientData data) {
    struct walk *w = data;
    (void)up;
    if (clang_getCursorKind(c) == CXCursor_CallExpr)
        look_into(w, clang_getCursorDefinition(clang_getCursorReferenced(c)));
    return w->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool makes_tasks(const struct graph *g, CXCursor definition) {
    struct walk w = {.u = g->u};
    look_into(&w, definition);
    return w.found;
}

/* ---- may it? ----------------------------------------------------------------------------------------------------- */
static struct node *static_variable(struct node *n) {
    if (n->kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(n->c) == CX_SC_Static)
        return n;
    for (struct node *c = n->first, *found; c; c = c->next)
        if ((found = static_variable(c)))
            return found;
    return NULL;
}

static bool check_function(struct graph *f, const struct graph *caller, const struct node *call) {
    const struct node *variable = static_variable(f->tree);
    const char *name = f->function_name;
    for (const struct graph *up = caller; up; up = up->caller)
        if (up->function_begin == f->function_begin) {
            diag_error(f->u, call->b, "'%s' makes tasks of this graph and is called from itself; write it as a loop",
                       name);
            return false;
        }
    if (f->function_begin > caller->function_begin) {
        diag_error(f->u, call->b, "'%s' makes tasks of this graph; define it before '%s'", name, caller->function_name);
        return false;
    }
    if (variable) {
        diag_error(f->u, variable->b,
                   "'%s' is a static variable of '%s', which makes tasks of a graph and has a second form there; put "
                   "it before the function",
                   ast_name(variable->c), name);
        return false;
    }
    for (size_t i = 0; i < f->u->pragmas->n; i++)
        if (f->u->pragmas->at[i].b > f->function_begin && f->u->pragmas->at[i].b < f->end) {
            diag_error(f->u, f->u->pragmas->at[i].b, "'#pragma heddle %s' in '%s', whose tasks are of a graph",
                       f->u->pragmas->at[i].directive->name, name);
            return false;
        }
    return true;
}

/* ---- variables that are gone when it returns --------------------------------------------------------------------- */
static struct node *scope_at(struct node *n, size_t offset) {
    for (struct node *c = n->first; c; c = c->next) {
        struct node *found = c->b <= offset && offset < c->e ? scope_at(c, offset) : NULL;
        if (found)
            return found;
    }
    return n->kind == CXCursor_CompoundStmt || n->kind == CXCursor_ForStmt ? n : NULL;
}

static bool leaves(const struct node *n, size_t b, size_t e) {
    if (n->b >= b && n->b < e &&
        (n->kind == CXCursor_ReturnStmt || n->kind == CXCursor_GotoStmt || n->kind == CXCursor_BreakStmt ||
         n->kind == CXCursor_ContinueStmt || n->kind == CXCursor_IndirectGotoStmt))
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (leaves(c, b, e))
            return true;
    return false;
}

/* Before the variable goes, a taskwait is passed in any case. */
static bool is_waited_for(struct graph *f, const struct graph_task *t, const struct var *v) {
    struct span at;
    struct node *scope = ast_span(f->u, v->decl, &at) && at.b > f->b ? scope_at(f->tree, at.b) : f->root;
    for (size_t i = 0; i < f->wait_after.n; i++) /* the taskgroup begins before the task: its end is behind it */
        if (f->wait_after.at[i] >= t->end)
            return true;
    for (size_t i = 0; i < f->waits.n; i++)
        if (f->waits.at[i].b >= t->end && scope_at(f->tree, f->waits.at[i].b) == scope &&
            !leaves(scope, t->end, f->waits.at[i].b))
            return true;
    return false;
}

static bool check_gone(struct graph *f) {
    for (size_t i = 0; i < f->tasks.n; i++) {
        const struct graph_task *t = f->tasks.at[i];
        for (size_t k = 2; k < t->w.vars.n; k++) {
            const struct var *v = t->w.vars.at[k];
            const struct graph_capture *c = &t->captures.at[k];
            const bool own = c->form == FORM_ADDRESS || (c->form == FORM_POINTER && v->kind == VAR_ARRAY &&
                                                         clang_getCursorKind(v->decl) == CXCursor_VarDecl);
            if (!own || node_is_global(v->decl) || is_waited_for(f, t, v))
                continue;
            diag_error(f->u, t->d->b,
                       "this task works with '%s', which is gone when '%s' returns, and may run later; put '#pragma "
                       "omp taskwait' behind it, or make it firstprivate",
                       v->name, f->function_name);
            return false;
        }
    }
    return true;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */
static struct graph *known(const struct graph *top, size_t begin) {
    for (size_t i = 0; i < top->called.n; i++)
        if (top->called.at[i]->function_begin == begin)
            return top->called.at[i];
    return NULL;
}

static struct node *body_of(struct node *tree) {
    for (struct node *c = tree->first; c; c = c->next)
        if (c->kind == CXCursor_CompoundStmt)
            return c;
    return NULL;
}

/* NULL after an error. */
static struct graph *add_function(struct graph *caller, CXCursor definition, const struct node *call) {
    struct span span = {0, 0};
    ast_span(caller->u, definition, &span);
    struct graph *f = known(caller->top, span.b);
    if (f)
        return f;
    f = mem_alloc(sizeof *f);
    *f = (struct graph){.u = caller->u,
                        .file = caller->file,
                        .p = caller->p,
                        .function = definition,
                        .function_name = ast_name(definition),
                        .function_begin = span.b,
                        .tree = ast_tree(caller->u, definition),
                        .end = span.e,
                        .top = caller->top,
                        .caller = caller,
                        .call = "heddle_g"};
    f->edits = &f->own;
    f->root = body_of(f->tree);
    f->b = f->root->b;
    if (!check_function(f, caller, call))
        return NULL;
    omp_scan(f->u, (struct span){f->b, f->end}, &f->directives);
    if (!graph_directives(f) || !check_gone(f) || !graph_find_called(f))
        return NULL;
    vec_push(&f->top->called, f);
    return f;
}

static bool is_named(const struct graph *g, const char *name) {
    for (size_t i = 0; i < g->held.n; i++)
        if (strcmp(name, g->held.at[i].name) == 0)
            return true;
    return false;
}

static bool mentions_held(const struct graph *g, struct node *n) {
    if (n->kind == CXCursor_DeclRefExpr && is_named(g, ast_name(n->c)))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (mentions_held(g, c))
            return true;
    return false;
}

/* What only tasks touch in the caller, only tasks touch in the function. */
static bool pass_held(const struct graph *g, struct graph *f, const struct node *call) {
    unsigned k = 0;
    bool more = false;
    for (struct node *c = call->first->next; c; c = c->next, k++) {
        const CXCursor parameter = clang_Cursor_getArgument(f->function, k);
        if (clang_Cursor_isNull(parameter) || !mentions_held(g, c) || is_named(f, ast_name(parameter)))
            continue;
        const struct graph_item item = {.name = ast_name(parameter)};
        vec_push(&f->held, item);
        more = true;
    }
    for (size_t i = 0; more && i < f->calls.n; i++)
        if (!pass_held(f, f->calls.at[i].of, f->calls.at[i].n))
            return false;
    return graph_check_held(f, f->root);
}

static bool add_call(struct graph *g, struct node *n) {
    const CXCursor callee = function_callee(n), definition = clang_getCursorDefinition(callee);
    struct span span;
    if (clang_Cursor_isNull(callee) || clang_Cursor_isNull(definition) || !ast_span(g->u, definition, &span) ||
        !makes_tasks(g, definition))
        return true;
    struct graph *f = add_function(g, definition, n);
    if (!f)
        return false;
    if (!refs_is_whole_text(g->u, n, f->function_name)) {
        diag_error(g->u, n->b, "'%s' makes tasks of this graph, and its call comes out of a macro here; write it out",
                   f->function_name);
        return false;
    }
    vec_push(&g->calls, (struct graph_call){n, f});
    return pass_held(g, f, n);
}

static bool find_calls(struct graph *g, struct node *n) {
    bool ok = true;
    if (graph_in_task(g, n))
        return true;
    if (n->kind == CXCursor_CallExpr)
        ok = add_call(g, n);
    for (struct node *c = n->first; c && ok; c = c->next)
        ok = find_calls(g, c);
    return ok;
}

bool graph_find_called(struct graph *g) { return find_calls(g, g->root); }
