/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `#pragma heddle lanes`: a canonical loop whose iterations are spread over the lanes of a worker. What the user
 * promises is that they are independent; what can be seen to break that is an error.
 */
#include "analysis/capture.h"
#include "pool.h"

#include <string.h>

static const char *const neutral[] = {
    [RED_ADD] = "0",  [RED_MUL] = "1", [RED_AND] = "~0", [RED_OR] = "0",  [RED_XOR] = "0",
    [RED_LAND] = "1", [RED_LOR] = "0", [RED_MAX] = NULL, [RED_MIN] = NULL};

/* ---- reductions ---- */

static const struct clause *reduced_by(const struct unit *u, const struct site *m, const struct local *l) {
    for (size_t i = 0; i < m->p->clauses.n; i++) {
        const struct clause *c = &m->p->clauses.at[i];
        for (size_t k = 0; k < c->items.n; k++)
            if (strcmp(source_flat(&u->src, c->items.at[k].name), l->name) == 0)
                return c;
    }
    return NULL;
}

static bool op_matches(enum CXBinaryOperatorKind op, enum red_op red) {
    switch (op) {
    case CXBinaryOperator_AddAssign:
    case CXBinaryOperator_SubAssign:
        return red == RED_ADD;
    case CXBinaryOperator_MulAssign:
        return red == RED_MUL;
    case CXBinaryOperator_AndAssign:
        return red == RED_AND;
    case CXBinaryOperator_OrAssign:
        return red == RED_OR;
    case CXBinaryOperator_XorAssign:
        return red == RED_XOR;
    default:
        return false;
    }
}

/* Does `x = …` combine x with something by the operator, or choose the larger or smaller? */
static bool combines(struct node *value, const char *name, enum red_op red) {
    static const enum CXBinaryOperatorKind ops[] = {
        [RED_ADD] = CXBinaryOperator_Add, [RED_MUL] = CXBinaryOperator_Mul,     [RED_AND] = CXBinaryOperator_And,
        [RED_OR] = CXBinaryOperator_Or,   [RED_XOR] = CXBinaryOperator_Xor,     [RED_LAND] = CXBinaryOperator_LAnd,
        [RED_LOR] = CXBinaryOperator_LOr, [RED_MAX] = CXBinaryOperator_Invalid, [RED_MIN] = CXBinaryOperator_Invalid};
    if (red == RED_MAX || red == RED_MIN)
        return true;
    value = ast_strip(value);
    if (ast_binary(value) != ops[red])
        return false;
    for (int side = 0; side < 2; side++) {
        struct node *x = ast_strip(side ? value->last : value->first);
        if (x->kind == CXCursor_DeclRefExpr && strcmp(ast_name(x->c), name) == 0)
            return true;
    }
    return false;
}

/* The assignment or step that changes the variable mentioned at n, if it does. */
static struct node *change(struct node *n) {
    while (n->up && (n->up->kind == CXCursor_ParenExpr || n->up->kind == CXCursor_UnexposedExpr))
        n = n->up;
    struct node *up = n->up;
    enum CXUnaryOperatorKind unary = up ? ast_unary(up) : CXUnaryOperator_Invalid;
    if (up && ((ast_is_assignment(up) && up->first == n) ||
               (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec)))
        return up;
    return NULL;
}

/* A mention beside the change of the variable itself: part of the new value, or of the test in front of it. */
static bool beside_change(struct region *r, const struct site *m, const struct mention *x) {
    for (size_t i = 0; i < r->mentions.n; i++) {
        const struct mention *y = &r->mentions.at[i];
        struct node *at = y->l == x->l && y->lanes == m ? change(y->n) : NULL;
        if (!at)
            continue;
        if (ast_contains(at, x->n))
            return true;
        for (struct node *up = at->up; up && up != m->stmt; up = up->up)
            if (up->kind == CXCursor_IfStmt && ast_contains(up->first, x->n))
                return true;
    }
    return false;
}

