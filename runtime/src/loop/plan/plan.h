/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedules of loops over all devices, inside. One file for each, one table in it, one line in loop/schedule/table.c.
 * They are pure decisions over numbers: nothing here knows a device, a clock or a file, so the engine and the simulator
 * use the same objects.
 */
#ifndef HEDDLE_LOOP_INTERNAL_H
#define HEDDLE_LOOP_INTERNAL_H

#include "loop/schedule/table.h"

#define LOOP_HIDDEN __attribute__((visibility("hidden")))

/* ---- interval_set.c: iterations that nobody has, as disjoint intervals in ascending order
 * -----------------------------
 */
struct heddle__interval_set {
    struct heddle_loop_chunk *at;
    int count, room;
    long left; /* iterations in all of them */
};
/* False: out of memory; the set is unchanged. Spans that touch become one. */
LOOP_HIDDEN bool heddle__interval_set_add(struct heddle__interval_set *s, struct heddle_loop_chunk chunk);
/* Up to `want` (>= 1) iterations from the beginning of interval `index`; the set must not be empty. */
LOOP_HIDDEN struct heddle_loop_chunk heddle__interval_set_take(struct heddle__interval_set *s, int index, long want);
/* Up to `want` iterations from `at` on, which is inside interval `index`; what lies before stays an interval. */
LOOP_HIDDEN struct heddle_loop_chunk heddle__interval_set_take_at(struct heddle__interval_set *s, int index, long at,
                                                                  long want);
LOOP_HIDDEN void heddle__interval_set_free(struct heddle__interval_set *s);

/* ---- self_scheduling.c: one set of iterations that is taken from its beginning, after parts of the devices' own ----
 */
struct heddle__self {
    const struct heddle_loop_problem *p;
    struct heddle__interval_set left;
    double *rate;                   /* per device; guessed where none is known */
    double rates;                   /* their sum */
    long given;                     /* chunks of `left` so far */
    double a, b;                    /* of the schedule */
    struct heddle_loop_chunk own[]; /* per device: dealt to it, and not given out yet */
};
LOOP_HIDDEN void *heddle__self_start(const struct heddle_loop_problem *p);
/* The first n iterations, to all devices in proportion to their weights. Without memory for it nothing is dealt. */
LOOP_HIDDEN void heddle__self_deal(struct heddle__self *s, const double *weight, long n);
/* Up to `want` iterations of the device's own, and what it can hold; false: it has none. */
LOOP_HIDDEN bool heddle__self_next_own(struct heddle__self *s, int device, long want, struct heddle_loop_chunk *chunk);
/* A chunk of `want` iterations, within what the device can hold and not below what keeps it busy. */
LOOP_HIDDEN enum heddle_loop_answer heddle__self_next_chunk(struct heddle__self *s, int device, double want,
                                                            struct heddle_loop_chunk *chunk);
/* The same by factoring: rounds of one chunk for each device, a round half of what is left. */
LOOP_HIDDEN enum heddle_loop_answer heddle__self_next_round(struct heddle__self *s, int device, long least,
                                                            struct heddle_loop_chunk *chunk);
LOOP_HIDDEN void heddle__self_lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks);
LOOP_HIDDEN void heddle__self_stop(void *state);
/* From the beginning of `from`, up to `want` iterations. */
LOOP_HIDDEN struct heddle_loop_chunk heddle__loop_take(struct heddle_loop_chunk *from, long want);
/* Iterations a second of every device: a class that never ran is taken to be as fast as the others are on average.
   Returns the sum. */
LOOP_HIDDEN double heddle__loop_fill_rates(const struct heddle_loop_problem *p, double *rate);
LOOP_HIDDEN long heddle__loop_chunk_limit(const struct heddle_loop_problem *p,
                                          int device); /* LONG_MAX where there is no limit */

