/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every write of a loop against every access to the same object: iteration p makes the one, p + d the other. It is
 * asked of all d at once whether the subscripts can be equal; with sinks, which d are left and whether the sinks keep
 * them.
 */
#include "proof_pair.h"
#include "sinks.h"

#include <string.h>

enum { NEAR = 3 };

static const char *axis(int dim) { return mem_printf("\1A%d", dim); }

static const char *distance(int dim) { return mem_printf("\1B%d", dim); }

/* As the other iteration has it: d further on, with values of its own. */
static void other(void *context, const char *atom, struct poly *by) {
    struct poly more;
    (void)context;
    if (atom[0] != '\1')
        return;
    if (atom[1] == 'A') {
        affine_atom(&more, mem_printf("\1B%s", atom + 2));
        affine_add(by, &more, 1);
    } else {
        affine_atom(by, mem_printf("\1D%s", atom + 2));
    }
}

static void shift(struct proof_limit *l) {
    struct poly a, b;
    proof_unpack(l->here.is, &a);
    proof_substitute(&a, other, NULL, &b);
    l->there = proof_entry(&b);
}

/* ---- the subscripts ---- */

static bool is_apart(const struct poly *d) {
    long k, all = 0, rest = 0;
    if (affine_is_constant(d, &k))
        return k != 0;
    for (int i = 0; i < d->n; i++) {
        long a = d->t[i].k < 0 ? -d->t[i].k : d->t[i].k, b = all;
        if (!d->t[i].n) {
            rest = d->t[i].k;
            continue;
        }
        while (b) { /* the greatest common divisor */
            const long t = a % b;
            a = b;
            b = t;
        }
        all = a;
    }
    return d->ok && all > 1 && rest % all != 0;
}

/* false: they are parts of the object that have nothing in common */
bool proof_pair_compare(struct proof_pair *p) {
    const struct proof_place *a = &p->w->at, *b = &p->r->at;
    const bool known = !a->fuzzy && !b->fuzzy;
    for (int s = 0; known && s < a->n && s < b->n; s++) {
        struct poly x, y, shifted;
        if (a->step[s].subscript != b->step[s].subscript)
            break;
        if (!a->step[s].subscript) {
            if (!clang_equalCursors(a->step[s].field, b->step[s].field))
                return false;
            continue;
        }
        proof_unpack(a->step[s].at, &x);
        proof_unpack(b->step[s].at, &y);
        proof_substitute(&y, other, NULL, &shifted);
        affine_add(&x, &shifted, -1);
        if (!x.ok)
            continue;
        if (is_apart(&x))
            return false;
        vec_push(&p->equal, proof_pack(&x));
    }
    return true;
}

static void assume_equal(struct proof_pair *p, const struct poly *e) {
    struct poly minus;
    affine_constant(&minus, 0);
    affine_add(&minus, e, -1);
    proof_assume(&p->known, e);
    proof_assume(&p->known, &minus);
}

void proof_pair_gather(struct proof_pair *p) {
    struct poly e;
    p->known = (struct proof_system){.here = p->w->limits, .there = p->r->limits, .facts = &p->o->facts};
    for (size_t i = 0; i < p->equal.n; i++) {
        proof_unpack(p->equal.at[i], &e);
        assume_equal(p, &e);
    }
}

/* Subscripts that are several in one, by themselves; false: there are none. */
static bool gather_digits(struct proof_pair *p) {
    const size_t n = p->equal.n;
    for (size_t i = 0; i < p->equal.n; i++) {
        struct poly e, part[2];
        proof_unpack(p->equal.at[i], &e);
        const int parts = proof_digits(&p->known, &e, &part[0], &part[1]) ? 2 : 0;
        for (int k = 0; k < parts; k++) {
            assume_equal(p, &part[k]);
            vec_push(&p->equal, proof_pack(&part[k]));
        }
    }
    return p->equal.n > n;
}

/* ---- distances ---- */

static void put(struct proof_system *s, int dim, long sign, long least) {
    struct poly d, n;
    affine_constant(&d, 0);
    affine_atom(&n, distance(dim));
    affine_add(&d, &n, sign);
    affine_constant(&n, least);
    affine_add(&d, &n, -1);
    proof_assume(s, &d);
}

/* What else is known says that the distance is not inside its side. */
static bool is_beyond(struct proof_system *s, int dim, long sign, long least) {
    struct poly d, n;
    affine_constant(&d, -least);
    affine_atom(&n, distance(dim));
    affine_add(&d, &n, sign);
    s->tries = 0;
    return proof_implies(s, &d);
}

static bool same_element(const struct proof_pair *p) {
    for (size_t i = 0; i < p->equal.n; i++)
        if (p->equal.at[i]->n)
            return false;
    return true;
}

