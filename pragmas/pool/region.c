/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The variables of a region and where each lives. Rules: scalars are every lane's own; arrays that lanes loops
 * touch, and whatever has its address taken, are shared by the worker's lanes (scratch), or, when tasks get the
 * address, live in the task's record (frame); what a task captures is a copy.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "pool.h"

#include <string.h>

static bool fail(struct region *r, size_t offset, const char *text) {
    diag_error(r->pool->u, offset, "%s", text);
    r->bad = true;
    return false;
}

struct local *region_local(struct region *r, CXCursor decl) {
    CXCursor c = clang_getCanonicalCursor(decl);
    for (size_t i = 0; i < r->locals.n; i++)
        if (clang_equalCursors(clang_getCanonicalCursor(r->locals.at[i]->decl), c))
            return r->locals.at[i];
    return NULL;
}

bool region_waits_after(const struct region *r, const struct site *task) {
    for (size_t i = 0; i < r->waits.n; i++)
        if (r->waits.at[i]->p->b > task->p->b)
            return true;
    return false;
}

/* ---- what there is ---- */

static bool is_inside(struct region *r, CXCursor decl) {
    struct span s;
    return ast_span(r->pool->u, decl, &s) && s.b >= r->root->b && s.b < r->e;
}

static bool is_parameter_of(struct region *r, CXCursor decl) {
    return !r->task && clang_getCursorKind(decl) == CXCursor_ParmDecl &&
           clang_equalCursors(clang_getCanonicalCursor(clang_getCursorSemanticParent(decl)),
                              clang_getCanonicalCursor(r->f->c));
}

static struct local *add_global(struct region *r, struct local *l, size_t offset) {
    l->env = env_global(r->pool, l->decl, offset);
    if (!l->env) {
        r->bad = true;
        return NULL;
    }
    l->place = env_is_scalar(l->env) && env_is_mapped(l->env) ? PLACE_DEREF : PLACE_ENV;
    return l;
}

static struct local *add_captured(struct region *r, struct local *l, size_t offset) {
    const struct region *parent = r->task->parent;
    const struct local *outer = parent ? region_local((struct region *)parent, l->decl) : NULL;
    l->captured = true;
    l->place = PLACE_VALUE;
    l->env = env_find(r->pool, l->decl);
    for (int d = 0; d < r->task->dims; d++)
        l->looped |= clang_equalCursors(r->task->loop[d].var, l->decl);
    if (l->env) {
        l->place = env_is_scalar(l->env) ? PLACE_DEREF : PLACE_ENV;
    } else if (outer && (outer->place == PLACE_DEREF || outer->place == PLACE_FRAME) && !outer->array) {
        l->place = outer->place == PLACE_DEREF ? PLACE_DEREF : PLACE_VALUE;
    }
    if (strncmp(l->name, "heddle_", 7) == 0) {
        diag_error(r->pool->u, offset, "the name '%s' collides with emitted ones; do not begin names with 'heddle_'",
                   l->name);
        r->bad = true;
    }
    return l;
}

/* On the host the variable itself will do. */
static bool stays_global(struct region *r, CXCursor decl) {
    return r->pool->host && !env_find(r->pool, decl) &&
           clang_getCursorKind(clang_getCursorSemanticParent(decl)) != CXCursor_FunctionDecl;
}

