/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a polynomial never negative, given others that are not? Axes are taken out one after the other, the last one
 * first: by subtracting a multiple of something that is not negative and holds that axis. What is left has one value
 * for all iterations, and its sign is found by writing what is known in place of names.
 */
#include "proof.h"

#include <string.h>

enum { MAX_TRIES = 4000, MAX_NEEDS = 128, AXIS = '\1', NATURAL = '\3' };

const struct packed *proof_pack(const struct poly *p) {
    struct packed *out = mem_alloc(sizeof *out + (size_t)p->n * sizeof *p->t);
    out->ok = p->ok;
    out->n = p->ok ? p->n : 0;
    memcpy(out->t, p->t, (size_t)out->n * sizeof *p->t);
    return out;
}

void proof_unpack(const struct packed *from, struct poly *to) {
    to->ok = from->ok;
    to->n = from->n;
    to->roll_offset = to->roll_size = 0;
    memcpy(to->t, from->t, (size_t)from->n * sizeof *from->t);
}

const char *proof_top(const struct poly *p) {
    const char *top = NULL;
    for (int i = 0; i < p->n; i++)
        for (int a = 0; a < p->t[i].n; a++)
            if (p->t[i].atom[a][0] == AXIS && (!top || strcmp(p->t[i].atom[a], top) > 0))
                top = p->t[i].atom[a];
    return top;
}

void proof_substitute(const struct poly *p, proof_replace *replace, void *context, struct poly *out) {
    *out = (struct poly){.ok = p->ok};
    for (int i = 0; out->ok && i < p->n; i++) {
        struct poly term, by;
        affine_constant(&term, p->t[i].k);
        for (int a = 0; a < p->t[i].n; a++) {
            affine_atom(&by, p->t[i].atom[a]);
            replace(context, p->t[i].atom[a], &by);
            affine_multiply(&term, &by, &term);
        }
        affine_add(out, &term, 1);
    }
}

struct proof_entry proof_entry(const struct poly *p) { return (struct proof_entry){proof_pack(p), proof_top(p)}; }

void proof_assume(struct proof_system *s, const struct poly *p) {
    if (p->ok && p->n)
        vec_push(&s->limits, proof_entry(p));
    s->ready = false;
}

/* ---- without axes ---- */

static void instead(void *context, const char *atom, struct poly *by) {
    const struct proof_instead *i = context;
    if (strcmp(i->atom, atom) == 0)
        proof_unpack(i->by, by);
}

static void use_known(const struct proof_system *s, struct poly *p) {
    struct poly out;
    for (size_t i = 0; i < s->instead.n; i++) {
        proof_substitute(p, instead, (void *)&s->instead.at[i], &out);
        *p = out;
    }
}

static bool is_alone(const struct poly *p, int term) {
    for (int i = 0; i < p->n; i++)
        for (int a = 0; i != term && a < p->t[i].n; a++)
            if (strcmp(p->t[i].atom[a], p->t[term].atom[0]) == 0)
                return false;
    return true;
}

/* n - k - 1 >= 0: n is k + 1 + something that is not negative. */
static void learn(struct proof_system *s, const struct packed *fact) {
    struct poly p, by, some;
    proof_unpack(fact, &p);
    use_known(s, &p);
    for (int i = 0; p.ok && i < p.n; i++) {
        if (p.t[i].k != 1 || p.t[i].n != 1 || !is_alone(&p, i))
            continue;
        affine_atom(&by, p.t[i].atom[0]);
        affine_add(&by, &p, -1);
        affine_atom(&some, mem_printf("%c%zu", NATURAL, s->instead.n));
        affine_add(&by, &some, 1);
        vec_push(&s->instead, (struct proof_instead){p.t[i].atom[0], proof_pack(&by)});
        return;
    }
}

static bool is_natural(const struct poly *p) {
    for (int i = 0; i < p->n; i++) {
        if (p->t[i].k < 0)
            return false;
        for (int a = 0; a < p->t[i].n; a++)
            if (p->t[i].atom[a][0] != NATURAL)
                return false;
    }
    return p->ok;
}

