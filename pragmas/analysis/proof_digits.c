/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index r + c q is 0 where |r| < c only if r and q are: x[i + n * j] with 0 <= i < n has two subscripts, whichever
 * of its loops is the parallel one (delinearization: Maslov, "Delinearization: an efficient way to break multiloop
 * dependence equations", PLDI 1992).
 */
#include "proof.h"

#include <stdlib.h>
#include <string.h>

static bool is_axis(const char *atom) { return atom[0] == '\1'; }

/* What an axis is multiplied with; false: by 1, or there is no axis. */
static bool factor_of(const struct term *t, struct term *c) {
    *c = (struct term){.k = labs(t->k)};
    for (int a = 0; a < t->n; a++)
        if (!is_axis(t->atom[a]))
            c->atom[c->n++] = t->atom[a];
    return c->n < t->n && (c->n || c->k > 1);
}

static bool divide(const struct term *t, const struct term *c, struct term *q) {
    int k = 0;
    *q = (struct term){.k = t->k / c->k};
    for (int a = 0; a < t->n; a++) /* both are sorted */
        if (k < c->n && strcmp(t->atom[a], c->atom[k]) == 0)
            k++;
        else
            q->atom[q->n++] = t->atom[a];
    return k == c->n && t->k % c->k == 0;
}

static bool is_smaller(const struct proof_system *known, const struct poly *r, const struct term *c) {
    for (long sign = -1; sign <= 1; sign += 2) {
        struct proof_system s = *known;
        struct poly room = {.ok = true, .n = 1, .t = {*c}}, one;
        s.instead.at = NULL, s.instead.n = s.instead.cap = 0; /* of its own: nothing is freed */
        s.ready = false;
        s.tries = 0;
        affine_constant(&one, 1);
        affine_add(&room, &one, -1);
        affine_add(&room, r, sign);
        if (!proof_implies(&s, &room))
            return false;
    }
    return true;
}

bool proof_digits(const struct proof_system *known, const struct poly *e, struct poly *low, struct poly *high) {
    for (int i = 0; e->ok && i < e->n; i++) {
        struct term c, q;
        if (!factor_of(&e->t[i], &c))
            continue;
        *low = *high = (struct poly){.ok = true};
        for (int t = 0; t < e->n; t++)
            if (divide(&e->t[t], &c, &q))
                high->t[high->n++] = q;
            else
                low->t[low->n++] = e->t[t];
        if (low->n && is_smaller(known, low, &c))
            return true;
    }
    return false;
}
