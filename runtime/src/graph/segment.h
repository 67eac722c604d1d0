/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions of an iteration that are one launch on its one device (device/replay.h): all of them, or those between tasks
 * that cannot be recorded, which are the host's, and regions with memory of libomptarget's own. The regions that are
 * behind as many changes from one kind to the other are one segment, so that no segment waits for itself.
 */
#ifndef HEDDLE_GRAPH_SEGMENT_H
#define HEDDLE_GRAPH_SEGMENT_H

#include "device/replay.h"
#include "run.h"

struct heddle__graph_touch {
    int piece;
    int writer;  /* the last task of the segment that writes it; -1: none */
    bool needed; /* it is read before a task of the segment has written it */
    bool home;   /* a task that is none of a segment's reads on the host what the segment wrote */
};
struct heddle__graph_segment {
    int *task, tasks; /* in the program's order */
    struct heddle__graph_touch *touch;
    int touches; /* in the order of pieces */
    struct heddle__replay *replay;
    int length; /* tasks in the longest chain */
    int waits;  /* tasks of it that wait for others, in this iteration */
};
struct heddle__graph_whole {
    bool refused; /* there is no segment */
    bool fresh;   /* it has just been recorded */
    struct heddle__graph_segment *segment;
    int segments;
    int *of, *number; /* [task] its segment (-1: none), and which task of it */
    int *order;       /* tasks by segments */
    char *alone;      /* [task] it cannot be recorded; kept */
    long version;     /* of the table of pieces */
    char **there;     /* [block] its address, when the launches were recorded */
    int blocks;
    char *env; /* of all tasks, as recorded */
    size_t bytes;
    /* segments.c: ready tasks, of the host and of the device; a segment stands there by its first task */
    int *queue[2];
    int first[2], ready[2];
    bool broken; /* the device was lost: each task is one's own */
};

/* ---- split.c: which tasks are a segment. False: no memory ---------------------------------------------------------
 */
HEDDLE_HIDDEN bool heddle__graph_split(const struct heddle__graph_engine *e, struct heddle__graph_whole *w);
/* What they touch. */
HEDDLE_HIDDEN bool heddle__graph_touches(const struct heddle__graph_engine *e, struct heddle__graph_whole *w);

/* ---- segment.c: one of them, under the lock -----------------------------------------------------------------------
 */
/* *failed: the task that cannot be recorded. */
HEDDLE_HIDDEN bool heddle__graph_segment_record(struct heddle__graph_unit *u, const struct heddle__graph_whole *w,
                                                struct heddle__graph_segment *g, bool lists, int *failed);
HEDDLE_HIDDEN bool heddle__graph_segment_change(struct heddle__graph_unit *u, const struct heddle__graph_whole *w,
                                                int task);
/* As heddle__graph_bring, _begun and _written of one task. */
HEDDLE_HIDDEN int heddle__graph_segment_bring(struct heddle__graph_unit *u, const struct heddle__graph_segment *g);
HEDDLE_HIDDEN void heddle__graph_segment_begun(struct heddle__graph_unit *u, const struct heddle__graph_segment *g,
                                               int sign);
HEDDLE_HIDDEN void heddle__graph_segment_written(struct heddle__graph_unit *u, const struct heddle__graph_segment *g);
/* The host reads it next. */
HEDDLE_HIDDEN void heddle__graph_segment_home(struct heddle__graph_unit *u, const struct heddle__graph_segment *g);
/* Without the lock meanwhile; *begun: some of it may have run. */
HEDDLE_HIDDEN int heddle__graph_segment_run(struct heddle__graph_unit *u, struct heddle__graph_segment *g, bool *begun);
/* Some of it may have run: what it writes is no value any more. */
HEDDLE_HIDDEN void heddle__graph_segment_spoil(struct heddle__graph_unit *u, struct heddle__graph_segment *g,
                                               int error);

/* ---- segments.c: who runs what, in place of a policy --------------------------------------------------------------
 */
HEDDLE_HIDDEN void heddle__graph_segments_begin(struct heddle__graph_engine *e);
/* The task waits for nobody outside of its segment. False: others of the segment do; else *task: what is ready. */
HEDDLE_HIDDEN bool heddle__graph_segments_ready(struct heddle__graph_engine *e, int *task);
HEDDLE_HIDDEN int heddle__graph_segments_next(struct heddle__graph_engine *e, const struct heddle__graph_unit *u);
/* The segment that the task stands for; NULL: none. */
HEDDLE_HIDDEN struct heddle__graph_segment *heddle__graph_segment_of(const struct heddle__graph_engine *e, int task);
/* Both are tasks of one segment. */
HEDDLE_HIDDEN bool heddle__graph_segments_inside(const struct heddle__graph_engine *e, int task, int other);

#endif
