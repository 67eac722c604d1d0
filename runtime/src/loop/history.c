/* SPDX-License-Identifier: Apache-2.0 */
/* What the samples of earlier runs say of a class of devices, and which samples are worth keeping. */
#include "loop.h"
#include <string.h>

static const double FADE = 0.97; /* weight of a sample against that of the next newer one of its class */

static double seconds_of(const struct heddle_loop_sample *s) { return s->compute + s->move; }

/* Weighted sums by size. Newer samples weigh more, so that a machine or data that changed is believed soon. */
static int weigh(const struct heddle_loop_problem *p, int class, struct heddle__sizes *z)
{
    double weight = 1;
    int used = 0;
    memset(z, 0, sizeof *z);
    for (int k = p->samples - 1; k >= 0; k--) {
        const struct heddle_loop_sample *s = &p->sample[k];
        if (p->sample_class[k] != class || s->chunk.count <= 0 || !(seconds_of(s) > 0))
            continue;
        const int at = heddle__size_bucket(s->chunk.count);
        z->iterations[at] += weight * (double)s->chunk.count;
        z->seconds[at] += weight * seconds_of(s);
        z->chunks[at] += weight;
        weight *= FADE;
        used++;
    }
    return used;
}

/*
 * Time = setup + count / rate through two points: the small chunks (the least mean time of any size) and all chunks of at least
 * a quarter of the largest size. Loops are uneven, so a line through all would lean on single costly iterations.
 */
void heddle__loop_known(const struct heddle_loop_problem *p, int class, double *setup, double *rate)
{
    struct heddle__sizes z;
    double iterations = 0, seconds = 0, chunks = 0;
    int large = -1, small = -1;
    *setup = *rate = 0;
    if (!weigh(p, class, &z))
        return;
    for (int k = 0; k < HEDDLE__SIZES; k++)
        large = z.chunks[k] > 0 ? k : large;
    for (int k = large; k >= 0 && k >= large - 2; k--) {
        iterations += z.iterations[k];
        seconds += z.seconds[k];
        chunks += z.chunks[k];
    }
    for (int k = 0; k < large - 2; k++)
        if (z.chunks[k] > 0 && (small < 0 || z.seconds[k] / z.chunks[k] < z.seconds[small] / z.chunks[small]))
            small = k;
    const double size = iterations / chunks, time = seconds / chunks;
    *rate = size / time;
    if (small < 0)
        return;
    const double size0 = z.iterations[small] / z.chunks[small], time0 = z.seconds[small] / z.chunks[small];
    if (time0 >= time || size0 >= size)
        return;
    const double each = (time - time0) / (size - size0);
    *setup = time0 - each * size0 > 0 ? time0 - each * size0 : 0;
    *rate = 1 / each;
    if (*setup <= 0)
        *rate = size / time;
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
