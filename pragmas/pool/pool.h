/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the pool directives share. A pool's *task types* are statements with the variables they
 * capture. A *region* is a piece of text that a worker runs: the statement of a task type, or the body of a function
 * that is emitted again for the pool. Every region gets its own edits; the user's text appears once per region.
 */
#ifndef HEDDLE_POOL_TRANSLATE_H
#define HEDDLE_POOL_TRANSLATE_H

#include "analysis/nest.h"
#include "analysis/function.h"

struct pool;
struct task_type;

/* Where a variable of a region lives. */
enum place {
    PLACE_LANE,    /* every lane has its own */
    PLACE_SCRATCH, /* heddle_s->x: shared by the worker's lanes */
    PLACE_FRAME,   /* heddle_r->x: in the task's record, until the task ends */
    PLACE_VALUE,   /* a captured copy: not to be changed */
    PLACE_DEREF,   /* (*x): x holds the address */
    PLACE_ENV      /* mapped, or a global: declared from the environment */
};

struct mention {
    struct local *l;
    struct node *n;
    struct site *lanes, *task; /* inside which directive of the region */
};

struct local {
    CXCursor decl;
    const char *name, *field;
    CXType type;
    bool param, array, captured, looped; /* looped: variable of the taskloop */
    enum place place;
    struct node *node;  /* its declaration; NULL for parameters and captured ones */
    struct node *lanes; /* the lanes loop that it is declared in */
    bool holds_local;   /* a pointer that was given the address of a local */
    bool saved;         /* kept in the frame across taskwait */
    const struct var *env;
};

struct region {
    struct pool *pool;
    struct function *f;     /* whose text it is */
    struct task_type *task; /* NULL: the function itself, for workers or plain */
    bool plain;
    bool leaf; /* its text ends where it would make a task: leaf.c */
    struct node *root;
    size_t b, e;
    VEC(struct local *) locals;
    VEC(struct mention) mentions;
    VEC(struct site *) waits;
    VEC(struct function *) calls; /* worker functions called */
    edit_list edits;
    bool scratch, frame, bad, reduces;
    bool directives;  /* it holds one itself */
    const char *name; /* "task0", "f_place": emitted with the pool's prefix */
    int depth;        /* in the order of calls */
    long share;       /* bytes that values passed between lanes need */
};

struct task_type {
    struct site *m;
    int id;
    const char *name;      /* "task0" */
    struct region *parent; /* NULL: made by the host */
    struct region r;
    struct function *whole; /* the statement is one call of a function that waits */
    struct node *call;
    struct called *called; /* the kind that this task is then one of */
    bool waits, depends;   /* depends: a task makes it, with dependences */
    int dims;              /* loops that the runtime runs; 0: the task is made in the loops' place */
    int inner;             /* loops of a taskloop inside a task */
    struct loop loop[MAX_LOOPS];
};

struct copy { /* a function emitted for the pool */
    struct function *f;
    bool plain;
    struct region r;
};

/* A function that tasks call and do nothing else: they are one kind. */
struct called {
    struct copy *c;
    const char *name;  /* "call_fib" */
    struct copy *leaf; /* NULL: every call of it is a task */
};

struct pool {
    struct unit *u;
    struct site *m;
    int id;
    struct nest env; /* variables of the environment, as vars[2] and on */
    VEC(struct task_type *) task_types;
    VEC(struct copy *) copies;
    VEC(struct called *) called;
    long share;
    bool host;     /* named by a clause, or all that the build is for */
    bool wrong;    /* a directive says what cannot be, on the host neither */
    bool unmapped; /* the only thing wrong so far: nobody knows which part of an array its tasks use */
};

/* ---- pool.c ---- */
typedef void pool_emit(struct pool *p);
/* all of the file; one by one to `emit`, or to `team` */
bool pools_translate(struct unit *u, pool_emit *emit, pool_emit *team);
struct site *site_of(struct unit *u, const struct node *n); /* the directive before a statement */
struct site *site_of_body(const struct node *n);            /* the taskloop inside a task whose body it is */
const struct clause *site_clause(const struct site *m, enum clause_id id);
bool site_has_branches(const struct unit *u, const struct site *m);
const char *pool_prefix(const struct pool *p); /* "heddle_<tag>_p1" */
bool site_is(const struct site *m, unsigned directive);

/* ---- made.c: tasks of calls that wait ---- */
void pool_make_waits(struct unit *u, site_list *all);

