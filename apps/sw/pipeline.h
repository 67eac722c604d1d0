/* SPDX-License-Identifier: Apache-2.0 */
/* Batches on their way through four stages that run at the same time: read (a thread), score (the
 * caller), parts of the work on the results (several threads, any order), write (a thread). Batches
 * stay in order, and at most `depth` of them are under way, so memory is bounded. */
#ifndef SW_PIPELINE_H
#define SW_PIPELINE_H

#include <stdbool.h>

struct pipeline {
    void *cookie;
    void *(*read)(void *cookie);                       /* the next batch, NULL: there is none */
    int (*score)(void *cookie, void *batch);           /* how many parts follow */
    void (*work)(void *cookie, void *batch, int part); /* the part-th of them */
    bool (*write)(void *cookie, void *batch);          /* false: the end, later batches are dropped */
    void (*drop)(void *cookie, void *batch);           /* every batch ends here, written or not */
    int workers, depth;
};

/* Returns when all is written, or after a write that returned false. Where threads cannot be had it does
 * with fewer, at last with the caller's alone. */
void pipeline_run(const struct pipeline *pipeline);

#endif