/* ---- split_points.c: one part for each device ------------------------------------------------------------------ */
enum { HEDDLE__PARTS = 16 }; /* more devices get equal parts */
/* split[0 .. parts], from 0 to 1: where parts begin and end, in shares of the iterations */
LOOP_HIDDEN void heddle__split_evenly(int parts, double *split);
LOOP_HIDDEN long heddle__part_first(const double *split, int part,
                                    long n); /* iteration with which a part begins, of n */
/* After a run in which the devices began to work at start[] and ended at end[] (seconds since the loop began). */
LOOP_HIDDEN void heddle__split_move(int parts, double *split, const double *start, const double *end);
LOOP_HIDDEN bool heddle__split_is_valid(int parts, const double *split);

/* ---- balance.c: the LP of one kind of work ------------------------------------------------------------------ */
/*
 * min T  s.t.  sum x[d] = n,  ready[d] + x[d] / rate[d] <= T wherever x[d] > 0,  x >= 0. Closed form: with the devices
 * in order of `ready`, T = (n + sum rate ready) / sum rate over the first devices, as many as lower it. A device that
 * would start after T gets nothing. rate 0: no such device. Returns T; HUGE_VAL when no device has a rate.
 */
LOOP_HIDDEN double heddle__loop_balance(int devices, const double *ready, const double *rate, double n, double *x);
/* n iterations one after the other to whom each ends first: how many `device` gets. Uses up `ready`. */
LOOP_HIDDEN long heddle__loop_balance_singly(int devices, double *ready, const double *rate, long n, int device);
/* Whole numbers that add up to n, each within one of its real share; what must be 0 stays 0. */
LOOP_HIDDEN void heddle__loop_round_shares(int devices, const double *x, long n, long *whole);

/* ---- timeline.c: what every device holds and when it should be free ------------------------------------------- */
enum { HEDDLE__TIMELINE_CHUNKS = 8 }; /* chunks of one device that are told apart; `ahead` is 2 or 3 */
struct heddle__timeline_device {
    double free_at, began;                    /* seconds; `began`: when what it computes now should have begun */
    double expected[HEDDLE__TIMELINE_CHUNKS]; /* of the chunks it holds, oldest first */
    int held;
    bool waiting, lost;
    double ready; /* what its first chunk waits for; 0 once it has begun */
};
struct heddle__timeline {
    int devices, flying;
    double *rate, *ready, *share; /* room for heddle__loop_balance */
    struct heddle__timeline_device at[];
};
LOOP_HIDDEN struct heddle__timeline *heddle__timeline_start(const struct heddle_loop_problem *p);
LOOP_HIDDEN void heddle__timeline_assign(struct heddle__timeline *f, int device, double now, double expected);
LOOP_HIDDEN void heddle__timeline_finish(struct heddle__timeline *f, int device, double now);
LOOP_HIDDEN void heddle__timeline_lose(struct heddle__timeline *f, int device);
LOOP_HIDDEN double heddle__timeline_free_at(const struct heddle__timeline *f, int device, double now);
/* The device may be told to wait: something is under way, or another device can still take a chunk. Notes that it
 * waits. */
LOOP_HIDDEN bool heddle__timeline_may_wait(struct heddle__timeline *f, int device);
LOOP_HIDDEN void heddle__timeline_free(struct heddle__timeline *f);

/* ---- fit.c: a chunk's size against its speed (Weber 2012, section 4.2.2) ----------------------------------- */
/*
 * S(s) = 1 - exp(alpha s), alpha < 0, is the share of its full speed that a device reaches with chunks of s iterations.
 * Fits alpha to `count` measured (size, iterations a second); rates above 0.95 of the highest are left out (long tails
 * bend the line), as long as others remain. Returns 0 where the data shows no loss for small chunks.
 */
LOOP_HIDDEN double heddle__loop_fit_alpha(int count, const double *size, const double *speed);
#define HEDDLE__LOOP_BETA 0.95
LOOP_HIDDEN long heddle__loop_amortized_chunk(double alpha); /* chunk with S = HEDDLE__LOOP_BETA; at least 1 */

