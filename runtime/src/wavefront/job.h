/* SPDX-License-Identifier: Apache-2.0 */
/* One call of a wavefront nest on one device: shared by the files wavefront_gpu*.c. */
#ifndef HEDDLE_WAVEFRONT_JOB_H
#define HEDDLE_WAVEFRONT_JOB_H
#include "device/device.h"

/* Where things lie in the device block, in bytes. `head` is copied to the device, `back` comes back. */
struct layout {
    size_t env, red_start, red, progress, items, head, edges, top_halo, left_halo, side_halo, last_row, last_col, total;
};

struct job {
    struct heddle_wavefront *call;
    struct heddle__device *on;
    struct heddle_image image; /* what runs there: the warp's width and what the kernels take of a block */
    struct heddle_gpu_call launch;
    struct heddle_gpu_control control; /* host image, with device pointers */
    struct layout at;
    char *host; /* image of the first at.head bytes */
    char *device;
    long rows, columns, results;
    int host_border, host_device, hybrid, schedule;
    int in_place; /* several sweeps in a launch: gpu_sweeps.c */
    bool limited; /* HEDDLE_MEMORY_LIMIT is set */
    bool mapped;
    bool tagged;                               /* row blocks hand on words with tags */
    double kernel_seconds, map_begin, map_end; /* the last two: heddle__now() */
};

/* gpu_sizes.c: workers, row blocks and buffers for a schedule, on one of `devices` equal devices. */
HEDDLE_HIDDEN void heddle__job_size(struct job *j, int schedule, int devices);
HEDDLE_HIDDEN void heddle__job_lay_out(struct job *j);
HEDDLE_HIDDEN int heddle__multiprocessors(int device);
HEDDLE_HIDDEN size_t heddle__memory_free(int device);
HEDDLE_HIDDEN size_t heddle__job_edge_bytes(const struct job *j, long ring);
HEDDLE_HIDDEN size_t heddle__job_mail_bytes(const struct job *j);
HEDDLE_HIDDEN long heddle__job_block_rows(const struct job *j); /* register form: rows of a row block */

/* gpu.c: the steps of a call on a device, in this order. After a call of begin, end has to be called. */
HEDDLE_HIDDEN void heddle__job_make(struct job *j, struct heddle_wavefront *call, int schedule, int device);
HEDDLE_HIDDEN int
heddle__job_begin(struct job *j); /* locks the device, reserves memory: prepare; maps the arrays: map */
HEDDLE_HIDDEN int heddle__job_prepare(struct job *j);                     /* by the thread that calls end */
HEDDLE_HIDDEN int heddle__job_map(struct job *j);                         /* by any thread */
HEDDLE_HIDDEN int heddle__job_tags(struct job *j);                        /* edge buffers, and tags for one launch */
HEDDLE_HIDDEN int heddle__job_borders(const struct job *jobs, int count); /* of equal jobs: packed once */
HEDDLE_HIDDEN int heddle__job_upload(struct job *j);
HEDDLE_HIDDEN int heddle__job_launch(struct job *j);
HEDDLE_HIDDEN void heddle__job_join(struct job *j); /* the reductions' results */
/* Unmaps, and brings arrays and packed results back (`arrays`, `results`); unlocks. */
HEDDLE_HIDDEN int heddle__job_end(struct job *j, int error, bool arrays, bool results);
HEDDLE_HIDDEN void heddle__job_report(const struct job *j);
#endif
