/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the file: what they hold, what they change, and what they call. */
#ifndef HEDDLE_FUNCTION_H
#define HEDDLE_FUNCTION_H

#include "front/ast.h"

struct site { /* a pool directive and the statement behind it */
    const struct pragma *p;
    struct function *f;
    struct node *stmt; /* NULL for taskwait */
    size_t end;        /* of the statement's text */
    struct node *body; /* of a taskloop inside a task: what its iterations run */
    bool used;         /* some pool runs it */
    bool made;         /* it does not stand there: pool/made.c */
    const char *text;  /* OpenMP's directive in its place, in pools that stay on the host; else NULL */
};

typedef VEC(struct site *) site_list;

struct function {
    CXCursor c; /* the definition */
    const char *name;
    struct node *tree, *body;
    size_t begin;
    bool in_file;
    site_list sites;
    VEC(struct function *) calls; /* outside task statements first, those in them too */
    VEC(CXCursor) globals;        /* variables that may change */
    VEC(CXCursor) tables;         /* constant ones */
    struct node *unknown;         /* the first call of a function without a body here */
    bool worker;                  /* holds or reaches a directive */
    bool spawns;                  /* ... that is not lanes */
    bool stores;                  /* changes memory that is not its own */
    bool uses_globals;
    bool checked, copied;
    unsigned visit; /* the last walk over calls that came here */
};

/* ---- function.c ---- */
void functions_forget(void);                              /* another translation unit follows */
struct function *function_of(struct unit *u, CXCursor c); /* NULL: no body in this translation unit */
struct function *function_around(struct unit *u, size_t offset);
struct function *function_called(struct unit *u, struct node *call);
CXCursor function_callee(struct node *call); /* null cursor: called through a pointer */
bool function_is_pure(
    CXCursor callee); /* without effect on memory: a known one, or one declared __attribute__((const)) */
bool function_only_reads(struct unit *u, struct node *call);         /* nobody sees whether it runs */
bool function_takes_const(struct node *call, struct node *argument); /* ... behind a pointer */
bool function_is_memory(const char *name);                           /* memcpy and its like */
/* Of the host, in any order: memory of its own, and output, whose lines then come in any order. */
bool function_is_allocation(const char *name);
bool function_is_output(const char *name);
bool function_ends(const char *name); /* the program: nobody sees what it has done to memory */
void functions_analyse(struct unit *u);
bool function_check(struct unit *u, struct function *f, size_t at);
unsigned function_visit(void);                          /* begins a walk over calls */
bool function_seen(struct function *f, unsigned visit); /* been there; marks it */
const struct pragma *function_wavefront(struct unit *u, size_t b, size_t e);
bool node_is_global(CXCursor decl);
bool node_is_table(CXCursor decl);         /* constant: the device has its own */
bool node_is_openmp(const struct node *n); /* a directive that tasks cannot have */
bool node_is_modified(unsigned access);
/* How often, below n; its address counts. `assignment`: the last change, where it is a plain one; may be NULL. */
int node_changes(struct node *n, CXCursor var, struct node **assignment);

/* ---- count.c: loops that count ---- */
struct loop_count { /* for (var = first; var < bound; var += step) */
    CXCursor var;
    struct node *first, *bound, *step; /* step: NULL: 1 */
    bool open, down;
    bool sooner;           /* it may end before: var < bound && … */
    struct node *variable; /* in the test */
};
bool loop_counts(struct node *loop, struct loop_count *out);
/* Of the variable `var`: the bound, and the step with its direction; false where they have no such form. */
bool loop_bound(struct node *test, struct loop_count *c);
bool loop_step(struct node *inc, struct loop_count *c, bool *down);
/* ends.c: the same as text, converted as the loop does it; the test before the first turn */
const char *count_first(const struct unit *u, const struct loop_count *c);
const char *count_bound(const struct unit *u, const struct loop_count *c);
const char *count_test(const struct unit *u, const struct loop_count *c);
bool count_begins_below(const struct loop_count *c); /* it may begin below zero, and the variable has no sign */
bool count_goes_round(const struct loop_count *c);   /* ... and the other end may be there, too */
bool count_has_no_sign(const struct loop_count *c);  /* what it begins with may be below zero, and compares as more */
bool count_numbers(const struct loop_count *c, long *first, long *bound); /* constants that no conversion changes */

/* ---- cplusplus.c: what the directive runs is plain C; else errors ---- */
bool cplusplus_check(struct unit *u, const struct pragma *p);

/* ---- calls.c: what cells and iterations may call ---- */
struct calls {
    struct unit *u;
    unsigned visit;
    size_t at; /* where a function is called whose body is in a header; 0: what is checked is in the file */
    bool loop; /* iterations of a `for`, not cells of a nest */
    bool host; /* they stay on the host: only what a function keeps between calls matters */
    bool sure; /* ... and somebody asserts that they are independent; else pointers of file scope may lead anywhere */
    bool (*compares)(void *of, CXCursor global); /* ... or it is seen when the loop runs; NULL: it is not */
    void *of;
    bool objects; /* ... and write arrays only, not through pointers: those of file scope are others for sure */
};
bool calls_check(const struct calls *c, struct node *n);
bool calls_check_function(const struct calls *c, struct function *g, size_t at);
bool calls_check_global(const struct calls *c, CXCursor global); /* the host may use it: nothing is said */
bool calls_check_unknown(const struct calls *c, CXCursor callee, size_t at);

#endif