/* Sizes by powers of two: what the samples of one class say of every size. */
enum { HEDDLE__SIZES = 48 };
struct heddle__sizes {
    double iterations[HEDDLE__SIZES], seconds[HEDDLE__SIZES], chunks[HEDDLE__SIZES];
};
LOOP_HIDDEN int heddle__size_bucket(long count); /* 2^k <= count < 2^(k+1) */
LOOP_HIDDEN void heddle__sizes_add(struct heddle__sizes *z, long count, double seconds);
LOOP_HIDDEN double heddle__sizes_alpha(const struct heddle__sizes *z);
/* The chunk with HEDDLE__LOOP_BETA of full speed that is not over before it is noticed. */
LOOP_HIDDEN long heddle__sizes_chunk(const struct heddle__sizes *z);
/* The last doubling of the chunk brought less than 5 %, so the curve is known; *next: the size to try otherwise. A
   chunk that is over in less than HEDDLE__LOOP_NOTICED seconds tells nothing: handing it out takes as long. */
#define HEDDLE__LOOP_NOTICED 100e-6
LOOP_HIDDEN bool heddle__sizes_complete(const struct heddle__sizes *z, long *next);

/* ---- costs.c: f_d, what an iteration takes on each class over the iteration space --------------------------- */
enum { HEDDLE__BINS = 64 };
struct heddle__costs {
    const struct heddle_loop_problem *p;
    int bins, classes;
    bool shared;                  /* a class borrows the shape of the others where it was not measured */
    double *iterations, *seconds; /* [class * bins + bin]: measured, setup taken out, newer counts more */
    double *covered;              /* the same: iterations measured, all counting alike */
    double *each;                 /* the same: seconds of an iteration; interpolated where it was not measured */
    double *setup;                /* by class: seconds of a chunk, whatever its size */
    double *alpha; /* by class: chunks of s iterations reach 1 - exp(alpha s) of the full speed; 0: all of it */
    bool *known;   /* by class: it was measured anywhere */
};
/* `history`: fill it with the problem's samples. NULL: out of memory. */
LOOP_HIDDEN struct heddle__costs *heddle__costs_start(const struct heddle_loop_problem *p, int bins, bool history,
                                                      bool shared);
LOOP_HIDDEN void
heddle__costs_recall(struct heddle__costs *c); /* the problem's samples, anew with the setup it has now */
LOOP_HIDDEN void heddle__costs_add(struct heddle__costs *c, int class, const struct heddle_loop_sample *s,
                                   double weight);
LOOP_HIDDEN void heddle__costs_fill(struct heddle__costs *c); /* after additions */
LOOP_HIDDEN void heddle__costs_free(struct heddle__costs *c);
LOOP_HIDDEN int heddle__costs_bin(const struct heddle__costs *c, long iteration);
LOOP_HIDDEN long heddle__costs_begin(const struct heddle__costs *c, int bin); /* its first iteration */
/* Seconds of the chunk's work at full speed; with setup and at the speed of its size. */
LOOP_HIDDEN double heddle__costs_work(const struct heddle__costs *c, int class, struct heddle_loop_chunk chunk);
LOOP_HIDDEN double heddle__costs_slowed(const struct heddle__costs *c, int class, double count); /* factor, 1 or more */
LOOP_HIDDEN double heddle__costs_time(const struct heddle__costs *c, int class, struct heddle_loop_chunk chunk);
/* How many iterations of the interval, from its beginning, are done in `seconds` beside the setup. */
LOOP_HIDDEN long heddle__costs_count(const struct heddle__costs *c, int class, struct heddle_loop_chunk interval,
                                     double seconds);
/* Mean seconds of an iteration at full speed over what is left. */
LOOP_HIDDEN double heddle__costs_mean(const struct heddle__costs *c, int class,
                                      const struct heddle__interval_set *left);
/* Weber 2012, section 4.2.3: the 2-norm of the speed-ups over all other classes in a bin; 1 where no other is known. */
LOOP_HIDDEN double heddle__costs_norm(const struct heddle__costs *c, int class, int bin);

/* ---- prediction_error.c: how far predictions were off
 * ------------------------------------------------------------------ */
