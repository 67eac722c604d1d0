/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is the recurrence a prefix sum? The body must be one assignment to S[i][j], after declarations at
 * most, of a sum in which S[i-1][j] and S[i][j-1] stand once and S[i-1][j-1] once with a minus (a
 * summed-area table), or one of the first two alone (sums down the columns, along the rows). All
 * else is the term that is summed. Operations between the assignment and a carried element must be
 * additions in a type that loses nothing of the element's; integers then are exact modulo 2^n in any
 * order. Floating-point numbers are then added in another order than the loop's, which nobody may guess: schedule(scan)
 * or the command line (-ffast-math) asserts it.
 */
#include "analysis/refs.h"
#include "wavefront/wavefront.h"

#include <stdint.h>

struct sum {
    struct nest *w;
    const struct var *v;
    bool real;
    long long size;          /* of an element */
    int top, left, top_left; /* signed occurrences */
    int guards;              /* PREFIX_GUARD_* */
};

static const struct ref *carried(const struct sum *s, const struct node *n) {
    const struct ref *r = n->kind == CXCursor_ArraySubscriptExpr ? refs_at(s->w, n) : NULL;
    return r && r->v == s->v && r->role >= ROLE_LEFT && r->role <= ROLE_TOP_LEFT ? r : NULL;
}

static bool holds_carried(const struct sum *s, const struct node *n) {
    if (carried(s, n))
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (holds_carried(s, c))
            return true;
    return false;
}

static bool is_integer(CXType t) { return t.kind >= CXType_Char_U && t.kind <= CXType_LongLong; }

static bool is_real(CXType t) { return t.kind == CXType_Float || t.kind == CXType_Double; }

/* Sums in this type, converted to the element's, are the element's own. */
static bool keeps_sum(const struct sum *s, const struct node *n) {
    CXType t = clang_getCanonicalType(clang_getCursorType(n->c));
    return (s->real ? is_real(t) : is_integer(t)) && clang_Type_getSizeOf(t) >= s->size;
}

static bool count(struct sum *s, struct node *n, int sign) {
    struct ref *r = refs_at(s->w, n);
    int *role = r->role == ROLE_TOP ? &s->top : r->role == ROLE_LEFT ? &s->left : &s->top_left;
    *role += sign;
    r->sign = sign;
    return *role == sign; /* the second one: not this kind of sum */
}

/* A test that is true exactly where the loop variable is not zero; adds the variable's flag. */
static bool not_zero(const struct sum *s, struct node *n, int *set) {
    enum CXBinaryOperatorKind op = ast_binary(n = ast_strip(n));
    struct node *a = ast_strip(ast_child(n, 0)), *b = ast_strip(ast_child(n, 1));
    long k, least = 0;
    if (op == CXBinaryOperator_LAnd)
        return not_zero(s, a, set) && not_zero(s, b, set);
    if (op == CXBinaryOperator_LT && ast_constant(a, &k) && k == 0)
        n = b; /* 0 < i */
    else if ((op == CXBinaryOperator_GT || op == CXBinaryOperator_NE) && ast_constant(b, &k) && k == 0)
        n = a;
    else if (op == CXBinaryOperator_GE && ast_constant(b, &k) && k == 1)
        n = a;
    for (int l = 0; l < 2; l++)
        if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), s->w->loop[l].var)) {
            *set |= l ? PREFIX_GUARD_J : PREFIX_GUARD_I;
            return ast_constant(s->w->loop[l].first, &least) && least >= 0;
        }
    return false;
}

static bool is_zero(struct node *n) {
    long k;
    if (ast_constant(n, &k))
        return k == 0;
    n = ast_strip(n);
    CXEvalResult r = n->kind == CXCursor_FloatingLiteral ? clang_Cursor_Evaluate(n->c) : NULL;
    bool zero = r && clang_EvalResult_getKind(r) == CXEval_Float && clang_EvalResult_getAsDouble(r) == 0;
    if (r)
        clang_EvalResult_dispose(r);
    return zero;
}

/* (i > 0 ? S[i-1][j] : 0): nothing above the first row. */
static bool guarded(struct sum *s, struct node *n, int sign) {
    struct node *test = ast_child(n, 0), *then = ast_strip(ast_child(n, 1));
    const struct ref *r = then ? carried(s, then) : NULL;
    int set = 0;
    if (!r || !keeps_sum(s, n) || !is_zero(ast_child(n, 2)) || !not_zero(s, test, &set))
        return false;
    const int may = r->role == ROLE_TOP    ? PREFIX_GUARD_I
                    : r->role == ROLE_LEFT ? PREFIX_GUARD_J
                                           : PREFIX_GUARD_I | PREFIX_GUARD_J;
    s->guards |= set;
    return !(set & ~may) && count(s, then, sign);
}