/* It is the same element in all iterations: do the conditions of the one leave none for the other? */
static bool contradict(const struct proof_pair *p, struct proof_system *s) {
    for (int other = 0; other < 2; other++)
        for (const struct proof_limit *l = other ? p->r->limits : p->w->limits; l; l = l->up) {
            struct poly known, never;
            proof_unpack(other ? l->there.is : l->here.is, &known);
            affine_constant(&never, -1);
            affine_add(&never, &known, -1);
            s->tries = 0;
            if (proof_implies(s, &never))
                return true;
        }
    return false;
}

/* No d of the region is one at which they meet. */
bool proof_pair_is_empty(struct proof_pair *p, const struct proof_box *r) {
    struct proof_system s = p->known;
    struct poly e, minus, one;
    bool empty = false;
    s.limits.at = NULL, s.limits.n = s.limits.cap = 0; /* of its own: nothing is freed */
    s.instead.at = NULL, s.instead.n = s.instead.cap = 0;
    s.ready = false;
    s.needs = p->needs;
    for (int k = 0; k < p->o->dims; k++) {
        if (r->has_low[k] && r->has_high[k] && r->low[k] > r->high[k])
            return true;
        if (r->has_low[k])
            put(&s, k, 1, r->low[k]);
        if (r->has_high[k])
            put(&s, k, -1, -r->high[k]);
    }
    for (size_t i = 0; i < p->known.limits.n; i++)
        vec_push(&s.limits, p->known.limits.at[i]);
    affine_constant(&one, 1);
    for (size_t i = 0; !empty && i < p->equal.n; i++) {
        proof_unpack(p->equal.at[i], &e);
        empty = proof_is_no_multiple(&s, &e);
        affine_constant(&minus, 0);
        affine_add(&minus, &e, -1);
        affine_add(&minus, &one, -1);
        affine_add(&e, &one, -1);
        s.tries = 0;
        empty = empty || proof_implies(&s, &e);
        s.tries = 0;
        empty = empty || proof_implies(&s, &minus);
    }
    s.needs = NULL;
    for (int k = 0; k < p->o->dims; k++)
        empty = empty || (r->has_high[k] && is_beyond(&s, k, 1, r->high[k] + 1)) ||
                (r->has_low[k] && is_beyond(&s, k, -1, 1 - r->low[k]));
    return empty || (same_element(p) && contradict(p, &s));
}

static void exact(struct proof_pair *p, struct proof_box *r) {
    for (size_t i = 0; i < p->equal.n; i++)
        for (int k = 0; k < p->o->dims; k++) {
            struct poly e, coef, rest;
            long c, n;
            proof_unpack(p->equal.at[i], &e);
            if (!affine_split(&e, distance(k), &coef, &rest) || !affine_is_constant(&coef, &c) || !c ||
                !affine_is_constant(&rest, &n))
                continue;
            if (!r->has_low[k] || r->low[k] < -n / c)
                r->low[k] = -n / c;
            if (!r->has_high[k] || r->high[k] > -n / c)
                r->high[k] = -n / c;
            r->has_low[k] = r->has_high[k] = true;
        }
}

/* What the region says of one loop, as narrow as it can be shown near 0. */
static void narrow(struct proof_pair *p, struct proof_box *r, int k) {
    for (long by = -NEAR; !r->has_high[k] && by <= NEAR; by++) {
        struct proof_box above = *r;
        above.has_low[k] = true;
        above.low[k] = !r->has_low[k] || r->low[k] < by + 1 ? by + 1 : r->low[k];
        if (proof_pair_is_empty(p, &above))
            r->has_high[k] = true, r->high[k] = by;
    }
    for (long by = NEAR; !r->has_low[k] && by >= -NEAR; by--) {
        struct proof_box below = *r;
        below.has_high[k] = true;
        below.high[k] = !r->has_high[k] || r->high[k] > by - 1 ? by - 1 : r->high[k];
        if (proof_pair_is_empty(p, &below))
            r->has_low[k] = true, r->low[k] = by;
    }
}

/* A side without end: the sinks keep what is one further if they keep that one. Only upwards: they look back. */
static bool bounded(struct sinks *sinks, struct proof_box *r) {
    for (int k = 0; k < sinks->dims; k++) {
        long unit[MAX_LOOPS] = {0};
        unit[k] = 1;
        if (!r->has_low[k])
            return false;
        if (r->has_high[k] && r->high[k] - r->low[k] <= 2 * NEAR)
            continue;
        if (!sinks_keep(sinks, unit))
            return false;
        r->high[k] = r->low[k];
        r->has_high[k] = true;
    }
    return true;
}

