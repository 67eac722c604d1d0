/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../runtime/include/heddle/list.h"
struct list HEDDLE_LIST(int);
void f(struct list *a, struct list *b)
{
    int sum = 0;
#pragma heddle jobs
    while (a->count) {
        sum++;
    }
#pragma heddle jobs
    while (a->count) {
        for (long k = 0; k < a->count; k++)
            sum += a->at[k];
        heddle_list_clear(a);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for reduction(+ : sum)
        for (long k = 0; k < a->count; k++)
            sum += a->at[k];
    }
#pragma heddle jobs
    while (a->count || b->count) {
#pragma heddle for reduction(+ : sum)
        for (long k = 0; k < a->count; k++)
            sum += a->at[k];
        heddle_list_clear(b);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for reduction(+ : sum)
        for (long k = 0; k < a->count; k++)
            sum += a->at[k];
        heddle_list_clear(a);
#pragma heddle for reduction(+ : sum)
        for (long k = 0; k < a->count; k++)
            sum += a->at[k];
        heddle_list_clear(a);
    }
}
// expect: 9:9: error: jobs run in any order, so nothing may stand here but loops with '#pragma heddle for' and heddle_list_clear(list) behind each
// expect: 13:9: error: a loop of jobs needs '#pragma heddle for' before it, with append(list, …) if it appends
// expect: 21:28: error: the jobs of 'a' are done behind their loop: heddle_list_clear(a) has to stand here
// expect: 28:9: error: the jobs of 'a' are done behind their loop: heddle_list_clear(a) has to stand here
// expect: 37:9: error: a second loop over 'a'; do what both do in one
