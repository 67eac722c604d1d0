/* SPDX-License-Identifier: Apache-2.0 */
/* nest.c: canonical loop nests; what is known of one: its variables, their mentions, array references */
#ifndef HEDDLE_ANALYSIS_NEST_H
#define HEDDLE_ANALYSIS_NEST_H

#include "analysis/affine.h"

struct batch;
struct declared;
struct early;
struct hoist;
struct stream;

#define MAX_LOOPS 3 /* that one directive runs in parallel */

/* analysis/capture.c: variables of the nest */
enum var_kind { VAR_LOOP, VAR_SCALAR, VAR_POINTER, VAR_ARRAY };
enum { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_ADDRESS = 4, ACCESS_UNEVALUATED = 8 };

enum field_kind { FIELD_NONE, FIELD_FULL, FIELD_ROLLING, FIELD_COLLAPSED_I, FIELD_COLLAPSED_J };

/* fresh.c: what a pointer leads to, or an array is: a block from malloc, there before it, or not known */
enum birth { BIRTH_UNSEEN, BIRTH_BLOCK, BIRTH_OLDER, BIRTH_ELSEWHERE };

struct var {
    CXCursor decl;
    const char *name;
    enum var_kind kind;
    const char *type;       /* C type of a scalar or plain pointer as written */
    const char *elem;       /* arrays: ultimate element type with its qualifiers */
    const char *elem_plain; /* ... and without */
    CXType elem_type;
    int ndims;
    long dim[MAX_DIMS];       /* extents; 0: not constant (dim[0] of a pointer: unknown) */
    bool sized;               /* sizeof gives the whole array */
    long rows;                /* a parameter with its first extent: double A[100][n]; 0: none, or not constant */
    struct span extent;       /* ... double A[n][n]; else empty */
    struct node *extent_tree; /* ... the same, which may come out of a macro; NULL: none */
    size_t use;               /* offset of the first use, for messages */

    bool sweep; /* the variable of the loop over sweeps */
    bool local; /* an array that each problem of a batch declares itself */
    bool own;   /* a scalar or pointer that it does */
    enum birth birth;
    bool reduced;
    bool joined;       /* an array whose elements are reduced */
    int rows_apart;    /* T **x, T ***x whose rows the run time tells apart: subscripts; else 0 */
    const char *table; /* ... of a wavefront, where `elem` is an element of a row: what x points to */
    bool private;      /* firstprivate: an iteration may change its copy */
    enum red_op op;
    const struct declared *user; /* ... of RED_USER */
    const struct clause *place;  /* reduced as the best value of cells, its row's number or its column's */
    bool in_place;               /* ... whose copy the body is just emitted to change where it lies */
    size_t bare;                 /* offset of a use other than by full subscripts, plus 1 */

    /* carried arrays (wavefront/dep.c) */
    enum field_kind field;
    struct ref *write; /* the representative write */
    int rolling;       /* rows of a rolling array */
    bool unit_stride;  /* neighbours in j are neighbours in memory */
    enum keep_mode keep;
    bool upwards;              /* later rows come before earlier ones in memory */
    bool preload;              /* the cell's old value is needed */
    const struct early *old;   /* ... and may be fetched ahead of time */
    bool edge, left, diagonal; /* read from the row above, from the left, from (1,1) */
    bool ahead, behind;        /* read from (1,-1), from (1,2) */
    bool guard_top, guard_left;
    const struct item *map_item; /* its section in a map clause */
    enum map_kind map_kind;
    const char *map_first, *map_count;   /* set: it gets a map entry */
    const char *kept_first, *kept_count; /* set: it stays on the host, and these are its elements */
    const char *map_slope;               /* elements from row to row of the nest; NULL: not known */
    long map_reach;                      /* rows above and below that references under a condition may want besides */
    const char *map_row; /* the element that the nest's first cell is stored to; NULL: rows are not contiguous */
};

struct use { /* one mention of a captured variable in the loop nest */
    struct var *v;
    struct node *n;
    size_t offset;
};

/* analysis/refs.c: array references */
enum role {
    ROLE_MEMORY,
    ROLE_OWN,
    ROLE_LEFT,
    ROLE_TOP,
    ROLE_TOP_LEFT,
    ROLE_ROW,
    ROLE_COL,
    ROLE_TOP_RIGHT,
    ROLE_FAR_TOP_LEFT
};
struct hoist { /* a read-only reference that depends on one loop variable only */
    const char *name, *key, *type;
    struct ref *ref;
};
struct ref {
    struct var *v;
    struct node *n; /* the outermost subscript */
    size_t b, e;
    int nsubs;
    struct node *sub[MAX_DIMS];
    struct poly poly[MAX_DIMS];
    unsigned access;
    bool conditional;
    bool macro; /* comes out of a macro's body: its text is not in the file */
    enum role role;
    const struct hoist *hoist;
    const struct early *early;
    const char *look; /* member that holds it where tables are looked up before a cell: batches on CPUs */
    const char *far;  /* member that holds it where such reads are gathered before the nest */
    long di, dj;
    int sign; /* wavefront/prefix.c: of a carried element in the sum */
};

