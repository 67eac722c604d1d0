/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loop that nobody but the host's threads runs: one OpenMP team, in which each thread has a part of its own, as under
 * `omp parallel for`, and takes it in pieces, so that who is done takes half of what another one has left.
 */
#ifndef HEDDLE_LOOP_HOST_TEAM_H
#define HEDDLE_LOOP_HOST_TEAM_H

#include "engine.h"
#include <stdalign.h>
#include <stdatomic.h>

struct heddle__team_part {              /* of one thread, on lines of its own */
    alignas(128) _Atomic uint64_t left; /* pieces: of which call, the first one and the one behind the last */
    double begin, end;                  /* heddle__now(); 0: it did nothing */
    long iterations;
    int pieces;
    bool turn; /* turns.h, from its first piece on */
};

struct heddle__team {
    const struct heddle_loop *loop;
    long n;
    double start; /* heddle__now() when the loop began */
    int threads;
    int all;       /* that there are: fewer work where there are fewer iterations */
    int each;      /* pieces of a thread's part */
    unsigned call; /* its number */
    bool even;     /* threads take as long as each other, as far as is known: each takes half of what it has left */
    bool steals;   /* else each thread runs its own part alone */
    int trace;     /* its name on a timeline */
    /* Sections of all iterations: before any iteration each thread looks up what its part reads, and compares it with
       these. NULL: there is nothing to look up. */
    const struct heddle_map *others;
    double *piece; /* seconds of each piece; NULL: nobody asks */
};

/* Parts of the calling thread, kept for the next loop; NULL: out of memory. */
HEDDLE_HIDDEN HEDDLE__FIRST struct heddle__team_part *heddle__team_parts(int threads);
/* False: out of memory, or what was looked up overlaps what is written, and nothing was run. Parts are those of
 * heddle__team_parts(). */
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__team_run(const struct heddle__team *t);
HEDDLE_HIDDEN HEDDLE__FIRST long heddle__team_first(const struct heddle__team *t, int piece); /* iteration of a piece */

/* Pieces of a part, where all threads together work for so long; 0: nobody knows. */
HEDDLE_HIDDEN HEDDLE__FIRST int heddle__team_pieces(const struct heddle__team *t, double work);

/* Are the copies of arrays few enough for each thread to keep room for them? */
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__team_keeps(const struct heddle_loop *l);

/* Is it the host's alone, under a schedule that its threads need nobody for? */
HEDDLE_HIDDEN bool heddle__team_fits(const struct heddle__engine *e);
HEDDLE_HIDDEN bool heddle__team_run_engine(struct heddle__engine *e); /* notes in participants and samples what was */

#endif
