/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The accesses of a taskloop's body to variables from outside. Only those that iterations are sure to make count:
 * behind conditions that leave a few iterations out at the ends, and in canonical loops. What is reached by
 * calls, through copies of pointers, in tasks of the body or under OpenMP directives is left out.
 */
#include "analysis/capture.h"
#include "order.h"

/* ---- conditions ---- */

static enum CXBinaryOperatorKind opposite(enum CXBinaryOperatorKind op) {
    return op == CXBinaryOperator_LT   ? CXBinaryOperator_GE
           : op == CXBinaryOperator_GE ? CXBinaryOperator_LT
           : op == CXBinaryOperator_GT ? CXBinaryOperator_LE
           : op == CXBinaryOperator_LE ? CXBinaryOperator_GT
           : op == CXBinaryOperator_EQ ? CXBinaryOperator_NE
                                       : CXBinaryOperator_EQ;
}

static enum CXBinaryOperatorKind mirrored(enum CXBinaryOperatorKind op) {
    return op == CXBinaryOperator_LT   ? CXBinaryOperator_GT
           : op == CXBinaryOperator_GT ? CXBinaryOperator_LT
           : op == CXBinaryOperator_LE ? CXBinaryOperator_GE
           : op == CXBinaryOperator_GE ? CXBinaryOperator_LE
                                       : op;
}

static bool cut(long *side, const struct poly *from, const struct poly *to, long more) {
    long n;
    struct poly d = *to;
    affine_add(&d, from, -1);
    if (!affine_is_constant(&d, &n))
        return false;
    n += more;
    *side = n > *side ? n : *side;
    return true;
}

/* axis OP bound */
static bool compare_axis(struct order *o, int axis, enum CXBinaryOperatorKind op, const struct poly *bound,
                         struct reach *r) {
    const struct axis *x = &o->axis[axis];
    long n;
    struct poly d = *bound;
    switch (op) {
    case CXBinaryOperator_LT:
        return cut(&r->high[axis], bound, &x->hi, 0);
    case CXBinaryOperator_LE:
        return cut(&r->high[axis], bound, &x->hi, -1);
    case CXBinaryOperator_GT:
        return cut(&r->low[axis], &x->lo, bound, 1);
    case CXBinaryOperator_GE:
        return cut(&r->low[axis], &x->lo, bound, 0);
    case CXBinaryOperator_NE: /* of the first or the last only */
        affine_add(&d, &x->lo, -1);
        if (affine_is_constant(&d, &n) && n <= 0)
            return n < 0 || cut(&r->low[axis], &x->lo, bound, 1);
        d = x->hi;
        affine_add(&d, bound, -1);
        return affine_is_constant(&d, &n) && n <= 1 && (n < 1 || cut(&r->high[axis], bound, &x->hi, 0));
    default:
        return false;
    }
}

/* p OP 0, where p holds one axis, once */
static bool compare(struct order *o, const struct poly *p, enum CXBinaryOperatorKind op, struct reach *r) {
    for (int axis = 0; p->ok && axis < o->naxes; axis++) {
        long k;
        struct poly coef, rest, bound;
        if (!affine_split(p, order_atom(axis), &coef, &rest) || !coef.n)
            continue;
        for (int i = 0; i < rest.n; i++)
            for (int a = 0; a < rest.t[i].n; a++)
                if (order_is_axis(rest.t[i].atom[a]))
                    return false;
        if (!affine_is_constant(&coef, &k) || (k != 1 && k != -1))
            return false;
        affine_constant(&bound, 0);
        affine_add(&bound, &rest, -k);
        return compare_axis(o, axis, k < 0 ? mirrored(op) : op, &bound, r);
    }
    return false;
}

/* The condition holds, or (negated) does not: which iterations are left? */
static bool given(struct order *o, struct node *n, bool negated, struct reach *r) {
    n = ast_strip(n);
    const enum CXBinaryOperatorKind op = ast_binary(n);
    struct poly a, b;
    if (ast_unary(n) == CXUnaryOperator_LNot)
        return given(o, n->first, !negated, r);
    if (op == (negated ? CXBinaryOperator_LOr : CXBinaryOperator_LAnd))
        return given(o, n->first, negated, r) && given(o, n->last, negated, r);
    if (op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE) {
        order_poly(o, n->first, &a);
        order_poly(o, n->last, &b);
        affine_add(&a, &b, -1);
        return compare(o, &a, negated ? opposite(op) : op, r);
    }
    order_poly(o, n, &a);
    return compare(o, &a, negated ? CXBinaryOperator_EQ : CXBinaryOperator_NE, r);
}

/* ---- loops in the body ---- */

/* A way out of a statement other than its end, or into its middle. */
static bool jumps(const struct node *n, bool in_loop, bool in_switch) {
    if (n->kind == CXCursor_ReturnStmt || n->kind == CXCursor_GotoStmt || n->kind == CXCursor_IndirectGotoStmt ||
        n->kind == CXCursor_LabelStmt || (n->kind == CXCursor_ContinueStmt && !in_loop) ||
        (n->kind == CXCursor_BreakStmt && !in_loop && !in_switch))
        return true;
    const bool loop = n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt;
    for (const struct node *c = n->first; c; c = c->next)
        if (jumps(c, in_loop || loop, in_switch || loop || n->kind == CXCursor_SwitchStmt))
            return true;
    return false;
}

