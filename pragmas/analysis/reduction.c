/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether variables that are reduced are only ever combined with the operator named; and scalars that are written
 * without being reduced.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "prepare.h"

#include <stdint.h>
#include <string.h>

/* ---- uses ---- */

static bool mentions(const struct nest *w, const struct node *n, const struct var *v) {
    for (size_t i = 0; i < w->uses.n; i++)
        if (w->uses.at[i].v == v && ast_contains(n, w->uses.at[i].n))
            return true;
    return false;
}

static bool writes(const struct nest *w, const struct node *n, const struct var *v) {
    for (size_t i = 0; i < w->uses.n; i++) {
        struct ref r = {.n = w->uses.at[i].n};
        if (w->uses.at[i].v != v || !ast_contains(n, w->uses.at[i].n))
            continue;
        if (v->joined)
            refs_subscripts(v, w->uses.at[i].n, &r);
        if (capture_access(r.n) & ACCESS_WRITE)
            return true;
    }
    return false;
}

/* The update stands under a test of the variable. */
static bool tested(const struct nest *w, const struct node *n, const struct var *v) {
    for (const struct node *c = n; c != w->body && c->up; c = c->up)
        if ((c->up->kind == CXCursor_IfStmt || c->up->kind == CXCursor_ConditionalOperator) && c->up->first != c &&
            mentions(w, c->up->first, v))
            return true;
    return false;
}

static bool operator_fits(enum red_op op, enum CXBinaryOperatorKind kind) {
    switch (op) {
    case RED_ADD:
        return kind == CXBinaryOperator_AddAssign || kind == CXBinaryOperator_SubAssign;
    case RED_MUL:
        return kind == CXBinaryOperator_MulAssign;
    case RED_AND:
        return kind == CXBinaryOperator_AndAssign;
    case RED_OR:
        return kind == CXBinaryOperator_OrAssign;
    case RED_XOR:
        return kind == CXBinaryOperator_XorAssign;
    default:
        return false;
    }
}

/* The variable, or an element of the array: that it is the same one is looked at elsewhere. */
static bool is_whole(const struct node *n, const struct var *v) {
    return n->kind == (v->joined ? CXCursor_ArraySubscriptExpr : CXCursor_DeclRefExpr);
}

static bool plain_fits(enum red_op op, const struct node *value, const struct var *v, const struct nest *w) {
    static const enum CXBinaryOperatorKind wanted[] = {
        [RED_ADD] = CXBinaryOperator_Add, [RED_MUL] = CXBinaryOperator_Mul, [RED_AND] = CXBinaryOperator_And,
        [RED_OR] = CXBinaryOperator_Or,   [RED_XOR] = CXBinaryOperator_Xor, [RED_LAND] = CXBinaryOperator_LAnd,
        [RED_LOR] = CXBinaryOperator_LOr};
    enum CXBinaryOperatorKind kind = ast_binary(value);
    if (op == RED_ADD && kind == CXBinaryOperator_Sub)
        return mentions(w, value->first, v) && !mentions(w, value->last, v);
    /* x = a + b + x and x = x + a + b: look down the chain of the same operator. */
    if (kind != wanted[op])
        return false;
    struct node *l = ast_strip(value->first), *r = ast_strip(value->last);
    bool in_l = mentions(w, l, v), in_r = mentions(w, r, v);
    struct node *in = in_l ? l : r;
    return in_l != in_r && (is_whole(in, v) || plain_fits(op, in, v, w));
}

static bool is_flag_value(struct node *value) {
    const enum CXBinaryOperatorKind op = ast_binary(ast_strip(value));
    long k;
    return (op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE) || op == CXBinaryOperator_LAnd ||
           op == CXBinaryOperator_LOr || (ast_constant(value, &k) && (k == 0 || k == 1));
}

/* All that the function gives it is 0 or 1. */
static bool is_flag(struct node *n, CXCursor var) {
    struct node *up = n->up;
    while (up && up->kind == CXCursor_ParenExpr)
        up = up->up;
    if (n->kind == CXCursor_VarDecl && clang_equalCursors(n->c, var) && n->last && clang_isExpression(n->last->kind) &&
        !is_flag_value(n->last))
        return false;
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), var) &&
        node_is_modified(capture_access(n)) &&
        (!up || ast_binary(up) != CXBinaryOperator_Assign || !is_flag_value(up->last)))
        return false;
    for (struct node *c = n->first; c; c = c->next)
        if (!is_flag(c, var))
            return false;
    return true;
}