static struct local *add_local(struct region *r, CXCursor decl, size_t offset) {
    struct local *l = mem_alloc(sizeof *l);
    bool global = node_is_global(decl), inside = is_inside(r, decl) || is_parameter_of(r, decl);
    CXType t = clang_getCursorType(decl);
    *l = (struct local){.decl = decl, .name = ast_name(decl), .type = t};
    l->param = clang_getCursorKind(decl) == CXCursor_ParmDecl;
    l->array = ast_is_array(clang_getCanonicalType(t)) && !l->param;
    l->field = l->name;
    if (global) {
        if (node_is_table(decl) && !inside &&
            clang_getCursorKind(clang_getCursorSemanticParent(decl)) == CXCursor_FunctionDecl)
            fail(r, offset,
                 mem_printf("constant '%s' is declared inside the function, but the task becomes a function before it; "
                            "move it to file scope",
                            l->name));
        const bool stays = !node_is_table(decl) && stays_global(r, decl);
        if (stays && !env_check_unchanged(r->pool, decl, offset))
            r->bad = true;
        if (node_is_table(decl) || (inside && r->plain) || stays)
            return NULL; /* constant: on the device as it is */
        l = add_global(r, l, offset);
    } else if (!inside) {
        l = add_captured(r, l, offset);
    } else {
        for (size_t i = 0; i < r->locals.n; i++)
            if (!r->locals.at[i]->env && strcmp(r->locals.at[i]->name, l->name) == 0)
                l->field = mem_printf("heddle_%s_%zu", l->name, r->locals.n);
    }
    if (l)
        vec_push(&r->locals, l);
    return l;
}

static bool forbidden(struct region *r, struct node *n) {
    const struct site *m = site_of(r->pool->u, n);
    if (m && site_is(m, DIRECTIVE_POOL))
        return fail(r, m->p->b, "a pool inside a task; make tasks with '#pragma heddle task' instead");
    if (n->kind == CXCursor_VarDecl && clang_getCanonicalType(clang_getCursorType(n->c)).kind == CXType_VariableArray)
        return fail(r, n->b,
                    "variable-length array in a task, whose memory has a fixed size; give it a constant length");
    if (n->kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(n->c) == CX_SC_Static && !node_is_table(n->c) &&
        r->task)
        return fail(r, n->b, "static variable inside a task; tasks run in parallel");
    if (n->kind == CXCursor_GCCAsmStmt)
        return fail(r, n->b, "inline assembly in a task, which may run on a device");
    if (node_is_openmp(n) || n->kind == CXCursor_OMPSimdDirective)
        return fail(r, n->b,
                    "an OpenMP directive inside a task other than 'atomic'; use '#pragma heddle task' or 'lanes'");
    return true;
}

static void walk(struct region *r, struct node *n, struct site *lanes, struct site *task) {
    struct unit *u = r->pool->u;
    struct site *m = r->plain ? NULL : site_of(u, n);
    if (!r->plain && !forbidden(r, n))
        return;
    if (m && n != r->root) {
        m->used = r->directives = true;
        if (site_is(m, DIRECTIVE_LANES) && lanes) {
            fail(r, m->p->b, "a lanes loop inside a lanes loop; put the directive before one of them only");
            return;
        }
        if (site_is(m, DIRECTIVE_TASK | DIRECTIVE_TASKLOOP) && lanes) {
            fail(r, m->p->b,
                 "a task inside a lanes loop, whose lanes run different iterations; collect what to do in "
                 "an array, and make the tasks in a loop after it");
            return;
        }
        lanes = site_is(m, DIRECTIVE_LANES) ? m : lanes;
        task = site_is(m, DIRECTIVE_TASK) ? m : task;
        if (site_is(m, DIRECTIVE_TASKLOOP) && !task)
            m->body = taskloop_body(u, m);
    } else if (m && r->task && m != r->task->m && site_is(m, DIRECTIVE_LANES)) {
        m->used = r->directives = true; /* the statement of a taskloop is itself a lanes loop */
        lanes = m;
    }
    if (!task && !r->plain && n != r->root)
        task = site_of_body(n);
    if (n->kind == CXCursor_VarDecl && !task && !node_is_global(n->c)) {
        struct local *l = region_local(r, n->c);
        l = l ? l : add_local(r, n->c, n->b);
        if (l) {
            l->node = n;
            l->lanes = lanes ? lanes->stmt : NULL;
        }
    }
    if (n->kind == CXCursor_DeclRefExpr) {
        CXCursor d = clang_getCursorReferenced(n->c);
        enum CXCursorKind kind = clang_getCursorKind(d);
        if ((kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) &&
            !(task && !is_parameter_of(r, d) && is_inside(r, d) && !region_local(r, d))) {
            struct local *l = region_local(r, d);
            l = l ? l : add_local(r, d, n->b);
            if (l)
                vec_push(&r->mentions, (struct mention){l, n, lanes, task});
        }
    }
    for (struct node *c = n->first; c; c = c->next)
        walk(r, c, lanes, task);
}

