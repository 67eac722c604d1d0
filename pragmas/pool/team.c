/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool whose tasks do what devices lack stays on the host, where they are OpenMP's own: what they call, and where
 * their pointers lead, is nobody's business there. Each directive becomes OpenMP's in its place, also in the functions
 * that tasks call. A task has copies of what it only reads and shares what it changes, which then has to be there until
 * some taskwait, or the pool's end.
 */
#include "pool.h"

#include <string.h>

struct team {
    struct pool *p;
    unsigned visit;
    bool ok, tasks;
};

static void fail(struct team *t, size_t at, const char *format, const char *name) {
    diag_error(t->p->u, at, format, name);
    t->ok = false;
}

/* ---- the variables of a task ---- */

struct used {
    CXCursor decl;
    struct node *first; /* mention */
    struct node *changed;
};
typedef VEC(struct used) used_list;

static bool is_within(struct team *t, CXCursor decl, size_t b, size_t e) {
    struct span s;
    return ast_span(t->p->u, decl, &s) && s.b >= b && s.b < e;
}

static bool is_loop_variable(const struct task_type *k, CXCursor decl) {
    for (int d = 0; d < k->dims; d++)
        if (clang_equalCursors(k->loop[d].var, decl))
            return true;
    return false;
}

static void note(used_list *all, CXCursor decl, struct node *n) {
    size_t i = 0;
    while (i < all->n && !clang_equalCursors(all->at[i].decl, decl))
        i++;
    if (i == all->n)
        vec_push(all, (struct used){decl, n, NULL});
    if (region_may_change(n) && !all->at[i].changed)
        all->at[i].changed = n;
}

static void check_global(struct team *t, const struct node *n) {
    const CXCursor d = n->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(n->c) : clang_getNullCursor();
    if (n->kind == CXCursor_DeclRefExpr && clang_getCursorKind(d) == CXCursor_VarDecl && node_is_global(d) &&
        !node_is_table(d))
        t->ok &= env_check_unchanged(t->p, d, n->b);
}

static void collect(struct team *t, const struct task_type *k, struct node *n, used_list *all) {
    if (n->kind == CXCursor_DeclRefExpr) {
        const CXCursor d = clang_getCursorReferenced(n->c);
        const enum CXCursorKind kind = clang_getCursorKind(d);
        if ((kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) && !node_is_global(d) &&
            !is_within(t, d, k->m->stmt->b, k->m->end) && !is_loop_variable(k, d))
            note(all, clang_getCanonicalCursor(d), n);
    }
    check_global(t, n);
    if (n->kind == CXCursor_VarDecl && node_is_global(n->c) && !node_is_table(n->c))
        fail(t, n->b, "static variable '%s' inside a task; tasks run in parallel", ast_name(n->c));
    for (struct node *c = n->first; c; c = c->next)
        collect(t, k, c, all);
}

static bool is_of_block(const struct team *t, const struct site *m) {
    return m->f == t->p->m->f && m->p->b > t->p->m->p->b && m->p->b < t->p->m->end;
}

static bool is_before_pool(struct team *t, const struct site *m, CXCursor decl) {
    return is_of_block(t, m) && !is_within(t, decl, t->p->m->stmt->b, t->p->m->end);
}

/* Does somebody wait for the task while the variable is there? */
static bool is_waited_for(struct team *t, const struct site *m, CXCursor decl) {
    const struct node *block = m->stmt;
    if (is_before_pool(t, m, decl))
        return true;
    while (block->up && !(block->kind == CXCursor_CompoundStmt && is_within(t, decl, block->b, block->e)))
        block = block->up;
    for (size_t i = 0; i < m->f->sites.n; i++) {
        const struct site *w = m->f->sites.at[i];
        if (site_is(w, DIRECTIVE_TASKWAIT) && !w->made && w->p->b > m->p->b && (!block->up || w->p->b < block->e))
            return true;
    }
    return false;
}

