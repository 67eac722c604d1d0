/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the engine of `#pragma heddle for` share.
 *
 * A *participant* is what a schedule calls a device: an offload device, or one thread of the host. Three threads serve
 * an offload device, so that three of its chunks are under way: while the kernel of one runs, those of another come in
 * and the results of the third go out. Where a chunk is done in sub-chunks up to five more help with these, since three
 * do not copy as fast as a link carries. A participant's clock tells computing from transfers that computing did not
 * hide.
 */
#ifndef HEDDLE_LOOP_ENGINE_H
#define HEDDLE_LOOP_ENGINE_H

#include "device/device.h"
#include "device/threads.h"
#include "device/turns.h"
#include "loop/plan/plan.h"
#include "model/loops.h"
#include "transfer/resident.h"
#include <heddle/engine/loop.h>
#include <pthread.h>

enum { HEDDLE__AHEAD = 3 /* chunks */, HEDDLE__SERVERS = 8 /* threads */, HEDDLE__LOOP_DEVICES = 64 };

/* Time in which a participant computes, and time in which it only moves data: `compute` and `move` pass for all of the
   chunks that do, each of which gets its share; `computed` and `moved` are the whole. */
struct heddle__clock {
    int computing, moving;
    double at, compute, move, computed, moved;
};

struct heddle__chunk_state { /* a chunk as the schedule gave it, done in sub-chunks */
    struct heddle_loop_chunk chunk;
    bool used;
    long next, sub_chunk; /* first iteration of no sub-chunk yet; iterations of one, 0: all */
    int under_way;        /* sub-chunks */
    double compute, move;
};

struct heddle__in_flight { /* by one of the threads that serve a participant: a sub-chunk */
    struct heddle_loop_chunk chunk;
    int state; /* of chunk_state */
    bool used;
    bool hung; /* the thread never came back */
};

struct heddle__engine;

struct heddle__participant {
    struct heddle__engine *engine;
    int number; /* the schedule's */
    int device; /* OpenMP's; -1: a thread of the host */
    int class;
    heddle_loop_form
        *host_driven; /* on the host thread, with device pointers; NULL: the kernel, or on a host thread the body */
    bool cuda;
    double slow;          /* HEDDLE_SLOW */
    int servers;          /* threads that serve it */
    pthread_mutex_t lock; /* clock, entered */
    struct heddle__clock clock;
    int entered;                      /* 0: not yet; 1: data that every chunk needs is there; negative: heddle_error */
    struct heddle__resident resident; /* such data */
    char *env;                        /* the host's with such data's device pointers */
    /* under the engine's lock */
    struct heddle__chunk_state chunk_state[HEDDLE__AHEAD];
    struct heddle__in_flight in_flight[HEDDLE__SERVERS];
    bool gone;
    double first, last, since; /* of its chunks, in seconds since the loop began; since: last sign of life */
    double ready;
    long iterations;
    int chunks;
};

struct heddle__engine {
    const struct heddle_loop *loop;
    const struct heddle_loop_type *type;
    long n;
    int seat;     /* of the call: what is kept for it on devices (turns.h) */
    double start; /* heddle__now() */
    double timeout;
    size_t chunk_bytes; /* of the sections of all iterations together */
    size_t chunk_in;    /* ... of those that come in */
    size_t there_bytes; /* ... of those that the program keeps on device `there` */
    size_t there_in;    /* ... and that are read */
    int there;
    bool held_somewhere; /* a moving section is on a device already */
    struct heddle__participant *participant;
    int participants, classes;
    int left_out;                  /* participants that would not pay */
    int runs;                      /* of this loop in this process, before this one */
    char name[HEDDLE__LOOP_NAME];  /* file, line and case; "": not asked yet */
    struct heddle__record *record; /* store.c: what is known of it; NULL: nothing, or not looked up yet */
    struct heddle__device_set set; /* who of all takes part, of the record; no form: not chosen by what they took */
    struct heddle__choice choice;  /* of earlier runs */
    const char *class_name[HEDDLE__LOOP_DEVICES + 1];
    const struct heddle_loop_policy *policy;
    void *state;
    struct heddle_loop_problem problem;
    struct heddle_loop_device *device;
    double split[HEDDLE__PARTS + 1]; /* of problem.split */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned long changes;            /* chunks given, done and lost */
    int under_way;                    /* chunks */
    int threads, idle;                /* that serve participants; those that wait */
    const char *why;                  /* what the last device was lost by, when none is left; it is not said yet */
    bool over, distrusted;            /* distrusted: the schedule gave out what was taken */
    struct heddle__interval_set left; /* given to nobody yet */
    struct heddle__sample {           /* of this run */
        struct heddle_loop_sample sample;
        int class;
    } *sample;
    int samples, sample_room;
    struct heddle__cores cores;
    struct heddle__resident_group resident; /* of data that every chunk needs */
    int device_number[HEDDLE__LOOP_DEVICES];
    char *red; /* of each serving thread, red_stride apart */
    size_t red_stride;
    int abandoned; /* threads that hang: nothing they may touch is freed */
    int trace_name;
};

