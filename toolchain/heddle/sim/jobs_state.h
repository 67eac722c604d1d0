/* SPDX-License-Identifier: Apache-2.0 */
/* jobs_state.h - a run of jobs, inside. One section for each .c file. */
#ifndef HEDDLE_SIM_JOBS_STATE_H
#define HEDDLE_SIM_JOBS_STATE_H

#include "jobs.h"
#include "jobs/plan/plan.h"

struct parcel {
    int type;
    long count;
    double arrive;
};
enum fault { NO_FAULT, SLOW, STALL, VANISH };
struct batch {
    int type; /* -1: the device does nothing */
    long count;
    double begin, end, expected;
    long made[JOBS_TYPES]; /* jobs that are there when it ends */
};
struct device {
    int kind;
    struct parcel *parcel;
    int parcels, room;
    struct batch batch;
    double link;  /* its link is busy until then */
    double since; /* has nothing to do since then */
    double speed; /* below 1: a fault made it slow */
    long heard;   /* how much had changed when it was last told that there is nothing */
    bool gone;
    enum fault fault;
    double fault_at, factor;
};
struct placed { /* decided, not yet in a queue */
    int type, source, device;
    long count;
};
struct state {
    const struct jobs_setting *set;
    const struct jobs_machine *m;
    struct heddle_jobs_machine machine;
    struct heddle_jobs_device *device_facts;
    struct heddle_jobs_time *time;
    double *move;
    struct device *device;
    int devices, types;
    long *unassigned; /* [type * (devices + 1) + source + 1] */
    long waiting;     /* unassigned jobs of all kinds */
    long *queued, *running;
    long *here;          /* of `queued`, what has arrived: the rest cannot be stolen */
    double *when;        /* of a device: when something happens to it next */
    char *look, *unused; /* of a device: its queue may have changed; it has nothing to do and nothing to begin */
    double *rest;
    struct heddle_jobs_kind *kind;
    long *left; /* of a kind, while a policy places */
    int *row;   /* of a kind */
    struct heddle_jobs_choice choice;
    struct heddle_jobs_report report;
    struct placed *placed;
    int placements, placed_room;
    double decided; /* when the decision under way is ready; < 0: none is */
    const struct jobs_frame *frame;
    long ran[JOBS_TYPES], all_run, all; /* jobs of this frame */
    int segment[JOBS_TYPES];
    long in_segment[JOBS_TYPES]; /* jobs of the segment that were begun */
    long again[JOBS_TYPES];      /* jobs that vanished with a device, and what they were to make */
    long again_made[JOBS_TYPES][JOBS_TYPES];
    double now, began; /* of the frame */
    long changes;
    int clock; /* programs that the decision has looked at the clock for */
    void *policy;
    uint64_t random;
    struct jobs_run *run;
    char *message;
    bool bad;
};

/* ---- jobs_engine.c ---- */
void jobs_complain(struct state *s, const char *what, long number); /* the run ends; the first one counts */

/* ---- jobs_device.c ---- */
void jobs_changed(struct state *s, int d); /* after every change of a device */
/* Jobs of a type get into the queue, their data from `source`; -1: from the host. */
void jobs_deliver(struct state *s, int device, int type, int source, long count);
long jobs_arrived(const struct state *s, const struct device *v, int type); /* are on the device now */
/* Up to `count` of them leave the queue; `any`: those on their way, too. Returns how many. */
long jobs_take(struct state *s, int device, int type, long count, bool any);
void jobs_begin_batch(struct state *s, int d, int type, long count);
void jobs_end_batch(struct state *s, int d);
void jobs_fault(struct state *s, int d);

/* ---- jobs_state.c ---- */
bool jobs_prepare(struct state *s, const struct jobs_setting *set); /* false: out of memory */
void jobs_describe_machine(struct state *s);
void jobs_set_faults(struct state *s);
double jobs_bound(const struct state *s); /* all jobs of the frame at once, no setups, no transfers */
void jobs_drop(struct state *s);

#endif
