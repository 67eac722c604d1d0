/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim.h - the simulator, one section per .c file. Machines and loops are numbers here; the schedules are libheddle's
 * own objects (runtime/src/loop, runtime/src/select), so what is seen here is what a real run decides.
 */
#ifndef HEDDLE_SIM_H
#define HEDDLE_SIM_H

#include "loop/plan/plan.h"
#include <stdint.h>
#include <stdio.h>

enum { SIM_DEVICES = 1024, SIM_DEVICES_MOST = 16384, SIM_CLASSES = 16, SIM_NAME = 32, SIM_MESSAGE = 400 };

/* ---- machine.c: machines, described by lines or by words ------------------------------------------------ */

/* One kind of device; times in seconds. */
struct sim_kind {
    char name[SIM_NAME];
    int count;
    bool host;    /* threads of the host */
    double speed; /* against a device that takes the loop's mean cost for an iteration */
    double setup; /* of every chunk */
    double move;  /* transfer of one iteration's data */
    double ready; /* that its first chunk waits for data */
    double curve; /* chunk with which 0.95 of the full speed is reached: S = 1 - exp(ln(0.05) s / curve); 0: always */
    double vary;  /* its speed differs by exp(+-vary) over the iteration space */
    double noise; /* standard deviation of a chunk's time */
    double fail;  /* when one of them stops working; HUGE_VAL: never */
    long most;    /* iterations that fit into its memory; 0: no limit */
};
struct sim_machine {
    struct sim_kind kind[SIM_CLASSES];
    int kinds, devices; /* devices: of all kinds */
    int ahead;
};
/* "cpu:16,gpu:2@50": name, how many, how fast. */
bool sim_machine_words(struct sim_machine *m, const char *words, char *message);
/* One kind on a line: NAME key=value …; see `heddle sim --help`. */
bool sim_machine_lines(struct sim_machine *m, const char *text, char *message);
bool sim_machine_lines_most(struct sim_machine *m, const char *text, int most, char *message); /* devices */
bool sim_seconds(const char *text, double *value); /* "20us", "1.5ms", "2s", "3" (seconds) */

/* ---- work.c: loops ---------------------------------------------------------------------------------------- */

/* cost[k][i]: what iterations 0 … i - 1 take on kind k at full speed, in seconds (n + 1 values). */
struct sim_work {
    long n;
    int kinds;
    double *cost[SIM_CLASSES];
};
struct sim_shape {
    const char *name, *help;
};
extern const struct sim_shape sim_shapes[]; /* ends with a NULL name */
/* `each`: seconds of an iteration of mean cost at speed 1. False: out of memory or no such shape. */
bool sim_work_make(struct sim_work *w, const struct sim_machine *m, const char *shape, long n, double each,
                   uint64_t seed);
void sim_work_free(struct sim_work *w);
uint64_t sim_random(uint64_t *state);
double sim_uniform(uint64_t *state); /* [0, 1) */
double sim_normal(uint64_t *state);

/* ---- engine.c: one run ------------------------------------------------------------------------------------ */

struct sim_span { /* a chunk that was done (or lost) */
    int device;
    struct heddle_loop_chunk chunk;
    double given, begin, end; /* begin … end: computing */
    bool lost;
};
struct sim_device {
    int kind;
    long iterations, chunks;
    double busy, finish; /* finish: end of its last chunk; 0: it had none */
    bool lost, begun;
};
struct sim_run {
    double makespan, ideal, balance; /* ideal = 1 / sum 1 / T_d */
    long chunks, asked;
    struct sim_device device[SIM_DEVICES];
    struct sim_span *span; /* chunks of them, in the order of their ends */
    long room;
    double prepare, decide; /* seconds of this machine: before the loop, in the schedule's functions */
};
/* What is known from run to run, as libheddle keeps it on disk. */
struct sim_history {
    struct heddle_loop_sample *sample;
    int *class;
    int count, room;
};
enum { SIM_KEEP = 512 };
/* False with a message when the schedule did something wrong: gave an iteration twice or never, more than fits, waited
   for nothing. */
bool sim_run(const struct sim_machine *m, const struct sim_work *w, const struct heddle_loop_policy *policy, long chunk,
             uint64_t seed, struct sim_history *history, struct sim_run *run, char *message);
void sim_run_free(struct sim_run *run);
void sim_history_free(struct sim_history *h);
int sim_kind_of(const struct sim_machine *m, int device);

#endif
