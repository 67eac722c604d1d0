/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the pool's tasks use and no clause maps: sections as the subscripts show them (analysis/area.c), arrays whose
 * size is known as a whole, and scalars that tasks change. All that is not known is said at once, with a line to add.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "analysis/map.h"
#include "pool.h"
#include "analysis/area.h"
#include "analysis/written.h"

#include <stdint.h>

enum { SMALL = 1024 /* bytes: a task has a copy of what it only reads */ };

/* ---- mentions of variables from outside ---- */

static bool is_variable(CXCursor d) {
    const enum CXCursorKind kind = clang_getCursorKind(d);
    return kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
}

static void mentions(struct pool *p, struct nest *w, struct node *n) {
    const CXCursor d = n->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(n->c) : clang_getNullCursor();
    if (n->kind == CXCursor_DeclRefExpr && is_variable(d) && !node_is_table(d) && !capture_is_inside(w, d)) {
        struct var *v = capture_lookup(w, d);
        if (!v) {
            v = capture_var(w, d);
            v->use = n->b;
            vec_push(&w->vars, v);
        }
        vec_push(&w->uses, (struct use){v, n, n->b});
    }
    for (struct node *c = n->first; c; c = c->next)
        mentions(p, w, c);
}

static bool in_task(struct pool *p, const struct node *n) {
    for (; n && n != p->m->stmt->up; n = n->up) {
        const struct site *m = site_of(p->u, n);
        if (m && site_is(m, DIRECTIVE_TASK | DIRECTIVE_TASKLOOP))
            return true;
    }
    return false;
}

/* A task changes it, and tasks that it makes use it: those would have to see the value of when they were made. */
static struct node *handed_on(struct pool *p, const struct nest *w, const struct var *v) {
    for (size_t i = 0; i < w->uses.n; i++) {
        int depth = 0;
        for (const struct node *n = w->uses.at[i].n; n && n != p->m->stmt->up; n = n->up)
            depth += site_of(p->u, n) && site_is(site_of(p->u, n), DIRECTIVE_TASK | DIRECTIVE_TASKLOOP);
        if (w->uses.at[i].v == v && depth > 1)
            return w->uses.at[i].n;
    }
    return NULL;
}

static size_t first_continue(const struct node *n) {
    size_t at = n->kind == CXCursor_ContinueStmt ? n->b : SIZE_MAX;
    for (const struct node *c = n->first; c; c = c->next) {
        const size_t there = first_continue(c);
        at = there < at ? there : at;
    }
    return at;
}

static struct nest block(struct pool *p) {
    struct nest w = {.u = p->u,
                     .p = p->m->p,
                     .function = p->m->f->c,
                     .function_name = p->m->f->name,
                     .function_begin = p->m->f->begin,
                     .root = p->m->stmt,
                     .body = p->m->stmt,
                     .root_end = p->m->end,
                     .body_begin = p->m->stmt->b,
                     .body_end = p->m->end,
                     .continue_at = first_continue(p->m->stmt)};
    for (int k = 0; k < 2; k++) {
        w.loop[k].var = clang_getNullCursor();
        struct var *none = mem_alloc(sizeof *none);
        *none = (struct var){.name = "", .kind = VAR_LOOP, .decl = clang_getNullCursor()};
        vec_push(&w.vars, none);
    }
    mentions(p, &w, p->m->stmt);
    return w;
}

/* ---- what becomes of them ---- */

static bool changes(const void *of, const struct var *v) {
    const struct pool *p = of;
    return v->kind == VAR_POINTER || v->kind == VAR_SCALAR ? node_changes(p->m->stmt, v->decl, NULL) > 0 : true;
}

/* Does some task, or the block itself, change the variable? */
static bool is_changed(struct pool *p, const struct nest *w, const struct var *v, bool task) {
    for (size_t i = 0; i < w->uses.n; i++)
        if (w->uses.at[i].v == v && node_is_modified(capture_access(w->uses.at[i].n)) &&
            !refs_only_shown(w->uses.at[i].n) && in_task(p, w->uses.at[i].n) == task)
            return true;
    return false;
}

