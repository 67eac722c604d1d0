/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every access of a loop's body, and of what it calls, to memory that other iterations may see. Conditions and the
 * bounds of loops around an access are kept with it; nothing is left out because it might not be reached.
 */
#include "analysis/capture.h"
#include "proof.h"

#include <string.h>

enum { MAX_ACCESSES = 3000 };

/* ---- what is noted of an access ---- */

/* Counted by a pointer into a row: is it surely inside? */
static bool stays_inside(struct proof *o, const struct proof_step *s) {
    struct poly at, left, one;
    proof_unpack(s->at, &at);
    if (!s->extent || !at.ok || !proof_known(o, &at))
        return false;
    proof_unpack(s->extent, &left);
    affine_constant(&one, 1);
    affine_add(&left, &at, -1);
    affine_add(&left, &one, -1);
    return left.ok && proof_known(o, &left);
}

/* Where a pointer may leave its row, the rows are not told apart. */
static void check_rows(struct proof *o, struct proof_place *p) {
    for (int s = 1; s < p->n; s++) {
        if (!p->step[s].loose || !p->step[s].subscript || !p->step[s - 1].subscript || stays_inside(o, &p->step[s]))
            continue;
        for (int k = s; k >= 0 && p->step[k].subscript; k--)
            p->step[k].at = proof_pack(&(struct poly){0});
    }
}

/* a[0] = 1 in every iteration does no harm. */
static const struct packed *agreed(struct proof *o, struct node *n) {
    struct poly p;
    while (n->up && n->up->kind == CXCursor_ParenExpr)
        n = n->up;
    if (!n->up || ast_binary(n->up) != CXBinaryOperator_Assign || n->up->first != n)
        return NULL;
    const CXType t = ast_type(n->up->last);
    if (t.kind < CXType_Bool || t.kind > CXType_Int128)
        return NULL;
    proof_int(o, n->up->last, &p);
    return proof_top(&p) ? NULL : proof_pack(&p);
}

static bool same_step(const struct proof_step *a, const struct proof_step *b) {
    struct poly p, q;
    if (a->subscript != b->subscript)
        return false;
    if (!a->subscript)
        return clang_equalCursors(a->field, b->field);
    proof_unpack(a->at, &p);
    proof_unpack(b->at, &q);
    return p.ok == q.ok && (!p.ok || affine_equal(&p, &q));
}

static bool is_same(const struct proof_access *a, const struct proof_access *b) {
    if (a->n != b->n || a->read != b->read || a->write != b->write || a->atomic != b->atomic ||
        a->at.kind != b->at.kind || a->at.fuzzy != b->at.fuzzy || a->at.n != b->at.n ||
        (a->at.n && a->limits != b->limits) || (a->at.kind == ROOT_SHARED && strcmp(a->at.root, b->at.root) != 0))
        return false;
    for (int s = 0; s < a->at.n; s++)
        if (!same_step(&a->at.step[s], &b->at.step[s]))
            return false;
    return true;
}

/* x = x + …, x = … + x */
static bool is_own_operand(struct node *assignment, struct node *n) {
    struct node *value = ast_strip(assignment->last);
    return value->kind == CXCursor_BinaryOperator && (ast_strip(value->first) == n || ast_strip(value->last) == n) &&
           ast_same_value(assignment->first, n);
}

/* Under '#pragma omp atomic': the place that is updated, or read by v = x. */
static bool is_atomic(const struct proof *o, struct node *n, unsigned access) {
    struct node *up = n->up;
    while (up && (up->kind == CXCursor_ParenExpr || up->kind == CXCursor_UnexposedExpr))
        up = up->up;
    if (!o->atomic || !up)
        return false;
    if (access & ACCESS_WRITE)
        return !(ast_binary(up) == CXBinaryOperator_Assign &&
                 (ast_is_assignment(ast_strip(up->last)) || ast_unary(ast_strip(up->last)) != CXUnaryOperator_Invalid));
    while (up->up && up->kind != CXCursor_OMPAtomicDirective && ast_binary(up) != CXBinaryOperator_Assign)
        up = up->up;
    return ast_binary(up) == CXBinaryOperator_Assign && (ast_strip(up->last) == n || is_own_operand(up, n));
}

/* An update of a copy, which a thread has of the array. */
static bool is_joined(const struct proof *o, const struct node *n) {
    while (n->kind != CXCursor_DeclRefExpr && n->first && o->joined.n)
        n = n->first;
    for (size_t i = 0; !o->frame->f && n->kind == CXCursor_DeclRefExpr && i < o->joined.n; i++)
        if (clang_equalCursors(o->joined.at[i], clang_getCursorReferenced(n->c)))
            return true;
    return false;
}

