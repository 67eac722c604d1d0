/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index r + c q is 0 nowhere if 0 < |r| < c. Where |r| < c, it is 0 only if r and q are: x[i + n * j] with
 * 0 <= i < n has two subscripts, whichever of its loops is the parallel one (delinearization: Maslov,
 * "Delinearization: an efficient way to break multiloop dependence equations", PLDI 1992).
 */
#include "proof.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PAIRS = 512 };

static bool is_axis(const char *atom) { return atom[0] == '\1'; }

bool proof_holds_axis(const struct term *t) {
    for (int a = 0; a < t->n; a++)
        if (is_axis(t->atom[a]))
            return true;
    return false;
}

/* What an axis is multiplied with; false: by 1, or there is no axis. */
static bool factor_of(const struct term *t, struct term *c) {
    *c = (struct term){.k = labs(t->k)};
    for (int a = 0; a < t->n; a++)
        if (!is_axis(t->atom[a]))
            c->atom[c->n++] = t->atom[a];
    return proof_holds_axis(t) && (c->n || c->k > 1);
}

bool proof_divide(const struct term *t, const struct term *c, struct term *q) {
    int k = 0;
    *q = (struct term){.k = t->k / c->k};
    for (int a = 0; a < t->n; a++) /* both are sorted */
        if (k < c->n && strcmp(t->atom[a], c->atom[k]) == 0)
            k++;
        else
            q->atom[q->n++] = t->atom[a];
    return k == c->n && t->k % c->k == 0;
}

/* e = r + c q by the factor c of its term number i; false: there is none, or no r. */
static bool split(const struct poly *e, int i, struct term *c, struct poly *r, struct poly *q) {
    struct term part;
    if (!factor_of(&e->t[i], c))
        return false;
    *r = *q = (struct poly){.ok = true};
    for (int t = 0; t < e->n; t++)
        if (proof_divide(&e->t[t], c, &part))
            q->t[q->n++] = part;
        else
            r->t[r->n++] = e->t[t];
    return r->n > 0;
}

/* p >= 0; else what would be enough, if that is asked. */
static bool asked(struct proof_system *s, const struct poly *p, struct proof_need *enough) {
    struct proof_need *needs = s->needs;
    s->needs = needs ? enough : NULL;
    s->tries = 0;
    const bool holds = proof_implies(s, p);
    s->needs = needs;
    return holds;
}

/* sign r < c */
static bool is_below(struct proof_system *s, const struct poly *r, long sign, const struct term *c,
                     struct proof_need *enough) {
    struct poly room = {.ok = true, .n = 1, .t = {*c}}, one;
    affine_constant(&one, 1);
    affine_add(&room, r, -sign);
    affine_add(&room, &one, -1);
    return asked(s, &room, enough);
}

/* 0 < sign r < c */
static bool is_between(struct proof_system *s, const struct poly *r, long sign, const struct term *c) {
    struct poly low;
    struct proof_need above = {{NULL, 0, 0}}, below = above;
    affine_constant(&low, -1);
    affine_add(&low, r, sign);
    const bool positive = asked(s, &low, &above), less = is_below(s, r, sign, c, &below);
    for (size_t i = 0; positive && !less && i < below.any.n; i++)
        vec_push(&s->needs->any, below.any.at[i]);
    for (size_t i = 0; !positive && i < above.any.n; i++)
        for (size_t k = 0; k < (less ? 1 : below.any.n) && s->needs->any.n < MAX_PAIRS; k++)
            vec_push(&s->needs->any, (struct proof_both){above.any.at[i].one, less ? NULL : below.any.at[k].one});
    return positive && less;
}

bool proof_is_no_multiple(struct proof_system *s, const struct poly *e) {
    struct term c;
    struct poly r, q;
    for (int i = 0; i < e->n; i++)
        if (split(e, i, &c, &r, &q) && (is_between(s, &r, 1, &c) || is_between(s, &r, -1, &c)))
            return true;
    return false;
}

bool proof_digits(const struct proof_system *known, const struct poly *e, struct poly *low, struct poly *high) {
    struct proof_system s = *known;
    struct term c;
    s.instead.at = NULL, s.instead.n = s.instead.cap = 0; /* of its own: nothing is freed */
    s.ready = false;
    for (int i = 0; e->ok && i < e->n; i++)
        if (split(e, i, &c, low, high) && is_below(&s, low, 1, &c, NULL) && is_below(&s, low, -1, &c, NULL))
            return true;
    return false;
}
