/* SPDX-License-Identifier: Apache-2.0 */
/* The pool's block itself, which the host runs: the directives in it, and its own use of mapped data. */
#include "analysis/capture.h"
#include "pool.h"

static const char *kept_away(const struct var *v, struct node *n) {
    unsigned access = capture_access(n);
    if (access == ACCESS_READ && v->kind == VAR_POINTER)
        access = capture_access_through(n);
    if (access & ACCESS_UNEVALUATED)
        return NULL;
    if (access & (ACCESS_WRITE | ACCESS_ADDRESS))
        return "changes";
    return v->map_kind == MAP_TO ? NULL : "reads";
}

bool pool_check_block(struct pool *p, struct node *n) {
    bool ok = true;
    const struct site *m = site_of(p->u, n);
    if (m && site_is(m, DIRECTIVE_TASK))
        return true;
    if (m && site_is(m, DIRECTIVE_TASKLOOP)) { /* the host counts its iterations */
        for (struct node *c = n; c && c->kind == CXCursor_ForStmt; c = c->last)
            for (int part = 0; part < 2; part++)
                ok &= !ast_child(c, part) || ast_child(c, part) == c->last || pool_check_block(p, ast_child(c, part));
        return ok;
    }
    const struct var *v = n->kind == CXCursor_DeclRefExpr ? env_find(p, clang_getCursorReferenced(n->c)) : NULL;
    const char *what = v && env_is_mapped(v) ? kept_away(v, n) : NULL;
    if (what) {
        diag_error(p->u, n->b,
                   "the block %s mapped '%s' itself, but the tasks' copy may be on a device; do it before or "
                   "after the pool, or in a task",
                   what, v->name);
        ok = false;
    }
    for (struct node *c = n->first; c; c = c->next)
        ok &= pool_check_block(p, c);
    return ok;
}

/* ---- directives in the block ---- */

static bool directive(struct pool *p, struct site *m) {
    struct unit *u = p->u;
    if (site_is(m, DIRECTIVE_POOL)) {
        diag_error(u, m->p->b, "a pool inside a pool; end the first one before");
        p->wrong = true;
        return false;
    }
    if (site_is(m, DIRECTIVE_LANES)) {
        diag_error(u, m->p->b, "a lanes loop outside a task; put it into a task");
        p->wrong = true;
        return false;
    }
    m->used = true;
    if (site_is(m, DIRECTIVE_TASKWAIT)) {
        vec_push(&u->edits, (struct edit){m->p->b, m->p->e, worker_behind(u, m, "heddle_pool_wait(&heddle_p);")});
        return true;
    }
    struct task_type *k = task_type_new(p, m, NULL);
    if (!k)
        return false;
    /* with #if … #else between, the statement alone is replaced, and the directive's line as any other */
    vec_push(&u->edits, (struct edit){site_has_branches(u, m) ? m->stmt->b : m->p->b, m->end, emit_submit(k)});
    return true;
}

static bool in_task(const struct pool *p, const struct site *m) {
    for (size_t i = 0; i < p->m->f->sites.n; i++) {
        const struct site *t = p->m->f->sites.at[i];
        if (t != m && site_is(t, DIRECTIVE_TASK | DIRECTIVE_TASKLOOP) && m->p->b > t->p->b && m->p->b < t->end)
            return true;
    }
    return false;
}

bool pool_host(struct pool *p) {
    bool ok = true;
    struct unit *u = p->u;
    for (size_t i = p->m->f->sites.n; i-- > 0;) {
        struct site *m = p->m->f->sites.at[i];
        if (m != p->m && m->p->b > p->m->p->b && m->p->b < p->m->end && !in_task(p, m))
            ok &= directive(p, m);
    }
    bool tasks = p->task_types.n > 0;
    if (ok && !tasks) {
        diag_error(u, p->m->p->b, "a pool without tasks; put '#pragma heddle task' before a call in it");
        ok = false;
    }
    p->wrong |= !tasks || (ok && !region_check_jumps(u, p->m->stmt, "the pool", false, false));
    return ok && !p->wrong;
}
