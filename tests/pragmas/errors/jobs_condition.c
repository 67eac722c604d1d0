/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../runtime/include/heddle/list.h"
struct list HEDDLE_LIST(int);
int more(void);
void f(struct list *a, struct list *b)
{
    int sum = 0;
#pragma heddle jobs
    while (a->count && b->count) {
    }
#pragma heddle jobs
    while (a->count || more()) {
    }
#pragma heddle jobs
    while (a->count || b->count) {
#pragma heddle for reduction(+ : sum)
        for (long k = 0; k < a->count; k++)
            sum += a->at[k];
        heddle_list_clear(a);
    }
#pragma heddle jobs
    while (a->count) {
#pragma heddle for reduction(+ : sum)
        for (long k = 0; k < b->count; k++)
            sum += b->at[k];
        heddle_list_clear(b);
    }
}
// expect: 9:12: error: the condition of jobs is that some list has elements: list->count, joined by ||; 'list' is a variable that points to it
// expect: 12:24: error: the condition of jobs is that some list has elements: list->count, joined by ||; 'list' is a variable that points to it
// expect: 15:24: error: no loop is over 'b', so it is never empty; remove it here, or write a loop over it
// expect: 24:30: error: the condition of the while loop does not ask for 'b'; write '|| b->count' there
