/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs that append two others for ever: a job in `tests/pragmas/jobs/run-limits`, which bounds the memory. */
#include <heddle/list.h>

struct job {
    long number;
};
struct jobs HEDDLE_LIST(struct job);

int main(void) {
    struct jobs list = {0}, *jobs = &list;
    heddle_list_append(jobs, (struct job){1});
#pragma heddle jobs
    while (jobs->count) {
#pragma heddle for append(jobs)
        for (long k = 0; k < jobs->count; k++) {
            const struct job j = jobs->at[k];
            heddle_list_append(jobs, (struct job){j.number * 2});
            heddle_list_append(jobs, (struct job){j.number * 2 + 1});
        }
        heddle_list_clear(jobs);
    }
    return 0;
}
