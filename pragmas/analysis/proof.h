/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is it certain that no two iterations of a loop touch the same element, one of them writing? The parallel loops are
 * the axes 0, 1, …; loops in the body and values that are not known are axes that come after them. Subscripts are
 * polynomials over axes and over what has one value for all iterations; what bounds and conditions say is kept as
 * polynomials that are not negative. Nothing is proven by what is not understood.
 */
#ifndef HEDDLE_PROOF_H
#define HEDDLE_PROOF_H

#include "analysis/nest.h"
#include "function.h"

struct packed { /* a polynomial that is kept */
    bool ok;
    int n;
    struct term t[];
};

/* ---- places in memory ---- */
enum { PROOF_STEPS = 8 };
enum proof_root { ROOT_UNKNOWN, ROOT_PRIVATE, ROOT_SHARED };

struct proof_step { /* from an object to a part of it */
    bool subscript;
    bool loose; /* counted by a pointer into a row: it may leave the row */
    CXCursor field;
    const struct packed *at, *extent; /* extent: of the array, where it is known */
};

struct proof_place {
    enum proof_root kind;
    const char *root; /* of shared ones: different text, different object */
    CXCursor decl;    /* of private ones, and tables of rows, if it is one variable */
    CXType elem;      /* of pointers: what the last subscript counts */
    bool fuzzy;       /* somewhere in the root */
    bool cut;         /* in a union or among bit-fields: no further steps count */
    int n;
    struct proof_step step[PROOF_STEPS];
};

enum proof_kind { VALUE_NONE, VALUE_INT, VALUE_POINTER, VALUE_RECORD };
struct proof_value {
    enum proof_kind kind;
    const struct packed *is;
    struct proof_place at;
};

struct proof_entry { /* not negative */
    const struct packed *is;
    const char *top; /* its last axis; NULL: none */
};
struct proof_limit {
    struct proof_entry here, there; /* there: as another iteration has it */
    struct proof_limit *up;
};
typedef VEC(struct proof_limit) proof_facts;

struct proof_access {
    struct node *n; /* in the file */
    struct proof_place at;
    bool read, write, atomic, joined; /* joined: of an array that is reduced, in the loop's own body */
    const struct packed *value;       /* a plain assignment of a whole number that all iterations agree on */
    struct proof_limit *limits;
    const struct function *called; /* seen in this function, which is called at n */
};

struct proof_binding {
    CXCursor var, field; /* field: of a structure that is not changed; else null */
    struct proof_value is;
};
struct proof_declared { /* without a value, which one assignment gives */
    CXCursor var;
    int axes; /* those that there are */
};
struct proof_result {
    const struct node *call;
    struct proof_value is;
};

struct proof_frame { /* the loop's body, or a function that it calls */
    struct proof_frame *up;
    struct function *f;       /* NULL: the body */
    struct node *root, *site; /* site: the call in the file, of a function that is not */
    bool wild;                /* jumps into blocks: conditions say nothing */
    int returns;
    struct proof_value result;
};

struct proof {
    struct unit *u;
    const struct pragma *p;
    struct node *body;
    int dims;
    const struct loop *loop[MAX_LOOPS];
    VEC(CXCursor) privates; /* reductions, firstprivate */
    VEC(CXCursor) joined;   /* arrays whose elements are reduced */
    VEC(CXCursor) tables;   /* of pointers to rows, which the run time tells apart */
    /* what else helps against a conflict, behind the message; NULL: nobody knows */
    const char *(*instead)(void *of, const struct proof_access *w, const struct proof_access *r);
    void *of;
    /* What may be tested before the loop, as C text; NULL: it has no text. No such function: nothing is tested. */
    const char *(*condition)(void *of, const struct packed *p);
    VEC(const char *) conditions; /* under which all is proven: each of them */
    /* the walk */
    struct proof_frame *frame;
    int axes, depth, atomic;
    long visits;
    struct proof_limit *limits;
    proof_facts facts; /* about values that are not known */
    VEC(struct proof_binding) bindings;
    VEC(struct proof_declared) declared;
    VEC(struct proof_result) results;
    VEC(struct proof_access *) accesses;
};