/* if (…) found = 1: how || and && are often spelled. Where nothing sets it, it keeps its value, which joining makes 0
 * or 1; so it has to be one of these. */
static bool sets_constant(const struct nest *w, const struct var *v, struct node *value) {
    const bool one = v->op == RED_LOR,
               local = clang_getCursorKind(v->decl) == CXCursor_VarDecl && !node_is_global(v->decl);
    long k;
    if ((!one && v->op != RED_LAND) || !ast_constant(value, &k) || k != one)
        return false;
    return clang_getCanonicalType(clang_getCursorType(v->decl)).kind == CXType_Bool ||
           (local && is_flag(ast_tree(w->u, w->function), v->decl));
}

/* Once more does no harm, so that a test may leave out what would change nothing. */
static bool repeats(enum red_op op) { return op != RED_ADD && op != RED_MUL && op != RED_XOR; }

/* A whole number that gets others is rounded each time. */
static bool rounds(const struct var *v, const struct node *value) {
    return ast_is_integer(v->elem_type) && !ast_is_integer(ast_type(ast_strip((struct node *)(uintptr_t)value)));
}

/* What is wrong with an update; NULL: nothing. */
static const char *misfit(const struct nest *w, const struct use *use) {
    static const char other[] = "update it with that operator only";
    const struct var *v = use->v;
    struct node *n = use->n->up;
    bool types, fit = false;
    while (n && n->kind == CXCursor_ParenExpr)
        n = n->up;
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    if ((v->op == RED_MAX || v->op == RED_MIN) && ast_binary(n) == CXBinaryOperator_Assign) {
        if (extreme_fits(w, n, v, &types))
            return NULL;
        return types ? "its type does not hold every value that it is compared with, so the order of the iterations "
                       "would show; convert the value to that type before the comparison"
               : v->op == RED_MAX
                   ? "set it to what it is compared with where that is greater, and let no other test ask for it"
                   : "set it to what it is compared with where that is less, and let no other test ask for it";
    }
    if (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec)
        fit = v->op == RED_ADD;
    else if (n->kind == CXCursor_CompoundAssignOperator)
        fit = operator_fits(v->op, ast_binary(n)) && !mentions(w, n->last, v);
    else if (ast_binary(n) == CXBinaryOperator_Assign)
        fit = sets_constant(w, v, n->last) || plain_fits(v->op, ast_strip(n->last), v, w);
    if (!fit)
        return other;
    if (!repeats(v->op) && tested(w, n, v))
        return "a test of the variable itself makes the result depend on the order of the iterations";
    return ast_is_assignment(n) && rounds(v, n->last)
               ? "it is a whole number and the value is not, so each update rounds; convert the value, or reduce a "
                 "double"
               : NULL;
}

/* A copy's value at some time is nothing that the serial loop knows: `out[i] = bins[k]++`. */
static bool value_is_used(const struct nest *w, const struct node *n) {
    for (const struct node *up = n->up; up && n != w->body; n = up, up = n->up) {
        const enum CXBinaryOperatorKind op = ast_binary(up);
        const bool last = !n->next, first = up->first == n;
        if (op == CXBinaryOperator_Comma && first)
            return false;
        if (op == CXBinaryOperator_Comma || ((op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr) && last) ||
            (up->kind == CXCursor_ConditionalOperator && !first) || up->kind == CXCursor_ParenExpr)
            continue; /* that one's value, where it has any */
        if (clang_isExpression(up->kind) && clang_getCursorType(up->c).kind == CXType_Void)
            return false;
        if (up->kind == CXCursor_ForStmt)
            return ast_children(up) == 4 && ast_child((struct node *)up, 1) == n;
        if (up->kind == CXCursor_DoStmt)
            return last;
        if (up->kind == CXCursor_IfStmt || up->kind == CXCursor_WhileStmt || up->kind == CXCursor_SwitchStmt)
            return first;
        return clang_isExpression(up->kind) || up->kind == CXCursor_VarDecl || up->kind == CXCursor_ReturnStmt;
    }
    return false;
}

/* The assignment, ++ or -- around a mention that writes. */
static const struct node *update_of(const struct node *n) {
    for (n = n->up; n && n->kind == CXCursor_ParenExpr;)
        n = n->up;
    return n;
}

static bool check_value(struct nest *w, const struct node *written, size_t at, const char *name) {
    if (!value_is_used(w, update_of(written)))
        return true;
    diag_error(w->u, at,
               "'%s' is reduced, so the value of this update is that of one worker's copy; make the update a statement "
               "of its own, and let nothing read what it gives",
               name);
    return false;
}

