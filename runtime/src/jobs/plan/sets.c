/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The set of devices for the next execution: each that may be the fastest is tried, more than once where it is close;
 * then the fastest gets them all. Who lost is asked again when what that costs is a small share of what was spent
 * since, or soon where it was faster once: a machine is disturbed at times, and then all runs of a set are. Times of
 * other numbers of jobs are taken as if they grew by a power of it, which all sets' times tell.
 */
#include "sets.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static const double HOPEFUL = 3;    /* times the fastest set: who is expected to take longer is not tried */
static const double CLOSE = 2;      /* times the fastest set: one run does not tell which is faster */
static const double NEAR = 1.3;     /* times the fastest set: nor do two; its first ones may have allocated memory */
static const double SHARING = 1.02; /* all devices have to be so much faster than a set of less */
static const double SHARE = 0.01;   /* of the time may go into asking those again that lost, all of them together */
static const double AGE = 0.02;     /* by which the shortest run grows with each that is longer */
enum { SOON = 4, AGAIN = 16 /* runs of the fastest set between two of another one */ };

struct judged {
    double shortest, latest; /* seconds of its last runs, for as many jobs as there are now */
    double least;            /* ... of all runs; 0: not known */
};

static int kept(const struct heddle__jobs_set_times *t) {
    return t->runs < HEDDLE__JOBS_SET_RUNS ? t->runs : HEDDLE__JOBS_SET_RUNS;
}

/* 0: jobs run side by side or one is all that counts; 1: twice as many take twice as long. */
static double power_of(const struct heddle__jobs_set_times *list, int count) {
    double both = 0, square = 0;
    for (int k = 0; k < count; k++) {
        const struct heddle__jobs_set_times *t = &list[k];
        double n = 0, seconds = 0;
        for (int r = 0; r < kept(t); r++) {
            n += log((double)t->n[r]) / kept(t);
            seconds += log(t->seconds[r]) / kept(t);
        }
        for (int r = 0; r < kept(t); r++) {
            both += (log((double)t->n[r]) - n) * (log(t->seconds[r]) - seconds);
            square += (log((double)t->n[r]) - n) * (log((double)t->n[r]) - n);
        }
    }
    return square > 0 ? fmin(1, fmax(0, both / square)) : 1;
}

static struct judged judge(const struct heddle__jobs_set_times *t, long n, double power) {
    struct judged j = {HUGE_VAL, HUGE_VAL, t->least > 0 ? t->least * pow((double)n / (double)t->least_n, power) : 0};
    for (int r = 0; r < kept(t); r++) {
        const double seconds = t->seconds[r] * pow((double)n / (double)t->n[r], power);
        j.shortest = fmin(j.shortest, seconds);
        if (r == (t->runs - 1) % HEDDLE__JOBS_SET_RUNS)
            j.latest = seconds;
    }
    return j;
}

void heddle__jobs_set_note(struct heddle__jobs_set_times *t, long n, double seconds) {
    if (!(t->least > 0) || seconds / (double)n < t->least / (double)t->least_n) {
        t->least = seconds;
        t->least_n = n;
    } else {
        t->least *= 1 + AGE;
    }
}

/* A set that lost, and is to be asked again: what it costs is within its part of the share. -1: none. */
static int due(const struct heddle__jobs_set_times *list, const struct judged *j, int count, double best) {
    int next = -1;
    double most = 0;
    for (int k = 0; k < count; k++) {
        const struct heddle__jobs_set_times *c = &list[k];
        const double seconds = c->runs ? j[k].latest : c->expected,
                     left = SHARE / (count - 1) * c->since - (seconds - best);
        if (!(seconds > 0) || c->since < AGAIN * best || left < 0 || (next >= 0 && left <= most))
            continue;
        next = k;
        most = left;
    }
    return next;
}

/* The one that may be the fastest and has not run, or not often enough. -1: none. */
static int unsure(const struct heddle__jobs_set_times *list, const struct judged *j, int count, double best) {
    int next = -1;
    for (int k = 1; k < count; k++)
        if (!list[k].runs && list[k].expected < HOPEFUL * best && (next < 0 || list[k].expected < list[next].expected))
            next = k;
    for (int k = 0; k < count && next < 0; k++)
        if ((list[k].runs == 1 && j[k].shortest < CLOSE * best) ||
            (list[k].runs == 2 && j[k].shortest < NEAR * best && list[k].since >= SOON * best) ||
            (j[k].least > 0 && j[k].least < best && list[k].since >= SOON * best))
            next = k;
    return next;
}

int heddle__jobs_choose_set(const struct heddle__jobs_set_times *list, int count, long n) {
    struct judged j[count];
    const double power = power_of(list, count);
    int best = 0;
    if (!list[0].runs)
        return 0;
    for (int k = 0; k < count; k++) {
        j[k] = judge(&list[k], n, power);
        j[k].shortest *= k ? 1 : SHARING;
        j[k].least *= k ? 1 : SHARING;
        best = j[k].shortest < j[best].shortest ? k : best;
    }
    int next = unsure(list, j, count, j[best].shortest);
    next = next < 0 ? due(list, j, count, j[best].shortest) : next;
    return next < 0 ? best : next;
}