/* ---- what happens to it ---- */

/* Is an address taken here only handed to functions that promise not to write through it? */
static bool only_read(struct node *n) {
    for (struct node *up = n->up; up; n = up, up = up->up) {
        enum CXBinaryOperatorKind op = ast_binary(up);
        if (up->kind == CXCursor_CallExpr)
            return function_takes_const(up, n);
        if (ast_unary(up) == CXUnaryOperator_Deref)
            return capture_access(up) == ACCESS_READ;
        if (up->kind != CXCursor_ParenExpr && up->kind != CXCursor_UnexposedExpr &&
            up->kind != CXCursor_MemberRefExpr && !(up->kind == CXCursor_ArraySubscriptExpr && up->first == n) &&
            ast_unary(up) != CXUnaryOperator_AddrOf && op != CXBinaryOperator_Add && op != CXBinaryOperator_Sub)
            return false;
        if (up->kind == CXCursor_ArraySubscriptExpr && capture_access(up) == ACCESS_READ)
            return true;
    }
    return false;
}

bool region_may_change(struct node *n) {
    unsigned access = capture_access(n);
    return (access & ACCESS_WRITE) || ((access & ACCESS_ADDRESS) && !only_read(n));
}

static bool needs_address(const struct mention *m) { return region_may_change(m->n); }

/* Written by subscripts below a structure's member or an array: elements may belong to different lanes. */
static bool is_element(struct node *n) {
    for (struct node *up = n->up; up; up = up->up) {
        if (up->kind == CXCursor_ArraySubscriptExpr)
            return true;
        if (up->kind != CXCursor_MemberRefExpr && up->kind != CXCursor_ParenExpr && up->kind != CXCursor_UnexposedExpr)
            break;
    }
    return false;
}

static bool in_loop_around(const struct node *n, size_t offset) {
    for (n = n->up; n; n = n->up)
        if ((n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt) &&
            n->b <= offset && offset < n->e)
            return true;
    return false;
}

static bool crosses(const struct region *r, const struct local *l) {
    for (size_t i = 0; i < r->waits.n; i++) {
        size_t at = r->waits.at[i]->p->b;
        if (l->node && l->node->b > at && !in_loop_around(l->node, at))
            continue;
        if (l->node && l->node->b > at)
            continue; /* declared anew after the wait */
        for (size_t k = 0; k < r->mentions.n; k++)
            if (r->mentions.at[k].l == l && (r->mentions.at[k].n->b > at || in_loop_around(r->mentions.at[k].n, at)))
                return true;
    }
    return false;
}

static void place_own(struct region *r, struct local *l) {
    for (size_t i = 0; i < r->mentions.n; i++) {
        const struct mention *m = &r->mentions.at[i];
        unsigned access = capture_access(m->n);
        if (m->l != l || (m->lanes && m->lanes->stmt == l->lanes))
            continue;
        if (m->task) {
            if (needs_address(m) && l->place != PLACE_FRAME) {
                if (region_waits_after(r, m->task)) {
                    l->place = PLACE_FRAME;
                    continue;
                }
                diag_error(r->pool->u, m->n->b,
                           "the task changes '%s' or keeps its address, but may run when this function is over; add "
                           "'#pragma heddle taskwait' after it, or pass a pointer to mapped memory",
                           l->name);
                r->bad = r->pool->wrong = true;
            }
        } else if (l->place == PLACE_LANE) {
            if (l->array && (m->lanes || ((access & ACCESS_ADDRESS) && !only_read(m->n))))
                l->place = PLACE_SCRATCH;
            else if ((access & ACCESS_ADDRESS) && !only_read(m->n))
                l->place = PLACE_SCRATCH;
            else if (!l->array && m->lanes && (access & ACCESS_WRITE) && is_element(m->n) &&
                     clang_getCanonicalType(l->type).kind == CXType_Record)
                l->place = PLACE_SCRATCH;
        }
    }
    if (l->lanes && l->place == PLACE_SCRATCH)
        l->place = PLACE_LANE; /* declared inside a lanes loop: one for each iteration */
    bool across = crosses(r, l);
    if (across && l->place == PLACE_SCRATCH)
        l->place = PLACE_FRAME;
    if (across && l->place == PLACE_LANE)
        l->saved = true;
    r->scratch |= l->place == PLACE_SCRATCH;
    r->frame |= l->place == PLACE_FRAME || l->saved;
}

