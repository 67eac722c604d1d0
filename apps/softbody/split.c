/* SPDX-License-Identifier: Apache-2.0 */
/* A set of bodies that is too large for one device: each gets those that lie side by side. */
#include "units.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

#if __has_include(<heddle/gpu.h>)
#include <heddle/gpu.h>

#pragma weak heddle_gpu_enter
#pragma weak heddle_gpu_leave
#pragma weak heddle_gpu_reach

/* GPUs read each other's memory. */
static bool link_gpus(const struct devices *d) {
    bool good = heddle_gpu_enter && heddle_gpu_leave && heddle_gpu_reach;
    for (uint32_t a = 0; a < d->count && good; a++) {
        good = !heddle_gpu_enter(d->unit[a].device);
        for (uint32_t b = 0; b < d->count && good; b++)
            good = a == b || !heddle_gpu_reach(d->unit[b].device);
        if (good)
            heddle_gpu_leave();
    }
    return good;
}
#else
static bool link_gpus(const struct devices *d) { return (void)d, false; }
#endif

/* Processors read each other's memory anyway. */
bool link_devices(struct devices *d) {
    uint32_t processors = 0;
    for (uint32_t k = 0; k < d->count; k++)
        processors += !d->unit[k].facts.keep;
    if (d->count < 2 || processors)
        return d->count > 1 && processors == d->count;
    return link_gpus(d);
}

struct member {
    float at;
    uint32_t number; /* in the set */
};
static int compare_members(const void *x, const void *y) {
    const struct member *a = x, *b = y;
    return a->at < b->at ? -1 : a->at > b->at ? 1 : a->number < b->number ? -1 : a->number > b->number;
}

static float middle(const struct body *body, int axis) {
    return 0.5f * (body->nodes[0].box.low[axis] + body->nodes[0].box.high[axis]);
}

/* The axis along which the set is longest. */
static int longest(const struct scene *scene, const struct body_set *set) {
    int best = 0;
    float most = -1;
    for (int a = 0; a < 3; a++) {
        float low = 0, high = 0;
        for (uint32_t k = 0; k < set->count; k++) {
            const float at = middle(&scene->body[scene->member[set->first + k]], a);
            low = !k || at < low ? at : low;
            high = !k || at > high ? at : high;
        }
        if (high - low > most)
            best = a, most = high - low;
    }
    return best;
}

/* Each device gets rows in proportion to `room`, which adds up to 1. */
void split_set(const struct devices *d, const struct scene *scene, const struct body_set *set, const double *room,
               int32_t *place) {
    struct member *member = app_alloc(set->count, sizeof *member);
    const int axis = longest(scene, set);
    double all = 0, before = 0, end = 0;
    for (uint32_t k = 0; k < set->count; k++) {
        const struct body *body = &scene->body[scene->member[set->first + k]];
        member[k] = (struct member){middle(body, axis), k};
        all += body->shape->rows;
    }
    qsort(member, set->count, sizeof *member, compare_members);
    int32_t device = -1;
    for (uint32_t k = 0; k < set->count; k++) {
        const double rows = scene->body[scene->member[set->first + member[k].number]].shape->rows;
        while (device + 1 < (int32_t)d->count && (device < 0 || before + rows / 2 > end))
            end += all * room[++device];
        place[member[k].number] = device;
        before += rows;
    }
    free(member);
}
