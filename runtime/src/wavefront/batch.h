/* SPDX-License-Identifier: Apache-2.0 */
/* One call of a batch of problems: shared by the files batch*.c and gpu_batch.c. */
#ifndef HEDDLE_WAVEFRONT_BATCH_JOB_H
#define HEDDLE_WAVEFRONT_BATCH_JOB_H
#include "core/internal.h"
#include <heddle/engine/wavefront/batch.h>

/* The problems' sizes, and an order in which similar ones follow each other, the largest first. */
struct heddle__sizes {
    long count;
    long *rows, *columns; /* of problem p0 + k; 0 both: no cell */
    long *order;          /* numbers k */
    double cells;
};
/* `device`: where the arrays are that the statements before the nest read. HEDDLE_* */
HEDDLE_HIDDEN int heddle__batch_measure(struct heddle_batch *call, int device, struct heddle__sizes *sizes);
/* Of problems q0 … q1 (less p0): an order of their own, to be freed; the rest is the whole's. */
HEDDLE_HIDDEN int heddle__sizes_part(const struct heddle__sizes *of, long q0, long q1, struct heddle__sizes *part);
HEDDLE_HIDDEN void heddle__sizes_free(struct heddle__sizes *sizes);
HEDDLE_HIDDEN int heddle__batch_cpu(struct heddle_batch *call, const struct heddle__sizes *sizes);
/* gpu_batch.c. Nonzero: nothing was changed. */
HEDDLE_HIDDEN int heddle__batch_measure_there(struct heddle_batch *call, int device, long count, int64_t *sizes);
HEDDLE_HIDDEN int heddle__batch_gpu(struct heddle_batch *call, const struct heddle__sizes *sizes, int device);
/* batch_all.c: on `count` devices of one kind, in ranges where one device's memory does not hold all. */
HEDDLE_HIDDEN int heddle__batch_all(struct heddle_batch *call, const struct heddle__sizes *sizes, const int *devices,
                                    int count);

#endif