static bool has_break(const struct node *n) {
    if (n->kind == CXCursor_BreakStmt || n->kind == CXCursor_ReturnStmt || n->kind == CXCursor_GotoStmt)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (has_break(c))
            return true;
    return false;
}

/* One past a loop's last value. */
static void end_of(struct order *o, struct node *bound, bool closed, struct poly *out) {
    struct poly more;
    order_poly(o, bound, out);
    affine_constant(&more, closed);
    affine_add(out, &more, 1);
}

static bool same_loop(const struct axis *a, const struct axis *b) {
    return a->depth == b->depth && affine_equal(&a->lo, &b->lo) && affine_equal(&a->hi, &b->hi);
}

/* The axis of a loop, which is that of another one of as many turns that does not hold it; -1: not canonical. */
static int inner_axis(struct order *o, struct node *n, const struct reach *r) {
    struct loop_count c;
    struct poly first;
    long step = 1;
    if (!loop_counts(n, &c) || c.sooner || c.down || n->first->kind != CXCursor_DeclStmt || has_break(n->last) ||
        (c.step && !(ast_constant(c.step, &step) && step == 1)))
        return -1;
    struct axis x = {.count = -1, .depth = r->depth + 1};
    affine_constant(&x.lo, 0);
    order_poly(o, c.first, &first);
    end_of(o, c.bound, !c.open, &x.hi);
    affine_add(&x.hi, &first, -1);
    for (int i = 0; i < x.hi.n; i++)
        for (int a = 0; a < x.hi.t[i].n; a++)
            x.hi.ok = x.hi.ok && !order_is_axis(x.hi.t[i].atom[a]);
    if (!x.hi.ok || (affine_is_constant(&x.hi, &x.count) && x.count < 1))
        return -1;
    int axis = o->dims;
    while (axis < o->naxes && ((r->axes >> axis & 1) || !same_loop(&o->axis[axis], &x)))
        axis++;
    if (axis == MAX_AXES)
        return -1;
    if (axis == o->naxes)
        o->axis[o->naxes++] = x;
    struct value v = {.var = c.var};
    affine_atom(&v.is, order_atom(axis));
    affine_add(&v.is, &first, 1);
    vec_push(&o->values, v);
    return axis;
}

/* ---- accesses ---- */

static void visit(struct order *o, struct node *n, struct reach r);

/* The steps to an element, outermost last; false when they do not start at a variable. */
static bool path(struct order *o, struct node *n, struct access *a) {
    n = ast_strip(n);
    if (n->kind == CXCursor_DeclRefExpr) {
        a->root = clang_getCursorReferenced(n->c);
        const enum CXCursorKind kind = clang_getCursorKind(a->root);
        return kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
    }
    const bool subscript = n->kind == CXCursor_ArraySubscriptExpr, deref = ast_unary(n) == CXUnaryOperator_Deref;
    if ((!subscript && !deref && n->kind != CXCursor_MemberRefExpr) || !n->first || !path(o, n->first, a) ||
        a->nsteps == MAX_STEPS)
        return false;
    struct step *s = &a->step[a->nsteps++];
    s->subscript = subscript || deref;
    if (deref)
        affine_constant(&s->at, 0);
    else if (subscript)
        order_poly(o, n->last, &s->at);
    else
        s->field = clang_getCursorReferenced(n->c);
    return !s->subscript || s->at.ok;
}

static void subscripts(struct order *o, struct node *n, struct reach r) {
    for (n = ast_strip(n); n && n->kind != CXCursor_DeclRefExpr; n = ast_strip(n->first)) {
        if (n->kind == CXCursor_ArraySubscriptExpr)
            visit(o, n->last, r);
        else if (n->kind != CXCursor_MemberRefExpr && ast_unary(n) != CXUnaryOperator_Deref) {
            visit(o, n, r);
            return;
        }
    }
}

static bool is_lvalue(const struct node *n) {
    return n->kind == CXCursor_DeclRefExpr || n->kind == CXCursor_ArraySubscriptExpr ||
           n->kind == CXCursor_MemberRefExpr || ast_unary(n) == CXUnaryOperator_Deref;
}

static void element(struct order *o, struct node *n, struct reach r) {
    struct access *a = mem_alloc(sizeof *a);
    const unsigned access = capture_access(n);
    const CXType t = clang_getCanonicalType(clang_getCursorType(n->c));
    subscripts(o, n, r);
    if ((access & (ACCESS_ADDRESS | ACCESS_UNEVALUATED)) || t.kind == CXType_Pointer || ast_is_array(t) ||
        !path(o, n, a))
        return;
    for (size_t i = 0; i < o->values.n; i++)
        if (clang_equalCursors(o->values.at[i].var, a->root))
            return;
    if (order_inside(o, a->root) || (a->nsteps && node_changes(o->k->r.root, a->root, NULL) &&
                                     clang_getCanonicalType(clang_getCursorType(a->root)).kind == CXType_Pointer))
        return;
    a->n = n;
    a->read = access & ACCESS_READ;
    a->write = access & ACCESS_WRITE;
    a->reach = r;
    struct node *up = n->up;
    while (up && up->kind == CXCursor_ParenExpr)
        up = up->up;
    if (a->write && !a->read && up && ast_is_assignment(up))
        a->value = up->last;
    vec_push(&o->accesses, a);
}

