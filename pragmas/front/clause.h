/* SPDX-License-Identifier: Apache-2.0 */
/* clause.c: the clause grammar */
#ifndef HEDDLE_FRONT_CLAUSE_H
#define HEDDLE_FRONT_CLAUSE_H

#include "front/lex.h"
#include "front/source.h"
#include <heddle/words.h>

struct pragma;
struct unit;

#define MAX_DIMS 4

#define WORD(name, text) SCHEDULE_##name,
enum nest_schedule { HEDDLE_WAVEFRONT_SCHEDULES(WORD) };
#undef WORD
#define WORD(name, text) LAYOUT_##name,
enum nest_layout { HEDDLE_LAYOUTS(WORD) };
#undef WORD
#define WORD(name, text) KIND_##name,
enum device_kind { HEDDLE_DEVICE_KINDS(WORD) KINDS };
#undef WORD
enum map_kind { MAP_TO, MAP_FROM, MAP_TOFROM, MAP_ALLOC };
enum keep_mode { KEEP_ALL, KEEP_LAST, KEEP_NONE };
enum red_op { RED_ADD, RED_MUL, RED_MAX, RED_MIN, RED_AND, RED_OR, RED_XOR, RED_LAND, RED_LOR, RED_USER };
enum clause_id {
    CLAUSE_SCHEDULE,
    CLAUSE_KEEP,
    CLAUSE_SINK,
    CLAUSE_REDUCTION,
    CLAUSE_MAP,
    CLAUSE_DEVICE,
    CLAUSE_WORKERS,
    CLAUSE_MEMORY,
    CLAUSE_IDLE,
    CLAUSE_DEPEND,
    CLAUSE_PRIORITY,
    CLAUSE_COLLAPSE,
    CLAUSE_SWEEPS,
    CLAUSE_BATCH,
    CLAUSE_LAYOUT,
    CLAUSE_FIRSTPRIVATE,
    CLAUSE_PRIVATE,
    CLAUSE_LASTPRIVATE,
    CLAUSE_INDEPENDENT,
    CLAUSE_KIND,
    CLAUSE_APPEND
};

struct section { /* one [first : count] of an array section; empty spans where left out */
    struct span first, count;
};
struct item { /* a name in a clause's list, with what may follow it */
    struct span name;
    int nsections;
    struct section section[MAX_DIMS];
    long offset;        /* sink: the constant beside the loop variable */
    struct span member; /* map of a `for`: ".x.y" behind the name; else empty */
};
struct clause {
    enum clause_id id;
    struct span name;
    int kind; /* enum nest_schedule, enum keep_mode, enum red_op or enum map_kind */
    int nargs;
    struct span arg[2]; /* schedule: tile height and width; device: the expression; reduction: the operator */
    VEC(struct item) items;
};
typedef VEC(struct clause) clause_list;

/* parses what follows the directive's name; false after an error was reported */
bool clause_parse(struct unit *u, unsigned directive, struct lexer *lx, clause_list *out);
const struct clause *clause_find(const struct pragma *p, enum clause_id id); /* the first; NULL: none */
const char *clause_op_name(enum red_op op);                                  /* "max" */
const char *clause_op_constant(enum red_op op);                              /* "MAX" */
const char *clause_map_constant(enum map_kind kind);
const char *clause_schedule_constant(int kind);
const char *clause_pool_constant(const struct clause *c); /* of schedule, workers and depend */
const char *clause_worker_constant(int kind);
const char *clause_layout_constant(int kind);
const char *clause_loop_schedule(int kind); /* of a `for`: the schedule's name */
const char *clause_jobs_schedule(int kind); /* of jobs */
const char *clause_graph_schedule(int kind);
const char *clause_loop_device(int kind); /* ... NULL: an expression */
/* The i-th row of the clause table as people read it; false behind the last one. */
struct clause_help {
    const char *form, *help;
    unsigned directives;
    bool repeats;
};
bool clause_help(int i, struct clause_help *out);

#endif