/* By a task of each turn, and nothing orders them: all share the variable. */
static bool is_raced_for(struct team *t, const struct site *m, const struct used *x) {
    const CXType type = clang_getCanonicalType(clang_getCursorType(x->decl));
    const struct node *n = x->changed;
    if (ast_is_array(type) || type.kind == CXType_Record || !ast_is_assignment(n->up) ||
        ast_binary(n->up) != CXBinaryOperator_Assign || site_clause(m, CLAUSE_DEPEND))
        return false;
    for (; n != m->stmt; n = n->up)
        if (ast_is_openmp(n))
            return false; /* atomic, critical */
    for (n = m->stmt->up; n && !(n->kind == CXCursor_CompoundStmt && is_within(t, x->decl, n->b, n->e)); n = n->up) {
        if (n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt)
            break;
        for (size_t i = 0; i < m->f->sites.n; i++)
            if (m->f->sites.at[i] != m && m->f->sites.at[i]->stmt == n && site_is(m->f->sites.at[i], DIRECTIVE_TASK))
                return false; /* it belongs to the task around */
    }
    for (size_t i = 0; n && i < m->f->sites.n; i++)
        if (site_is(m->f->sites.at[i], DIRECTIVE_TASKWAIT) && !m->f->sites.at[i]->made &&
            m->f->sites.at[i]->p->b > m->p->b && m->f->sites.at[i]->p->b < n->e)
            return false;
    return n && n->kind != CXCursor_CompoundStmt;
}

static bool is_mapped(struct team *t, CXCursor decl) {
    const struct var *v = env_find(t->p, decl);
    return v && v->kind == VAR_SCALAR && env_is_mapped(v);
}

/* An array that only tasks read need not be copied for each. */
static bool stays_as_it_is(struct team *t, const struct task_type *k, CXCursor decl) {
    return clang_getCursorKind(decl) == CXCursor_VarDecl &&
           ast_is_array(clang_getCanonicalType(clang_getCursorType(decl))) && is_before_pool(t, k->m, decl) &&
           !node_changes(t->p->m->stmt, decl, NULL);
}

static void variables(struct team *t, const struct task_type *k, struct buf *out) {
    used_list all = {0};
    collect(t, k, k->m->stmt, &all);
    for (size_t i = 0; i < all.n; i++) {
        const struct used *x = &all.at[i];
        const char *name = ast_name(x->decl);
        if (x->changed && !is_waited_for(t, k->m, x->decl))
            fail(t, x->changed->b,
                 "the task changes '%s' or keeps its address, but may run when it is gone; add '#pragma heddle "
                 "taskwait' "
                 "after the task, or declare the variable before the pool",
                 name);
        if (x->changed && !is_mapped(t, x->decl) && is_raced_for(t, k->m, x))
            fail(
                t, x->changed->b,
                "the tasks of a loop all change '%s', in any order; declare it in the task, or give each an element of "
                "its own",
                name);
        const bool shared = x->changed || is_mapped(t, x->decl) || stays_as_it_is(t, k, x->decl);
        buf_printf(out, " %s(%s)", shared ? "shared" : "firstprivate", name);
    }
}

/* ---- directives ---- */

static const char *depend_word(const struct clause *c) {
    const char *constant = clause_pool_constant(c);
    return !strcmp(constant, "HEDDLE_DEPEND_IN") ? "in" : !strcmp(constant, "HEDDLE_DEPEND_OUT") ? "out" : "inout";
}

static void others(struct team *t, const struct site *m, struct buf *out) {
    const struct source *src = &t->p->u->src;
    for (size_t i = 0; i < m->p->clauses.n; i++) {
        const struct clause *c = &m->p->clauses.at[i];
        if (c->id == CLAUSE_PRIORITY)
            buf_printf(out, " priority(%s)", source_flat(src, c->arg[0]));
        for (size_t k = 0; c->id == CLAUSE_PRIVATE && k < c->items.n; k++)
            buf_printf(out, " private(%s)", source_flat(src, c->items.at[k].name));
        for (size_t k = 0; c->id == CLAUSE_DEPEND && k < c->items.n; k++)
            buf_printf(out, " depend(%s: %s)", depend_word(c), source_flat(src, c->items.at[k].name));
    }
}

static const char *task(struct team *t, struct site *m) {
    struct task_type k = {.m = m};
    struct buf out = {0};
    buf_puts(&out, "task default(shared)");
    if (!region_check_jumps(t->p->u, m->stmt, "the task", false, false))
        t->ok = false;
    variables(t, &k, &out);
    others(t, m, &out);
    return out.s;
}