static bool check_reduced(struct region *r, const struct site *m, const struct mention *x, const struct clause *c) {
    struct unit *u = r->pool->u;
    enum red_op red = (enum red_op)c->kind;
    struct node *at = change(x->n);
    enum CXUnaryOperatorKind unary = at ? ast_unary(at) : CXUnaryOperator_Invalid;
    bool step = unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec;
    if (at && !(step && red == RED_ADD) && !op_matches(ast_binary(at), red) &&
        !(ast_binary(at) == CXBinaryOperator_Assign && combines(at->last, x->l->name, red))) {
        diag_error(u, at->b, "'%s' is reduced by '%s', but changed in another way here", x->l->name,
                   clause_op_name(red));
        return false;
    }
    if (!at && !beside_change(r, m, x)) {
        diag_error(u, x->n->b,
                   "reduction variable '%s' read outside its own update; its value is known only after the lanes loop",
                   x->l->name);
        return false;
    }
    return true;
}

static bool check_clause(struct region *r, struct site *m, const struct clause *c) {
    struct unit *u = r->pool->u;
    bool ok = true;
    for (size_t k = 0; k < c->items.n; k++) {
        const char *name = source_flat(&u->src, c->items.at[k].name);
        const struct local *found = NULL;
        for (size_t i = 0; i < r->mentions.n; i++)
            if (r->mentions.at[i].lanes == m && strcmp(r->mentions.at[i].l->name, name) == 0)
                found = r->mentions.at[i].l;
        CXType t = found ? clang_getCanonicalType(found->type) : (CXType){.kind = CXType_Invalid};
        bool arithmetic = (t.kind >= CXType_Bool && t.kind <= CXType_LongDouble);
        if (!found || found->place != PLACE_LANE || !arithmetic) {
            diag_error(u, c->items.at[k].name.b,
                       found ? "'%s' cannot be reduced: it must be a local variable of arithmetic "
                               "type whose address is not taken"
                             : "'%s' is not used in the lanes loop; remove it",
                       name);
            ok = false;
        }
        if (found && clang_Type_getSizeOf(t) > 8) {
            diag_error(u, c->items.at[k].name.b, "'%s' has more than 8 bytes and cannot be reduced", name);
            ok = false;
        }
    }
    return ok;
}

/* ---- independence ---- */

static bool mentions_iteration(struct region *r, const struct site *m, const struct loop *l, struct node *n) {
    if (n->kind == CXCursor_CallExpr)
        return true;
    if (n->kind == CXCursor_DeclRefExpr) {
        CXCursor d = clang_getCursorReferenced(n->c);
        const struct local *x = region_local(r, d);
        if (clang_equalCursors(d, l->var) || (x && x->lanes == m->stmt))
            return true;
    }
    for (struct node *c = n->first; c; c = c->next)
        if (mentions_iteration(r, m, l, c))
            return true;
    return false;
}

static bool in_atomic(const struct node *n) {
    for (; n; n = n->up)
        if (n->kind == CXCursor_OMPAtomicDirective)
            return true;
    return false;
}

struct access { /* v[s0][s1]… with all subscripts that follow each other */
    struct node *n;
    CXCursor base;
    int nsubs;
    struct poly sub[MAX_DIMS];
    bool write;
};
typedef VEC(struct access) access_list;

static bool read_access(struct nest *w, struct node *n, struct access *out) {
    struct node *subs[MAX_DIMS];
    *out = (struct access){.n = n, .write = (capture_access(n) & ACCESS_WRITE) != 0};
    for (struct node *x = n; x && x->kind == CXCursor_ArraySubscriptExpr; x = ast_strip(x->first)) {
        if (out->nsubs == MAX_DIMS)
            return false;
        subs[out->nsubs++] = x->last;
        struct node *base = ast_strip(x->first);
        if (base && base->kind == CXCursor_DeclRefExpr) {
            out->base = clang_getCursorReferenced(base->c);
            for (int i = 0; i < out->nsubs; i++)
                affine_of(w, subs[i], &out->sub[i]);
            return true;
        }
    }
    return false;
}

