/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts of a step on a device: pairs with their holds, and what they do to each row. */
#include "units.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

/* A hold is three touches of the triangle's body and one of the vertex'. */
static uint32_t count_touches(const struct scene *scene, const struct body *body) {
    uint32_t count = 0;
    for (uint32_t m = 0; m < body->meets_count; m++) {
        const struct pair *pair = &scene->pair[body->meets[m]];
        for (uint32_t k = 0; k < pair->count; k++)
            count += (pair->body[pair->hold[k].side] == body->number ? 1u : 0u) +
                     (pair->body[1 - pair->hold[k].side] == body->number ? 3u : 0u);
    }
    return count;
}

/* What the holds of a body's pairs do to each of its rows, in the order of pairs and holds. */
static void list_touches(const struct scene *scene, const struct body *body, uint32_t *first, struct touch *touch,
                         uint32_t count) {
    const uint32_t rows = body->shape->rows;
    uint32_t *at = app_alloc(rows + 1, sizeof *at);
    memset(at, 0, (rows + 1) * sizeof *at);
    for (int write = 0; write < 2; write++) {
        for (uint32_t m = 0; m < body->meets_count; m++) {
            const struct pair *pair = &scene->pair[body->meets[m]];
            for (uint32_t k = 0; k < pair->count; k++) {
                const struct hold *hold = &pair->hold[k];
                for (uint32_t role = 0; role < 4; role++) {
                    if (pair->body[role ? 1 - hold->side : hold->side] != body->number)
                        continue;
                    const uint32_t row = role ? hold->corner[role - 1] : hold->vertex;
                    if (write)
                        touch[at[row]] = (struct touch){body->meets[m], k, role};
                    at[row]++;
                }
            }
        }
        for (uint32_t r = 0; !write && r <= rows; r++) {
            const uint32_t own = r < rows ? at[r] : 0;
            first[r] = at[r] = count;
            count += own;
        }
    }
    free(at);
}

static void list_pairs(const struct unit *u, int32_t number, const struct scene *scene) {
    struct pair *pair = (struct pair *)(u->block_here + u->at.pair);
    struct hold *hold = (struct hold *)(u->block_here + u->at.hold);
    size_t holds = 0;
    for (uint32_t k = 0; k < scene->pairs; k++) {
        const struct pair *from = &scene->pair[k];
        pair[k] = *from;
        pair[k].hold = (struct hold *)(u->block + u->at.hold) + holds;
        if (!pair_is_here(scene, from, number))
            continue;
        struct hold *to = hold + holds;
#pragma omp task firstprivate(to, from)
        memcpy(to, from->hold, from->count * sizeof *to);
        holds += from->count;
    }
}

/* Bodies that other devices have, of sets that are here, too: their arrays are there, the shape is here. */
static bool list_others(struct unit *u, int32_t number, const struct scene *scene) {
    struct body *body = (struct body *)(u->block_here + u->at.body);
    bool good = true;
    for (uint32_t s = 0; s < scene->sets; s++) {
        const struct body_set *set = &scene->set[s];
        for (uint32_t k = 0; set->split && set_is_here(scene, set, number) && k < set->count && good; k++) {
            const struct body *from = &scene->body[scene->member[set->first + k]];
            if (from->place == number)
                continue;
            good = unit_shape(u, scene, from->shape);
            body[from->number] = u->all->unit[from->place].body[from->number];
            body[from->number].shape = &u->shape[from->shape - scene->shape];
        }
    }
    return good;
}

bool list_contacts(struct unit *u, int32_t number, const struct scene *scene) {
    struct body *body = (struct body *)(u->block_here + u->at.body);
    struct touch *touch = (struct touch *)(u->block_here + u->at.touch);
    uint32_t *touch_first = (uint32_t *)(u->block_here + u->at.touch_first), *count, all = 0;
    size_t rows = 0;
    count = app_alloc(u->list_count + 1, sizeof *count);
    list_pairs(u, number, scene);
#pragma omp taskloop grainsize(4) firstprivate(u, scene, count)
    for (uint32_t k = 0; k < u->list_count; k++)
        count[k] = count_touches(scene, &scene->body[u->list[k]]);
    for (uint32_t k = 0; k < u->list_count; k++) {
        const struct body *from = &scene->body[u->list[k]];
        const uint32_t b = u->list[k], before = all;
        body[b] = u->body[b];
        body[b].sums = (struct body_sums *)(u->result + u->at.sums) + b;
        body[b].meets = from->meets; /* a processor as a device reads the host's */
        body[b].meets_count = from->meets_count;
        body[b].touch_first = (const uint32_t *)(u->block + u->at.touch_first) + rows;
        if (!from->meets_count)
            continue;
        uint32_t *first = touch_first + rows;
#pragma omp task firstprivate(scene, from, first, touch, before)
        list_touches(scene, from, first, touch, before);
        rows += from->shape->rows + 1;
        all += count[k];
    }
#pragma omp taskwait
    free(count);
    return list_others(u, number, scene);
}