/* ---- proof_bound.c ---- */
struct proof_instead {
    const char *atom;
    const struct packed *by;
};
struct proof_both { /* polynomials with one value for all iterations; NULL: none */
    const struct packed *one, *other;
};
struct proof_need { /* both of one of these are not negative */
    VEC(struct proof_both) any;
};
struct proof_system { /* polynomials that are not negative */
    const struct proof_limit *here, *there;
    const proof_facts *facts;
    VEC(struct proof_entry) limits;
    VEC(struct proof_instead) instead;
    bool ready;
    long tries;
    struct proof_need *needs; /* gets what would be enough; NULL: nobody asks */
};
const struct packed *proof_pack(const struct poly *p);
void proof_unpack(const struct packed *from, struct poly *to);
struct proof_entry proof_entry(const struct poly *p);
void proof_assume(struct proof_system *s, const struct poly *p);
bool proof_implies(struct proof_system *s, const struct poly *p); /* p >= 0, surely */
const char *proof_top(const struct poly *p); /* the last axis in it; NULL: one value for all iterations */
typedef void proof_replace(void *context, const char *atom, struct poly *by);
void proof_substitute(const struct poly *p, proof_replace *replace, void *context, struct poly *out);

/* ---- proof_digits.c ---- */
bool proof_holds_axis(const struct term *t);
bool proof_divide(const struct term *t, const struct term *c, struct term *q); /* t = c q */
bool proof_is_no_multiple(struct proof_system *s, const struct poly *e);       /* e is 0 nowhere */
/* e = 0 only where both parts are 0 */
bool proof_digits(const struct proof_system *known, const struct poly *e, struct poly *low, struct poly *high);

/* ---- proof_value.c: whole numbers ---- */
const char *proof_axis(struct proof *o);                        /* a new one */
void proof_opaque(struct proof *o, CXType t, struct poly *out); /* some value of that type */
void proof_int(struct proof *o, struct node *n, struct poly *out);
bool proof_known(struct proof *o, const struct poly *p);         /* p >= 0, here */
void proof_limit(struct proof *o, const struct poly *p);         /* from here on */
void proof_given(struct proof *o, struct node *n, bool negated); /* the condition holds, or does not */

/* ---- proof_place.c: pointers and lvalues ---- */
void proof_place(struct proof *o, struct node *n, struct proof_place *out);
void proof_value(struct proof *o, struct node *n, struct proof_value *out); /* of any expression */
void proof_add(struct proof_place *p, const struct poly *by);
void proof_lose(struct proof_place *p); /* somewhere in it */
const struct proof_value *proof_bound(struct proof *o, CXCursor var, CXCursor field);
bool proof_is_inside(const struct proof *o, CXCursor decl); /* declared in the body, or in a function that it calls */
bool proof_is_object(const struct node *n);                 /* an lvalue */

/* ---- proof_walk.c ---- */
void proof_frame(struct proof *o, struct proof_frame *f); /* runs it, and leaves no trace but accesses */
void proof_visit(struct proof *o, struct node *n);
void proof_record(struct proof *o, struct node *n, struct proof_place *at, unsigned access);
void proof_bind(struct proof *o, CXCursor var, CXCursor field, const struct proof_value *v);

/* ---- proof_loop.c ---- */
void proof_enter(struct proof *o, const struct loop_count *c,
                 const char *parallel); /* binds the variable, and its limits; the axis, or NULL */

/* ---- proof_variable.c ---- */
/* A variable of the frame with its first value, NULL where it has none. */
void proof_declare(struct proof *o, CXCursor var, const struct proof_value *first);
void proof_assigned(struct proof *o, struct node *assignment);

/* ---- proof_call.c ---- */
void proof_call(struct proof *o, struct node *n);
void proof_hidden(struct proof *o, struct node *n); /* a statement behind an OpenMP directive */

/* ---- proof.c ---- */
bool proof_check(struct proof *o); /* false: not proven, which was said */
/* The first loop's iterations, whatever turn of the others they are in; nothing is said. */
bool proof_apart(struct proof *o);
/* Two loops: where cells of two rows touch the same element, the later one is at most *back columns to the left of the
   earlier one. false: not proven for `most` or fewer, of the two accesses in `odd`. */
bool proof_columns(struct proof *o, long most, long *back, const struct proof_access *odd[2]);

#endif
