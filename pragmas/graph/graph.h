/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of `#pragma heddle graph` share. libclang shows nothing of a statement behind an OpenMP directive, so
 * the block is looked at as a compiler without OpenMP sees it (unit.serial), and its directives are read from the text.
 */
#ifndef HEDDLE_GRAPH_TRANSLATE_H
#define HEDDLE_GRAPH_TRANSLATE_H

#include "analysis/nest.h"
#include "analysis/function.h"

/* ---- openmp.c: an OpenMP directive as text ----------------------------------------------------------------------- */
enum {
    OMP_TASK = 1u << 0,
    OMP_TARGET = 1u << 1,
    OMP_TEAMS = 1u << 2,
    OMP_DISTRIBUTE = 1u << 3,
    OMP_PARALLEL = 1u << 4,
    OMP_FOR = 1u << 5,
    OMP_SIMD = 1u << 6,
    OMP_LOOP = 1u << 7,
    OMP_TASKWAIT = 1u << 8,
    OMP_TASKGROUP = 1u << 9,
    OMP_SINGLE = 1u << 10,
    OMP_MASTER = 1u << 11,
    OMP_MASKED = 1u << 12,
    OMP_OTHER = 1u << 13,
    OMP_ASSOCIATED = OMP_DISTRIBUTE | OMP_FOR | OMP_SIMD | OMP_LOOP /* a loop stands behind it */
};
struct omp_clause {
    struct span name, args; /* args: between the parentheses */
    bool has_args;
};
struct omp {
    size_t b, e; /* the line */
    unsigned words;
    struct span text; /* the words themselves */
    VEC(struct omp_clause) clauses;
};
typedef VEC(struct omp) omp_list;
/* The directives in a stretch of the file, in order. */
void omp_scan(struct unit *u, struct span s, omp_list *out);
bool omp_clause_is(const struct unit *u, const struct omp_clause *c, const char *name);
const struct omp_clause *omp_clause_find(const struct unit *u, const struct omp *d, const char *name);
/* The text up to a ':' outside of brackets, "in" of "in : x": moves `s` behind it; empty: there is none. */
struct span omp_modifier(const struct unit *u, struct span *s);
/* The next item of a list; false: no more. */
bool omp_next(const struct unit *u, struct span *list, struct span *item);
bool omp_lists(const struct unit *u, const struct omp_clause *c, const char *name); /* is the variable in its list? */

/* ---- item.c: places in memory ------------------------------------------------------------------------------------ */
struct graph_item {
    struct span text;
    const char *name; /* of the variable that it begins with */
    const char *begin, *bytes;
    bool section;     /* [first : count] */
    bool whole;       /* nothing but the variable's name */
    int flags;        /* HEDDLE_GRAPH_* of heddle/engine/graph.h */
    struct var *slot; /* the pointer through which a device reaches it; NULL: none */
};
enum { ITEM_READ = 1, ITEM_WRITE = 2, ITEM_DATA = 4, ITEM_HERE = 8 };
bool item_read(struct unit *u, struct span text, struct graph_item *out);
/* A section of the clause of a heddle directive. */
void item_of_clause(struct unit *u, const struct item *item, struct graph_item *out);

/* ---- task.c: a task construct ------------------------------------------------------------------------------------ */
enum capture_form {
    FORM_NONE,    /* it is known by its name before the function, too */
    FORM_COPY,    /* the value when the task is made */
    FORM_ARRAY,   /* ... of an array */
    FORM_POINTER, /* where an array begins, or a pointer's value */
    FORM_ADDRESS  /* where a variable is that the task shares with others */
};
struct graph_capture { /* beside w.vars, by its index */
    enum capture_form form;
    bool mapped; /* a device has its own value of what it points to */
    bool here;   /* FORM_ADDRESS: a device works on a copy, which comes back to the host */
    bool written;
};
struct graph_task {
    struct graph *g;
    const struct omp *d;
    bool target;
    struct nest w; /* its first two variables are none */
    size_t end;
    VEC(struct graph_capture) captures;
    VEC(struct graph_item) items;
    const char *open; /* a variable through which it may reach what no item names */
};
bool task_analyse(struct graph_task *t);
bool task_writes(const struct graph_task *t, const struct var *v, bool *surely); /* through it; or may */
/* open.c: what a task of the host touches beside its items */
void task_find_open(struct graph_task *t);
bool task_check_number(struct graph_task *t); /* and does not ask for its thread's number */

/* ---- graph.c: the block ------------------------------------------------------------------------------------------ */
struct graph_call { /* of a function that makes tasks of the graph */
    struct node *n;
    struct graph *of;
};
struct graph_copy { /* of a variable, in a statement */
    const char *name;
    bool first, sized; /* it begins as the variable is; its size is not known */
};
struct graph_team { /* parallel, single, master or masked: the directive goes */
    const struct omp *d;
    size_t end; /* of its statement */
    VEC(struct graph_copy) copies;
};
struct graph {      /* the block, or a function that it calls */
    struct unit *u; /* the serial view; edits and errors go to `file` */
    struct unit *file;
    const struct pragma *p;
    CXCursor function;
    const char *function_name;
    size_t function_begin;
    struct node *tree, *root;
    size_t b, end; /* of the statement */
    omp_list directives;
    VEC(struct graph_task *) tasks;
    VEC(struct graph_item) held; /* clause map */
    VEC(struct graph_team) teams;
    VEC(struct span) removed;   /* lines of directives whose part heddle plays */
    VEC(struct span) waits;     /* of taskwait */
    VEC(size_t) wait_after;     /* where a taskgroup ends */
    struct graph *top, *caller; /* the block; who calls the function, NULL: this is the block */
    VEC(struct graph *) called; /* of the block: all functions that make its tasks, those they call before them */
    VEC(struct graph_call) calls;
    const char *name; /* of the function's form that records */
    const char *call; /* how its text says struct heddle_graph_call * */
    edit_list own, *edits;
};
bool graph_analyse(struct unit *u, const struct pragma *p, struct graph *g);
/* Where the statement behind a directive of the block ends. */
bool graph_statement_end(struct graph *g, const struct omp *d, struct node **n, size_t *end);
struct node *graph_statement(struct node *n, size_t offset);
bool graph_directives(struct graph *g); /* all of the block or function */
bool graph_check_held(struct graph *g, struct node *n);
bool graph_in_task(const struct graph *g, const struct node *n);
/* team.c: directives that make the threads */
bool graph_add_team(struct graph *g, const struct omp *d);
/* By the rules for tasks: do all threads have this variable together at that place? */
bool graph_team_shares(const struct graph *g, size_t offset, const struct var *v);
/* called.c: functions that the block or function calls and that make tasks of the graph */
bool graph_find_called(struct graph *g);

#endif