static void learn_all(struct proof_system *s) {
    for (const struct proof_limit *l = s->here; l; l = l->up)
        if (!l->here.top)
            learn(s, l->here.is);
    for (const struct proof_limit *l = s->there; l; l = l->up)
        if (!l->there.top)
            learn(s, l->there.is);
    for (size_t i = 0; i < s->limits.n; i++)
        if (!s->limits.at[i].top)
            learn(s, s->limits.at[i].is);
}

/* What can never be is no condition. */
static void note_need(struct proof_need *needs, const struct poly *p, const struct poly *known) {
    struct poly never, other;
    affine_constant(&never, -1);
    affine_add(&never, known, -1);
    if (is_natural(&never) || needs->any.n == MAX_NEEDS)
        return;
    for (size_t i = 0; i < needs->any.n; i++) {
        proof_unpack(needs->any.at[i].one, &other);
        if (!needs->any.at[i].other && affine_equal(&other, p))
            return;
    }
    vec_push(&needs->any, (struct proof_both){proof_pack(p), NULL});
}

static bool fixed_is_natural(struct proof_system *s, const struct poly *p) {
    struct poly known = *p;
    if (is_natural(p))
        return true;
    if (!s->ready)
        learn_all(s);
    s->ready = true;
    use_known(s, &known);
    if (is_natural(&known))
        return true;
    if (s->needs)
        note_need(s->needs, p, &known);
    return false;
}

/* ---- with axes ---- */

/* a = q b with q that is not negative */
static bool is_ratio(struct proof_system *s, const struct poly *a, const struct poly *b, struct poly *q) {
    long k;
    if (affine_is_constant(b, &k) && k) {
        *q = *a;
        for (int i = 0; i < q->n; i++) {
            if (q->t[i].k % k)
                return false;
            q->t[i].k /= k;
        }
        return proof_implies(s, q);
    }
    for (k = 1; k <= 4; k++) {
        struct poly many = *a;
        affine_add(&many, b, -k);
        if (many.ok && !many.n) {
            affine_constant(q, k);
            return true;
        }
    }
    return false;
}

/* By itself that would be no proof of what is asked. */
static bool ratio(struct proof_system *s, const struct poly *a, const struct poly *b, struct poly *q) {
    struct proof_need *needs = s->needs;
    s->needs = NULL;
    const bool found = is_ratio(s, a, b, q);
    s->needs = needs;
    return found;
}

/* p less a multiple of the entry, without the axis `top`, which p has a times */
static bool follows(struct proof_system *s, const struct poly *p, const char *top, const struct poly *a,
                    const struct proof_entry *e) {
    struct poly b, rest, limit, q, less;
    if (!e->top || strcmp(e->top, top) != 0)
        return false;
    proof_unpack(e->is, &limit);
    if (!affine_split(&limit, top, &b, &rest) || !ratio(s, a, &b, &q))
        return false;
    affine_multiply(&q, &limit, &limit);
    less = *p;
    affine_add(&less, &limit, -1);
    return proof_implies(s, &less);
}

bool proof_implies(struct proof_system *s, const struct poly *p) {
    struct poly a, rest;
    const char *top = proof_top(p);
    if (!p->ok || ++s->tries > MAX_TRIES)
        return false;
    if (!top)
        return fixed_is_natural(s, p);
    if (!affine_split(p, top, &a, &rest))
        return false;
    for (size_t i = 0; i < s->limits.n; i++)
        if (follows(s, p, top, &a, &s->limits.at[i]))
            return true;
    for (const struct proof_limit *l = s->here; l; l = l->up)
        if (follows(s, p, top, &a, &l->here))
            return true;
    for (const struct proof_limit *l = s->there; l; l = l->up)
        if (follows(s, p, top, &a, &l->there))
            return true;
    for (size_t i = 0; s->facts && i < s->facts->n; i++)
        if (follows(s, p, top, &a, &s->facts->at[i].here) ||
            (s->there && follows(s, p, top, &a, &s->facts->at[i].there)))
            return true;
    return false;
}
