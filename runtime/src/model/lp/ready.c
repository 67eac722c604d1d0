/* SPDX-License-Identifier: Apache-2.0 */
/* The work that is ready, by kind: what a policy that looks at more than one piece is told. */
#include "lp.h"
#include <string.h>

enum { KINDS = 256 };

int heddle__ready_groups(const struct heddle__ready *ready, const struct heddle__running *running, int n,
                         struct heddle_region_group *group, int room) {
    const void *kind[KINDS] = {ready->kind};
    int groups = 1;
    room = room < KINDS ? room : KINDS;
    memset(group, 0, (size_t)room * sizeof *group);
    group[0].count = 1;
    for (int k = 0; k < ready->count; k++) /* its data has to come to where it runs */
        group[0].run[k] = ready->candidates[k].run < 0 ? -1 : ready->candidates[k].run + ready->candidates[k].move;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < groups && kind[j] != running[i].kind)
            j++;
        if (j == room)
            continue;
        if (j == groups) {
            kind[groups++] = running[i].kind;
            for (int k = 0; k < ready->count; k++)
                group[j].run[k] = ready->predict(ready->with, &running[i], k);
        }
        group[j].count++;
        if (running[i].at >= 0)
            group[j].placed[running[i].at]++;
    }
    return groups == 1 && group[0].count == 1 ? 0 : groups;
}