void proof_record(struct proof *o, struct node *n, struct proof_place *at, unsigned access) {
    struct proof_access *a = mem_alloc(sizeof *a);
    if (at->kind == ROOT_PRIVATE || o->accesses.n > MAX_ACCESSES)
        return;
    check_rows(o, at);
    *a = (struct proof_access){.n = o->frame->site ? o->frame->site : n,
                               .at = *at,
                               .read = (access & ACCESS_READ) != 0,
                               .write = (access & ACCESS_WRITE) != 0,
                               .limits = o->limits,
                               .joined = is_joined(o, n),
                               .atomic = is_atomic(o, n, access)};
    a->called = o->frame->site ? o->frame->f : NULL;
    if (access == ACCESS_WRITE)
        a->value = agreed(o, n);
    for (size_t i = 0; i < o->accesses.n; i++)
        if (is_same(o->accesses.at[i], a))
            return;
    vec_push(&o->accesses, a);
    if (o->accesses.n > MAX_ACCESSES) /* too many to look through */
        a->at = (struct proof_place){.kind = ROOT_UNKNOWN, .fuzzy = true}, a->read = a->write = true;
}

/* ---- lvalues ---- */

static void parts(struct proof *o, struct node *n);

static void base(struct proof *o, struct node *n) {
    struct node *s = ast_strip(n);
    if (proof_is_object(s) && ast_type(s).kind != CXType_Pointer)
        parts(o, s);
    else
        proof_visit(o, n);
}

/* What is read on the way to the element. */
static void parts(struct proof *o, struct node *n) {
    n = ast_strip(n);
    if (n->kind == CXCursor_DeclRefExpr || !n->first)
        return;
    if (n->kind == CXCursor_ArraySubscriptExpr)
        proof_visit(o, n->last);
    if (proof_is_object(n))
        base(o, n->first);
    else
        proof_visit(o, n);
}

static void element(struct proof *o, struct node *n) {
    const unsigned access = capture_access(n);
    struct proof_place at;
    if (access & ACCESS_UNEVALUATED)
        return;
    parts(o, n);
    if ((access & ACCESS_ADDRESS) || ast_is_array(ast_type(n)))
        return;
    proof_place(o, n, &at);
    proof_record(o, n, &at, access);
}

/* ---- statements ---- */

static void condition(struct proof *o, struct node *n, bool negated) {
    if (!o->frame->wild)
        proof_given(o, n, negated);
}

static void branches(struct proof *o, struct node *n) {
    struct proof_limit *before = o->limits;
    proof_visit(o, n->first);
    for (int side = 1; side <= 2 && ast_child(n, side); side++) {
        condition(o, n->first, side == 2);
        proof_visit(o, ast_child(n, side));
        o->limits = before;
    }
}

static bool leaves(const struct node *n) {
    if (n->kind == CXCursor_CompoundStmt)
        return n->last && leaves(n->last);
    return n->kind == CXCursor_ContinueStmt || n->kind == CXCursor_BreakStmt || n->kind == CXCursor_ReturnStmt;
}

static void block(struct proof *o, struct node *n) {
    struct proof_limit *before = o->limits;
    for (struct node *c = n->first; c; c = c->next) {
        if (c->kind == CXCursor_CaseStmt || c->kind == CXCursor_DefaultStmt || c->kind == CXCursor_LabelStmt)
            o->limits = before; /* reached from elsewhere */
        proof_visit(o, c);
        if (c->kind == CXCursor_IfStmt && ast_children(c) == 2 && leaves(c->last))
            condition(o, c->first, true);
    }
    o->limits = before;
}

static void loop(struct proof *o, struct node *n) {
    struct loop_count c;
    struct proof_limit *before = o->limits;
    const size_t bindings = o->bindings.n;
    if (!loop_counts(n, &c) || !proof_is_inside(o, c.var)) {
        for (struct node *part = n->first; part; part = part->next)
            proof_visit(o, part);
        return;
    }
    proof_visit(o, c.first);
    proof_visit(o, c.bound);
    if (c.step)
        proof_visit(o, c.step);
    if (o->frame->wild)
        proof_bind(o, c.var, clang_getNullCursor(), &(struct proof_value){.kind = VALUE_NONE});
    else
        proof_enter(o, &c, NULL);
    proof_visit(o, n->last);
    o->limits = before;
    o->bindings.n = bindings;
}

/* struct view v = {a, b}: each member by itself */
struct fields {
    struct proof *o;
    CXCursor var;
    struct node *next;
};