static bool is_used_by_tasks(struct pool *p, const struct nest *w, const struct var *v) {
    for (size_t i = 0; i < w->uses.n; i++)
        if (w->uses.at[i].v == v && !(capture_access(w->uses.at[i].n) & ACCESS_UNEVALUATED) &&
            in_task(p, w->uses.at[i].n))
            return true;
    return false;
}

static bool copied(struct pool *p, const struct nest *w, const struct var *v) {
    const long long bytes = clang_Type_getSizeOf(clang_getCanonicalType(clang_getCursorType(v->decl)));
    return !node_is_global(v->decl) && !is_changed(p, w, v, true) &&
           ((bytes >= 0 && bytes <= SMALL) || is_changed(p, w, v, false));
}

static bool section(struct pool *p, struct nest *w, struct var *v) {
    const struct look look = {.w = w, .changes = changes, .of = p};
    const char *rows = map_rows_declared(w, v);
    area_list all = {0};
    if (v->sized) {
        map_whole(v);
        return true;
    }
    if (v->kind != VAR_POINTER || !v->ndims || node_changes(p->m->stmt, v->decl, NULL))
        return false;
    if (area_collect(&look, v, rows, &all)) {
        area_whole(v, &all, rows, "", "", &v->map_first, &v->map_count);
        return true;
    }
    if (map_one_structure(w, v))
        return true;
    v->map_first = "0";
    v->map_count = rows ? mem_printf("(%s ? %s : 0)%s", v->name, rows, map_row_factor(v)) : NULL;
    return rows != NULL;
}

static void add(struct pool *p, struct var *v, bool written) {
    v->map_kind = written ? MAP_TOFROM : MAP_TO;
    vec_push(&p->env.vars, v);
}

static void add_scalar(struct pool *p, struct var *v) {
    v->elem = v->elem_plain = v->type;
    v->map_first = "0";
    v->map_count = "1";
    add(p, v, true);
}

static void say_unknown(struct pool *p, const struct nest *w, const struct var *v) {
    diag_error(
        p->u, v->use,
        "cannot tell which part of '%s' the tasks use; add map(%s: %s[0 : count]) to the pool, with the number of "
        "elements that they touch",
        v->name, written_perhaps(w, v) ? "tofrom" : "to", v->name);
}

static bool has_copies(struct pool *p, const struct nest *w, const struct var *v) {
    if (v->kind == VAR_SCALAR)
        return !is_changed(p, w, v, true);
    return (v->kind == VAR_ARRAY && copied(p, w, v)) ||
           (p->host && ((v->kind == VAR_POINTER && v->ndims < 2) || node_is_global(v->decl))); /* itself will do */
}

bool pool_infer(struct pool *p) {
    struct nest w = block(p);
    bool known = true, fits = true;
    for (size_t i = 2; i < w.vars.n; i++) {
        struct var *v = w.vars.at[i];
        if (env_find(p, v->decl) || !is_used_by_tasks(p, &w, v))
            continue;
        if (v->kind == VAR_POINTER && is_changed(p, &w, v, true)) {
            diag_error(p->u, v->use,
                       "the tasks change pointer '%s', of which each has a copy; change what it points to", v->name);
            fits = false;
            continue;
        }
        if (has_copies(p, &w, v))
            continue;
        if (!env_check_variable(p, v, v->use)) {
            fits = false;
        } else if (v->kind == VAR_SCALAR && handed_on(p, &w, v)) {
            diag_error(
                p->u, handed_on(p, &w, v)->b,
                "'%s' is changed by a task that makes this one, which would see a later value; declare it in the "
                "task that changes it, or map it",
                v->name);
            fits = false;
        } else if (v->kind == VAR_SCALAR) {
            add_scalar(p, v);
        } else if (section(p, &w, v)) {
            add(p, v, written_perhaps(&w, v));
        } else if (!p->host) {
            say_unknown(p, &w, v);
            known = false;
        }
    }
    p->unmapped = fits && !known;
    return fits && known;
}
