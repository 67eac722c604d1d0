/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statements of a region: declarations whose variables live elsewhere, atomics, task and taskwait, and the walk
 * that hands expressions to worker.c.
 */
#include "front/macros.h"
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "pool.h"

#include <string.h>

static bool fail(struct region *r, size_t offset, const char *text) {
    diag_error(r->pool->u, offset, "%s", text);
    r->bad = true;
    return false;
}

/* ---- declarations ---- */

static struct node *initializer(struct node *var) {
    CXCursor init = clang_Cursor_getVarDeclInitializer(var->c);
    for (struct node *c = var->first; c; c = c->next)
        if (!clang_Cursor_isNull(init) && clang_equalCursors(c->c, init))
            return c;
    return NULL;
}

static const char *place_text(const struct local *l) {
    return mem_printf("%s->%s", l->place == PLACE_FRAME ? "heddle_r" : "heddle_s", l->field);
}

static void moved_declaration(struct region *r, struct node *n) {
    struct unit *u = r->pool->u;
    struct buf out = {0};
    buf_add(&out, "", 0);
    if (n->up && n->up->kind == CXCursor_ForStmt) {
        fail(r, n->b, "the address of the loop variable is taken; copy it to a variable of the body");
        return;
    }
    for (struct node *v = n->first; v; v = v->next) {
        const struct local *l = v->kind == CXCursor_VarDecl ? region_local(r, v->c) : NULL;
        struct node *init = v->kind == CXCursor_VarDecl ? initializer(v) : NULL;
        CXType t = clang_getCursorType(v->c);
        bool moved = l && l->place != PLACE_LANE;
        if (v->kind != CXCursor_VarDecl || (moved && !init))
            continue;
        const char *decl = env_declaration(t, false, moved ? "heddle_v" : ast_name(v->c), true);
        if (!decl || expansion_begins(r->pool->u, n) || capture_type_is_local(t)) {
            fail(r, v->b,
                 "this declaration cannot be moved to memory that lanes or tasks share; give each variable a "
                 "declaration of its own, with a type of file scope and constant size");
            return;
        }
        if (moved && !l->array && init->kind != CXCursor_InitListExpr && !worker_effects(r, init)) {
            buf_printf(&out, "%sHEDDLE_ONCE(heddle_w) %s = %s;", out.n ? " " : "", place_text(l),
                       source_edited(&u->src, (struct span){init->b, init->e}, &r->edits));
            continue;
        }
        buf_printf(&out, "%s%s%s", out.n ? " " : "", moved ? "{ " : "", decl);
        if (init)
            buf_printf(&out, " = %s", source_edited(&u->src, (struct span){init->b, init->e}, &r->edits));
        buf_puts(&out, ";");
        if (moved)
            buf_printf(&out, " HEDDLE_ONCE(heddle_w) __builtin_memcpy(&%s, &heddle_v, sizeof heddle_v); }",
                       place_text(l));
    }
    worker_replace(r, n->b, n->e, worker_same_lines(u, n->b, n->e, out.n ? out.s : ";"));
}

static void declaration(struct region *r, struct node *n) {
    bool moved = false;
    for (struct node *v = n->first; v; v = v->next) {
        const struct local *l = v->kind == CXCursor_VarDecl ? region_local(r, v->c) : NULL;
        struct node *init = v->kind == CXCursor_VarDecl ? initializer(v) : NULL;
        if (init)
            worker_expression(r, init, true);
        if (l && l->place != PLACE_LANE) {
            moved = true;
            if (capture_type_is_local(l->type))
                fail(r, v->b,
                     "the type of this variable is declared inside the function, but lanes or tasks share it; "
                     "move the type to file scope");
        }
    }
    if (moved)
        moved_declaration(r, n);
}

/* ---- atomics ---- */

/* The lane's own variable that an atomic read or capture fills. */
static struct local *filled(struct region *r, struct node *n) {
    if (ast_is_assignment(n) && !worker_is_shared(r, n->first))
        return worker_root(r, n->first);
    for (struct node *c = n->first; c; c = c->next) {
        struct local *l = filled(r, c);
        if (l)
            return l;
    }
    return NULL;
}

