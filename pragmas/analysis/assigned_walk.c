/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk over what runs, in its order. Whatever else is done with the array, such as handing its address to a
 * function without a body, ends it: then nobody knows.
 */
#include "front/macros.h"
#include "analysis/capture.h"
#include "assigned.h"

enum { MAX_CALLS = 8 };

static void children(struct assigned *a, struct node *n) {
    for (struct node *c = n->first; c; c = c->next)
        assigned_visit(a, c);
}

/* What may run and may not. */
static void perhaps(struct assigned *a, struct node *n) {
    const struct state before = a->now;
    if (n)
        assigned_visit(a, n);
    a->now = before;
}

/* ---- jumps ---- */

static void enter(struct assigned *a, struct frame *f, int kind) {
    const struct state never = {.dead = true};
    *f = (struct frame){.kind = kind, .entry = a->now, .breaks = never, .continues = never, .up = a->frame};
    a->frame = f;
}

static void jump(struct assigned *a, enum CXCursorKind kind) {
    struct frame *f = a->frame;
    for (; f; f = f->up) {
        const bool here = kind == CXCursor_ReturnStmt
                              ? f->kind == FRAME_FUNCTION
                              : f->kind == FRAME_LOOP || (f->kind == FRAME_SWITCH && kind == CXCursor_BreakStmt);
        f->broken |= !here || kind != CXCursor_ContinueStmt;
        if (here)
            break;
    }
    if (!f) {
        a->failed = true;
    } else if (kind == CXCursor_ContinueStmt) {
        f->continues = assigned_either(f->continues, a->now);
    } else {
        f->breaks = assigned_either(f->breaks, a->now);
    }
    a->now = (struct state){.dead = true};
}

/* ---- statements ---- */

static void branches(struct assigned *a, struct node *n) {
    assigned_visit(a, n->first);
    const struct state before = a->now;
    assigned_visit(a, ast_child(n, 1));
    const struct state yes = a->now;
    a->now = before;
    if (ast_child(n, 2))
        assigned_visit(a, ast_child(n, 2));
    a->now = assigned_either(yes, a->now);
}

static bool has_default(const struct node *n) {
    if (n->kind == CXCursor_DefaultStmt)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (c->kind != CXCursor_SwitchStmt && has_default(c))
            return true;
    return false;
}

static void choice(struct assigned *a, struct node *n) {
    struct frame f;
    for (struct node *c = n->first; c != n->last; c = c->next)
        assigned_visit(a, c);
    const struct state before = a->now;
    enter(a, &f, FRAME_SWITCH);
    a->now = (struct state){.dead = true};
    assigned_visit(a, n->last);
    a->frame = f.up;
    a->now = assigned_either(a->now, f.breaks);
    if (!has_default(n->last))
        a->now = assigned_either(a->now, before);
}

static void label(struct assigned *a, struct node *n) {
    if (!a->frame || a->frame->kind != FRAME_SWITCH) {
        a->failed = true; /* into the middle of a loop */
        return;
    }
    a->now = assigned_either(a->now, a->frame->entry);
    assigned_visit(a, n->last);
}

/* while, do, and `for` loops that are not canonical */
static void any_loop(struct assigned *a, struct node *n) {
    struct frame f;
    const bool once = n->kind == CXCursor_DoStmt;
    const struct state before = a->now;
    enter(a, &f, FRAME_LOOP);
    if (!once) {
        children(a, n);
        a->now = before;
    } else {
        assigned_visit(a, n->first);
        a->now = assigned_either(a->now, f.continues);
        assigned_visit(a, n->last);
        a->now = assigned_either(a->now, f.breaks);
    }
    a->frame = f.up;
}

/* Declared outside, but nothing else than loops' heads can change it while the body runs. */
static bool is_own(const struct node *n, CXCursor var) {
    while (n->up)
        n = n->up;
    return !node_is_global(var) && !capture_is_shown(n, var);
}