/* What a test of one worker's copy decides over is updates of reduced variables, and what only these use; scalars from
 * outside are others' business. */
static bool only_updates(const struct nest *w, const struct node *all, struct node *n) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    if (n->kind == CXCursor_ContinueStmt || n->kind == CXCursor_BreakStmt || n->kind == CXCursor_ReturnStmt ||
        n->kind == CXCursor_GotoStmt)
        return false;
    if (n->kind == CXCursor_CallExpr) {
        const struct function *f = function_called(w->u, n);
        if (!function_is_pure(function_callee(n)) && (!f || f->stores))
            return false;
    }
    if (ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec)) {
        const struct node *to = ast_strip(n->first);
        const bool element = to->kind == CXCursor_ArraySubscriptExpr;
        while (to->kind == CXCursor_ArraySubscriptExpr)
            to = ast_strip(to->first);
        const CXCursor d = to->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(to->c) : clang_getNullCursor();
        const struct var *v = clang_Cursor_isNull(d) ? NULL : capture_lookup((struct nest *)(uintptr_t)w, d);
        if (v ? (element ? !v->joined : v->private) : !ast_declaration((struct node *)(uintptr_t)all, d))
            return false;
    }
    for (struct node *c = n->first; c; c = c->next)
        if (!only_updates(w, all, c))
            return false;
    return true;
}

/* A read is part of an update: on the right of its own assignment, or a test that guards nothing else. Where a test is
 * none of the operator's business, the update is told. */
static bool read_fits(const struct nest *w, const struct use *use) {
    for (struct node *c = use->n; c != w->body && c->up; c = c->up) {
        if (ast_is_assignment(c->up) && c->up->last == c && writes(w, c->up->first, use->v))
            return true;
        if ((c->up->kind == CXCursor_IfStmt || c->up->kind == CXCursor_ConditionalOperator) && c->up->first == c &&
            writes(w, c->up, use->v)) {
            bool only = true;
            if (!repeats(use->v->op))
                return true;
            for (struct node *k = c->next; k; k = k->next)
                only = only && only_updates(w, k, k);
            return only;
        }
    }
    return false;
}

static bool check_reduced(struct nest *w, const struct use *use, unsigned access) {
    if (use->v->user || use->v->place)
        return true;
    const char *op = clause_op_name(use->v->op), *name = use->v->name;
    if (access & ACCESS_ADDRESS) {
        diag_error(w->u, use->offset, "address of reduction variable '%s' taken; only update it", name);
        return false;
    }
    const char *why = access & ACCESS_WRITE ? misfit(w, use) : NULL;
    if (why) {
        diag_error(w->u, use->offset, "this is not a '%s' reduction of '%s'; %s", op, name, why);
        return false;
    }
    if ((access & ACCESS_WRITE) && !check_value(w, use->n, use->offset, name))
        return false;
    if (access == ACCESS_READ && !read_fits(w, use)) {
        diag_error(w->u, use->offset,
                   "reduction variable '%s' read outside its own update; its value is known only after the nest", name);
        return false;
    }
    return true;
}

/* ---- elements of arrays ---- */

static struct node *element_of(const struct use *use) {
    struct ref r = {0};
    return refs_subscripts(use->v, use->n, &r) ? r.n : NULL;
}

/* All that `n` mentions of the array is this element. */
static bool only_element(const struct nest *w, const struct node *n, struct node *element, const struct var *v) {
    for (size_t i = 0; i < w->uses.n; i++) {
        const struct use *use = &w->uses.at[i];
        if (use->v != v || !ast_contains(n, use->n))
            continue;
        struct node *other = element_of(use);
        if (!other || !ast_same_value(other, element))
            return false;
    }
    return true;
}

/* Is it this element that is updated, by itself? The `if` of a maximum stands directly around it. */
static bool is_update(const struct nest *w, const struct use *use, struct node *element) {
    struct node *n = element->up;
    while (n->kind == CXCursor_ParenExpr)
        n = n->up;
    if ((use->v->op != RED_MAX && use->v->op != RED_MIN) || mentions(w, n->last, use->v))
        return only_element(w, n, element, use->v);
    struct node *up = n->up;
    if (up && up->kind == CXCursor_CompoundStmt && up->first == n && !n->next)
        up = up->up;
    return up && up->kind == CXCursor_IfStmt && ast_children(up) == 2 && only_element(w, up, element, use->v);
}

