/* SPDX-License-Identifier: Apache-2.0 */
/*
 * New task types and new copies of functions, made as the text that needs them is found.
 */
#include "pool.h"
#include "analysis/proof.h"

#include <string.h>

/* ---- ways out of a statement that is run elsewhere ---- */

/* goto a label of the statement itself */
static bool stays_inside(struct unit *u, const struct node *root, const struct node *jump) {
    struct span s;
    return jump->kind == CXCursor_GotoStmt && jump->first && jump->first->kind == CXCursor_LabelRef &&
           ast_span(u, clang_getCursorReferenced(jump->first->c), &s) && s.b >= root->b && s.b < root->e;
}

static bool check_jumps(struct unit *u, const struct node *root, struct node *n, const char *what, bool loop,
                        bool breakable) {
    bool ok = true;
    const char *word = n->kind == CXCursor_ReturnStmt                                         ? "return"
                       : n->kind == CXCursor_GotoStmt || n->kind == CXCursor_IndirectGotoStmt ? "goto"
                       : n->kind == CXCursor_BreakStmt && !breakable                          ? "break"
                       : n->kind == CXCursor_ContinueStmt && !loop                            ? "continue"
                                                                                              : NULL;
    if (word && !stays_inside(u, root, n)) {
        diag_error(u, n->b, "'%s' leaves %s; compute a condition instead", word, what);
        ok = false;
    }
    bool inner = n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt;
    for (struct node *c = n->first; c; c = c->next)
        ok &= check_jumps(u, root, c, what, loop || inner, breakable || inner || n->kind == CXCursor_SwitchStmt);
    return ok;
}

bool region_check_jumps(struct unit *u, struct node *n, const char *what, bool loop, bool breakable) {
    return check_jumps(u, n, n, what, loop, breakable);
}

/* ---- task types ---- */

enum { MAX_DEPENDS = 32 };

static bool has_wait(const struct function *f) {
    for (size_t i = 0; i < f->sites.n; i++)
        if (site_is(f->sites.at[i], DIRECTIVE_TASKWAIT))
            return true;
    return false;
}

static bool check_depend(struct task_type *k) {
    struct unit *u = k->r.pool->u;
    bool ok = true;
    size_t total = 0;
    for (size_t i = 0; i < k->m->p->clauses.n; i++) {
        const struct clause *c = &k->m->p->clauses.at[i];
        total += c->id == CLAUSE_DEPEND ? c->items.n : 0;
        if (k->parent && total > MAX_DEPENDS) {
            diag_error(u, c->name.b,
                       "more than %d dependences on a task inside a task; name what others imply only once",
                       MAX_DEPENDS);
            return false;
        }
    }
    for (size_t i = 0; i < k->m->p->clauses.n; i++) {
        const struct clause *a = &k->m->p->clauses.at[i];
        for (size_t x = 0; a->id == CLAUSE_DEPEND && x < a->items.n; x++)
            for (size_t j = 0; j <= i; j++) {
                const struct clause *b = &k->m->p->clauses.at[j];
                for (size_t y = 0; b->id == CLAUSE_DEPEND && y < (j == i ? x : b->items.n); y++)
                    if (strcmp(source_flat(&u->src, a->items.at[x].name), source_flat(&u->src, b->items.at[y].name)) ==
                        0) {
                        diag_error(u, a->items.at[x].name.b,
                                   "'%s' is named twice in the task's 'depend' clauses; name "
                                   "it once, with inout for both",
                                   source_flat(&u->src, a->items.at[x].name));
                        ok = false;
                    }
            }
    }
    return ok;
}

/* A task that is nothing but the call of a function that waits, perhaps with its value assigned. */
static void find_whole(struct task_type *k) {
    struct node *n = k->m->stmt;
    if (ast_binary(n) == CXBinaryOperator_Assign)
        n = ast_strip(n->last);
    struct function *f = n->kind == CXCursor_CallExpr ? function_called(k->r.pool->u, n) : NULL;
    if (f && has_wait(f)) {
        k->whole = f;
        k->call = n;
    }
}

