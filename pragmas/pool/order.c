/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do a taskloop's sinks keep every dependence between its iterations that its subscripts show? Iteration p touches
 * an element and p + d touches it as well, for some constant d: then d must be a sum of sinks' distances, or the
 * two run in any order. Only what is certain is an error: the same polynomial in all subscripts, distances that
 * the loops are long enough for, places that no unknown condition guards.
 */
#include "order.h"
#include "analysis/sinks.h"

#include <stdlib.h>
#include <string.h>

enum { FAR = 3, MAX_CANDIDATES = 16, MAX_TRIES = 200000, MAX_ERRORS = MAX_SINKS_ADDED };

struct missing { /* the later access is `by` iterations after the earlier one */
    long by[MAX_LOOPS];
    const struct access *later, *earlier;
    bool everywhere; /* no sinks can keep it: iterations of an inner loop are not told apart */
};
typedef VEC(struct missing) missing_list;

struct pair {
    struct order *o;
    const struct access *w, *r; /* iteration p writes w, and p + d accesses r */
    int steps;                  /* that both have */
    long d[MAX_AXES];
};

/* ---- the distances of two accesses ---- */

static bool has_axis(const struct poly *p, bool rolls) {
    for (int i = 0; i < p->n; i++)
        for (int a = 0; a < p->t[i].n; a++)
            if (order_is_axis(p->t[i].atom[a]) && (rolls || p->t[i].atom[a][0] == '\1'))
                return true;
    return false;
}

/* The same members, and subscripts that grow alike. */
static bool is_pair(struct pair *p) {
    const struct access *w = p->w, *r = p->r;
    p->steps = w->nsteps < r->nsteps ? w->nsteps : r->nsteps;
    if (!clang_equalCursors(w->root, r->root))
        return false;
    for (int s = 0; s < p->steps; s++) {
        if (w->step[s].subscript != r->step[s].subscript)
            return false;
        if (!w->step[s].subscript && !clang_equalCursors(w->step[s].field, r->step[s].field))
            return false;
        struct poly diff = w->step[s].at;
        affine_add(&diff, &r->step[s].at, -1);
        if (w->step[s].subscript && (!diff.ok || has_axis(&diff, false)))
            return false;
    }
    return true;
}

static void difference(const struct pair *p, int s, struct poly *out) {
    struct poly read = p->r->step[s].at;
    for (int axis = 0; axis < p->o->naxes; axis++)
        if (p->d[axis])
            order_shift(&read, axis, p->d[axis]);
    *out = p->w->step[s].at;
    affine_add(out, &read, -1);
}

/* How far apart the loops in the body must be for the subscripts to meet; 0 where nothing says. */
static void solve_inner(struct pair *p) {
    const struct order *o = p->o;
    for (int axis = o->dims; axis < o->naxes; axis++)
        p->d[axis] = 0;
    for (int axis = o->dims; axis < o->naxes; axis++)
        for (int s = 0; s < p->steps; s++) {
            struct poly coef, diff;
            long k, n;
            if (!p->w->step[s].subscript)
                continue;
            order_split(&p->w->step[s].at, axis, &coef);
            difference(p, s, &diff);
            if (affine_is_constant(&coef, &k) && k && affine_is_constant(&diff, &n) && n % k == 0) {
                p->d[axis] = n / k;
                break;
            }
        }
}

/* Where a row's length is constant and the number of columns is not, going round the end of a row may be impossible. */
static bool is_near(const struct pair *p, int axis) {
    const struct order *o = p->o;
    const long by = labs(p->d[axis]);
    if (by > FAR)
        return false;
    for (int s = 0; s < p->steps; s++) {
        struct poly coef;
        long k, other;
        order_split(&p->w->step[s].at, axis, &coef);
        if (!p->w->step[s].subscript || !affine_is_constant(&coef, &k) || !k)
            continue;
        for (int x = 0; x < o->naxes; x++) {
            order_split(&p->w->step[s].at, x, &coef);
            if (affine_is_constant(&coef, &other) && labs(other) > labs(k) && 4 * labs(k) * by >= labs(other))
                return false;
        }
    }
    return true;
}

static bool is_possible(const struct pair *p) {
    const struct order *o = p->o;
    const struct reach *w = &p->w->reach, *r = &p->r->reach;
    for (int axis = 0; axis < o->naxes; axis++) {
        const long by = p->d[axis], count = o->axis[axis].count;
        const long low = w->low[axis] > r->low[axis] - by ? w->low[axis] : r->low[axis] - by;
        const long high = w->high[axis] > r->high[axis] + by ? w->high[axis] : r->high[axis] + by;
        if (count >= 0 ? low + high >= count : by && !is_near(p, axis))
            return false;
    }
    return true;
}

