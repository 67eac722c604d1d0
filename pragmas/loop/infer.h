/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of arrays as the subscripts show them. */
#ifndef HEDDLE_FOR_INFER_H
#define HEDDLE_FOR_INFER_H

#include "loop.h"

enum { BOUNDS = 4 };

struct side { /* one of these, which of them is seen at run time; of the parallel loop's variable */
    int n;
    struct poly at[BOUNDS];
};

struct clip { /* iterations that come there: i <= p, or i >= p */
    bool most;
    struct poly p;
};

struct area { /* of a reference */
    struct ref ref;
    unsigned access;
    bool conditional;     /* nobody knows which iterations come there */
    bool exact;           /* all of it is written */
    bool known[MAX_DIMS]; /* else: the whole dimension */
    struct side lo[MAX_DIMS], hi[MAX_DIMS];
    const char *some; /* the condition under which there is any; "": always */
    VEC(struct clip) clips;
};
typedef VEC(struct area) area_list;

struct look;
void infer_poly(struct look *k, struct node *n, struct poly *out);
struct node *infer_value(struct look *k, struct node *n); /* of a variable of the body that does not change; or NULL */
bool infer_holds(const struct poly *p, const char *atom);
bool infer_holds_inner(const struct look *k, const struct poly *p);
/* guard.c: conditions around a reference */
void infer_guards(struct for_loop *f, struct look *k, struct area *a);
void infer_clip(struct area *a, const struct poly *p); /* p >= 0 where it is reached: of i, with a factor of 1 or -1 */

/* apart.c: what two chunks bring back has nothing in common */
bool for_apart(struct for_loop *f, const area_list *all);

#endif