bool taskloop_keeps_order(struct task_type *k, int loops) {
    const int dims = k->dims;
    k->dims = loops;
    struct proof proof = {.u = k->r.pool->u, .p = k->m->p, .body = k->r.root, .dims = loops};
    for (int d = 0; d < loops; d++)
        proof.loop[d] = &k->loop[d];
    const bool kept = taskloop_check_order(k) && proof_check(&proof);
    k->dims = dims;
    return kept;
}

struct task_type *task_type_new(struct pool *p, struct site *m, struct region *parent) {
    struct task_type *k = mem_alloc(sizeof *k);
    m->used = true;
    *k = (struct task_type){.m = m, .parent = parent, .id = (int)p->task_types.n};
    bool loop = site_is(m, DIRECTIVE_TASKLOOP);
    k->name = mem_printf("%s%d", loop ? "loop" : "task", k->id);
    k->r = (struct region){
        .pool = p, .f = m->f, .task = k, .root = m->stmt, .b = m->stmt->b, .e = m->end, .name = k->name};
    vec_push(&p->task_types, k);
    if ((loop && !taskloop_parse(k)) || !check_depend(k)) {
        p->wrong = true;
        return NULL;
    }
    const int dims = k->dims;
    if (parent) /* the loops stay where they are, their variables are captured as any others */
        k->inner = k->dims, k->dims = 0;
    if (!region_check_jumps(p->u, k->r.root, loop ? "the taskloop, whose iterations are tasks" : "the task", loop,
                            false)) {
        p->wrong = true;
        return NULL;
    }
    struct nest text = {.u = p->u, .p = m->p, .root = k->r.root, .root_end = k->r.e, .function_begin = m->f->begin};
    if (!nest_check_macros(&text))
        return NULL;
    find_whole(k);
    if (!region_collect(&k->r))
        return NULL;
    if (loop && !taskloop_keeps_order(k, dims)) {
        p->wrong = true;
        return NULL;
    }
    k->waits = k->whole || k->r.waits.n;
    if (loop && k->r.waits.n) {
        diag_error(p->u, k->r.waits.at[0]->p->b,
                   "'taskwait' in a taskloop; make the waiting part a function and call it from a task");
        return NULL;
    }
    return k;
}

/* ---- functions emitted again ---- */

static bool check_copy(struct pool *p, struct function *f, size_t at) {
    if (!f->in_file) {
        diag_error(p->u, at,
                   "'%s' is defined in a header, but has directives or uses global variables; define it in this file",
                   f->name);
        return false;
    }
    if (f->begin > p->m->f->begin) {
        diag_error(p->u, at, "'%s' is defined after the pool that runs it; move its definition up, before '%s'",
                   f->name, p->m->f->name);
        diag_note(p->u, f->begin, "it is defined here");
        return false;
    }
    if (f == p->m->f) {
        diag_error(p->u, at, "'%s' holds the pool that would run it; move the pool to a function of its own", f->name);
        return false;
    }
    return true;
}

struct copy *pool_copy(struct pool *p, struct function *f, bool plain, size_t at) {
    for (size_t i = 0; i < p->copies.n; i++)
        if (p->copies.at[i]->f == f && p->copies.at[i]->plain == plain)
            return p->copies.at[i];
    if (!check_copy(p, f, at))
        return NULL;
    struct copy *c = mem_alloc(sizeof *c);
    *c = (struct copy){.f = f, .plain = plain};
    c->r = (struct region){.pool = p,
                           .f = f,
                           .plain = plain,
                           .root = f->body,
                           .b = f->body->b,
                           .e = f->body->e,
                           .name = mem_printf("%s_%s", plain ? "p" : "f", f->name)};
    vec_push(&p->copies, c);
    if (!f->copied) /* the serial form may have no caller left */
        vec_push(&p->u->edits, (struct edit){f->begin, f->begin, "__attribute__((__unused__)) "});
    f->copied = true;
    if (!region_collect(&c->r))
        return NULL;
    return c;
}