static bool meets(struct pair *p) {
    solve_inner(p);
    for (int s = 0; s < p->steps; s++) {
        struct poly diff;
        long zero = 0;
        difference(p, s, &diff);
        if (p->w->step[s].subscript && (!affine_is_constant(&diff, &zero) || zero))
            return false;
    }
    return is_possible(p);
}

/* ---- writes of the same value do no harm ---- */

static bool differs(const struct order *o, struct node *n) {
    if (n->kind == CXCursor_CallExpr || n->kind == CXCursor_ArraySubscriptExpr || ast_unary(n) == CXUnaryOperator_Deref)
        return true;
    if (n->kind == CXCursor_DeclRefExpr && order_inside(o, clang_getCursorReferenced(n->c)))
        return true;
    for (size_t i = 0; n->kind == CXCursor_DeclRefExpr && i < o->values.n; i++)
        if (clang_equalCursors(o->values.at[i].var, clang_getCursorReferenced(n->c)))
            return true;
    for (struct node *c = n->first; c; c = c->next)
        if (differs(o, c))
            return true;
    return false;
}

static bool harmless(const struct pair *p) {
    const struct order *o = p->o;
    struct poly a, b;
    if (!p->w->value || !p->r->value)
        return false;
    order_poly(p->o, p->w->value, &a);
    order_poly(p->o, p->r->value, &b);
    for (int axis = 0; axis < o->naxes; axis++) {
        if (axis >= o->dims && p->d[axis])
            return true; /* ends of parts that overlap are often computed by both */
        order_shift(&b, axis, p->d[axis]);
    }
    if (a.ok && b.ok)
        return affine_equal(&a, &b);
    return !differs(o, p->w->value) && !differs(o, p->r->value);
}

/* ---- all of them ---- */

static bool is_free(const struct pair *p, int axis) {
    for (int s = 0; s < p->steps; s++) {
        struct poly shifted = p->w->step[s].at;
        order_shift(&shifted, axis, 1);
        if (p->w->step[s].subscript && !affine_equal(&shifted, &p->w->step[s].at))
            return false;
    }
    return true;
}

static void found(const struct pair *p, missing_list *out) {
    const struct order *o = p->o;
    const int lead = sinks_leading(p->d, o->dims);
    struct missing m = {.later = p->r, .earlier = p->w};
    if (lead == o->dims || (!p->r->read && harmless(p)))
        return;
    const bool before = p->d[lead] < 0;
    for (int i = 0; i < o->dims; i++)
        m.by[i] = before ? -p->d[i] : p->d[i];
    if (before)
        m.later = p->w, m.earlier = p->r;
    for (int i = lead + 1; i < o->dims; i++)
        m.everywhere |= is_free(p, i);
    vec_push(out, m);
}

static int candidates(const struct pair *p, int axis, long *out) {
    int n = 0;
    for (long by = -2; by <= 2; by++)
        out[n++] = by;
    for (int s = 0; s < p->steps; s++) {
        struct poly coef, diff = p->w->step[s].at;
        long k, constant;
        order_split(&diff, axis, &coef);
        affine_add(&diff, &p->r->step[s].at, -1);
        if (p->w->step[s].subscript && affine_is_constant(&coef, &k) && k && affine_is_constant(&diff, &constant) &&
            constant % k == 0 && labs(constant / k) > 2 && n < MAX_CANDIDATES)
            out[n++] = constant / k;
    }
    return n;
}

/* All distances of taskloops' iterations that may be one for the pair. */
struct choices {
    long by[MAX_LOOPS][MAX_CANDIDATES];
    int n[MAX_LOOPS], all;
};

static void list_choices(const struct pair *p, struct choices *c) {
    *c = (struct choices){.n = {1, 1, 1}, .all = 1};
    for (int axis = 0; axis < p->o->dims; axis++) {
        c->n[axis] = candidates(p, axis, c->by[axis]);
        c->all *= c->n[axis];
    }
}

/* Returns how far away it is, over all loops. */
static long choose(struct pair *p, const struct choices *c, int which) {
    long far = 0;
    for (int axis = 0; axis < p->o->dims; which /= c->n[axis++]) {
        p->d[axis] = c->by[axis][which % c->n[axis]];
        far += labs(p->d[axis]);
    }
    return far;
}