static void place_captured(struct region *r, struct local *l) {
    const struct region *parent = r->task->parent;
    const struct local *outer = parent ? region_local((struct region *)parent, l->decl) : NULL;
    if (l->place != PLACE_VALUE)
        return;
    for (size_t i = 0; i < r->mentions.n; i++) {
        const struct mention *m = &r->mentions.at[i];
        if (m->l != l)
            continue;
        if (l->array && (capture_access(m->n) & ACCESS_UNEVALUATED)) {
            diag_error(r->pool->u, m->n->b,
                       "'%s' is an array under 'sizeof', but a pointer in the task; compute the size before it",
                       l->name);
            r->bad = true;
            return;
        }
        if (!needs_address(m))
            continue;
        if (outer && outer->place == PLACE_FRAME) {
            l->place = PLACE_DEREF;
            return;
        }
        if (l->looped)
            diag_error(r->pool->u, m->n->b,
                       "the task changes loop variable '%s' or takes its address; copy it to a variable of the task",
                       l->name);
        else
            diag_error(
                r->pool->u, m->n->b,
                "the task has its own copy of '%s', so a change would be lost; declare it before the pool, which "
                "then maps it",
                l->name);
        r->bad = r->pool->wrong = true;
        return;
    }
}

/* Pointers of the host are of no use in a task, except those that the environment translates. */
static void check_captured(struct region *r, struct local *l) {
    struct unit *u = r->pool->u;
    size_t at = r->root->b;
    for (size_t i = 0; i < r->mentions.n; i++)
        if (r->mentions.at[i].l == l) {
            at = r->mentions.at[i].n->b;
            break;
        }
    const struct region *parent = r->task->parent;
    const struct local *outer = parent ? region_local((struct region *)parent, l->decl) : NULL;
    bool pointer = (l->param && ast_is_array(clang_getCanonicalType(l->type))) ||
                   clang_getCanonicalType(l->type).kind == CXType_Pointer;
    if (l->place == PLACE_ENV || l->looped)
        return;
    const bool host = r->pool->host;
    if (!host && !parent && l->place == PLACE_VALUE && pointer)
        diag_error(u, at,
                   "pointer '%s' is captured by a task but not mapped; add map(tofrom: %s[0 : count]) to the "
                   "pool, or use it with an index of the task's own",
                   l->name, l->name);
    else if (!host && !parent && l->place == PLACE_VALUE && type_holds_pointer(l->type))
        diag_error(u, at,
                   "'%s' holds a pointer, which would be the host's on a device; map what it points to and pass "
                   "that pointer",
                   l->name);
    else if (outer && outer->holds_local)
        r->pool->wrong = true,
        diag_error(u, at,
                   "'%s' points to a local variable, which may be gone when the task runs; pass its value, or a "
                   "pointer to mapped memory",
                   l->name);
    else if (capture_type_is_local(l->type))
        diag_error(u, at,
                   "the type of '%s' is declared inside the function, but the task becomes a function before "
                   "it; move the type to file scope",
                   l->name);
    else if (!env_declaration(l->type, l->param, "x", true))
        diag_error(
            u, at,
            "the type of '%s' has no name or no constant size, so a task cannot hold a copy; map it, or name its type",
            l->name);
    else
        return;
    r->bad = true;
}

/* ---- pointers to locals ---- */