/* Its variable's first value, the value before which it ends, and the step. */
static bool canonical(struct assigned *a, struct node *n, CXCursor *decl, struct axis_of_loop *x) {
    struct loop_count c;
    struct poly one, by;
    long k;
    if (!loop_counts(n, &c) || c.sooner || (n->first->kind != CXCursor_DeclStmt && !is_own(n, c.var)))
        return false;
    const int sign = c.down ? -1 : 1;
    *decl = c.var;
    x->down = c.down;
    affine_constant(&one, 1);
    assigned_value(a, c.first, &x->first);
    assigned_value(a, c.bound, &x->end);
    affine_add(&x->end, &one, c.open ? 0 : sign);
    by = one;
    if (c.step)
        assigned_value(a, c.step, &by);
    x->step = (struct poly){.ok = true};
    affine_add(&x->step, &by, affine_is_constant(&by, &k) && k < 0 ? -sign : sign);
    return x->first.ok && x->end.ok && x->step.ok;
}

static void bind_axis(struct assigned *a, CXCursor var, const struct axis_of_loop *x) {
    struct binding b = {.decl = var};
    struct range r = {.atom = x->atom, .lo = x->down ? x->end : x->first, .hi = x->down ? x->first : x->end};
    struct poly one;
    affine_constant(&one, 1);
    affine_add(x->down ? &r.lo : &r.hi, &one, x->down ? 1 : -1);
    affine_atom(&b.value, x->atom);
    vec_push(&a->bindings, b);
    vec_push(&a->ranges, r);
}

static void loop(struct assigned *a, struct node *n) {
    CXCursor var;
    struct axis_of_loop x = {.atom = mem_printf("\3%zu", a->ranges.n)};
    const size_t bindings = a->bindings.n;
    if (!canonical(a, n, &var, &x)) {
        any_loop(a, n);
        return;
    }
    for (int part = 0; part < 2; part++)
        assigned_visit(a, ast_child(n, part));
    const struct state before = a->now;
    struct frame f;
    enter(a, &f, FRAME_LOOP);
    bind_axis(a, var, &x);
    assigned_visit(a, n->last);
    a->now = assigned_either(a->now, f.continues);
    a->frame = f.up;
    a->bindings.n = bindings;
    a->ranges.n--;
    if (f.broken || a->now.dead)
        a->now = before;
    else
        assigned_widen(a, before, &x);
}

static bool names(const struct assigned *a, struct span s) {
    if (macros_name(a->u, s, a->v->name))
        return true;
    for (size_t i = 0; i < a->bindings.n; i++) {
        const bool own = a->w && (clang_equalCursors(a->bindings.at[i].decl, a->w->loop[0].var) ||
                                  clang_equalCursors(a->bindings.at[i].decl, a->w->loop[1].var));
        if (!own && macros_name(a->u, s, ast_name(a->bindings.at[i].decl)))
            return true;
    }
    return false;
}

/* ---- calls ---- */

/* Subscripts in an expression for a place. */
static void subscripts(struct assigned *a, struct node *n) {
    for (struct node *c = n->first; c; c = c->next) {
        const CXType t = clang_getCanonicalType(clang_getCursorType(c->c));
        if (t.kind == CXType_Pointer || ast_is_array(t) || t.kind == CXType_Record ||
            n->kind == CXCursor_MemberRefExpr || ast_unary(n) == CXUnaryOperator_AddrOf ||
            n->kind == CXCursor_ParenExpr)
            subscripts(a, c);
        else if (clang_isExpression(c->kind))
            assigned_visit(a, c);
    }
}

static bool may_enter(const struct assigned *a, const struct function *f) {
    for (size_t i = 0; i < a->calls.n; i++)
        if (a->calls.at[i] == f)
            return false;
    return f && a->calls.n < MAX_CALLS;
}

static void look_into(struct assigned *a, struct node *n, struct function *f) {
    struct frame frame;
    const size_t bindings = a->bindings.n;
    struct node *arg = n->first ? n->first->next : NULL;
    for (unsigned i = 0; arg; i++, arg = arg->next) {
        const CXCursor param = clang_Cursor_getArgument(f->c, i);
        if (!clang_Cursor_isNull(param))
            assigned_bind(a, param, f->body, arg);
    }
    struct frame *outer = a->frame;
    enter(a, &frame, FRAME_FUNCTION);
    frame.up = NULL; /* no jump leaves it */
    vec_push(&a->calls, f);
    assigned_visit(a, f->body);
    a->calls.n--;
    a->now = assigned_either(a->now, frame.breaks);
    a->frame = outer;
    a->bindings.n = bindings;
}