static bool collect(struct sum *s, struct node *n, int sign) {
    if (!holds_carried(s, n))
        return true;
    if (carried(s, n))
        return count(s, n, sign);
    if (n->kind == CXCursor_ConditionalOperator)
        return guarded(s, n, sign);
    if (!keeps_sum(s, n))
        return false;
    enum CXBinaryOperatorKind op = ast_binary(n);
    enum CXUnaryOperatorKind unary = ast_unary(n);
    if (n->kind == CXCursor_UnexposedExpr || n->kind == CXCursor_ParenExpr || n->kind == CXCursor_CStyleCastExpr)
        return collect(s, n->last, sign);
    if (unary == CXUnaryOperator_Plus || unary == CXUnaryOperator_Minus)
        return collect(s, n->first, unary == CXUnaryOperator_Plus ? sign : -sign);
    if (n->kind == CXCursor_BinaryOperator && (op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub))
        return collect(s, n->first, sign) && collect(s, n->last, op == CXBinaryOperator_Add ? sign : -sign);
    return false;
}

/* The array, if it is the only thing that the nest changes, every cell of it is kept and sweeps have nothing to do with
 * each other. */
static const struct var *only_array(const struct nest *w) {
    const struct var *v = NULL;
    for (size_t i = 0; i < w->vars.n; i++) {
        const struct var *x = w->vars.at[i];
        if (x->reduced || (x->write && v))
            return NULL;
        v = x->write ? x : v;
    }
    return v && v->field == FIELD_FULL && v->keep == KEEP_ALL && w->registers && !w->extended && w->memory &&
                   !w->host_border && !v->rows_apart && (!w->swept || w->batched)
               ? v
               : NULL;
}

/* The assignment that ends the body; NULL when other statements touch the array or may skip it. */
static struct node *assignment(const struct sum *s) {
    struct node *n = s->w->body;
    int writes = 0;
    if (n->kind == CXCursor_CompoundStmt) {
        if (!n->first)
            return NULL;
        for (struct node *c = n->first; c->next; c = c->next)
            if (c->kind != CXCursor_DeclStmt)
                return NULL;
        n = n->last;
    }
    for (size_t i = 0; i < s->w->refs.n; i++) {
        const struct ref *r = s->w->refs.at[i];
        if (r->v != s->v || (r->access & ACCESS_UNEVALUATED))
            continue;
        writes += (r->access & ACCESS_WRITE) != 0;
        if (r->role == ROLE_MEMORY || r->macro || r->b < n->b)
            return NULL;
    }
    enum CXBinaryOperatorKind op = ast_binary(n);
    struct ref *target = n->first ? refs_at(s->w, ast_strip(n->first)) : NULL;
    if (writes != 1 || !target || target->v != s->v || target->role != ROLE_OWN || s->w->continue_at != SIZE_MAX)
        return NULL;
    return op == CXBinaryOperator_Assign || op == CXBinaryOperator_AddAssign ? n : NULL;
}

static bool counts_in_int(const struct loop *l) {
    return clang_getCanonicalType(clang_getCursorType(l->var)).kind == CXType_Int;
}

/* Cells of a row follow each other in memory: the last subscript counts columns. */
static bool unit_stride(const struct ref *r) {
    struct poly coefficient, rest;
    long one;
    return affine_split(&r->poly[r->nsubs - 1], ATOM_J, &coefficient, &rest) &&
           affine_is_constant(&coefficient, &one) && one == 1;
}

void prefix_recognise(struct nest *w) {
    struct sum s = {.w = w, .v = only_array(w)};
    if (!s.v)
        return;
    CXType t = clang_getCanonicalType(s.v->elem_type);
    s.real = is_real(t);
    s.size = clang_Type_getSizeOf(t);
    struct node *n = assignment(&s);
    if (!n || clang_isVolatileQualifiedType(t) || (!s.real && !is_integer(t)) || !collect(&s, n->last, 1))
        return;
    if (s.top == 1 && s.left == 1 && s.top_left == -1)
        w->prefix = PREFIX_ROW | PREFIX_COLUMN;
    else if (s.top + s.left == 1 && s.top >= 0 && s.left >= 0 && s.top_left == 0)
        w->prefix = s.left ? PREFIX_ROW : PREFIX_COLUMN;
    if (w->prefix) {
        w->prefix |= s.guards | (counts_in_int(&w->loop[0]) && counts_in_int(&w->loop[1]) ? PREFIX_INT : 0) |
                     (unit_stride(s.v->write) ? PREFIX_UNIT : 0) |
                     (!s.real || w->u->reassociates ? PREFIX_ANY_ORDER : 0);
        w->prefix_var = s.v;
    }
    if (w->prefix && !(w->prefix & PREFIX_ANY_ORDER) && !nest_clause(w, CLAUSE_SCHEDULE))
        diag_advice(w->u, w->p->b,
                    "if the sums of '%s' may be added in another order, add schedule(scan): it is faster", s.v->name);
}

bool prefix_check(const struct nest *w) {
    const struct clause *c = nest_clause(w, CLAUSE_SCHEDULE);
    if (!c || c->kind != SCHEDULE_SCAN || w->prefix)
        return true;
    diag_error(w->u, c->name.b,
               "schedule(scan) needs a prefix sum, S[i][j] = term + S[i-1][j] + S[i][j-1] - S[i-1][j-1] "
               "or term plus one of the first two, and nothing else in the body; use schedule(auto)");
    return false;
}
