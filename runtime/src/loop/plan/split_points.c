/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One part of a loop for each of several devices, split so that they end together. Equal numbers of iterations are
 * equal work only by luck; chunks that even it out cost a GPU more than they win where few iterations take much longer
 * than most. A loop that runs again has been measured: within each part the work is taken to be spread evenly, and the
 * split points move to where the devices would have ended together. Where work changes smoothly what was wrong about
 * "evenly" is smaller in the next run; where nearly all of it lies in one place they may jump to and fro, and then
 * parts are not what the schedule auto finds fastest.
 */
#include "plan.h"

static const double ENOUGH = 1.03; /* times the first to end: noise */
static const double STEP = 0.5;    /* of the way, since measurements scatter */
static const double LEAST = 0.02;  /* of its time a device computes, whatever its start took */

void heddle__split_evenly(int parts, double *split) {
    for (int k = 0; k <= parts; k++)
        split[k] = (double)k / parts;
}

long heddle__part_first(const double *split, int part, long n) { return (long)(split[part] * (double)n); }

/* Where the work sums up to `want`. */
static double split_at(int parts, const double *split, const double *work, double want) {
    double sum = 0;
    for (int k = 0; k < parts; k++) {
        if (sum + work[k] >= want)
            return split[k] + (want - sum) / work[k] * (split[k + 1] - split[k]);
        sum += work[k];
    }
    return 1;
}

void heddle__split_move(int parts, double *split, const double *start, const double *end) {
    double work[HEDDLE__PARTS], budget[HEDDLE__PARTS], moved[HEDDLE__PARTS + 1], all = 0, mean = 0, offered = 0,
                                                                                 first = end[0], last = end[0];
    for (int k = 0; k < parts; k++) {
        work[k] = end[k] - start[k] > LEAST * end[k] ? end[k] - start[k] : LEAST * end[k];
        all += work[k];
        mean += end[k] / parts;
        first = end[k] < first ? end[k] : first;
        last = end[k] > last ? end[k] : last;
    }
    if (!(first > 0) || last < ENOUGH * first)
        return;
    for (int k = 0; k < parts; k++) {
        budget[k] = mean - (end[k] - work[k]) > 0 ? mean - (end[k] - work[k]) : 0;
        offered += budget[k];
    }
    double want = 0;
    moved[0] = 0;
    for (int k = 1; k < parts; k++) {
        want += budget[k - 1] * all / offered;
        moved[k] = split_at(parts, split, work, want);
    }
    for (int k = 1; k < parts; k++)
        split[k] += STEP * (moved[k] - split[k]);
}

/* A split that came from a file may be anything. */
bool heddle__split_is_valid(int parts, const double *split) {
    bool good = parts >= 2 && parts <= HEDDLE__PARTS && split[0] == 0 && split[parts] == 1;
    for (int k = 0; good && k < parts; k++)
        good = split[k + 1] > split[k];
    return good;
}