static void call(struct assigned *a, struct node *n) {
    struct function *f = function_called(a->u, n);
    struct element p;
    bool given = !a->w && node_is_global(a->v->decl) && (f || clang_Cursor_isNull(function_callee(n)));
    for (struct node *c = n->first ? n->first->next : NULL; c; c = c->next) {
        if (assigned_pointer(a, c, &p)) {
            given = true;
            subscripts(a, c);
        } else {
            assigned_visit(a, c);
        }
    }
    if (given && may_enter(a, f))
        look_into(a, n, f);
    else
        a->failed |= given;
}

/* ---- expressions ---- */

static void assignment(struct assigned *a, struct node *n) {
    struct element p;
    if (!assigned_lvalue(a, n->first, &p)) {
        children(a, n);
        return;
    }
    assigned_visit(a, n->last);
    subscripts(a, ast_strip(n->first));
    a->at = n->first;
    if (ast_binary(n) != CXBinaryOperator_Assign)
        assigned_read(a, &p);
    if (!a->failed)
        assigned_write(a, &p);
}

static void variable(struct assigned *a, struct node *n) {
    struct node *value = n->last && clang_isExpression(n->last->kind) ? n->last : NULL, *body = n;
    struct element p;
    if (value && assigned_pointer(a, value, &p))
        subscripts(a, value);
    else
        children(a, n);
    while (body->up)
        body = body->up;
    if (value && clang_Cursor_getStorageClass(n->c) != CX_SC_Static)
        assigned_bind(a, n->c, body, value);
}

static bool is_plain(const struct node *n) {
    return clang_isExpression(n->kind) || clang_isReference(n->kind) || clang_isAttribute(n->kind) ||
           n->kind == CXCursor_CompoundStmt || n->kind == CXCursor_DeclStmt || n->kind == CXCursor_NullStmt ||
           n->kind == CXCursor_UnexposedStmt;
}

static void expression(struct assigned *a, struct node *n) {
    struct element p;
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (ast_is_assignment(n)) {
        assignment(a, n);
    } else if (op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr) {
        assigned_visit(a, n->first);
        perhaps(a, n->last);
    } else if ((n->kind == CXCursor_UnexposedExpr && n->first != n->last) || n->kind == CXCursor_GenericSelectionExpr) {
        for (struct node *c = n->first; c; c = c->next) /* a ?: b, and what libclang has no name for */
            perhaps(a, c);
    } else if (n->kind != CXCursor_ParenExpr && n->kind != CXCursor_UnexposedExpr && assigned_lvalue(a, n, &p)) {
        subscripts(a, n);
        a->at = a->failed ? a->at : n;
        assigned_read(a, &p);
        if (!a->failed && n->up && node_is_modified(capture_access(n)))
            assigned_write(a, &p);
    } else if (assigned_is_target(a, n)) {
        a->failed = true;
    } else {
        children(a, n);
    }
}

void assigned_visit(struct assigned *a, struct node *n) {
    const enum CXCursorKind kind = n->kind;
    if (a->failed || kind == CXCursor_UnaryExpr)
        return;
    if (ast_is_openmp(n)) {
        const struct span hidden = ast_openmp_statement(a->u, n);
        a->failed |= a->calls.n || names(a, hidden);
    } else if (kind == CXCursor_IfStmt || (kind == CXCursor_ConditionalOperator && ast_child(n, 2))) {
        branches(a, n);
    } else if (kind == CXCursor_ForStmt) {
        loop(a, n);
    } else if (kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt) {
        any_loop(a, n);
    } else if (kind == CXCursor_SwitchStmt) {
        choice(a, n);
    } else if (kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt) {
        label(a, n);
    } else if (kind == CXCursor_ContinueStmt || kind == CXCursor_BreakStmt || kind == CXCursor_ReturnStmt) {
        children(a, n);
        jump(a, kind);
    } else if (kind == CXCursor_CallExpr) {
        call(a, n);
    } else if (kind == CXCursor_VarDecl) {
        variable(a, n);
    } else if (is_plain(n)) {
        expression(a, n);
    } else if (!clang_isDeclaration(kind)) {
        a->failed = true; /* labels, assembly, blocks */
    }
}
