/* SPDX-License-Identifier: Apache-2.0 */
/* What the samples of earlier runs say of a class of devices, and which samples are worth keeping. */
#include "plan.h"
#include <math.h>
#include <string.h>

static const double FADE = 0.97; /* weight of a sample against that of the next newer one of its class */

static double seconds_of(const struct heddle_loop_sample *s) { return s->compute + s->move; }

double heddle__loop_baseline(const struct heddle__costs *c, int class, const struct heddle_loop_sample *s) {
    const double *each = c->each + class * c->bins, scale = s->n > 0 ? (double)c->p->n / (double)s->n : 1;
    const struct heddle_loop_chunk there = {(long)((double)s->chunk.first * scale),
                                            (long)((double)s->chunk.count * scale) + 1};
    double mean = 0;
    for (int b = 0; b < c->bins; b++)
        mean += each[b] / c->bins;
    const double usual = heddle__costs_work(c, class, there) / (double)there.count;
    return usual > 0 && mean > 0 ? usual / mean : 1;
}

/* Weighted sums by size; with `c`, as if all places cost the same. Newer samples weigh more, so that a machine or data
   that changed is believed soon. */
static int weigh(const struct heddle_loop_problem *p, int class, const struct heddle__costs *c,
                 struct heddle__sizes *z) {
    double weight = 1;
    int used = 0;
    memset(z, 0, sizeof *z);
    for (int k = p->samples - 1; k >= 0; k--) {
        const struct heddle_loop_sample *s = &p->sample[k];
        if (p->sample_class[k] != class || s->chunk.count <= 0 || !(seconds_of(s) > 0))
            continue;
        const int at = heddle__size_bucket(s->chunk.count);
        const double work = seconds_of(s) > (c ? c->setup[class] : 0) ? seconds_of(s) - (c ? c->setup[class] : 0) : 0;
        z->iterations[at] += weight * (double)s->chunk.count;
        z->seconds[at] += weight * (c ? c->setup[class] + work / heddle__loop_baseline(c, class, s) : seconds_of(s));
        z->chunks[at] += weight;
        weight *= FADE;
        used++;
    }
    return used;
}

static bool on_host(const struct heddle_loop_problem *p, int class) {
    for (int d = 0; d < p->devices; d++)
        if (p->device[d].class == class)
            return p->device[d].device < 0;
    return false;
}

static double grain_alpha(const struct heddle_loop_problem *p, int class) {
    for (int d = 0; d < p->devices; d++)
        if (p->device[d].class == class)
            return p->device[d].grain > 1 ? log(1 - HEDDLE__LOOP_BETA) / (double)p->device[d].grain : 0;
    return 0;
}

static bool many_sizes(const struct heddle__sizes *z) {
    int low = HEDDLE__SIZES, high = -1;
    for (int k = 0; k < HEDDLE__SIZES; k++)
        if (z->chunks[k] > 0) {
            low = k < low ? k : low;
            high = k;
        }
    return high >= low + 3;
}

/* What places cost can only be told without the setup, and the setup only without what places cost: two turns do. */
void heddle__loop_recall_curve(const struct heddle_loop_problem *p, int class, double *setup, double *alpha,
                               double *rate) {
    struct heddle__sizes z;
    double least = HUGE_VAL; /* no chunk is shorter than the setup */
    *setup = *rate = 0;
    *alpha = on_host(p, class) ? 0 : grain_alpha(p, class);
    for (int k = 0; k < p->samples; k++)
        if (p->sample_class[k] == class && seconds_of(&p->sample[k]) > 0 && seconds_of(&p->sample[k]) < least)
            least = seconds_of(&p->sample[k]);
    if (!weigh(p, class, NULL, &z))
        return;
    if (on_host(p, class)) { /* a thread has no launch; what looks like one is the loop's own unevenness */
        double iterations = 0, seconds = 0;
        for (int k = 0; k < HEDDLE__SIZES; k++) {
            iterations += z.iterations[k];
            seconds += z.seconds[k];
        }
        *rate = iterations / seconds;
        return;
    }
    if (!many_sizes(&z)) { /* what is setup and what is work cannot be told: all is work */
        double size = 0, time = 0, chunks = 0;
        for (int k = 0; k < HEDDLE__SIZES; k++) {
            size += z.iterations[k];
            time += z.seconds[k];
            chunks += z.chunks[k];
        }
        *rate = size / time / (*alpha < 0 ? -expm1(*alpha * size / chunks) : 1);
        return;
    }
    heddle__loop_fit_curve(&z, least, setup, alpha, rate);
    for (int turn = 0; turn < 2; turn++) {
        struct heddle__costs *c = heddle__costs_start(p, HEDDLE__BINS, false, false);
        if (!c)
            return;
        c->setup[class] = *setup;
        c->alpha[class] = *alpha;
        heddle__costs_recall(c);
        weigh(p, class, c, &z);
        heddle__costs_free(c);
        heddle__loop_fit_curve(&z, least, setup, alpha, rate);
    }
}

void heddle__loop_recall_costs(const struct heddle_loop_problem *p, int class, double *setup, double *rate) {
    double alpha;
    heddle__loop_recall_curve(p, class, setup, &alpha, rate);
}

/*
 * Newest first, a sample stays while its place of the iteration space (32 of them) or its size has few of its class. So
 * the costs of all places and the speeds at all sizes stay known when a run has thousands of chunks.
 */
enum { PLACES = 32, EACH = 4, CLASSES = 16 };

int heddle__loop_thin_samples(struct heddle_loop_sample *s, int *class, int count, int classes, int room) {
    unsigned char place[CLASSES][PLACES] = {{0}}, size[CLASSES][HEDDLE__SIZES] = {{0}};
    int kept = 0;
    (void)classes; /* classes beyond CLASSES share their counts: fewer of them stay */
    for (int k = count - 1; k >= 0; k--) {
        const struct heddle_loop_chunk *c = &s[k].chunk;
        bool stays = kept < room && c->count > 0 && s[k].n > 0 && class[k] >= 0;
        if (stays) {
            const int of = class[k] % CLASSES;
            long at = (long)(((double)c->first + (double)c->count / 2) / (double)s[k].n * PLACES);
            at = at < 0 ? 0 : at >= PLACES ? PLACES - 1 : at;
            unsigned char *here = &place[of][at], *such = &size[of][heddle__size_bucket(c->count)];
            stays = *here < EACH || *such < EACH;
            *here += stays && *here < EACH;
            *such += stays && *such < EACH;
        }
        if (stays)
            kept++;
        else
            s[k].n = -1; /* marked */
    }
    int to = 0;
    for (int k = 0; k < count; k++)
        if (s[k].n >= 0) {
            s[to] = s[k];
            class[to++] = class[k];
        }
    return to;
}