static bool kept(struct sinks *sinks, const struct proof_box *r) {
    long by[MAX_LOOPS] = {0};
    memcpy(by, r->low, sizeof *by * (size_t)sinks->dims);
    for (;;) {
        if (!sinks_keep(sinks, by))
            return false;
        int k = 0;
        while (k < sinks->dims && ++by[k] > r->high[k])
            by[k] = r->low[k], k++;
        if (k == sinks->dims)
            return true;
    }
}

/* Iteration p + d comes after p, first by the loop `lead`. */
static bool later_is_fine(struct proof_pair *p, struct sinks *sinks, int lead) {
    struct proof_box r = {.low = {0}};
    for (int k = 0; k < lead; k++)
        r.has_low[k] = r.has_high[k] = true;
    r.has_low[lead] = true;
    r.low[lead] = 1;
    if (proof_pair_is_empty(p, &r))
        return true;
    if (!sinks->n)
        return false;
    exact(p, &r);
    for (int k = lead; k < sinks->dims; k++)
        narrow(p, &r, k);
    for (int k = 0; k < sinks->dims; k++)
        if (r.has_low[k] && r.has_high[k] && r.low[k] > r.high[k])
            return true;
    return bounded(sinks, &r) && kept(sinks, &r);
}

static bool all_later_are_fine(struct proof_pair *p, struct sinks *sinks) {
    for (int lead = 0; lead < p->o->dims; lead++)
        if (!later_is_fine(p, sinks, lead))
            return false;
    return true;
}

/* w in an iteration, r in one that comes later */
static bool is_ordered(struct proof *o, const struct proof_access *w, const struct proof_access *r,
                       struct sinks *sinks) {
    struct proof_pair p = {.o = o, .w = w, .r = r};
    if (!proof_pair_compare(&p))
        return true;
    proof_pair_gather(&p);
    return all_later_are_fine(&p, sinks) || (gather_digits(&p) && all_later_are_fine(&p, sinks));
}

/* ---- pairs ---- */

static bool same_value(const struct proof_access *a, const struct proof_access *b) {
    struct poly x, y;
    if (!a->value || !b->value || a->read || b->read)
        return false;
    proof_unpack(a->value, &x);
    proof_unpack(b->value, &y);
    return x.ok && y.ok && affine_equal(&x, &y);
}

static bool is_pair(const struct proof_access *w, const struct proof_access *r) {
    if ((w->atomic && r->atomic) || (w->joined && r->joined) || same_value(w, r))
        return false;
    if (w->at.kind == ROOT_UNKNOWN) /* that is bad enough by itself */
        return w == r;
    return r->at.kind == ROOT_UNKNOWN || strcmp(w->at.root, r->at.root) == 0;
}

static bool is_proven(struct proof *o, const struct proof_access *w, const struct proof_access *r,
                      struct sinks *sinks) {
    return is_ordered(o, w, r, sinks) && (w == r || is_ordered(o, r, w, sinks));
}

/* ---- messages ---- */

static const char *text_of(const struct proof *o, const struct proof_access *a) {
    const char *text = unit_text(o->u, a->n);
    return a->called ? mem_printf("%s' through '%s", text, a->called->name) : text;
}

static const char *element_of(const struct proof *o, const struct proof_access *a) {
    return mem_printf(a->at.kind == ROOT_UNKNOWN ? "what '%s' leads to" : "'%s'", text_of(o, a));
}

/* A call of what has no body here. */
static bool is_unseen(const struct proof *o, const struct proof_access *a) {
    return a->at.kind == ROOT_UNKNOWN && a->n->kind == CXCursor_CallExpr && !function_called(o->u, a->n) &&
           !function_is_memory(ast_name(function_callee(a->n)));
}

static void say_call(struct proof *o, const struct proof_access *call, const struct proof_access *other) {
    void (*const tell)(struct unit *, size_t, const char *, ...) = o->u->unproven_warns ? diag_warning : diag_error;
    const char *such = call == other || is_unseen(o, other) ? "" : mem_printf(", such as %s", element_of(o, other));
    tell(o->u, call->n->b,
         "'%s' calls what has no body here, so it may touch what other iterations use%s; if it does not, write "
         "'#pragma heddle %s independent'",
         unit_text(o->u, call->n), such, o->p->directive->name);
}

