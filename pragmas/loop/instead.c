/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A conflict that a clause takes away: a reduction, of an array of one dimension whose elements the body only updates,
 * all by one operator, in a loop whose iterations read something of their own. Its section is that of the body's loops
 * over it, where they count by what does not change. Or private, of an array no subscript of which is the iteration's.
 */
#include "analysis/assigned.h"
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "loop.h"
#include "analysis/proof.h"

#include <string.h>

static struct var *array_of(struct for_loop *f, const struct node *n) {
    while (n && n->kind != CXCursor_DeclRefExpr)
        n = n->first;
    return n ? capture_lookup(&f->w, clang_getCursorReferenced(n->c)) : NULL;
}

/* In a function that is called, its parameter leads to it. */
static struct var *array_behind(struct for_loop *f, const struct proof_access *a) {
    const bool known = a->at.kind == ROOT_SHARED && *a->at.root != '*' && !clang_Cursor_isNull(a->at.decl);
    return known ? capture_lookup(&f->w, a->at.decl) : NULL;
}

/* Without a subscript of its own an iteration repeats what others do: x += a * y, in a loop over time steps. */
static bool has_own(const struct for_loop *f, struct node *n) {
    if (n->kind == CXCursor_ArraySubscriptExpr && nest_is_mentioned(n->last, f->w.loop[0].var))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (has_own(f, c))
            return true;
    return false;
}

static bool is_fixed(struct for_loop *f, const struct node *n) {
    if (n->kind == CXCursor_CallExpr)
        return false;
    if (n->kind == CXCursor_DeclRefExpr) {
        const CXCursor d = clang_getCursorReferenced(n->c);
        const struct var *v = capture_lookup(&f->w, d);
        return clang_getCursorKind(d) == CXCursor_EnumConstantDecl || (v && v->kind == VAR_SCALAR && !v->reduced);
    }
    for (const struct node *c = n->first; c; c = c->next)
        if (!is_fixed(f, c))
            return false;
    return true;
}

/* "0 : n" of the loop in the body that counts this subscript; NULL: it is not known. */
static const char *counted(struct for_loop *f, struct node *subscript) {
    struct loop_count c;
    subscript = ast_strip(subscript);
    if (subscript->kind != CXCursor_DeclRefExpr)
        return NULL;
    for (struct node *n = subscript->up; n && n != f->w.root; n = n->up) {
        if (n->kind != CXCursor_ForStmt || !loop_counts(n, &c) ||
            !clang_equalCursors(c.var, clang_getCursorReferenced(subscript->c)))
            continue;
        if (c.step || c.down || !is_fixed(f, c.first) || !is_fixed(f, c.bound))
            return NULL;
        const struct source *src = &f->w.u->src;
        const char *lo = source_flat(src, (struct span){c.first->b, c.first->e}),
                   *hi = source_flat(src, (struct span){c.bound->b, c.bound->e});
        const char *end = c.open ? hi : mem_printf("%s + 1", hi);
        return strcmp(lo, "0") == 0 ? mem_printf("0 : %s", end) : mem_printf("%s : %s - (%s)", lo, end, lo);
    }
    return NULL;
}

static const char *section(struct for_loop *f, const struct var *v) {
    const char *all = NULL;
    if (v->sized)
        return "";
    for (size_t i = 0; i < f->w.uses.n; i++) {
        struct ref r = {0};
        if (f->w.uses.at[i].v != v)
            continue;
        const char *one = refs_subscripts(v, f->w.uses.at[i].n, &r) ? counted(f, r.sub[0]) : NULL;
        if (!one || (all && strcmp(one, all) != 0))
            return "[first : count]";
        all = one;
    }
    return mem_printf("[%s]", all);
}

/* Every iteration uses the same elements, perhaps filled before, and all of them belong to the array. */
static bool may_be_private(struct for_loop *f, const struct var *v) {
    for (size_t i = 0; i < f->w.uses.n; i++)
        for (struct node *n = f->w.uses.at[i].n; f->w.uses.at[i].v == v && n->up && n != f->w.body; n = n->up)
            if (n->up->kind == CXCursor_ArraySubscriptExpr && n == n->up->first &&
                nest_is_mentioned(n->up->last, f->w.loop[0].var))
                return false;
    return v->kind == VAR_ARRAY && v->sized && !for_uses_unset(f, v);
}

static bool is_number(const void *of, CXCursor decl) {
    (void)of;
    return ast_is_integer(clang_getCanonicalType(clang_getCursorType(decl)));
}

/* The first read that nothing shows to be behind a write of the iteration. */
static const char *odd(struct for_loop *f, const struct var *v) {
    const struct node *n = assigned_odd(f->w.u, f->w.root->last, v, (struct assigned_fixed){is_number, NULL});
    return n ? mem_printf(" (nothing shows that '%s' is filled when it is read)",
                          source_flat(&f->w.u->src, (struct span){n->b, n->e}))
             : "";
}

const char *for_instead(void *of, const struct proof_access *w, const struct proof_access *r) {
    struct for_loop *f = of;
    struct var *v = array_of(f, w->n);
    enum red_op op;
    const bool here = v && v == array_of(f, r->n);
    if (!here)
        v = array_behind(f, w);
    if (!v || (!here && v != array_behind(f, r)) || v->kind == VAR_SCALAR || v->map_item || f->jobs || f->host_driven ||
        for_hidden_uses(f, v))
        return "";
    if (!here || v->ndims != 1 || !has_own(f, f->w.body) || !reduction_would_fit(&f->w, v, &op))
        return may_be_private(f, v) ? mem_printf("; or, if each fills '%s' before it reads it%s, add private(%s)",
                                                 v->name, odd(f, v), v->name)
                                    : "";
    return mem_printf("; or, since its elements are only updated by '%s', add reduction(%s: %s%s)", clause_op_name(op),
                      clause_op_name(op), v->name, section(f, v));
}