static void atomic(struct region *r, struct node *n) {
    struct unit *u = r->pool->u;
    struct node *stmt = n->first;
    struct buf open = {0}, marker = {0};
    const struct local *l = stmt ? filled(r, stmt) : NULL;
    source_marker(&u->src, &marker, n->b, 0);
    buf_printf(&open, "%sHEDDLE_ONCE(heddle_w)\n%s", l ? "{ " : "", marker.s);
    worker_insert(r, n->b, open.s);
    if (!stmt)
        return;
    worker_plain_calls(r, stmt);
    if (l) {
        if (l->array || clang_getCanonicalType(l->type).kind == CXType_Record)
            fail(r, stmt->b, "the atomic's value goes into a part of a variable; read it into a scalar");
        worker_insert(r, ast_statement_end(u, stmt, stmt->b), mem_printf(" HEDDLE_SHARE(heddle_w, %s); }", l->name));
        worker_share(r, l->type);
    }
}

/* ---- taskwait ---- */

static bool in_scope(const struct local *l, size_t at) {
    if (!l->node)
        return true;
    const struct node *block = l->node->up ? l->node->up->up : NULL;
    return l->node->b < at && block && block->b <= at && at < block->e;
}

static const char *wait_text(struct region *r, const struct site *m, int part) {
    struct buf save = {0}, load = {0}, out = {0};
    buf_add(&save, "", 0), buf_add(&load, "", 0);
    for (size_t i = 0; i < r->locals.n; i++) {
        const struct local *l = r->locals.at[i];
        if (!l->saved || !in_scope(l, m->p->b))
            continue;
        for (size_t k = 0; k < i; k++)
            if (r->locals.at[k]->saved && in_scope(r->locals.at[k], m->p->b) &&
                strcmp(r->locals.at[k]->name, l->name) == 0) {
                diag_error(r->pool->u, m->p->b,
                           "two variables '%s' live across the taskwait; give them different names", l->name);
                r->bad = true;
            }
        if (clang_isConstQualifiedType(l->type)) {
            diag_error(r->pool->u, l->node ? l->node->b : m->p->b,
                       "'%s' is used after the taskwait, so its value is kept and restored; remove the 'const'",
                       l->name);
            r->bad = true;
        }
        if (l->holds_local && r->scratch) {
            diag_error(r->pool->u, m->p->b,
                       "'%s' may point to a local array, which does not survive the taskwait; set it "
                       "again afterwards, in a variable of its own",
                       l->name);
            r->bad = true;
        }
        buf_printf(&save,
                   l->array ? " __builtin_memcpy(heddle_r->%s, %s, sizeof heddle_r->%s);" : " heddle_r->%s = %s;",
                   l->field, l->name, l->field);
        buf_printf(&load,
                   l->array ? " __builtin_memcpy(%s, heddle_r->%s, sizeof heddle_r->%s);" : " %s = heddle_r->%s;",
                   l->name, l->field, l->field);
    }
    buf_puts(&out, "{ ");
    if (save.n)
        buf_printf(&out, "HEDDLE_SYNC(heddle_w); if (HEDDLE_FIRST(heddle_w)) {%s } ", save.s);
    buf_printf(&out, "return %d; case %d:;%s }", part, part, load.n ? load.s : "");
    return worker_same_lines(r->pool->u, m->p->b, m->p->e, r->leaf ? ";" : out.s); /* a leaf has nothing to wait for */
}

static int part_of(const struct region *r, size_t i) { return (int)(r->waits.n - i); }

static bool in_switch(struct node *n, size_t at) {
    if (n->kind == CXCursor_SwitchStmt && n->b < at && at < n->e)
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (in_switch(c, at))
            return true;
    return false;
}

static void waits(struct region *r) {
    for (size_t i = r->waits.n; i-- > 0;) {
        const struct site *m = r->waits.at[i];
        if (in_switch(r->root, m->p->b))
            fail(r, m->p->b, "'taskwait' inside a switch; use if and else");
        worker_replace(r, m->p->b, m->p->e, worker_behind(r->pool->u, m, wait_text(r, m, part_of(r, i))));
    }
}

