/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../runtime/include/heddle/list.h"
struct job {
    int from, to;
};
struct jobs HEDDLE_LIST(struct job);
struct sums HEDDLE_LIST(double);

void halve(struct jobs *jobs, struct sums *sums, int n, const double *x, int device)
{
    long leaves = 0;
#pragma heddle jobs schedule(steal, 30) device(device)
    while (jobs->count || sums->count) {
#pragma heddle for append(jobs, sums) map(to : x[0 : n])
        for (long k = 0; k < jobs->count; k++) {
            const struct job j = jobs->at[k];
            if (j.to - j.from > 1) {
                heddle_list_append(jobs, (struct job){j.from, (j.from + j.to) / 2});
                heddle_list_append(jobs, (struct job){(j.from + j.to) / 2, j.to});
            } else if (j.to > j.from) {
                heddle_list_append(sums, x[j.from]);
            }
        }
        heddle_list_clear(jobs);
#pragma heddle for reduction(+ : leaves)
        for (long k = 0; k < sums->count; k++)
            leaves += sums->at[k] > 0;
        heddle_list_clear(sums);
    }
}
