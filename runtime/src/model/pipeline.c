/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline.h"

/* A look costs a worker so much beside the way of the signal: 0.25 us on an EPYC and on a Sapphire Rapids
   (docs/lab/2026-11-27-wavefronts-of-strangers.md). Starting a thread of a team that waits takes less. */
static const double LOOK = 0.25e-6, START = 0.1e-6;

static double expected(const struct heddle__pipeline *p, int workers, long chunk, double signal) {
    if (workers < 2)
        return (double)p->blocks * (double)p->steps * p->seconds;
    const double behind = (double)(chunk + p->lag) * p->seconds + LOOK + signal;
    const double block = (double)p->steps * p->seconds + (double)((p->steps + chunk - 1) / chunk) * LOOK;
    const double round = workers * behind > block ? workers * behind : block;
    const long before = p->blocks - 1;
    return (double)(before / workers) * round + (double)(before % workers) * behind + block + workers * START;
}

struct heddle__shape heddle__pipeline_chunk(const struct heddle__pipeline *p, int workers, double signal) {
    struct heddle__shape best = {.workers = workers};
    for (long chunk = p->unit; chunk == p->unit || chunk <= p->most; chunk *= 2) {
        const double seconds = expected(p, workers, chunk, signal);
        if (!best.chunk || seconds < best.seconds) {
            best.chunk = chunk;
            best.seconds = seconds;
        }
    }
    return best;
}

bool heddle__pipeline_gains(const struct heddle__shape *more, const struct heddle__shape *fewer) {
    return more->seconds < 0.97 * fewer->seconds;
}

/* As many workers as have a share of their own in so many rounds, from few of them on. */
struct heddle__shape heddle__pipeline_shape(const struct heddle__pipeline *p, int threads, double signal) {
    const long most = threads < p->blocks ? threads : p->blocks;
    struct heddle__shape best = heddle__pipeline_chunk(p, 1, signal);
    for (int workers = 2; workers <= most; workers++) {
        const long rounds = (p->blocks + workers - 1) / workers;
        if (workers < most && (p->blocks + workers - 2) / (workers - 1) == rounds)
            continue;
        const struct heddle__shape shape = heddle__pipeline_chunk(p, workers, signal);
        if (heddle__pipeline_gains(&shape, &best))
            best = shape;
    }
    return best;
}
