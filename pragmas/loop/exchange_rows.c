/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several iterations of the directive's loop at once: c[i][j] += a[i][k] * b[k][j] reads all of b for each i, which is
 * more than a cache holds. Where an exchanged loop reads elements that do not depend on i, some rows i go inside of k,
 * around the strip of j. That iterations of i have nothing to do with each other is what the directive says.
 */
#include "exchange.h"

const struct exchange *exchange_at(const exchange_list *all, const struct node *statement) {
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i]->b == statement->b && all->at[i]->loop)
            return all->at[i];
    return NULL;
}

/* An element of both loops that is the same for all i. */
static bool is_shared(const struct exchange *x, CXCursor k, struct node *n) {
    const CXCursor i = x->f->w.loop[0].var;
    if (n->kind == CXCursor_ArraySubscriptExpr && !ast_is_array(ast_type(n)) && !exchange_mentions(n, i) &&
        exchange_mentions(n, k) && exchange_mentions(n, x->count.var))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (is_shared(x, k, c))
            return true;
    return false;
}

static bool shares(const struct exchange *x, const struct exchange_piece *p) {
    struct loop_count c;
    for (size_t i = 0; i < p->inside.n; i++) {
        const struct exchange_piece *leaf = p->inside.at[i];
        for (size_t k = 0; !leaf->loop && k < leaf->statements.n; k++)
            if (loop_counts(p->loop, &c) && is_shared(x, c.var, leaf->statements.at[k]))
                return true;
        if (leaf->loop && shares(x, leaf))
            return true;
    }
    return false;
}

/* All rows have the same columns and turns. */
static bool is_even(const struct exchange_piece *p, CXCursor i) {
    struct loop_count c;
    if (!p->loop)
        return true;
    if (!loop_counts(p->loop, &c) || exchange_mentions(c.first, i) || exchange_mentions(c.bound, i) ||
        (c.step && exchange_mentions(c.step, i)))
        return false;
    for (size_t k = 0; k < p->inside.n; k++)
        if (!is_even(p->inside.at[k], i))
            return false;
    return true;
}

static bool fits(const struct exchange *x) {
    const CXCursor i = x->f->w.loop[0].var;
    bool ok = x->width == EXCHANGE_WIDE && !x->locals.n && !exchange_mentions(x->count.first, i) &&
              !exchange_mentions(x->count.bound, i);
    for (size_t k = 0; ok && k < x->pieces.n; k++)
        ok = is_even(x->pieces.at[k], i);
    return ok;
}

bool exchange_rows(const struct for_loop *f, const exchange_list *all) {
    const struct loop *l = &f->w.loop[0];
    struct node *body = f->w.body;
    size_t found = 0;
    bool any = false;
    long k;
    if (f->step[1] || l->down || (l->step && !(ast_constant(l->step, &k) && k == 1)) || !exchange_is_simple(f, body))
        return false;
    for (size_t i = 0; i < f->w.vars.n; i++)
        if (f->w.vars.at[i]->reduced || f->w.vars.at[i]->joined || f->w.vars.at[i]->private)
            return false;
    for (struct node *n = body->kind == CXCursor_CompoundStmt ? body->first : body; n; n = n->next) {
        const struct exchange *x = exchange_at(all, n);
        if (n->kind == CXCursor_DeclStmt || (x && !fits(x)))
            return false;
        found += x != NULL;
        for (size_t p = 0; x && p < x->pieces.n; p++)
            any |= x->pieces.at[p]->loop && shares(x, x->pieces.at[p]);
        if (n == body)
            break;
    }
    return any && found == all->n;
}