static void say(struct proof *o, const struct proof_access *w, const struct proof_access *r) {
    void (*const tell)(struct unit *, size_t, const char *, ...) = o->u->unproven_warns ? diag_warning : diag_error;
    if (is_unseen(o, w) || is_unseen(o, r)) {
        const bool first = is_unseen(o, w);
        say_call(o, first ? w : r, first ? r : w);
        if ((first ? w : r)->n->b < o->body->b || (first ? w : r)->n->b >= o->body->e)
            diag_note(o->u, o->p->b, "the iterations are those of this loop");
        return;
    }
    const bool sinks = o->p->directive->bit == DIRECTIVE_TASKLOOP;
    const char *verb = r->write && (w == r || !r->read) ? "writes" : "reads";
    tell(o->u, w->n->b,
         "one iteration writes %s, another %s %s, and nothing proves that they are different elements%s; if they "
         "always are, write '#pragma heddle %s independent'%s%s",
         element_of(o, w), verb, element_of(o, r), sinks ? " or that a sink orders the two" : "", o->p->directive->name,
         sinks ? ", else name the iteration to wait for in sink(…)" : "", o->instead ? o->instead(o->of, w, r) : "");
    if (w != r)
        diag_note(o->u, r->n->b, "%s is here", element_of(o, r));
    if (w->n->b < o->body->b || w->n->b >= o->body->e)
        diag_note(o->u, o->p->b, "the iterations are those of this loop");
}

static void walk(struct proof *o) {
    struct proof_frame f = {.root = o->body};
    o->frame = &f; /* heads see the variables around the loop */
    for (int k = 0; k < o->dims; k++) {
        const struct loop *l = o->loop[k];
        proof_enter(o, &(struct loop_count){l->var, l->first, l->bound, l->step, l->open, l->down, false, NULL},
                    axis(k));
    }
    o->frame = NULL;
    proof_frame(o, &f);
}

/* All accesses of the body, with what is known of each in both iterations. */
static void look(struct proof *o) {
    walk(o);
    for (size_t i = 0; i < o->facts.n; i++)
        shift(&o->facts.at[i]);
    for (size_t i = 0; i < o->accesses.n; i++)
        for (struct proof_limit *l = o->accesses.at[i]->limits; l && !l->there.is; l = l->up)
            shift(l);
}

bool proof_check(struct proof *o) {
    struct sinks sinks;
    if (clause_find(o->p, CLAUSE_INDEPENDENT))
        return true;
    sinks_of(o->p, o->dims, &sinks);
    look(o);
    for (size_t i = 0; i < o->accesses.n; i++)
        for (size_t j = 0; j < o->accesses.n; j++) {
            const struct proof_access *w = o->accesses.at[i], *r = o->accesses.at[j];
            if (!w->write || (r->write && j < i) || !is_pair(w, r) || is_proven(o, w, r, &sinks) ||
                proof_pair_if(o, w, r))
                continue;
            say(o, w, r);
            return o->u->unproven_warns;
        }
    return true;
}

/* ---- iterations of the first loop alone ---- */

/* r in a later one than w */
static bool is_apart_later(struct proof *o, const struct proof_access *w, const struct proof_access *r) {
    struct sinks none = {.n = 0};
    struct proof_pair p = {.o = o, .w = w, .r = r};
    if (!proof_pair_compare(&p))
        return true;
    proof_pair_gather(&p);
    return later_is_fine(&p, &none, 0);
}

bool proof_apart(struct proof *o) {
    look(o);
    for (size_t i = 0; i < o->accesses.n; i++)
        for (size_t j = 0; j < o->accesses.n; j++) {
            const struct proof_access *w = o->accesses.at[i], *r = o->accesses.at[j];
            if (w->write && !(r->write && j < i) && is_pair(w, r) &&
                (!is_apart_later(o, w, r) || (w != r && !is_apart_later(o, r, w))))
                return false;
        }
    return true;
}

/* ---- cells of a nest, whose rows run from left to right, each some columns behind the one above ---- */

/* Where both touch the same element, the later row's cell is at most `back` columns to the left of the earlier one's.
 */
static bool is_behind(struct proof *o, const struct proof_access *a, const struct proof_access *b, long back) {
    struct proof_pair p = {.o = o, .w = a, .r = b};
    if (!proof_pair_compare(&p))
        return true;
    proof_pair_gather(&p);
    return proof_pair_is_empty(
        &p, &(struct proof_box){.has_low = {true}, .low = {1}, .has_high = {false, true}, .high = {0, -back - 1}});
}

bool proof_columns(struct proof *o, long most, long *back, const struct proof_access *odd[2]) {
    look(o);
    *back = 0;
    for (size_t i = 0; i < o->accesses.n; i++)
        for (size_t j = 0; j < o->accesses.n; j++) {
            const struct proof_access *w = o->accesses.at[i], *r = o->accesses.at[j];
            if (!w->write || (r->write && j < i) || !is_pair(w, r))
                continue;
            while (!is_behind(o, w, r, *back) || !is_behind(o, r, w, *back))
                if (++*back > most) {
                    odd[0] = w;
                    odd[1] = r;
                    return false;
                }
        }
    return true;
}