static void collect_accesses(struct nest *w, struct node *n, access_list *out) {
    struct access a;
    const struct node *up = n->up, *below = n;
    while (up && (up->kind == CXCursor_ParenExpr || up->kind == CXCursor_UnexposedExpr)) {
        below = up;
        up = up->up;
    }
    bool outermost = !up || up->kind != CXCursor_ArraySubscriptExpr || up->first != below;
    if (n->kind == CXCursor_ArraySubscriptExpr && outermost && read_access(w, n, &a))
        vec_push(out, a);
    for (struct node *c = n->first; c; c = c->next)
        collect_accesses(w, c, out);
}

/* Iterations between two accesses to the same element; 0: none that can be seen. */
static long distance(const struct access *a, const struct access *b) {
    long k = 0;
    if (a->nsubs != b->nsubs || !clang_equalCursors(a->base, b->base))
        return 0;
    for (int i = 0; i < a->nsubs; i++) {
        struct poly d = a->sub[i], coef, rest;
        long c, step;
        affine_add(&d, &b->sub[i], -1);
        if (!affine_is_constant(&d, &c) || !affine_split(&a->sub[i], ATOM_I, &coef, &rest) ||
            !affine_is_constant(&coef, &step))
            return 0;
        if (step == 0 ? c != 0 : c % step != 0)
            return 0;
        if (step != 0) {
            if (k && k != c / step)
                return 0;
            k = c / step;
        }
    }
    return k;
}

static bool check_accesses(struct region *r, const struct site *m, const struct loop *l) {
    access_list all = {0};
    struct nest w = {.u = r->pool->u, .root = m->stmt, .root_end = m->end};
    w.loop[0] = *l;
    w.loop[1].var = clang_getNullCursor();
    collect_accesses(&w, m->stmt->last, &all);
    for (size_t i = 0; i < all.n; i++)
        for (size_t j = 0; j < all.n; j++)
            if (all.at[i].write && distance(&all.at[i], &all.at[j])) {
                diag_error(
                    r->pool->u, all.at[j].n->b,
                    "the lanes run different iterations at the same time, but this element is written in another "
                    "one; use a second array, or leave 'lanes' out");
                diag_note(r->pool->u, all.at[i].n->b, "it is written here");
                return false;
            }
    return true;
}

static bool check_stores(struct region *r, const struct site *m, const struct loop *l, struct node *n) {
    bool ok = true;
    enum CXUnaryOperatorKind unary = ast_unary(n);
    bool step = unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec;
    if ((ast_is_assignment(n) || step) && worker_is_shared(r, n->first) && !in_atomic(n) &&
        !mentions_iteration(r, m, l, n->first)) {
        diag_error(r->pool->u, n->b,
                   "every lane writes to the same place; index it by '%s', or use a local variable with "
                   "reduction(), or '#pragma omp atomic'",
                   l->name);
        ok = false;
    }
    for (struct node *c = n->first; c; c = c->next)
        ok &= check_stores(r, m, l, c);
    return ok;
}

static bool check_mentions(struct region *r, struct site *m, const struct loop *l) {
    struct unit *u = r->pool->u;
    bool ok = true;
    for (size_t i = 0; i < r->mentions.n; i++) {
        const struct mention *x = &r->mentions.at[i];
        if (x->lanes != m || x->l->place != PLACE_LANE)
            continue;
        const struct clause *c = reduced_by(u, m, x->l);
        unsigned access = capture_access(x->n);
        bool own = x->l->lanes == m->stmt;
        if (c) {
            ok &= check_reduced(r, m, x, c);
        } else if (clang_equalCursors(x->l->decl, l->var)) {
            struct node *head = ast_child(m->stmt, 2); /* the increment */
            if ((access & (ACCESS_WRITE | ACCESS_ADDRESS)) && !ast_contains(head, x->n)) {
                diag_error(u, x->n->b,
                           "not a canonical loop: the body modifies '%s' or takes its address; copy it to a "
                           "local variable",
                           l->name);
                ok = false;
            }
        } else if (!own && (access & ACCESS_WRITE)) {
            diag_error(u, x->n->b,
                       "'%s' is written by every lane; declare it inside the lanes loop, or add reduction(op: %s)",
                       x->l->name, x->l->name);
            ok = false;
        }
    }
    return ok;
}