static bool check_element(struct nest *w, const struct use *use) {
    struct node *element = element_of(use);
    const unsigned access = element ? capture_access(element) : ACCESS_ADDRESS;
    const char *op = clause_op_name(use->v->op), *name = use->v->name;
    if (access & (ACCESS_ADDRESS | ACCESS_UNEVALUATED)) {
        diag_error(w->u, use->offset, "'%s' is reduced, so each thread has a copy of its own; only update its elements",
                   name);
        return false;
    }
    const struct use whole = {use->v, element, use->offset};
    const char *why = access & ACCESS_WRITE ? misfit(w, &whole) : NULL;
    if (!(access & ACCESS_WRITE) && !read_fits(w, &whole)) {
        diag_error(w->u, use->offset,
                   "an element of '%s' read outside its own update; its value is known only after the loop", name);
        return false;
    }
    if (!why && (access & ACCESS_WRITE) && !is_update(w, use, element))
        why = "update it with that operator only";
    if (why) {
        diag_error(w->u, use->offset, "this is not a '%s' reduction of an element of '%s'; %s", op, name, why);
        return false;
    }
    return !(access & ACCESS_WRITE) || check_value(w, element, use->offset, name);
}

static bool fits(struct nest *w, struct var *v, enum red_op op) {
    struct diag_held held;
    bool ok = true, any = false;
    diag_hold(w->u, &held);
    v->joined = true;
    v->op = op;
    for (size_t i = 0; ok && i < w->uses.n; i++)
        if (w->uses.at[i].v == v) {
            any = true;
            ok = check_element(w, &w->uses.at[i]);
        }
    v->joined = false;
    diag_release(w->u, &held, false);
    return ok && any;
}

bool reduction_would_fit(struct nest *w, struct var *v, enum red_op *op) {
    for (*op = RED_ADD; *op < RED_USER; ++*op)
        if (reduction_is_number(v->elem_type) && (ast_is_integer(v->elem_type) || *op < RED_AND || *op > RED_XOR) &&
            fits(w, v, *op))
            return true;
    return false;
}

static bool check_bounds(struct nest *w, const struct node *n) {
    bool ok = true;
    if (n->kind == CXCursor_DeclRefExpr) {
        struct var *v = capture_lookup(w, clang_getCursorReferenced(n->c));
        if (v && v->reduced) {
            diag_error(w->u, n->b,
                       "loop bound depends on '%s', which the body changes; copy it to another variable first",
                       v->name);
            ok = false;
        }
    }
    for (const struct node *c = n->first; c; c = c->next)
        ok &= check_bounds(w, c);
    return ok;
}

/* Once for each variable, where the reason is not the single write. */
static void written(struct nest *w, const struct use *use) {
    const char *why = imperfect_scalar(w, use->v->decl);
    if (!why)
        diag_error(w->u, use->offset,
                   "'%s' is written by every cell; declare it inside the nest, or add reduction(op: %s)", use->v->name,
                   use->v->name);
    else if (!use->v->private)
        diag_error(w->u, use->offset, "%s", why);
    use->v->private = why != NULL; /* the nest is not translated */
}

bool reduction_check(struct nest *w) {
    bool ok = true;
    for (size_t i = 0; i < w->uses.n; i++) {
        const struct use *use = &w->uses.at[i];
        unsigned access = capture_access(use->n);
        if (use->v->joined)
            ok &= check_element(w, use);
        if (use->v->kind != VAR_SCALAR)
            continue;
        if (use->v->reduced) {
            ok &= check_reduced(w, use, access);
        } else if (w->p->directive->bit == DIRECTIVE_FOR) {
            continue; /* loop/check.c */
        } else if (access & ACCESS_WRITE) {
            if (refs_member_array(use->n))
                diag_error(w->u, use->offset, "'%s' " REFS_MEMBER_WRITTEN, use->v->name);
            else
                written(w, use);
            ok = false;
        } else if ((access & ACCESS_ADDRESS) && !clang_isConstQualifiedType(use->v->elem_type) &&
                   !refs_only_shown(use->n)) {
            diag_error(w->u, use->offset,
                       "address of '%s' taken, so it may be written; make the parameter a pointer to const, or copy it "
                       "to a local variable of the body first",
                       use->v->name);
            ok = false;
        }
    }
    for (int l = 0; l < 2 && w->loop[l].stmt; l++)
        for (int part = 0; part < 2 + (w->loop[l].step != NULL); part++)
            ok &= check_bounds(w, ast_child(w->loop[l].stmt, part));
    return ok;
}
