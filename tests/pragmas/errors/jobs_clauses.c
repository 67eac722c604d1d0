/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../runtime/include/heddle/list.h"
struct list HEDDLE_LIST(int);
void f(struct list *a)
{
    int sum = 0;
#pragma heddle jobs schedule(dynamic)
    while (a->count) {
    }
#pragma heddle jobs append(a)
    while (a->count) {
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for reduction(+ : sum) schedule(static) device(host)
        for (long k = 0; k < a->count; k++)
            sum += a->at[k];
        heddle_list_clear(a);
    }
}
// expect: 7:30: error: expected a schedule: lp, lp_published, lp_at_once, lp_zeros, lp_steal, lp_no_setup, lp_flat, proportional, steal, steal_times, lau10, tan09 or hpccd
// expect: 10:21: error: unknown clause 'append'; known here: device, schedule
// expect: 15:39: error: a loop of jobs takes no 'schedule'; write it behind '#pragma heddle jobs'
// expect: 15:56: error: a loop of jobs takes no 'device'; write it behind '#pragma heddle jobs'
