/* SPDX-License-Identifier: Apache-2.0 */
/* graph.h - `heddle sim graph`: graphs of tasks that repeat and change, on described machines. The policies are
   libheddle's own objects (runtime/src/graph/schedule). One section for each .c file. */
#ifndef HEDDLE_SIM_GRAPH_H
#define HEDDLE_SIM_GRAPH_H

#include "graph/plan/plan.h"
#include "graph/schedule/table.h"
#include "jobs.h"

int sim_graph_command(int argc, char **argv); /* graph_command.c */

enum { GRAPH_TASKS = 1000000, GRAPH_PARTITIONS = 100000, GRAPH_ACCESSES = 10000000, GRAPH_UNITS = 1024 };

/* ---- graph_scene.c: graphs, one after the other; as text: docs/reference/formats.md -------------------------------
 */

struct graph_step {
    long iterations;
    struct heddle_graph g; /* its lists are those below; times are the run's */
    struct heddle_graph_task *task;
    struct heddle_graph_data *data;
    struct heddle_graph_access *access;
    int *before, *first_neighbour, *owner;
    struct heddle_graph_neighbour *neighbour;
    int *type;    /* [task] */
    double *size; /* [task] elements, such as particles */
    double *time; /* [task * kinds + kind] as recorded; < 0: not */
    int accesses, task_room, data_room, access_room;
};
struct graph_scene {
    char type[JOBS_TYPES][SIM_NAME], kind[SIM_CLASSES][SIM_NAME];
    int types, kinds; /* kinds: of units that times were recorded on */
    struct graph_step *step;
    int steps;
};
bool graph_scene_read(struct graph_scene *s, const char *text, char *message);
bool graph_scene_write(const struct graph_scene *s, FILE *f);
void graph_scene_free(struct graph_scene *s);
int graph_scene_type(struct graph_scene *s, const char *name); /* found or added; < 0: no room, or no name */
/* Also for generators: the last step grows. < 0 or NULL: out of memory. */
struct graph_step *graph_add_step(struct graph_scene *s, long iterations);
int graph_add_data(struct graph_step *g, double bytes, int partition);
int graph_add_task(struct graph_step *g, int type, double size, int partition);
bool graph_add_access(struct graph_step *g, int data, bool reads, bool writes); /* of the last task */
/* What waits for what, and who neighbours whom: after the last task. */
bool graph_finish(struct graph_step *g);

/* ---- graph_generate.c: scenes like those of Hermann 2010 -----------------------------------------------------------
 */

struct graph_example {
    const char *name, *help;
};
extern const struct graph_example graph_examples[]; /* ends with a NULL name */
bool graph_scene_make(struct graph_scene *s, const char *example, long bodies, long iterations, uint64_t seed);

/* ---- graph_units.c: units, their memories, what a task takes and what is known of it --------------------------------
 */

/* A line through what tasks of a type took on a kind of unit. */
struct graph_line {
    double n, x, y, xx, xy;
};
struct graph_units {
    const struct jobs_machine *m;
    struct heddle_graph_machine facts;
    struct heddle_graph_unit *unit;
    double *latency, *byte;
    int type[JOBS_TYPES], kind[SIM_CLASSES]; /* of the scene in the machine; -1: not there */
    struct graph_line line[JOBS_TYPES][SIM_CLASSES];
};
bool graph_units_make(struct graph_units *u, const struct jobs_machine *m, const struct graph_scene *s, char *message);
void graph_units_free(struct graph_units *u);
/* Seconds of a task without scatter; < 0: it cannot run there. */
double graph_time(const struct graph_units *u, const struct graph_step *g, int task, int class);
double graph_noise(const struct graph_units *u, const struct graph_step *g, int task, int class);
void graph_measured(struct graph_units *u, const struct graph_step *g, int task, int class, double seconds);
/* What tasks of its type and size will take; 0: not known. */
double graph_expected(const struct graph_units *u, const struct graph_step *g, int task, int class);

/* ---- graph_memory.c: which memories hold which data -----------------------------------------------------------------
 */

struct graph_memory {
    const struct heddle_graph_machine *m;
    int datas, words;
    uint64_t *valid;  /* [data * words] a bit for each memory */
    double *out, *in; /* [memory] its link is busy until then */
    long copies;
    double bytes;
};
bool graph_memory_make(struct graph_memory *m, const struct heddle_graph_machine *machine);
void graph_memory_free(struct graph_memory *m);
/* Data that both graphs have (the same place among a partition's data, as large) stays where it is; the rest is on the
   host. before: NULL: none. */
bool graph_memory_change(struct graph_memory *m, const struct graph_step *before, const struct graph_step *g);
/* When all that a task reads is in the memory. */
double graph_memory_read(struct graph_memory *m, const struct graph_step *g, int task, int to, double now);
void graph_memory_write(struct graph_memory *m, const struct graph_step *g, int task, int to);
bool graph_memory_lost(struct graph_memory *m, int memory); /* false: data was nowhere else */
void graph_memory_restore(struct graph_memory *m); /* all of it is on the host, as at the last iteration's end */

/* ---- graph_engine.c: one run ------------------------------------------------------------------------------------- */

struct graph_span {
    int unit, task, partition;
    double begin, copied, end;
    bool lost;
};
struct graph_run {
    double seconds, alone;             /* alone: one unit of the fastest kind, without copies */
    double *step_seconds, *step_alone; /* [step] */
    long iterations, tasks, copies, forced, faults, repeated;
    double bytes, copying, idle; /* seconds of all units: waiting for copies; with nothing to run */
    double real;                 /* seconds of this machine in the policy */
    struct heddle_graph_report report;
    struct graph_span *span; /* kept when asked for */
    long spans, room;
    double busy[GRAPH_UNITS];
    long ran[GRAPH_UNITS];
};
struct graph_setting {
    const struct jobs_machine *machine;
    const struct graph_scene *scene;
    const struct heddle_graph_policy *policy;
    double parameter[HEDDLE_GRAPH_PARAMETERS];
    int faults; /* so many units vanish */
    bool keep;  /* spans */
    bool known; /* all times are known from the beginning */
    uint64_t seed;
};
/* False with a message when the policy did something wrong: a task that is not ready, twice, or where it cannot run. */
bool graph_run(const struct graph_setting *s, struct graph_run *run, char *message);

#endif