static const char *taskloop(struct team *t, struct site *m) {
    struct task_type *k = mem_alloc(sizeof *k);
    struct buf out = {0};
    *k = (struct task_type){.m = m};
    k->r = (struct region){.pool = t->p, .f = m->f, .task = k, .root = m->stmt, .b = m->stmt->b, .e = m->end};
    if (site_clause(m, CLAUSE_SINK)) {
        fail(t, m->p->b, "%s",
             "a taskloop with sinks, in a pool that stays on the host by what its tasks do; make a "
             "task of each iteration, with 'depend'");
        return "";
    }
    if (!taskloop_parse(k) ||
        !region_check_jumps(t->p->u, k->r.root, "the taskloop, whose iterations are tasks", true, false) ||
        !taskloop_keeps_order(k, k->dims)) {
        t->ok = false;
        return "";
    }
    if (is_of_block(t, m))
        vec_push(&t->p->task_types, k);
    /* clang compares the loop's variable with bounds of its own */
    vec_push(&t->p->u->edits, (struct edit){m->end, m->end, " _Pragma(\"GCC diagnostic pop\")"});
    buf_printf(&out, "taskloop nogroup default(shared) collapse(%d)", k->dims);
    variables(t, k, &out);
    others(t, m, &out);
    return out.s;
}

static void directive(struct team *t, struct site *m) {
    if (m->made || (m->used && m->text))
        return; /* a call as any other; by another pool */
    m->used = true;
    if (site_is(m, DIRECTIVE_POOL))
        fail(t, m->p->b, "%s", "a pool inside a pool; end the first one before");
    else if (site_is(m, DIRECTIVE_TASKWAIT))
        m->text = "taskwait";
    else if (site_is(m, DIRECTIVE_TASK))
        m->text = task(t, m);
    else if (site_is(m, DIRECTIVE_TASKLOOP))
        m->text = taskloop(t, m);
    t->tasks |= site_is(m, DIRECTIVE_TASK | DIRECTIVE_TASKLOOP);
}

static bool is_in_pool(const struct function *f, const struct site *m) {
    for (size_t i = 0; i < f->sites.n; i++)
        if (site_is(f->sites.at[i], DIRECTIVE_POOL) && m->p->b >= f->sites.at[i]->p->b && m->p->b < f->sites.at[i]->end)
            return true;
    return false;
}

/* ---- functions that tasks call ---- */

static void reach(struct team *t, struct node *n);

static void keeps(struct team *t, struct node *n) {
    check_global(t, n);
    if (n->kind == CXCursor_VarDecl && node_is_global(n->c) && !node_is_table(n->c))
        fail(t, n->b, "static variable '%s' in a function that tasks run in parallel; pass it as an argument",
             ast_name(n->c));
    for (struct node *c = n->first; c; c = c->next)
        keeps(t, c);
}

static void function(struct team *t, struct function *f) {
    if (function_seen(f, t->visit) || f == t->p->m->f)
        return;
    keeps(t, f->body);
    for (size_t i = 0; i < f->sites.n; i++)
        if (!is_in_pool(f, f->sites.at[i]))
            directive(t, f->sites.at[i]);
    reach(t, f->body);
}

static void reach(struct team *t, struct node *n) {
    const CXCursor d = n->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(n->c) : clang_getNullCursor();
    struct function *f = NULL; /* called, or its address taken */
    if (n->kind == CXCursor_DeclRefExpr && clang_getCursorKind(d) == CXCursor_FunctionDecl)
        f = function_of(t->p->u, d);
    if (f)
        function(t, f);
    for (struct node *c = n->first; c; c = c->next)
        reach(t, c);
}

bool pool_team(struct pool *p) {
    struct team t = {.p = p, .visit = function_visit(), .ok = true};
    for (size_t i = 0; i < p->m->f->sites.n; i++)
        if (p->m->f->sites.at[i] != p->m && is_of_block(&t, p->m->f->sites.at[i]))
            directive(&t, p->m->f->sites.at[i]);
    if (t.ok && !t.tasks)
        fail(&t, p->m->p->b, "%s", "a pool without tasks; put '#pragma heddle task' before a call in it");
    reach(&t, p->m->stmt);
    t.ok = t.ok && taskloops_check_between(p);
    return region_check_jumps(p->u, p->m->stmt, "the pool", false, false) && t.ok;
}
