/* SPDX-License-Identifier: Apache-2.0 */
/* What the program tests before a loop, where that is enough: a[i * ld + j] with j < m is fine where m <= ld. */
#include "proof_pair.h"

#include <string.h>

enum { MAX_STRIDES = 6, MAX_CONDITIONS = 8, ALTERNATIVES = 4 };

/* Factors of what counts, which a program takes to be positive. */
static void find_strides(const struct proof_pair *p, struct poly *out, size_t *n, size_t most) {
    struct poly e, one;
    affine_constant(&one, 1);
    for (size_t i = 0; i < p->equal.n; i++) {
        proof_unpack(p->equal.at[i], &e);
        for (int t = 0; t < e.n; t++)
            for (int a = 0; proof_holds_axis(&e.t[t]) && a < e.t[t].n && *n < most; a++) {
                size_t k = 0;
                struct poly atom;
                affine_atom(&atom, e.t[t].atom[a]);
                affine_add(&atom, &one, -1);
                while (k < *n && !affine_equal(&out[k], &atom))
                    k++;
                if (e.t[t].atom[a][0] != '\1' && k == *n)
                    out[(*n)++] = atom;
            }
    }
}

static bool is_stride(const struct term *t, const struct poly *strides, size_t n) {
    for (int a = 0; a < t->n; a++)
        for (size_t k = 0; k < n; k++)
            for (int s = 0; s < strides[k].n; s++)
                if (strides[k].t[s].n && strcmp(strides[k].t[s].atom[0], t->atom[a]) == 0)
                    return true;
    return false;
}

/* x >= 1, or a smaller number. Rows of n + 4 elements from x - 2 to n + 2: what is left of the stride and the row's
   length is where the row begins. */
static bool is_origin(const struct packed *need) {
    long least = 0;
    int atoms = 0;
    for (int t = 0; t < need->n; t++) {
        if (!need->t[t].n)
            least = need->t[t].k;
        else if (need->t[t].n > 1 || need->t[t].k != 1)
            return false;
        else
            atoms++;
    }
    return atoms == 1 && least >= -1;
}

/* A stride is to be large, which programs keep to; that loops are short is none. */
static bool is_sensible(const struct packed *need, const struct poly *strides, size_t n) {
    if (is_origin(need))
        return true;
    for (int t = 0; t < need->n; t++) {
        bool beaten = need->t[t].k < 0 || !is_stride(&need->t[t], strides, n);
        struct term unit = need->t[t], times;
        unit.k = 1;
        for (int k = 0; !beaten && k < need->n; k++)
            beaten = need->t[k].k < 0 && proof_divide(&need->t[k], &unit, &times);
        if (!beaten)
            return true;
    }
    return false;
}

static bool add_condition(struct proof *o, const char *text) {
    for (size_t i = 0; i < o->conditions.n; i++)
        if (strcmp(o->conditions.at[i], text) == 0)
            return true;
    if (o->conditions.n == MAX_CONDITIONS)
        return false;
    vec_push(&o->conditions, text);
    return true;
}

static const char *condition_of(struct proof *o, const struct packed *p, const struct poly *strides, size_t n) {
    return is_sensible(p, strides, n) ? o->condition(o->of, p) : NULL;
}

/* The shortest ones, any of which is enough. */
static bool choose(struct proof *o, const struct proof_need *needs, const struct poly *strides, size_t n) {
    struct buf text = {0};
    int count = 0;
    for (int terms = 1; terms <= 2 * MAX_TERMS && count < ALTERNATIVES; terms++)
        for (size_t i = 0; i < needs->any.n && count < ALTERNATIVES; i++) {
            const struct proof_both *p = &needs->any.at[i];
            if (p->one->n + (p->other ? p->other->n : 0) != terms)
                continue;
            const char *one = condition_of(o, p->one, strides, n), *other = "";
            if (p->other)
                other = condition_of(o, p->other, strides, n);
            const char *both = one && other ? mem_printf(*other ? "(%s && %s)" : "%s", one, other) : NULL;
            if (both && (!count || !strstr(text.s, both)))
                buf_printf(&text, "%s%s", count++ ? " || " : "", both);
        }
    return count && add_condition(o, text.s);
}

/* w in an iteration, r in one that comes later, if what the program tests before the loop holds */
static bool is_ordered_if(struct proof *o, const struct proof_access *w, const struct proof_access *r) {
    struct proof_pair p = {.o = o, .w = w, .r = r};
    struct poly strides[MAX_STRIDES];
    size_t n = 0;
    if (!proof_pair_compare(&p))
        return true;
    proof_pair_gather(&p);
    find_strides(&p, strides, &n, MAX_STRIDES);
    for (size_t k = 0; k < n; k++) {
        const char *text = proof_known(o, &strides[k]) ? "" : o->condition(o->of, proof_pack(&strides[k]));
        if (!text || (*text && !add_condition(o, text)))
            return false;
        proof_assume(&p.known, &strides[k]);
    }
    for (int lead = 0; n && lead < o->dims; lead++) {
        struct proof_box region = {.low = {0}};
        struct proof_need needs = {{NULL, 0, 0}};
        for (int k = 0; k < lead; k++)
            region.has_low[k] = region.has_high[k] = true;
        region.has_low[lead] = true;
        region.low[lead] = 1;
        p.needs = NULL;
        if (proof_pair_is_empty(&p, &region))
            continue;
        p.needs = &needs;
        if (!proof_pair_is_empty(&p, &region) && !choose(o, &needs, strides, n))
            return false;
    }
    return n != 0;
}

bool proof_pair_if(struct proof *o, const struct proof_access *w, const struct proof_access *r) {
    const size_t before = o->conditions.n;
    if (!o->condition || w->at.kind == ROOT_UNKNOWN || r->at.kind == ROOT_UNKNOWN)
        return false;
    if (is_ordered_if(o, w, r) && (w == r || is_ordered_if(o, r, w)))
        return true;
    o->conditions.n = before;
    return false;
}
