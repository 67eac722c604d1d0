/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipeline.c: how many workers a nest on the host gets, and how often they look at each other. Blocks follow each other
 * some steps behind; while the first ones run, others wait for their turn, and a table of few blocks is over before all
 * of many threads have begun.
 */
#ifndef HEDDLE_MODEL_PIPELINE_H
#define HEDDLE_MODEL_PIPELINE_H

#include "core/internal.h"

struct heddle__pipeline {
    long blocks;    /* in the order of their dependence */
    long steps;     /* of each */
    long lag;       /* steps that a block is behind the one before even if they looked after every step */
    double seconds; /* of a step */
    long unit;      /* what steps between two looks are a multiple of ... */
    long most;      /* ... and how many they are at most */
};
struct heddle__shape {
    int workers;
    long chunk;     /* steps between two looks */
    double seconds; /* expected */
};
/* The chunk with which so many workers are over first, and the workers; further ones have to gain a part of the time.
 */
HEDDLE_HIDDEN struct heddle__shape heddle__pipeline_chunk(const struct heddle__pipeline *p, int workers, double signal);
HEDDLE_HIDDEN bool heddle__pipeline_gains(const struct heddle__shape *more, const struct heddle__shape *fewer);
HEDDLE_HIDDEN struct heddle__shape heddle__pipeline_shape(const struct heddle__pipeline *p, int threads, double signal);

#endif
