/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of arrays as the subscripts show them. */
#ifndef HEDDLE_AREA_H
#define HEDDLE_AREA_H

#include "analysis/nest.h"
#include "function.h"

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
    long pace[MAX_DIMS];  /* all its values are that far from one to the next; 0: not known */
    struct side lo[MAX_DIMS], hi[MAX_DIMS];
    const char *some; /* the condition under which there is any; "": always */
    VEC(struct clip) clips;
};
typedef VEC(struct area) area_list;

struct inner { /* a loop around a reference */
    CXCursor var;
    const char *atom;
    struct poly least, most;
    struct poly positive; /* below zero it has no turn; not ok: nothing of that kind */
    bool down;
    bool exact; /* it runs through all values between */
    bool fixed; /* they are the same for all iterations of the parallel loop */
    bool seen;  /* a subscript holds it */
};

/* Where it is looked: the body of a parallel loop, or a block without one. */
struct look {
    struct nest *w;
    bool (*changes)(const void *of, const struct var *v); /* while it runs, perhaps */
    const void *of;
    VEC(struct inner) inner; /* outermost first; of the reference that is looked at */
    int depth;               /* of names of the body that stand for their values */
};

/* ---- area.c ---- */
bool area_read(const struct look *where, const struct use *use, struct area *a); /* false: not by subscripts alone */
void area_poly(struct look *k, struct node *n, struct poly *out);
struct node *area_value(struct look *k, struct node *n); /* of a variable of the body that does not change; or NULL */
bool area_holds(const struct poly *p, const char *atom);
bool area_holds_inner(const struct look *k, const struct poly *p);

/* ---- area_guard.c: conditions around a reference ---- */
void area_guards(struct look *k, struct area *a);
void area_clip(struct area *a, const struct poly *p); /* p >= 0 where it is reached: of i, with a factor of 1 or -1 */
bool area_tighten(struct look *k, const struct poly *p); /* likewise, of the variable of one loop inside */

/* ---- area_text.c ---- */
/* All places where v is used; false: not known. `rows`: its first extent, or NULL */
bool area_collect(const struct look *where, struct var *v, const char *rows, area_list *all);
/* For iterations from `low` to `high`: a bound, and the condition under which there are any. */
const char *area_bound(const struct area *a, int d, bool upper, const char *low, const char *high);
const char *area_condition(const struct area *a, const char *low, const char *high);
/* First element and number of elements of the rows that any of them touches. */
void area_whole(const struct var *v, const area_list *all, const char *rows, const char *low, const char *high,
                const char **first, const char **count);

#endif