enum { HEDDLE__OVER = 64 };
struct heddle__prediction_error { /* of one class */
    double spread;                /* of measured against predicted times, as a factor's logarithm */
    double measured, predicted;   /* seconds in this run: the drift against earlier runs */
    /* Seconds that single iterations took longer than others at their place: the longest ones of all that were looked
     * at. */
    double over[HEDDLE__OVER], worst;
    int overs;
    double looked; /* iterations */
    long largest;  /* chunk so far, in any run */
};
/* From the samples of earlier runs. */
LOOP_HIDDEN void heddle__prediction_start(struct heddle__prediction_error *d, const struct heddle__costs *c, int class);
/* After a chunk, before its sample goes into the costs. */
LOOP_HIDDEN void heddle__prediction_note(struct heddle__prediction_error *d, const struct heddle__costs *c, int class,
                                         const struct heddle_loop_sample *s, double horizon);
/* Mean of what an iteration that is expected to take `each` overruns `left` seconds by. */
LOOP_HIDDEN double heddle__prediction_overrun(const struct heddle__prediction_error *d, double each, double left);
/* Factor from the costs of earlier runs to this one's; `horizon`: so many seconds that agreed speak for them. */
LOOP_HIDDEN double heddle__prediction_drift(const struct heddle__prediction_error *d, double horizon);

/* ---- tail_rule.c: with the timeline's `rate` and `ready` filled in; `error` by class ---------------------- */
/* The faster classes alone would be done before a bad iteration on the device is. Worth it only if what it saves them
   is more than what it costs on average. */
LOOP_HIDDEN bool heddle__tail_excludes(const struct heddle_loop_problem *p, struct heddle__timeline *f,
                                       const struct heddle__prediction_error *error, long left, int device);
/* The last iterations, one after the other to whom each ends first, without those for whom it is too late: how many are
   the device's. Uses up `ready` and `rate`. */
LOOP_HIDDEN long heddle__tail_share(const struct heddle_loop_problem *p, struct heddle__timeline *f,
                                    const struct heddle__prediction_error *error, long left, int device);

/* ---- locality.c -------------------------------------------------------------------------------------------------- */
/* For a chunk of about `want` iterations: index of the interval, and where in it to begin. `left` is not empty. */
LOOP_HIDDEN int heddle__locate(const struct heddle__costs *c, int class, const struct heddle__interval_set *left,
                               long want, long *at);

/* The k-th place of [0, 1) in the order of a tree (Weber 2012, figure 4.4): 0, 1/2, 1/4, 3/4, 1/8 … */
LOOP_HIDDEN double heddle__tree_point(unsigned k);

/* ---- curve.c -------------------------------------------------------------------------------------------------- */
/* The setup and the alpha that fit measured seconds by size best; `least`: no chunk took less. */
LOOP_HIDDEN void heddle__loop_fit_curve(const struct heddle__sizes *z, double least, double *setup, double *alpha,
                                        double *rate);

/* ---- history.c: what is learned from samples, and which are kept ------------------------------------------- */
/* Of the problem's samples of one class, the latest counting most: seconds that every chunk costs, iterations a second
   at full size. 0: not known. */
LOOP_HIDDEN void heddle__loop_recall_costs(const struct heddle_loop_problem *p, int class, double *setup, double *rate);
/* The same with alpha; without samples that of the devices' grain. */
LOOP_HIDDEN void heddle__loop_recall_curve(const struct heddle_loop_problem *p, int class, double *setup, double *alpha,
                                           double *rate);
/* What an iteration of the sample's place costs against the mean of all places. */
LOOP_HIDDEN double heddle__loop_baseline(const struct heddle__costs *c, int class, const struct heddle_loop_sample *s);
/* Thins samples (oldest first) to at most `room`, in place: of each class the latest, spread over the iteration space
   and over the sizes. Returns how many are left. */
LOOP_HIDDEN int heddle__loop_thin_samples(struct heddle_loop_sample *s, int *class, int count, int classes, int room);

#endif
