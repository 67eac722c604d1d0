/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../runtime/include/heddle/list.h"
struct list HEDDLE_LIST(int);
void f(struct list *a, int n)
{
    int sum = 0;
#pragma heddle jobs
    while (a->count) {
#pragma heddle for reduction(+ : sum)
        for (long k = 1; k < a->count; k++)
            sum += a->at[k];
        heddle_list_clear(a);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for reduction(+ : sum)
        for (long k = 0; k < n; k++)
            sum += a->at[k];
        heddle_list_clear(a);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for reduction(+ : sum)
        for (long k = a->count - 1; k >= 0; k--)
            sum += a->at[k];
        heddle_list_clear(a);
    }
}
// expect: 10:9: error: a loop of jobs is for (long k = 0; k < list->count; k++), where 'list' is a variable that points to the list
// expect: 17:9: error: a loop of jobs is for (long k = 0; k < list->count; k++), where 'list' is a variable that points to the list
// expect: 24:9: error: a loop of jobs is for (long k = 0; k < list->count; k++), where 'list' is a variable that points to the list
