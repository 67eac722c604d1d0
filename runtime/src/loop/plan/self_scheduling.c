/* SPDX-License-Identifier: Apache-2.0 */
/* What self-scheduling loops share: the iterations that are left, taken from the beginning, and parts dealt before. */
#include "plan.h"
#include <limits.h>
#include <stdlib.h>

double heddle__loop_fill_rates(const struct heddle_loop_problem *p, double *rate) {
    double known = 0, sum = 0;
    int with = 0;
    for (int d = 0; d < p->devices; d++)
        if (p->device[d].rate > 0) {
            known += p->device[d].rate;
            with++;
        }
    for (int d = 0; d < p->devices; d++) {
        rate[d] = p->device[d].rate > 0 ? p->device[d].rate : with ? known / with : 1;
        sum += rate[d];
    }
    return sum;
}

long heddle__loop_chunk_limit(const struct heddle_loop_problem *p, int device) {
    return p->device[device].most > 0 ? p->device[device].most : LONG_MAX;
}

void *heddle__self_start(const struct heddle_loop_problem *p) {
    struct heddle__self *s = calloc(1, sizeof *s + (size_t)p->devices * sizeof *s->own);
    if (!s)
        return NULL;
    s->p = p;
    s->rate = malloc((size_t)(p->devices + 1) * sizeof *s->rate);
    if (!s->rate || !heddle__interval_set_add(&s->left, (struct heddle_loop_chunk){0, p->n})) {
        heddle__self_stop(s);
        return NULL;
    }
    s->rates = heddle__loop_fill_rates(p, s->rate);
    return s;
}

void heddle__self_deal(struct heddle__self *s, const double *weight, long n) {
    const int devices = s->p->devices;
    double *share = calloc((size_t)devices + 1, sizeof *share), sum = 0;
    long *whole = calloc((size_t)devices + 1, sizeof *whole);
    for (int d = 0; d < devices; d++)
        sum += weight[d];
    for (int d = 0; share && d < devices; d++)
        share[d] = (double)n * weight[d] / sum;
    if (share && whole)
        heddle__loop_round_shares(devices, share, n, whole);
    for (int d = 0; whole && d < devices; d++)
        if (whole[d])
            s->own[d] = heddle__interval_set_take(&s->left, 0, whole[d]);
    free(share);
    free(whole);
}

bool heddle__self_next_own(struct heddle__self *s, int device, long want, struct heddle_loop_chunk *chunk) {
    const long most = heddle__loop_chunk_limit(s->p, device);
    *chunk = heddle__loop_take(&s->own[device], want < most ? want : most);
    return chunk->count > 0;
}

enum heddle_loop_answer heddle__self_next_chunk(struct heddle__self *s, int device, double want,
                                                struct heddle_loop_chunk *chunk) {
    const struct heddle_loop_problem *p = s->p;
    if (!s->left.left)
        return HEDDLE_LOOP_DONE;
    /* part of a device idles below its grain, but nobody is given more than a fair share for that */
    const long fair = (s->left.left + p->devices - 1) / p->devices, grain = p->device[device].grain;
    long count = want<1 ? 1 : want>(double) s->left.left ? s->left.left : (long)want;
    if (count < grain && count < fair)
        count = grain < fair ? grain : fair;
    const long most = heddle__loop_chunk_limit(p, device);
    *chunk = heddle__interval_set_take(&s->left, 0, count < most ? count : most);
    s->given++;
    return HEDDLE_LOOP_CHUNK;
}

enum heddle_loop_answer heddle__self_next_round(struct heddle__self *s, int device, long least,
                                                struct heddle_loop_chunk *chunk) {
    const long devices = s->p->devices;
    if (s->given % devices == 0) { /* s->a: chunk of this round */
        const long size = (s->left.left + 2 * devices - 1) / (2 * devices);
        s->a = (double)(size < least ? least : size);
    }
    return heddle__self_next_chunk(s, device, s->a, chunk);
}

void heddle__self_lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks) {
    struct heddle__self *s = state;
    for (int k = 0; k < chunks; k++)
        heddle__interval_set_add(&s->left, chunk[k]); /* out of memory: the engine finds what is missing */
    heddle__interval_set_add(&s->left, s->own[device]);
    s->own[device].count = 0;
}

void heddle__self_stop(void *state) {
    struct heddle__self *s = state;
    if (!s)
        return;
    heddle__interval_set_free(&s->left);
    free(s->rate);
    free(s);
}