/* ---- env.c ---- */
bool env_collect(struct pool *p);
const struct var *env_find(struct pool *p, CXCursor decl);
const struct var *env_global(struct pool *p, CXCursor decl, size_t offset);
/* of a global that tasks use: the block itself does not change it while they wait for their turn */
bool env_check_unchanged(struct pool *p, CXCursor decl, size_t offset);
bool env_is_scalar(const struct var *v);
bool env_is_mapped(const struct var *v);
bool env_check_variable(struct pool *p, const struct var *v, size_t offset);
const char *env_type(CXType t, bool param); /* a type that may stand before a name; NULL: depends on a variable */
const char *env_declaration(CXType t, bool param, const char *name, bool by_value_array);

/* ---- infer.c: maps that the subscripts show ---- */
bool pool_infer(struct pool *p);

/* ---- region.c: which variables a region has, and where they live ---- */
bool region_collect(struct region *r);
struct local *region_local(struct region *r, CXCursor decl);
bool region_may_change(struct node *n); /* of a mention: the variable is written, or its address is handed on */
bool region_waits_after(const struct region *r, const struct site *task);

/* ---- task_type.c ---- */
struct task_type *task_type_new(struct pool *p, struct site *m, struct region *parent);
/* the function as workers run it, or plain; NULL after an error. `at`: the call */
struct copy *pool_copy(struct pool *p, struct function *f, bool plain, size_t at);
bool taskloop_keeps_order(struct task_type *k, int loops); /* its iterations may run as the sinks say */
bool region_check_jumps(struct unit *u, struct node *n, const char *what, bool loop, bool breakable);

/* ---- statement.c, worker.c: the text as a worker runs it ---- */
bool worker_edits(struct region *r);
void worker_expression(struct region *r, struct node *n, bool used);
void worker_expression_statement(struct region *r, struct node *n);
void worker_plain_calls(struct region *r, struct node *n);
void worker_share(struct region *r, CXType t); /* a value of that type goes from one lane to all */
bool worker_is_step(const struct node *n);     /* ++ or -- */
const char *worker_same_lines(const struct unit *u, size_t b, size_t e, const char *text);
const char *worker_behind(const struct unit *u, const struct site *m, const char *text);
void worker_insert(struct region *r, size_t at, const char *text);
void worker_replace(struct region *r, size_t b, size_t e, const char *text);
void worker_resume(const struct unit *u, struct buf *out, size_t offset);
enum { EFFECT_STORE = 1, EFFECT_ONCE = 2, EFFECT_LANE = 4, EFFECT_WORKER = 8 };
unsigned worker_effects(struct region *r, struct node *n);
bool worker_is_shared(struct region *r, struct node *lvalue);
struct local *worker_root(struct region *r, struct node *lvalue);

void worker_waits_again(struct region *r); /* what its taskwaits keep has changed */

/* ---- call_kind.c, leaf.c ---- */
void pool_share_calls(struct pool *p);
void pool_find_leaf(struct pool *p, struct called *c);

/* ---- lanes.c ---- */
bool lanes_edits(struct region *r, struct site *m);

/* ---- loop.c: taskloop ---- */
bool taskloop_parse(struct task_type *k);
struct node *taskloop_body(struct unit *u, struct site *m);
int taskloop_depends(const struct task_type *k, struct buf *out,
                     const char *in); /* a taskloop inside a task: its sinks by number */
void taskloop_call(struct task_type *k, struct buf *out, const char *in);

/* ---- kind_of_worker.c: clause workers, or what the tasks do ---- */
enum {
#define HEDDLE_X(name, text) HEDDLE_WORKER_##name,
    HEDDLE_WORKERS(HEDDLE_X)
#undef HEDDLE_X
};
int pool_worker(const struct pool *p); /* HEDDLE_WORKER_… */
bool pool_check_worker(struct pool *p);

/* ---- access.c, order.c ---- */
bool taskloops_check_between(struct pool *p);   /* between.c. false: two side by side depend on each other */
bool taskloop_check_order(struct task_type *k); /* false: iterations depend on each other, and no sink says so */

/* ---- host.c ---- */
bool pool_host(struct pool *p); /* makes the types of the tasks that the host submits */
/* what the block does with mapped data itself, where all that is mapped is known */
bool pool_check_block(struct pool *p, struct node *n);

/* ---- team.c: OpenMP's tasks on the host ---- */
bool pool_team(struct pool *p);

/* ---- emit/pool_call.c: what stands in the text for a task that is made ---- */
const char *emit_spawn(struct task_type *k);
const char *emit_submit(struct task_type *k);

#endif
