/* SPDX-License-Identifier: Apache-2.0 */
/* jobs.h - `heddle sim jobs`: jobs that appear while they run, on described machines. The policies are libheddle's own
   objects (runtime/src/jobs/schedule). One section for each .c file. */
#ifndef HEDDLE_SIM_JOBS_H
#define HEDDLE_SIM_JOBS_H

#include "jobs/schedule/table.h"
#include "sim.h"

int sim_jobs_command(int argc, char **argv); /* jobs_command.c */

enum { JOBS_TYPES = 16, JOBS_DEVICES = 16384 };

/* ---- jobs_machine.c: what jobs cost, on lines of a machine's file --------------------------------------------- */

struct jobs_cost {
    double setup, each; /* seconds; each < 0: it cannot run there */
    double noise;       /* standard deviation of a batch's time */
};
struct jobs_machine {
    struct sim_machine machine; /* kinds of devices; `most` is the largest batch, `fail` when one of them vanishes */
    char type[JOBS_TYPES][SIM_NAME];
    int types;
    struct jobs_cost cost[JOBS_TYPES][SIM_CLASSES];
    double move[JOBS_TYPES][SIM_CLASSES][SIM_CLASSES]; /* seconds of one job's data between two memories */
    int memory[SIM_CLASSES];                           /* kinds with one number above 0 see the same memory */
    double latency;                                    /* seconds of each transfer, beside its jobs */
    double decide, program;                            /* seconds of a decision; of each linear program in it */
};
/* The text of a file; `message` names the line. */
bool jobs_machine_read(struct jobs_machine *m, const char *text, char *message);
/* "1,0,2": how many of each kind, in the file's order. */
bool jobs_machine_counts(struct jobs_machine *m, const char *counts, char *message);

/* ---- jobs_stream.c: which jobs appear -------------------------------------------------------------------------- */

/* `count` jobs of a type, which make so many others; weight: what they cost against the mean. */
struct jobs_segment {
    long count, made[JOBS_TYPES];
    double weight;
};
struct jobs_frame {
    long begin[JOBS_TYPES];                   /* jobs that are there at first */
    long total[JOBS_TYPES];                   /* that run in all */
    struct jobs_segment *segment[JOBS_TYPES]; /* in the order in which they ran */
    int segments[JOBS_TYPES];
};
struct jobs_stream {
    char type[JOBS_TYPES][SIM_NAME];
    int types, frames;
    struct jobs_frame *frame;
};
bool jobs_stream_read(struct jobs_stream *s, const char *text, char *message);
void jobs_stream_free(struct jobs_stream *s);
/* The machine's types become those of the stream, in its order. */
bool jobs_machine_match(struct jobs_machine *m, const struct jobs_stream *s, char *message);

/* ---- jobs_generate.c: streams like those of Kim 2013 ----------------------------------------------------------- */

struct jobs_benchmark {
    const char *name, *help;
};
extern const struct jobs_benchmark jobs_benchmarks[]; /* ends with a NULL name */
bool jobs_stream_make(struct jobs_stream *s, const char *benchmark, int frames, double scale, uint64_t seed);
bool jobs_stream_write(const struct jobs_stream *s, FILE *f);

/* ---- jobs_engine.c: one run ------------------------------------------------------------------------------------ */

struct jobs_device {
    int kind;
    long jobs, batches;
    double busy, finish;
    bool gone;
};
struct jobs_span {
    int device, type;
    long count;
    double begin, end;
    bool lost;
};
struct jobs_run {
    double seconds, bound; /* bound: no device could have been faster with all jobs there at once and for nothing */
    struct jobs_device *device;
    struct jobs_span *span; /* kept when asked for */
    long spans, room;
    long jobs, batches, transfers, moved, steals, decisions, programs, faults;
    double waiting;        /* seconds of all devices in which they had nothing to do, while others worked */
    double deciding, real; /* simulated seconds of decisions; seconds of this machine in the policy */
};
struct jobs_setting {
    const struct jobs_machine *machine;
    const struct jobs_stream *stream;
    const struct heddle_jobs_policy *policy;
    double parameter;       /* of the policy */
    double decide, program; /* over the machine's own; < 0: as there */
    int faults;             /* random ones: a device slows, stalls or vanishes */
    bool keep;              /* spans */
    uint64_t seed;
};
/* False with a message when the policy did something wrong: jobs twice, never, or where they cannot run. */
bool jobs_run(const struct jobs_setting *s, struct jobs_run *run, char *message);

#endif
