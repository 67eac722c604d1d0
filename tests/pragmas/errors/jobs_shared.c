/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../runtime/include/heddle/list.h"
struct list HEDDLE_LIST(int);
void f(struct list *a, struct list *b, int *d, int n)
{
    int sum = 0;
#pragma heddle jobs
    while (a->count) {
#pragma heddle for map(tofrom : d[0 : n])
        for (long k = 0; k < a->count; k++)
            d[a->at[k]]++;
        heddle_list_clear(a);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for
        for (long k = 0; k < a->count; k++)
            d[a->at[k]] = 1;
        heddle_list_clear(a);
    }
#pragma heddle jobs
    while (a->count || b->count) {
#pragma heddle for reduction(+ : sum)
        for (long k = 0; k < a->count; k++)
            sum += a->at[k];
        heddle_list_clear(a);
#pragma heddle for reduction(+ : sum)
        for (long k = 0; k < b->count; k++)
            sum += b->at[k];
        heddle_list_clear(b);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for
        for (long k = 0; k < a->count; k++)
            sum += a->at[k];
        heddle_list_clear(a);
    }
}
// expect: 9:33: error: jobs have no part of 'd' of their own: arrays are mapped whole, and only read; use map(to: d[first : count]), and append what is written to a list
// expect: 18:13: error: 'd' may be written by jobs, and each device has a copy of its own; append what is written to a list, or use reduction(); what is only read is mapped by map(to: d[first : count])
// expect: 29:13: error: 'sum' is reduced by another loop of these jobs, which run at the same time; give each loop a variable of its own
// expect: 36:13: error: 'sum' is changed by every iteration; declare it inside the loop, or add reduction(op: sum), or firstprivate(sum) if no iteration reads what another one wrote