/* One thread that serves a participant; a host thread is alone. */
struct heddle__server {
    struct heddle__participant *participant;
    int slot;
    void *red;
};

/* dispatch.c: everything the schedule is asked and told. */
HEDDLE_HIDDEN bool heddle__loop_take_chunk(struct heddle__server *s,
                                           struct heddle_loop_chunk *chunk); /* false: leave */
HEDDLE_HIDDEN void
heddle__loop_leave_absent(struct heddle__server *s); /* it was counted, but there is no thread for it */
/* red: of this chunk alone, joined into the thread's; NULL: it is there already */
HEDDLE_HIDDEN void heddle__loop_finish_chunk(struct heddle__server *s, const struct heddle_loop_sample *measured,
                                             const void *red);
/* Is the chunk that it was given still its own? Else others have it, and the loop may be over: no memory of it is
 * touched. */
HEDDLE_HIDDEN bool heddle__loop_still_holds(struct heddle__server *s);
HEDDLE_HIDDEN void heddle__loop_lose_device(struct heddle__participant *p, const char *why);
/* Until it is over, gives hanging devices up; false: some of their threads may still come back. */
HEDDLE_HIDDEN bool heddle__loop_wait_for_end(struct heddle__engine *e);
HEDDLE_HIDDEN bool heddle__loop_take_unassigned(struct heddle__engine *e,
                                                struct heddle_loop_chunk *chunk); /* the next part that nobody ran */

/* sections.c: the maps of `count` iterations from the first one on; whether what chunks write is nobody else's (else a
   line has said so, unless somebody looks again). all: the maps of all n iterations, and gets what is between those of
   any chunk. */
HEDDLE_HIDDEN HEDDLE__FIRST void heddle__loop_find_sections(const struct heddle_loop *l, long first, long count,
                                                            struct heddle_map *maps);
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__loop_check_apart(const struct heddle_loop *l, long n, struct heddle_map *all,
                                                          bool silently);
HEDDLE_HIDDEN void heddle__loop_widen(struct heddle_map *m, const struct heddle_map *more);
/* reach.c: the maps marked HEDDLE_MAP_REACHED, of `count` iterations from the first one on; of all, by all threads */
HEDDLE_HIDDEN HEDDLE__FIRST void heddle__loop_reach(const struct heddle_loop *l, long first, long count, int stage,
                                                    struct heddle_map *maps);
/* ... none any more when those that are known overlap */
HEDDLE_HIDDEN void heddle__loop_reach_all(const struct heddle_loop *l, long n, struct heddle_map *maps);

/* sub_chunks.c: all under the engine's lock, but for the first two */
HEDDLE_HIDDEN long heddle__sub_chunk_size(const struct heddle__participant *p,
                                          long count); /* iterations of one; 0: a chunk of so many is not cut */
HEDDLE_HIDDEN int heddle__sub_chunk_threads(const struct heddle__participant *p,
                                            long count); /* threads that such a chunk keeps busy */
HEDDLE_HIDDEN bool heddle__chunk_state_is_free(const struct heddle__participant *p); /* for one more chunk */
HEDDLE_HIDDEN void heddle__sub_chunks_begin(struct heddle__participant *p, const struct heddle_loop_chunk *chunk);
HEDDLE_HIDDEN bool heddle__sub_chunk_take(struct heddle__participant *p, int slot,
                                          struct heddle_loop_chunk *sub_chunk); /* false: none is left */
/* True with the chunk's times when this was its last sub_chunk. */
HEDDLE_HIDDEN bool heddle__sub_chunk_finish(struct heddle__participant *p, int slot,
                                            const struct heddle_loop_sample *measured, struct heddle_loop_sample *all);
/* What is not done; at most AHEAD + SERVERS. */
HEDDLE_HIDDEN int heddle__sub_chunks_give_back(struct heddle__participant *p, struct heddle_loop_chunk *back);

/* host_worker.c, device_worker.c: what serving threads do */
HEDDLE_HIDDEN void heddle__loop_serve_host(struct heddle__server *s);
HEDDLE_HIDDEN void heddle__loop_serve_device(struct heddle__server *s);
HEDDLE_HIDDEN void heddle__slot_forget(const struct heddle__participant *p,
                                       int slot); /* a thread that hangs keeps it */