/* ---- the text ---- */

static bool is_word(const char *s) {
    return s[strspn(s, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")] == '\0';
}

static void reductions(const struct unit *u, const struct site *m, struct buf *before, struct buf *after) {
    for (size_t i = 0; i < m->p->clauses.n; i++) {
        const struct clause *c = &m->p->clauses.at[i];
        enum red_op red = (enum red_op)c->kind;
        for (size_t k = 0; k < c->items.n; k++) {
            const char *x = source_flat(&u->src, c->items.at[k].name);
            bool logical = red == RED_LAND || red == RED_LOR;
            if (neutral[red])
                buf_printf(before, " __typeof__(%s) heddle_%s = %s; %s = (__typeof__(%s))%s;", x, x, x, x, x,
                           neutral[red]);
            if (logical)
                buf_printf(after, " %s = %s != 0;", x, x);
            buf_printf(after, " HEDDLE_LANES_REDUCE(heddle_w, %s, %s, 0);",
                       logical ? (red == RED_LAND ? "AND" : "OR") : clause_op_constant(red), x);
            if (neutral[red])
                buf_printf(after, " %s = heddle_%s %s %s;", x, x, clause_op_name(red), x);
        }
    }
}

static bool has_directive(const struct node *n) {
    if (n->kind == CXCursor_OMPAtomicDirective)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (has_directive(c))
            return true;
    return false;
}

static void write_loop(struct region *r, struct site *m, const struct loop *l) {
    struct unit *u = r->pool->u;
    struct buf open = {0}, close = {0};
    const char *lo = source_flat(&u->src, l->lo);
    struct node *increment = ast_child(m->stmt, 2);
    buf_puts(&open, "{ HEDDLE_SYNC(heddle_w);");
    reductions(u, m, &open, &close);
    buf_puts(&open, has_directive(m->stmt->last) ? "" : " HEDDLE_LANES_LOOP");
    for (size_t i = m->p->b; i < m->p->e; i++)
        if (u->src.text[i] == '\n')
            buf_puts(&open, "\n");
    worker_replace(r, m->p->b, m->p->e, open.s);
    worker_insert(r, l->lo.b, is_word(lo) ? "" : "(");
    worker_insert(r, l->lo.e, is_word(lo) ? " + HEDDLE_LANE(heddle_w)" : ") + HEDDLE_LANE(heddle_w)");
    worker_replace(r, increment->b, increment->e, mem_printf("%s += HEDDLE_LANES(heddle_w)", l->name));
    buf_puts(&close, " HEDDLE_SYNC(heddle_w); }");
    worker_insert(r, m->end, close.s);
    if (m->p->clauses.n && r->share < 8)
        r->share = 8;
    r->reduces |= m->p->clauses.n > 0;
}

bool lanes_edits(struct region *r, struct site *m) {
    struct unit *u = r->pool->u;
    struct nest head = {.u = u, .p = m->p};
    struct loop l = {0};
    if (!nest_loop(&head, m->stmt, &l))
        return false;
    if (worker_effects(r, l.first) || worker_effects(r, l.bound)) {
        diag_error(u, l.lo.b, "the bounds of a lanes loop have effects; compute them before the loop");
        return false;
    }
    bool ok =
        region_check_jumps(u, m->stmt->last, "the lanes loop, whose iterations run on different lanes", true, false);
    for (size_t i = 0; i < m->p->clauses.n; i++)
        ok &= check_clause(r, m, &m->p->clauses.at[i]);
    if (!ok || !check_mentions(r, m, &l) || !check_stores(r, m, &l, m->stmt->last) || !check_accesses(r, m, &l))
        return false;
    write_loop(r, m, &l);
    return true;
}
