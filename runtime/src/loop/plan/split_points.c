/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One part of a loop for each of several devices, cut so that they end together. Equal numbers of iterations are equal
 * work only by luck; chunks that even it out cost a GPU more than they win where few iterations take much longer than
 * most. A loop that runs again has been measured: within each part the work is taken to be spread evenly, and the cuts
 * move to where the devices would have ended together. Where work changes smoothly what was wrong about "evenly" is
 * smaller in the next run; where nearly all of it lies in one place cuts may jump to and fro, and then parts are not
 * what the schedule auto finds fastest.
 */
#include "plan.h"

static const double ENOUGH = 1.03; /* times the first to end: noise */
static const double STEP = 0.5;    /* of the way, since measurements scatter */
static const double LEAST = 0.02;  /* of its time a device computes, whatever its start took */

void heddle__parts_even(int parts, double *cut) {
    for (int k = 0; k <= parts; k++)
        cut[k] = (double)k / parts;
}

long heddle__parts_first(const double *cut, int part, long n) { return (long)(cut[part] * (double)n); }

/* Where the work sums up to `want`. */
static double place_of(int parts, const double *cut, const double *work, double want) {
    double sum = 0;
    for (int k = 0; k < parts; k++) {
        if (sum + work[k] >= want)
            return cut[k] + (want - sum) / work[k] * (cut[k + 1] - cut[k]);
        sum += work[k];
    }
    return 1;
}

void heddle__parts_move(int parts, double *cut, const double *start, const double *end) {
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
        moved[k] = place_of(parts, cut, work, want);
    }
    for (int k = 1; k < parts; k++)
        cut[k] += STEP * (moved[k] - cut[k]);
}

/* A cut that came from a file may be anything. */
bool heddle__parts_valid(int parts, const double *cut) {
    bool good = parts >= 2 && parts <= HEDDLE__PARTS && cut[0] == 0 && cut[parts] == 1;
    for (int k = 0; good && k < parts; k++)
        good = cut[k + 1] > cut[k];
    return good;
}