struct rows_used { /* wavefront/rows.c: by one reference to rows behind pointers, in the whole nest: C expressions */
    const struct var *v;
    bool written;
    long pace; /* from row to row */
    const char *lo[2], *hi[2];
};

/* analysis/nest.c: canonical loop nests */
struct loop {
    struct node *stmt;
    CXCursor var;
    const char *name, *type;
    struct span lo, hi;
    struct node *first, *bound; /* the expressions there */
    bool open;                  /* '<': the last value is hi - 1 */
    struct node *step;          /* of a `for` loop; NULL: 1 */
    bool down;                  /* ... and it counts down */
};
struct vector {
    long di, dj;
    bool anti;
    const struct ref *ref;
};
struct batch; /* analysis/batch.h */
struct nest {
    struct unit *u;
    const struct pragma *p;
    int id;
    struct batch *batch; /* batch(p) around problems that have statements of their own before the nest; else NULL */
    CXCursor function;
    const char *function_name;
    size_t function_begin;
    struct node *root, *body;
    size_t root_end, body_begin, body_end;
    bool swept;   /* sweeps(t) or batch(b): a loop over sweeps is around the two */
    bool batched; /* ... whose turns have nothing to do with each other */
    struct loop sweep;
    struct loop loop[2];

    VEC(struct var *) vars; /* in order of first use; loop variables first */
    VEC(struct use) uses;
    VEC(struct ref *) refs;
    VEC(struct hoist *) rows;
    VEC(struct hoist *) cols;
    VEC(struct hoist *) fars;
    VEC(struct vector) vectors;
    VEC(struct stream *) streams;
    VEC(struct early *) early;
    VEC(struct rows_used) used_rows; /* to be looked at before it runs */

    VEC(struct macro) defines; /* inside the function, which the loop uses */
    size_t continue_at;        /* offset of the first 'continue' of the inner loop, or SIZE_MAX */
    bool registers, memory, host_border, pure;
    bool follows;  /* pointers in arrays, which no device can */
    bool unmapped; /* wrong is what the map clauses say, or do not say */
    bool host;     /* it stays on the host: cells may call and use what that has ... */
    bool sure;     /* ... and 'independent' asserts that what subscripts do not show touches nothing of other cells */
    const struct clipped *clip; /* NULL: all rows have all columns */
    bool ordered;        /* dependences are not uniform, but rows behind each other keep them: wavefront/ordered.c */
    bool extended;       /* registers, with dependences on (1,-1) or (1,2) */
    struct node *impure; /* the first thing in the body that is not pure; NULL: none */
    bool early_pure;     /* pure, if what may be read ahead of time (wavefront/stream.c) was */
    bool in_place, in_place_pure; /* swept: see wavefront/sweeps.c */
    long skew, ahead, depth;
    int prefix; /* PREFIX_*, 0: not a prefix sum */
    const struct var *prefix_var;
};

bool nest_find(struct unit *u, const struct pragma *p, struct nest *out);
bool nest_find_two(struct nest *w, struct node *outer); /* the two loops of the nest, from the first one on */
bool nest_find_root(struct unit *u, const struct pragma *p, struct nest *w); /* function and outermost loop */
bool nest_loop_init(struct nest *w, struct node *init, struct loop *l);
bool nest_is_variable(struct node *n, CXCursor var);
/* the loop variable and the bound, or the step, beside it: both in one macro's use cannot be told apart */
bool nest_check_apart(struct nest *w, const struct node *variable, const struct node *n, const char *what);
bool nest_check_jumps(struct nest *w);
bool nest_check_macros(struct nest *w);                            /* those defined inside the function: w->defines */
bool nest_loop(struct nest *w, struct node *stmt, struct loop *l); /* one canonical loop */
bool nest_is_mentioned(struct node *n, CXCursor var);
/* bounds.c: nothing that is written is what a loop's head reads in memory; else an error */
bool nest_check_bound(struct nest *w, struct node *n, bool (*writes)(const void *of, const struct var *v),
                      const void *of);
/* fresh.c: two different variables point into different objects, one of which the function has got from malloc */
bool nest_are_blocks(const struct nest *w, struct var *a, struct var *b);
/* exposed.c: a scalar that something else which the nest writes may be */
bool nest_is_exposed(const struct nest *w, const struct var *v, bool (*writes)(const void *of, const struct var *v),
                     const void *of);
/* ... what tasks made by a loop's body may write */
bool taskloop_check_bound(struct unit *u, struct node *n, struct node *body);
/* ends.c: the first value and the bound as text of type long, as C converts and compares them */
const char *loop_first(const struct unit *u, const struct loop *l);
const char *loop_end(const struct unit *u, const struct loop *l);
bool loop_goes_round(const struct loop *l); /* both may be below zero, and the variable has no sign */
/* The condition under which it does not begin there, or has no turn, as C text; NULL: it never does. */
const char *loop_straight(const struct unit *u, const struct loop *l);
bool nest_sweep_chooses(const struct nest *w, const struct ref *r); /* its subscripts hold the number of the sweep */
const struct clause *nest_clause(const struct nest *w, enum clause_id id);

#endif