static enum CXVisitorResult field_visit(CXCursor field, CXClientData data) {
    struct fields *f = data;
    struct node *value = f->next;
    struct proof_value v;
    if (!value || clang_Cursor_isBitField(field))
        return CXVisit_Break;
    f->next = value->next;
    proof_value(f->o, value, &v);
    if (v.kind == VALUE_POINTER)
        proof_bind(f->o, f->var, field, &v);
    return CXVisit_Continue;
}

static void members(struct proof *o, struct node *var) {
    struct fields f = {o, var->c, var->last->first};
    for (const struct node *c = f.next; c; c = c->next)
        if (c->first && c->first->kind == CXCursor_MemberRef) /* .name = value: in any order */
            return;
    if (!node_changes(o->frame->root, var->c, NULL))
        clang_Type_visitFields(ast_type(var), field_visit, &f);
}

static void declaration(struct proof *o, struct node *n) {
    struct proof_value v = {.kind = VALUE_NONE};
    struct poly p;
    const CXType t = ast_type(n);
    const bool has_value = n->last && clang_isExpression(n->last->kind) && !ast_is_array(t);
    for (struct node *c = n->first; c; c = c->next)
        proof_visit(o, c);
    if (has_value && n->last->kind == CXCursor_InitListExpr && t.kind == CXType_Record) {
        members(o, n);
        return;
    }
    if (has_value && (t.kind == CXType_Pointer || t.kind == CXType_Record)) {
        proof_value(o, n->last, &v);
    } else if (has_value) {
        proof_int(o, n->last, &p);
        v = (struct proof_value){.kind = VALUE_INT, .is = proof_pack(&p)};
    }
    proof_declare(o, n->c, has_value ? &v : NULL);
}

static void result(struct proof *o, struct node *n) {
    struct poly p;
    if (!n->first)
        return;
    proof_visit(o, n->first);
    o->frame->returns++;
    proof_value(o, n->first, &o->frame->result);
    const CXType t = ast_type(n->first);
    if (o->frame->result.kind == VALUE_NONE && t.kind >= CXType_Bool && t.kind <= CXType_Int128) {
        proof_int(o, n->first, &p);
        o->frame->result = (struct proof_value){.kind = VALUE_INT, .is = proof_pack(&p)};
    }
}

static void expression(struct proof *o, struct node *n) {
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr) {
        struct proof_limit *before = o->limits;
        proof_visit(o, n->first);
        condition(o, n->first, op == CXBinaryOperator_LOr);
        proof_visit(o, n->last);
        o->limits = before;
    } else if (ast_is_assignment(n)) {
        proof_visit(o, n->last); /* its calls have values then */
        proof_visit(o, n->first);
        if (op == CXBinaryOperator_Assign)
            proof_assigned(o, n);
    } else {
        for (struct node *c = n->first; c; c = c->next)
            proof_visit(o, c);
    }
}

void proof_visit(struct proof *o, struct node *n) {
    o->visits++;
    if (n->kind == CXCursor_UnaryExpr) /* sizeof */
        return;
    if (n->kind == CXCursor_CompoundStmt) {
        block(o, n);
    } else if ((n->kind == CXCursor_IfStmt || n->kind == CXCursor_ConditionalOperator) && ast_children(n) >= 2) {
        branches(o, n);
    } else if (n->kind == CXCursor_ForStmt) {
        loop(o, n);
    } else if (n->kind == CXCursor_VarDecl) {
        declaration(o, n);
    } else if (n->kind == CXCursor_ReturnStmt) {
        result(o, n);
    } else if (n->kind == CXCursor_CallExpr) {
        proof_call(o, n);
    } else if (n->kind == CXCursor_OMPAtomicDirective) {
        o->atomic++;
        expression(o, n);
        o->atomic--;
    } else if (ast_is_openmp(n)) {
        proof_hidden(o, n);
    } else if (proof_is_object(n)) {
        element(o, n);
    } else {
        expression(o, n);
    }
}

/* ---- frames ---- */

/* goto, or a case in the middle of another statement */
static bool is_wild(const struct node *n) {
    if (n->kind == CXCursor_GotoStmt || n->kind == CXCursor_IndirectGotoStmt)
        return true;
    if ((n->kind == CXCursor_CaseStmt || n->kind == CXCursor_DefaultStmt) && n->up &&
        n->up->kind != CXCursor_CaseStmt && n->up->kind != CXCursor_DefaultStmt &&
        !(n->up->up && n->up->up->kind == CXCursor_SwitchStmt))
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (is_wild(c))
            return true;
    return false;
}

void proof_frame(struct proof *o, struct proof_frame *f) {
    struct proof_limit *limits = o->limits;
    const size_t results = o->results.n;
    f->up = o->frame;
    f->wild = is_wild(f->root);
    o->frame = f;
    proof_visit(o, f->root);
    o->frame = f->up;
    o->limits = limits;
    o->results.n = results;
}