static bool only_continues(const struct node *n) {
    return n->kind == CXCursor_ContinueStmt ||
           (n->kind == CXCursor_CompoundStmt && n->first && !n->first->next && only_continues(n->first));
}

static void block(struct order *o, struct node *n, struct reach r) {
    for (struct node *c = n->first; c; c = c->next) {
        visit(o, c, r);
        if (jumps(c, false, false))
            r.sure = r.sure && c->kind == CXCursor_IfStmt && ast_children(c) == 2 && only_continues(c->last) &&
                     given(o, c->first, true, &r);
    }
}

/* if, ?: */
static void branches(struct order *o, struct node *n, struct reach r) {
    struct reach yes = r, no = r;
    visit(o, n->first, r);
    yes.sure = r.sure && given(o, n->first, false, &yes);
    no.sure = r.sure && given(o, n->first, true, &no);
    visit(o, ast_child(n, 1), yes);
    if (ast_child(n, 2))
        visit(o, ast_child(n, 2), no);
}

static void loop(struct order *o, struct node *n, struct reach r) {
    const int axis = inner_axis(o, n, &r);
    if (axis < 0)
        return;
    for (int part = 0; part < 2; part++)
        visit(o, ast_child(n, part), r);
    r.axes |= 1u << axis;
    r.depth++;
    r.low[axis] = r.high[axis] = 0;
    visit(o, n->last, r);
}

static void declaration(struct order *o, struct node *n, struct reach r) {
    struct value v = {.var = n->c};
    if (!n->last || !clang_isExpression(n->last->kind))
        return;
    visit(o, n->last, r);
    if (!affine_is_integer(clang_getCursorType(n->c)) || node_changes(o->k->r.root, n->c, NULL))
        return;
    order_poly(o, n->last, &v.is);
    if (v.is.ok)
        vec_push(&o->values, v);
}

/* Every part of it is evaluated. Not so a ?: b, _Generic, sizeof and what else libclang has no names for. */
static bool runs_through(const struct node *n) {
    if (n->kind == CXCursor_UnexposedExpr)
        return n->first == n->last;
    return n->kind == CXCursor_DeclStmt || (clang_isExpression(n->kind) && n->kind != CXCursor_UnaryExpr &&
                                            n->kind != CXCursor_BlockExpr && n->kind != CXCursor_GenericSelectionExpr);
}

static void visit(struct order *o, struct node *n, struct reach r) {
    const struct site *m = site_of(o->u, n);
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (!r.sure || (m && m != o->k->m && site_is(m, DIRECTIVE_TASK | DIRECTIVE_TASKLOOP)))
        return;
    if (n->kind == CXCursor_CompoundStmt) {
        block(o, n, r);
    } else if ((n->kind == CXCursor_IfStmt || n->kind == CXCursor_ConditionalOperator) && ast_children(n) >= 2) {
        branches(o, n, r);
    } else if (op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr) {
        visit(o, n->first, r);
        r.sure = given(o, n->first, op == CXBinaryOperator_LOr, &r);
        visit(o, n->last, r);
    } else if (n->kind == CXCursor_ForStmt) {
        loop(o, n, r);
    } else if (n->kind == CXCursor_VarDecl) {
        declaration(o, n, r);
    } else if (is_lvalue(n)) {
        element(o, n, r);
    } else if (runs_through(n)) {
        for (struct node *c = n->first; c; c = c->next)
            visit(o, c, r);
    }
}

bool order_collect(struct task_type *k, struct order *o) {
    *o = (struct order){.k = k, .u = k->r.pool->u, .dims = k->dims, .naxes = k->dims};
    for (int d = 0; d < k->dims; d++) {
        const struct loop *l = &k->loop[d];
        struct axis *x = &o->axis[d];
        struct poly n;
        struct value v = {.var = l->var};
        order_poly(o, l->first, &x->lo);
        end_of(o, l->bound, !l->open, &x->hi);
        n = x->hi;
        affine_add(&n, &x->lo, -1);
        if (!affine_is_constant(&n, &x->count))
            x->count = -1;
        affine_atom(&v.is, order_atom(d));
        vec_push(&o->values, v);
    }
    visit(o, k->r.root, (struct reach){.sure = true});
    for (size_t i = 0; i < o->accesses.n; i++)
        for (int s = 0; s < o->accesses.at[i]->nsteps; s++)
            if (o->accesses.at[i]->step[s].subscript && !order_is_linear(&o->accesses.at[i]->step[s].at))
                return false;
    return o->accesses.n > 0;
}
