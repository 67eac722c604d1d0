/* SPDX-License-Identifier: Apache-2.0 */
/* Frames through the encoder, in batches, all at the same time: one thread reads, the calling thread
 * has the macroblocks of one batch coded, one fetches what a device has, others turn finished frames into
 * bits, one writes. */
#ifndef INTRA_PIPELINE_H
#define INTRA_PIPELINE_H

#include "coding.h"
#include "stream.h"
#include "video.h"

struct pipeline {
    const struct intra_setup *setup;
    struct stream_format format;
    struct video *video;
    long frames_most;                         /* 0: to the end of the video */
    int batch;                                /* frames handed to the tasks at once */
    int threads;                              /* for entropy coding */
    FILE *out, *recon;                        /* NULL: not wanted */
    bool check;                               /* every batch by the serial program, too */
    void (*tell)(void *context, long frames); /* progress; may be NULL */
    void *context;

    struct batch *batches;
    int device; /* where the tasks ran; the memory of batches stays there */

    /* results */
    long frames, macroblocks4;
    uint64_t bytes, checksum;
    double error[3];
    double core_seconds; /* in the macroblock tasks */
    /* where each other kind of thread was busy; bits: all threads together */
    double read_seconds, upload_seconds, fetch_seconds, bits_seconds, write_seconds;
    bool input_failed; /* the video has the message; finished frames are written */
    bool differs;      /* from the serial program */
    char message[200]; /* what went wrong with the output; empty: nothing */
};

/* Bytes that pipeline_open() allocates, and the check. */
double pipeline_memory(const struct pipeline *pipeline);

/* The settings above stay the same between these; the memory does, too. */
void pipeline_open(struct pipeline *pipeline);
void pipeline_close(struct pipeline *pipeline);

/* False: see message. */
bool pipeline_run(struct pipeline *pipeline);

#endif