HEDDLE_HIDDEN void heddle__loop_leave_device(struct heddle__participant *p);
HEDDLE_HIDDEN void heddle__loop_slow_down(const struct heddle__participant *p, double seconds);

/* reduce.c: some iterations on a thread of the host, which has done others, or none */
HEDDLE_HIDDEN HEDDLE__FIRST void heddle__loop_run_host(const struct heddle_loop *l, long first, long count, void *red);

/* clock.c */
enum { HEDDLE__COMPUTES, HEDDLE__MOVES };
HEDDLE_HIDDEN double heddle__clock_begin(struct heddle__participant *p, int what); /* its reading then */
HEDDLE_HIDDEN double heddle__clock_end(struct heddle__participant *p, int what, double begin);

HEDDLE_HIDDEN const struct heddle_loop_policy *heddle__loop_choose_schedule(const struct heddle_loop *l,
                                                                            long *chunk); /* choose_schedule.c */

/* participants.c: who takes part; store.c: what earlier runs took; report.c */
HEDDLE_HIDDEN int heddle__loop_find_participants(struct heddle__engine *e);
HEDDLE_HIDDEN int heddle__loop_count_devices(const struct heddle__engine *e,
                                             int before); /* offload devices among the first participants */
/* There is room for all devices and as many threads of the host as compute where no device takes part. */
HEDDLE_HIDDEN void heddle__participant_add(struct heddle__engine *e, int device, bool cuda,
                                           heddle_loop_form *host_driven);
/* device_sets.c: who takes part; leaves the others out. Before there are participants: the choice of earlier runs. */
HEDDLE_HIDDEN void heddle__loop_select_devices(struct heddle__engine *e);
HEDDLE_HIDDEN void heddle__loop_find_choice(struct heddle__engine *e);
/* All took part, and devices that were known got nothing: the host has some calls, with all of its threads. */
HEDDLE_HIDDEN void heddle__loop_leave_out_idle(struct heddle__engine *e);
HEDDLE_HIDDEN void heddle__loop_judge_devices(const struct heddle__engine *e); /* at the end: which devices failed */
/* store.c. Fills the problem's samples, runs of it in this process, and when devices were ready. */
HEDDLE_HIDDEN void heddle__loop_recall_samples(struct heddle__engine *e);
HEDDLE_HIDDEN void
heddle__loop_recall_rates(struct heddle__engine *e); /* instead: rates as they were last, no samples */
HEDDLE_HIDDEN void heddle__loop_note_run(struct heddle__engine *e);
/* Where e->set split loops of about this length last, moved by what the parts took; false: it never did. */
HEDDLE_HIDDEN bool heddle__loop_recall_split(struct heddle__engine *e);
/* What loops of about this length took when that set ran them, for this one's iterations; zero: never. `since`: what
   such loops have taken since it was asked last, in this process and those before; new: nobody has thought of it
   before; cold: one of the devices (by number) has not run it in this process. */
struct heddle__known {
    double shortest, latest, since; /* seconds; of the latest runs */
    int runs;
    bool new, cold;
};
HEDDLE_HIDDEN struct heddle__known heddle__loop_recall_set(struct heddle__engine *e, enum heddle__set_form form,
                                                           unsigned classes, uint64_t devices);
/* Makes e->set of the engine's classes. */
HEDDLE_HIDDEN void heddle__loop_choose_set(struct heddle__engine *e, enum heddle__set_form form, unsigned classes);
/* For loops of about this length under the same HEDDLE_DEVICE: the choice for some of the next runs, more each time. */
HEDDLE_HIDDEN void heddle__loop_cache_choice(struct heddle__engine *e, struct heddle__choice choice);
HEDDLE_HIDDEN void heddle__loop_recall_choice(struct heddle__engine *e);
/* How many of the next runs the choice is for yet: they are the caller's, who tells what they took. */
HEDDLE_HIDDEN int heddle__loop_take_choice(struct heddle__engine *e);
HEDDLE_HIDDEN void heddle__loop_note_spent(struct heddle__engine *e, struct heddle__device_set set, double seconds);
HEDDLE_HIDDEN HEDDLE__FIRST unsigned heddle__loop_case_number(void); /* of the thread's heddle_loop_case() */
HEDDLE_HIDDEN void heddle__loop_write_report(struct heddle__engine *e, int error);
/* Of a loop that threads of the host ran without an engine: what they did is looked up when somebody asks. NULL: the
   calling thread alone did it all. */
struct heddle__team;
HEDDLE_HIDDEN HEDDLE__FIRST void heddle__loop_report_team(const struct heddle_loop *l, const struct heddle__team *t,
                                                          long n, double start, double seconds);

#endif