/* The variable that the value at n goes to, if it is stored in one. */
static struct local *stored_in(struct region *r, struct node *n) {
    for (struct node *up = n->up; up; n = up, up = up->up) {
        enum CXBinaryOperatorKind op = ast_binary(up);
        if (up->kind == CXCursor_VarDecl)
            return region_local(r, up->c);
        if (ast_binary(up) == CXBinaryOperator_Assign && up->last == n) {
            struct node *left = ast_strip(up->first);
            return left->kind == CXCursor_DeclRefExpr ? region_local(r, clang_getCursorReferenced(left->c)) : NULL;
        }
        if (up->kind != CXCursor_ParenExpr && up->kind != CXCursor_UnexposedExpr &&
            up->kind != CXCursor_MemberRefExpr && up->kind != CXCursor_ArraySubscriptExpr &&
            up->kind != CXCursor_ConditionalOperator && up->kind != CXCursor_CStyleCastExpr &&
            ast_unary(up) != CXUnaryOperator_AddrOf && op != CXBinaryOperator_Add && op != CXBinaryOperator_Sub)
            return NULL;
    }
    return NULL;
}

static void follow_pointers(struct region *r) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < r->mentions.n; i++) {
            const struct mention *m = &r->mentions.at[i];
            bool source = m->l->holds_local || (m->l->node && (capture_access(m->n) & ACCESS_ADDRESS));
            struct local *to = source && !m->l->env ? stored_in(r, m->n) : NULL;
            if (to && !to->holds_local && clang_getCanonicalType(to->type).kind == CXType_Pointer) {
                to->holds_local = true;
                changed = true;
            }
        }
    }
}

static bool collect_waits(struct region *r) {
    for (size_t i = 0; !r->plain && i < r->f->sites.n; i++) {
        struct site *m = r->f->sites.at[i];
        if (!site_is(m, DIRECTIVE_TASKWAIT) || m->p->b < r->b || m->p->b >= r->e)
            continue;
        bool nested = false;
        for (size_t k = 0; k < r->f->sites.n; k++) { /* inside a task of this region: that one's business */
            struct site *t = r->f->sites.at[k];
            if (site_is(t, DIRECTIVE_TASK | DIRECTIVE_TASKLOOP) && t->stmt != r->root && t->p->b >= r->b &&
                m->p->b > t->p->b && m->p->b < t->end)
                nested = true;
            if (site_is(t, DIRECTIVE_LANES) && m->p->b > t->p->b && m->p->b < t->end)
                return fail(r, m->p->b, "'taskwait' inside a lanes loop; move it out of the loop");
        }
        if (!nested) {
            m->used = true;
            vec_push(&r->waits, m);
        }
    }
    return true;
}

/* A mapped array is declared as a pointer, and so is a copy. */
static void check_sizes(struct region *r) {
    for (size_t i = 0; i < r->mentions.n; i++) {
        const struct mention *m = &r->mentions.at[i];
        if ((!m->l->env && !m->l->captured) || !m->l->array || !refs_is_array_itself(m->n))
            continue;
        diag_error(
            r->pool->u, m->n->b,
            "'%s' is an array under sizeof, typeof or &, but a pointer in the task; use its elements, or compute its "
            "size before the task",
            m->l->name);
        r->bad = true;
    }
}

bool region_collect(struct region *r) {
    if (!collect_waits(r)) {
        r->bad = true;
        return false;
    }
    const struct pragma *wavefront = function_wavefront(r->pool->u, r->b, r->e);
    if (wavefront)
        return fail(r, wavefront->b,
                    "a wavefront inside a task, which would need a whole device; start it outside the pool's tasks");
    walk(r, r->root, NULL, NULL);
    check_sizes(r);
    follow_pointers(r);
    for (size_t i = 0; !r->bad && i < r->locals.n; i++) {
        struct local *l = r->locals.at[i];
        if (r->plain || (l->env && !l->captured))
            continue;
        if (!l->captured)
            place_own(r, l);
        else
            place_captured(r, l);
    }
    for (size_t i = 0; !r->bad && i < r->locals.n; i++)
        if (r->locals.at[i]->captured)
            check_captured(r, r->locals.at[i]);
    return !r->bad;
}
