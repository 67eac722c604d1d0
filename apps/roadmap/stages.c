/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of jobs from arrays, and arrays from what the jobs found, which comes in any order. */
#include "roadmap.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

static void *room_for(size_t count, size_t size) { return app_alloc(count ? count : 1, size); }

static struct numbers all_of(size_t count) {
    struct numbers list = {.count = (long)count, .room = (long)count, .at = room_for(count, sizeof *list.at)};
    for (size_t k = 0; k < count; k++)
        list.at[k] = (uint32_t)k;
    return list;
}

void stage_clear(const struct stages *by, const struct surroundings *around, const struct state *states, size_t count,
                 uint8_t *clear) {
    struct numbers samples = all_of(count), found = {.room = (long)count, .at = room_for(count, sizeof *found.at)};
    by->clear(around, states, count, &samples, &found);
    memset(clear, 0, count);
    for (long k = 0; k < found.count; k++)
        clear[found.at[k]] = 1;
    heddle_list_free(&samples);
    heddle_list_free(&found);
}

void stage_near(const struct stages *by, const struct measure *measure, const struct state *states, size_t count,
                uint32_t *near) {
    const size_t most = (size_t)measure->neighbours;
    struct seekers seekers = {.count = (long)count, .room = (long)count, .at = room_for(count, sizeof *seekers.at)};
    struct neighbours found = {.room = (long)(count * most), .at = room_for(count * most, sizeof *found.at)};
    struct member *members = room_for(count, sizeof *members);
    struct group *groups = room_for(count, sizeof *groups);
    const size_t group_count = groups_make(states, count, members, groups, seekers.at);
    for (size_t k = 0; k < count * most; k++)
        near[k] = NO_NEIGHBOUR;
    by->near(measure, members, count, groups, group_count, &seekers, &found);
    for (long k = 0; k < found.count; k++)
        near[found.at[k].of * most + found.at[k].rank] = found.at[k].state;
    heddle_list_free(&seekers);
    heddle_list_free(&found);
    free(members);
    free(groups);
}

void stage_open(const struct stages *by, const struct surroundings *around, const struct measure *measure,
                const struct state *states, size_t state_count, const struct way *ways, size_t count, uint8_t *open,
                uint32_t *tests) {
    struct numbers trials = all_of(count);
    struct verdicts verdicts = {.room = (long)count, .at = room_for(count, sizeof *verdicts.at)};
    by->open(around, measure, states, state_count, ways, count, &trials, &verdicts);
    memset(open, 1, count);
    memset(tests, 0xff, count * sizeof *tests);
    for (long k = 0; k < verdicts.count; k++) { /* the first state that touches, whoever looked at it */
        const struct verdict *v = &verdicts.at[k];
        if (v->looked < tests[v->number] || (v->looked == tests[v->number] && !v->open)) {
            open[v->number] = (uint8_t)v->open;
            tests[v->number] = v->looked;
        }
    }
    heddle_list_free(&trials);
    heddle_list_free(&verdicts);
}
