/* SPDX-License-Identifier: Apache-2.0 */
/* Two accesses, in an iteration and in another one, as the parts of the proof share them */
#ifndef HEDDLE_PROOF_PAIR_H
#define HEDDLE_PROOF_PAIR_H

#include "proof.h"

struct proof_pair {
    struct proof *o;
    const struct proof_access *w, *r;
    VEC(const struct packed *) equal; /* 0 where both touch the same element */
    struct proof_system known;
    struct proof_need *needs; /* what would be enough, where that is asked; else NULL */
    long tries;
};

struct proof_box { /* of distances; a side that is not known has no number */
    bool has_low[MAX_LOOPS], has_high[MAX_LOOPS];
    long low[MAX_LOOPS], high[MAX_LOOPS];
};

/* ---- proof.c ---- */
bool proof_pair_compare(struct proof_pair *p); /* false: they are parts of the object that have nothing in common */
void proof_pair_gather(struct proof_pair *p);
bool proof_pair_is_empty(struct proof_pair *p, const struct proof_box *r); /* they meet at no distance of the box */

/* ---- proof_condition.c ---- */
/* Proven, if what is added to the conditions holds. */
bool proof_pair_if(struct proof *o, const struct proof_access *w, const struct proof_access *r);

#endif