static void distances(struct pair *p, missing_list *out, long *tries) {
    struct choices c;
    list_choices(p, &c);
    for (int i = 0; i < c.all && ++*tries < MAX_TRIES; i++)
        if (choose(p, &c, i) && meets(p))
            found(p, out);
}

bool order_meet(struct order *o, const struct access *a, const struct access *b, long *by) {
    struct choices c;
    struct pair p = {.o = o, .w = a, .r = b};
    long nearest = -1;
    if (!is_pair(&p))
        return false;
    list_choices(&p, &c);
    for (int i = 0; i < c.all; i++) {
        const long far = choose(&p, &c, i);
        if ((nearest < 0 || far < nearest) && meets(&p)) {
            nearest = far;
            memcpy(by, p.d, sizeof *by * MAX_LOOPS);
        }
    }
    return nearest >= 0;
}

static bool is_flow(const struct missing *m) { return m->later->read && m->earlier->write; }

static int by_distance(const void *a, const void *b) {
    const struct missing *x = a, *y = b;
    for (int i = 0; i < MAX_LOOPS; i++)
        if (x->by[i] != y->by[i])
            return x->by[i] < y->by[i] ? -1 : 1;
    if (is_flow(x) != is_flow(y)) /* the one that people think of */
        return is_flow(x) ? -1 : 1;
    return x->later->n->b != y->later->n->b
               ? (x->later->n->b < y->later->n->b ? -1 : 1)
               : (x->earlier->n->b > y->earlier->n->b) - (x->earlier->n->b < y->earlier->n->b);
}

/* ---- messages ---- */

static const char *iteration(const struct order *o, const long *by) {
    struct buf out = {0};
    for (int i = 0; i < o->dims; i++) {
        buf_printf(&out, "%s%s", i ? ", " : "", o->k->loop[i].name);
        if (by && by[i])
            buf_printf(&out, " %c %ld", by[i] < 0 ? '+' : '-', labs(by[i]));
    }
    return out.s;
}

static const char *done(const struct access *a, bool read) { return a->write && !read ? "written" : "read"; }

static void say(const struct order *o, const struct missing *m) {
    const struct node *n = m->later->n;
    const char *earlier = iteration(o, m->by);
    const char *way_out = mem_printf("add sink(%s)", earlier);
    if (m->everywhere)
        way_out = "no sinks can keep it, since other iterations of the inner loop come to it, too; give each an "
                  "element of its own, or use '#pragma omp atomic'";
    else if (m->later == m->earlier && m->later->read)
        way_out = mem_printf("%s, or use '#pragma omp atomic' where the order does not matter", way_out);
    diag_error(
        o->u, n->b,
        "'%s' is %s by iteration (%s) after it was %s by iteration (%s), but the sinks do not keep that order; %s",
        unit_text(o->u, n), done(m->later, is_flow(m)), iteration(o, NULL),
        done(m->earlier, !m->later->write && !m->earlier->write), earlier, way_out);
    if (m->earlier->n->b != n->b)
        diag_note(o->u, m->earlier->n->b, "iteration (%s) comes to it as '%s' here", earlier,
                  unit_text(o->u, m->earlier->n));
}

static bool report(struct order *o, missing_list *all) {
    struct sinks sinks;
    int errors = 0;
    sinks_of(o->k->m->p, o->dims, &sinks);
    if (all->n)
        qsort(all->at, all->n, sizeof *all->at, by_distance);
    for (size_t i = 0; i < all->n; i++) /* other messages would only lead astray */
        if (all->at[i].everywhere && !sinks_keep(&sinks, all->at[i].by) && !sinks.lost) {
            say(o, &all->at[i]);
            return false;
        }
    for (size_t i = 0; i < all->n && errors < MAX_ERRORS; i++) {
        if (sinks_keep(&sinks, all->at[i].by) || sinks.lost)
            continue;
        say(o, &all->at[i]);
        errors++;
        sinks_add(&sinks, all->at[i].by); /* those that it implies need no message */
    }
    return errors == 0;
}

bool taskloop_check_order(struct task_type *k) {
    struct order o;
    missing_list all = {0};
    long tries = 0;
    if (!order_collect(k, &o))
        return true;
    for (size_t i = 0; i < o.accesses.n; i++)
        for (size_t j = 0; o.accesses.at[i]->write && j < o.accesses.n; j++) {
            struct pair p = {.o = &o, .w = o.accesses.at[i], .r = o.accesses.at[j]};
            if (!(p.r->write && j < i) && is_pair(&p))
                distances(&p, &all, &tries);
        }
    return report(&o, &all);
}