void worker_waits_again(struct region *r) {
    for (size_t i = 0; i < r->waits.n; i++)
        for (size_t k = 0; k < r->edits.n; k++)
            if (r->edits.at[k].b == r->waits.at[i]->p->b && r->edits.at[k].e == r->waits.at[i]->p->e)
                r->edits.at[k].text =
                    worker_behind(r->pool->u, r->waits.at[i], wait_text(r, r->waits.at[i], part_of(r, i)));
}

/* ---- statements ---- */

static void spawn(struct region *r, struct site *m) {
    const size_t begin = site_has_branches(r->pool->u, m) ? m->stmt->b : m->p->b;
    if (begin != m->p->b)
        worker_replace(r, m->p->b, m->p->e, worker_same_lines(r->pool->u, m->p->b, m->p->e, ""));
    if (r->leaf) {
        worker_replace(r, begin, m->end, worker_same_lines(r->pool->u, begin, m->end, "return 0;"));
        return;
    }
    struct task_type *k = task_type_new(r->pool, m, r);
    if (!k) {
        r->bad = true;
        return;
    }
    if (!k->inner) {
        worker_replace(r, begin, m->end, emit_spawn(k));
        return;
    }
    if (begin == m->p->b)
        worker_replace(r, m->p->b, m->p->e, worker_same_lines(r->pool->u, m->p->b, m->p->e, ""));
    worker_replace(r, k->r.b, k->r.e, emit_spawn(k));
}

/* `return` of a function that waits: its int says whether the task is done. */
static void leave(struct region *r, struct node *n) {
    size_t word = n->b + strlen("return");
    if (!n->first) {
        worker_replace(r, n->b, word, r->leaf ? "return 1" : "return 0");
        return;
    }
    worker_replace(r, n->b, n->first->b,
                   worker_same_lines(r->pool->u, n->b, n->first->b, "{ HEDDLE_STORE(heddle_w, *heddle_result, =, "));
    worker_insert(r, n->e, "); return 0");
    worker_insert(r, ast_statement_end(r->pool->u, n, n->b), " }");
}

static void statement(struct region *r, struct node *n);

static void parts(struct region *r, struct node *n) {
    for (struct node *c = n->first; c; c = c->next) {
        bool body = clang_isStatement(c->kind) || (n->kind == CXCursor_IfStmt && c != n->first) ||
                    ((n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_SwitchStmt ||
                      n->kind == CXCursor_CaseStmt || n->kind == CXCursor_LabelStmt) &&
                     c == n->last && c != n->first) ||
                    (n->kind == CXCursor_DoStmt && c == n->first) || n->kind == CXCursor_DefaultStmt ||
                    n->kind == CXCursor_CompoundStmt || (n->kind == CXCursor_LabelStmt && c == n->last);
        if (body)
            statement(r, c);
        else if (clang_isExpression(c->kind))
            /* in a for's head only the test's value is used */
            worker_expression(r, c,
                              !(n->kind == CXCursor_ForStmt && (ast_is_assignment(c) || worker_is_step(c) ||
                                                                ast_binary(c) == CXBinaryOperator_Comma)));
    }
}

static void statement(struct region *r, struct node *n) {
    struct site *m = site_of(r->pool->u, n);
    if (m && r->task && m == r->task->m)
        m = NULL;
    if (m && site_is(m, DIRECTIVE_TASK)) {
        spawn(r, m);
        return;
    }
    if (n != r->root && site_of_body(n)) /* its task stands here */
        return;
    if (m && site_is(m, DIRECTIVE_TASKLOOP))
        spawn(r, m);
    if (m && site_is(m, DIRECTIVE_LANES)) {
        if (!lanes_edits(r, m))
            r->bad = r->pool->wrong = true;
        worker_plain_calls(r, n);
        return;
    }
    if (n->kind == CXCursor_OMPAtomicDirective)
        atomic(r, n);
    else if (n->kind == CXCursor_DeclStmt)
        declaration(r, n);
    else if (clang_isExpression(n->kind))
        worker_expression_statement(r, n);
    else
        parts(r, n);
    if (n->kind == CXCursor_ReturnStmt && (r->waits.n || r->leaf))
        leave(r, n);
}

