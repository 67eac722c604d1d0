/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which classes of devices are worth their trouble, for the schedule auto. A class whose part of the sum of all rates is below a
 * twentieth cannot gain what its cuts, its cores and the tail cost the others; a device that is left alone gets the loop
 * as one chunk, which the engine does in pieces. Known from earlier runs only, and now and then all take part again, since
 * what was measured may have changed.
 */
#include "engine.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double LEAST = 0.05;
static const double SHORT = 1e-3; /* seconds: to share a loop that one GPU ends so soon costs more than it gains */
enum { SAMPLES = 3, AGAIN = 16 };

static bool asked_for(const struct heddle__engine *e)
{
    char device[HEDDLE__OPTION_MAX];
    heddle__option_read("device", device, sizeof device);
    return e->loop->device != HEDDLE_DEVICE_AUTO || strcmp(device, "auto") != 0 || strcmp(e->policy->name, "auto") != 0;
}

/* Sum of the rates of a class; 0: not known well enough, for want of samples or of one that kept a device busy. */
static double rate_of(const struct heddle__engine *e, int class)
{
    double sum = 0;
    long largest = 0, grain = 1;
    int samples = 0;
    for (int k = 0; k < e->problem.samples; k++)
        if (e->problem.sample_class[k] == class) {
            samples++;
            largest = e->problem.sample[k].chunk.count > largest ? e->problem.sample[k].chunk.count : largest;
        }
    for (int k = 0; k < e->places; k++)
        if (e->place[k].class == class) {
            sum += e->device[k].rate;
            grain = e->device[k].grain < e->n / 4 ? e->device[k].grain : e->n / 4;
        }
    return samples < SAMPLES || largest < grain ? 0 : sum;
}

static void remove_place(struct heddle__engine *e, int k)
{
    free(e->place[k].env);
    pthread_mutex_destroy(&e->place[k].lock);
    memmove(&e->place[k], &e->place[k + 1], (size_t)(e->places - k - 1) * sizeof *e->place);
    memmove(&e->device[k], &e->device[k + 1], (size_t)(e->places - k - 1) * sizeof *e->device);
    e->places--;
}

/* The fastest GPU, if it is done with everything in no time and its class does most of the work anyway; -1: no. */
static int short_alone(const struct heddle__engine *e, const double *rate, double all)
{
    int best = -1;
    for (int k = 0; k < e->places; k++)
        if (e->place[k].cuda && (best < 0 || e->device[k].rate > e->device[best].rate))
            best = k;
    const bool most = best >= 0 && rate[e->place[best].class] > 0.5 * all;
    return most && (double)e->n < SHORT * e->device[best].rate ? best : -1;
}

/* No device is left to drive: all cores compute. */
static void use_whole_host(struct heddle__engine *e)
{
    const int threads = heddle__host_threads();
    struct heddle_loop_device *more = threads > e->places ? realloc(e->device, (size_t)threads * sizeof *more) : NULL;
    if (!more)
        return;
    e->problem.device = e->device = more;
    while (e->places < threads) {
        heddle__place_add(e, HEDDLE_DEVICE_HOST, false, NULL);
        more[e->places - 1] = more[0];
    }
}

void heddle__loop_worth(struct heddle__engine *e)
{
    double rate[HEDDLE__LOOP_DEVICES + 1], all = 0;
    if (asked_for(e) || e->classes < 2 || (e->runs + getpid()) % AGAIN == 0)
        return;
    for (int c = 0; c < e->classes; c++) {
        rate[c] = rate_of(e, c);
        all += rate[c];
        if (!(rate[c] > 0))
            return;
    }
    const int alone = short_alone(e, rate, all);
    for (int k = e->places - 1; k >= 0; k--)
        if (rate[e->place[k].class] < LEAST * all || (alone >= 0 && k != alone)) {
            e->left_out++;
            remove_place(e, k);
        }
    if (e->left_out && e->place[0].device < 0)
        use_whole_host(e);
    for (int k = 0; k < e->places; k++)
        e->place[k].number = k;
    e->problem.devices = e->places;
    if (e->places == 1) {
        e->policy = &heddle__loop_static;
        e->problem.chunk = 0;
    }
    if (e->left_out && (e->place[0].device < 0 || e->place[e->places - 1].device >= 0))
        e->cores.split = false; /* only one side is left */
}
