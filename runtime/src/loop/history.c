/* SPDX-License-Identifier: Apache-2.0 */
/* What the samples of earlier runs say of a class of devices, and which samples are worth keeping. */
#include "loop.h"
#include <math.h>
#include <string.h>

static const double FADE = 0.97; /* weight of a sample against that of the next newer one of its class */

static double seconds_of(const struct heddle_loop_sample *s) { return s->compute + s->move; }

double heddle__loop_usual(const struct heddle__costs *c, int class, const struct heddle_loop_sample *s)
{
    const double *each = c->each + class * c->bins, scale = s->n > 0 ? (double)c->p->n / (double)s->n : 1;
    const struct heddle_loop_chunk there = {(long)((double)s->chunk.first * scale), (long)((double)s->chunk.count * scale) + 1};
    double mean = 0;
    for (int b = 0; b < c->bins; b++)
        mean += each[b] / c->bins;
    const double usual = heddle__costs_time(c, class, there) / (double)there.count;
    return usual > 0 && mean > 0 ? usual / mean : 1;
}

/* Weighted sums by size; with `c`, as if all places cost the same. Newer samples weigh more, so that a machine or data that
   changed is believed soon. */
static int weigh(const struct heddle_loop_problem *p, int class, const struct heddle__costs *c, struct heddle__sizes *z)
{
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
        z->seconds[at] += weight * (c ? c->setup[class] + work / heddle__loop_usual(c, class, s) : seconds_of(s));
        z->chunks[at] += weight;
        weight *= FADE;
        used++;
    }
    return used;
}

/*
 * Time = setup + count / rate. The rate is that of all chunks of at least a quarter of the largest size; the setup is what
 * smaller ones took beyond it, by the size that has least of that: costs scatter, and a too small setup does less harm.
 */
static void fit(const struct heddle__sizes *z, double least, double *setup, double *rate)
{
    double iterations = 0, seconds = 0, chunks = 0;
    int large = -1;
    for (int k = 0; k < HEDDLE__SIZES; k++)
        large = z->chunks[k] > 0 ? k : large;
    for (int k = large; k >= 0 && k >= large - 2; k--) {
        iterations += z->iterations[k];
        seconds += z->seconds[k];
        chunks += z->chunks[k];
    }
    const double size = iterations / chunks, time = seconds / chunks;
    bool any = false;
    *setup = 0;
    for (int k = 0; k < large - 2; k++) {
        if (!(z->chunks[k] > 0))
            continue;
        const double small = z->iterations[k] / z->chunks[k], took = z->seconds[k] / z->chunks[k];
        const double beyond = (took - time * small / size) / (1 - small / size); /* where the line through both begins */
        *setup = any && *setup < beyond ? *setup : beyond > 0 ? beyond : 0;
        any = true;
    }
    *setup = *setup < time && *setup < least ? *setup : *setup < time ? least : 0;
    *rate = size / (time - *setup);
}

static bool on_host(const struct heddle_loop_problem *p, int class)
{
    for (int d = 0; d < p->devices; d++)
        if (p->device[d].class == class)
            return p->device[d].device < 0;
    return false;
}

/* What places cost can only be told without the setup, and the setup only without what places cost: two turns do. */
void heddle__loop_known(const struct heddle_loop_problem *p, int class, double *setup, double *rate)
{
    struct heddle__sizes z;
    double least = HUGE_VAL; /* no chunk is shorter than the setup */
    *setup = *rate = 0;
    for (int k = 0; k < p->samples; k++)
        if (p->sample_class[k] == class && seconds_of(&p->sample[k]) > 0 && seconds_of(&p->sample[k]) < least)
            least = seconds_of(&p->sample[k]);
    if (!weigh(p, class, NULL, &z))
        return;
    fit(&z, least, setup, rate);
    if (on_host(p, class)) { /* a thread has no launch; what looks like one is the loop's own unevenness */
        *setup = 0;
        return;
    }
    for (int turn = 0; turn < 2; turn++) {
        struct heddle__costs *c = heddle__costs_start(p, HEDDLE__BINS, false, false);
        if (!c)
            return;
        c->setup[class] = *setup;
        heddle__costs_recall(c);
        weigh(p, class, c, &z);
        fit(&z, least, setup, rate);
        heddle__costs_free(c);
    }
}

/*
 * Newest first, a sample stays while its place of the iteration space (32 of them) or its size has few of its class. So the
 * costs of all places and the speeds at all sizes stay known when a run has thousands of chunks.
 */
enum { PLACES = 32, EACH = 4, CLASSES = 16 };

int heddle__loop_keep(struct heddle_loop_sample *s, int *class, int count, int classes, int room)
{
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