/* ---- variables that live elsewhere ---- */

static void check_lost(struct region *r, const struct mention *m) {
    const struct var *v = m->l->env;
    unsigned access = capture_access(m->n);
    if (access == ACCESS_READ && v && v->kind == VAR_POINTER)
        access = capture_access_through(m->n);
    if (!v || !env_is_mapped(v) || !(access & ACCESS_WRITE) || (v->map_kind != MAP_TO && v->map_kind != MAP_ALLOC))
        return;
    if (v->map_kind == MAP_ALLOC && v->kind != VAR_SCALAR)
        return; /* memory that only the tasks use */
    diag_error(r->pool->u, m->n->b, "'%s' is written, but map(%s) does not bring it back; use map(tofrom: …)", v->name,
               v->map_kind == MAP_TO ? "to" : "alloc");
    r->bad = r->pool->wrong = true;
}

static void mention_edit(struct region *r, const struct mention *m) {
    const struct local *l = m->l;
    if (!m->task)
        check_lost(r, m);
    if (m->task || (l->place != PLACE_SCRATCH && l->place != PLACE_FRAME && l->place != PLACE_DEREF))
        return;
    if (!refs_is_whole_text(r->pool->u, m->n, l->name)) {
        diag_error(r->pool->u, m->n->b, "'%s' is used by a macro, but lives in other memory here; write the macro out",
                   l->name);
        r->bad = true;
        return;
    }
    worker_replace(r, m->n->b, m->n->e, l->place == PLACE_DEREF ? mem_printf("(*%s)", l->name) : place_text(l));
}

static bool is_local_to_function(CXCursor c) {
    for (int i = 0; i < 2; i++, c = clang_getCursorSemanticParent(c))
        if (clang_getCursorKind(clang_getCursorSemanticParent(c)) == CXCursor_FunctionDecl)
            return true;
    return false;
}

/* Names that the function before the user's cannot see: constants become numbers, types are an error. */
static void local_names(struct region *r, struct node *n) {
    struct unit *u = r->pool->u;
    CXCursor d = n->kind == CXCursor_DeclRefExpr || n->kind == CXCursor_TypeRef ? clang_getCursorReferenced(n->c)
                                                                                : clang_getNullCursor();
    struct span at;
    bool outside = !clang_Cursor_isNull(d) && ast_span(u, d, &at) && !(at.b >= r->b && at.b < r->e);
    if (outside && clang_getCursorKind(d) == CXCursor_EnumConstantDecl && is_local_to_function(d)) {
        if (expansion_begins(r->pool->u, n) || !refs_is_whole_text(u, n, ast_name(d)))
            fail(r, n->b,
                 "a constant that is declared inside the function is used by a macro; move the enum to file scope");
        worker_replace(r, n->b, n->e, mem_printf("%lld", clang_getEnumConstantDeclValue(d)));
    } else if (outside && n->kind == CXCursor_TypeRef &&
               clang_getCursorKind(clang_getCursorSemanticParent(d)) == CXCursor_FunctionDecl) {
        diag_error(u, n->b,
                   "type '%s' is declared inside the function, but the task becomes a function before it; move the "
                   "type to file scope",
                   ast_name(d));
        r->bad = true;
    }
    for (struct node *c = n->first; c; c = c->next)
        if ((!site_of(u, c) || !site_is(site_of(u, c), DIRECTIVE_TASK)) && !site_of_body(c))
            local_names(r, c);
}

bool worker_edits(struct region *r) {
    if (r->task)
        local_names(r, r->root);
    for (size_t i = 0; i < r->mentions.n; i++)
        mention_edit(r, &r->mentions.at[i]);
    if (r->plain) {
        worker_plain_calls(r, r->root);
        return !r->bad;
    }
    waits(r);
    statement(r, r->root);
    return !r->bad;
}
